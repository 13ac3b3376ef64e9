//! A bot that is one file of source text: packed with the manifest that a folder of it would need.

use std::fs;
use std::io;
use std::path::Path;

use super::plain_names::{MANIFEST, is_plain_name};
use super::single_file_hint::LoneFile;
use super::{BotLookupError, SendBotError, finder};

/// Why a file could not be packed as a bot.
#[derive(Debug, thiserror::Error)]
pub enum PackFileError {
    #[error("{0}")]
    NoBot(String),
    #[error("it cannot be packed: {0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Lookup(#[from] BotLookupError),
    #[error(transparent)]
    Send(#[from] SendBotError),
}

impl PackFileError {
    /// Returns the system's error if it failed to read or write a file; otherwise the cause is the file that was to be packed.
    pub fn system(&self) -> Option<&io::Error> {
        match self {
            Self::Io(error) => Some(error),
            Self::Lookup(error) => error.system(),
            Self::Send(error) => error.system(),
            Self::NoBot(_) => None,
        }
    }
}

/// Returns the archive of a bot that is this one file.
pub fn pack_alone(name: &str, content: &[u8]) -> Result<Vec<u8>, PackFileError> {
    if !is_plain_name(name) || name == MANIFEST {
        return Err(PackFileError::NoBot(
            "expected a file called by letters, digits, `-`, `_` and `.`, such as bot.py, or a zip archive"
                .to_owned(),
        ));
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join(name);
    fs::write(&file, content)?;
    let manifest = match LoneFile::read(&file) {
        LoneFile::Source { manifest, .. } => manifest,
        other => {
            let no_source =
                || format!("expected source text, such as bot.py, or a zip archive with a {MANIFEST}");
            return Err(PackFileError::NoBot(other.why_none().unwrap_or_else(no_source)));
        }
    };
    fs::write(folder.path().join(MANIFEST), manifest)?;
    let (_, archive) = finder::folder(folder.path(), Path::new("leyden"))?.pack()?;
    archive.ok_or_else(|| PackFileError::NoBot("it cannot be packed".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::find_entry;

    #[test]
    fn one_file_of_source_text_is_a_bot() {
        let folder = tempfile::tempdir().unwrap();
        for (name, runs) in [("bot.py", "python3"), ("mine.js", "node"), ("mine.c", "bot")] {
            let archive = folder.path().join(name).with_extension("zip");
            fs::write(&archive, pack_alone(name, b"print()").unwrap()).unwrap();
            let found = find_entry(&archive, Path::new("leyden"), 1 << 20);
            assert!(found.bots[0].words[0].contains(runs), "{name}: {:?}", found.bots[0].words);
        }
        for (name, why) in [
            ("notes.txt", "it is not a bot"),
            ("bot.toml", "expected a file called"),
            ("../bot.py", "expected a file called"),
            (".bot.py", "expected a file called"),
            ("bot.tar", "hand in a zip"),
            ("leyden.py", "it is part of the starter"),
        ] {
            let refused = pack_alone(name, b"x").unwrap_err().to_string();
            assert!(refused.contains(why) && !refused.contains("/tmp"), "{name}: {refused}");
        }
    }
}
