//! `leyden tournament` and `leyden match`: from options to a results file and standings.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use leyden_arena::record::store::{Done, Known, Results, Setup, Stopped, StoreError, Writer};
use leyden_arena::report::{Faults, OffTurn};
use leyden_arena::roster::{self, Competitor};
use leyden_arena::tournament::{Ended, Halt, Played, START_FAILURES, Tournament, Void, Voided, Withdrawal};
use leyden_host::preflight::Chosen;
use leyden_host::sandbox::Level;
use leyden_host::{Launcher, platform};
use leyden_model::Pondering;
use leyden_protocol::Seats;
use leyden_stats::SprtPlan;

use super::args::{RunOptions, TournamentOptions};
use super::config;
use super::ending;
use super::events::Event;
use super::exit::{Code, Stop};
use super::progress::Progress;
use super::report::faults::{self, replay_command};
use super::report::grid::plain;
use super::sandbox;
use super::signals;

/// Which of the two commands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tournament,
    Match,
}

/// Plays, stores, and tells what came of it.
pub(super) fn run(
    typed: TournamentOptions,
    run: &RunOptions,
    kind: Kind,
    junit: Option<PathBuf>,
) -> Result<Code, Stop> {
    let file = run.config.as_deref().map(config::read).transpose()?;
    let mut options = config::complete(typed, file)?;
    let found = find(&options)?;
    if kind == Kind::Match && options.seats.is_none() {
        options.seats = Seats::new(found.len());
    }
    let settings = config::settings(&options)?;
    if kind == Kind::Match && found.len() != settings.seats.count() {
        let (bots, seats) = (found.len(), settings.seats);
        return Err(Stop::usage(format!("a match needs one bot for each of its {seats} seats, not {bots}")));
    }
    let Ready { tournament, setup, writer, done } = ready(&options, found, None, run.quiet)?;
    let course = Course { tournament, setup, writer, done, kind, json: run.json, quiet: run.quiet, junit };
    course.announce(options.seed.is_some())?;
    course.play()
}

/// Everything that is needed to play: bots that can run, a schedule, and an open results file.
pub(super) struct Ready {
    pub(super) tournament: Tournament,
    pub(super) setup: Setup,
    pub(super) writer: Writer,
    pub(super) done: Done,
}

/// Finds a sandbox that holds, builds the bots and opens the results file. `gate` is what is tested, if anything is.
pub(super) fn ready(
    options: &TournamentOptions,
    found: Vec<Competitor>,
    gate: Option<SprtPlan>,
    quiet: bool,
) -> Result<Ready, Stop> {
    let mut settings = config::settings(options)?;
    let rules = settings.rules().map_err(Stop::usage)?;
    let jobs = jobs(options)?;
    let resumed = resumed_seed(options)?;
    let leyden = super::leyden()?;
    let Chosen { sandbox, line } = sandbox::choose(options, &leyden)?;
    if !quiet {
        super::say(format_args!("{line}"));
    }
    settings.sandbox = sandbox.level();
    if settings.pondering == Pondering::Allowed
        && options.cores_per_match.unwrap_or(1) < settings.seats.count()
    {
        super::say(format_args!(
            "warning: with --ponder, bots that share a core take each other's time: --cores-per-match {} gives each its own",
            settings.seats
        ));
    }
    let bots = prepare(found, options, sandbox.level())?;
    let setup = Setup {
        settings,
        seed: seed_text(options, resumed)?,
        bots: bots.iter().map(Competitor::entry).collect(),
        blocks: options.blocks.unwrap_or(1),
        gate,
    };
    let schedule = setup.schedule().map_err(Stop::usage)?;
    let launcher = Launcher::new(leyden).with_sandbox(sandbox);
    let (writer, done) = open(options, &setup)?;
    let tournament = Tournament {
        rules,
        seed: setup.tournament_seed(),
        settings: setup.settings.clone(),
        bots,
        schedule,
        jobs,
        cores_per_match: options.cores_per_match.unwrap_or(1),
        launcher,
    };
    Ok(Ready { tournament, setup, writer, done })
}

/// The bots that were typed, not yet built.
pub(super) fn find(options: &TournamentOptions) -> Result<Vec<Competitor>, Stop> {
    if options.bots.is_empty() {
        return Err(Stop::usage(
            "name the bots that play, such as: leyden tournament builtin:careful builtin:greedy",
        ));
    }
    roster::find(&options.bots, &super::leyden()?).map_err(Stop::usage)
}

/// Builds the bots; one that cannot be run stops everything, or is left out and named.
fn prepare(
    found: Vec<Competitor>,
    options: &TournamentOptions,
    level: Level,
) -> Result<Vec<Competitor>, Stop> {
    let (mut ready, mut missing) = (Vec::new(), Vec::new());
    for mut bot in found {
        if bot.has_build() {
            super::say(format_args!("building {}", bot.name));
        }
        match sandbox::admit(&mut bot, options, level).and_then(|()| bot.prepare()) {
            Ok(()) => ready.push(bot),
            Err(reason) => missing.push(reason.to_string()),
        }
    }
    sandbox::keep_apart(&ready, options, level)?;
    if missing.is_empty() {
        return Ok(ready);
    }
    if !options.allow_missing.unwrap_or(false) {
        let all = missing.join("\n");
        return Err(Stop::missing(format!(
            "{all}\nNothing was played. --allow-missing leaves such bots out."
        )));
    }
    for reason in missing {
        super::say(format_args!("left out: {reason}"));
    }
    Ok(ready)
}

fn jobs(options: &TournamentOptions) -> Result<usize, Stop> {
    let cores = platform::allowed_cores().len();
    let per_match = options.cores_per_match.unwrap_or(1);
    if per_match == 0 || per_match > cores {
        return Err(Stop::usage(format!("--cores-per-match must be 1 to {cores}, the cores there are")));
    }
    match options.jobs {
        Some(0) => Err(Stop::usage("--jobs must be at least 1")),
        Some(jobs) if jobs > 1_024 => Err(Stop::usage("--jobs must be at most 1024")),
        Some(jobs) => Ok(jobs),
        None => Ok((cores / per_match).max(1)),
    }
}

/// The seed text of the file that is to be resumed.
fn resumed_seed(options: &TournamentOptions) -> Result<Option<String>, Stop> {
    if !options.resume.unwrap_or(false) {
        return Ok(None);
    }
    let Some(path) = &options.results else {
        return Err(Stop::usage("--resume needs the file to go on with: --results FILE"));
    };
    Ok(Some(Results::open(path).map_err(Stop::usage)?.setup().seed.clone()))
}

fn seed_text(options: &TournamentOptions, resumed: Option<String>) -> Result<String, Stop> {
    match (config::seed_text(options)?, resumed) {
        (Some(text), _) | (None, Some(text)) => Ok(text),
        (None, None) => config::random_seed_text(),
    }
}

/// Opens the results file that was named, or a new one named by the date.
fn open(options: &TournamentOptions, setup: &Setup) -> Result<(Writer, Done), Stop> {
    let none_done = || setup.schedule().map(|schedule| Done::none(&schedule)).map_err(Stop::usage);
    match &options.results {
        Some(path) if options.resume.unwrap_or(false) => Writer::resume(path, setup).map_err(refusal),
        Some(path) => Ok((Writer::create(path, setup).map_err(refusal)?, none_done()?)),
        None => {
            let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
            for n in 1.. {
                match Writer::create(&PathBuf::from(format!("leyden-{}-{n}.db", &today[..10])), setup) {
                    Err(StoreError::Exists { .. } | StoreError::InUse { .. }) => {}
                    created => return Ok((created.map_err(refusal)?, none_done()?)),
                }
            }
            Err(Stop::defect("no name was left for a results file"))
        }
    }
}

fn refusal(error: StoreError) -> Stop {
    Stop::usage(error)
}

/// A tournament with its results file, ready to be played.
struct Course {
    tournament: Tournament,
    setup: Setup,
    writer: Writer,
    done: Done,
    kind: Kind,
    json: bool,
    quiet: bool,
    junit: Option<PathBuf>,
}

impl Course {
    fn say(&self, text: std::fmt::Arguments<'_>) {
        if !self.quiet {
            super::say(text);
        }
    }

    /// What is going to be played, before the first match.
    fn announce(&self, typed_seed: bool) -> Result<(), Stop> {
        let (schedule, settings) = (self.tournament.schedule, &self.setup.settings);
        let commitment = self.tournament.seed.commitment();
        let (total, done) = (schedule.matches(), self.done.count());
        self.say(format_args!(
            "{} to {} with {} · {} bots · {} {} · {} {} of {} matches{}",
            settings.rules,
            settings.target,
            settings.set,
            schedule.bots(),
            schedule.tables(),
            if schedule.tables() == 1 { "table" } else { "tables" },
            schedule.blocks(),
            if schedule.blocks() == 1 { "block" } else { "blocks" },
            schedule.matches_per_block(),
            if done > 0 { format!(" · {done} of {total} played before") } else { String::new() },
        ));
        self.say(format_args!("results in {} · seed commitment {commitment}", self.writer.path().display()));
        if typed_seed {
            self.say(format_args!(
                "the seed was typed, so a bot could guess it: good for tests, not for a competition"
            ));
        }
        if self.json {
            super::print_line(&Event::Start {
                tournament: &self.tournament.seed.tournament_id(),
                commitment: &commitment,
                results: &self.writer.path().display().to_string(),
                bots: self.tournament.bots.iter().map(|bot| bot.name.as_str()).collect(),
                matches: total,
                done,
            })?;
        }
        Ok(())
    }

    fn play(self) -> Result<Code, Stop> {
        let halt = Halt::default();
        signals::halt_on_signals(&halt)?;
        let total = self.tournament.schedule.matches();
        let mut progress = Progress::new(total, self.done.count(), self.quiet);
        let mut sums = Sums::default();
        let mut trouble = Ok(());
        let outcome = self.tournament.play(&|rank| self.done.contains(rank), &halt, |ended| {
            if let Ended::Played(played) = &ended {
                progress.played(played.record.fault.is_some());
            }
            let taken = self.take(ended, &mut sums);
            if taken.is_err() {
                halt.now();
            }
            if trouble.is_ok() {
                trouble = taken;
            }
        });
        progress.finish();
        let Self { writer, setup, kind, json, quiet, junit, .. } = self;
        let path = writer.path().to_owned();
        writer.finish().map_err(Stop::defect)?;
        trouble?;
        outcome.map_err(Stop::defect)?;
        let results = Results::open(&path).map_err(Stop::defect)?;
        let stored = results.count().map_err(Stop::defect)?;
        let complete = stored == total;
        let faults = Faults::of(&results).map_err(Stop::usage)?;
        ending::tell(&results, kind, &faults, &sums.withdrawn, json, junit.as_deref())?;
        ending::tell_off_turn(&sums.off_turn, &setup.settings, json, quiet)?;
        if json {
            super::print_line(&Event::End {
                played: sums.played,
                voided: sums.voided,
                withdrawn: sums.withdrawn.iter().map(|withdrawal| withdrawal.name.as_str()).collect(),
                interrupted: halt.is_called() && !complete,
                seed: complete.then_some(&setup.seed),
            })?;
        }
        if !json && !quiet && !faults.is_empty() {
            super::say(format_args!("{}", faults::told(&faults, Some(&path))));
        }
        if complete {
            if !quiet {
                super::say(format_args!("seed text: {}", setup.seed));
            }
            return Ok(Code::Done);
        }
        let (code, why) = if halt.is_called() {
            (Code::Interrupted, "interrupted".to_owned())
        } else {
            (
                Code::Done,
                format!("{} void, for the reasons above", count(sums.voided, "match is", "matches are")),
            )
        };
        let message = format!(
            "{why}: {stored} of {total} matches are in {}; go on with\n  {}",
            path.display(),
            resume_command(&path)
        );
        Err(Stop { code, message })
    }

    /// Tells programs, if they were promised to be told. Whoever closed standard output does not keep a match from being
    /// stored.
    fn tell(&self, event: &Event<'_>) -> Result<(), Stop> {
        if self.json { super::print_line(event) } else { Ok(()) }
    }

    /// Tells and stores what came of a match.
    fn take(&self, ended: Ended, sums: &mut Sums) -> Result<(), Stop> {
        match ended {
            Ended::Played(played) => {
                let Played { rank, fixture, record } = *played;
                sums.played += 1;
                sums.off_turn.note(&record);
                let replay = replay_command(self.writer.path(), &record);
                let told = self.tell(&Event::Match { rank, replay, record: &record });
                told.and(stored(self.writer.add(&fixture, record)))
            }
            Ended::Voided(voided) => {
                sums.voided += 1;
                let reason = void(&voided, self.writer.path());
                let record = Known::new(&self.setup).of(&voided.fixture);
                let told = self.tell(&Event::Void {
                    rank: voided.rank,
                    id: &record.id,
                    block: record.block,
                    leg: record.leg,
                    bots: record.bots.as_slice(),
                    reason: &reason,
                });
                told.and(stored(self.writer.void(&voided.fixture, &reason, voided.played)))
            }
            Ended::Withdrawn(withdrawal) => {
                say_withdrawn(&withdrawal);
                let told = self.tell(&Event::Withdrawn {
                    bot: &withdrawal.name,
                    failures: START_FAILURES,
                    code: withdrawal.code,
                    message: &withdrawal.message,
                });
                sums.withdrawn.push(withdrawal);
                told
            }
        }
    }
}

/// What came of a run so far.
#[derive(Default)]
pub(super) struct Sums {
    played: u64,
    voided: u64,
    pub(super) withdrawn: Vec<Arc<Withdrawal>>,
    pub(super) off_turn: OffTurn,
}

/// That nothing can be stored any more is not told here: [`Writer::finish`] says why.
fn stored(stored: Result<(), Stopped>) -> Result<(), Stop> {
    stored.map_err(Stop::defect)
}

/// Says that a match is void, and gives the reason as it is to be kept. A match that is void with its pair was told of
/// with it.
pub(super) fn void(voided: &Voided, results: &Path) -> String {
    let mut reason = voided.why.to_string();
    match &voided.why {
        Void::HostOverloaded(_) => super::say(format_args!("a match is void: {reason}")),
        Void::Pair { .. } => {}
        Void::Defect(defect) => {
            for line in defect.circumstances() {
                reason.push_str("\n  ");
                reason.push_str(&line);
            }
            super::say(format_args!(
                "a match is void, and its pair with it: {reason}\nPlease report this. To play the pair again, on the \
                 same deals:\n  {}",
                resume_command(results)
            ));
        }
    }
    reason
}

/// Says that a bot is withdrawn.
pub(super) fn say_withdrawn(withdrawal: &Withdrawal) {
    let what = withdrawal.message.lines().next().unwrap_or_default();
    super::say(format_args!(
        "{} is withdrawn after {START_FAILURES} start failures in a row; its other matches count as lost. The last \
         failure: {}: {}",
        plain(&withdrawal.name),
        withdrawal.code,
        plain(what)
    ));
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// What to type to go on: what was typed, and the results file.
pub(super) fn resume_command(path: &Path) -> String {
    let mut words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|word| word == "--results") {
        words.drain(at..(at + 2).min(words.len()));
    }
    words.retain(|word| word != "--resume" && !word.starts_with("--results="));
    words.extend(["--results".to_owned(), path.display().to_string(), "--resume".to_owned()]);
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
