//! `leyden withdraw`: a bot plays no more in a tournament.

use std::path::PathBuf;

use clap::Args;
use leyden_arena::record::store::Resumable;

use super::exit::{Code, CommandError};
use super::report::grid::plain;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden export cup.db > before.jsonl      keep what was played so far
  leyden withdraw cup.db ann
  leyden tournament --results cup.db --resume                  go on without ann

The bot leaves the results file with all that it has played, so that the standings, the report and the records are those of a \
tournament of the others, whose matches and deals stay as they are. That it was withdrawn, when, and how many matches were taken out \
is told by standings, report and verify from then on; and it does not play if it is named again. Of several bots all are withdrawn, or \
none if one of them cannot be. Works also after the end. A run \
that is still going on has to be ended first (Ctrl-C).

A bot that cannot be started is withdrawn by the run itself, and its other matches count as lost: then nothing is taken out.";

/// Who is withdrawn, and from what.
#[derive(Args, Clone, Debug)]
pub(crate) struct WithdrawOptions {
    /// The results file of a tournament
    file: PathBuf,
    /// The bots: their names, or the folders or archives that they were handed in as
    #[arg(required = true, value_name = "BOT")]
    bots: Vec<String>,
}

/// Withdraws all of them for good, or nobody.
pub(super) fn run(wanted: &WithdrawOptions) -> Result<Code, CommandError> {
    for change in Resumable::open(&wanted.file)?.withdraw(&wanted.bots)? {
        super::say(format_args!("{}", plain(&change.to_string())));
    }
    Ok(Code::Done)
}
