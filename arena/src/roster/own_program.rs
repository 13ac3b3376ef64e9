//! Recognises an entry that is a builtin bot, or that brings or calls this program: by what its files and its command contain, not
//! by its name. A copy is found in `packed.rs` as well where it is packed in a common way.

use std::path::Path;

use super::Competitor;
use super::content;
use super::packed_text::{Copy, Search};

/// A text that this program contains, and no other.
const MARK: &[u8] = b"\xfbthis is the program of the arena: 4f0c29d1a7b85e3692\xfb";

/// The smallest file that may be the program, or the program packed.
const PROGRAM: u64 = 1 << 20;

/// The longest text that is searched for a call.
const TEXT: usize = 256 << 10;

/// Says why an entry is no work of its author; `None` if it is.
pub(super) fn why(bot: &Competitor, leyden: &Path) -> Option<String> {
    let words = bot.words.iter().map(String::as_str);
    if bot.command.program == leyden
        || words.clone().any(calls_builtin)
        || calls_builtin(&bot.words.join(" "))
    {
        return Some("its command runs a builtin bot of the arena".to_owned());
    }
    let folder = bot.handed_in_folder()?;
    let paths = content::paths(folder, false).ok()?;
    let mut search = Search::new(MARK);
    paths.iter().find_map(|path| {
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        let name = name.replace(leyden_protocol::is_hidden, "\u{fffd}");
        let length = path.metadata().ok()?.len();
        match Some(path).filter(|_| length >= PROGRAM).and_then(|path| search.copy_in(path)) {
            Some(Copy::Found) => {
                return Some(format!(
                    "{name} is a copy of the arena's program, which contains the builtin bots"
                ));
            }
            Some(Copy::Hidden { packer }) => {
                return Some(format!(
                    "{name} is packed with {packer}, so nobody can see what it is: hand it in unpacked"
                ));
            }
            None => {}
        }
        let plays = !matches!(
            name.rsplit_once('.').map(|(_, ending)| ending),
            Some("md" | "txt" | "toml" | "yml" | "yaml")
        );
        let calls = plays && content::text(path, TEXT).is_ok_and(|text| calls_builtin(&text));
        calls.then(|| format!("{name} runs a builtin bot of the arena"))
    })
}

/// Whether a text has the command of a builtin bot in it, as a shell or a list of words would write it.
fn calls_builtin(text: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let words: Vec<&str> = text.split(|c| !is_of_word(c)).filter(|word| !word.is_empty()).collect();
    let names = leyden_sample_bots::names();
    words.windows(3).any(|three| matches!(three, ["leyden", "bot", name] if names.contains(name)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use crate::roster::{find, find_handed_in};

    #[test]
    fn builtins_and_program_copies_are_refused_by_content() {
        let temporary = tempfile::tempdir().unwrap();
        let entry = |name: &str, command: &str, file: Option<(&str, &[u8])>| {
            let folder = temporary.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("bot.toml"), format!("name = {name:?}\ncommand = {command}\n")).unwrap();
            if let Some((file, text)) = file {
                fs::write(folder.join(file), text).unwrap();
            }
        };
        // This test contains the library, as the program does.
        let program = fs::read(std::env::current_exe().unwrap()).unwrap();
        let packed = |mut to: flate2::write::GzEncoder<Vec<u8>>| {
            to.write_all(&program).unwrap();
            to.finish().unwrap()
        };
        let level = flate2::Compression::new(1);
        let zipped =
            packed(flate2::write::GzEncoder::new(b"#!/bin/sh\ntail -n +3 $0 | zcat\n".to_vec(), level));
        entry("appended", "[\"./bot.sh\"]", Some(("bot.sh", &zipped)));
        entry("builtin", "[\"leyden\", \"bot\", \"careful\"]", None);
        entry("in-a-shell", "[\"sh\", \"-c\", \"exec leyden bot careful\"]", None);
        entry("copied", "[\"./strong-bot\", \"play\"]", Some(("strong-bot", &program)));
        entry(
            "called",
            "[\"python3\", \"bot.py\"]",
            Some(("bot.py", b"os.execvp('leyden', ['leyden', 'bot', 'strong'])")),
        );
        entry("fair", "[\"python3\", \"bot.py\"]", Some(("bot.py", b"import leyden\nleyden.play(bot)")));
        entry("praised", "[\"python3\", \"bot.py\"]", Some(("README.md", b"Beats `leyden bot careful`.")));
        let typed = [temporary.path().display().to_string()];
        let mut found = find(&typed, Path::new("/leyden")).unwrap();
        assert_eq!(found.bots.len(), 7);
        found.refuse_builtins(Path::new("/leyden"));
        let names: Vec<&str> = found.bots.iter().map(|bot| bot.name.as_str()).collect();
        assert_eq!(names, ["fair", "praised"]);
        let reasons: Vec<String> = found.left_out.iter().map(ToString::to_string).collect();
        assert!(
            reasons.iter().any(|reason| reason.contains("strong-bot is a copy of the arena's program")),
            "{reasons:?}"
        );
        assert!(reasons.iter().all(|reason| reason.contains("--allow-builtins")), "{reasons:?}");
        // What the organiser names is no entry.
        let mut found = find_handed_in(&["builtin:careful".to_owned()], Path::new("/leyden")).unwrap();
        found.refuse_builtins(Path::new("/leyden"));
        assert_eq!(found.bots.len(), 1);
    }
}
