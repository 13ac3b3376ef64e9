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
//! bot's first process ends, everything it started ends. A bot that kills its stage dies with it; what it had started is
//! inherited by the arena, see `orphans`.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::fd::RawFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions};

use crate::platform;

/// The first argument that makes `leyden` a stage.
pub const ARGUMENT: &str = "stage";

/// Asks the bot politely to end.
pub(super) const POLITE: u8 = b'T';

/// How long to wait before looking again whether everybody is dead.
const NEXT_LOOK: Duration = Duration::from_millis(1);

/// Runs as a stage with the arguments behind [`ARGUMENT`]. Ends when nothing of the bot is left.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let fd = arguments.next().and_then(|fd| fd.to_str()?.parse::<RawFd>().ok()).filter(|&fd| fd >= 3);
    let (Some(fd), Some(program)) = (fd, arguments.next()) else { return ExitCode::from(2) };
    let mut control = UnixStream::from(platform::inherited(fd));
    let _ = rustix::process::setsid(); // fails only for a group leader, which has nothing to leave
    platform::adopt_orphans();
    platform::close_on_exec_from_3();

    let mut command = Command::new(&program);
    command.args(arguments).process_group(0);
    platform::end_with_parent(&mut command);
    let bot = match command.spawn() {
        Ok(bot) => bot,
        Err(error) => {
            tell(&mut control, &format!("failed {error}"));
            return ExitCode::FAILURE;
        }
    };
    let Some(bot) = Pid::from_raw(bot.id().cast_signed()) else { return ExitCode::FAILURE };
    platform::kill_first_when_memory_is_short(bot);
    let_go_of_the_pipes();
    let group = Group(Arc::new(Mutex::new(Some(bot))));
    if let Ok(orders) = control.try_clone() {
        let group = group.clone();
        thread::spawn(move || obey(orders, &group));
    }
    wait_for(bot, &group, &mut control);
    end_all_that_is_left();
    ExitCode::SUCCESS
}

/// Tells the arena something, in one piece: it reads only once. It may be gone; then there is nobody to tell.
fn tell(control: &mut UnixStream, text: &str) {
    let _ = control.write_all(text.as_bytes());
}

/// The bot alone holds its pipes: the arena sees them close when the bot closes them.
fn let_go_of_the_pipes() {
    if let Ok(null) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
}

/// The bot's process group, while its first process is not yet reaped: afterwards the number may belong to others.
#[derive(Clone)]
struct Group(Arc<Mutex<Option<Pid>>>);

impl Group {
    fn signal(&self, signal: Signal) {
        if let Some(bot) = *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = rustix::process::kill_process_group(bot, signal);
        }
    }

    fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Does what the arena asks until it asks no more.
fn obey(mut orders: UnixStream, group: &Group) {
    let mut order = [0];
    while let Ok(1) = orders.read(&mut order) {
        if order[0] == POLITE {
            group.signal(Signal::TERM);
        }
    }
    group.signal(Signal::KILL);
    platform::kill_children();
}

/// Waits until the bot's first process has ended and tells the arena how. Orphans that end before are reaped.
fn wait_for(bot: Pid, group: &Group, control: &mut UnixStream) {
    while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::empty()) {
        if pid == bot {
            group.signal(Signal::KILL); // numbers are given out in turn: this one is not used again so soon
            group.forget();
            let status = ExitStatus::from_raw(status.as_raw());
            let said = match (status.code(), status.signal()) {
                (Some(code), _) => format!("ended code {code}"),
                (None, signal) => format!("ended signal {}", signal.unwrap_or_default()),
            };
            return tell(control, &said);
        }
    }
}

/// Kills what is left until we have no children: those of whoever dies become ours.
fn end_all_that_is_left() {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => {
                platform::kill_children();
                thread::sleep(NEXT_LOOK);
            }
            Err(_) => return,
        }
    }
}
