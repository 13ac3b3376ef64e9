//! `leyden withdraw`: removes a bot from a tournament.

use std::path::PathBuf;

use clap::Args;
use leyden_arena::record::store::Resumable;

use crate::exit::{Code, CommandError};
use crate::report::grid::plain;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden export cup.db > before.jsonl      keep what was played so far
  leyden withdraw cup.db ann
  leyden tournament --results cup.db --resume                  continue without ann

The bot leaves the results file with all its matches, so that the standings, the report and the records are those of a \
tournament of the others, whose matches and deals stay as they are. Standings, report and verify show from then on that it was \
withdrawn, when, and how many matches were removed; and it does not play if it is named again. Either all named bots are \
withdrawn, or none if one of them cannot be. Also works after the end. A run \
that is still playing must be ended first (Ctrl-C).

A bot leaves a Swiss, the first stage, before its next round: what it played stays. Another joins it then if it is named after \
--resume, behind all others.

A bot that cannot be started is withdrawn by the run itself, and its other matches count as lost: then nothing is removed.";

/// Which bots are withdrawn, and from what.
#[derive(Args, Clone, Debug)]
pub(crate) struct WithdrawOptions {
    /// The results file of a tournament
    file: PathBuf,
    /// The bots: their names, or the folders or archives that they were submitted as
    #[arg(required = true, value_name = "BOT")]
    bots: Vec<String>,
}

/// Withdraws all of them for good, or none.
pub(crate) fn run(wanted: &WithdrawOptions) -> Result<Code, CommandError> {
    for change in Resumable::open(&wanted.file)?.withdraw(&wanted.bots)? {
        crate::out::say(format_args!("{}", plain(&change.to_string())));
    }
    Ok(Code::Done)
}
