//! Removes where a bot lies on this machine from its output: records and reports are for others, too.

use std::path::Path;

use leyden_host::BotCommand;
use leyden_host::sandbox::system_files;

/// Stands for a folder that contains the bot's own one.
const ABOVE: &str = "…";

/// Folders that every machine has: naming them reveals nothing of this one.
const EVERYWHERE: [&str; 6] = ["/", "/dev", "/etc", "/home", "/proc", "/tmp"];

/// Returns a bot's output without the folder that it lies in (or runs in if it has none) and the folders around that:
/// its own files are named relative to its folder, others after `…`.
pub(super) fn without_folder(said: &str, command: &BotCommand) -> String {
    let here = || std::env::current_dir().ok();
    let Some(folder) = command.folder.clone().or_else(here) else { return said.to_owned() };
    let mut said = said.to_owned();
    for path in folder.ancestors().filter(|path| is_revealing(path)) {
        said = without(&said, path, path == folder);
    }
    said
}

/// Returns a path in the same way.
pub(super) fn shown(path: &Path, command: &BotCommand) -> String {
    without_folder(&path.display().to_string(), command)
}

fn is_revealing(path: &Path) -> bool {
    !EVERYWHERE.iter().any(|known| path == Path::new(known)) && !system_files::is_part(path)
}

/// Returns the text without a path that is the bot's own folder, or one around it. Longer names with the same beginning
/// are kept.
fn without(said: &str, path: &Path, is_own: bool) -> String {
    let path = path.to_string_lossy();
    let mut out = String::new();
    let mut rest = said;
    while let Some(at) = rest.find(&*path) {
        let (before, behind) = (&rest[..at], &rest[at + path.len()..]);
        out += before;
        let is_whole = !out.ends_with(is_of_name) && !goes_on(behind);
        rest = behind;
        if !is_whole {
            out += &path;
        } else if !is_own {
            out += ABOVE;
        } else if let Some(inside) = behind.strip_prefix('/').filter(|inside| inside.starts_with(is_of_name))
        {
            rest = inside;
        } else {
            out.push('.');
        }
    }
    out + rest
}

/// Whether a name continues here. A full stop may end a sentence.
fn goes_on(behind: &str) -> bool {
    let stops = behind.trim_start_matches('.');
    stops.starts_with(|c: char| is_of_name(c) && c != '.')
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "_-.".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(said: &str) -> String {
        let folder = Some("/home/ann/class/bob".into());
        without_folder(
            said,
            &BotCommand {
                program: "python3".into(),
                arguments: Vec::new(),
                folder,
                reads: Vec::new(),
                lists: Vec::new(),
                network: false,
            },
        )
    }

    #[test]
    fn bot_folder_and_its_parents_are_hidden() {
        for (said, expected) in [
            ("File \"/home/ann/class/bob/bot.py\", line 2", "File \"bot.py\", line 2"),
            ("file:///home/ann/class/bob/bot.js:3", "file://bot.js:3"),
            ("I am in /home/ann/class/bob", "I am in ."),
            ("I am in /home/ann/class/bob.", "I am in .."),
            ("cwd='/home/ann/class/bob/'", "cwd='./'"),
            ("/home/ann/class/eve/bot.py", "…/eve/bot.py"),
            ("['/home/ann/class', '/home/ann']", "['…', '…']"),
            ("/home/ann/class/bob2 and /home/ann/class/bob.old/x", "…/bob2 and …/bob.old/x"),
            (
                "/home/anna/x, /home/eve, /tmp/x and /usr/lib/python3",
                "/home/anna/x, /home/eve, /tmp/x and /usr/lib/python3",
            ),
            ("/mnt/home/ann/x", "/mnt/home/ann/x"),
            ("/home/ann/class/bob/.env", ".env"),
        ] {
            assert_eq!(hidden(said), expected, "{said}");
        }
    }
}
