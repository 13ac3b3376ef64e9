//! A bot that is one file of source text: packed with the manifest that a folder of it would need.

use std::fs;
use std::io;
use std::path::Path;

use super::finder;
use super::plain_names::{MANIFEST, is_plain_name};
use super::single_file_hint::LoneFile;

/// The archive of a bot that is this one file, or why it is no bot.
pub fn pack_alone(name: &str, content: &[u8]) -> Result<Vec<u8>, String> {
    if !is_plain_name(name) || name == MANIFEST {
        return Err(
            "expected a file called by letters, digits, `-`, `_` and `.`, such as bot.py, or a zip archive"
                .to_owned(),
        );
    }
    let failed = |error: io::Error| format!("it cannot be packed: {error}");
    let folder = tempfile::tempdir().map_err(failed)?;
    let file = folder.path().join(name);
    fs::write(&file, content).map_err(failed)?;
    let manifest = match LoneFile::read(&file) {
        LoneFile::Source { manifest, .. } => manifest,
        other => {
            let no_source =
                || format!("expected source text, such as bot.py, or a zip archive with a {MANIFEST}");
            return Err(other.why_none().unwrap_or_else(no_source));
        }
    };
    fs::write(folder.path().join(MANIFEST), manifest).map_err(failed)?;
    let bot = finder::folder(folder.path(), Path::new("leyden")).map_err(|error| error.to_string())?;
    let (_, archive) = bot.pack().map_err(|error| error.to_string())?;
    archive.ok_or_else(|| "it cannot be packed".to_owned())
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
            let refused = pack_alone(name, b"x").unwrap_err();
            assert!(refused.contains(why) && !refused.contains("/tmp"), "{name}: {refused}");
        }
    }
}
