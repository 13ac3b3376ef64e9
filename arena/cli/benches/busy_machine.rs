//! Honest matches on a busy machine: how many are lost.
//!
//! `cargo bench -p leyden --bench busy_machine` plays 40 matches of two bots that compute for 60 ms of the 100 ms they have per
//! decision, on every core, next to zero, two and four processes that use all the time they can get; with `-- --test` it runs
//! once with little work, to show that it still works.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use leyden_host::ResourceLimits;
use leyden_host::preflight;
use leyden_host::sandbox::{SandboxLevel, SandboxLevelChoice};
use measure::{BenchResult, THINKER};
use serde_json::Value;

/// The argument that makes this program use all of a core that it can get.
const HOG: &str = "--hog";

/// How much to play.
#[derive(Clone, Copy)]
struct Size {
    blocks: u32,
    thinks: Duration,
    limit: Duration,
    hogs: &'static [usize],
}

const WHOLE: Size = Size {
    blocks: 20,
    thinks: Duration::from_millis(60),
    limit: Duration::from_millis(100),
    hogs: &[0, 2, 4],
};
const SMOKE: Size =
    Size { blocks: 1, thinks: Duration::from_micros(100), limit: Duration::from_mins(1), hogs: &[1] };

fn main() -> BenchResult<()> {
    if let Some(outcome) = measure::thinker() {
        return outcome;
    }
    if std::env::args().any(|argument| argument == HOG) {
        let parent = std::os::unix::process::parent_id();
        while std::os::unix::process::parent_id() == parent {}
        return Ok(());
    }
    let size = if measure::is_smoke() { SMOKE } else { WHOLE };
    println!("{} matches, {:?} of {:?} a decision", 2 * size.blocks, size.thinks, size.limit);
    println!(
        "{:>9} {:>5} {:>7} {:>5} {:>5} {:>13} {:>7}",
        "sandbox", "hogs", "played", "lost", "void", "played again", "s"
    );
    for level in [SandboxLevel::None, SandboxLevel::Jail] {
        if preflight::choose(&leyden(), SandboxLevelChoice::Exactly(level), ResourceLimits::default())
            .is_err()
        {
            println!("{level:>9} not available on this machine");
            continue;
        }
        for &count in size.hogs {
            let _hogs = Hogs::start(count)?;
            let Played { matches, lost, void, again, took } = play(size, level)?;
            let took = took.as_secs_f64();
            println!("{level:>9} {count:>5} {matches:>7} {lost:>5} {void:>5} {again:>13} {took:>7.0}");
        }
    }
    println!(
        "lost: by any fault; void: the machine gave no bot a fair chance, three times in a row; played again: void attempts"
    );
    Ok(())
}

fn leyden() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_leyden"))
}

/// Processes that use all the time they can get, until they are dropped.
struct Hogs(Vec<Child>);

impl Hogs {
    fn start(count: usize) -> BenchResult<Self> {
        let mut hogs = Self(Vec::new());
        for _ in 0..count {
            let mut hog = Command::new(std::env::current_exe()?);
            hogs.0.push(hog.arg(HOG).stdin(Stdio::null()).stdout(Stdio::null()).spawn()?);
        }
        Ok(hogs)
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

struct Played {
    matches: usize,
    lost: usize,
    void: usize,
    again: usize,
    took: Duration,
}

/// Plays two honest bots of one kind as an organiser would.
fn play(size: Size, level: SandboxLevel) -> BenchResult<Played> {
    let bot = format!("{} {THINKER} {}", std::env::current_exe()?.display(), size.thinks.as_micros());
    let folder = tempfile::tempdir()?;
    let (blocks, turn) = (size.blocks.to_string(), format!("{}ms", size.limit.as_millis()));
    let mut arena = Command::new(leyden());
    arena.args(["match", &bot, &bot, "--json", "--target", "1", "--seed", "busy", "--results", "r.db"]);
    arena.args(["--sandbox", level.name(), "--blocks", &blocks, "--turn", &turn, "--startup", "60s"]);
    let start = Instant::now();
    let output = arena.current_dir(folder.path()).output()?;
    let took = start.elapsed();
    let events = String::from_utf8(output.stdout)?;
    let events = events.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    let records = events.iter().filter(|event| event["event"] == "match");
    let said = String::from_utf8_lossy(&output.stderr);
    if of("match") + of("void") == 0 {
        return Err(format!("nothing was played: {said}").into());
    }
    Ok(Played {
        matches: of("match"),
        lost: records.filter(|event| !event["record"]["fault"].is_null()).count(),
        void: of("void"),
        again: said.matches("is played again").count(),
        took,
    })
}
