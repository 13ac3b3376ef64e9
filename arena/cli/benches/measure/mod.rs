//! Shared by the benchmarks: processor time, the pipe ping-pong as a baseline, and medians.
#![allow(dead_code, reason = "each benchmark uses a part of it")]

pub(crate) mod callgrind;

use std::error::Error;
use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use leyden_arena::format::Format;
use leyden_arena::record::store::{BotEntry, RecordTemplate, StoredPlan, Writer};
use leyden_host::sandbox::SandboxLevel;
use leyden_model::{MatchKey, MatchRecord, Settings, TimeLimits};
use leyden_protocol::{PerSeat, Seat, Seats};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::{ClockId, clock_gettime};

pub(crate) type BenchResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The argument that makes a benchmark the other end of the ping-pong; the two lengths follow it.
const ECHO: &str = "--echo";

/// Whether this run only shows that the benchmark still works: only `cargo bench` passes `--bench`.
pub(crate) fn is_smoke() -> bool {
    let said = |word: &str| std::env::args().any(|argument| argument == word);
    said("--test") || !said("--bench")
}

/// Settings of a tournament with two seats, rule set leyden, and time limits that never expire.
pub(crate) fn settings() -> Settings {
    Settings {
        limits: TimeLimits { turn_ms: 60_000, startup_ms: 60_000, ..TimeLimits::default() },
        ..Settings::new(Seats::TWO, SandboxLevel::None)
    }
}

/// `count` bots with nothing but names.
pub(crate) fn nobodies(count: usize) -> Vec<BotEntry> {
    let nobody = |bot| BotEntry {
        name: format!("bot-{bot:04}"),
        command: vec!["inside".to_owned()],
        hash: String::new(),
        author: None,
        language: None,
        folder: None,
    };
    (0..count).map(nobody).collect()
}

/// A number of exchanges, with the wall time and the processor time of this thread or process that they took.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) exchanges: u64,
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Measured {
    pub(crate) fn cpu_us(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.exchanges as f64
    }

    pub(crate) fn per_second(&self) -> f64 {
        self.exchanges as f64 / self.wall.as_secs_f64()
    }
}

/// Processor time of this process, without its children.
pub(crate) fn process_cpu() -> Duration {
    cpu(ClockId::ProcessCPUTime)
}

/// Processor time of this thread.
pub(crate) fn thread_cpu() -> Duration {
    cpu(ClockId::ThreadCPUTime)
}

fn cpu(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

/// The middle figure.
pub(crate) fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.into_iter().collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The lengths of the lines of an exchange, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    pub(crate) out: usize,
    pub(crate) back: usize,
}

/// Sends lines of these lengths over two pipes, there and back: write, poll, read. The other end is this program again, on
/// the core that the calling thread is pinned to.
pub(crate) fn ping_pong(lines: Lines, exchanges: u64) -> BenchResult<Measured> {
    let mut child = Command::new(std::env::current_exe()?)
        .args([ECHO, &lines.out.to_string(), &lines.back.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut to), Some(mut from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("no pipes".into());
    };
    let line = vec![b'x'; lines.out];
    let mut answer = [0; 4_096];
    let (start, cpu) = (Instant::now(), thread_cpu());
    for _ in 0..exchanges {
        to.write_all(&line)?;
        poll(&mut [PollFd::new(&from, PollFlags::IN)], None)?;
        let _ = from.read(&mut answer)?;
    }
    let measured = Measured { exchanges, wall: start.elapsed(), cpu: thread_cpu().saturating_sub(cpu) };
    drop(to);
    child.wait()?;
    Ok(measured)
}

/// Plays the other end of the ping-pong, if this process was started for that.
pub(crate) fn echo() -> Option<BenchResult<()>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != ECHO).skip(1);
    let mut length = || arguments.next()?.parse::<usize>().ok();
    Some(answer_all(Lines { out: length()?, back: length()? }))
}

fn answer_all(lines: Lines) -> BenchResult<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
    let mut line = vec![0; lines.out];
    let mut answer = vec![b'y'; lines.back];
    answer[lines.back - 1] = b'\n'; // standard output sends a whole line in one write
    while input.read_exact(&mut line).is_ok() {
        output.write_all(&answer)?;
    }
    Ok(())
}

/// The argument that makes a benchmark a bot that answers at once.
pub(crate) const INSTANT: &str = "--instant";

/// Plays the first legal action of each turn, if this process was started for that. It reads no more of a line than it needs,
/// so that the benchmark measures the arena.
pub(crate) fn instant() -> Option<BenchResult<()>> {
    std::env::args().any(|argument| argument == INSTANT).then(|| answer_each_turn(|| ()))
}

/// The argument that makes a benchmark a bot that computes for a number of microseconds each turn.
pub(crate) const THINKER: &str = "--thinker";

/// Plays as such a bot, if this process was started for that.
pub(crate) fn thinker() -> Option<BenchResult<()>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != THINKER).skip(1);
    let long = Duration::from_micros(arguments.next()?.parse().ok()?);
    Some(answer_each_turn(|| {
        let end = thread_cpu() + long;
        while thread_cpu() < end {}
    }))
}

/// Plays the first legal action of each turn after calling `think`.
fn answer_each_turn(mut think: impl FnMut()) -> BenchResult<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    while input.read_until(b'\n', &mut line)? > 0 {
        answer.clear();
        if let Some(turn) = line.strip_prefix(b"{\"type\":\"turn\",\"id\":") {
            think();
            let id = until(b',', turn);
            let action = until(b'"', behind(b"\"legal\":[\"", turn)?);
            for part in [b"{\"type\":\"action\",\"id\":", id, b",\"action\":\"", action, b"\"}\n"] {
                answer.extend_from_slice(part);
            }
        } else if line.starts_with(b"{\"type\":\"hello\"") {
            answer.extend_from_slice(b"{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"instant\"}\n");
        }
        line.clear();
        if !answer.is_empty() {
            output.write_all(&answer)?;
        }
    }
    Ok(())
}

/// What follows the last occurrence of a text in a line. The arena writes `legal` near the end.
fn behind<'a>(text: &[u8], line: &'a [u8]) -> BenchResult<&'a [u8]> {
    let at =
        line.windows(text.len()).rposition(|part| part == text).ok_or("not a turn as the arena writes it")?;
    Ok(&line[at + text.len()..])
}

fn until(end: u8, text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == end).next().unwrap_or_default()
}

/// Bytes and calls that this process has read and written so far, as counted by the system.
#[derive(Clone, Copy, Default)]
pub(crate) struct Traffic {
    pub(crate) read: u64,
    pub(crate) written: u64,
    pub(crate) reads: u64,
    pub(crate) writes: u64,
}

impl Traffic {
    /// All zero where the system does not report them.
    pub(crate) fn so_far() -> Self {
        let text = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
        let number = |name: &str| {
            text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).unwrap_or_default()
        };
        Self {
            read: number("rchar:"),
            written: number("wchar:"),
            reads: number("syscr:"),
            writes: number("syscw:"),
        }
    }

    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            read: self.read - before.read,
            written: self.written - before.written,
            reads: self.reads - before.reads,
            writes: self.writes - before.writes,
        }
    }
}

/// Creates a results file of matches without rounds. The higher a bot's number, the stronger it is.
pub(crate) fn fill(path: &Path, bots: usize, blocks: u32) -> BenchResult<u64> {
    let stored_plan = StoredPlan {
        begun_in: None,
        left_out: Vec::new(),
        changes: Vec::new(),
        settings: settings(),
        seed: "many".to_owned(),
        bots: nobodies(bots),
        blocks,
        format: Format::RoundRobin,
        gate: None,
        files: Vec::new(),
    };
    let (schedule, known) = (stored_plan.schedule()?, RecordTemplate::new(&stored_plan));
    let writer = Writer::create(path, &stored_plan)?;
    let mut luck = 1_u64;
    for key in schedule.iter(0..schedule.matches()) {
        luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        writer.add(&key, record(known.for_match(&key), &key, bots as u32, (luck >> 40) as u32))?;
    }
    writer.finish()?;
    Ok(schedule.matches())
}

fn record(blank: MatchRecord, key: &MatchKey, bots: u32, dice: u32) -> MatchRecord {
    let seating = key.seating();
    let [one, two] = [0, 1].map(|seat| seating.as_slice()[seat].0);
    let first_wins = dice % (4 * bots) < 2 * bots + one - two.min(one);
    let scores = if first_wins { vec![40 + dice % 50, 100 + dice % 7] } else { vec![103, dice % 100] };
    MatchRecord {
        scores: PerSeat::from_list(scores).unwrap_or_else(|| PerSeat::default_for(Seats::TWO)),
        winner: if first_wins { Some(Seat::FIRST) } else { Seat::new(1) },
        ..blank
    }
}
