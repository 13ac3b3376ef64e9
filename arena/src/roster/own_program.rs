//! Recognises an entry that is a builtin bot, or that brings or calls this program: by what its files and its command contain, not
//! by its name. A program that was packed so that its bytes are others is not recognised.

use std::io::Read;
use std::path::Path;

use super::Competitor;
use super::content;

/// A text that this program contains, and no other.
const MARK: &[u8] = b"\xfbthis is the program of the arena: 4f0c29d1a7b85e3692\xfb";

/// The smallest file that may be the program.
const PROGRAM: u64 = 1 << 20;

/// The longest text that is searched for a call.
const TEXT: usize = 256 << 10;

/// How much of a file is searched at once.
const PIECE: usize = 1 << 20;

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
    paths.iter().find_map(|path| {
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        let name = name.replace(leyden_protocol::is_hidden, "\u{fffd}");
        let length = path.metadata().ok()?.len();
        if length >= PROGRAM && contains_mark(path) {
            return Some(format!("{name} is a copy of the arena's program, which contains the builtin bots"));
        }
        let plays = !matches!(
            name.rsplit_once('.').map(|(_, ending)| ending),
            Some("md" | "txt" | "toml" | "yml" | "yaml")
        );
        let calls = plays && content::text(path, TEXT).is_some_and(|text| calls_builtin(&text));
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

/// Whether a file contains this program.
fn contains_mark(path: &Path) -> bool {
    let Some(mut file) = content::open_regular(path).ok().flatten() else { return false };
    let mut piece = Vec::with_capacity(PIECE + MARK.len());
    loop {
        let kept = piece.len().min(MARK.len() - 1);
        piece.drain(..piece.len() - kept);
        match (&mut file).take(PIECE as u64).read_to_end(&mut piece) {
            Ok(0) | Err(_) => return false,
            Ok(_) if has_mark(&piece) => return true,
            Ok(_) => {}
        }
    }
}

fn has_mark(mut bytes: &[u8]) -> bool {
    while let Some(at) = bytes.iter().position(|byte| *byte == MARK[0]) {
        if bytes[at..].starts_with(MARK) {
            return true;
        }
        bytes = &bytes[at + 1..];
    }
    false
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::roster::{find, find_handed_in};

    #[test]
    fn builtins_and_copies_of_the_program_are_refused_by_content() {
        let place = tempfile::tempdir().unwrap();
        let entry = |name: &str, command: &str, file: Option<(&str, &[u8])>| {
            let folder = place.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("bot.toml"), format!("name = {name:?}\ncommand = {command}\n")).unwrap();
            if let Some((file, text)) = file {
                fs::write(folder.join(file), text).unwrap();
            }
        };
        // This test contains the library, as the program does.
        let program = fs::read(std::env::current_exe().unwrap()).unwrap();
        entry("builtin", "[\"leyden\", \"bot\", \"careful\"]", None);
        entry("in-a-shell", "[\"sh\", \"-c\", \"exec leyden bot careful\"]", None);
        entry("copied", "[\"./strong-bot\", \"play\"]", Some(("strong-bot", &program)));
        entry(
            "called",
            "[\"python3\", \"bot.py\"]",
            Some(("bot.py", b"os.execvp('leyden', ['leyden', 'bot', 'strong'])")),
        );
        entry("fair", "[\"python3\", \"bot.py\"]", Some(("bot.py", b"import leyden\nleyden.play(bot)")));
        entry("told", "[\"python3\", \"bot.py\"]", Some(("README.md", b"Beats `leyden bot careful`.")));
        let typed = [place.path().display().to_string()];
        let mut found = find(&typed, Path::new("/leyden")).unwrap();
        assert_eq!(found.bots.len(), 6);
        found.refuse_builtins(Path::new("/leyden"));
        let names: Vec<&str> = found.bots.iter().map(|bot| bot.name.as_str()).collect();
        assert_eq!(names, ["fair", "told"]);
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
