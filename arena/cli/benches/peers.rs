//! The processor time of a tournament program per decision, beside two for chess: fastchess and c-chess-cli. Engines and bots answer
//! at once, one match at a time, everything on one core, the programs in turn.
//!
//! ```text
//! cargo bench -p leyden --bench peers -- --fastchess PATH --c-chess-cli PATH [--runs N]
//! ```
//!
//! Nothing is fetched: a program that is not named is left out, and without either only leyden and the floor are measured. A chess
//! game is a hundred moves of knights on their own half of the board, which no rule ends earlier.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::fs;
use std::io::{BufRead, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use leyden_arena::record::store::Results;
use leyden_host::platform;
use measure::{BenchResult, Lines, median, ping_pong};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// The argument that makes this program a chess engine; the file for the number of its moves follows.
const ENGINE: &str = "--engine";

/// The bytes of a turn and of an answer, for the floor.
const LINES: Lines = Lines { out: 545, back: 46 };

/// Blocks of two matches, and games of chess, in each run: about as many decisions.
const SIZE: u32 = 500;

/// The unit of a process's times in `/proc`.
const TICK: Duration = Duration::from_millis(10);

fn main() -> BenchResult<()> {
    if let Some(outcome) = measure::echo().or_else(measure::instant).or_else(engine) {
        return outcome;
    }
    let (size, runs) = if measure::is_smoke() { (1, 1) } else { (SIZE, number("--runs").unwrap_or(15)) };
    let folder = tempfile::tempdir()?;
    let mut peers = vec![Peer { name: "leyden", program: env!("CARGO_BIN_EXE_leyden").into(), chess: None }];
    for (name, chess) in [("fastchess", fastchess as Arguments), ("c-chess-cli", c_chess_cli)] {
        match value(&format!("--{name}")) {
            Some(path) => {
                let path = fs::canonicalize(&path).map_err(|error| format!("--{name} {path}: {error}"))?;
                peers.push(Peer { name, program: path, chess: Some(chess) });
            }
            None => println!("{name} is left out: name its program with --{name} PATH"),
        }
    }
    platform::pin_thread(&[platform::allowed_cores()[0]]);
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); peers.len()];
    let mut floors = Vec::new();
    for run in 0..runs {
        floors.push(ping_pong(LINES, u64::from(size) * 200)?.cpu_us());
        for turn in 0..peers.len() {
            let index = (turn + run) % peers.len();
            rows[index].push(peers[index].play(folder.path(), size)?);
        }
    }
    println!("µs of processor time a decision, medians of {runs} runs in turn; ratios with their quartiles");
    println!("{:<14} {:>8} {:>24} {:>24}", "", "µs", "to the floor", "to leyden");
    println!("{:<14} {:>8.2}", "floor", median(floors.iter().copied()));
    for (peer, row) in peers.iter().zip(&rows) {
        let (floor, leyden) = (ratios(row, &floors), ratios(row, &rows[0]));
        println!("{:<14} {:>8.2} {floor:>24} {leyden:>24}", peer.name, median(row.iter().copied()));
    }
    Ok(())
}

fn value(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn number(name: &str) -> Option<usize> {
    value(name)?.parse().ok()
}

/// The ratio of two programs, run by run: the median, and the quartiles.
fn ratios(costs: &[f64], base: &[f64]) -> String {
    let mut all: Vec<f64> = costs.iter().zip(base).map(|(cost, base)| cost / base).collect();
    all.sort_by(f64::total_cmp);
    let at = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize];
    format!("{:.2} ({:.2} to {:.2})", at(0.5), at(0.25), at(0.75))
}

/// The arguments of a chess program, given two engines and the number of games.
type Arguments = fn([&Path; 2], u32) -> Vec<String>;

fn fastchess(engines: [&Path; 2], games: u32) -> Vec<String> {
    let mut all = Vec::new();
    for (name, engine) in ["a", "b"].iter().zip(engines) {
        all.extend(["-engine".to_owned(), format!("cmd={}", engine.display()), format!("name={name}")]);
    }
    let rest =
        ["-each", "tc=60+1", "proto=uci", "-rounds", &games.to_string(), "-games", "1", "-concurrency", "1"];
    all.extend(rest.map(str::to_owned));
    all
}

fn c_chess_cli(engines: [&Path; 2], games: u32) -> Vec<String> {
    let mut all = Vec::new();
    for (name, engine) in ["a", "b"].iter().zip(engines) {
        all.extend(["-engine".to_owned(), format!("cmd={}", engine.display()), format!("name={name}")]);
    }
    all.extend(["-each", "tc=60+1", "-games", &games.to_string(), "-concurrency", "1"].map(str::to_owned));
    all
}

struct Peer {
    name: &'static str,
    program: PathBuf,
    /// The arguments, for a chess program.
    chess: Option<Arguments>,
}

impl Peer {
    /// Plays, and returns the microseconds of processor time for each decision, without what bots or engines used.
    fn play(&self, folder: &Path, size: u32) -> BenchResult<f64> {
        let folder = tempfile::tempdir_in(folder)?;
        let this = std::env::current_exe()?;
        let script = |name: &str, arguments: &str| -> BenchResult<PathBuf> {
            let path = folder.path().join(name);
            fs::write(&path, format!("#!/bin/sh\nexec '{}' {arguments}\n", this.display()))?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            Ok(path)
        };
        let mut command = Command::new(&self.program);
        command.current_dir(folder.path());
        let Some(arguments) = self.chess else {
            let bot = script("bot", measure::INSTANT)?;
            let results = folder.path().join("results.db");
            command.args(["match", "--sandbox", "none", "--jobs", "1", "--seed", "peers", "--blocks"]);
            command.arg(size.to_string()).arg("--results").arg(&results).args([&bot, &bot]);
            let used = used(&mut command)?;
            let sums = Results::open(&results)?.bot_sums()?;
            let decisions: u64 = sums.iter().map(|(_, sums)| sums.thinking.decisions()).sum();
            return per_decision(used, decisions);
        };
        let counts = ["a", "b"].map(|name| folder.path().join(format!("{name}.moves")));
        let engine = |name: &str, count: &Path| script(name, &format!("{ENGINE} '{}'", count.display()));
        let engines = [engine("a", &counts[0])?, engine("b", &counts[1])?];
        command.args(arguments([&engines[0], &engines[1]], size * 2));
        let used = used(&mut command)?;
        let mut moves = 0;
        for count in &counts {
            moves += fs::read(count).map_err(|_| format!("{} did not play", self.name))?.len() as u64;
        }
        per_decision(used, moves)
    }
}

fn per_decision(used: Duration, decisions: u64) -> BenchResult<f64> {
    if decisions == 0 {
        return Err("no decision was made".into());
    }
    Ok(used.as_secs_f64() * 1e6 / decisions as f64)
}

/// Runs a program, and returns its own processor time, without its children's.
fn used(command: &mut Command) -> BenchResult<Duration> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let pid = Pid::from_child(&child);
    // It ends, but its times can still be read.
    waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)?;
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id()))?;
    if !child.wait()?.success() {
        return Err(format!("failed: {command:?}").into());
    }
    let (_, fields) = stat.rsplit_once(')').ok_or("an unknown form of /proc/…/stat")?;
    let ticks: Vec<u64> =
        fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    Ok(TICK * ticks.iter().sum::<u64>() as u32)
}

/// Plays chess as an engine that answers at once, if this process was started for that.
fn engine() -> Option<BenchResult<()>> {
    value(ENGINE).map(|count| answer_as_engine(Path::new(&count)))
}

fn answer_as_engine(count: &Path) -> BenchResult<()> {
    let mut count = fs::OpenOptions::new().append(true).create(true).open(count)?;
    let (input, mut output) = (std::io::stdin().lock(), std::io::stdout());
    let (mut position, mut moves) = (String::new(), Vec::new());
    for line in input.lines() {
        let line = line?;
        match line.split_whitespace().next() {
            Some("uci") => output.write_all(b"id name instant\nuciok\n")?,
            Some("isready") => output.write_all(b"readyok\n")?,
            Some("position") => position = line,
            Some("go") => {
                let played: Vec<&str> =
                    position.split_whitespace().skip_while(|word| *word != "moves").skip(1).collect();
                moves.push(b'.');
                writeln!(output, "bestmove {}", knight_move(&played))?;
            }
            Some("quit") => break,
            _ => {}
        }
        output.flush()?;
    }
    count.write_all(&moves)?;
    Ok(())
}

/// A move of one of the player's knights within the first four ranks, seen from its side: no knight there is ever attacked or gives
/// check. Which one depends on the number of moves alone.
fn knight_move(played: &[&str]) -> String {
    let is_black = played.len() % 2 == 1;
    let rank = |rank: u8| if is_black { 9 - rank } else { rank };
    let home = |file: u8| (file, rank(1));
    let mut knights = [home(b'b'), home(b'g')];
    let square = |text: &str| (text.as_bytes()[0], text.as_bytes()[1] - b'0');
    for text in played.iter().skip(usize::from(is_black)).step_by(2) {
        let (from, to) = (square(&text[..2]), square(&text[2..4]));
        knights.iter_mut().filter(|knight| **knight == from).for_each(|knight| *knight = to);
    }
    let mut all = Vec::new();
    for &(file, from) in &knights {
        for (files, ranks) in [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)] {
            let to = ((file as i8 + files) as u8, (from as i8 + ranks) as u8);
            let seen = rank(to.1);
            let is_free = matches!(seen, 3 | 4) || (seen == 1 && matches!(to.0, b'b' | b'g'));
            if (b'a'..=b'h').contains(&to.0) && is_free && !knights.contains(&to) {
                all.push(format!("{}{from}{}{}", file as char, to.0 as char, to.1));
            }
        }
    }
    let dice = (played.len() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let dice = (dice ^ (dice >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 33;
    all.swap_remove(dice as usize % all.len())
}
