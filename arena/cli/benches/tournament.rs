//! Whole tournaments with real processes: the gain from a second worker, the cost of storing, the time to start and end bots,
//! and the start-up time of the program itself.
//!
//! `cargo bench -p leyden --bench tournament` measures; with `-- --test` it runs once, to show that it still works.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use leyden_arena::record::Recorder;
use leyden_arena::record::store::{StoredPlan, Writer};
use leyden_arena::roster::{self, Builder};
use leyden_arena::run::{Flow, FollowError, Plan, Run};
use leyden_host::sandbox::{Sandbox, SandboxLevel, SandboxLevelChoice};
use leyden_host::{BuildLimits, Launcher, ResourceLimits, platform, preflight};
use leyden_model::{RunEvent, Settings};
use measure::{BenchResult, Lines, median, ping_pong, process_cpu, thread_cpu};

/// Roughly what the benchmark `referee` measures per decision.
const LINES: Lines = Lines { out: 570, back: 42 };

/// How much to measure.
#[derive(Clone, Copy)]
struct Size {
    repeats: usize,
    exchanges: u64,
    blocks: u32,
    starts: u32,
    versions: u32,
}

const WHOLE: Size = Size { repeats: 5, exchanges: 60_000, blocks: 600, starts: 300, versions: 200 };
const SMOKE: Size = Size { repeats: 1, exchanges: 1_000, blocks: 2, starts: 2, versions: 2 };

fn main() -> BenchResult<()> {
    if let Some(outcome) = measure::echo() {
        return outcome;
    }
    let size = if measure::is_smoke() { SMOKE } else { WHOLE };
    workers(size)?;
    starts(size)?;
    version(size)
}

/// Compares one worker with two and one ping-pong with two at once; and measures storing.
fn workers(size: Size) -> BenchResult<()> {
    println!("native random bots, leyden to 100; decisions a second against ping-pongs on the same cores");
    println!(
        "{:>12} {:>12} {:>7} {:>12} {:>12} {:>7} {:>9} {:>9}",
        "1 ping-pong", "2 at once", "gain", "1 worker", "2 workers", "gain", "of theirs", "storing"
    );
    let mut rows = Vec::new();
    for _ in 0..size.repeats {
        let pipes = [ping_pongs(1, size.exchanges)?, ping_pongs(2, size.exchanges)?];
        let one = play(&BenchRun {
            bot: RANDOM,
            jobs: 1,
            fresh: false,
            target: 100,
            blocks: size.blocks,
            sandbox: Sandbox::none(),
        })?;
        let two = play(&BenchRun {
            bot: RANDOM,
            jobs: 2,
            fresh: false,
            target: 100,
            blocks: 2 * size.blocks,
            sandbox: Sandbox::none(),
        })?;
        let gains = [pipes[1] / pipes[0], two.decisions_per_second() / one.decisions_per_second()];
        let row = [
            pipes[0],
            pipes[1],
            gains[0],
            one.decisions_per_second(),
            two.decisions_per_second(),
            gains[1],
            gains[1] / gains[0],
            100.0 * two.storing.as_secs_f64() / two.cpu.as_secs_f64(),
        ];
        print_row(row, "");
        rows.push(row);
    }
    print_row(std::array::from_fn(|column| median(rows.iter().map(|row| row[column]))), " median");
    println!(
        "gain: how many times as many a second; of theirs: the workers' gain as a part of the ping-pongs';\n\
         storing: packing and writing records with two workers, in percent of the arena's processor time\n"
    );
    Ok(())
}

fn print_row(row: [f64; 8], name: &str) {
    let [pipe, pipes, pipe_gain, one, two, gain, of_theirs, storing] = row;
    println!(
        "{pipe:>12.0} {pipes:>12.0} {pipe_gain:>7.2} {one:>12.0} {two:>12.0} {gain:>7.2} {of_theirs:>9.2} {storing:>8.1}%{name}"
    );
}

/// Exchanges a second of `count` ping-pongs at once, each on its own core.
fn ping_pongs(count: usize, exchanges: u64) -> BenchResult<f64> {
    let cores = platform::allowed_cores();
    let ready = Barrier::new(count);
    thread::scope(|scope| {
        let measure = |i: usize| {
            platform::pin_thread(&[cores[i % cores.len()]]);
            ready.wait();
            ping_pong(LINES, exchanges)
        };
        let threads: Vec<_> = (0..count).map(|i| scope.spawn(move || measure(i))).collect();
        let mut all = 0.0;
        for thread in threads {
            all += thread.join().map_err(|_| "a ping-pong failed")??.per_second();
        }
        Ok(all)
    })
}

/// Starts processes of native bots, greets them, plays as briefly as possible and ends them: without a sandbox, and at every
/// level available on this machine. A bot in C is about the smallest program there is; `leyden` itself, as a bot, has more to
/// load.
fn starts(size: Size) -> BenchResult<()> {
    let jobs = platform::allowed_cores().len();
    let folder = tempfile::tempdir()?;
    let in_c = folder.path().join("c-starver");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/c-starver");
    std::fs::create_dir(&in_c)?;
    for file in ["bot.c", "bot.toml"] {
        std::fs::copy(sample.join(file), in_c.join(file))?;
    }
    println!("--fresh, matches of one round, {jobs} workers: starts and ends a second");
    for level in SandboxLevel::ALL.into_iter().rev() {
        let Ok(chosen) =
            preflight::choose(&leyden(), SandboxLevelChoice::Exactly(level), ResourceLimits::default())
        else {
            println!("  sandbox {level:<9} not available on this machine");
            continue;
        };
        for (name, bot) in [("a bot in C", in_c.display().to_string()), ("leyden itself", RANDOM.to_owned())]
        {
            let (mut rates, mut each) = (Vec::new(), Vec::new());
            for _ in 0..size.repeats {
                let sandbox = chosen.sandbox.clone();
                let run = play(&BenchRun {
                    bot: &bot,
                    jobs,
                    fresh: true,
                    target: 1,
                    blocks: size.starts,
                    sandbox,
                })?;
                let starts = 2.0 * run.matches as f64;
                rates.push(starts / run.wall.as_secs_f64());
                each.push(jobs as f64 * run.wall.as_secs_f64() * 1e3 / starts);
            }
            let (rate, each) = (median(rates), median(each));
            println!("  sandbox {level:<9} {name:<14} {rate:>5.0}   {each:.1} ms each on one worker");
        }
    }
    Ok(())
}

/// Measures from the command to the end of the process.
fn version(size: Size) -> BenchResult<()> {
    let mut took = Vec::new();
    for _ in 0..size.versions {
        let start = Instant::now();
        let status = Command::new(leyden()).arg("--version").stdout(Stdio::null()).status()?;
        took.push(start.elapsed().as_secs_f64() * 1e3);
        if !status.success() {
            return Err("leyden --version failed".into());
        }
    }
    println!("leyden --version: {:.1} ms (median of {})", median(took.iter().copied()), took.len());
    Ok(())
}

fn leyden() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_leyden"))
}

const RANDOM: &str = "builtin:random";

/// What to play.
struct BenchRun<'a> {
    /// The bot, which plays against itself.
    bot: &'a str,
    jobs: usize,
    fresh: bool,
    target: u32,
    blocks: u32,
    sandbox: Sandbox,
}

/// What a run measured.
struct Played {
    matches: u64,
    decisions: u64,
    wall: Duration,
    /// Processor time of this process, without the bots.
    cpu: Duration,
    /// Part of `cpu`: packing and writing records.
    storing: Duration,
}

impl Played {
    fn decisions_per_second(&self) -> f64 {
        self.decisions as f64 / self.wall.as_secs_f64()
    }
}

fn play(request: &BenchRun<'_>) -> BenchResult<Played> {
    let texts = [request.bot, request.bot].map(str::to_owned);
    let mut bots = roster::find(&texts, &leyden())?.bots;
    let launcher = Launcher::new(leyden()).with_sandbox(request.sandbox.clone());
    for bot in &mut bots {
        bot.prepare(Builder {
            launcher: &launcher,
            limits: BuildLimits::default(),
            stopped: &|| false,
            kept: None,
        })?;
    }
    let settings = Settings { target: request.target, fresh: request.fresh, ..measure::settings() };
    let plan = Plan::new(settings, "bench", bots, launcher)?;
    let plan = Plan { blocks: request.blocks, jobs: request.jobs, ..plan };
    let stored_plan = StoredPlan::from_plan(&plan);
    let folder = tempfile::tempdir()?;
    let writer = Writer::create(&folder.path().join("bench.db"), &stored_plan)?;
    let (mut matches, mut decisions) = (0, 0);
    let (start, cpu, own) = (Instant::now(), process_cpu(), thread_cpu());
    let mut count = |event: &RunEvent| match event {
        RunEvent::Match { record, .. } if record.fault.is_none() => {
            matches += 1;
            decisions += record.think_us.as_slice().iter().map(|seat| seat.len() as u64).sum::<u64>();
            Ok(Flow::GoOn)
        }
        RunEvent::Start(_) | RunEvent::End(_) => Ok(Flow::GoOn),
        trouble => Err(FollowError::new(format!("{trouble:?}"))),
    };
    let mut run = Run::new(&plan)?;
    let mut recorder = Recorder::new(writer);
    run.follow(&mut recorder);
    run.follow(&mut count);
    run.play()?;
    let wall = start.elapsed();
    let packing = thread_cpu().saturating_sub(own);
    let writing = cpu_of_thread("results");
    let before = process_cpu();
    recorder.finish()?;
    let finishing = process_cpu().saturating_sub(before);
    Ok(Played {
        matches,
        decisions,
        wall,
        cpu: process_cpu().saturating_sub(cpu),
        storing: packing + writing + finishing,
    })
}

/// Processor time of a thread of this process; zero where the system does not report it.
fn cpu_of_thread(name: &str) -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let has_name =
        |folder: &Path| std::fs::read_to_string(folder.join("comm")).is_ok_and(|comm| comm.trim() == name);
    let spent = threads.map(|thread| thread.path()).filter(|folder| has_name(folder)).filter_map(|folder| {
        let text = std::fs::read_to_string(folder.join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(spent.sum())
}
