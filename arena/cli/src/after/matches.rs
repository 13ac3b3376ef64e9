//! `leyden matches`: the matches of a file as a list.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use leyden_arena::narrate::Narrator;
use leyden_arena::record::source::RecordSource;
use leyden_arena::report::column::Column;
use leyden_arena::report::{MatchLine, MatchList, MatchOrder, REPORT_VERSION, sort_matches};
use leyden_arena::roster::bot_index;
use leyden_language::Language;
use leyden_model::words::{counted, millis};
use leyden_protocol::{PerSeat, WinningScore};

use crate::after::records::resolve_bot;
use crate::exit::{Code, CommandError};
use crate::options::value_names;
use crate::report::grid::{grid, or_dash, plain, short};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden matches results.db                          every match, in schedule order
  leyden matches results.db --bot mine --faults      in which mine or its opponent faulted
  leyden matches results.db --bot mine --bot ann     mine against ann
  leyden matches results.db --tag endgame            in which a bot's note has this tag
  leyden matches results.db --sort margin --first 5  the five clearest results
  leyden replay results.db 4f2a                      one of them; the beginning of its id is enough";

/// What is listed.
#[derive(Args, Clone, Debug)]
pub(crate) struct Matches {
    /// A results file, or an export (JSON Lines); `-` reads an export from standard input
    file: PathBuf,
    /// Only matches in which this bot played: its name, or in a results file the folder or archive that it was submitted as. Given
    /// twice, only matches that both played at one table
    #[arg(long, value_name = "BOT")]
    bot: Vec<String>,
    /// Only matches with a fault, including forgiven ones
    #[arg(long)]
    faults: bool,
    /// Only matches in which a bot's note has this tag; with `--bot`, a note of that bot. Given several times, with any of them
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// How to sort
    #[arg(long, value_name = "ORDER", value_parser = value_names::<MatchOrder>(), default_value = "schedule")]
    sort: MatchOrder,
    /// List at most this many
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// Print one JSON document (`leyden schema matches` describes it)
    #[arg(long)]
    json: bool,
}

/// Lists matches.
pub(crate) fn run(request: &Matches) -> Result<Code, CommandError> {
    let mut source = RecordSource::open(&request.file)?;
    let is_export = matches!(source, RecordSource::Export(_));
    let bots = request
        .bot
        .iter()
        .map(|named| named_bot(named, &source))
        .collect::<Result<Vec<String>, CommandError>>()?;
    let mut matches = Vec::new();
    let mut known = BTreeSet::new();
    for record in source.records() {
        let record = record?;
        let better = record.rules.rules().map_or(WinningScore::Lower, |rules| rules.better);
        let line = MatchLine::from_record(&record, better);
        let play = bots.iter().all(|bot| line.bots.as_slice().contains(bot));
        let went_wrong = line.fault.is_some() || line.strikes > 0;
        let is_tagged = line.bots.iter().any(|(seat, bot)| {
            (bots.is_empty() || bots.contains(bot))
                && request.tag.iter().any(|tag| line.tags[seat].contains(tag))
        });
        if play && (went_wrong || !request.faults) && (is_tagged || request.tag.is_empty()) {
            matches.push(line);
        }
        if is_export && !bots.is_empty() {
            known.extend(record.bots.as_slice().iter().cloned());
        }
    }
    for bot in bots.iter().filter(|_| is_export) {
        bot_index(bot, known.iter().map(|name| (name.as_str(), None))).map_err(CommandError::usage)?;
    }
    sort_matches(&mut matches, request.sort);
    matches.truncate(request.first.unwrap_or(usize::MAX));
    if request.json {
        return crate::out::print_document(&MatchList { v: REPORT_VERSION, matches }).map(|()| Code::Done);
    }
    crate::out::print(&matches_text(&matches))
}
/// The name of the bot that is requested. Those of an export are known when all of it is read.
fn named_bot(named: &str, source: &RecordSource) -> Result<String, CommandError> {
    match source {
        RecordSource::Results(_) => resolve_bot(named, &source.bots()),
        RecordSource::Export(_) => Ok(named.to_owned()),
    }
}

fn matches_text(matches: &[MatchLine]) -> String {
    if matches.is_empty() {
        return "no match\n".to_owned();
    }
    let list = |texts: PerSeat<String>| texts.as_slice().join(" : ");
    let columns: [Column<'_, MatchLine>; 9] = [
        Column::words("match", |line: &MatchLine| plain(&line.id)),
        Column::number("block", |line: &MatchLine| line.block.to_string()),
        Column::number("leg", |line: &MatchLine| line.leg.to_string()),
        Column::words("bots by seat", |line: &MatchLine| list(line.bots.map(|bot| short(bot)))),
        Column::words("scores", |line: &MatchLine| list(line.scores.map(ToString::to_string))),
        Column::number("margin", |line: &MatchLine| {
            or_dash(line.fault.is_none().then_some(line.margin), |margin| margin.to_string())
        }),
        Column::number("rounds", |line: &MatchLine| line.rounds.to_string()),
        Column::time("slowest", |line: &MatchLine| {
            millis(line.slowest_us.as_slice().iter().copied().max().unwrap_or_default())
        }),
        Column::words("result", result),
    ];
    grid(&columns, matches)
}

/// How a match ended.
fn result(line: &MatchLine) -> String {
    let narrator = Narrator::new(line.bots.map(|bot| short(bot)), None, Language::English);
    let mut result = match &line.fault {
        Some(fault) => narrator.lost_by_fault(fault.seat, fault.code),
        None => narrator.winner(line.winner, false),
    };
    if let Some(turn_ref) = line.fault.as_ref().and_then(|fault| fault.turn_ref) {
        let _ = write!(result, ", turn {turn_ref}"); // writing to a String cannot fail
    }
    if line.strikes > 0 {
        let _ = write!(result, "; {}", counted(line.strikes, "strike", "strikes"));
    }
    result
}

#[cfg(test)]
mod tests {
    use leyden_arena::report::FaultLine;
    use leyden_model::{FaultDetails, TurnRef};
    use leyden_protocol::{FaultCode, MatchEnding, Seat, Seats};

    use super::*;

    #[test]
    fn result_names_winner_or_fault_with_its_turn() {
        let result_of = |winner, fault, strikes| {
            let bots = PerSeat::from_fn(Seats::TWO, |seat| ["ann", "bob"][seat.index()].to_owned());
            result(&MatchLine {
                id: String::new(),
                block: 0,
                leg: 0,
                scores: bots.map(|_| 0),
                winner,
                end: MatchEnding::Target,
                rounds: 1,
                actions: 1,
                margin: 0,
                slowest_us: bots.map(|_| 0),
                fault,
                strikes,
                tags: bots.map(|_| BTreeSet::new()),
                bots,
            })
        };
        assert_eq!(result_of(Some(Seat::FIRST), None, 1), "ann wins the match; 1 strike");
        assert_eq!(result_of(None, None, 0), "A draw: nobody wins");
        let fault = FaultLine {
            seat: Seat::FIRST,
            code: FaultCode::Timeout,
            turn_ref: Some(TurnRef { round: 1, action: 4 }),
            details: FaultDetails::default(),
        };
        assert_eq!(result_of(None, Some(fault), 0), "ann lost by a fault: timeout, turn r1.t4");
    }
}
