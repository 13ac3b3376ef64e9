//! A bot that competes, as the arena knows it. Changes no files and runs no programs.

use std::path::{Path, PathBuf};

use leyden_host::BotCommand;
use leyden_model::BotEntry;
use leyden_protocol::{RulesName, Seats};

use super::archive::UnpackedFolder;
use super::content::{self, Files};

/// How a player of the program that uses this library is named among bots.
pub const IN_PROCESS: &str = "in-process:";

/// A bot that competes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Competitor {
    /// The name in the manifest, the builtin's name, or the command line. A second bot of the same name ends in `#2`.
    pub name: String,
    pub command: BotCommand,
    /// The command as typed, or as it stands in the manifest.
    pub words: Vec<String>,
    /// SHA-256, in hex, of the bot's folder, its file, or its command line.
    pub hash: String,
    /// As its manifest names it.
    pub author: Option<String>,
    /// The programming language, as its manifest names it.
    pub language: Option<String>,
    pub supports: Supports,
    /// Whether its manifest asks for the network; `command` says whether it has it.
    pub(super) wants_network: bool,
    /// The path of the folder or archive in which it was named or handed in, if any.
    pub handed_in: Option<String>,
    pub(super) build: Option<BotCommand>,
    /// The arena's own folder that contains the bot's folder, if it was unpacked from an archive or built.
    pub(super) unpacked: Option<UnpackedFolder>,
    /// For a bot that plays from a copy: the folder as it was handed in, kept for as long as the bot.
    pub(super) original: Option<(PathBuf, Option<UnpackedFolder>)>,
}

/// What a bot can play: `rules` and `seats` of its manifest. An empty list means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supports {
    pub rules: Vec<RulesName>,
    pub seats: Vec<Seats>,
}

impl Supports {
    /// Whether the bot plays by these rules.
    pub fn rules(&self, name: RulesName) -> bool {
        self.rules.is_empty() || self.rules.contains(&name)
    }

    /// Whether the bot plays at tables of this size.
    pub fn seats(&self, seats: Seats) -> bool {
        self.seats.is_empty() || self.seats.contains(&seats)
    }
}

impl Competitor {
    /// Returns the entry for the results file.
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

    /// Returns the files of the bot's folder; none if it has no folder.
    pub fn files(&self) -> Files {
        self.counted().map(|folder| content::files(folder, self.has_build())).unwrap_or_default()
    }

    /// Returns the folder as it was handed in, even if the bot plays from a copy.
    pub fn handed_in_folder(&self) -> Option<&Path> {
        self.original
            .as_ref()
            .map(|(folder, _)| folder)
            .or(self.command.folder.as_ref())
            .map(PathBuf::as_path)
    }

    /// Whether the copy that an unbuilt bot plays from has changed: the bot has written to it, which every sandbox prevents.
    pub fn has_written(&self) -> bool {
        let copy = self.command.folder.as_ref().filter(|_| self.original.is_some() && !self.has_build());
        copy.is_some_and(|copy| content::hash_folder(copy, false).is_ok_and(|hash| hash != self.hash))
    }

    /// Returns the folder as it was handed in and the folder that it plays from; none if it has no folder.
    pub(super) fn folders(&self) -> Vec<&Path> {
        self.handed_in_folder().into_iter().chain(self.command.folder.as_deref()).collect()
    }

    /// Returns the folder from which the hash was computed: a build adds files to the copy.
    pub(super) fn counted(&self) -> Option<&Path> {
        if self.has_build() { self.handed_in_folder() } else { self.command.folder.as_deref() }
    }

    /// Whether the bot is part of this program.
    pub fn is_builtin(&self) -> bool {
        let is_named = |word: &String| word.starts_with("builtin:") || word.starts_with(IN_PROCESS);
        self.command.folder.is_none() && self.words.first().is_some_and(is_named)
    }

    /// Whether the bot is a player of the program that uses this library, without a process.
    pub fn is_in_process(&self) -> bool {
        self.is_builtin() && self.words.first().is_some_and(|word| word.starts_with(IN_PROCESS))
    }

    /// Whether the bot has to be built before it can run.
    pub fn has_build(&self) -> bool {
        self.build.is_some()
    }

    /// Returns the build command as it would be typed.
    pub fn build_words(&self) -> Option<String> {
        let BotCommand { program, arguments, .. } = self.build.as_ref()?;
        let words = std::iter::once(program.as_os_str()).chain(arguments.iter().map(AsRef::as_ref));
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        shlex::try_join(words.iter().map(String::as_str)).ok()
    }
}

/// Returns the path of a submission, relative to the working directory if it lies there. Hidden characters are replaced: the name
/// comes from outside, and must not break the line that it is printed on.
pub(super) fn shown(entry: &Path) -> String {
    let here = std::env::current_dir().ok();
    let inside = here.as_deref().and_then(|here| entry.strip_prefix(here).ok());
    let entry = inside.filter(|inside| !inside.as_os_str().is_empty()).unwrap_or(entry);
    entry.to_string_lossy().replace(leyden_protocol::is_hidden, "\u{fffd}")
}
