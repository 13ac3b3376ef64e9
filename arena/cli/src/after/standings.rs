//! `leyden standings`: what a results file or an export says about its bots, as tables, JSON or CSV.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use leyden_arena::record::source::RecordSource;
use leyden_arena::record::store::Results;
use leyden_arena::report::{
    BotCircumstances, BotOrder, Exported, Faults, ReportError, RunningGate, Standings, TournamentTally, csv,
    first_lead, seated_match,
};
use leyden_arena::roster::bot_index;
use leyden_stats::Entrant;

use leyden_protocol::ClockKind;

use crate::after::records::meant_of;
use crate::after::verify::{revealed_seed, seed_line};
use crate::exit::{Code, CommandError};
use crate::report::faults;
use crate::report::text;
use crate::report::text::StandingsNotes;

/// A bot that ratings are measured from, as it is typed: `NAME=ELO`.
#[derive(Clone, Debug)]
pub(crate) struct AnchorChoice {
    bot: String,
    elo: f64,
}

impl FromStr for AnchorChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = text.rsplit_once('=').and_then(|(bot, elo)| Some((bot, elo.parse::<f64>().ok()?)));
        match known.filter(|(bot, elo)| !bot.is_empty() && elo.is_finite()) {
            Some((bot, elo)) => Ok(Self { bot: bot.to_owned(), elo }),
            None => Err("expected the name of a bot and its rating, such as random=0".to_owned()),
        }
    }
}

/// Prints the standings in the form that was asked for.
pub(crate) fn run(
    file: &Path,
    json: bool,
    as_csv: bool,
    bot: Option<&str>,
    anchor: Option<&AnchorChoice>,
    mut extras: StandingsNotes,
) -> Result<Code, CommandError> {
    let (mut faults, mut gate) = (Faults::default(), None);
    let mut anchor = anchor.cloned();
    let mut standings = match RecordSource::open(file)? {
        RecordSource::Results(results) => {
            if let Some(AnchorChoice { bot, .. }) = &mut anchor {
                *bot = meant_of(bot, &results.stored_plan().bots)?;
            }
            faults = Faults::from_results(&results)?;
            extras.turn_ms = turn_ms(&results);
            gate = match RunningGate::stored(&results) {
                Ok(trial) => trial.map(|trial| trial.document(results.stored_plan())),
                Err(ReportError::NotJudged(why)) => {
                    crate::out::say(format_args!("{why}"));
                    None
                }
                Err(why) => return Err(why.into()),
            };
            let seed = match &gate {
                Some(gate) => gate.seed.clone(),
                None => revealed_seed(&results)?,
            };
            Standings { gate: gate.as_ref().map(|gate| gate.answer), seed, ..of(&results, extras)? }
        }
        RecordSource::Export(mut export) => {
            let mut exported = Exported::default();
            for record in export.records() {
                exported.add(&record?)?;
            }
            Standings::from_tally(&exported.finish(export.competition())?, extras.matrix || extras.pairing)
                .map_err(ReportError::from)?
        }
    };
    if let Some(AnchorChoice { bot, elo }) = anchor {
        standings.anchor(&bot, elo).map_err(CommandError::usage)?;
    }
    if let Some(bot) = bot {
        standings.circumstances = circumstances(file, bot, &standings)?;
        if !json {
            return crate::out::print(&text::circumstances(&standings));
        }
    }
    if json {
        crate::out::print_document(&standings)?;
        return Ok(Code::Done);
    }
    if as_csv {
        return crate::out::print(&csv::text(&standings));
    }
    let verdict = gate.map_or_else(String::new, |gate| format!("{}\n\n", text::verdict(&gate)));
    let promised = promised(&standings);
    crate::out::print(
        &(verdict
            + &text::standings(&standings, extras)
            + &promised
            + &faults::paragraphs(&faults, Some(file))),
    )
}

/// Returns where a bot strays from its rating, from all matches of the file.
fn circumstances(
    file: &Path,
    bot: &str,
    standings: &Standings,
) -> Result<Option<BotCircumstances>, CommandError> {
    if file == Path::new("-") {
        return Err(CommandError::usage(
            "--bot reads the matches twice: write the export to a file, and name that",
        ));
    }
    let mut source = RecordSource::open(file)?;
    let names: Vec<String> = standings.bots.iter().map(|line| line.name.clone()).collect();
    let bot = match &source {
        RecordSource::Results(results) => meant_of(bot, &results.stored_plan().bots)?,
        RecordSource::Export(_) => {
            let known = names.iter().map(|name| (name.as_str(), None));
            bot_index(bot, known).map(|place| names[place].clone()).map_err(CommandError::usage)?
        }
    };
    let number: BTreeMap<&str, Entrant> = names.iter().map(String::as_str).zip((0..).map(Entrant)).collect();
    let mut matches = Vec::new();
    for record in source.records() {
        let record = record?;
        let seated = record.bots.as_slice().iter().filter_map(|name| number.get(name.as_str()).copied());
        if let Ok(bots) = <[Entrant; 2]>::try_from(seated.collect::<Vec<_>>()) {
            matches.push(seated_match(record.block, bots, record.winner, first_lead(&record)));
        }
    }
    Ok(standings.circumstances_of(&bot, &names, &matches))
}

/// Returns the commitment made before the first deal, and the seed once it has been revealed.
fn promised(standings: &Standings) -> String {
    let Some(commitment) = &standings.commitment else { return String::new() };
    let seed = standings.seed.as_deref().map(seed_line).unwrap_or_default();
    format!("\nseed commitment {commitment}\n{seed}")
}

/// Returns the limit of a decision in a results file, in milliseconds, if it is the only limit of real time.
pub(crate) fn turn_ms(results: &Results) -> Option<u64> {
    let limits = results.stored_plan().settings.limits;
    let is_all = limits.clock == ClockKind::Wall && limits.bank_ms == 0 && limits.increment_ms == 0;
    is_all.then_some(limits.turn_ms)
}

/// Returns the standings of a results file at this moment.
pub(crate) fn of(results: &Results, extras: StandingsNotes) -> Result<Standings, ReportError> {
    Ok(Standings::from_tally(
        &TournamentTally::from_results(results, BotOrder::ByName)?,
        extras.matrix || extras.pairing,
    )?)
}
