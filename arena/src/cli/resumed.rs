//! A run that goes on: what is not said again is as its results file has it.

use std::time::Duration;

use leyden_arena::format::Format;
use leyden_arena::record::store::{Results, Setup};
use leyden_arena::report::typed;

use super::options::{Memory, Span, TournamentOptions};

/// Takes what neither was typed nor stands in the configuration from the results file that is resumed. A file that cannot be read
/// is left to whoever opens it to write.
pub(super) fn completed(options: TournamentOptions) -> TournamentOptions {
    let file = options.results.as_deref().filter(|_| options.resume == Some(true));
    match file.and_then(|file| Results::open(file).ok()) {
        Some(results) => completed_by(options, results.setup()),
        None => options,
    }
}

fn completed_by(options: TournamentOptions, setup: &Setup) -> TournamentOptions {
    let settings = &setup.settings;
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
    if setup.gate.is_some() {
        return options; // which has bots and bounds of its own
    }
    TournamentOptions {
        blocks: options.blocks.or(Some(setup.blocks)),
        gauntlet: or(options.gauntlet, || challengers(setup)),
        bots: or(options.bots, || bots(setup)),
        ..options
    }
}

fn or(said: Vec<String>, stored: impl FnOnce() -> Vec<String>) -> Vec<String> {
    if said.is_empty() { stored() } else { said }
}

/// The bots, as they were typed; but for those that were withdrawn, of whom nothing is played any more. None if one cannot be typed.
fn bots(setup: &Setup) -> Vec<String> {
    let withdrawn: Vec<&str> = setup.withdrawn().collect();
    let play = setup.bots.iter().filter(|bot| !withdrawn.contains(&&*bot.name));
    play.map(typed).collect::<Option<Vec<String>>>().unwrap_or_default()
}

fn challengers(setup: &Setup) -> Vec<String> {
    let Format::Gauntlet { challengers } = &setup.format else { return Vec::new() };
    challengers.iter().filter_map(|bot| Some(setup.bots.get(bot.index())?.name.clone())).collect()
}
