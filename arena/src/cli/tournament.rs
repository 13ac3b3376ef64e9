//! `leyden tournament` and `leyden match`: from options to a results file and standings.

use leyden_arena::bot::Launcher;
use leyden_arena::platform;
use leyden_arena::roster::{self, Competitor};
use leyden_arena::seed::TournamentSeed;
use leyden_arena::tournament::schedule::Schedule;
use leyden_arena::tournament::{Halt, Tournament};

use super::args::{RunOptions, TournamentOptions};
use super::config;
use super::events::Event;
use super::exit::{Code, Stop};
use super::progress::Progress;

/// Which of the two commands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tournament,
    Match,
}

pub(super) fn run(typed: TournamentOptions, run: &RunOptions, _kind: Kind) -> Result<Code, Stop> {
    let file = run.config.as_deref().map(config::read).transpose()?.unwrap_or_default();
    let options = config::complete(typed, file);
    let settings = config::settings(&options)?;
    let rules = settings.rules().map_err(Stop::usage)?;
    let seed_text = config::seed_text(&options)?.map_or_else(config::random_seed_text, Ok)?;
    let bots = competitors(&options)?;
    let schedule =
        Schedule::new(bots.len(), settings.seats, options.blocks.unwrap_or(1)).map_err(Stop::usage)?;
    let tournament = Tournament {
        settings,
        rules,
        seed: TournamentSeed::from_text(&seed_text),
        bots,
        schedule,
        jobs: options.jobs.unwrap_or_else(|| platform::allowed_cores().len()),
        cores_per_match: options.cores_per_match.unwrap_or(1),
        launcher: Launcher::new(super::leyden()?),
    };
    let halt = Halt::default();
    let mut progress = Progress::new(schedule.matches(), 0, run.quiet);
    tournament
        .play(&|_| false, &halt, |played| {
            progress.played(played.record.fault.is_some());
            if run.json {
                let event = Event::Match { rank: played.rank, record: &played.record };
                let _ = super::print_line(&event);
            }
        })
        .map_err(Stop::defect)?;
    progress.finish();
    Ok(Code::Done)
}

/// The bots that play, built and ready.
fn competitors(options: &TournamentOptions) -> Result<Vec<Competitor>, Stop> {
    let mut bots = roster::find(&options.bots, &super::leyden()?).map_err(Stop::usage)?;
    for bot in &mut bots {
        bot.prepare().map_err(Stop::missing)?;
    }
    Ok(bots)
}
