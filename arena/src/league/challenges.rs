//! Challenges: at its author's request, the version of a bot that plays meets another one at once, in a pair that counts for nothing.
//!
//! Each has a results file and a seed of its own, `FILE.challenges/NAME/NUMBER.db`: ratings, the choice of meetings and `verify` know
//! nothing of it, and it says nothing about deals of the league. A challenge is noted before it is answered, and one that a kill has
//! cut short is played to its end at the next start.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use leyden_model::words::counted;
use leyden_protocol::FaultCode;
use leyden_stats::Comparison;
use serde::{Deserialize, Serialize};

use super::timestamp;
use super::version::Version;
use crate::record::store;
use crate::whole_file;

/// How often an author may challenge within 24 hours, usually.
pub const CHALLENGES: u32 = 10;
/// How many of an author are kept.
const KEPT: usize = 20;
/// After challenges, the league has this many times as long for itself.
const SHARE: u32 = 4;

const DAY: Duration = Duration::from_hours(24);
const NOTES: &str = "challenges.json";
const VERSION: u32 = 1;

/// A challenge of an author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// Of this author, from 1.
    pub number: u32,
    /// When it was asked for, in RFC 3339.
    pub at: String,
    /// The bot that is challenged.
    pub opponent: String,
    /// The versions that meet, the author's first; those that play when it begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<[String; 2]>,
    /// How far it has come.
    pub outcome: ChallengeState,
    /// When it was over, in RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
}

/// The state of a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ChallengeState {
    /// It will be played.
    Waits,
    Played {
        matches: Vec<ChallengeMatch>,
    },
    Failed {
        why: String,
    },
}

/// A match of a challenge, as its author's bot has fared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeMatch {
    pub id: String,
    pub end: Comparison,
    /// Its own score, and that of the other.
    pub scores: [u32; 2],
    /// The fault that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<ChallengeFault>,
    /// How long the author's bot has thought, in microseconds. That counts to its time of the day; the other's does not, so that nobody
    /// uses up the day of another bot.
    #[serde(default)]
    pub thought_us: u64,
}

/// A fault, and whose it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeFault {
    Own(FaultCode),
    Opponent(FaultCode),
}

impl ChallengeFault {
    /// Returns what the fault was.
    pub fn code(self) -> FaultCode {
        match self {
            Self::Own(code) | Self::Opponent(code) => code,
        }
    }
}

/// Why the league refuses a challenge.
#[derive(Debug, thiserror::Error)]
pub enum ChallengeError {
    #[error("no version of {0} plays")]
    NonePlays(String),
    #[error("no other bot called {0:?} plays: expected one of {known}", known = .1.join(", "))]
    NoOpponent(String, Vec<String>),
    #[error("{0} has used up its time for today: wait until tomorrow (UTC)")]
    Rests(String),
    #[error("your last challenge has not been played yet: wait for it")]
    Waits,
    #[error(
        "{} allowed: wait until one of them is older",
        counted(*.0, "challenge within 24 hours is", "challenges within 24 hours are")
    )]
    TooMany(u32),
    #[error("cannot store the challenge: {0}")]
    Io(#[from] io::Error),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Notes {
    v: u32,
    /// The oldest first.
    all: Vec<Challenge>,
}

/// The challenges of a league. Clones are the same.
#[derive(Clone, Debug)]
pub struct Challenges(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    a_day: u32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    authors: BTreeMap<String, Notes>,
    /// When others may be played.
    rests_until: Option<Instant>,
    is_playing: bool,
    /// How many were over since the league was opened.
    over: u64,
}

impl Challenges {
    /// Opens the challenges of the league with this results file; an author may have `a_day` of them within 24 hours.
    pub(super) fn open(results: &Path, a_day: u32) -> io::Result<Self> {
        let folder = folder_of(results);
        let mut state = State::default();
        for entry in read_if_there(&folder)? {
            let (author, file) = (entry.file_name(), entry.path().join(NOTES));
            let (Some(author), Some(notes)) = (author.to_str(), whole_file::read_json(&file)?) else {
                continue;
            };
            state.authors.insert(author.to_owned(), notes);
        }
        Ok(Self(Arc::new(Inner { folder, a_day, state: Mutex::new(state) })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each change is complete before anything can panic.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the challenges of an author, the latest first.
    pub fn for_author(&self, author: &str) -> Vec<Challenge> {
        let state = self.state();
        state.authors.get(author).map_or_else(Vec::new, |notes| notes.all.iter().rev().cloned().collect())
    }

    /// How many more an author may have now.
    pub fn left(&self, author: &str) -> u32 {
        let young = self.state().authors.get(author).map_or(0, Notes::young);
        self.0.a_day.saturating_sub(young)
    }

    /// The results file of a challenge, if it was played.
    pub fn results(&self, author: &str, number: u32) -> Option<PathBuf> {
        let state = self.state();
        let all = &state.authors.get(author)?.all;
        let is_played = |one: &&Challenge| matches!(one.outcome, ChallengeState::Played { .. });
        let found = all.iter().find(|one| one.number == number).filter(is_played)?;
        Some(self.file(author, found.number))
    }

    pub(super) fn file(&self, author: &str, number: u32) -> PathBuf {
        self.0.folder.join(author).join(format!("{number}.db"))
    }

    /// Notes that an author's bot challenges another one of those that play.
    pub(super) fn ask(
        &self,
        author: &str,
        opponent: &str,
        playing: &BTreeMap<String, Version>,
    ) -> Result<Challenge, ChallengeError> {
        if !playing.contains_key(author) {
            return Err(ChallengeError::NonePlays(author.to_owned()));
        }
        let mut others = playing.keys().filter(|name| *name != author);
        if !others.clone().any(|name| name == opponent) {
            let known = others.by_ref().cloned().collect();
            return Err(ChallengeError::NoOpponent(opponent.to_owned(), known));
        }
        let mut state = self.state();
        let mut notes = state.authors.get(author).cloned().unwrap_or_default();
        if notes.waiting().is_some() {
            return Err(ChallengeError::Waits);
        }
        if notes.young() >= self.0.a_day {
            return Err(ChallengeError::TooMany(self.0.a_day));
        }
        let challenge = Challenge {
            number: notes.all.last().map_or(0, |last| last.number) + 1,
            at: timestamp::now(),
            opponent: opponent.to_owned(),
            versions: None,
            outcome: ChallengeState::Waits,
            over: None,
        };
        notes.all.push(challenge.clone());
        let most = KEPT.max(self.0.a_day as usize);
        let old: Vec<u32> =
            notes.all.drain(..notes.all.len().saturating_sub(most)).map(|one| one.number).collect();
        self.keep(author, &notes)?;
        state.authors.insert(author.to_owned(), notes);
        for number in old {
            let _ = store::remove(&self.file(author, number)); // it is not shown any more
        }
        Ok(challenge)
    }

    fn keep(&self, author: &str, notes: &Notes) -> io::Result<()> {
        let folder = self.0.folder.join(author);
        fs::create_dir_all(&folder)?;
        whole_file::replace_json(&folder.join(NOTES), &Notes { v: VERSION, ..notes.clone() })
    }

    /// Returns the challenges that wait, each with its author; the oldest first, and one of each author.
    pub(super) fn waiting(&self) -> Vec<(String, Challenge)> {
        let state = self.state();
        let waits = |(author, notes): (&String, &Notes)| Some((author.clone(), notes.waiting()?.clone()));
        let mut all: Vec<_> = state.authors.iter().filter_map(waits).collect();
        all.sort_by(|(_, one), (_, other)| one.at.cmp(&other.at));
        all
    }

    pub(super) fn change(&self, author: &str, changed: Challenge) -> io::Result<()> {
        let mut state = self.state();
        state.over += u64::from(changed.over.is_some());
        let Some(notes) = state.authors.get_mut(author) else { return Ok(()) };
        if let Some(one) = notes.all.iter_mut().find(|one| one.number == changed.number) {
            *one = changed;
        }
        self.keep(author, notes)
    }

    /// Whether one waits, and the league has had its time since the last ones.
    pub(super) fn are_due(&self) -> bool {
        let state = self.state();
        let rests = state.rests_until.is_some_and(|until| Instant::now() < until);
        !rests && state.authors.values().any(|notes| notes.waiting().is_some())
    }

    /// How many were over since the league was opened.
    pub(super) fn over(&self) -> u64 {
        self.state().over
    }

    /// How long each author's bot has thought in challenges that were over on this day, such as 2027-01-31, in microseconds.
    pub(super) fn used_on(&self, date: &str) -> BTreeMap<String, u64> {
        let state = self.state();
        let used = |notes: &Notes| notes.all.iter().map(|one| one.used_on(date)).sum();
        state.authors.iter().map(|(author, notes)| (author.clone(), used(notes))).collect()
    }

    pub(super) fn are_played(&self) -> bool {
        self.state().is_playing
    }

    pub(super) fn begin(&self) -> Playing {
        self.state().is_playing = true;
        Playing(self.clone(), Instant::now())
    }
}

/// Challenges are being played since this moment.
pub(super) struct Playing(Challenges, Instant);

impl Drop for Playing {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_playing = false;
        state.rests_until = Some(Instant::now() + SHARE * self.1.elapsed());
    }
}

impl Notes {
    fn waiting(&self) -> Option<&Challenge> {
        self.all.iter().find(|one| one.outcome == ChallengeState::Waits)
    }

    /// How many count against the limit of a day.
    fn young(&self) -> u32 {
        let is_young = |one: &&Challenge| {
            timestamp::is_younger(&one.at, DAY) && !matches!(one.outcome, ChallengeState::Failed { .. })
        };
        self.all.iter().filter(is_young).count() as u32
    }
}

impl Challenge {
    fn used_on(&self, date: &str) -> u64 {
        match &self.outcome {
            ChallengeState::Played { matches }
                if self.over.as_ref().is_some_and(|at| at.starts_with(date)) =>
            {
                matches.iter().map(|one| one.thought_us).sum()
            }
            ChallengeState::Played { .. } | ChallengeState::Waits | ChallengeState::Failed { .. } => 0,
        }
    }

    /// What to say to the author.
    pub fn in_words(&self) -> String {
        match &self.outcome {
            ChallengeState::Waits => "is played as soon as a worker is free".to_owned(),
            ChallengeState::Failed { why } => format!("was not played: {why}"),
            ChallengeState::Played { matches } => {
                let of_each = matches.iter().map(|one| {
                    let end = match one.end {
                        Comparison::Won => "won",
                        Comparison::Drawn => "drawn",
                        Comparison::Lost => "lost",
                    };
                    let [own, other] = one.scores;
                    let fault = one.fault.map(|fault| match fault {
                        ChallengeFault::Own(code) => format!(" ({code}, a fault of yours)"),
                        ChallengeFault::Opponent(code) => format!(" ({code}, a fault of the other)"),
                    });
                    format!("{end} {own} : {other}{}", fault.unwrap_or_default())
                });
                of_each.collect::<Vec<_>>().join("; ")
            }
        }
    }
}

/// The folder beside the results file of a league in which challenges are kept.
pub(super) fn folder_of(results: &Path) -> PathBuf {
    results.with_extension("challenges")
}

fn read_if_there(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries?.collect(),
    }
}
