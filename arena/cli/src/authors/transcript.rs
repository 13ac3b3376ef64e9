//! `leyden transcript`: the lines that a bot was sent, to send them to a bot again.

use clap::Args;
use leyden_arena::rerun;

use crate::after::match_choice::MatchChoice;
use crate::exit::{Code, CommandError};
use crate::options::QuestionChoice;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden transcript results.db 4f2a --seat 1                      what the bot at seat 1 was sent
  leyden transcript results.db 4f2a --seat 1 | python3 bot.py     … sent to a bot again
  leyden transcript results.db 4f2a --seat 1 --to r3.t12 | tail -1  the question at r3.t12

The lines are derived from the record: bank times and error messages are as precise as it keeps them.";

/// Which lines.
#[derive(Args, Clone, Debug)]
pub(crate) struct Transcript {
    #[command(flatten)]
    which: MatchChoice,
    /// The seat whose lines are printed (counted from 0)
    #[arg(long, value_name = "S")]
    seat: usize,
    /// Only up to this action: its index in the record's `rounds` and in their `actions`, both from 0; or up to the turn with this
    /// id
    #[arg(long, value_name = "rR.tT")]
    to: Option<QuestionChoice>,
}

/// Prints the lines.
pub(crate) fn run(request: &Transcript) -> Result<Code, CommandError> {
    let seat = crate::options::seat_number(request.seat)?;
    let recorded = request.which.find()?;
    let to = request.to.map(|to| to.turn_ref(recorded.record(), &[seat])).transpose()?;
    let lines = rerun::transcript(&recorded, seat, to)?;
    if let Some(to) = to
        && let Some(why) = recorded.why_not_asked(seat, to)?
    {
        crate::out::say(format_args!(
            "{to} is not a question to seat {seat}: {why}. The lines end before it"
        ));
    }
    crate::out::print_sent(&lines)
}
