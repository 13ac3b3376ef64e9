//! The gain and cost of workers: two against one with bots that think, the arena's processor time per decision on a worker
//! and without one, the coordinator's processor time, and how soon a match ends that is no longer needed.
//!
//! `cargo build --release --workspace --features leyden/nats --bins`, then `cargo bench -p leyden-tests --features nats
//! --bench workers` measures; with `-- drops` only the last of these; with `-- --test` it runs once with little work.
//! Everything runs on this machine, each worker on its own core, so it needs two.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../../arena/cli/benches/measure/mod.rs"]
mod measure;
#[allow(dead_code, reason = "shared with tests that do more to a server")]
#[path = "../../arena/nats/tests/server/process.rs"]
mod process;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use leyden_tests::program;
use measure::{BenchResult, THINKER, is_smoke, median};
use process::NatsServer;
use rustix::process::{Pid, Signal, kill_process};

/// How often to look at a measured process.
const LOOK: Duration = Duration::from_millis(5);

/// How long a worker may take to start.
const PATIENCE: Duration = Duration::from_mins(1);

fn main() -> BenchResult<()> {
    if let Some(outcome) = measure::thinker() {
        return outcome;
    }
    if !cfg!(feature = "nats") {
        println!("left out: built without the feature nats");
        return Ok(());
    }
    stay_on_the_second_core()?;
    let server = NatsServer::start();
    if !std::env::args().any(|argument| argument == "drops") {
        cost(&server)?;
        speed(&server)?;
    }
    drops(&server)
}

/// Cancels runs in the middle of a match, and measures how long its bot remains.
fn drops(server: &NatsServer) -> BenchResult<()> {
    let repeats = if is_smoke() { 1 } else { 40 };
    let fixture = Fixture::new()?;
    let (bot, begun) = (fixture.0.path().join("stuck"), fixture.0.path().join("begun"));
    fs::write(&bot, format!("echo $$ > {0}.new; mv {0}.new {0}; exec sleep 1000\n", begun.display()))?;
    let worker = fixture.worker(server, 0)?;
    let mut took = Vec::new();
    for number in 0..repeats {
        let results = format!("{number}.db");
        let mut command = Command::new(program("leyden"));
        command.args(["match", "builtin:careful", &format!("sh {}", bot.display()), "--sandbox", "none"]);
        command.args(["--turn", "1000s", "--startup", "1000s", "--results", &results]);
        command.args(["--nats", &server.url(), "--equal-speed"]);
        let mut run = Running::start(&mut command, fixture.0.path(), &results)?;
        while !begun.exists() {
            if run.start.elapsed() > PATIENCE {
                return Err(format!("no match starts: {}", fs::read_to_string(&run.log)?).into());
            }
            sleep(LOOK);
        }
        let process = format!("/proc/{}/stat", fs::read_to_string(&begun)?.trim());
        let is_there = || fs::read_to_string(&process).is_ok_and(|stat| !stat.contains(") Z "));
        if !is_there() {
            return Err("the bot ended by itself".into());
        }
        let start = Instant::now();
        kill_process(Pid::from_child(&run.child), Signal::INT)?;
        while is_there() {
            if start.elapsed() > PATIENCE {
                return Err("the bot still runs".into());
            }
            sleep(Duration::from_millis(1));
        }
        took.push(start.elapsed().as_secs_f64() * 1e3);
        run.child.wait()?;
        fs::remove_file(&begun)?;
    }
    worker.leaves()?;
    println!("{repeats} runs, each interrupted in the middle of a match");
    println!(
        "until its bot is gone on the worker, median and max. {:>8.0} {:.0} ms",
        median(took.iter().copied()),
        most(&took)
    );
    Ok(())
}

/// Plays the same matches here and on a worker, in turn, with bots that answer at once.
fn cost(server: &NatsServer) -> BenchResult<()> {
    let (blocks, repeats) = if is_smoke() { (1, 1) } else { (6_000, 5) };
    let (mut here, mut there, mut schedules) = (Vec::new(), Vec::new(), Vec::new());
    let mut decisions = 0;
    for _ in 0..repeats {
        let fixture = Fixture::new()?;
        let (_, alone) = fixture.tournament(Duration::ZERO, blocks, &["--jobs", "1"])?.until_it_ends()?;
        decisions = fixture.decisions()?;
        let fixture = Fixture::new()?;
        let worker = fixture.worker(server, 0)?;
        let before = worker.cpu()?; // its start and its own measurements
        let (_, scheduling) =
            fixture.tournament(Duration::ZERO, blocks, &["--nats", &server.url()])?.until_it_ends()?;
        let played = fixture.decisions()?;
        if played != decisions {
            return Err(format!("{played} decisions on a worker, {decisions} here").into());
        }
        let each = |cpu: Duration| cpu.as_secs_f64() * 1e6 / decisions as f64;
        here.push(each(alone));
        there.push(each(worker.cpu()?.saturating_sub(before)));
        schedules.push(scheduling.as_secs_f64() * 1e6 / f64::from(2 * blocks));
        worker.leaves()?;
    }
    let ratios = here.iter().zip(&there).map(|(here, there)| there / here);
    println!("{} matches, {decisions} decisions, bots that answer at once; medians of {repeats}", 2 * blocks);
    println!("the arena's processor time per decision, here        {:>8.2} µs", median(here.iter().copied()));
    println!(
        "the same on a worker                                 {:>8.2} µs",
        median(there.iter().copied())
    );
    println!("on a worker / here                                   {:>8.3}", median(ratios));
    println!("the coordinator, per match                           {:>8.0} µs", median(schedules));
    Ok(())
}

/// Compares one worker with two.
fn speed(server: &NatsServer) -> BenchResult<()> {
    let (blocks, repeats) = if is_smoke() { (1, 1) } else { (240, 3) };
    let thinks = if is_smoke() { Duration::ZERO } else { Duration::from_millis(5) };
    let (mut ratios, mut loads) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        let mut took = Vec::new();
        for count in [1, 2] {
            let fixture = Fixture::new()?;
            let workers =
                (0..count).map(|core| fixture.worker(server, core)).collect::<BenchResult<Vec<_>>>()?;
            let (wall, cpu) =
                fixture.tournament(thinks, blocks, &["--nats", &server.url()])?.until_it_ends()?;
            took.push(wall.as_secs_f64());
            loads.push(cpu.as_secs_f64() / wall.as_secs_f64());
            workers.into_iter().try_for_each(Running::leaves)?;
        }
        ratios.push(took[0] / took[1]);
    }
    println!("{} matches, bots that compute for {thinks:?}; {repeats} pairs", 2 * blocks);
    println!(
        "two workers against one, matches a second            {:>8.2} times",
        median(ratios.iter().copied())
    );
    println!(
        "minimum and maximum                                  {:>8.2} {:.2}",
        least(&ratios),
        most(&ratios)
    );
    println!("the coordinator, of a core                           {:>8.1} %", 100.0 * median(loads));
    Ok(())
}

fn least(figures: &[f64]) -> f64 {
    figures.iter().copied().fold(f64::INFINITY, f64::min)
}

fn most(figures: &[f64]) -> f64 {
    figures.iter().copied().fold(0.0, f64::max)
}

/// A folder with results.
struct Fixture(tempfile::TempDir);

impl Fixture {
    fn new() -> BenchResult<Self> {
        Ok(Self(tempfile::tempdir()?))
    }

    fn results(&self) -> PathBuf {
        self.0.path().join("results.db")
    }

    /// A tournament of two bots of one kind. If played here, it runs on the first core; a coordinator runs on the second.
    fn tournament(&self, thinks: Duration, blocks: u32, more: &[&str]) -> BenchResult<Running> {
        let is_here = !more.contains(&"--nats");
        let bot = format!("{} {THINKER} {}", std::env::current_exe()?.display(), thinks.as_micros());
        let mut command = if is_here { on_core(0) } else { Command::new(program("leyden")) };
        command.args(["match", &bot, &bot, "--seed", "workers", "--sandbox", "none", "--target", "30"]);
        command.args(["--turn", "100s", "--startup", "100s", "--blocks", &blocks.to_string()]);
        command.arg("--results").arg(self.results()).args(more);
        if !is_here {
            command.arg("--equal-speed");
        }
        Running::start(&mut command, self.0.path(), "results")
    }

    /// A worker that is ready for work.
    fn worker(&self, server: &NatsServer, core: usize) -> BenchResult<Running> {
        let name = format!("core-{core}");
        let mut command = on_core(core);
        command.args(["worker", "--nats", &server.url(), "--jobs", "1", "--name", &name]);
        let worker = Running::start(&mut command, self.0.path(), &name)?;
        worker.until_it_says(&format!("worker {name}:"))?;
        Ok(worker)
    }

    fn decisions(&self) -> BenchResult<u64> {
        let out = Command::new(program("leyden")).arg("export").arg(self.results()).output()?;
        let mut decisions = 0;
        for line in String::from_utf8(out.stdout)?.lines() {
            let record: serde_json::Value = serde_json::from_str(line)?;
            let rounds = record["rounds"].as_array().ok_or("a record without rounds")?;
            decisions += rounds
                .iter()
                .filter_map(|round| Some(round["actions"].as_array()?.len() as u64))
                .sum::<u64>();
        }
        Ok(decisions)
    }
}

/// Moves this process, and all that it starts, to the second core unless pinned elsewhere: the server and the coordinator. On
/// separate machines they would not take the first worker's core either.
fn stay_on_the_second_core() -> BenchResult<()> {
    let own = std::process::id().to_string();
    let pinned = Command::new("taskset").args(["-pc", "1", &own]).stdout(Stdio::null()).status()?;
    if pinned.success() { Ok(()) } else { Err("this needs two cores and the program taskset".into()) }
}

/// Runs the program and all that it starts on one core.
fn on_core(core: usize) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", &core.to_string()]).arg(program("leyden"));
    command
}

/// A process of the arena.
struct Running {
    child: Child,
    log: PathBuf,
    start: Instant,
}

impl Running {
    fn start(command: &mut Command, folder: &Path, name: &str) -> BenchResult<Self> {
        let log = folder.join(format!("{name}.log"));
        let (out, said) = (fs::File::create(&log)?, fs::File::options().append(true).open(&log)?);
        let child = command.current_dir(folder).env("XDG_STATE_HOME", folder);
        let child = child.stdin(Stdio::null()).stdout(out).stderr(said).spawn()?;
        Ok(Self { child, log, start: Instant::now() })
    }

    /// Waits until its output contains this text.
    fn until_it_says(&self, words: &str) -> BenchResult<()> {
        while self.start.elapsed() < PATIENCE {
            if fs::read_to_string(&self.log)?.contains(words) {
                return Ok(());
            }
            sleep(LOOK);
        }
        Err(format!("no {words:?} in {:?}", fs::read_to_string(&self.log)?).into())
    }

    /// The process's own processor time, without that of its children, as counted by the system (in hundredths of a second).
    fn cpu(&self) -> BenchResult<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let behind_name = stat.rsplit_once(')').ok_or("a line that does not describe a process")?.1;
        let fields = behind_name.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
        Ok(Duration::from_millis(10 * fields.sum::<Result<u64, _>>()?))
    }

    /// Its wall time and processor time until it ended successfully.
    fn until_it_ends(mut self) -> BenchResult<(Duration, Duration)> {
        let mut cpu = Duration::ZERO;
        loop {
            if let Some(status) = self.child.try_wait()? {
                let took = self.start.elapsed();
                return if status.success() {
                    Ok((took, cpu))
                } else {
                    Err(fs::read_to_string(&self.log)?.into())
                };
            }
            cpu = cpu.max(self.cpu().unwrap_or_default());
            sleep(LOOK);
        }
    }

    /// Ends it in order.
    fn leaves(mut self) -> BenchResult<()> {
        kill_process(Pid::from_child(&self.child), Signal::TERM)?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
