//! The faults of a run, told to the bots' authors: a few of each bot and kind, each with the command that shows it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use leyden_arena::record::store::Results;
use leyden_model::MatchKey;
use leyden_model::MatchRecord;
use leyden_protocol::{FaultCode, Seat};

use super::grid::plain;
use crate::cli::exit::Stop;

/// How many faults of each bot and kind are named.
const NAMED: usize = 3;

/// The command that shows a fault as the bot at fault saw it, put together here alone. Nothing if no fault ended the
/// match, or if it was lost before anything was dealt: then there is nothing to see.
pub(crate) fn replay_command(file: &Path, record: &MatchRecord) -> Option<String> {
    let seat = record.fault.as_ref()?.seat;
    let round = record.rounds.last()?.round;
    let file = file.to_string_lossy();
    let file = shlex::try_quote(&file).unwrap_or_default();
    Some(format!("leyden replay {file} {} --round {round} --seat {seat}", record.id))
}

/// Faults by bot and kind, each kind with those that come first in the schedule.
#[derive(Default)]
pub(crate) struct Faults {
    kinds: BTreeMap<(String, FaultCode), Kind>,
    /// The results file, if it is kept.
    file: Option<PathBuf>,
}

#[derive(Default)]
struct Kind {
    count: u64,
    /// By rank, the first few.
    first: BTreeMap<u64, Seen>,
}

/// What is to be told of one fault.
struct Seen {
    message: String,
    replay: Option<String>,
}

impl Faults {
    /// None yet, of matches that are kept in this file, if they are.
    pub(crate) fn new(file: Option<&Path>) -> Self {
        Self { kinds: BTreeMap::new(), file: file.map(Path::to_owned) }
    }

    /// The faults of a results file.
    pub(crate) fn of(results: &Results) -> Result<Self, Stop> {
        let mut faults = Self::new(Some(results.path()));
        let schedule = results.setup().schedule().map_err(Stop::usage)?;
        let mut named = Vec::new();
        let mut each = |fixture: MatchKey, seat: Seat, code: FaultCode| {
            let name = &results.setup().bots[fixture.seat(seat).index()].name;
            let kind = faults.kinds.entry((name.clone(), code)).or_default();
            kind.count += 1;
            if kind.count <= NAMED as u64 {
                named.push(fixture);
            }
        };
        results.each_fault(&mut each).map_err(Stop::usage)?;
        for fixture in named {
            if let (Some(rank), Some(record)) =
                (schedule.rank(&fixture), results.record(&fixture).map_err(Stop::usage)?)
            {
                faults.name(rank, &record);
            }
        }
        Ok(faults)
    }

    /// Counts how a match ended.
    pub(crate) fn note(&mut self, rank: u64, record: &MatchRecord) {
        let Some(fault) = &record.fault else { return };
        self.kinds.entry((record.bots[fault.seat].clone(), fault.code)).or_default().count += 1;
        self.name(rank, record);
    }

    /// Keeps what is to be told of a fault that is counted.
    fn name(&mut self, rank: u64, record: &MatchRecord) {
        let Some(fault) = &record.fault else { return };
        let Some(kind) = self.kinds.get_mut(&(record.bots[fault.seat].clone(), fault.code)) else { return };
        if kind.first.len() >= NAMED && kind.first.last_key_value().is_some_and(|(last, _)| *last < rank) {
            return;
        }
        let replay = self.file.as_deref().and_then(|file| replay_command(file, record));
        kind.first.insert(rank, Seen { message: fault.message.clone(), replay });
        if kind.first.len() > NAMED {
            kind.first.pop_last();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// A few sentences for each bot and kind, with the bot they are about: how often, what the first one was, how to see
    /// it.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = (&str, String)> {
        self.kinds.iter().map(|((name, code), kind)| {
            let mut text = format!("{} lost it {}", code.as_str(), matches(kind.count));
            if let Some(seen) = kind.first.values().next() {
                let _ = write!(text, "; first: {}", seen.message); // a String takes all
                if let Some(replay) = &seen.replay {
                    let _ = write!(text, "\nsee it: {replay}");
                }
            }
            (name.as_str(), text)
        })
    }

    /// Everything for authors to read at a terminal, a paragraph for each bot and kind.
    pub(crate) fn told(&self) -> String {
        let mut text = String::new();
        for ((name, code), kind) in &self.kinds {
            let _ = writeln!(text, "\n{} lost {} ({code})", plain(name), matches(kind.count)); // a String takes all
            if let Some(seen) = kind.first.values().next() {
                for line in seen.message.lines() {
                    let _ = writeln!(text, "  {}", plain(line));
                }
            }
            let shown: Vec<&String> = kind.first.values().filter_map(|seen| seen.replay.as_ref()).collect();
            for replay in &shown {
                let _ = writeln!(text, "  see it: {replay}");
            }
            if !shown.is_empty() && kind.count > shown.len() as u64 {
                let _ = writeln!(text, "  and {} more", kind.count - shown.len() as u64);
            }
        }
        text
    }
}

fn matches(count: u64) -> String {
    if count == 1 { "1 match".to_owned() } else { format!("{count} matches") }
}
