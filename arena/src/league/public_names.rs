//! What bots of a league are called where others look, if the names of authors are hidden: on pages and in what programs read of them,
//! in replays, and in what other authors are answered.
//!
//! Pseudonyms are drawn, and kept beside the results file in `FILE.pseudonyms.json`, which the organiser may edit. As long as that
//! file is there, it is in force, no matter who shows the results, and nothing falls back to a name.

use std::io;
use std::path::{Path, PathBuf};

use super::challenges::Challenge;
use super::version::Version;
use crate::record::store::{Lock, StoreError};
use crate::roster::Pseudonyms;
use crate::whole_file;

/// What a bot is called that has no pseudonym.
const NAMELESS: &str = "a bot";

/// The pseudonyms of a league.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicNames(Pseudonyms);

impl PublicNames {
    /// The file of the league with this results file, which need not exist.
    pub fn file(results: &Path) -> PathBuf {
        results.with_extension("pseudonyms.json")
    }

    /// Hides the names in the league with this results file from now on. Fails while it is played.
    pub fn hide(results: &Path) -> Result<(), StoreError> {
        let versions = results.with_extension("versions");
        let _lock = versions.is_dir().then(|| Lock::take(&versions)).transpose()?;
        let _results = results.exists().then(|| Lock::take(results)).transpose()?;
        let hidden = Self::read(results).and_then(|names| match names {
            Some(_) => Ok(()),
            None => whole_file::replace_json(&Self::file(results), &Pseudonyms::default()),
        });
        hidden.map_err(|source| StoreError::Io { path: results.to_owned(), doing: "hide names in", source })
    }

    /// Reads the pseudonyms of the league with this results file; `None` if names are not hidden.
    pub fn read(results: &Path) -> io::Result<Option<Self>> {
        let file = Self::file(results);
        let advice = "correct it, because without it names are shown";
        let names: Option<Pseudonyms> = whole_file::read_json_or_advise(&file, advice)?;
        let Some(names) = names else { return Ok(None) };
        names.check().map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", file.display()))
        })?;
        Ok(Some(Self(names)))
    }

    /// Draws a pseudonym for each of these bots that has none, if names are hidden.
    pub(super) fn draw<'a>(results: &Path, bots: impl Iterator<Item = &'a str>) -> io::Result<()> {
        let Some(Self(before)) = Self::read(results)? else { return Ok(()) };
        let mut names = before.clone();
        for bot in bots {
            while names.find(bot, None).is_none() {
                let drawn = format!("bot-{}", leyden_model::random_hex::<3>()?);
                if !names.knows(&drawn) {
                    names.add(bot, drawn);
                }
            }
        }
        if names == before { Ok(()) } else { whole_file::replace_json(&Self::file(results), &names) }
    }

    /// What a bot is called; `None` if it has no pseudonym.
    pub fn pseudonym(&self, bot: &str) -> Option<&str> {
        self.0.find(bot, None)
    }

    /// What a bot, or a version such as `ann v3`, is called: never by its own name.
    pub fn public_name(&self, name: &str) -> String {
        let called = |bot: &str| self.pseudonym(bot).unwrap_or(NAMELESS).to_owned();
        match Version::parse(name) {
            Some(version) => Version { bot: called(&version.bot), ..version }.to_string(),
            None => called(name),
        }
    }

    /// The name of the bot that is called so.
    pub(super) fn bot(&self, called: &str) -> Option<&str> {
        self.0.bot(called)
    }

    /// A challenge as its author may see it.
    pub(super) fn of_challenge(&self, challenge: Challenge) -> Challenge {
        let versions = challenge.versions.map(|[own, other]| [own, self.public_name(&other)]);
        Challenge { opponent: self.public_name(&challenge.opponent), versions, ..challenge }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_hidden_while_somebody_plays() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("cup.db");
        std::fs::create_dir(folder.path().join("cup.versions")).unwrap();
        let played = Lock::take(&folder.path().join("cup.versions")).unwrap();
        assert!(matches!(PublicNames::hide(&results), Err(StoreError::InUse { .. })));
        assert_eq!(PublicNames::read(&results).unwrap(), None);
        drop(played);
        PublicNames::hide(&results).unwrap();
        assert!(PublicNames::read(&results).unwrap().is_some());
    }

    #[test]
    fn hidden_name_has_one_pseudonym_for_good() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("cup.db");
        PublicNames::draw(&results, ["ann"].into_iter()).unwrap();
        assert_eq!(PublicNames::read(&results).unwrap(), None, "names are not hidden");
        PublicNames::hide(&results).unwrap();
        let none = PublicNames::read(&results).unwrap().unwrap();
        assert_eq!(
            (none.public_name("ann v2").as_str(), none.public_name("ann").as_str()),
            ("a bot v2", "a bot")
        );
        PublicNames::draw(&results, ["ann", "bob", "ann"].into_iter()).unwrap();
        PublicNames::hide(&results).unwrap();
        let first = PublicNames::read(&results).unwrap().unwrap();
        let [ann, bob] = ["ann", "bob"].map(|bot| first.pseudonym(bot).unwrap().to_owned());
        assert!(ann != bob && ann.starts_with("bot-") && first.public_name("ann v2") == format!("{ann} v2"));
        assert_eq!((first.bot(&ann), first.bot("ann")), (Some("ann"), None));
        PublicNames::draw(&results, ["cy", "ann"].into_iter()).unwrap();
        let later = PublicNames::read(&results).unwrap().unwrap();
        assert_eq!(
            (later.pseudonym("ann"), later.pseudonym("bob")),
            (Some(ann.as_str()), Some(bob.as_str()))
        );

        let edited = |text: &str| {
            std::fs::write(PublicNames::file(&results), text).unwrap();
            PublicNames::read(&results)
        };
        assert_eq!(edited(r#"{"ann": "Ada"}"#).unwrap().unwrap().public_name("ann v1"), "Ada v1");
        for wrong in [r#"{"ann": "Ada", "bob": "ada"}"#, r#"{"ann": ""}"#, "rubbish"] {
            let refused = edited(wrong).unwrap_err().to_string();
            assert!(refused.contains("cup.pseudonyms.json") && !refused.contains("remove"), "{refused}");
        }
    }
}
