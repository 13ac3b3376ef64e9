//! From options to a plan: everything that decides what is played, found out once and never changed.

use std::path::{Path, PathBuf};

use leyden_host::Launcher;
use leyden_host::platform;
use leyden_host::preflight::{self, Chosen, NotHeld};
use leyden_host::sandbox::{Level, LevelChoice};
use leyden_model::{BotEntry, BotIndex, LeftOut, Pondering, Settings, TournamentSeed};
use leyden_protocol::{ClockKind, Seats};
use leyden_rules::{Impossible, Rules};

use super::GateTerms;
use super::named::{NoSuchBot, names_of};
use super::options::{Options, RunKind};
use super::seed::{NoSeed, seed};
use crate::format::{Format, NoSchedule, Schedule};
use crate::roster::{
    self, Builder, Competitor, Exposed, Found, Missing, NotABot, NotCopied, NotReady, SameFiles, SameName,
    WhyHidden,
};

/// The most matches that can be played at once.
const MOST_JOBS: usize = 1_024;

/// What is played, by whom, and on how many cores.
#[derive(Clone, Debug)]
pub struct Plan {
    pub settings: Settings,
    /// What follows from the settings.
    pub rules: Rules,
    /// The seed text, from which every deal follows.
    pub seed: String,
    /// The bots in the order in which they were named, ready to run.
    pub bots: Vec<Competitor>,
    /// What was named, but does not play.
    pub left_out: Vec<LeftOut>,
    pub format: Format,
    pub blocks: u32,
    /// What is tested, if this is a gate: then the most pairs are its blocks.
    pub gate: Option<GateTerms>,
    /// How many matches are played at once.
    pub jobs: usize,
    pub cores_per_match: usize,
    pub launcher: Launcher,
}

/// What a tournament that is resumed says about how it goes on.
#[derive(Clone, Debug)]
pub struct Resumed {
    pub seed: String,
    pub sandbox: Level,
    /// Its bots in their order.
    pub bots: Vec<BotEntry>,
    /// The names of those that were withdrawn, and do not play if they are named again.
    pub withdrawn: Vec<String>,
}

/// What the organiser should know while a plan is made.
#[derive(Debug)]
pub enum Notice {
    /// Which sandbox was found, what is missing for a better one, and how many bots are in it that are not the arena's own.
    Sandbox { level: Level, missing: Option<NotHeld>, strangers: usize },
    /// Bots may compute off turn, but share their cores: with so many for each match they would not.
    SharedCores(Seats),
    /// More matches are played at once than there are cores for: they take one another's time.
    CrowdedCores { jobs: usize, cores_per_match: usize, cores: usize },
    /// A bot is being built, which may take a while.
    Building(String),
    /// Two bots have one name, so that one of them is called otherwise.
    SameName(SameName),
    /// Bots were handed in with the same files, or as they were given out.
    SameFiles(SameFiles),
    /// A bot is left out.
    LeftOut(Missing),
    /// A bot has changed: so many matches that it played in are taken out of the results file, and played again.
    Replaced { bot: String, matches: u64 },
    /// The tournament was over, so that its seed was told, and goes on with these changes.
    SeedTold { changes: Vec<String> },
    /// A bot was withdrawn before, and does not play.
    Withdrawn(String),
    /// A bot was to be replaced, but is as it was.
    Unchanged(String),
    /// A bot in a sandbox sees the files in this folder that its command line names, and no other one.
    OnlyNamedFiles { bot: String, folder: PathBuf, why: WhyHidden },
    /// These bots go on of whom nothing is compared with what played before but the files that their command lines name.
    OnlyNamedFilesCompared { bots: Vec<String> },
}

/// Options that cannot be played. No bot was run.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error(
        "name the bots that play: folders with a bot.toml, command lines in quotes, or builtin:careful, builtin:greedy and others"
    )]
    NoBots,
    #[error(transparent)]
    NotABot(#[from] NotABot),
    #[error("a match needs one bot for each of its {seats} seats, not {bots}")]
    NotATable { bots: usize, seats: Seats },
    #[error("a gate compares two bots, the new version and the old one, not {0}")]
    NotTwo(usize),
    #[error("a gate judges pairs of two bots: it plays at tables of two seats")]
    GateSeats,
    #[error("--startup must be longer than nothing: a process takes a while to start")]
    NoStartup,
    #[error("--turn 0s leaves no time for a decision unless there is a --bank")]
    NoTime,
    #[error(
        "--clock cpu needs a system that tells a bot's time on the processors, which this one does not: it is for Linux"
    )]
    NoCpuClock,
    #[error(transparent)]
    Rules(#[from] Impossible),
    #[error("--cores-per-match must be 1 to {0}, the cores there are")]
    Cores(usize),
    #[error("--jobs must be at least 1")]
    NoJobs,
    #[error("--jobs must be at most {MOST_JOBS}")]
    ManyJobs,
    #[error(transparent)]
    Sandbox(#[from] NotHeld),
    #[error(transparent)]
    Exposed(#[from] Exposed),
    #[error("{}\nNothing was played. --allow-missing leaves such bots out.", lines(.0))]
    Missing(Vec<Missing>),
    #[error(transparent)]
    NotCopied(#[from] NotCopied),
    #[error(transparent)]
    NoSuchBot(#[from] NoSuchBot),
    #[error("--replace is for a tournament or match that is resumed: --results FILE --resume")]
    NothingToReplace,
    #[error(
        "a gate compares two versions as they were when it began: begin a new one instead of replacing a bot"
    )]
    ReplacedInGate,
    #[error(transparent)]
    Schedule(#[from] NoSchedule),
    #[error(transparent)]
    Seed(#[from] NoSeed),
    #[error("interrupted while {0}: no match was begun")]
    Interrupted(String),
}

fn lines(missing: &[Missing]) -> String {
    missing.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl Plan {
    /// Looks at everything that was chosen: finds a sandbox that holds, finds and builds the bots. `private` are files that
    /// no bot may read, and `tell` hears what the organiser should know meanwhile.
    pub fn make(
        options: &Options,
        resumed: Option<&Resumed>,
        private: &[PathBuf],
        tell: &mut dyn FnMut(Notice),
    ) -> Result<Self, PlanError> {
        Draft::make(options, resumed, tell)?.ready(options, private, tell)
    }

    pub fn tournament_seed(&self) -> TournamentSeed {
        TournamentSeed::from_text(&self.seed)
    }

    /// Every match that is wanted, as far as that is known before the first one.
    pub fn schedule(&self) -> Result<Schedule, NoSchedule> {
        Schedule::new(self.format.clone(), self.bots.len(), self.settings.seats, self.blocks)
    }
}

/// A plan whose bots are found, and neither fitted to the sandbox nor built: everything that a tournament which is resumed has to
/// agree on.
#[derive(Debug)]
pub struct Draft {
    plan: Plan,
    missing: Vec<Missing>,
    /// The names of those that a gauntlet is for.
    challengers: Option<Vec<String>>,
    /// The names of those that may have changed.
    replaced: Vec<String>,
}

impl Draft {
    /// Looks at everything that was chosen, finds a sandbox that holds and the bots. Nothing of a bot is run.
    pub fn make(
        options: &Options,
        resumed: Option<&Resumed>,
        tell: &mut dyn FnMut(Notice),
    ) -> Result<Self, PlanError> {
        let Found { bots: mut found, left_out: missing, same_names } =
            find(options, resumed.map_or(&[], |resumed| &resumed.bots))?;
        let withdrawn = resumed.map_or(&[][..], |resumed| &resumed.withdrawn);
        for bot in found.extract_if(.., |bot| withdrawn.contains(&bot.name)) {
            tell(Notice::Withdrawn(bot.name));
        }
        goes_on(options, || "bots were looked for".to_owned())?;
        for same in same_names {
            tell(Notice::SameName(same));
        }
        // Whoever tries their own bot knows whether they have changed it.
        let is_worth = |same: &SameFiles| match options.kind {
            RunKind::Tournament { .. } => true,
            RunKind::Match => same.bots.len() > 1,
            RunKind::Gate(_) => same.bots.len() > 1 && !same.whole, // a gate of one bot is another matter
        };
        let same_files = roster::same_files(&found).into_iter().filter(is_worth);
        same_files.map(Notice::SameFiles).for_each(&mut *tell);
        // Why a bot is none tells more than how many others there are.
        let missing = all_there(missing, options)?;
        let (mut settings, rules) = match settings(options, found.len()) {
            Err(error) => {
                missing.into_iter().map(Notice::LeftOut).for_each(&mut *tell);
                return Err(error);
            }
            Ok(settled) => settled,
        };
        let jobs = jobs(options)?;
        let choice = match (options.sandbox, resumed) {
            (LevelChoice::Auto, Some(resumed)) => LevelChoice::Exactly(resumed.sandbox),
            (choice, _) => choice,
        };
        let Chosen { sandbox, missing: better } =
            preflight::choose(&options.leyden, choice, options.sandbox_limits)?;
        goes_on(options, || "the sandbox was tried".to_owned())?;
        tell(Notice::Sandbox { level: sandbox.level(), missing: better, strangers: strangers(&found) });
        settings.sandbox = sandbox.level();
        settings.memory = (sandbox.level() != Level::None).then_some(options.sandbox_limits.memory);
        let seats = settings.seats;
        if settings.pondering == Pondering::Allowed && options.cores_per_match < seats.count() {
            tell(Notice::SharedCores(seats));
        }
        let (cores, cores_per_match) = (platform::allowed_cores().len(), options.cores_per_match);
        if jobs * cores_per_match > cores {
            tell(Notice::CrowdedCores { jobs, cores_per_match, cores });
        }
        let challengers = challengers(options, &found)?;
        let replaced = replaced(options, resumed, &found)?;
        if let Some(resumed) = resumed {
            let goes_on = |bot: &&Competitor| {
                bot.is_known_by_named_files()
                    && resumed.bots.iter().any(|known| known.name == bot.name)
                    && !replaced.contains(&bot.name)
            };
            let bots: Vec<String> = found.iter().filter(goes_on).map(|bot| bot.name.clone()).collect();
            if !bots.is_empty() {
                tell(Notice::OnlyNamedFilesCompared { bots });
            }
        }
        // The first bot of a gate is the one that is tested.
        let bots = if matches!(options.kind, RunKind::Gate(_)) { found } else { in_order(found, resumed) };
        let launcher = Launcher::new(options.leyden.clone()).with_sandbox(sandbox);
        let (gate, blocks) = match &options.kind {
            RunKind::Gate(terms) => (Some(*terms), terms.blocks()),
            RunKind::Tournament { .. } | RunKind::Match => (None, options.blocks),
        };
        let plan = Plan {
            settings,
            rules,
            seed: seed(options.seed.as_deref(), resumed.map(|resumed| &*resumed.seed))?,
            format: format(challengers.as_deref(), &bots),
            bots,
            left_out: Vec::new(),
            blocks,
            gate,
            jobs,
            cores_per_match: options.cores_per_match,
            launcher,
        };
        plan.schedule()?;
        Ok(Self { plan, missing, challengers, replaced })
    }

    /// The plan as it will be if all bots can be built.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The names of those bots that were said to be replaced.
    pub fn replaced(&self) -> &[String] {
        &self.replaced
    }

    /// Builds the bots.
    pub fn ready(
        self,
        options: &Options,
        private: &[PathBuf],
        tell: &mut dyn FnMut(Notice),
    ) -> Result<Plan, PlanError> {
        let Self { mut plan, missing, challengers, .. } = self;
        let (bots, left_out) = prepare(&plan.bots, missing, options, &plan.launcher, private, tell)?;
        plan.format = format(challengers.as_deref(), &bots);
        (plan.bots, plan.left_out) = (bots, left_out);
        plan.schedule()?;
        Ok(plan)
    }
}

/// The bots that are named, not yet built. Those that are known from before keep their names.
pub(super) fn find(options: &Options, known: &[BotEntry]) -> Result<Found, PlanError> {
    if options.bots.is_empty() {
        return Err(PlanError::NoBots);
    }
    let mut found = roster::find_again(&options.bots, &options.leyden, known)?;
    if options.no_build {
        found.leave_unbuilt();
    }
    if matches!(options.kind, RunKind::Gate(_)) {
        found.name_by_folder();
        found.name_as(known);
    }
    for (bot, place) in found.bots.iter_mut().zip(&options.places) {
        if place.is_some() {
            bot.handed_in.clone_from(place);
        }
    }
    for (bot, name) in found.bots.iter_mut().zip(&options.called) {
        bot.name.clone_from(name);
    }
    Ok(found)
}

/// The bots that were there before as they were counted then, and behind them those that join.
fn in_order(mut found: Vec<Competitor>, resumed: Option<&Resumed>) -> Vec<Competitor> {
    let place = |bot: &Competitor| {
        let place = resumed?.bots.iter().position(|known| known.name == bot.name);
        place.or(Some(usize::MAX))
    };
    found.sort_by_key(place); // those that join stay in the order in which they were named
    found
}

/// How many bots are not part of this program.
pub(super) fn strangers(found: &[Competitor]) -> usize {
    found.iter().filter(|bot| !bot.is_builtin()).count()
}

/// What is agreed about the tournament. Which sandbox holds is not known yet.
pub(super) fn settings(options: &Options, bots: usize) -> Result<(Settings, Rules), PlanError> {
    let limits = options.limits;
    if limits.startup_ms == 0 {
        return Err(PlanError::NoStartup);
    }
    if limits.turn_ms == 0 && limits.bank_ms == 0 {
        return Err(PlanError::NoTime);
    }
    if limits.clock == ClockKind::Cpu && !platform::counts_cpu_time() {
        return Err(PlanError::NoCpuClock);
    }
    let seats = match &options.kind {
        RunKind::Match => options.seats.or_else(|| Seats::new(bots)),
        RunKind::Gate(_) if options.seats.is_some_and(|seats| seats != Seats::TWO) => {
            return Err(PlanError::GateSeats);
        }
        RunKind::Gate(_) | RunKind::Tournament { .. } => options.seats,
    };
    let settings = Settings {
        rules: options.rules,
        seats: seats.unwrap_or(Seats::TWO),
        set: options.set,
        target: options.target,
        limits,
        strikes: options.strikes,
        fresh: options.fresh,
        names: options.names,
        pondering: options.pondering,
        sandbox: Level::None,
        memory: None,
    };
    let rules = settings.rules()?;
    match &options.kind {
        RunKind::Match if bots != settings.seats.count() => {
            Err(PlanError::NotATable { bots, seats: settings.seats })
        }
        RunKind::Gate(_) if bots != 2 => Err(PlanError::NotTwo(bots)),
        _ => Ok((settings, rules)),
    }
}

fn jobs(options: &Options) -> Result<usize, PlanError> {
    let cores = platform::allowed_cores().len();
    let per_match = options.cores_per_match;
    if per_match == 0 || per_match > cores {
        return Err(PlanError::Cores(cores));
    }
    match options.jobs {
        Some(0) => Err(PlanError::NoJobs),
        Some(jobs) if jobs > MOST_JOBS => Err(PlanError::ManyJobs),
        Some(jobs) => Ok(jobs),
        None => Ok((cores / per_match).max(1)),
    }
}

/// The names of the bots that a gauntlet is for; `None` if everybody meets everybody.
fn challengers(options: &Options, found: &[Competitor]) -> Result<Option<Vec<String>>, PlanError> {
    let RunKind::Tournament { gauntlet } = &options.kind else { return Ok(None) };
    Ok(Some(names_of("--gauntlet", gauntlet, found, options)?).filter(|names| !names.is_empty()))
}

/// The names of the bots that may have changed since they played.
fn replaced(
    options: &Options,
    resumed: Option<&Resumed>,
    found: &[Competitor],
) -> Result<Vec<String>, PlanError> {
    if !options.replace.is_empty() {
        if matches!(options.kind, RunKind::Gate(_)) {
            return Err(PlanError::ReplacedInGate);
        }
        if resumed.is_none() {
            return Err(PlanError::NothingToReplace);
        }
    }
    Ok(names_of("--replace", &options.replace, found, options)?)
}

/// The format with the challengers that were not left out.
fn format(challengers: Option<&[String]>, bots: &[Competitor]) -> Format {
    let Some(names) = challengers else { return Format::RoundRobin };
    let challengers = bots.iter().enumerate().filter(|(_, bot)| names.contains(&bot.name));
    Format::Gauntlet { challengers: challengers.map(|(place, _)| BotIndex(place as u32)).collect() }
}

/// Builds the bots; one that cannot be run stops everything, or is left out and named.
pub(super) fn prepare(
    found: &[Competitor],
    missing: Vec<Missing>,
    options: &Options,
    launcher: &Launcher,
    private: &[PathBuf],
    tell: &mut dyn FnMut(Notice),
) -> Result<(Vec<Competitor>, Vec<LeftOut>), PlanError> {
    let mut missing = all_there(missing, options)?; // before anything is built
    let private: Vec<PathBuf> = private.iter().chain(&options.private).map(|path| in_full(path)).collect();
    let mut ready = Vec::new();
    for mut bot in found.iter().cloned() {
        let preparing = || format!("{} was being made ready", bot.name);
        goes_on(options, preparing)?;
        if bot.has_build() {
            tell(Notice::Building(bot.name.clone()));
        }
        let halted = || options.halt.is_called();
        let builder = Builder { launcher, limits: options.build_limits, halted: &halted };
        match bot.make_ready(builder, &options.allow_read, found, &private) {
            Ok(hidden) => {
                for (folder, why) in hidden {
                    tell(Notice::OnlyNamedFiles { bot: bot.name.clone(), folder, why });
                }
                ready.push(bot);
            }
            Err(NotReady::Missing(reason)) => missing.push(reason),
            Err(NotReady::Interrupted { bot }) => {
                return Err(PlanError::Interrupted(format!("{bot} was being built, which was ended")));
            }
            Err(NotReady::NotCopied(error)) => return Err(error.into()),
        }
    }
    if launcher.level() != Level::None {
        roster::keep_apart(&ready, found, &private)?;
    }
    let missing = all_there(missing, options)?;
    let left_out = missing
        .iter()
        .map(|missing| LeftOut { entry: missing.name().to_owned(), reason: missing.to_string() })
        .collect();
    for reason in missing {
        tell(Notice::LeftOut(reason));
    }
    Ok((ready, left_out))
}

/// Ends what prepares a run if somebody wants an end, and says what that was.
fn goes_on(options: &Options, doing: impl FnOnce() -> String) -> Result<(), PlanError> {
    if options.halt.is_called() { Err(PlanError::Interrupted(doing())) } else { Ok(()) }
}

/// Refuses to play without bots that were named, unless that is allowed.
pub(super) fn all_there(missing: Vec<Missing>, options: &Options) -> Result<Vec<Missing>, PlanError> {
    if missing.is_empty() || options.allow_missing { Ok(missing) } else { Err(PlanError::Missing(missing)) }
}

/// The path of a file that may not be there yet, with its folder in full.
fn in_full(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default();
    folder.join(path.file_name().unwrap_or_default())
}
