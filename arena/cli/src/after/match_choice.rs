//! Which recorded match is meant, and what the commands that look at one share.

use std::path::{Path, PathBuf};

use clap::Args;
use leyden_arena::record::source::RecordSource;
use leyden_arena::record::store::StoredPlan;
use leyden_arena::report::typed;
use leyden_arena::rerun::{MatchEnvironment, Participant, RecordedMatch};
use leyden_arena::roster::Sharing;
use leyden_model::{BotEntry, MatchRecord};
use leyden_protocol::Seat;

use crate::after::records;
use crate::exit::CommandError;

/// A match as it is typed.
#[derive(Args, Clone, Debug)]
pub(crate) struct MatchChoice {
    /// A results file, or an export (JSON Lines); `-` reads an export from standard input
    pub(crate) file: PathBuf,
    /// The id of a match, or the beginning of it (`leyden matches FILE` lists them)
    #[arg(value_name = "MATCH")]
    pub(crate) id: String,
}

impl MatchChoice {
    /// Returns the match, with what its results file says about how it was played.
    pub(crate) fn find(&self) -> Result<RecordedMatch, CommandError> {
        Ok(self.find_with_environment()?.0)
    }

    /// Does the same, and adds where it was played, if the file says so.
    pub(crate) fn find_with_environment(&self) -> Result<(RecordedMatch, MatchEnvironment), CommandError> {
        let source = RecordSource::open(&self.file)?;
        let stored_plan = match &source {
            RecordSource::Results(results) => Some(results.stored_plan().clone()),
            RecordSource::Export(_) => None,
        };
        let record = records::find(source, Some(&self.id))?;
        let environment = environment(&self.file, stored_plan.as_ref(), &record);
        Ok((
            RecordedMatch::new(record, stored_plan.as_ref().map(|stored_plan| &stored_plan.settings)),
            environment,
        ))
    }
}

/// Returns where a match was played, if its file says so.
pub(crate) fn environment(
    file: &Path,
    stored_plan: Option<&StoredPlan>,
    record: &MatchRecord,
) -> MatchEnvironment {
    let Some(stored_plan) = stored_plan else {
        // In an export, a bot typed as a command line has that as its name.
        let of_name =
            |name: &String| Participant { name: name.clone(), typed: Some(name.clone()), hash: None };
        let bots = record.bots.as_slice().iter().map(of_name).collect();
        return MatchEnvironment { bots, ..MatchEnvironment::default() };
    };
    let participant = |bot: &BotEntry| Participant {
        name: bot.name.clone(),
        typed: typed(bot),
        hash: Some(bot.hash.clone()),
    };
    MatchEnvironment {
        level: Some(stored_plan.settings.sandbox),
        memory: stored_plan.settings.memory,
        bots: stored_plan.bots_from_here().iter().map(participant).collect(),
        results: file.canonicalize().ok(),
        sharing: if stored_plan.gate.is_some() { Sharing::Anybody } else { Sharing::SameFiles },
    }
}

/// Returns the seat that was typed; otherwise that of the bot of this name, or else the first.
pub(crate) fn seat_of(typed: Option<usize>, record: &MatchRecord, name: &str) -> Result<Seat, CommandError> {
    if let Some(seat) = typed {
        return crate::options::seat_number(seat);
    }
    let of_name = record.bots.seats().iter().find(|&seat| record.bots[seat] == name);
    Ok(of_name.unwrap_or(Seat::FIRST))
}
