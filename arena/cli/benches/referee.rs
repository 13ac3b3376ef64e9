//! The arena's own processor time per decision, compared with that of two pipes: matches and a pipe ping-pong, interleaved in
//! one run.
//!
//! `cargo bench -p leyden --bench referee` measures. After `--`: `--test` runs everything once, to show that it still
//! works; `arena` or `floor` runs only that side, for a profiler.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::path::{Path, PathBuf};
use std::time::Instant;

use leyden_host::sandbox::SandboxLevelChoice;
use leyden_host::{BotCommand, Launcher, ResourceLimits, platform, preflight};
use leyden_model::MatchHeader;
use leyden_model::TournamentSeed;
use leyden_model::{Pondering, TimeLimits};
use leyden_protocol::RulesName;
use leyden_referee::{Launch, MatchOutcome, MatchSpec, ProcessPlayer, SeatedPlayer, play_match};
use leyden_rules::Rules;
use measure::{BenchResult, Lines, Measured, Traffic, median, ping_pong, process_cpu};

/// How much to measure.
#[derive(Clone, Copy)]
struct Size {
    pairs: usize,
    exchanges: u64,
    matches: u32,
}

const WHOLE: Size = Size { pairs: 7, exchanges: 60_000, matches: 400 };
const SMOKE: Size = Size { pairs: 1, exchanges: 1_000, matches: 4 };

fn main() -> BenchResult<()> {
    if let Some(outcome) = measure::echo().or_else(measure::instant) {
        return outcome;
    }
    let size = if measure::is_smoke() { SMOKE } else { WHOLE };
    let cores = platform::allowed_cores();
    let (first, other) = (cores[0], cores[1 % cores.len()]);
    let instant = program(std::env::current_exe()?, &[measure::INSTANT]);
    let native = Table::new(instant, Launcher::new(leyden()), (first, first));
    platform::pin_thread(&[first]);
    let lines = native.lines()?;
    let only = |side: &str| std::env::args().any(|argument| argument == side);
    if only("arena") || only("floor") {
        for _ in 0..size.pairs {
            let measured =
                if only("arena") { native.play(size.matches)? } else { ping_pong(lines, size.exchanges)? };
            println!("{:.2} µs", measured.cpu_us());
        }
        return Ok(());
    }
    against_the_floor(&native, lines, size)?;
    println!("\nother tables, medians; on wall: µs of wall time per decision, bots included");
    println!("{:<44} {:>9} {:>9} {:>9} {:>9}", "", "floor µs", "arena µs", "ratio", "on wall");
    beside("native", &native, lines, size)?;
    let random = program(leyden(), &["bot", "random"]);
    beside("native, builtin:random", &Table { command: random, ..native.clone() }, lines, size)?;
    beside("native, stopped off turn", &native.clone().stopped(), lines, size)?;
    beside("native, on another core", &Table { cores: (first, other), ..native.clone() }, lines, size)?;
    match preflight::choose(&leyden(), SandboxLevelChoice::Auto, ResourceLimits::default()) {
        Ok(chosen) if chosen.sandbox.level() != leyden_host::sandbox::SandboxLevel::None => {
            let name = format!("native, sandbox {}", chosen.sandbox.level());
            let table =
                Table { launcher: Launcher::new(leyden()).with_sandbox(chosen.sandbox), ..native.clone() };
            beside(&name, &table, lines, size)?;
        }
        _ => println!("in a sandbox: none is available on this machine"),
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/python-first");
    match on_path("python3") {
        Some(python) => {
            let command = BotCommand {
                program: python,
                arguments: vec!["bot.py".into()],
                folder: Some(script),
                reads: vec![],
                lists: vec![],
                network: false,
            };
            let few = Size { matches: size.matches.div_ceil(10), ..size };
            let table = Table { command, ..native };
            beside("python", &table, lines, few)?;
            beside("python, stopped off turn", &table.stopped(), lines, few)?;
        }
        None => println!("python: python3 is not installed"),
    }
    Ok(())
}

fn leyden() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_leyden"))
}

fn on_path(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

fn program(program: PathBuf, arguments: &[&str]) -> BotCommand {
    BotCommand {
        program,
        arguments: arguments.iter().map(Into::into).collect(),
        folder: None,
        reads: Vec::new(),
        lists: Vec::new(),
        network: false,
    }
}

/// Measures the main figures.
fn against_the_floor(native: &Table, lines: Lines, size: Size) -> BenchResult<()> {
    println!(
        "processor time of the arena per decision, native bots that answer at once, leyden, all on one core;\n\
         floor: a ping-pong over two pipes with as many bytes, {} there and {} back",
        lines.out, lines.back
    );
    println!(
        "{:>10} {:>10} {:>7} {:>14} {:>14} {:>7}",
        "floor µs", "arena µs", "ratio", "floor /s", "arena /s", "ratio"
    );
    let mut rows = Vec::new();
    for _ in 0..size.pairs {
        let floor = ping_pong(lines, size.exchanges)?;
        let arena = native.play(size.matches)?;
        let row = [
            floor.cpu_us(),
            arena.cpu_us(),
            arena.cpu_us() / floor.cpu_us(),
            floor.per_second(),
            arena.per_second(),
            arena.per_second() / floor.per_second(),
        ];
        print_row(row, "");
        rows.push(row);
    }
    print_row(std::array::from_fn(|column| median(rows.iter().map(|row| row[column]))), " median");
    Ok(())
}

fn print_row([floor, arena, ratio, floor_rate, arena_rate, rates]: [f64; 6], name: &str) {
    println!(
        "{floor:>10.2} {arena:>10.2} {ratio:>7.2} {floor_rate:>14.0} {arena_rate:>14.0} {rates:>7.2}{name}"
    );
}

/// Measures another kind of table; prints medians.
fn beside(name: &str, table: &Table, lines: Lines, size: Size) -> BenchResult<()> {
    let (mut floors, mut arenas, mut walls) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..size.pairs {
        platform::pin_thread(&[table.cores.0]);
        floors.push(ping_pong(lines, size.exchanges / 4)?.cpu_us());
        let arena = table.play(size.matches)?;
        arenas.push(arena.cpu_us());
        walls.push(1e6 / arena.per_second());
    }
    let ratio = median(arenas.iter().zip(&floors).map(|(arena, floor)| arena / floor));
    println!(
        "{name:<44} {:>9.2} {:>9.2} {ratio:>9.2} {:>9.2}",
        median(floors),
        median(arenas),
        median(walls)
    );
    Ok(())
}

/// Two bots of a kind, and where they run.
#[derive(Clone)]
struct Table {
    command: BotCommand,
    launcher: Launcher,
    /// The core of the arena and the core of the bots.
    cores: (usize, usize),
    pondering: Pondering,
}

impl Table {
    fn new(command: BotCommand, launcher: Launcher, cores: (usize, usize)) -> Self {
        Self { command, launcher, cores, pondering: Pondering::Watched }
    }

    /// The same table with both bots stopped while it is not their turn.
    fn stopped(self) -> Self {
        Self { pondering: Pondering::Never, ..self }
    }

    /// Measures the bytes that are written and read per decision in a few matches.
    fn lines(&self) -> BenchResult<Lines> {
        let (measured, traffic) = self.play_observed(SMOKE.matches * 5)?;
        let decisions = measured.exchanges;
        if traffic.written == 0 {
            return Ok(Lines { out: 620, back: 46 }); // typical values, where the system does not report them
        }
        println!(
            "one decision: {:.2} writes, {:.2} reads",
            traffic.writes as f64 / decisions as f64,
            traffic.reads as f64 / decisions as f64
        );
        Ok(Lines { out: (traffic.written / decisions) as usize, back: (traffic.read / decisions) as usize })
    }

    /// Plays whole matches; the bots' start is not measured.
    fn play(&self, matches: u32) -> BenchResult<Measured> {
        Ok(self.play_observed(matches)?.0)
    }

    fn play_observed(&self, matches: u32) -> BenchResult<(Measured, Traffic)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let rules = Rules::standard(RulesName::Leyden);
            let limits = TimeLimits::default();
            let launch = Launch {
                launcher: self.launcher.clone(),
                command: self.command.clone(),
                rules,
                limits,
                pondering: self.pondering,
                cores: 1,
            };
            platform::pin_thread(&[self.cores.1]);
            let mut players = Vec::new();
            for _ in rules.seats.iter() {
                players.push(ProcessPlayer::start(&launch).await??);
            }
            platform::pin_thread(&[self.cores.0]);
            let seed = TournamentSeed::from_text("bench");
            let mut exchanges = 0;
            let (start, cpu, traffic) = (Instant::now(), process_cpu(), Traffic::so_far());
            for block in 0..matches {
                let match_seed = seed.match_seed(&["a", "b"], block);
                let (tournament, block_and_leg) = (seed.tournament_id(), (block, 0));
                let header =
                    MatchHeader::new(tournament, match_seed, (&rules).into(), block_and_leg, &["a", "b"]);
                let spec = MatchSpec { header, rules, limits, strikes: 0, show_names: false };
                let mut table: Vec<SeatedPlayer<'_>> =
                    players.iter_mut().map(SeatedPlayer::Process).collect();
                let MatchOutcome::Finished(record) = play_match(&spec, &mut table, None).await? else {
                    return Err("the host is overloaded".into());
                };
                if let Some(fault) = record.fault {
                    return Err(fault.message().into());
                }
                exchanges += record.think_us.as_slice().iter().map(|seat| seat.len() as u64).sum::<u64>();
            }
            let measured =
                Measured { exchanges, wall: start.elapsed(), cpu: process_cpu().saturating_sub(cpu) };
            let traffic = Traffic::so_far().since(traffic); // children are counted with this process once they end
            for player in players {
                player.end().await?;
            }
            Ok((measured, traffic))
        })
    }
}
