//! From options to a plan: determines everything that decides what is played, once.

use std::path::PathBuf;

use leyden_host::Launcher;
use leyden_host::platform;
use leyden_host::preflight::{self, ChosenLevel};
use leyden_host::sandbox::{Sandbox, SandboxLevel, SandboxLevelChoice};
use leyden_model::{BotIndex, Pondering, TournamentSeed};

use super::bot_option::names_of;
use super::choices::{all_there, fail_if_stopped, find, foreign_bots, jobs, prepare, settings};
use super::options::{FormatChoice, Options, RunKind, StagesChoice};
use super::plan::{Notice, Plan, PlanError, ResumedChoices};
use super::seed::seed;
use crate::roster::{self, Competitor, FoundBots, SameFiles, UnusableBotError};
use leyden_format::{Competition, Format, Presence, Seeding};

impl Plan {
    /// Resolves all choices: finds a sandbox level that holds, finds the bots and builds them. `private` are files that no
    /// bot may read; `notify` receives notices for the organiser.
    pub fn make(
        options: &Options,
        resumed: Option<&ResumedChoices>,
        private: &[PathBuf],
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, PlanError> {
        Draft::make(options, resumed, notify)?.ready(options, private, notify)
    }
}

/// A plan whose bots have been found, but neither built nor confined: everything that a resumed tournament must agree on.
#[derive(Debug)]
pub struct Draft {
    plan: Plan,
    missing: Vec<UnusableBotError>,
    /// The format, with the names of its bots as they are found.
    choice: FormatChoice,
    /// The names of the bots that may have changed.
    replaced: Vec<String>,
    /// Of a tournament that has started.
    attendance: Attendance,
}

/// Who came late to a competition or left it, and from which round on others may join.
#[derive(Clone, Debug, Default)]
struct Attendance {
    presence: Vec<Presence>,
    /// The number of bots so far, and the round in which others play first.
    joining: Option<(u32, u32)>,
}

impl Attendance {
    fn from_resumed(resumed: Option<&ResumedChoices>) -> Self {
        let known = resumed.and_then(|resumed| Some((resumed, resumed.competition.as_ref()?)));
        let Some((resumed, competition)) = known else { return Self::default() };
        let joining = resumed.open_round.map(|round| (resumed.bots.len() as u32, round));
        Self { presence: competition.presence.clone(), joining }
    }
}

impl Draft {
    /// Resolves all choices: finds a sandbox level that holds, and the bots. Nothing of a bot is run.
    pub fn make(
        options: &Options,
        resumed: Option<&ResumedChoices>,
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, PlanError> {
        let (found, missing) = found(options, resumed, notify)?;
        // Why a bot is missing says more than how many are left.
        let missing = all_there(missing, options)?;
        let (mut settings, rules) = match settings(options, found.len()) {
            Err(error) => {
                missing.into_iter().map(Notice::LeftOut).for_each(&mut *notify);
                return Err(error);
            }
            Ok(settled) => settled,
        };
        let jobs = jobs(options)?;
        let sandbox = sandbox(options, resumed, &found, notify)?;
        settings.sandbox = sandbox.level();
        settings.memory = (sandbox.level() != SandboxLevel::None).then_some(options.sandbox_limits().memory);
        let seats = settings.seats;
        if settings.pondering == Pondering::Allowed && options.cores_per_match < seats.count() {
            notify(Notice::SharedCores(seats));
        }
        let (cores, cores_per_match) = (platform::allowed_cores().len(), options.cores_per_match);
        if jobs * cores_per_match > cores {
            notify(Notice::CrowdedCores { jobs, cores_per_match, cores });
        }
        let choice = choice(options, &found)?;
        let replaced = replaced(options, resumed, &found)?;
        notify_of_named_files(&found, resumed, &replaced, notify);
        // The first bot of a gate is the one under test.
        let bots = if matches!(options.kind, RunKind::Gate(_)) { found } else { in_order(found, resumed) };
        let launcher = Launcher::new(options.leyden.clone()).with_sandbox(sandbox);
        let (gate, blocks) = match &options.kind {
            RunKind::Gate(terms) => (Some(*terms), terms.blocks()),
            RunKind::Tournament { .. } | RunKind::Match => (None, options.blocks),
        };
        let seed = seed(options.seed.as_deref(), resumed.map(|resumed| &*resumed.seed))?;
        let attendance = Attendance::from_resumed(resumed);
        let plan = Plan {
            settings,
            rules,
            format: format(&choice, &bots, &seed, &attendance),
            seed,
            bots,
            left_out: Vec::new(),
            blocks,
            gate,
            jobs,
            cores_per_match: options.cores_per_match,
            launcher,
            players: options.players.clone(),
        };
        plan.schedule()?;
        Ok(Self { plan, missing, choice, replaced, attendance })
    }

    /// The plan as it will be if all bots can be built.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The names of the bots that are to be replaced.
    pub fn replaced(&self) -> &[String] {
        &self.replaced
    }

    /// Builds the bots.
    pub fn ready(
        self,
        options: &Options,
        private: &[PathBuf],
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Plan, PlanError> {
        let Self { mut plan, missing, choice, attendance, .. } = self;
        let (bots, left_out) = prepare(&plan.bots, missing, options, &plan.launcher, private, notify)?;
        plan.format = format(&choice, &bots, &plan.seed, &attendance);
        (plan.bots, plan.left_out) = (bots, left_out);
        plan.schedule()?;
        Ok(plan)
    }
}

/// The named bots and the entries that are not bots, with notices about them.
fn found(
    options: &Options,
    resumed: Option<&ResumedChoices>,
    notify: &mut dyn FnMut(Notice),
) -> Result<(Vec<Competitor>, Vec<UnusableBotError>), PlanError> {
    let FoundBots { bots: mut found, left_out: missing, same_names } =
        find(options, resumed.map_or(&[], |resumed| &resumed.bots))?;
    let withdrawn = resumed.map_or(&[][..], |resumed| &resumed.withdrawn);
    for bot in found.extract_if(.., |bot| withdrawn.contains(&bot.name)) {
        notify(Notice::Withdrawn(bot.name));
    }
    fail_if_stopped(options, || "bots were looked for".to_owned())?;
    for same in same_names {
        notify(Notice::SameName(same));
    }
    // Authors who try their own bot know whether they have changed it.
    let is_worth = |same: &SameFiles| match options.kind {
        RunKind::Tournament { .. } => true,
        RunKind::Match => same.bots.len() > 1,
        RunKind::Gate(_) => same.bots.len() > 1 && !same.whole, // a gate of identical bots is handled elsewhere
    };
    let same_files = roster::same_files(&found).into_iter().filter(is_worth);
    same_files.map(Notice::SameFiles).for_each(&mut *notify);
    Ok((found, missing))
}

/// The sandbox of the run. A resumed tournament keeps its level, unless another was chosen.
fn sandbox(
    options: &Options,
    resumed: Option<&ResumedChoices>,
    found: &[Competitor],
    notify: &mut dyn FnMut(Notice),
) -> Result<Sandbox, PlanError> {
    let choice = match (options.settings.sandbox, resumed) {
        (SandboxLevelChoice::Auto, Some(resumed)) => SandboxLevelChoice::Exactly(resumed.sandbox),
        (choice, _) => choice,
    };
    let ChosenLevel { sandbox, missing: better } =
        preflight::choose(&options.leyden, choice, options.sandbox_limits())?;
    fail_if_stopped(options, || "the sandbox was tried".to_owned())?;
    notify(Notice::Sandbox { level: sandbox.level(), missing: better, foreign_bots: foreign_bots(found) });
    Ok(sandbox)
}

/// Reports the bots that can only be compared by their named files with those that played before.
fn notify_of_named_files(
    found: &[Competitor],
    resumed: Option<&ResumedChoices>,
    replaced: &[String],
    notify: &mut dyn FnMut(Notice),
) {
    let Some(resumed) = resumed else { return };
    let continues = |bot: &&Competitor| {
        bot.is_known_by_named_files()
            && resumed.bots.iter().any(|known| known.name == bot.name)
            && !replaced.contains(&bot.name)
    };
    let bots: Vec<String> = found.iter().filter(continues).map(|bot| bot.name.clone()).collect();
    if !bots.is_empty() {
        notify(Notice::OnlyNamedFilesCompared { bots });
    }
}

/// The earlier bots in their old order, followed by those that join.
fn in_order(mut found: Vec<Competitor>, resumed: Option<&ResumedChoices>) -> Vec<Competitor> {
    let index = |bot: &Competitor| {
        let index = resumed?.bots.iter().position(|known| known.name == bot.name);
        index.or(Some(usize::MAX))
    };
    found.sort_by_key(index); // bots that join stay in the order in which they were named
    found
}

/// The format with the names of its bots. What a match or a gate plays is a round-robin.
fn choice(options: &Options, found: &[Competitor]) -> Result<FormatChoice, PlanError> {
    let RunKind::Tournament { format } = &options.kind else { return Ok(FormatChoice::RoundRobin) };
    Ok(match format {
        FormatChoice::Gauntlet(challengers) => {
            FormatChoice::Gauntlet(names_of("--gauntlet", challengers, found, options)?)
        }
        FormatChoice::RoundRobin | FormatChoice::Stages(_) => format.clone(),
    })
}

/// The names of the bots that may have changed since they played.
fn replaced(
    options: &Options,
    resumed: Option<&ResumedChoices>,
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

/// The format with the bots that were not left out.
fn format(choice: &FormatChoice, bots: &[Competitor], seed: &str, attendance: &Attendance) -> Format {
    let indexed = (0..).map(BotIndex).zip(bots);
    match choice {
        FormatChoice::RoundRobin => Format::RoundRobin,
        FormatChoice::Gauntlet(names) => {
            let challengers = indexed.filter(|(_, bot)| names.contains(&bot.name));
            Format::Gauntlet { challengers: challengers.map(|(index, _)| index).collect() }
        }
        FormatChoice::Stages(StagesChoice { seeding, rated, stages }) => {
            let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
            let seeds = match seeding {
                Seeding::List => indexed.map(|(index, _)| index).collect(),
                Seeding::Draw => drawn(&TournamentSeed::from_text(seed), &names),
                Seeding::Rating => {
                    let rank =
                        |name: &str| rated.iter().position(|other| other == name).unwrap_or(usize::MAX);
                    let mut seeds: Vec<BotIndex> = indexed.map(|(index, _)| index).collect();
                    seeds.sort_by_key(|bot| rank(names[bot.index()]));
                    seeds
                }
            };
            let presence = attendance.presence.clone();
            let mut competition = Competition { seeding: *seeding, seeds, presence, stages: stages.clone() };
            if let Some((known, round)) = attendance.joining {
                (known..bots.len() as u32).for_each(|bot| competition.join(BotIndex(bot), round));
            }
            Format::Stages(competition)
        }
    }
}

/// Seeds drawn from the tournament's seed: by the seed that a match of a bot alone would have in block 0, lowest first. It
/// depends on no other bot, and no match has it.
pub fn drawn(seed: &TournamentSeed, names: &[&str]) -> Vec<BotIndex> {
    let mut seeds: Vec<BotIndex> = (0..names.len() as u32).map(BotIndex).collect();
    seeds.sort_by_key(|bot| seed.match_seed(&[names[bot.index()]], 0).to_string());
    seeds
}
