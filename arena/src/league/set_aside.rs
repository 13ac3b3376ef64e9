//! Versions that could not be started several times in a row: each leaves, and is set aside until its author hands in again or brings it
//! back, so that it does not lose matches unplayed for ever.
//!
//! That it has left is in the results file, as of any version that leaves. Why, and that this is not for good, is beside it in
//! `FILE.aside.json`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use leyden_model::FaultDetails;
use serde::{Deserialize, Serialize};

use super::version::{Version, VersionEntry};
use crate::whole_file;

const VERSION: u32 = 1;

/// A version that is set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    pub version: String,
    /// How often in a row it could not be started.
    pub failures: u32,
    /// The fault of the last start.
    #[serde(flatten, with = "leyden_model::stored_details")]
    pub details: FaultDetails,
    /// Whether it is about to play again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    comes_back: bool,
}

/// The versions of a league that are set aside. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct AsideVersions(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: PathBuf,
    stored: Mutex<Stored>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Stored {
    v: u32,
    /// By the name of the bot.
    aside: BTreeMap<String, SetAside>,
}

impl AsideVersions {
    /// Reads which versions of the league with this results file are set aside.
    pub(super) fn open(results: &Path) -> io::Result<Self> {
        let file = results.with_extension("aside.json");
        let stored = Mutex::new(whole_file::read_json(&file)?.unwrap_or_default());
        Ok(Self(Arc::new(Inner { file, stored })))
    }

    fn stored(&self) -> MutexGuard<'_, Stored> {
        // Each change is complete before anything can panic.
        self.0.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, stored: &Stored) -> io::Result<()> {
        whole_file::replace_json(&self.0.file, &Stored { v: VERSION, ..stored.clone() })
    }

    /// Sets a version aside. If that cannot be stored, it holds for as long as the league goes on.
    pub(super) fn set(&self, version: &Version, failures: u32, details: FaultDetails) -> io::Result<()> {
        let mut stored = self.stored();
        let new = SetAside { version: version.to_string(), failures, details, comes_back: false };
        stored.aside.insert(version.bot.clone(), new);
        self.keep(&stored)
    }

    /// The version of this bot that is set aside.
    pub(super) fn for_bot(&self, bot: &str) -> Option<SetAside> {
        self.stored().aside.get(bot).cloned()
    }

    /// Whether a version is set aside, and nobody wants it back.
    pub(super) fn has(&self, version: &Version) -> bool {
        let stored = self.stored();
        let of_bot = stored.aside.get(&version.bot);
        of_bot.is_some_and(|one| !one.comes_back && one.version == version.to_string())
    }

    /// Lets a version play again.
    pub(super) fn bring_back(&self, version: &Version) -> io::Result<()> {
        let mut stored = self.stored();
        let Some(one) = stored.aside.get_mut(&version.bot) else { return Ok(()) };
        one.comes_back = true;
        self.keep(&stored)
    }

    /// Counts versions that are set aside as gone, although the league could not do without them, and those that come back as there.
    pub(super) fn apply(&self, entered: &mut [VersionEntry]) {
        let stored = self.stored();
        for of in entered {
            let of_bot = stored.aside.get(&of.version.bot);
            if let Some(one) = of_bot.filter(|one| one.version == of.version.to_string()) {
                of.there = one.comes_back;
            }
        }
    }

    /// Learns which bots play, so that none of them is set aside any more.
    pub(super) fn settle(&self, playing: &BTreeMap<String, Version>) -> io::Result<()> {
        self.retain(|bot, _| !playing.contains_key(bot))
    }

    /// Keeps only some of them.
    pub(super) fn retain(&self, is_kept: impl Fn(&str, &SetAside) -> bool) -> io::Result<()> {
        let mut stored = self.stored();
        let before = stored.aside.len();
        stored.aside.retain(|bot, one| is_kept(bot, one));
        if stored.aside.len() == before { Ok(()) } else { self.keep(&stored) }
    }

    /// Whether a version is set aside, by its name.
    pub(super) fn knows(&self, version: &str) -> bool {
        self.stored().aside.values().any(|one| one.version == version)
    }
}

#[cfg(test)]
mod tests {
    use leyden_model::{AwaitedAnswer, Deviation};

    use super::*;

    #[test]
    fn aside_version_keeps_its_fault() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("league.db");
        let details = FaultDetails {
            received: "{".to_owned(),
            ..FaultDetails::new(Deviation::Closed { awaited: AwaitedAnswer::Hello })
        };
        let version = Version { bot: "bob".to_owned(), number: 2 };
        AsideVersions::open(&results).unwrap().set(&version, 3, details.clone()).unwrap();
        let again = AsideVersions::open(&results).unwrap();
        assert_eq!(again.for_bot("bob").unwrap().details, details);
    }
}
