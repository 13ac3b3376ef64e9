//! The organiser's choice of a sandbox, and the run stopped where it does not hold.

use std::path::Path;

use leyden_arena::record::store::Results;
use leyden_arena::roster::{self, Competitor, Missing};
use leyden_host::ResourceLimits;
use leyden_host::preflight::{self, Chosen};
use leyden_host::sandbox::{Level, LevelChoice};

use super::args::TournamentOptions;
use super::exit::Stop;
use super::memory::Memory;

/// Finds a level that holds and that the organiser wants, or stops the run before any bot starts.
///
/// A tournament that is resumed goes on at its own level: without a choice that one, or nothing is run.
pub(super) fn choose(options: &TournamentOptions, leyden: &Path) -> Result<Chosen, Stop> {
    let mut choice = options.sandbox.unwrap_or_default();
    if choice == LevelChoice::Auto
        && options.resume.unwrap_or(false)
        && let Some(path) = &options.results
    {
        choice = LevelChoice::Exactly(Results::open(path).map_err(Stop::usage)?.setup().settings.sandbox);
    }
    preflight::choose(leyden, choice, limits(options.memory)).map_err(Stop::usage)
}

/// Fits a bot to the sandbox, if there is one.
pub(super) fn admit(bot: &mut Competitor, options: &TournamentOptions, level: Level) -> Result<(), Missing> {
    if level == Level::None { Ok(()) } else { bot.admit(&options.allow_read) }
}

/// Stops a run in which a bot could read another's folder, or the results.
pub(super) fn keep_apart(bots: &[Competitor], options: &TournamentOptions, level: Level) -> Result<(), Stop> {
    if level == Level::None {
        return Ok(());
    }
    let results = options.results.as_deref().unwrap_or(Path::new("leyden-results.db"));
    let folder = results.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default();
    let results = folder.join(results.file_name().unwrap_or_default());
    roster::keep_apart(bots, &[results]).map_err(Stop::usage)
}

/// The limits with the memory that was typed.
pub(super) fn limits(memory: Option<Memory>) -> ResourceLimits {
    let default = ResourceLimits::default();
    ResourceLimits { memory: memory.map_or(default.memory, Memory::bytes), ..default }
}
