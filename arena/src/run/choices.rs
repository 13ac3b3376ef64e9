//! Checks each choice of the organiser by itself, and derives what follows from it.

use std::path::{Path, PathBuf};

use leyden_host::sandbox::SandboxLevel;
use leyden_host::{Launcher, platform};
use leyden_model::{BotEntry, LeftOut, Settings};
use leyden_protocol::{ClockKind, Seats};
use leyden_rules::Rules;

use super::options::{Options, RunKind};
use super::plan::{MOST_JOBS, Notice, PlanError};
use crate::roster::{self, BotPreparationError, Builder, Competitor, FoundBots, Grants, UnusableBotError};

/// Finds the named bots, without building them. Bots that are already known keep their names.
pub(super) fn find(options: &Options, known: &[BotEntry]) -> Result<FoundBots, PlanError> {
    if options.bots.is_empty() {
        return Err(PlanError::NoBots);
    }
    let mut found = roster::find_again(&options.bots, &options.leyden, known)?;
    // Who has begun to play goes on.
    if matches!(options.kind, RunKind::Tournament { .. }) && !options.allow_builtins && known.is_empty() {
        found.refuse_builtins(&options.leyden);
    }
    if let Some(bot) = found.bots.iter().find(|bot| !options.players.can_seat(bot)) {
        return Err(PlanError::NoSuchPlayer(bot.words.join(" ")));
    }
    if options.no_build {
        found.leave_unbuilt();
    }
    if matches!(options.kind, RunKind::Gate(_)) {
        found.name_by_folder();
        found.name_as(known);
    }
    for (bot, path) in found.bots.iter_mut().zip(&options.paths) {
        if path.is_some() {
            bot.handed_in.clone_from(path);
        }
    }
    for (bot, name) in found.bots.iter_mut().zip(&options.called) {
        bot.name.clone_from(name);
    }
    Ok(found)
}

/// The number of bots that are not part of this program.
pub(super) fn foreign_bots(found: &[Competitor]) -> usize {
    found.iter().filter(|bot| !bot.is_builtin()).count()
}

/// The settings of the tournament. The sandbox level is not known yet.
pub(super) fn settings(options: &Options, bots: usize) -> Result<(Settings, Rules), PlanError> {
    let limits = options.settings.limits;
    if limits.startup_ms == 0 {
        return Err(PlanError::NoStartup);
    }
    if limits.turn_ms == 0 && limits.bank_ms == 0 {
        return Err(PlanError::NoTime);
    }
    if limits.clock == ClockKind::Cpu && !platform::counts_cpu_time() {
        return Err(PlanError::NoCpuClock);
    }
    let seats = match (&options.kind, options.settings.seats) {
        (RunKind::Match, None) => Seats::new(bots),
        (RunKind::Gate(_), Some(seats)) if seats != Seats::TWO => return Err(PlanError::GateSeats),
        (_, seats) => seats,
    };
    let settings = options.settings.clone().with(seats.unwrap_or(Seats::TWO), SandboxLevel::None);
    let settings = Settings { memory: None, ..settings };
    let rules = settings.rules()?;
    match &options.kind {
        RunKind::Match if bots != settings.seats.count() => {
            Err(PlanError::NotATable { bots, seats: settings.seats })
        }
        RunKind::Gate(_) if bots != 2 => Err(PlanError::NotTwo(bots)),
        RunKind::Tournament { .. } | RunKind::Match | RunKind::Gate(_) => Ok((settings, rules)),
    }
}

pub(super) fn jobs(options: &Options) -> Result<usize, PlanError> {
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

/// Builds the bots. If one cannot be run, either the whole run fails, or the bot is left out and reported.
pub(super) fn prepare(
    found: &[Competitor],
    missing: Vec<UnusableBotError>,
    options: &Options,
    launcher: &Launcher,
    private: &[PathBuf],
    notify: &mut dyn FnMut(Notice),
) -> Result<(Vec<Competitor>, Vec<LeftOut>), PlanError> {
    let mut missing = all_there(missing, options)?; // before anything is built
    let private: Vec<PathBuf> = private.iter().chain(&options.private).map(|path| in_full(path)).collect();
    let mut ready = Vec::new();
    let grants = Grants {
        read: &options.allow_read,
        network: &options.allow_network,
        sharing: options.kind.sharing(),
    };
    for mut bot in found.iter().cloned() {
        let preparing = || format!("{} was being prepared", bot.name);
        fail_if_stopped(options, preparing)?;
        if let Some(bot) = options.ready.get(&bot) {
            ready.push(bot);
            continue;
        }
        if bot.has_build() {
            notify(Notice::Building(bot.name.clone()));
        }
        let stopped = || options.stop.is_cancelled();
        let kept = options.kept_builds.as_deref();
        let builder = Builder { launcher, limits: options.build_limits, stopped: &stopped, kept };
        match bot.make_ready(builder, grants, found, &private) {
            Ok(hidden) => {
                for (folder, why) in hidden {
                    notify(Notice::OnlyNamedFiles { bot: bot.name.clone(), folder, why });
                }
                options.ready.note(bot.clone());
                ready.push(bot);
            }
            Err(BotPreparationError::Missing(reason)) => missing.push(reason),
            Err(BotPreparationError::Interrupted { bot }) => {
                return Err(PlanError::Interrupted(format!(
                    "{bot} was being built, and the build was stopped"
                )));
            }
            Err(BotPreparationError::NotCopied(error)) => return Err(error.into()),
        }
    }
    if launcher.level() != SandboxLevel::None {
        roster::keep_apart(&ready, found, &private)?;
    }
    let missing = all_there(missing, options)?;
    let left_out = missing.iter().map(UnusableBotError::left_out).collect();
    for reason in missing {
        notify(Notice::LeftOut(reason));
    }
    Ok((ready, left_out))
}

/// Fails if a stop was asked for; `doing` says what was going on.
pub(super) fn fail_if_stopped(options: &Options, doing: impl FnOnce() -> String) -> Result<(), PlanError> {
    if options.stop.is_cancelled() { Err(PlanError::Interrupted(doing())) } else { Ok(()) }
}

/// Fails if named bots are missing, unless they may be left out. A gate cannot do with one bot.
pub(super) fn all_there(
    missing: Vec<UnusableBotError>,
    options: &Options,
) -> Result<Vec<UnusableBotError>, PlanError> {
    let may_be_left_out = options.allow_missing && !matches!(options.kind, RunKind::Gate(_));
    if missing.is_empty() || may_be_left_out {
        return Ok(missing);
    }
    let can_be_left_out = matches!(options.kind, RunKind::Tournament { .. });
    Err(PlanError::Missing { missing, can_be_left_out })
}

/// The path of a file that may not exist yet, with the full path of its folder.
fn in_full(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default();
    folder.join(path.file_name().unwrap_or_default())
}
