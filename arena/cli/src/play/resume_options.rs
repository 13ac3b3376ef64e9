//! A resumed run: options that are not repeated are taken from its results file.

use std::path::Path;

use leyden_arena::record::store::{Results, Resumable, StoredPlan};
use leyden_arena::report::typed;
use leyden_arena::run::Options;
use leyden_arena::tournament::{ResultsFile, options_to_resume};
use leyden_model::FROM_GIT;

use crate::config::{self, NamedFile};
use crate::exit::CommandError;
use crate::options::TournamentOptions;
use crate::out::quoted;
use crate::play::known_runs;
use crate::program::resume_command;
use crate::report::grid::plain;

/// Where the results of a run go.
pub(crate) enum Destination {
    New(ResultsFile),
    /// Exactly what is missing is played. The file is open.
    Resumed(Box<Resumable>),
}

impl Destination {
    /// Opens the results file that the options name, if it is resumed: by a gate, or by a tournament or match.
    pub(crate) fn from_options(given: &TournamentOptions, is_gate: bool) -> Result<Self, CommandError> {
        let path = match config::results_file(given)? {
            NamedFile::New(file) => return Ok(Self::New(file)),
            NamedFile::Resumed(path) => path,
        };
        let stored = Resumable::open(&path)?;
        stored.check_kind(is_gate)?;
        if given.bots.is_empty() {
            all_found_from_here(stored.stored_plan(), &path)?;
        }
        known_runs::check(given, stored.stored_plan(), &path)?;
        Ok(Self::Resumed(Box::new(stored)))
    }

    /// Returns the tournament that is resumed, if one is.
    pub(crate) fn stored_plan(&self) -> Option<&StoredPlan> {
        match self {
            Self::New(_) => None,
            Self::Resumed(stored) => Some(stored.stored_plan()),
        }
    }
}

/// Returns the tournament that would be resumed by a run that is only estimated: its file may be written to at the same time, or be
/// missing.
pub(crate) fn to_estimate(given: &TournamentOptions) -> Result<Option<StoredPlan>, CommandError> {
    let Some(path) = given.results.as_deref().filter(|_| given.resume == Some(true)) else {
        return Ok(None);
    };
    let results = Results::open(path)?;
    let stored_plan = results.stored_plan();
    if given.bots.is_empty() {
        all_found_from_here(stored_plan, path)?;
    }
    known_runs::check(given, stored_plan, path)?;
    Ok(Some(stored_plan.clone()))
}

/// Returns the options of a run for which nothing was given: those of the tournament that is resumed, or the usual ones.
pub(crate) fn starting_options(resumed: Option<&StoredPlan>) -> Result<Options, CommandError> {
    match resumed {
        Some(stored_plan) => Ok(options_to_resume(stored_plan, crate::program::leyden()?)),
        None => config::default_options(),
    }
}

/// Refuses to resume if a command line would no longer name the same file from here.
fn all_found_from_here(stored_plan: &StoredPlan, file: &Path) -> Result<(), CommandError> {
    let Some((bot, begun_in)) = stored_plan.misplaced_bot() else { return Ok(()) };
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    Err(CommandError::usage(format!(
        "{} names a file relative to the folder where the tournament was started\nResume it there with\n  cd {} && {}",
        plain(&bot.name),
        quoted(begun_in.as_os_str()),
        resume_command(&file)
    )))
}

/// Returns the bots of a gate, and the git revision that the old one is taken from.
pub(crate) fn versions(
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
    let revision = old.folder.as_deref().and_then(|folder| folder.strip_prefix(FROM_GIT)?.split_once(':'));
    bots.extend(typed(old));
    (bots, revision.map(|(revision, _)| revision.to_owned()))
}
