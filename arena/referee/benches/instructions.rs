//! Instructions for a decision, counted by callgrind: the same on a busy machine, and so held against a number.
//!
//! ```text
//! cargo bench -p leyden-referee --bench instructions          counts, and compares with the numbers below
//! cargo test -p leyden-referee --bench instructions           the same for the profile in which tests are built
//! ```
//!
//! The matches are those of `inside`, without a process or a system call. A match's start and end and its deals are counted, too,
//! and shared among its decisions; so is the bots' part, about a tenth, and SHA-256 for the
//! deals, a fifth, because valgrind does not know the processor's own. Two runs of different length are compared, so the
//! program's own start does not count.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod inside;

use std::error::Error;
use std::process::{Command, Stdio};

use inside::{Inside, decisions};

type BenchResult<T> = Result<T, Box<dyn Error>>;

/// The argument that makes this program play a number of matches and print the number of decisions.
const PLAY: &str = "--play";

/// The numbers of matches of the two runs.
const MATCHES: [u64; 2] = [10, 60];

/// Instructions for a decision. A commit that raises it says why.
const EXPECTED: f64 = if cfg!(debug_assertions) { 14_930.0 } else { 8_565.0 };

/// The compiler of that number: others make other code.
const COMPILER: &str = "rustc 1.95.0";

/// How far a count may be from the number: other versions of the C library differ by less.
const TOLERANCE: f64 = 0.03;

fn main() -> BenchResult<()> {
    let mut arguments = std::env::args().skip_while(|argument| argument != PLAY).skip(1);
    if let Some(matches) = arguments.next() {
        println!("{}", play(matches.parse()?)?);
        return Ok(());
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("valgrind is not installed: no instructions are counted");
        return Ok(());
    }
    let [few, many] = [count(MATCHES[0])?, count(MATCHES[1])?];
    let each = (many.instructions - few.instructions) as f64 / (many.decisions - few.decisions) as f64;
    println!("{each:.0} instructions for a decision; expected {EXPECTED:.0}");
    let compiler =
        Command::new("rustc").arg("--version").output().map(|told| told.stdout).unwrap_or_default();
    if !String::from_utf8_lossy(&compiler).starts_with(COMPILER) {
        println!("not compared: the number is that of {COMPILER}");
    } else if (each / EXPECTED - 1.0).abs() > TOLERANCE {
        return Err(format!(
            "a decision takes {:.3} of the expected instructions: find out why, and change the number in {} if it is worth it",
            each / EXPECTED,
            file!()
        )
        .into());
    }
    Ok(())
}

/// Plays matches, and returns the number of decisions.
fn play(matches: u64) -> BenchResult<u64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    Ok(runtime.block_on(async {
        let mut table = Inside::new().await;
        let mut all = 0;
        for block in 0..matches {
            all += decisions(&*table.play(block as u32).await);
        }
        all
    }))
}

struct Counted {
    decisions: u64,
    instructions: u64,
}

/// Counts the instructions of a run.
fn count(matches: u64) -> BenchResult<Counted> {
    let counted = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args([PLAY, &matches.to_string()])
        .stdin(Stdio::null())
        .output()?;
    let told = String::from_utf8_lossy(&counted.stderr);
    let collected = told.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok());
    let instructions = collected.ok_or_else(|| format!("valgrind did not count: {told}"))?;
    let decisions = String::from_utf8_lossy(&counted.stdout).trim().parse()?;
    Ok(Counted { decisions, instructions })
}
