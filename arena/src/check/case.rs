//! A case: one question to a bot, with the lines before it and the expected answers. Checks show cases to bots, and
//! authors keep their own in the bot's folder.
//!
//! A case holds only lines that a bot may be sent, so it contains nothing that the seat could not know.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use leyden_model::{Deviation, RecordRules, TurnRef};
use leyden_protocol::{Action, Seat, ToBot, Turn};
use leyden_rules::Rules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::rerun::{RecordedMatch, RerunError, transcript};
use crate::roster::is_plain_name;

/// The prefix of the names of findings about cases.
pub(super) const CASE: &str = "case-";

/// The name of the folder of cases inside a bot's folder.
pub(super) const FOLDER: &str = "cases";

/// The longest case file, in bytes, and the most cases in a folder: far more than anybody writes, and still quick to read.
const LONGEST: u64 = 1 << 20;
const MOST: usize = 1_000;

/// The version of the case file format. Version 1 had the name `told` for `preceding`, and is still read.
const VERSION: u32 = 2;

/// A question to a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub name: String,
    pub rules: Rules,
    /// The lines before the question, from `match_start` on; none of them is answered.
    pub(super) preceding: Vec<String>,
    /// The question.
    pub(super) turn: String,
    pub expected: GoodAnswers,
}

/// Which answers are accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoodAnswers {
    /// Any legal action.
    Legal,
    OneOf(Vec<Action>),
    NoneOf(Vec<Action>),
}

/// A case as it is stored in a file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A case: a question to a bot, and the answers that pass")]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// The version of this format: 2.
    pub v: u32,
    /// Where the case comes from, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from: String,
    pub rules: RecordRules,
    /// The lines that the bot is sent before the question.
    #[serde(alias = "told")]
    pub preceding: Vec<Value>,
    /// The question, a line of type `turn`.
    pub turn: Value,
    /// The answer must be one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Action>,
    /// The answer must be none of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<Action>,
}

/// Why a case in a bot's folder cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    #[error("{path}: {what}: correct it, or delete it and write it again with leyden pin", path = .path.display())]
    Invalid { path: PathBuf, what: String },
    #[error("cannot read {path}: {source}", path = .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

impl CaseError {
    /// Replaces the path inside a copied folder, which the user has never seen, with the path where the bot was named.
    #[must_use]
    pub(super) fn named(mut self, folder: &Path, path: &str) -> Self {
        let (Self::Invalid { path: shown, .. } | Self::Unreadable { path: shown, .. }) = &mut self;
        if let Ok(inside) = shown.strip_prefix(folder) {
            *shown = Path::new(path).join(inside);
        }
        self
    }
}

/// Why no case was written.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    #[error(transparent)]
    Rerun(#[from] RerunError),
    #[error("{turn_ref} is not a question that can be pinned: {why}")]
    NoQuestion { turn_ref: TurnRef, why: String },
    #[error("{turn_ref} was not a question to this bot: {why}")]
    Anothers { turn_ref: TurnRef, why: String },
    #[error("{action} is not legal there; the legal actions are {}", list(.legal))]
    NotLegal { action: Action, legal: Vec<Action> },
    #[error("every legal action is listed as one the bot must never play: no answer is left")]
    NothingLeft,
    #[error(
        "{0:?} cannot be the name of a case: expected letters, digits, - and _, not case- at the start; choose another (--name)"
    )]
    Name(String),
    #[error("{path} is a link to another folder: cases are only written into the bot's own folder", path = .0.display())]
    Link(PathBuf),
    #[error("the case {path} already exists: give this one another name (--name)", path = .0.display())]
    Exists(PathBuf),
    #[error("cannot write {path}: {source}", path = .path.display())]
    Write { path: PathBuf, source: io::Error },
}

fn list(actions: &[Action]) -> String {
    actions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

impl Case {
    pub(super) fn turn(&self) -> Result<Turn<'_>, serde_json::Error> {
        match serde_json::from_str(&self.turn)? {
            ToBot::Turn(turn) => Ok(turn),
            _ => Err(serde::de::Error::custom("expected a line of type turn as the question")),
        }
    }

    pub(super) fn preceding(&self) -> Result<Vec<ToBot<'_>>, serde_json::Error> {
        self.preceding.iter().map(|line| serde_json::from_str(line)).collect()
    }

    /// Checks whether an answer is a good one; the error says what was expected.
    pub(super) fn check(&self, got: Action) -> Result<(), Deviation> {
        match &self.expected {
            GoodAnswers::OneOf(good) if !good.contains(&got) => {
                Err(Deviation::NotGood { good: good.clone(), got })
            }
            GoodAnswers::NoneOf(bad) if bad.contains(&got) => Err(Deviation::Bad { bad: bad.clone(), got }),
            GoodAnswers::Legal | GoodAnswers::OneOf(_) | GoodAnswers::NoneOf(_) => Ok(()),
        }
    }

    fn from_file(name: String, file: &CaseFile) -> Result<Self, String> {
        if !(1..=VERSION).contains(&file.v) {
            return Err(format!("it has version {}, this leyden reads versions up to {VERSION}", file.v));
        }
        let rules = file.rules.rules().map_err(|error| error.to_string())?;
        let expected = match (&file.expect[..], &file.never[..]) {
            ([], []) => GoodAnswers::Legal,
            (expect, []) => GoodAnswers::OneOf(expect.to_vec()),
            ([], never) => GoodAnswers::NoneOf(never.to_vec()),
            _ => return Err("it has both expect and never: keep one of them".to_owned()),
        };
        let preceding = file.preceding.iter().map(Value::to_string).collect();
        let case = Self { name, rules, preceding, turn: file.turn.to_string(), expected };
        let turn = case.turn().map_err(|error| format!("the field turn: {error}"))?;
        if turn.legal.len() < 2 || turn.counts.seats() != rules.seats || turn.rules != rules.name {
            return Err("the turn does not fit the rules beside it".to_owned());
        }
        case.preceding().map_err(|error| format!("the field preceding: {error}"))?;
        Ok(case)
    }
}

/// Reads the cases in a bot's folder, sorted by name; empty if it has no folder of cases.
pub fn cases_of(folder: &Path) -> Result<Vec<Case>, CaseError> {
    let cases = folder.join(FOLDER);
    let bad = |path: &Path, what: String| CaseError::Invalid { path: path.to_owned(), what };
    let unreadable = |path: &Path, source: io::Error| match source.kind() {
        // This is what the bot's folder contains, and no failure of the system.
        io::ErrorKind::NotADirectory | io::ErrorKind::InvalidData => bad(path, source.to_string()),
        _ => CaseError::Unreadable { path: path.to_owned(), source },
    };
    if cases.is_symlink() {
        return Err(bad(&cases, "it is a link: cases are kept in the bot's own folder".to_owned()));
    }
    let entries = match fs::read_dir(&cases) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(&cases, error)),
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    if paths.len() > MOST {
        return Err(bad(&cases, format!("expected at most {MOST} cases, found {}", paths.len())));
    }
    let read = |path: &PathBuf| {
        // A link may lead anywhere, to a file that never ends as well.
        let kind = fs::symlink_metadata(path).map_err(|error| unreadable(path, error))?;
        if !kind.is_file() || kind.len() > LONGEST {
            return Err(bad(path, format!("expected a file of at most {LONGEST} bytes, and no link")));
        }
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
        let file: CaseFile = serde_json::from_str(&text).map_err(|error| bad(path, error.to_string()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Case::from_file(name, &file).map_err(|what| bad(path, what))
    };
    paths.iter().map(read).collect()
}

/// Returns the names of the cases in the old version's folder that the new one lacks, under the same name or any other. A
/// damaged case counts as well.
pub fn missing_cases(old: &Path, new: &Path) -> Vec<String> {
    let files = |folder: &Path| -> Vec<(String, Vec<u8>)> {
        // A link leads to what is not the bot's.
        let cases = Some(folder.join(FOLDER)).filter(|cases| !cases.is_symlink());
        let entries = cases.and_then(|cases| fs::read_dir(cases).ok()).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let cases = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        let is_short = |path: &PathBuf| {
            fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= LONGEST)
        };
        let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let read = |path: PathBuf| (name(&path), fs::read(path).unwrap_or_default());
        let mut files: Vec<_> = cases.filter(is_short).take(MOST).map(read).collect();
        files.sort();
        files
    };
    let there = files(new);
    let is_there = |(name, text): &(String, Vec<u8>)| {
        there.iter().any(|(other, same)| name == other || (text == same && !text.is_empty()))
    };
    files(old).into_iter().filter(|case| !is_there(case)).map(|(name, _)| name).collect()
}

/// Writes the question of a turn of a match as a case into a bot's folder, and returns the path of the file. If `own` is not
/// empty, the question must be one to the bot's own seats, which are these.
pub fn pin(
    recorded: &RecordedMatch,
    (turn_ref, own): (TurnRef, &[Seat]),
    expected: &GoodAnswers,
    folder: &Path,
    name: Option<&str>,
) -> Result<PathBuf, PinError> {
    let record = recorded.record();
    let no_question = |why: String| PinError::NoQuestion { turn_ref, why };
    let position =
        leyden_model::position(record, turn_ref).map_err(|error| no_question(error.to_string()))?;
    let asked = own.first().copied().filter(|_| !own.contains(&position.seat)).unwrap_or(position.seat);
    if let Some(why) = recorded.why_not_asked(asked, turn_ref)? {
        let is_anothers = asked != position.seat;
        return Err(if is_anothers { PinError::Anothers { turn_ref, why } } else { no_question(why) });
    }
    let lines = transcript(recorded, position.seat, Some(turn_ref))?;
    let (preceding, turn) = question(&lines).map_err(|error| no_question(error.to_string()))?;
    let legal: Vec<Action> =
        position.game.round().map(|round| round.legal().iter().collect()).unwrap_or_default();
    let (expect, never) = match expected {
        GoodAnswers::Legal => (Vec::new(), Vec::new()),
        GoodAnswers::OneOf(actions) => (actions.clone(), Vec::new()),
        GoodAnswers::NoneOf(actions) => (Vec::new(), actions.clone()),
    };
    if let Some(&action) = expect.iter().chain(&never).find(|action| !legal.contains(action)) {
        return Err(PinError::NotLegal { action, legal });
    }
    if legal.iter().all(|action| never.contains(action)) {
        return Err(PinError::NothingLeft);
    }
    let from = format!("match {} of tournament {}, {turn_ref}", record.id, record.tournament);
    let file = CaseFile { v: VERSION, from, rules: record.rules, preceding, turn, expect, never };
    let name =
        name.map_or_else(|| format!("{}-{}-{}", record.id, turn_ref.round, turn_ref.action), str::to_owned);
    write(&file, folder, name)
}

/// Writes a case as a new file of a bot's folder.
fn write(file: &CaseFile, folder: &Path, name: String) -> Result<PathBuf, PinError> {
    // The match id comes from a file and may be anything. Findings about a case are called case-NAME.
    if !is_plain_name(&name) || name.starts_with(CASE) {
        return Err(PinError::Name(name));
    }
    let cases = folder.join(FOLDER);
    let path = cases.join(format!("{name}.json"));
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::AlreadyExists => PinError::Exists(path.clone()),
        _ => PinError::Write { path: path.clone(), source },
    };
    match fs::create_dir(&cases) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && cases.is_symlink() => {
            return Err(PinError::Link(cases));
        }
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
        _ => {}
    }
    let text = serde_json::to_string_pretty(file).map_err(|error| failed(error.into()))?;
    let mut new = fs::OpenOptions::new().write(true).create_new(true).open(&path).map_err(failed)?;
    new.write_all((text + "\n").as_bytes()).map_err(failed)?;
    Ok(path)
}

/// Returns the parts of a transcript that belong to its last question: the start of the match, and the question.
fn question(lines: &str) -> Result<(Vec<Value>, Value), serde_json::Error> {
    let of_type = |kind: &str| {
        let head = format!("{{\"type\":\"{kind}\"");
        let line = lines.lines().rev().find(|line| line.starts_with(&head));
        serde_json::from_str::<Value>(line.unwrap_or("null"))
    };
    Ok((vec![of_type("match_start")?], of_type("turn")?))
}
