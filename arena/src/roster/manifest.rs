//! `bot.toml`: what a bot's author says about it. It is validated before use.

use std::io;
use std::path::{Path, PathBuf};

use leyden_host::BotCommand;
use leyden_protocol::{RulesName, Seats};
use serde::Deserialize;

use super::content;
use super::error::BotLookupError;
use super::plain_names::{LONGEST_NAME, MANIFEST};
use crate::toml_error::in_words;

/// The largest manifest, and the largest list of entries that are not bots, in bytes.
pub(super) const MOST_BYTES: usize = 64 << 10;

/// The longest command, in bytes.
pub(super) const LONGEST_COMMAND: usize = 32 << 10;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) name: String,
    pub(super) command: CommandWords,
    pub(super) build: Option<CommandWords>,
    /// Absolute paths that the bot needs to read in addition to its folder and the system's programs.
    #[serde(default)]
    pub(super) read: Vec<PathBuf>,
    /// Whether the bot needs the network.
    #[serde(default)]
    pub(super) network: bool,
    pub(super) author: Option<String>,
    pub(super) language: Option<String>,
    /// The rule sets and numbers of seats that it can play; all if left out.
    #[serde(default)]
    pub(super) rules: Vec<RulesName>,
    #[serde(default)]
    pub(super) seats: Vec<Seats>,
}

/// A program and its arguments, written as a list.
#[derive(Clone, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(super) struct CommandWords(Vec<String>);

impl TryFrom<Vec<String>> for CommandWords {
    type Error = &'static str;

    fn try_from(words: Vec<String>) -> Result<Self, Self::Error> {
        let length: usize = words.iter().map(|word| word.len() + 1).sum();
        if words.is_empty() {
            Err("an empty list: expected a program and its arguments")
        } else if words.iter().any(|word| word.contains('\0')) || length > LONGEST_COMMAND {
            Err("a command may contain no NUL, and at most 32 KiB")
        } else {
            Ok(Self(words))
        }
    }
}

impl CommandWords {
    /// Returns the command to run in this folder.
    pub(super) fn command(&self, folder: &Path, reads: &[PathBuf]) -> BotCommand {
        let mut words = self.0.iter();
        BotCommand {
            program: words.next().map(Into::into).unwrap_or_default(), // never empty: checked on parsing
            arguments: words.map(Into::into).collect(),
            folder: Some(folder.to_owned()),
            reads: reads.to_vec(),
            lists: Vec::new(),
            network: false,
        }
    }

    pub(super) fn into_list(self) -> Vec<String> {
        self.0
    }
}

/// Whether a folder is that of a bot: it has a manifest of its own. The target of a link was not handed in.
pub fn has_manifest(folder: &Path) -> bool {
    let manifest = folder.join(MANIFEST);
    manifest.is_file() && !manifest.is_symlink()
}

impl Manifest {
    /// Reads the manifest in a bot's folder.
    pub(super) fn read(folder: &Path) -> Result<Self, BotLookupError> {
        let path = folder.join(MANIFEST);
        let wrong = |problem: String| BotLookupError::Manifest { path: path.clone(), problem };
        let text = content::text(&path, MOST_BYTES).map_err(|source| match source.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::Other => wrong(source.to_string()),
            _ => BotLookupError::Unreadable { path: path.clone(), source },
        })?;
        let manifest: Self = toml::from_str(&text).map_err(|error| wrong(in_words(&text, &error)))?;
        if !manifest.name.chars().any(can_be_read) || manifest.name.chars().any(char::is_control) {
            return Err(wrong(
                "the name must be one line of text that is not empty and has a letter or a digit in it"
                    .to_owned(),
            ));
        }
        if manifest.name.chars().count() > LONGEST_NAME {
            return Err(wrong(format!("the name is too long: expected at most {LONGEST_NAME} characters")));
        }
        Ok(manifest)
    }
}

/// Whether a character is visible. Blanks and lone accents are not, nor are the Hangul fillers.
fn can_be_read(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}
