//! The process between the arena and a bot: starts the bot, tells how it ended, and leaves nobody behind.
//!
//! The arena re-executes itself as `leyden stage FD ORDER… -- PROGRAM ARG…`. The orders say what stands around the bot.
//! `FD` is one end of a socket pair:
//!
//! - to the arena, a line each: `group N`, the bot's process group; `failed TEXT` if the program could not be started;
//!   `unsafe TEXT` if what is to stand around it could not be made; `ended code N` or `ended signal N` when it ended;
//! - from the arena: the byte `T` asks the bot politely to end; `G` says that the arena will signal the group no more, and
//!   until then its first process is not reaped, so that nobody else gets its number. When the arena's end closes, by
//!   whatever death of the arena, the bot and all its descendants are killed.
//!
//! The bot runs in a session of its own, so that keys pressed at the terminal do not reach it, and in a process group of
//! its own. The stage adopts orphans among the bot's descendants (on Linux), so that a daemon is killed as well. When the
//! bot's first process ends, everything it started ends. A bot that kills its stage dies with it; what it had started is
//! inherited by the arena, see `orphans`.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::fd::RawFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, waitid};

use crate::platform;
use crate::sandbox::{self, Orders, Outset};

/// The first argument that makes `leyden` a stage.
pub const ARGUMENT: &str = "stage";

/// Asks the bot politely to end.
pub(super) const POLITE: u8 = b'T';

/// Says that the arena signals the bot's group no more.
pub(super) const LET_GO: u8 = b'G';

/// When to kill again somebody who was killed and has not ended.
const NEXT_LOOK: Duration = Duration::from_millis(100);

/// Runs as a stage with the arguments behind [`ARGUMENT`]. Ends when nothing of the bot is left.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let fd = arguments.next().and_then(|fd| fd.to_str()?.parse::<RawFd>().ok()).filter(|&fd| fd >= 3);
    let (Some(fd), Some((orders, (program, arguments)))) = (fd, Orders::read(arguments)) else {
        return ExitCode::from(2);
    };
    let mut control = UnixStream::from(platform::inherited(fd));
    let _ = rustix::process::setsid(); // fails only for a group leader, which has nothing to leave
    platform::adopt_orphans();
    platform::close_on_exec_from_3();

    let has_namespaces = orders.level.has_namespaces();
    let cgroup = orders.cgroup.clone();
    let mut started = match sandbox::start(orders, program, arguments) {
        Ok(started) => started,
        Err(error) => {
            tell(&mut control, &format!("failed {error}"));
            return ExitCode::FAILURE;
        }
    };
    let Some(bot) = started.pid() else { return ExitCode::FAILURE };
    platform::kill_first_when_memory_is_short(bot);
    let_go_of_the_pipes();
    let group = Group { number: Arc::new(Mutex::new(Some(bot))), first: Arc::default(), cgroup };
    // A bot that is stopped and continued at each of its turns would wake us each time.
    platform::hear_of_ends_only();
    let (arena, let_go) = channel();
    if let Ok(orders) = control.try_clone() {
        let group = group.clone();
        thread::spawn(move || obey(orders, &group, &arena));
    }
    tell(&mut control, &format!("group {}", bot.as_raw_nonzero()));
    match started.outset() {
        Outset::Running(first) => {
            let _ = group.first.set(first);
            wait_for(bot, &group, has_namespaces, &mut control);
            end_all_but(bot);
            let _ = let_go.recv();
        }
        Outset::NotStarted(reason) => tell(&mut control, &format!("failed {reason}")),
        Outset::NoSandbox(reason) => {
            // Whoever failed says why on standard error. When he has ended, all of it is there.
            let _ = rustix::process::waitpid(Some(bot), WaitOptions::empty());
            group.forget();
            tell(&mut control, &format!("unsafe {reason}"));
        }
    }
    group.kill();
    group.forget();
    end_all_that_is_left();
    group.cgroup.as_deref().inspect(|cgroup| sandbox::cgroup::end(cgroup));
    ExitCode::SUCCESS
}

/// Tells the arena something, on one line. It may be gone; then there is nobody to tell.
fn tell(control: &mut UnixStream, text: &str) {
    let _ = control.write_all(format!("{}\n", text.replace('\n', " ")).as_bytes());
}

/// The bot alone holds its pipes: the arena sees them close when the bot closes them.
fn let_go_of_the_pipes() {
    if let Ok(null) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
}

/// Everything that was started for the bot, to be signalled as one.
#[derive(Clone)]
struct Group {
    /// The process group, while its first process is not yet reaped: afterwards the number may belong to others.
    number: Arc<Mutex<Option<Pid>>>,
    /// The bot's own first process, once it runs.
    first: Arc<OnceLock<Pid>>,
    cgroup: Option<PathBuf>,
}

impl Group {
    fn number(&self) -> MutexGuard<'_, Option<Pid>> {
        self.number.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kill(&self) {
        self.cgroup.as_deref().inspect(|cgroup| sandbox::cgroup::kill(cgroup));
        if let Some(group) = *self.number() {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }

    fn ask_to_leave(&self) {
        let Some(group) = *self.number() else { return };
        let _ = match self.first.get() {
            // Whoever stands between would not pass the signal on: it would end, and the bot with it.
            Some(&bot) if bot != group => rustix::process::kill_process(bot, Signal::TERM),
            _ => rustix::process::kill_process_group(group, Signal::TERM),
        };
    }

    fn forget(&self) {
        *self.number() = None;
    }
}

/// Does what the arena asks until it asks no more.
fn obey(mut orders: UnixStream, group: &Group, let_go: &Sender<()>) {
    let mut order = [0];
    while let Ok(1) = orders.read(&mut order) {
        match order[0] {
            POLITE => group.ask_to_leave(),
            LET_GO => drop(let_go.send(())),
            _ => {}
        }
    }
    group.kill();
    platform::kill_children();
}

/// Waits until the bot's first process has ended and tells the arena how; it stays unreaped. Orphans that end before are
/// reaped.
///
/// Of a bot in a process namespace we hear by the code of whoever watches it, which is 128 + N for signal N.
fn wait_for(bot: Pid, group: &Group, has_namespaces: bool, control: &mut UnixStream) {
    loop {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if let Ok(Some(status)) = waitid(WaitId::Pid(bot), ended) {
            group.kill();
            let said = match (status.exit_status(), status.terminating_signal()) {
                (Some(code @ 129..=192), _) if has_namespaces => format!("ended signal {}", code - 128),
                (Some(code), _) => format!("ended code {code}"),
                (None, signal) => format!("ended signal {}", signal.unwrap_or_default()),
            };
            return tell(control, &said);
        }
        match waitid(WaitId::All, ended) {
            Ok(Some(_)) => reap_all_but(bot),
            Ok(None) => platform::wait_for_a_child_to_end(),
            Err(_) => return,
        }
    }
}

/// Reaps every child that has ended, except this one.
fn reap_all_but(bot: Pid) {
    for child in platform::children_at_a_glance().into_iter().filter(|&child| child != bot) {
        let _ = rustix::process::waitpid(Some(child), WaitOptions::NOHANG);
    }
}

/// Kills and reaps what is left besides the bot's first process, which has ended. Whoever is missed while others end is
/// found by [`end_all_that_is_left`]: a look at every process of the machine is too much where mostly nobody is left.
fn end_all_but(bot: Pid) {
    while let Some(one) = platform::children_at_a_glance().into_iter().find(|&child| child != bot) {
        platform::kill_children();
        platform::wait_for_end(one, Instant::now() + NEXT_LOOK);
        reap_all_but(bot);
    }
}

/// Kills what is left until we have no children: those of whoever dies become ours.
///
/// Every child is killed before one death is waited for, and whoever becomes our child later does so by the death of
/// somebody who has an ancestor among these. So each wait ends, and each look finds who came meanwhile.
fn end_all_that_is_left() {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => continue,
            Ok(None) => platform::kill_children(),
            Err(_) => return, // there is nobody
        }
        let _ = rustix::process::wait(WaitOptions::empty());
    }
}
