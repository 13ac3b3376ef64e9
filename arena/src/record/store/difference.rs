//! How a resumed tournament would differ from the one in its file, and what can be done about it.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use leyden_model::BotEntry;
use leyden_model::words::plural;

use crate::roster::{self, Files};

/// In what a resumed tournament differs from the one in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanPart {
    /// One is a gate and the other is not.
    Kind,
    Format,
    Seed,
    Blocks,
    /// The numbers of bots and blocks of a format that cannot grow.
    Size,
    /// A setting, or a term of a gate.
    Option(String),
    /// Another version of the program has begun the file.
    Edition,
    Records,
    /// The new version of a gate is named as the old one.
    Order,
    /// A bot is missing, or joins while one is missing.
    Bot(String),
    /// Another bot has this number, counted from 1.
    Number(usize),
    Command(String),
    /// What a bot is made of.
    Content(String),
}

impl fmt::Display for PlanPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind => f.write_str("kind"),
            Self::Format => f.write_str("format"),
            Self::Seed => f.write_str("seed"),
            Self::Blocks => f.write_str("blocks"),
            Self::Size => f.write_str("size"),
            Self::Option(name) => f.write_str(name),
            Self::Edition => f.write_str("edition of the rules"),
            Self::Records => f.write_str("version of the records"),
            Self::Order => f.write_str("order of the bots"),
            Self::Bot(name) => write!(f, "bot {name}"),
            Self::Number(number) => write!(f, "bot {number}"),
            Self::Command(bot) => write!(f, "command of {bot}"),
            Self::Content(bot) => write!(f, "content of {bot}"),
        }
    }
}

/// One difference between a resumed tournament and the one in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanDifference {
    pub what: PlanPart,
    /// What the file has, in words.
    pub file: String,
    /// What the resumed tournament has, in words.
    pub now: String,
    /// The bot's files that were modified last, latest first, if its files are what differs.
    pub latest: Vec<String>,
    /// The bot's files that have changed, if known.
    pub changed: Vec<String>,
}

impl PlanDifference {
    pub(super) fn new(what: PlanPart, file: &impl ToString, now: &impl ToString) -> Self {
        let [file, now] = [file.to_string(), now.to_string()];
        Self { what, file, now, latest: Vec::new(), changed: Vec::new() }
    }

    /// A difference between what a bot was made of and what it is made of now, with the changed files if known.
    pub(super) fn for_content((was, now): (&BotEntry, &BotEntry), [then, today]: &[Files; 2]) -> Self {
        let changed = if then.is_empty() || today.is_empty() { Vec::new() } else { changed(then, today) };
        let folder = now.folder.as_deref().filter(|_| changed.is_empty());
        let latest = folder.map(|folder| roster::latest(Path::new(folder), LATEST)).unwrap_or_default();
        // A bot from git differs in its revision.
        let at = |bot: &BotEntry| {
            let hash: String = bot.hash.chars().take(DIGITS).collect();
            let source = bot.folder.as_deref().filter(|_| bot.is_from_git());
            format!("{hash}…{}", source.map_or_else(String::new, |source| format!(", {source}")))
        };
        Self { latest, changed, ..Self::new(PlanPart::Content(was.name.clone()), &at(was), &at(now)) }
    }
}

/// The files that have changed.
fn changed(then: &Files, today: &Files) -> Vec<String> {
    let names: BTreeSet<&String> = then.keys().chain(today.keys()).collect();
    let change = |name: &String| match (then.get(name), today.get(name)) {
        (Some(one), Some(other)) if one == other => None,
        (Some(_), Some(_)) => Some(name.clone()),
        (Some(_), None) => Some(format!("{name} (gone)")),
        (None, _) => Some(format!("{name} (new)")),
    };
    names.into_iter().filter_map(change).collect()
}

/// A difference between a gate and something that is not a gate.
pub(super) fn for_kind(file_is_gate: bool, now_is_gate: bool) -> Option<PlanDifference> {
    let kind = |is_gate| {
        if is_gate {
            "a gate (leyden gate)"
        } else {
            "a tournament or match (leyden tournament, leyden match)"
        }
    };
    (file_is_gate != now_is_gate)
        .then(|| PlanDifference::new(PlanPart::Kind, &kind(file_is_gate), &kind(now_is_gate)))
}

/// How many files of a changed bot are named: those written last, or those known to have changed.
const LATEST: usize = 1;
const CHANGED: usize = 10;

/// How many digits of a hash are shown.
const DIGITS: usize = 12;

/// What to do about differences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    None,
    /// Only the bots of a gate have changed: it cannot be resumed as it is.
    StartNewGate,
    /// Only these bots have changed, in a tournament whose seed has been revealed or not.
    Replace {
        bots: BTreeSet<String>,
        is_seed_known: bool,
    },
}

/// What to do if a gate cannot be resumed.
pub(super) fn for_gate(differences: &[PlanDifference]) -> Advice {
    let is_of_bots = |one: &PlanDifference| matches!(one.what, PlanPart::Content(_) | PlanPart::Order);
    if differences.iter().all(is_of_bots) { Advice::StartNewGate } else { Advice::None }
}

/// What to do if a tournament cannot be resumed, which is over or not.
pub(super) fn for_tournament(differences: &[PlanDifference], is_over: bool) -> Advice {
    let changed = |difference: &PlanDifference| match &difference.what {
        PlanPart::Command(bot) | PlanPart::Content(bot) => Some(bot.clone()),
        PlanPart::Kind
        | PlanPart::Format
        | PlanPart::Seed
        | PlanPart::Blocks
        | PlanPart::Size
        | PlanPart::Option(_)
        | PlanPart::Edition
        | PlanPart::Records
        | PlanPart::Order
        | PlanPart::Bot(_)
        | PlanPart::Number(_) => None,
    };
    match differences.iter().map(changed).collect::<Option<BTreeSet<String>>>() {
        Some(bots) if !bots.is_empty() => Advice::Replace { bots, is_seed_known: is_over },
        _ => Advice::None,
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bots, is_seed_known) = match self {
            Self::None => return Ok(()),
            Self::StartNewGate => {
                return f.write_str(
                    "\nA gate compares two versions as they were when it began. To judge them as they are now, start a new one: \
                     the same command without --resume, and with a new file (--results FILE).",
                );
            }
            Self::Replace { bots, is_seed_known } => (bots, *is_seed_known),
        };
        let words = bots.iter().flat_map(|name| ["--replace", name.as_str()]);
        let Ok(words) = shlex::try_join(words) else { return Ok(()) };
        let (known, seed) = if is_seed_known {
            (
                "\nAll its matches were played and its seed has been revealed since, so a bot can be made to win these very deals.",
                ", with --seed and the seed typed",
            )
        } else {
            ("", "")
        };
        let whom = plural(bots.len(), "a changed bot", "changed bots");
        write!(
            f,
            "{known}\nTo play with the bots as they are now: a new tournament, into another file (--results FILE).\n\
             To resume this one and play only the matches of {whom} again: {words}{seed}."
        )
    }
}

/// The differences that rule out resuming a file of another edition of the rules, or with records of another version.
pub(super) fn versions_differ(file: (u32, u32), now: (u32, u32)) -> impl Iterator<Item = PlanDifference> {
    let both = [(PlanPart::Edition, file.0, now.0), (PlanPart::Records, file.1, now.1)];
    let differing = both.into_iter().filter(|(_, file, now)| file != now);
    differing.map(|(what, file, now)| PlanDifference::new(what, &file, &now))
}

impl fmt::Display for PlanDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let PlanPart::Content(_) = self.what {
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
                self.what, self.file, self.now
            );
        }
        write!(f, "{}: in the file {}, now {}", self.what, self.file, self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_files_of_a_bot_are_named() {
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
        let change = |then: &Files, now: &Files| {
            PlanDifference::for_content((&bot("1"), &bot("2")), &[then.clone(), now.clone()]).to_string()
        };
        let then = files(&[("a.py", "1"), ("b.py", "1"), ("c.py", "1")]);
        let now = files(&[("a.py", "2"), ("c.py", "1"), ("d.py", "1")]);
        assert!(
            change(&then, &now).ends_with("; changed: a.py, b.py (gone), d.py (new)"),
            "{}",
            change(&then, &now)
        );
        // Nothing is known about an older file.
        assert!(change(&Files::new(), &now).ends_with("now 2…)"), "{}", change(&Files::new(), &now));
        let many: Vec<String> = (0..12).map(|file| format!("{file:02}")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|file| (file.as_str(), "1")).collect();
        assert!(
            change(&then, &files(&many)).ends_with("09 (new) and 5 more"),
            "{}",
            change(&then, &files(&many))
        );
    }

    fn differs(what: PlanPart) -> PlanDifference {
        PlanDifference::new(what, &"1", &"2")
    }

    #[test]
    fn gate_begins_anew_only_if_bots_changed() {
        let content = differs(PlanPart::Content("mine".to_owned()));
        let term = differs(PlanPart::Option("elo1".to_owned()));
        assert_eq!(for_gate(&[content.clone(), differs(PlanPart::Order)]), Advice::StartNewGate);
        assert_eq!(for_gate(&[content, term]), Advice::None);
    }

    #[test]
    fn advice_on_changed_bots_can_be_typed() {
        let bot = || "a bot".to_owned();
        let (content, command) = (differs(PlanPart::Content(bot())), differs(PlanPart::Command(bot())));
        let advice = for_tournament(&[content.clone(), command], false).to_string();
        assert!(advice.ends_with(": --replace 'a bot'."), "{advice}");
        let late = for_tournament(std::slice::from_ref(&content), true).to_string();
        assert!(late.contains("its seed has been revealed") && late.contains("a new tournament"), "{late}");
        assert!(late.ends_with(": --replace 'a bot', with --seed and the seed typed."), "{late}");
        for is_over in [false, true] {
            assert_eq!(for_tournament(&[content.clone(), differs(PlanPart::Blocks)], is_over), Advice::None);
            assert_eq!(for_tournament(&[], is_over), Advice::None);
        }
    }
}
