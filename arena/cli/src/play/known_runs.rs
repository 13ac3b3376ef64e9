//! Which tournaments this user has begun here. A results file names programs and a sandbox level: one that comes from somebody
//! else is not resumed before the user has named both.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use leyden_arena::record::store::StoredPlan;
use leyden_arena::report::typed;
use leyden_model::words::counted;
use leyden_model::{BotEntry, SandboxLevel};
use sha2::{Digest, Sha256};

use crate::config;
use crate::exit::CommandError;
use crate::options::TournamentOptions;
use crate::out::quoted;
use crate::report::grid::plain;

/// The file in the folder for our state: a line for each bot of a tournament.
const FILE: &str = "begun";

/// How much of it is read, and when the older half is dropped.
const MOST_BYTES: u64 = 4 << 20;

/// The most bots that a message lists.
const LISTED: usize = 10;

/// Notes that this user begins or resumes a tournament, with what it names. Without a file for that, it has to be named again.
pub(crate) fn note(plan: &StoredPlan) {
    let Some(path) = path() else { return };
    let all = fingerprints(plan);
    if !knows(&path, &all)
        && let Err(error) = append(&path, &all)
    {
        tracing::debug!("{}: {error}", path.display());
    }
}

/// Refuses a tournament of somebody else unless the user has named what it runs.
pub(crate) fn check(given: &TournamentOptions, plan: &StoredPlan, file: &Path) -> Result<(), CommandError> {
    let unnamed = unnamed(plan, given.bots.len());
    let are_named = unnamed.iter().all(is_builtin);
    let level = plan.settings.sandbox;
    let is_level_named = given.sandbox.is_some() || level != SandboxLevel::None;
    if (are_named && is_level_named) || path().is_some_and(|path| knows(&path, &fingerprints(plan))) {
        return Ok(());
    }
    let mut text = format!(
        "{} does not seem to have been started by you on this machine.\n\
         Resuming it would run these bots at sandbox level {level}:",
        quoted(file.as_os_str())
    );
    let concerned = if are_named { &plan.bots } else { unnamed }; // all of them would run at that level
    let bots: Vec<&_> = concerned.iter().filter(|bot| !is_builtin(bot)).collect();
    for bot in bots.iter().take(LISTED) {
        let _ = write!(text, "\n  {}", plain(&typed(bot).unwrap_or_else(|| bot.name.clone()))); // a String takes all
    }
    if bots.len() > LISTED {
        let _ = write!(text, "\n  and {}", counted(bots.len() - LISTED, "other", "others"));
    }
    text += "\nIf you want that, name the bots and --sandbox beside --resume";
    Err(CommandError::usage(text))
}

/// The bots that the file names, if the user has named the first `count`: a gate takes its old version from the file, too, except
/// for a revision of the folder that was named.
fn unnamed(plan: &StoredPlan, count: usize) -> &[BotEntry] {
    match (&plan.gate, &plan.bots[..]) {
        (_, all) if count == 0 => all,
        (Some(_), [_, old]) if count == 1 && !old.is_from_git() => std::slice::from_ref(old),
        _ => &[],
    }
}

/// Whether it is a bot of this program. The name of a folder may look like one.
fn is_builtin(bot: &BotEntry) -> bool {
    bot.folder.is_none() && bot.command.first().is_some_and(|word| word.starts_with("builtin:"))
}

fn path() -> Option<PathBuf> {
    let folder = config::state_folder();
    folder.is_absolute().then(|| folder.join(FILE))
}

/// What a tournament runs: one for each bot, because some may be withdrawn.
fn fingerprints(plan: &StoredPlan) -> Vec<String> {
    plan.bots.iter().map(|bot| fingerprint(&plan.seed, plan.settings.sandbox, bot)).collect()
}

/// A bot, its level, and the seed, which nobody else knows before the tournament's end. Where the bot's folder is does not matter,
/// because its files have to be the same.
fn fingerprint(seed: &str, level: SandboxLevel, bot: &BotEntry) -> String {
    let mut hash = Sha256::new();
    for text in [seed, level.name(), &bot.hash].into_iter().chain(bot.command.iter().map(String::as_str)) {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    }
    HEXLOWER.encode(&hash.finalize())
}

fn knows(path: &Path, all: &[String]) -> bool {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(2 * MOST_BYTES).read_to_string(&mut text));
    let known: HashSet<&str> = text.lines().collect();
    read.is_ok() && all.iter().all(|fingerprint| known.contains(fingerprint.as_str()))
}

fn append(path: &Path, lines: &[String]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    if fs::metadata(path).is_ok_and(|file| file.len() > MOST_BYTES) {
        let text = fs::read_to_string(path)?;
        let later =
            text.get(text.len() / 2..).and_then(|half| Some(half.split_once('\n')?.1)).unwrap_or_default();
        fs::write(path, later)?;
    }
    let mut file = File::options().create(true).append(true).open(path)?;
    file.write_all((lines.join("\n") + "\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(seed: &str, level: SandboxLevel, command: &[&str]) -> [String; 1] {
        let bot = BotEntry {
            name: "a".to_owned(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            hash: "0a".to_owned(),
            author: None,
            language: None,
            folder: None,
        };
        [fingerprint(seed, level, &bot)]
    }

    #[test]
    fn changed_command_is_another_tournament() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/begun");
        let mine = entries("x", SandboxLevel::Jail, &["sh", "-c", "one"]);
        assert!(!knows(&path, &mine));
        append(&path, &mine).unwrap();
        append(&path, &entries("z", SandboxLevel::Jail, &["sh"])).unwrap();
        assert!(knows(&path, &mine));
        for (seed, level, command) in [
            ("y", SandboxLevel::Jail, &["sh", "-c", "one"][..]),
            ("x", SandboxLevel::None, &["sh", "-c", "one"]),
            ("x", SandboxLevel::Jail, &["sh", "-c", "two"]),
            ("x", SandboxLevel::Jail, &["sh", "-c one"]),
        ] {
            assert!(!knows(&path, &entries(seed, level, command)), "{seed} {level} {command:?}");
        }
    }

    #[test]
    fn folder_named_like_a_builtin_is_not_one() {
        let entry = |command: &str, folder: Option<&str>| BotEntry {
            name: "a".to_owned(),
            command: vec![command.to_owned()],
            hash: String::new(),
            author: None,
            language: None,
            folder: folder.map(str::to_owned),
        };
        assert!(is_builtin(&entry("builtin:greedy", None)));
        assert!(!is_builtin(&entry("builtin:greedy", Some("builtin:greedy"))));
        assert!(!is_builtin(&entry("./bot", Some("builtin:greedy"))));
    }

    #[test]
    fn note_does_not_grow_forever() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("begun");
        fs::write(&path, "old\n".repeat(MOST_BYTES as usize / 4 + 1)).unwrap();
        append(&path, &["new".to_owned()]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.len() as u64 <= MOST_BYTES / 2 + 8 && text.ends_with("old\nnew\n"));
    }
}
