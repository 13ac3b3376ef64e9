//! A stored tournament: a plan, and the results file that it is played into.

mod resumption;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use leyden_language::Language;
use leyden_model::event::RunEnd;
use leyden_model::{BotEntry, BotIndex, ChangeKind};

use crate::record::Recorder;
use crate::record::store::{
    self, Results, Resumable, StoreError, StoredPlan, Writer, try_to_create, without_path,
};
use crate::report::{ReportError, change_in_words};
use crate::run::{Draft, Notice, Options, Plan, PlanError, ResumedChoices, Run, RunError, RunKind};
use leyden_format::{DoneMatches, Schedule, ScheduleError};
pub use resumption::options_to_resume;
use tokio_util::sync::CancellationToken;

/// Where new results are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultsFile {
    /// A new file in this folder, named by the date. The folder is created if it does not exist.
    Dated(PathBuf),
    /// A new file.
    New(PathBuf),
}

/// A tournament, match or gate with its results file, ready to be played.
///
/// ```no_run
/// use leyden_arena::run::{EventDetail, Options};
/// use leyden_arena::tournament::{ResultsFile, Tournament};
///
/// let options = Options { blocks: 10, ..Options::new("target/release/leyden", ["builtin:careful", "builtin:greedy"]) };
/// let file = ResultsFile::New("results.db".into());
/// let mut tournament = Tournament::create(&options, &file, &mut |notice| println!("{notice:?}"))?;
/// let mut run = tournament.run();
/// let mut events = run.subscribe(EventDetail::Matches);
/// let listener = std::thread::spawn(move || while let Some(heard) = events.wait() { println!("{heard:?}") });
/// let end = run.play();
/// tournament.close()?;
/// println!("{} matches were played", end?.played);
/// # drop(listener);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A stored tournament is resumed with the options that its file holds. Some may change, such as the number of blocks:
///
/// ```no_run
/// use leyden_arena::record::store::Resumable;
/// use leyden_arena::run::Options;
/// use leyden_arena::tournament::{Tournament, options_to_resume};
///
/// let stored = Resumable::open("results.db".as_ref())?;
/// let options = Options { blocks: 20, ..options_to_resume(stored.stored_plan(), "target/release/leyden") };
/// let end = Tournament::resume(&options, stored, &mut |notice| println!("{notice:?}"))?.play()?;
/// println!("{} matches were played", end.played);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tournament {
    plan: Plan,
    stored_plan: StoredPlan,
    recorder: Recorder,
    schedule: Schedule,
    done: DoneMatches,
    stop: CancellationToken,
    /// Whether the file was created for it.
    is_new: bool,
}

/// Why a tournament cannot be started. Nothing was played.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot keep results in {}: {source}; name a file (--results FILE)", shown(.folder))]
    Folder { folder: PathBuf, source: io::Error },
    #[error(
        "{} cannot join or be replaced: all matches are over, and the seed, from which every deal follows, is public. \
         Play a new tournament; or, if nobody can have used the seed, confirm that by adding it, without --seed-file \
         (results and pages will then show the change):\n  --seed {}",
        .bots.join(", "),
        shlex::try_quote(.seed).unwrap_or_default()
    )]
    SeedKnown { bots: Vec<String>, seed: String },
    #[error("no name is left for a results file")]
    NoName,
    /// A gate that this program cannot judge. Nothing was written.
    #[error(transparent)]
    NotJudged(#[from] ReportError),
}

/// A tournament could not be played to its end. What is stored is complete, and the rest can be played later.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Tournament {
    /// Makes a plan from the options, and creates the results file. `notify` receives notices for the organiser.
    pub fn create(
        options: &Options,
        file: &ResultsFile,
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, OpenError> {
        let private = match file {
            ResultsFile::Dated(folder) => folder.join("leyden-results.db"),
            ResultsFile::New(path) => path.clone(),
        };
        let draft = Draft::make(options, None, notify)?;
        // Reject what can be rejected before anything is built.
        try_results_file(file)?;
        let plan = draft.ready(options, &[private], notify)?;
        let stored_plan = StoredPlan::from_plan(&plan);
        Self::created(plan, stored_plan, file, options.stop.clone())
    }

    /// Creates the results file of a plan.
    fn created(
        plan: Plan,
        stored_plan: StoredPlan,
        file: &ResultsFile,
        stop: CancellationToken,
    ) -> Result<Self, OpenError> {
        let writer = create(file, &stored_plan)?;
        let schedule = plan.schedule()?;
        let done = DoneMatches::none(&schedule);
        Ok(Self { plan, stored_plan, recorder: Recorder::new(writer), schedule, done, stop, is_new: true })
    }

    /// Continues a stored tournament by a plan that agrees with it.
    fn resumed(
        plan: Plan,
        stored_plan: StoredPlan,
        stored: Resumable,
        stop: CancellationToken,
    ) -> Result<Self, OpenError> {
        let (writer, schedule, done) = stored.resume(&stored_plan)?;
        Ok(Self { plan, stored_plan, recorder: Recorder::new(writer), schedule, done, stop, is_new: false })
    }

    /// Makes a plan from the options, which must be those of the stored tournament apart from what may change; see
    /// [`options_to_resume`]. Exactly what is missing will be played.
    pub fn resume(
        options: &Options,
        stored: Resumable,
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, OpenError> {
        Self::resume_reading(options, stored, notify, |_, _| Ok(())).map(|(tournament, ())| tournament)
    }

    /// Also reads something from the file, given the plan as it will be stored, before the file is opened for writing.
    pub fn resume_reading<T>(
        options: &Options,
        stored: Resumable,
        notify: &mut dyn FnMut(Notice),
        read: impl FnOnce(&Results, &StoredPlan) -> Result<T, OpenError>,
    ) -> Result<(Self, T), OpenError> {
        stored.check_kind(matches!(options.kind, RunKind::Gate(_)))?;
        let was = stored.stored_plan();
        let resumed = ResumedChoices {
            seed: was.seed.clone(),
            sandbox: was.settings.sandbox,
            bots: was.bots.clone(),
            withdrawn: was.withdrawn().map(str::to_owned).collect(),
            competition: was.format.competition().cloned(),
            open_round: stored.open_round()?,
        };
        let private = stored.path().to_owned();
        let draft = Draft::make(options, Some(&resumed), notify)?;
        // Reject what can be rejected before anything is built.
        let stored = agreed(stored, &draft, options, notify)?;
        let plan = draft.ready(options, &[private], notify)?;
        let mut stored_plan = StoredPlan::from_plan(&plan);
        stored_plan.keep_folders(stored.stored_plan());
        stored_plan.keep_left_out(stored.stored_plan());
        in_time(&stored, &stored_plan, options)?; // a bot that was left out before may be ready now
        let found = read(stored.results(), &stored_plan)?;
        let tournament = Self::resumed(plan, stored_plan, stored, options.stop.clone())?;
        Ok((tournament, found))
    }

    /// Returns the plan by which it is played.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The tournament as its results file has it.
    pub fn stored_plan(&self) -> &StoredPlan {
        &self.stored_plan
    }

    /// Every planned match that is known before anything is played.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The matches that were played before.
    pub fn done(&self) -> &DoneMatches {
        &self.done
    }

    /// The path of the results file.
    pub fn path(&self) -> &Path {
        self.recorder.path()
    }

    /// Creates a run of the missing matches that is stored in the results file and can be stopped by the options.
    pub fn run(&mut self) -> Run<'_> {
        let path = self.recorder.path().to_owned();
        let mut run = Run::resumed(&self.plan, self.schedule.clone(), self.done.clone());
        run.stored_in(&path);
        run.stopped_by(&self.stop);
        run.follow(&mut self.recorder);
        run
    }

    /// Writes what is left, and closes the file. Returns the error if writing has failed.
    pub fn close(self) -> Result<(), StoreError> {
        self.recorder.finish()
    }

    /// Closes the file, and removes it if it was created for this tournament and nothing was played into it.
    pub fn discard_if_empty(self) -> Result<(), StoreError> {
        let (path, is_new) = (self.path().to_owned(), self.is_new);
        self.close()?;
        if !is_new {
            return Ok(());
        }
        let results = Results::open(&path)?;
        let is_empty = results.count()? == 0 && results.voided()?.is_empty();
        drop(results);
        if is_empty {
            store::remove(&path).map_err(|source| StoreError::Io {
                path: path.clone(),
                doing: "take away",
                source,
            })?;
        }
        Ok(())
    }

    /// Plays what is missing, and closes the file.
    pub fn play(mut self) -> Result<RunEnd, PlayError> {
        let end = self.run().play();
        self.close()?;
        Ok(end?)
    }
}

/// Checks that a new results file can be created.
pub fn try_results_file(file: &ResultsFile) -> Result<(), OpenError> {
    match file {
        ResultsFile::New(path) => try_to_create(path)?,
        ResultsFile::Dated(folder) => {
            // The folder itself is created with the file: an abandoned match leaves nothing.
            let there =
                some_folder(folder).ancestors().find(|above| above.exists()).unwrap_or(Path::new("."));
            let probe = tempfile::Builder::new().prefix(".leyden-").tempfile_in(there);
            probe.map(drop).map_err(|source| OpenError::Folder {
                folder: folder.clone(),
                source: without_path(source),
            })?;
        }
    }
    Ok(())
}

/// Checks that what is stored and what is going to be played are the same tournament, apart from bots that are replaced.
/// Nothing is written yet.
fn agreed(
    stored: Resumable,
    draft: &Draft,
    options: &Options,
    notify: &mut dyn FnMut(Notice),
) -> Result<Resumable, OpenError> {
    let now = StoredPlan::from_plan(draft.plan());
    let (mut replaced, mut notices) = (Vec::new(), Vec::new());
    for (index, was) in (0..).map(BotIndex).zip(&stored.stored_plan().bots) {
        let is_meant = |now: &&BotEntry| now.name == was.name && draft.replaced().contains(&now.name);
        let Some(now) = now.bots.iter().find(is_meant) else { continue };
        if (&was.command, &was.hash) == (&now.command, &now.hash) {
            notices.push(Notice::Unchanged(now.name.clone()));
        } else {
            notices.push(Notice::Replaced { bot: now.name.clone(), matches: stored.matches_of(index)? });
            replaced.push(index);
        }
    }
    let stored = stored.replacing(replaced);
    let was_left_out =
        |name: &str| stored.stored_plan().left_out.iter().any(|left_out| left_out.entry == name);
    // A bot that was left out may be left out again: only building shows that.
    let played = stored.stored_plan().bots.len();
    let (mut certain, bots) = (now.clone(), now.bots.len());
    certain.bots = certain
        .bots
        .into_iter()
        .enumerate()
        .filter(|(index, bot)| *index < played || !was_left_out(&bot.name))
        .map(|(_, bot)| bot)
        .collect();
    if certain.bots.len() == bots {
        stored.check(&now)?;
    }
    let presence = certain.format.competition().map_or(&[][..], |stages| &stages.presence);
    let joins = (0..).zip(&certain.bots).skip(played).map(|(index, bot)| Notice::Joins {
        bot: bot.name.clone(),
        folder: bot.folder.clone(),
        round: presence.iter().find(|there| there.bot == BotIndex(index)).map(|there| there.from),
    });
    notices.extend(joins);
    let changes = in_time(&stored, &certain, options)?;
    if !changes.is_empty() {
        notices.push(Notice::SeedRevealed { changes });
    }
    notices.into_iter().for_each(notify);
    Ok(stored)
}

/// Decides in one place what is still fair: once everything is played, the seed is public. Then no bot may join or be
/// replaced, unless the organiser asserts that nobody has used it; returns the resulting changes.
fn in_time(stored: &Resumable, now: &StoredPlan, options: &Options) -> Result<Vec<String>, OpenError> {
    let changes = stored.changes_to(now)?;
    if !changes.iter().any(|change| change.seed_known) {
        return Ok(Vec::new());
    }
    let bots = changes.iter().filter_map(|change| match &change.what {
        ChangeKind::Joined { bot } | ChangeKind::Replaced { bot } => Some(bot.clone()),
        ChangeKind::Withdrawn { .. } | ChangeKind::Left { .. } | ChangeKind::Blocks { .. } => None,
    });
    let bots: Vec<String> = bots.collect();
    if !options.seed_unused && !bots.is_empty() {
        let seed = stored.stored_plan().seed.clone();
        return Err(OpenError::SeedKnown { bots, seed });
    }
    Ok(changes.iter().map(|change| change_in_words(change, Language::English)).collect())
}

fn make_folder(folder: &Path) -> Result<(), OpenError> {
    fs::create_dir_all(some_folder(folder))
        .map_err(|source| OpenError::Folder { folder: folder.to_owned(), source })
}

/// A folder as it is shown.
fn shown(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { "the current folder".to_owned() } else { folder.display().to_string() }
}

/// The folder, or `.` if it has no name.
fn some_folder(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Creates the results file.
pub fn create(file: &ResultsFile, stored_plan: &StoredPlan) -> Result<Writer, OpenError> {
    let folder = match file {
        ResultsFile::New(path) => return Ok(Writer::create(path, stored_plan)?),
        ResultsFile::Dated(folder) => folder,
    };
    make_folder(folder)?;
    let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    for n in 1..=u32::MAX {
        match Writer::create(&folder.join(format!("leyden-{}-{n}.db", &today[..10])), stored_plan) {
            Err(StoreError::Exists { .. } | StoreError::OtherLog { .. } | StoreError::InUse { .. }) => {}
            created => return Ok(created?),
        }
    }
    Err(OpenError::NoName)
}

#[cfg(test)]
mod tests;
