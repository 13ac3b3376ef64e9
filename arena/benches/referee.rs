//! What the arena's own processor time for one asked decision is, against what two pipes cost: pairs of a pipe ping-pong
//! and a match, interleaved in one run.
//!
//! `cargo bench -p leyden-arena --bench referee` measures; with `-- --test` it only runs once, to show that it still does.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use leyden_arena::bot::{self, Launcher};
use leyden_arena::platform;
use leyden_arena::referee::{Launch, Live, Setting, Verdict, play_match};
use leyden_arena::seed::TournamentSeed;
use leyden_arena::settings::TimeLimits;
use leyden_protocol::{PerSeat, RulesName};
use leyden_rules::Rules;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::{ClockId, clock_gettime};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The argument that makes this program the other end of the ping-pong.
const ECHO: &str = "--echo";

/// The mean length of a `turn` and of an `action` line in matches of `leyden` between random bots.
const TURN_BYTES: usize = 620;
const ANSWER_BYTES: usize = 46;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == ECHO) {
        return echo();
    }
    let smoke = arguments.iter().any(|argument| argument == "--test");
    let (pairs, exchanges, matches) = if smoke { (1, 1_000, 4) } else { (7, 60_000, 400) };
    let cores = platform::allowed_cores();
    platform::pin_thread(&cores[..1]);
    println!(
        "processor time of the arena for one asked decision, native random bots, leyden, all on one core"
    );
    println!(
        "{:>10} {:>10} {:>7} {:>14} {:>14} {:>7}",
        "floor µs", "arena µs", "ratio", "floor /s", "arena /s", "ratio"
    );
    let mut ratios = Vec::new();
    for _ in 0..pairs {
        let floor = ping_pong(exchanges)?;
        let arena = referee(matches)?;
        let ratio = arena.cpu_us() / floor.cpu_us();
        println!(
            "{:>10.2} {:>10.2} {:>7.2} {:>14.0} {:>14.0} {:>7.2}",
            floor.cpu_us(),
            arena.cpu_us(),
            ratio,
            floor.per_second(),
            arena.per_second(),
            arena.per_second() / floor.per_second()
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median ratio of processor time: {:.2}", ratios[ratios.len() / 2]);
    Ok(())
}

/// So many exchanges, in so much time of the clock and of this process.
struct Measured {
    exchanges: u64,
    wall: Duration,
    cpu: Duration,
}

impl Measured {
    fn cpu_us(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.exchanges as f64
    }

    fn per_second(&self) -> f64 {
        self.exchanges as f64 / self.wall.as_secs_f64()
    }
}

fn cpu_now() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

/// Lines of the lengths of turns and answers over two pipes: poll, read, write.
fn ping_pong(exchanges: u64) -> Outcome<Measured> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(ECHO)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut to), Some(mut from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("no pipes".into());
    };
    let turn = [b'x'; TURN_BYTES];
    let mut answer = [0; 4_096];
    let (start, cpu) = (Instant::now(), cpu_now());
    for _ in 0..exchanges {
        to.write_all(&turn)?;
        poll(&mut [PollFd::new(&from, PollFlags::IN)], None)?;
        let _ = from.read(&mut answer)?;
    }
    let measured = Measured { exchanges, wall: start.elapsed(), cpu: cpu_now().saturating_sub(cpu) };
    drop(to);
    child.wait()?;
    Ok(measured)
}

/// The other end: an answer to each turn.
fn echo() -> Outcome<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
    let mut turn = [0; TURN_BYTES];
    while input.read_exact(&mut turn).is_ok() {
        output.write_all(&[b'y'; ANSWER_BYTES - 1])?;
        output.write_all(b"\n")?; // standard output sends a whole line in one write
        output.flush()?;
    }
    Ok(())
}

/// Whole matches between two builtin bots that answer at once; starting them is left out.
fn referee(matches: u32) -> Outcome<Measured> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let leyden = PathBuf::from(env!("CARGO_BIN_EXE_leyden"));
        let rules = Rules::standard(RulesName::Leyden);
        let launch = Launch {
            launcher: Launcher::new(leyden.clone()),
            command: bot::Command {
                program: leyden,
                arguments: vec!["bot".into(), "random".into()],
                folder: None,
            },
            rules,
            limits: TimeLimits::default(),
        };
        let mut players = Vec::new();
        for _ in rules.seats.iter() {
            players.push(Live::start(&launch).await??);
        }
        let seed = TournamentSeed::from_text("bench");
        let mut exchanges = 0;
        let (start, cpu) = (Instant::now(), cpu_now());
        for block in 0..matches {
            let setting = Setting {
                rules,
                limits: launch.limits,
                strikes: 0,
                show_names: false,
                tournament: seed.tournament_id(),
                seed: seed.match_seed(&["a", "b"], block),
                block,
                leg: 0,
                bots: PerSeat::from_fn(rules.seats, |seat| seat.to_string()),
            };
            let Verdict::Scored(record) = play_match(&setting, &mut players).await? else {
                return Err("the host is overloaded".into());
            };
            if let Some(fault) = record.fault {
                return Err(fault.message.into());
            }
            exchanges += record.think_us.as_slice().iter().map(|seat| seat.len() as u64).sum::<u64>();
        }
        let measured = Measured { exchanges, wall: start.elapsed(), cpu: cpu_now().saturating_sub(cpu) };
        for player in players {
            player.end().await?;
        }
        Ok(measured)
    })
}
