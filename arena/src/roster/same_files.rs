//! Finds bots that were handed in more than once, or unchanged from a starter: the files are the same; manifests may differ.
//! Only reports it.

use leyden_model::words::plural;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plain_names::MANIFEST;
use super::{Competitor, content};
use crate::starter;

/// The most names in one line.
const LISTED: usize = 20;

/// Bots with the same files: at least two, or any number that are the same starter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SameFiles {
    /// Their names, in the order in which they were found.
    pub bots: Vec<String>,
    /// The path that each was handed in as, relative to the working directory.
    pub folders: Vec<String>,
    /// Whether their manifests are the same, too.
    pub whole: bool,
    /// The language, if they are a starter of `leyden new` with unchanged code.
    pub starter: Option<String>,
}

impl fmt::Display for SameFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.bots.iter().zip(&self.folders).map(|(bot, folder)| named(bot, folder)).collect();
        let is = plural(self.bots.len(), "is", "are");
        let names = listed(names);
        match &self.starter {
            Some(language) => write!(f, "{names} {is} the starter in {language} as `leyden new` wrote it"),
            None if self.whole => write!(f, "{names} have the same files"),
            None => write!(f, "{names} have the same files except bot.toml"),
        }
    }
}

impl SameFiles {
    /// Describes the bot that was handed in as `folder`, if it is one of them: whose files it has, or that it is an unchanged
    /// starter.
    pub fn description(&self, folder: &str) -> Option<String> {
        let index = self.folders.iter().position(|other| other == folder)?;
        if let Some(language) = &self.starter {
            return Some(format!("it is the starter in {language} as `leyden new` wrote it"));
        }
        let others = self.folders.iter().enumerate().filter(|(at, _)| *at != index);
        let others = listed(others.map(|(_, folder)| folder.clone()).collect());
        let but = if self.whole { "" } else { " except bot.toml" };
        Some(format!("it has the same files as {others}{but}"))
    }
}

/// Returns the name, with the submission if that is called something else.
fn named(bot: &str, folder: &str) -> String {
    let entry = Path::new(folder);
    match (entry.file_stem(), entry.file_name()) {
        (Some(stem), Some(name)) if stem.to_string_lossy() != bot => {
            format!("{bot} ({})", name.to_string_lossy())
        }
        _ => bot.to_owned(),
    }
}

/// Joins names in a sentence; lists only the first ones of many.
fn listed(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let last = if more > 0 { Some(format!("{more} more")) } else { names.pop() };
    let (Some(last), others) = (last, &names[..names.len().min(LISTED)]) else { return String::new() };
    if others.is_empty() { last } else { format!("{} and {last}", others.join(", ")) }
}

/// Groups the bots with the same files, in the order of the first of each group. Skips bots whose files cannot be read: they don't
/// play.
pub fn same_files(bots: &[Competitor]) -> Vec<SameFiles> {
    let mut groups: Vec<(SameFiles, &str)> = Vec::new();
    let mut indices: BTreeMap<String, usize> = BTreeMap::new();
    for bot in bots {
        let Some(folder) = bot.handed_in.clone() else { continue };
        let Some((key, starter)) = made_of(bot) else { continue };
        let index = *indices.entry(key).or_insert(groups.len());
        match groups.get_mut(index) {
            None => {
                let (bots, folders) = (vec![bot.name.clone()], vec![folder]);
                let same = SameFiles { bots, folders, whole: true, starter };
                groups.push((same, &bot.hash));
            }
            Some((same, hash)) => {
                same.bots.push(bot.name.clone());
                same.folders.push(folder);
                same.whole &= *hash == bot.hash;
            }
        }
    }
    let groups = groups.into_iter().map(|(same, _)| same);
    groups.filter(|same| same.bots.len() > 1 || same.starter.is_some()).collect()
}

/// Returns a key that is equal for bots with the same files, and the language if they are a starter.
fn made_of(bot: &Competitor) -> Option<(String, Option<String>)> {
    let folder = bot.command.folder.as_deref()?;
    let paths = content::paths(folder, bot.has_build()).ok()?;
    let inside: Vec<&Path> = paths.iter().filter_map(|path| path.strip_prefix(folder).ok()).collect();
    let read = |path: &Path, most: usize| content::text(&folder.join(path), most).ok();
    if let Some(template) = starter::unchanged_template(&inside, &read) {
        let language = template.language.to_owned();
        return Some((format!("starter {language}"), Some(language)));
    }
    let hash = content::without(folder, MANIFEST, bot.has_build()).ok()??;
    Some((hash, None))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::roster::find;

    /// Names and contents of files.
    type Files<'a> = &'a [(&'a str, &'a str)];

    /// What is reported about these submissions, each with its entry, its name, and its files.
    fn said(entries: &[(&str, &str, Files<'_>)]) -> Vec<String> {
        let temporary = tempfile::tempdir().unwrap();
        for (entry, name, files) in entries {
            let folder = temporary.path().join(entry);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("bot.toml"), format!("name = {name:?}\ncommand = [\"sh\"]\n")).unwrap();
            for (file, text) in *files {
                fs::write(folder.join(file), text).unwrap();
            }
            fs::write(folder.join(".DS_Store"), entry).unwrap();
        }
        let typed = [temporary.path().display().to_string(), "builtin:random".to_owned()];
        let bots = find(&typed, Path::new("/leyden")).unwrap().bots;
        same_files(&bots).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn bots_with_same_files_are_grouped_despite_names() {
        let (one, two): (&[_], &[_]) = (&[("bot.py", "print(1)")], &[("bot.py", "print(2)")]);
        let notice = said(&[
            ("ann", "ann", one),
            ("bob", "bob", two),
            ("kim", "kim", one),
            ("lea", "ann", one),
            // A bot that is only a manifest equals no other.
            ("max", "max", &[]),
            ("ned", "ned", &[]),
            ("tom", "bob", two),
        ]);
        assert_eq!(
            notice,
            [
                "ann, kim and ann#2 (lea) have the same files except bot.toml",
                "bob and bob#2 (tom) have the same files"
            ]
        );
    }

    #[test]
    fn unchanged_starter_is_not_called_a_copy() {
        let files = |name: &str| -> Vec<(&str, String)> {
            let files = starter::PYTHON.files.iter().filter(|(file, _)| *file != "bot.toml");
            files.map(|(file, text)| (*file, text.replace(starter::NAME, name))).collect()
        };
        let (ann, bob) = (files("ann"), files("bob"));
        let borrowed = |files: &'static [(&'static str, String)]| -> Vec<(&str, &str)> {
            files.iter().map(|(a, b)| (*a, b.as_str())).collect()
        };
        let (ann, bob) = (borrowed(ann.leak()), borrowed(bob.leak()));
        let notice = said(&[("ann", "ann", &ann), ("bob", "bob", &bob)]);
        assert_eq!(notice, ["ann and bob are the starter in Python as `leyden new` wrote it"]);
        // A folder alone, and the folder that contains it, count as one entry.
        let alone = said(&[("ann", "ann", &ann)]).concat();
        assert!(
            alone.starts_with("ann (")
                && alone.ends_with(") is the starter in Python as `leyden new` wrote it"),
            "{alone}"
        );
    }

    #[test]
    fn long_list_of_copies_is_shortened() {
        let bots: Vec<String> = (0..=LISTED).map(|bot| format!("b{bot}")).collect();
        let folders: Vec<String> = bots.iter().map(|bot| format!("class/{bot}.zip")).collect();
        let same = SameFiles { bots, folders, whole: true, starter: None };
        let notice = same.to_string();
        assert!(notice.ends_with("b19 and 1 more have the same files"), "{notice}");
        // In the text about one of them, the others are few enough to be listed.
        let notice = same.description("class/b0.zip").unwrap();
        assert!(notice.starts_with("it has the same files as class/b1.zip, class/b2.zip"), "{notice}");
        assert!(notice.ends_with(" and class/b20.zip"), "{notice}");
        assert_eq!(same.description("b0"), None);
    }
}
