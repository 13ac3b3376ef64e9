//! How a resumed tournament would differ from the one in its file, and what can be done about it.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use serde::Serialize;

use leyden_model::BotEntry;

use crate::roster::{self, Files};

/// One difference between a resumed tournament and the one in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanDifference {
    pub field: String,
    pub file: String,
    pub now: String,
    /// The bot's files that were modified last, latest first, if its files are what differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub latest: Vec<String>,
    /// The bot's files that have changed, if known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
}

impl PlanDifference {
    pub(super) fn new(field: &impl ToString, file: &impl ToString, now: &impl ToString) -> Self {
        let [field, file, now] = [field.to_string(), file.to_string(), now.to_string()];
        Self { field, file, now, latest: Vec::new(), changed: Vec::new() }
    }

    /// A difference between what a bot was made of and what it is made of now, with the changed files if known.
    pub(super) fn of_content((was, now): (&BotEntry, &BotEntry), [then, today]: &[Files; 2]) -> Self {
        let changed = if then.is_empty() || today.is_empty() { Vec::new() } else { changed(then, today) };
        let folder = now.folder.as_deref().filter(|_| changed.is_empty());
        let latest = folder.map(|folder| roster::latest(Path::new(folder), LATEST)).unwrap_or_default();
        // A bot from git differs in its revision.
        let at = |bot: &BotEntry| match bot.folder.as_deref().filter(|_| bot.is_from_git()) {
            Some(place) => format!("{}{PLACE}{place}", bot.hash),
            None => bot.hash.clone(),
        };
        Self { latest, changed, ..Self::new(&format!("{CONTENT}{}", was.name), &at(was), &at(now)) }
    }
}

/// The files that have changed.
fn changed(then: &Files, today: &Files) -> Vec<String> {
    let names: BTreeSet<&String> = then.keys().chain(today.keys()).collect();
    let told = |name: &String| match (then.get(name), today.get(name)) {
        (Some(one), Some(other)) if one == other => None,
        (Some(_), Some(_)) => Some(name.clone()),
        (Some(_), None) => Some(format!("{name} (gone)")),
        (None, _) => Some(format!("{name} (new)")),
    };
    names.into_iter().filter_map(told).collect()
}

/// The field that differs if one is a gate and the other is not.
pub(super) const KIND: &str = "kind";

/// A difference between a gate and something that is not a gate.
pub(super) fn of_kind(file_is_gate: bool, now_is_gate: bool) -> Option<PlanDifference> {
    let kind = |is_gate| {
        if is_gate {
            "a gate (leyden gate)"
        } else {
            "a tournament or match (leyden tournament, leyden match)"
        }
    };
    (file_is_gate != now_is_gate).then(|| PlanDifference::new(&KIND, &kind(file_is_gate), &kind(now_is_gate)))
}

/// The prefix of a difference in who plays.
pub(super) const BOT: &str = "bot ";

/// Between what has changed and the bot in which it has.
pub(super) const OF: &str = " of ";

/// The prefix of a difference in what a bot is made of.
const CONTENT: &str = "content of ";

/// How many files of a changed bot are named: those written last, or those known to have changed.
const LATEST: usize = 1;
const CHANGED: usize = 10;

/// The digits of a hash that are shown.
fn short(hash: &str) -> String {
    let (hash, place) = hash.split_once(PLACE).map_or((hash, None), |(hash, place)| (hash, Some(place)));
    let hash: String = hash.chars().take(12).collect();
    format!("{hash}…{}", place.map_or_else(String::new, |place| format!("{PLACE}{place}")))
}

/// Between a hash and the git source of the bot.
const PLACE: &str = ", ";

/// What to do if a gate cannot be resumed as it is.
pub(super) const START_NEW_GATE: &str = "\nA gate compares two versions as they were when it began. To judge them as they \
    are now, start a new one: \
    the same command without --resume, and with a new file (--results FILE).";

/// What to do if a gate cannot be resumed because its bots have changed.
pub(super) fn how_to_start_again(differences: &[PlanDifference]) -> &'static str {
    let is_of_bots = |one: &PlanDifference| one.field.starts_with(CONTENT) || one.field == ORDER;
    if differences.iter().all(is_of_bots) { START_NEW_GATE } else { "" }
}

/// The field that differs if the new version is named as the old one.
pub(super) const ORDER: &str = "order of the bots";

/// What to do if only bots have changed, in a tournament that is over or not.
pub(super) fn what_to_replace(differences: &[PlanDifference], is_over: bool) -> String {
    let changed = |difference: &PlanDifference| {
        let (what, name) = difference.field.split_once(OF)?;
        ["command", "content"].contains(&what).then(|| name.to_owned())
    };
    let names: Option<BTreeSet<String>> = differences.iter().map(changed).collect();
    let Some(names) = names else { return String::new() };
    if names.is_empty() {
        return String::new();
    }
    let words: Vec<&str> = names.iter().flat_map(|name| ["--replace", name.as_str()]).collect();
    let Ok(words) = shlex::try_join(words) else { return String::new() };
    let known = "\nAll its matches were played and its seed has been revealed since, so a bot can be made to win these very deals.";
    let elsewhere =
        "\nTo play with the bots as they are now: a new tournament, into another file (--results FILE).";
    let (known, seed) = if is_over { (known, ", with --seed and the seed typed") } else { ("", "") };
    let whom = if names.len() == 1 { "a changed bot" } else { "changed bots" };
    format!(
        "{known}{elsewhere}\nTo resume this one and play only the matches of {whom} again: {words}{seed}."
    )
}

/// The fields that differ if another version of the program has begun a file.
pub(super) const EDITION: &str = "edition of the rules";
pub(super) const RECORDS: &str = "version of the records";

/// The differences that rule out resuming a file of another edition of the rules, or with records of another version.
pub(super) fn versions_differ(file: (u32, u32), now: (u32, u32)) -> impl Iterator<Item = PlanDifference> {
    let both = [(EDITION, file.0, now.0), (RECORDS, file.1, now.1)];
    let differing = both.into_iter().filter(|(_, file, now)| file != now);
    differing.map(|(name, file, now)| PlanDifference::new(&name, &file, &now))
}

impl fmt::Display for PlanDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.starts_with(CONTENT) {
            let more = self.changed.len().saturating_sub(CHANGED);
            let which = match (&self.changed[..], &self.latest[..]) {
                ([], []) => String::new(),
                ([], names) => format!("; changed last: {}", names.join(", ")),
                (names, _) if more > 0 => {
                    format!("; changed: {} and {more} more", names[..CHANGED].join(", "))
                }
                (names, _) => format!("; changed: {}", names.join(", ")),
            };
            return write!(
                f,
                "{}: its files are not those that played (SHA-256 {} in the file, now {}){which}",
                self.field,
                short(&self.file),
                short(&self.now)
            );
        }
        write!(f, "{}: in the file {}, now {}", self.field, self.file, self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_changed_are_named_where_it_is_known_what_they_were() {
        let bot = |hash: &str| BotEntry {
            name: "mine".to_owned(),
            command: Vec::new(),
            hash: hash.to_owned(),
            author: None,
            language: None,
            folder: None,
        };
        let files = |files: &[(&str, &str)]| -> Files {
            files.iter().map(|(name, what)| ((*name).to_owned(), (*what).to_owned())).collect()
        };
        let told = |then: &Files, now: &Files| {
            PlanDifference::of_content((&bot("1"), &bot("2")), &[then.clone(), now.clone()]).to_string()
        };
        let then = files(&[("a.py", "1"), ("b.py", "1"), ("c.py", "1")]);
        let now = files(&[("a.py", "2"), ("c.py", "1"), ("d.py", "1")]);
        assert!(
            told(&then, &now).ends_with("; changed: a.py, b.py (gone), d.py (new)"),
            "{}",
            told(&then, &now)
        );
        // Nothing is known about an older file.
        assert!(told(&Files::new(), &now).ends_with("now 2…)"), "{}", told(&Files::new(), &now));
        let many: Vec<String> = (0..12).map(|file| format!("{file:02}")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|file| (file.as_str(), "1")).collect();
        assert!(
            told(&then, &files(&many)).ends_with("09 (new) and 5 more"),
            "{}",
            told(&then, &files(&many))
        );
    }

    #[test]
    fn a_gate_begins_anew_only_where_its_bots_are_others() {
        let content = PlanDifference::new(&format!("{CONTENT}mine"), &"1", &"2");
        let order = PlanDifference::new(&ORDER, &"1", &"2");
        let term = PlanDifference::new(&"elo1", &"20", &"60");
        assert_eq!(how_to_start_again(&[content.clone(), order]), START_NEW_GATE);
        assert_eq!(how_to_start_again(&[content, term]), "");
    }

    #[test]
    fn what_is_advised_where_a_bot_has_changed_can_be_done() {
        let changed = |what: &str| PlanDifference::new(&format!("{what}{OF}a bot"), &"1", &"2");
        let other = PlanDifference::new(&"blocks", &"2", &"1");
        let advised = what_to_replace(&[changed("content"), changed("command")], false);
        assert!(advised.ends_with(": --replace 'a bot'."), "{advised}");
        let late = what_to_replace(&[changed("content")], true);
        assert!(late.contains("its seed has been revealed") && late.contains("a new tournament"), "{late}");
        assert!(late.ends_with(": --replace 'a bot', with --seed and the seed typed."), "{late}");
        let hash = |digit: &str| digit.repeat(64);
        let told = PlanDifference::new(&"content of a bot", &hash("a"), &hash("b")).to_string();
        assert!(told.ends_with("(SHA-256 aaaaaaaaaaaa… in the file, now bbbbbbbbbbbb…)"), "{told}");
        for is_over in [false, true] {
            assert_eq!(what_to_replace(&[changed("content"), other.clone()], is_over), "");
            assert_eq!(what_to_replace(&[], is_over), "");
        }
    }
}
