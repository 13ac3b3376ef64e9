//! `leyden standings`: what a results file or an export says about its bots, as tables, JSON or CSV.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use leyden_arena::record::source::RecordSource;
use leyden_arena::record::store::Results;
use leyden_arena::report::{
    BotCircumstances, BotOrder, ExportTally, Faults, ReportError, RunningGate, Standings, TournamentTally,
    csv, first_lead, seated_match,
};
use leyden_arena::roster::bot_index;
use leyden_stats::{Entrant, SeatedMatch};

use leyden_protocol::ClockKind;

use crate::after::records::resolve_bot;
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

/// Which standings are printed, and how.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate choice")]
#[derive(Args, Clone, Debug)]
pub(crate) struct StandingsOptions {
    /// A results file, or an export (JSON Lines); `-` reads an export from standard input
    file: PathBuf,
    /// Print one JSON document (`leyden schema standings` describes it)
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values (`--help` lists the columns)
    #[arg(long)]
    csv: bool,
    /// Where does this bot do worse or better than its rating says: against whom, in which seat, with or without the lead? Its
    /// name, or in a results file the folder or archive that it was submitted as. Tables of two only
    #[arg(long, value_name = "BOT", conflicts_with_all = ["csv", "matrix", "pairing"])]
    bot: Option<String>,
    /// With --bot: matches of the same bots in another game, from this file, too; then also in which game it does worse or better. A
    /// rating is the mean of those in the files
    #[arg(long, value_name = "FILE", requires = "bot")]
    also: Vec<PathBuf>,
    /// Shift all ratings so that this bot has this rating; otherwise the mean of the field is 0
    #[arg(long, value_name = "BOT=ELO", allow_hyphen_values = true)]
    anchor: Option<AnchorChoice>,
    /// Every pairing's score and p-value, also with more than 12 bots
    #[arg(long)]
    matrix: bool,
    /// How much duplicate deals helped: ρ and 1/(1+ρ) of every pairing
    #[arg(long)]
    pairing: bool,
}

/// Prints the standings in the form that was asked for.
pub(crate) fn run(request: &StandingsOptions) -> Result<Code, CommandError> {
    let StandingsOptions { file, json, csv: as_csv, bot, also, anchor, matrix, pairing } = request;
    let mut extras = StandingsNotes { matrix: *matrix, pairing: *pairing, turn_ms: None };
    let (mut faults, mut gate) = (Faults::default(), None);
    let mut anchor = anchor.clone();
    let mut standings = match RecordSource::open(file)? {
        RecordSource::Results(opened) => {
            if let Some(AnchorChoice { bot, .. }) = &mut anchor {
                *bot = resolve_bot(bot, &opened.stored_plan().bots)?;
            }
            // At one moment, because all numbers have to agree.
            let read = |results: &Results| -> Result<_, CommandError> {
                let (gate, not_judged) = match RunningGate::stored(results) {
                    Ok(running) => (running.map(|running| running.document(results.stored_plan())), None),
                    Err(ReportError::NotJudged(why)) => (None, Some(why)),
                    Err(why) => return Err(why.into()),
                };
                let seed = match &gate {
                    Some(gate) => gate.seed.clone(),
                    None => revealed_seed(results)?,
                };
                let answer = gate.as_ref().map(|gate| gate.answer);
                let standings = Standings { gate: answer, seed, ..from_results(results, extras)? };
                Ok((standings, Faults::from_results(results)?, gate, not_judged, turn_ms(results)))
            };
            let (standings, not_judged);
            (standings, faults, gate, not_judged, extras.turn_ms) = Results::inspect(opened.path(), read)??;
            if let Some(why) = not_judged {
                crate::out::say(format_args!("{why}"));
            }
            standings
        }
        RecordSource::Export(mut export) => {
            let mut exported = ExportTally::default();
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
        standings.circumstances = circumstances(file, also, bot, &standings)?;
        if !*json {
            return crate::out::print(&text::circumstances(&standings));
        }
    }
    if *json {
        crate::out::print_document(&standings)?;
        return Ok(Code::Done);
    }
    if *as_csv {
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

/// Returns where a bot strays from its rating, from all matches of the file and of others in other games.
fn circumstances(
    file: &Path,
    also: &[PathBuf],
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
        RecordSource::Results(results) => resolve_bot(bot, &results.stored_plan().bots)?,
        RecordSource::Export(_) => {
            let known = names.iter().map(|name| (name.as_str(), None));
            bot_index(bot, known).map(|index| names[index].clone()).map_err(CommandError::usage)?
        }
    };
    let number: BTreeMap<&str, Entrant> = names.iter().map(String::as_str).zip((0..).map(Entrant)).collect();
    let mut matches = Vec::new();
    let mut read = |source: &mut RecordSource, game: u32| -> Result<(), CommandError> {
        for record in source.records() {
            let record = record?;
            let seated = record.bots.as_slice().iter().filter_map(|name| number.get(name.as_str()).copied());
            if let Ok(bots) = <[Entrant; 2]>::try_from(seated.collect::<Vec<_>>()) {
                let seated = seated_match(record.block, bots, record.winner, first_lead(&record));
                matches.push(SeatedMatch { game, ..seated });
            }
        }
        Ok(())
    };
    read(&mut source, 0)?;
    let others = also.iter().map(|file| in_another_game(file, standings));
    let others = others.collect::<Result<Vec<Standings>, CommandError>>()?;
    for (game, file) in (1..).zip(also) {
        read(&mut RecordSource::open(file)?, game)?;
    }
    let all: Vec<&Standings> = [standings].into_iter().chain(&others).collect();
    Ok(Standings::circumstances_in(&all, &bot, &names, &matches))
}

/// Returns the standings of a file, which must be of the same bots in another game.
fn in_another_game(file: &Path, first: &Standings) -> Result<Standings, CommandError> {
    let standings = from_results(&Results::open(file)?, StandingsNotes::default())?;
    let names = |of: &Standings| of.bots.iter().map(|line| line.name.clone()).collect::<BTreeSet<_>>();
    let game = |of: &Standings| (of.rules.name, of.rules.set);
    let what = match names(first).symmetric_difference(&names(&standings)).next() {
        Some(bot) => format!("the same bots; {bot} is not in both"),
        None if game(first) == game(&standings) => "another game; both are the same".to_owned(),
        None => return Ok(standings),
    };
    Err(CommandError::usage(format!("{}: --also expects {what}", file.display())))
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
pub(crate) fn from_results(results: &Results, extras: StandingsNotes) -> Result<Standings, ReportError> {
    Ok(Standings::from_tally(
        &TournamentTally::from_results(results, BotOrder::ByName)?,
        extras.matrix || extras.pairing,
    )?)
}
