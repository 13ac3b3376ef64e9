//! Runs a program like a bot: `in-sandbox LEVEL FOLDER PROGRAM ARG…`. Passes on its standard output, and reports on standard
//! error how it ended. In the arguments, `ARENA` is replaced by our process id, and `OPPONENT` by that of another bot.
//!
//! `in-sandbox LEVEL FOLDER starts COUNT PROGRAM ARG…` starts and kills it that often instead, and reports the cost;
//! `in-sandbox LEVEL FOLDER stopped PROGRAM ARG…` stops it after its first output, and reports what it did then;
//! `in-sandbox LEVEL FOLDER watched PROGRAM ARG…` reports what the arena then sees of its memory.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use leyden_host::sandbox::SandboxLevelChoice;
use leyden_host::{
    BotCommand, BotInput, BotOutput, BotProcess, CpuReading, Launcher, ResourceLimits, preflight,
};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

/// How long a program may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// The mark by which the opponent is found among all processes.
const MARK: &str = "the-opponent-of";

fn main() {
    let mut words = std::env::args();
    let own = PathBuf::from(words.next().expect("a name"));
    let leyden = own.with_file_name("leyden");
    let level: SandboxLevelChoice = words.next().and_then(|level| level.parse().ok()).expect("a level");
    let folder = PathBuf::from(words.next().expect("a folder"));
    let words: Vec<String> = words.collect();
    let sandbox = match preflight::choose(&leyden, level, ResourceLimits::default()) {
        Ok(chosen) => chosen.sandbox,
        Err(not_held) => {
            eprintln(&not_held.to_string());
            std::process::exit(2);
        }
    };
    let launcher = Launcher::new(leyden).with_sandbox(sandbox);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    runtime.expect("a runtime").block_on(async {
        if words.first().is_some_and(|word| word == "starts") {
            let count = words[1].parse().expect("how many starts");
            starts(&launcher, count, &command(&folder, &words[2..])).await;
        } else if words.first().is_some_and(|word| word == "succession") {
            succession(&launcher.keeping_supervisors(), &command(&folder, &words[1..])).await;
        } else if words.first().is_some_and(|word| word == "stopped") {
            stopped(&launcher, &command(&folder, &words[1..])).await;
        } else if words.first().is_some_and(|word| word == "watched") {
            watched(&launcher, &command(&folder, &words[1..])).await;
        } else {
            once(&launcher, &folder, &own.with_file_name("attack"), &words).await;
        }
    });
    leyden_host::kill_leftovers();
}

fn eprintln(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn command(folder: &std::path::Path, words: &[String]) -> BotCommand {
    BotCommand {
        program: words[0].clone().into(),
        arguments: words[1..].iter().map(OsString::from).collect(),
        folder: Some(folder.to_owned()),
        reads: Vec::new(),
        lists: Vec::new(),
        network: false,
    }
}

async fn once(launcher: &Launcher, folder: &std::path::Path, attack: &std::path::Path, words: &[String]) {
    let mark = format!("{MARK}-{}", std::process::id());
    let attack = attack.display().to_string();
    let (other, mut hears, speaks) =
        launcher.start(&command(folder, &[attack, "linger".to_owned(), mark.clone()])).expect("an opponent");
    let mut first = [0];
    let _ = timeout(PATIENCE, hears.read(&mut first)).await;
    let opponent = find(&mark).unwrap_or_default();
    let words: Vec<String> = words
        .iter()
        .map(|word| match word.as_str() {
            "ARENA" => std::process::id().to_string(),
            "OPPONENT" => opponent.clone(),
            _ => word.clone(),
        })
        .collect();
    let (mut process, mut stdout, stdin) = launcher.start(&command(folder, &words)).expect("a process");
    let mut said = Vec::new();
    let _ = timeout(PATIENCE, stdout.read_to_end(&mut said)).await;
    std::io::stdout().write_all(&said).expect("somebody reads");
    let ending = process.exit_status(tokio::time::Instant::now()).await;
    let begun = Instant::now();
    drop(stdin);
    process.kill().await.expect("it can be killed");
    eprintln(&format!("ending: {ending:?}, gone after {:?}", begun.elapsed()));
    drop(speaks);
    other.kill().await.expect("the opponent can be killed");
}

/// The process whose own command line holds the mark: not its supervisor's.
fn find(mark: &str) -> Option<String> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    processes.map(|process| process.file_name().to_string_lossy().into_owned()).find(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = line.split(|&byte| byte == 0).collect();
        words.len() == 4 && words[1] == b"linger" && words[2] == mark.as_bytes()
    })
}

async fn starts(launcher: &Launcher, count: u32, command: &BotCommand) {
    let begun = Instant::now();
    let mut first = None;
    for _ in 0..count {
        let (process, mut stdout, stdin) = launcher.start(command).expect("a process");
        // Until its first output, it has not started.
        let _ = timeout(PATIENCE, stdout.read(&mut [0; 64])).await;
        drop(stdin);
        process.kill().await.expect("it can be killed");
        first.get_or_insert_with(descriptors); // what the runtime opens at the first start stays open
    }
    let each = begun.elapsed() / count.max(1);
    let open = descriptors().saturating_sub(first.unwrap_or_default());
    let left = children().len();
    writeln!(std::io::stdout(), "{} us a start, {open} more descriptors, {left} children", each.as_micros())
        .expect("out");
}

/// Starts a program four times, each time after it has left before. The supervisor that waits is killed before the third start, and stopped
/// before the fourth. Reports each time which supervisor it is, and what the program says.
async fn succession(launcher: &Launcher, command: &BotCommand) {
    for signal in [None, None, Some(Signal::KILL), Some(Signal::STOP)] {
        for supervisor in children().iter().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)) {
            if let Some(signal) = signal {
                kill_process(supervisor, signal).expect("it is ours");
                let changed = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
                waitid(WaitId::Pid(supervisor), changed).expect("it is ours");
            }
        }
        let before = children();
        let (mut process, mut stdout, stdin) = launcher.start(command).expect("a process");
        let mut said = String::new();
        timeout(PATIENCE, stdout.read_to_string(&mut said)).await.expect("in time").expect("text");
        process.wait_until_running().await.expect("it ran");
        let supervisor = process.pid().and_then(|bot| parent(&bot.to_string())).expect("a supervisor");
        let kept = before.contains(&supervisor);
        process.shut_down((stdout, stdin)).await.expect("it leaves");
        writeln!(std::io::stdout(), "{kept} {}", said.replace('\n', " ")).expect("out");
    }
    launcher.end_supervisors().await;
    writeln!(std::io::stdout(), "{} children", children().len()).expect("out");
}

/// Starts a program and waits for its first word.
async fn begun(launcher: &Launcher, command: &BotCommand) -> (BotProcess, (BotOutput, BotInput), String) {
    let (mut process, mut stdout, stdin) = launcher.start(command).expect("a process");
    let mut word = [0; 64];
    let count = timeout(PATIENCE, stdout.read(&mut word)).await.expect("in time").expect("a pipe");
    process.wait_until_running().await.expect("it runs");
    (process, (stdout, stdin), String::from_utf8_lossy(&word[..count]).trim().to_owned())
}

/// Long enough to see whether a program runs on a busy machine.
const SEEN: Duration = Duration::from_millis(50);

/// Reports the program's first word, whether only a signal stops it, and its processor time in microseconds while it was
/// stopped and afterwards: in three seconds, or, if it is to run, in half a minute or until it has used enough to be seen.
async fn stopped(launcher: &Launcher, command: &BotCommand) {
    let (mut process, _pipes, word) = begun(launcher, command).await;
    process.pause();
    let by_signal = !process.is_frozen();
    sleep(SEEN); // until all its threads have stopped
    let used = |process: &mut BotProcess, looks: u32| {
        let mut used = Duration::ZERO;
        let before = process.cpu_time(CpuReading::Exact).unwrap_or_default();
        for _ in 0..looks {
            sleep(Duration::from_millis(300));
            used = process.cpu_time(CpuReading::Exact).unwrap_or_default().saturating_sub(before);
            if used >= SEEN {
                break;
            }
        }
        used.as_micros()
    };
    let runs = by_signal && word == "armed";
    let while_stopped = used(&mut process, if runs { 100 } else { 10 });
    process.resume();
    let afterwards = used(&mut process, 100);
    process.kill().await.expect("it can be killed");
    writeln!(std::io::stdout(), "{word} {by_signal} {while_stopped} {afterwards}").expect("out");
}

/// Reports the program's first word, and whether the arena sees that it has too much memory.
async fn watched(launcher: &Launcher, command: &BotCommand) {
    let (process, _pipes, word) = begun(launcher, command).await;
    let beyond = process.memory_beyond_limit().is_some();
    process.kill().await.expect("it can be killed");
    writeln!(std::io::stdout(), "{word} {beyond}").expect("out");
}

/// How many descriptors are open.
fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

fn children() -> Vec<String> {
    let me = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_child = |pid: &String| parent(pid).is_some_and(|parent| parent == me);
    processes.map(|process| process.file_name().to_string_lossy().into_owned()).filter(is_child).collect()
}

/// The parent of a process.
fn parent(pid: &str) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.to_owned())
}
