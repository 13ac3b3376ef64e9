//! A bot that competes: what is known of it. Changes nothing, and runs nothing.

use std::path::{Path, PathBuf};

use leyden_host::BotCommand;
use leyden_model::BotEntry;
use leyden_protocol::{RulesName, Seats};

use super::archive::Unpacked;
use super::content::{self, Files};

/// A bot that competes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Competitor {
    /// The manifest's name, the builtin's name, or the command line; a second one of a name ends in `#2`.
    pub name: String,
    pub command: BotCommand,
    /// The command as it was written.
    pub words: Vec<String>,
    /// SHA-256 of what the bot is made of: its folder, its file, or its command line.
    pub hash: String,
    pub author: Option<String>,
    pub language: Option<String>,
    pub supports: Supports,
    /// The folder or archive in which it was named or handed in, if it has one.
    pub handed_in: Option<String>,
    pub(super) build: Option<BotCommand>,
    /// What its folder lies in, if that is the arena's own: unpacked from an archive, or built in.
    pub(super) unpacked: Option<Unpacked>,
    /// Of a bot that plays from a copy: its folder as it was handed in, which stays as long as the bot does.
    pub(super) original: Option<(PathBuf, Option<Unpacked>)>,
}

/// What a bot says it can play: `rules` and `seats` of its manifest. What is not named there is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supports {
    pub rules: Vec<RulesName>,
    pub seats: Vec<Seats>,
}

impl Supports {
    pub fn rules(&self, name: RulesName) -> bool {
        self.rules.is_empty() || self.rules.contains(&name)
    }

    pub fn seats(&self, seats: Seats) -> bool {
        self.seats.is_empty() || self.seats.contains(&seats)
    }
}

impl Competitor {
    /// As the results file knows it.
    pub fn entry(&self) -> BotEntry {
        BotEntry {
            name: self.name.clone(),
            command: self.words.clone(),
            hash: self.hash.clone(),
            author: self.author.clone(),
            language: self.language.clone(),
            folder: self.handed_in.clone(),
        }
    }

    /// The files that it is made of; none of what is no folder.
    pub fn files(&self) -> Files {
        self.counted().map(|folder| content::files(folder, self.has_build())).unwrap_or_default()
    }

    /// Its folder as it was handed in, wherever it plays from.
    pub fn handed_in_folder(&self) -> Option<&Path> {
        self.original
            .as_ref()
            .map(|(folder, _)| folder)
            .or(self.command.folder.as_ref())
            .map(PathBuf::as_path)
    }

    /// Whether the copy that it plays from, unbuilt, is no longer what was copied: it has written there, which no sandbox lets it.
    pub fn has_written(&self) -> bool {
        let copy = self.command.folder.as_ref().filter(|_| self.original.is_some() && !self.has_build());
        copy.is_some_and(|copy| content::of_folder(copy, false).is_ok_and(|hash| hash != self.hash))
    }

    /// Its folder and the one that it plays from; none if it has no folder.
    pub(super) fn folders(&self) -> Vec<&Path> {
        self.handed_in_folder().into_iter().chain(self.command.folder.as_deref()).collect()
    }

    /// The folder that holds what it is known by: a build adds to its copy.
    pub(super) fn counted(&self) -> Option<&Path> {
        if self.has_build() { self.handed_in_folder() } else { self.command.folder.as_deref() }
    }

    /// Whether it is part of this program.
    pub fn is_builtin(&self) -> bool {
        self.command.folder.is_none() && self.words.first().is_some_and(|word| word.starts_with("builtin:"))
    }

    /// Whether it has to be built before it can be run.
    pub fn has_build(&self) -> bool {
        self.build.is_some()
    }

    /// Its build command, as it would be typed.
    pub fn build_words(&self) -> Option<String> {
        let BotCommand { program, arguments, .. } = self.build.as_ref()?;
        let words = std::iter::once(program.as_os_str()).chain(arguments.iter().map(AsRef::as_ref));
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        shlex::try_join(words.iter().map(String::as_str)).ok()
    }
}

/// The path of what was handed in, from where the arena runs if it lies there. Whoever hands something in chooses its name, but not
/// what stands on a line of its own.
pub(super) fn shown(entry: &Path) -> String {
    let here = std::env::current_dir().ok();
    let inside = here.as_deref().and_then(|here| entry.strip_prefix(here).ok());
    let entry = inside.filter(|inside| !inside.as_os_str().is_empty()).unwrap_or(entry);
    entry.to_string_lossy().replace(leyden_protocol::is_hidden, "\u{fffd}")
}
