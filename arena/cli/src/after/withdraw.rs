//! `leyden withdraw`: removes a bot from a tournament.

use std::path::PathBuf;

use clap::Args;
use leyden_arena::league::{AbsentVersions, versions_of};
use leyden_arena::record::store::{Resumable, StoreError};
use leyden_arena::report::change_in_words;
use leyden_language::Language;

use crate::exit::{Code, CommandError};
use crate::out::quoted;
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
that is still playing must be ended first (Ctrl-C): it can be resumed, and this command prints how if it is needed.

A version of a league leaves in the same way. One that rests for the day, or is \
set aside, has left already, and does not come back.

A bot leaves a Swiss, the first stage, before its next round: what it played stays. Another joins it then if it is named after \
--resume, behind all others.

A run itself no longer starts a bot after three start failures in a row: then its other matches count as lost, and nothing is removed.";

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
pub(crate) fn run(request: &WithdrawOptions) -> Result<Code, CommandError> {
    let in_use = |error| match error {
        StoreError::InUse { holder, .. } => still_playing(request, holder),
        error => error.into(),
    };
    let away = AbsentVersions::open(&request.file).map_err(in_use)?;
    let file = Resumable::open(&request.file).map_err(in_use)?;
    // A version that is away has left the results file, unless that could not do without it.
    let versions = versions_of(file.stored_plan()).unwrap_or_default();
    let has_left = |bot: &str| versions.iter().any(|of| !of.there && of.version.to_string() == bot);
    let (gone, leave): (Vec<String>, Vec<String>) =
        request.bots.iter().cloned().partition(|bot| away.has(bot) && has_left(bot));
    let changes = if leave.is_empty() { Vec::new() } else { file.withdraw(&leave)? };
    away.withdraw(&request.bots).map_err(CommandError::from_system)?;
    for change in changes {
        crate::out::say(format_args!("{}", plain(&change_in_words(&change, Language::English))));
    }
    for bot in gone {
        crate::out::say(format_args!("{} has left before, and does not come back", plain(&bot)));
    }
    Ok(Code::Done)
}

/// Says how to withdraw from a run that is still playing.
fn still_playing(request: &WithdrawOptions, holder: Option<u32>) -> CommandError {
    let file = quoted(request.file.as_os_str());
    let bots: Vec<String> = request.bots.iter().map(|bot| quoted(bot.as_ref())).collect();
    let end = holder.map_or_else(|| "Ctrl-C".to_owned(), |pid| format!("Ctrl-C, or kill -INT {pid}"));
    CommandError::usage(format!(
        "{} is still being played: end that run ({end}), which keeps what was played; then\n  \
         leyden withdraw {file} {}\n  leyden tournament --results {file} --resume",
        request.file.display(),
        bots.join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_that_goes_on_is_ended_first() {
        let request = WithdrawOptions { file: "the cup.db".into(), bots: vec!["ann".into(), "b c".into()] };
        let refusal = still_playing(&request, Some(7)).message;
        for line in [
            "kill -INT 7",
            "\n  leyden withdraw 'the cup.db' ann 'b c'\n",
            " --results 'the cup.db' --resume",
        ] {
            assert!(refusal.contains(line), "{line}: {refusal}");
        }
    }
}
