//! A run that goes on: what is not said again is as its results file has it.

use std::path::Path;
use std::time::Duration;

use leyden_arena::format::Format;
use leyden_arena::record::store::{Results, StoredPlan};
use leyden_arena::report::typed;
use leyden_arena::run::GateTerms;
use leyden_model::FROM_GIT;
use leyden_stats::Hypotheses;

use super::again::resume_command;
use super::exit::CommandError;
use super::options::{GateTest, Memory, Span, StrengthScale, TournamentOptions};
use super::out::quoted;
use super::report::grid::plain;

/// Takes what neither was typed nor stands in the configuration from the results file that is resumed.
pub(super) fn completed(options: TournamentOptions) -> Result<TournamentOptions, CommandError> {
    match begun_as(&options)? {
        Some(stored_plan) => Ok(completed_by(options, &stored_plan)),
        None => Ok(options),
    }
}

/// Refuses to go on where a command line would no longer name the file that it names: it is known by its words, which stay as they
/// were typed.
fn all_found_from_here(stored_plan: &StoredPlan, file: &Path) -> Result<(), CommandError> {
    let Some(begun_in) = stored_plan.begun_elsewhere() else { return Ok(()) };
    let is_lost = |word: &String| {
        Path::new(word).is_relative() && begun_in.join(word).is_file() && !Path::new(word).is_file()
    };
    let lost = stored_plan.bots.iter().find(|bot| bot.folder.is_none() && bot.command.iter().any(is_lost));
    let Some(bot) = lost else { return Ok(()) };
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    Err(CommandError::usage(format!(
        "{} names a file as it is seen from the folder where the tournament was begun: go on there\n  cd {} && {}",
        plain(&bot.name),
        quoted(begun_in.as_os_str()),
        resume_command(&file)
    )))
}

/// The same of a gate, and what it decides between.
pub(super) fn completed_gate(
    options: TournamentOptions,
    test: GateTest,
) -> Result<(TournamentOptions, GateTest), CommandError> {
    let Some(stored_plan) = begun_as(&options)? else { return Ok((options, test)) };
    let test = match &stored_plan.gate {
        Some(terms) => completed_test(test, terms),
        None => test, // which is refused when the file is opened
    };
    let (bots, against) = versions(&options.bots, test.against, &stored_plan);
    Ok((completed_by(TournamentOptions { bots, ..options }, &stored_plan), GateTest { against, ..test }))
}

/// What the results file that is resumed was begun as. A file that cannot be read is left to whoever opens it to write.
fn begun_as(options: &TournamentOptions) -> Result<Option<StoredPlan>, CommandError> {
    let Some(file) = options.results.as_deref().filter(|_| options.resume == Some(true)) else {
        return Ok(None);
    };
    let Ok(results) = Results::open(file) else { return Ok(None) };
    let stored_plan = results.stored_plan();
    if options.bots.is_empty() {
        all_found_from_here(stored_plan, file)?;
    }
    Ok(Some(stored_plan.clone()))
}

fn completed_by(options: TournamentOptions, stored_plan: &StoredPlan) -> TournamentOptions {
    let settings = &stored_plan.settings;
    let span = |millis| Some(Span::from(Duration::from_millis(millis)));
    let limits = settings.limits;
    let options = TournamentOptions {
        rules: options.rules.or(Some(settings.rules)),
        seats: options.seats.or(Some(settings.seats)),
        set: options.set.or(Some(settings.set)),
        target: options.target.or(Some(settings.target)),
        startup: options.startup.or(span(limits.startup_ms)),
        turn: options.turn.or(span(limits.turn_ms)),
        bank: options.bank.or(span(limits.bank_ms)),
        increment: options.increment.or(span(limits.increment_ms)),
        clock: options.clock.or(Some(limits.clock)),
        strikes: options.strikes.or(Some(settings.strikes)),
        fresh: options.fresh.or(Some(settings.fresh)),
        names: options.names.or(Some(settings.names)),
        pondering: options.pondering.or(Some(settings.pondering)),
        memory: options.memory.or(settings.memory.map(Memory::of_bytes)),
        ..options
    };
    if stored_plan.gate.is_some() {
        return options; // whose pairs are counted by its test
    }
    TournamentOptions {
        blocks: options.blocks.or(Some(stored_plan.blocks)),
        gauntlet: or(options.gauntlet, || challengers(stored_plan)),
        bots: or(options.bots, || bots(stored_plan)),
        ..options
    }
}

fn or(said: Vec<String>, stored: impl FnOnce() -> Vec<String>) -> Vec<String> {
    if said.is_empty() { stored() } else { said }
}

/// The bots, as they were typed; but for those that were withdrawn, of whom nothing is played any more. None if one cannot be typed.
fn bots(stored_plan: &StoredPlan) -> Vec<String> {
    let withdrawn: Vec<&str> = stored_plan.withdrawn().collect();
    let bots = stored_plan.bots_from_here();
    let play = bots.iter().filter(|bot| !withdrawn.contains(&&*bot.name));
    play.map(typed).collect::<Option<Vec<String>>>().unwrap_or_default()
}

fn challengers(stored_plan: &StoredPlan) -> Vec<String> {
    let Format::Gauntlet { challengers } = &stored_plan.format else { return Vec::new() };
    challengers.iter().filter_map(|bot| Some(stored_plan.bots.get(bot.index())?.name.clone())).collect()
}

/// The bots of a gate, and the revision that the old one is taken from git at.
fn versions(
    said: &[String],
    against: Option<String>,
    stored_plan: &StoredPlan,
) -> (Vec<String>, Option<String>) {
    let mut bots = said.to_vec();
    let [new, old] = &stored_plan.bots_from_here()[..] else { return (bots, against) };
    if bots.is_empty() {
        bots.extend(typed(new));
    }
    if bots.len() > 1 || against.is_some() {
        return (bots, against);
    }
    let revision = old.folder.as_deref().and_then(|place| place.strip_prefix(FROM_GIT)?.split_once(':'));
    bots.extend(typed(old));
    (bots, revision.map(|(revision, _)| revision.to_owned()))
}

fn completed_test(said: GateTest, terms: &GateTerms) -> GateTest {
    let plan = &terms.plan;
    let (elo0, elo1) = plan.hypotheses().bounds();
    let model = match plan.hypotheses() {
        Hypotheses::Normalised { .. } => StrengthScale::Normalised,
        Hypotheses::Logistic { .. } => StrengthScale::Logistic,
    };
    let (alpha, beta) = plan.error_rates();
    let bound = |elo| (!said.non_regression).then_some(elo);
    GateTest {
        elo0: said.elo0.or(bound(elo0)),
        elo1: said.elo1.or(bound(elo1)),
        alpha: said.alpha.or(Some(alpha)),
        beta: said.beta.or(Some(beta)),
        max_pairs: said.max_pairs.or(Some(terms.blocks())),
        mirror_pairs: said.mirror_pairs.or(u32::try_from(plan.mirror_pairs()).ok()),
        model: said.model.or(Some(model)),
        luck: said.luck || plan.luck().is_some(),
        max_faults: said.max_faults.or(terms.max_faults),
        ..said
    }
}
