//! The process between the arena and a bot: starts the bot, tells how it ended, and leaves nobody behind.
//!
//! The arena re-executes itself as `leyden stage FD PROGRAM ARG…`. `FD` is one end of a socket pair:
//!
//! - to the arena: `failed TEXT` if the program could not be started; `ended code N` or `ended signal N` when it ended;
//! - from the arena: the byte `T` asks the bot politely to end. When the arena's end closes, by whatever death of the
//!   arena, the bot and all its descendants are killed.
//!
//! The bot runs in a session of its own, so that keys pressed at the terminal do not reach it, and in a process group of
//! its own. The stage adopts orphans among the bot's descendants (on Linux), so that a daemon is killed as well. When the
//! bot's first process ends, everything it started ends.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::fd::RawFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus};

use rustix::process::{Pid, Signal, WaitOptions};

use crate::platform;

/// The first argument that makes `leyden` a stage.
pub const ARGUMENT: &str = "stage";

/// Asks the bot politely to end.
pub(super) const POLITE: u8 = b'T';

/// Runs as a stage with the arguments behind [`ARGUMENT`]. Ends when nothing of the bot is left.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let fd = arguments.next().and_then(|fd| fd.to_str()?.parse::<RawFd>().ok()).filter(|&fd| fd >= 3);
    let (Some(fd), Some(program)) = (fd, arguments.next()) else { return ExitCode::from(2) };
    let mut control = UnixStream::from(platform::inherited(fd));
    let _ = rustix::process::setsid(); // fails only for a group leader, which has nothing to leave
    platform::adopt_orphans();
    platform::close_on_exec_from_3();

    let bot = match Command::new(&program).args(arguments).process_group(0).spawn() {
        Ok(bot) => bot,
        Err(error) => {
            let _ = write!(control, "failed {error}"); // the arena may be gone: then there is nobody to tell
            return ExitCode::FAILURE;
        }
    };
    let Some(bot) = Pid::from_raw(bot.id().cast_signed()) else { return ExitCode::FAILURE };
    let_go_of_the_pipes();
    if let Ok(orders) = control.try_clone() {
        std::thread::spawn(move || obey(orders, bot));
    }
    wait_for(bot, &mut control);
    end_all_that_is_left(bot);
    ExitCode::SUCCESS
}

/// The bot alone holds its pipes: the arena sees them close when the bot closes them.
fn let_go_of_the_pipes() {
    if let Ok(null) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
}

/// Does what the arena asks until it asks no more.
fn obey(mut orders: UnixStream, bot: Pid) {
    let mut order = [0];
    while let Ok(1) = orders.read(&mut order) {
        if order[0] == POLITE {
            let _ = rustix::process::kill_process_group(bot, Signal::TERM);
        }
    }
    kill_children(bot);
}

/// Waits until the bot's first process has ended and tells the arena how. Orphans that end before are reaped.
fn wait_for(bot: Pid, control: &mut UnixStream) {
    while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::empty()) {
        if pid == bot {
            let status = ExitStatus::from_raw(status.as_raw());
            let _ = match (status.code(), status.signal()) {
                (Some(code), _) => write!(control, "ended code {code}"),
                (None, signal) => write!(control, "ended signal {}", signal.unwrap_or_default()),
            };
            return;
        }
    }
}

/// Kills what is left. The children of whoever dies become ours, so it is done when we have none.
fn end_all_that_is_left(bot: Pid) {
    loop {
        kill_children(bot);
        if !matches!(rustix::process::wait(WaitOptions::empty()), Ok(Some(_))) {
            return;
        }
    }
}

fn kill_children(bot: Pid) {
    let _ = rustix::process::kill_process_group(bot, Signal::KILL);
    for child in platform::children() {
        let _ = rustix::process::kill_process(child, Signal::KILL);
    }
}
