//! Makes the names of bots unique.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use leyden_model::{BotEntry, numbered_name, shared_name};
use unicode_normalization::UnicodeNormalization;

use super::competitor::{Competitor, shown};
use crate::toml_error::closest_name;

/// Says why a word is not a bot, and suggests what may be meant.
pub(super) fn why_unknown(word: &str) -> String {
    let builtin = leyden_sample_bots::names();
    if let Some(meant) = closest_name(word, builtin) {
        return format!("there is no such file or folder: did you mean builtin:{meant}?");
    }
    format!(
        "there is no bot {word:?}, and no such file or folder: expected a folder with a bot.toml, an executable \
         file, a quoted command line such as \"python3 bot.py\", or builtin:NAME ({})",
        builtin.join(", ")
    )
}

/// Two bots with the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameName {
    /// The name that both had.
    pub name: String,
    /// The new name of the second one.
    pub called: String,
    /// The paths of the bot that keeps the name and of the renamed one, in this order.
    pub paths: [String; 2],
}

/// Renames the second bot of a name to `name#2`, the third to `name#3`. Names that look the same count as equal. A bot that is in
/// `known` with the same folder keeps the name that it had there.
pub(super) fn tell_apart(found: &mut [Competitor], known: &[BotEntry]) -> Vec<SameName> {
    let kept = kept(found, known);
    let mut taken: HashSet<String> = kept.iter().flatten().map(|name| looks_like(name)).collect();
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut others = Vec::new();
    for (at, kept) in kept.into_iter().enumerate() {
        let name = found[at].name.clone();
        let called = kept.unwrap_or_else(|| {
            let count = counts.entry(looks_like(&name)).or_insert(0);
            free(&name, count, &mut taken)
        });
        if called != name {
            others.push((at, name));
        }
        found[at].name = called;
    }
    let same = |(at, name): (usize, String)| {
        let first = found.iter().find(|bot| looks_like(&bot.name) == looks_like(&name));
        let paths = [first.map(path_of).unwrap_or_default(), path_of(&found[at])];
        SameName { called: found[at].name.clone(), name, paths }
    };
    others.into_iter().map(same).collect()
}

/// Returns for each bot the name that it had in `known` with the same folder, if any.
fn kept(found: &[Competitor], known: &[BotEntry]) -> Vec<Option<String>> {
    let mut left: Vec<&BotEntry> = known.iter().filter(|known| known.folder.is_some()).collect();
    let keeps = |bot: &Competitor| {
        let had = |known: &&BotEntry| {
            let has_name = known.name == bot.name || shared_name(&known.name) == Some(&*bot.name);
            known.folder == bot.handed_in && has_name
        };
        let index = left.iter().position(had)?;
        Some(left.remove(index).name.clone())
    };
    found.iter().map(keeps).collect()
}

/// Returns the first form of a name that is free. `count` is the number of forms tried so far.
fn free(name: &str, count: &mut u32, taken: &mut HashSet<String>) -> String {
    loop {
        *count += 1;
        let called = numbered_name(name, *count);
        if taken.insert(looks_like(&called)) {
            return called;
        }
    }
}

/// Returns where a bot is, as the user knows it: the archive rather than the folder that it was unpacked into.
fn path_of(bot: &Competitor) -> String {
    if let Some(archive) = bot.handed_in.as_ref().filter(|_| bot.unpacked.is_some()) {
        return archive.clone();
    }
    bot.command.folder.as_ref().map_or_else(|| bot.words.join(" "), |folder| shown(folder))
}

/// Names two versions of a bot after the parts in which their folders differ: `mine (new)` and `mine (old)`. Returns whether they
/// differ.
pub(super) fn by_folder(new: &mut Competitor, old: &mut Competitor, name: &str) -> bool {
    let (Some(one), Some(two)) = (&new.command.folder, &old.command.folder) else { return false };
    let parts = |folder: &Path| -> Vec<String> {
        folder.components().rev().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (one, two) = (parts(one), parts(two));
    let Some((one, two)) = one.into_iter().zip(two).find(|(one, two)| one != two) else { return false };
    new.name = format!("{name} ({one})");
    old.name = format!("{name} ({two})");
    true
}

/// Returns a form that is equal for names that look the same: without invisible characters, and in one Unicode normal form.
fn looks_like(name: &str) -> String {
    let is_seen = |c: &char| !matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}');
    name.nfkc().filter(is_seen).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookalike_names_are_recognised() {
        for (one, other) in
            [("Zo\u{eb}", "Zoe\u{308}"), ("ann", "a\u{200b}nn"), ("x", "\u{202e}x"), ("fi", "\u{fb01}")]
        {
            assert_eq!(looks_like(one), looks_like(other));
        }
        assert_ne!(looks_like("ann"), looks_like("Ann"));
    }
}
