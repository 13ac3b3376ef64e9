//! The options of a tournament, from the configuration file and from what was typed, made into what is played.

use std::fs;
use std::path::{Path, PathBuf};

use leyden_arena::run::{Kind, Options};
use leyden_arena::tournament::ResultsFile;
use leyden_model::{Pondering, TimeLimits};

use super::args::{GateTest, Span, TournamentOptions};
use super::exit::Stop;
use super::sandbox;

/// Reads a configuration file. Paths in it are relative to its folder.
pub(super) fn read(path: &Path) -> Result<TournamentOptions, Stop> {
    let text = fs::read_to_string(path)
        .map_err(|error| Stop::usage(format!("cannot read the configuration {}: {error}", path.display())))?;
    let mut options: TournamentOptions = toml::from_str(&text)
        .map_err(|error| Stop::usage(format!("{}: {}", path.display(), error.to_string().trim_end())))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for bot in options.bots.iter_mut().chain(&mut options.gauntlet) {
        let beside = folder.join(&*bot);
        if beside.exists() {
            *bot = beside.display().to_string();
        }
    }
    let files = [&mut options.seed_file, &mut options.results].into_iter().flatten();
    for file in files.chain(&mut options.allow_read) {
        *file = folder.join(&*file);
    }
    Ok(options)
}

/// What was typed, completed by the configuration file.
pub(super) fn complete(typed: TournamentOptions, file: TournamentOptions) -> TournamentOptions {
    let pondering = typed_pondering(&typed);
    let bots = if typed.bots.is_empty() { file.bots } else { typed.bots };
    // A seed that was typed in one form replaces the other form in the file.
    let seed_typed = typed.seed.is_some() || typed.seed_file.is_some();
    let (seed, seed_file) =
        if seed_typed { (typed.seed, typed.seed_file) } else { (file.seed, file.seed_file) };
    TournamentOptions {
        bots,
        rules: typed.rules.or(file.rules),
        seats: typed.seats.or(file.seats),
        set: typed.set.or(file.set),
        target: typed.target.or(file.target),
        blocks: typed.blocks.or(file.blocks),
        seed,
        seed_file,
        jobs: typed.jobs.or(file.jobs),
        cores_per_match: typed.cores_per_match.or(file.cores_per_match),
        turn: typed.turn.or(file.turn),
        bank: typed.bank.or(file.bank),
        increment: typed.increment.or(file.increment),
        startup: typed.startup.or(file.startup),
        clock: typed.clock.or(file.clock),
        pondering: pondering.or(file.pondering),
        ponder: false,
        no_ponder: false,
        strikes: typed.strikes.or(file.strikes),
        fresh: typed.fresh.or(file.fresh),
        names: typed.names.or(file.names),
        sandbox: typed.sandbox.or(file.sandbox),
        allow_read: if typed.allow_read.is_empty() { file.allow_read } else { typed.allow_read },
        memory: typed.memory.or(file.memory),
        allow_missing: typed.allow_missing.or(file.allow_missing),
        results: typed.results.or(file.results),
        resume: typed.resume.or(file.resume),
        gauntlet: if typed.gauntlet.is_empty() { file.gauntlet } else { typed.gauntlet },
        gate: typed.gate.or(file.gate),
    }
}

/// What the two options for pondering say, if one was typed.
fn typed_pondering(typed: &TournamentOptions) -> Option<Pondering> {
    match (typed.ponder, typed.no_ponder) {
        (true, _) => Some(Pondering::Allowed),
        (_, true) => Some(Pondering::Never),
        (false, false) => typed.pondering,
    }
}

/// A gate as it was typed, completed by the configuration file. Bounds that were typed replace those in the file.
pub(super) fn complete_gate(typed: GateTest, file: GateTest) -> Result<GateTest, Stop> {
    if file.non_regression && (file.elo0.is_some() || file.elo1.is_some()) {
        return Err(Stop::usage(
            "the configuration's section gate has bounds and non-regression: it is one or the other",
        ));
    }
    let bounds = if typed.non_regression {
        GateTest { elo0: None, elo1: None, ..typed }
    } else if typed.elo0.is_some() || typed.elo1.is_some() {
        GateTest { elo0: typed.elo0.or(file.elo0), elo1: typed.elo1.or(file.elo1), ..typed }
    } else {
        file
    };
    Ok(GateTest {
        alpha: typed.alpha.or(file.alpha),
        beta: typed.beta.or(file.beta),
        max_pairs: typed.max_pairs.or(file.max_pairs),
        model: typed.model.or(file.model),
        ..bounds
    })
}

/// The options as the library takes them.
pub(super) fn options(options: &TournamentOptions, kind: Kind) -> Result<Options, Stop> {
    let limits = TimeLimits::default();
    let default = Options::new(super::leyden()?, options.bots.iter().cloned());
    let millis = |span: Option<Span>, default: u64| span.map_or(default, Span::millis);
    Ok(Options {
        kind,
        rules: options.rules.unwrap_or(default.rules),
        seats: options.seats,
        set: options.set.unwrap_or(default.set),
        target: options.target.unwrap_or(default.target),
        limits: TimeLimits {
            startup_ms: millis(options.startup, limits.startup_ms),
            turn_ms: millis(options.turn, limits.turn_ms),
            bank_ms: millis(options.bank, limits.bank_ms),
            increment_ms: millis(options.increment, limits.increment_ms),
            clock: options.clock.unwrap_or(limits.clock),
        },
        strikes: options.strikes.unwrap_or(default.strikes),
        fresh: options.fresh.unwrap_or(default.fresh),
        names: options.names.unwrap_or(default.names),
        pondering: options.pondering.unwrap_or(default.pondering),
        blocks: options.blocks.unwrap_or(default.blocks),
        seed: seed_text(options)?,
        jobs: options.jobs,
        cores_per_match: options.cores_per_match.unwrap_or(default.cores_per_match),
        sandbox: options.sandbox.unwrap_or(default.sandbox),
        sandbox_limits: sandbox::limits(options.memory),
        allow_read: options.allow_read.clone(),
        allow_missing: options.allow_missing.unwrap_or(default.allow_missing),
        ..default
    })
}

/// Where the results go.
pub(super) fn results_file(options: &TournamentOptions) -> Result<ResultsFile, Stop> {
    match (&options.results, options.resume.unwrap_or(false)) {
        (Some(path), false) => Ok(ResultsFile::New(path.clone())),
        (Some(path), true) => Ok(ResultsFile::Resumed(path.clone())),
        (None, false) => Ok(ResultsFile::Dated(PathBuf::new())),
        (None, true) => Err(Stop::usage("--resume needs the file to go on with: --results FILE")),
    }
}

/// The seed text that was chosen, if one was.
fn seed_text(options: &TournamentOptions) -> Result<Option<String>, Stop> {
    if let Some(text) = &options.seed {
        return Ok(Some(text.clone()));
    }
    let Some(path) = &options.seed_file else { return Ok(None) };
    let text = fs::read_to_string(path)
        .map_err(|error| Stop::usage(format!("cannot read the seed file {}: {error}", path.display())))?;
    let text = text.trim_matches(['\r', '\n']);
    if text.is_empty() {
        return Err(Stop::usage(format!("the seed file {} is empty", path.display())));
    }
    Ok(Some(text.to_owned()))
}
