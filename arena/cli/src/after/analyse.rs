//! `leyden analyse`: what each decision of recorded matches was worth, and what another bot would have done.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use leyden_arena::analyse::{
    self, AlternativeBot, AnalysedMatch, Analysis, AnalysisCache, Sample, SampleSize, analyse_all,
    ask_alternative,
};
use leyden_arena::record::source::{RecordSource, SourceError};
use leyden_arena::record::store::StoredPlan;
use leyden_arena::rerun::{RecordedMatch, RerunError};
use leyden_arena::roster::bot_index;
use leyden_model::MatchRecord;
use leyden_model::words::counted;
use leyden_protocol::Seat;
use leyden_rules::packed::is_packable;

use crate::after::match_choice::environment;
use crate::after::records::resolve_bot;
use crate::exit::{Code, CommandError};
use crate::options::heading::SANDBOX;
use crate::options::{Shared, Shares};
use crate::report::analysis;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden analyse results.db 4f2a                     a match: what lost it?
  leyden analyse results.db 4f2a --decisions         … every decision with every legal action
  leyden analyse results.db --bot mine               the worst moments of a bot, and of what kind
  leyden analyse results.db --bot mine --as builtin:strong  where would strong play differently?
  leyden analyse results.db --sample 200 --csv > decisions.csv

Values are those of the coach of `leyden play`: the evaluation of the bot strong over deals that fit what the seat had seen. They \
do not depend on the machine. A blunder gave away at least 2 % of the match, even allowing for chance in the estimate; ± is one \
standard error. The figures are kept in FILE.analysis.jsonl, which can be deleted at any time.";

/// The examples, and the columns of `--csv`.
pub(crate) fn long_help() -> String {
    format!("{EXAMPLES}\n\n{}", analyse::csv::COLUMNS)
}

/// How many matches are analysed if nothing else is asked.
const SAMPLE: usize = 24;

/// What is analysed.
#[derive(Args, Clone, Debug)]
pub(crate) struct AnalyseOptions {
    /// A results file, or an export (JSON Lines); `-` reads an export from standard input
    file: PathBuf,
    /// The ids of matches, or the beginnings of them; otherwise a sample of all
    #[arg(value_name = "MATCH")]
    ids: Vec<String>,
    /// Only matches and decisions of this bot: its name, or in a results file the folder or archive that it was submitted as
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,
    /// Ask this bot every question, too: where would it have played differently, and what would that have gained? A folder with a
    /// bot.toml, an executable, a quoted command line, or builtin:NAME. With --bot it is asked in that bot's place, else in every seat's
    #[arg(long = "as", value_name = "BOT")]
    other: Option<String>,
    /// Analyse at most this many matches: a random sample, the same one every time [default: 24]
    #[arg(long, value_name = "N", conflicts_with = "ids", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Show every decision with every legal action
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    decisions: bool,
    /// Print one JSON document (`leyden schema analyse` describes it)
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values: a line for each legal action (`--help` lists the columns)
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    around: Shared<Self>,
}

impl Shares for AnalyseOptions {
    const OPTIONS: &'static [&'static str] = &[SANDBOX];
}

/// Matches to analyse, and where they come from.
struct Chosen {
    records: Vec<MatchRecord>,
    sampled: SampleSize,
    bot: Option<String>,
    stored_plan: Option<StoredPlan>,
}

/// Analyses matches and prints the result in the form that was asked for.
pub(crate) fn run(request: &AnalyseOptions) -> Result<Code, CommandError> {
    let chosen = choose(request)?;
    let settings = chosen.stored_plan.as_ref().map(|stored_plan| &stored_plan.settings);
    let matches: Vec<RecordedMatch> =
        chosen.records.into_iter().map(|record| RecordedMatch::new(record, settings)).collect();
    let mut cache = (request.file != Path::new("-")).then(|| AnalysisCache::for_results(&request.file));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let is_shown = io::stderr().is_terminal() && matches.len() > 1;
    let all = counted(matches.len() as u64, "match", "matches");
    let progress = |done: usize| {
        if is_shown {
            crate::out::overwrite(&format!("analysed {done} of {all}"));
        }
    };
    let analysed = analyse_all(&matches, threads, cache.as_mut(), &progress)?;
    crate::out::clear();
    if let Some(cache) = &cache
        && let Err(error) = cache.keep()
    {
        crate::out::say(format_args!("leyden: not kept in {}: {error}", cache.path().display()));
    }
    let mut analysis = Analysis::new(analysed, chosen.sampled, chosen.bot.as_deref());
    if let Some(other) = &request.other {
        let plan = chosen.stored_plan.as_ref();
        analysis.other = Some(asked(request, other, matches, chosen.bot.as_deref(), plan)?);
    }
    if request.json {
        crate::out::print_document(&analysis)?;
        return Ok(Code::Done);
    }
    crate::out::print(&if request.csv {
        analyse::csv::text(&analysis)
    } else {
        analysis::analysis_text(&analysis, request.decisions)
    })
}

/// Returns what the decisions of a match were worth, from what is kept beside its file or computed and kept now. `None` where that
/// would take too long, if it has not been analysed before.
pub(crate) fn analysed(file: &Path, record: &MatchRecord) -> Option<AnalysedMatch> {
    let recorded = [RecordedMatch::new(record.clone(), None)];
    let mut cache = (file != Path::new("-")).then(|| AnalysisCache::for_results(file));
    let is_quick = record.rules.rules().is_ok_and(|rules| is_packable(&rules));
    if !is_quick {
        return cache?.find(&recorded[0]);
    }
    let analysed = analyse_all(&recorded, 1, cache.as_mut(), &|_| {}).ok()?.pop();
    if let Some(cache) = &cache {
        let _ = cache.keep(); // it is only a cache
    }
    analysed
}

/// Reads the matches that were asked for, or a sample of them.
fn choose(request: &AnalyseOptions) -> Result<Chosen, CommandError> {
    let mut source = RecordSource::open(&request.file)?;
    source.check_edition()?;
    let (stored_plan, bot) = match &source {
        RecordSource::Results(results) => {
            let stored_plan = results.stored_plan().clone();
            let bot = request.bot.as_ref().map(|bot| resolve_bot(bot, &stored_plan.bots)).transpose()?;
            (Some(stored_plan), bot)
        }
        RecordSource::Export(_) => (None, request.bot.clone()),
    };
    let most = request.sample.map_or(SAMPLE, |most| most as usize);
    let mut sample = Sample::new(if request.ids.is_empty() { most } else { usize::MAX });
    let mut missing: Vec<&String> = request.ids.iter().collect();
    let mut names = std::collections::BTreeSet::new();
    for record in source.records() {
        let record = record?;
        let is_named = |id: &String| record.id.starts_with(id.as_str());
        missing.retain(|id| !is_named(id));
        let is_chosen = request.ids.is_empty() || request.ids.iter().any(is_named);
        let plays = bot.as_ref().is_none_or(|bot| record.bots.as_slice().contains(bot));
        if bot.is_some() && stored_plan.is_none() {
            names.extend(record.bots.as_slice().iter().cloned());
        }
        if is_chosen && plays {
            sample.add(record);
        }
    }
    if let Some(id) = missing.first() {
        let (path, id) = (request.file.clone(), Some((*id).clone()));
        return Err(SourceError::NotFound { path, id }.into());
    }
    if let (Some(bot), None) = (&bot, &stored_plan) {
        bot_index(bot, names.iter().map(|name| (name.as_str(), None))).map_err(CommandError::usage)?;
    }
    let (records, sampled) = sample.finish();
    if records.is_empty() {
        return Err(CommandError::usage(format!("{} holds no such match", request.file.display())));
    }
    Ok(Chosen { records, sampled, bot, stored_plan })
}

/// Asks another bot every question of the matches.
fn asked(
    request: &AnalyseOptions,
    typed: &str,
    matches: Vec<RecordedMatch>,
    bot: Option<&str>,
    stored_plan: Option<&StoredPlan>,
) -> Result<AlternativeBot, CommandError> {
    let seats = |recorded: &RecordedMatch| -> Vec<Seat> {
        let seated = recorded.record().bots.iter();
        seated.filter(|(_, name)| bot.is_none_or(|bot| bot == *name)).map(|(seat, _)| seat).collect()
    };
    let matches: Vec<(RecordedMatch, Vec<Seat>)> = matches
        .into_iter()
        .map(|recorded| (seats(&recorded), recorded))
        .map(|(seats, one)| (one, seats))
        .collect();
    let Some((first, seats)) = matches.first() else {
        return Err(CommandError::usage("there is no match to ask it about"));
    };
    let around = environment(&request.file, stored_plan, first.record());
    let seat = seats.first().copied().unwrap_or(Seat::FIRST);
    let (ready, _, unlike) = request.around.given.ready_bot_at(typed, (first, &around), |_| Ok(seat))?;
    for why in &unlike {
        crate::out::say(format_args!("{}: {why}", ready.bot.name));
    }
    let mut launch = |recorded: &RecordedMatch| {
        let record = recorded.record();
        let id = || record.id.clone();
        let rules = record.rules.rules().map_err(|source| RerunError::Rules { id: id(), source })?;
        Ok(ready.launch(rules, *recorded.limits()))
    };
    Ok(ask_alternative(&ready.bot.name, &matches, &mut launch)?)
}
