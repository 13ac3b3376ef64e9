//! The process between the arena and a bot: starts the bot, reports how it ended, and leaves no process behind.
//!
//! The arena re-executes itself as `leyden supervise FD SPEC… -- PROGRAM ARG…`. The spec says how the bot is launched.
//! `FD` is one end of a socket pair for the messages in `control`. When the arena's end closes, however the arena died,
//! the bot and all its descendants are killed.
//!
//! The bot runs in a session of its own, so that keys pressed at the terminal do not reach it, and in its own process
//! group. The supervisor inherits orphans among the bot's descendants (on Linux), so a daemon is killed as well. When
//! the bot's first process ends, everything it started is killed. A bot that kills its supervisor dies with it; the
//! arena inherits what it had started, see `orphans`.

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

use crate::cgroup;
use crate::control::{ExitStatus, RELEASE, SupervisorReport, TERMINATE};
use crate::platform::{self, descriptors, mark, wait};
use crate::sandbox::spec::LaunchSpec;
use crate::sandbox::{Startup, launch};
use crate::start_error::StartError;

/// The first argument that makes `leyden` a supervisor.
pub(crate) const ARGUMENT: &str = "supervise";

/// When to repeat the kill of processes that have not ended.
const KILL_AGAIN: Duration = Duration::from_millis(100);

/// Runs as a supervisor with the arguments after [`ARGUMENT`]. Returns when nothing of the bot is left.
pub(crate) fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let fd = arguments.next().and_then(|fd| fd.to_str()?.parse::<RawFd>().ok()).filter(|&fd| fd >= 3);
    let (Some(fd), Some((spec, (program, arguments)))) = (fd, LaunchSpec::from_arguments(arguments)) else {
        return ExitCode::from(2);
    };
    let mut control = UnixStream::from(descriptors::take_inherited(fd));
    if !spec.terminal {
        let _ = rustix::process::setsid(); // fails only for a group leader, which has nothing to leave
    }
    platform::become_subreaper();
    mark::mark_this_process();
    if let Err(error) = descriptors::close_on_exec_from_3() {
        let reason = format!("descriptors that may have leaked: {error}");
        report_end(&mut control, ExitStatus::HostFailed(reason));
        return ExitCode::FAILURE;
    }

    let has_namespaces = spec.level.has_namespaces();
    let cgroup = spec.cgroup.clone();
    let mut started = match launch::start(spec, program, arguments) {
        Ok(started) => started,
        Err(error) => {
            report_end(
                &mut control,
                match error {
                    StartError::Bot(reason) => ExitStatus::NotStarted(reason),
                    StartError::Host(reason) => ExitStatus::HostFailed(reason),
                },
            );
            return ExitCode::FAILURE;
        }
    };
    let Some(bot) = started.pid() else { return ExitCode::FAILURE };
    platform::prefer_as_oom_victim(bot);
    release_pipes();
    let group = Group { number: Arc::new(Mutex::new(Some(bot))), first: Arc::default(), cgroup };
    // Otherwise a bot that is stopped and continued at each of its turns would wake us each time.
    wait::block_child_signals();
    let (release, released) = channel();
    if let Ok(requests) = control.try_clone() {
        let group = group.clone();
        thread::spawn(move || serve(requests, &group, &release));
    }
    report(&mut control, &SupervisorReport::Group(bot));
    match started.wait_until_running() {
        Startup::Running(first) => {
            let _ = group.first.set(first);
            wait_for_bot(bot, &group, has_namespaces, &mut control);
            kill_all_but(bot);
            let _ = released.recv();
        }
        Startup::NotStarted(reason) => report_end(&mut control, ExitStatus::NotStarted(reason)),
        Startup::HostFailed(reason) => {
            // The program that failed says why on standard error. Once it has ended, all of that has arrived.
            let _ = rustix::process::waitpid(Some(bot), WaitOptions::empty());
            group.forget();
            report_end(&mut control, ExitStatus::HostFailed(reason));
        }
    }
    group.kill();
    group.forget();
    kill_all_that_is_left();
    group.cgroup.as_deref().inspect(|cgroup| cgroup::remove(cgroup));
    ExitCode::SUCCESS
}

/// Reports to the arena. If the arena is gone, nobody needs the report.
fn report(control: &mut UnixStream, report: &SupervisorReport) {
    let _ = control.write_all(format!("{report}\n").as_bytes());
}

fn report_end(control: &mut UnixStream, status: ExitStatus) {
    report(control, &SupervisorReport::Ended(status));
}

/// Leaves the pipes to the bot alone, so that the arena sees when the bot closes them.
fn release_pipes() {
    if let Ok(null) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
}

/// Everything that was started for the bot, to be signalled together.
#[derive(Clone)]
struct Group {
    /// The process group, until its first process is reaped: afterwards the number may be another group's.
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
        self.cgroup.as_deref().inspect(|cgroup| cgroup::kill(cgroup));
        if let Some(group) = *self.number() {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }

    fn terminate(&self) {
        let Some(group) = *self.number() else { return };
        let _ = match self.first.get() {
            // A program between us and the bot would not pass the signal on: it would end, and the bot with it.
            Some(&bot) if bot != group => rustix::process::kill_process(bot, Signal::TERM),
            _ => rustix::process::kill_process_group(group, Signal::TERM),
        };
    }

    fn forget(&self) {
        *self.number() = None;
    }
}

/// Follows the arena's requests until its end closes; then kills everything.
fn serve(mut requests: UnixStream, group: &Group, release: &Sender<()>) {
    let mut request = [0];
    while let Ok(1) = requests.read(&mut request) {
        match request[0] {
            TERMINATE => group.terminate(),
            RELEASE => drop(release.send(())),
            _ => {}
        }
    }
    group.kill();
    platform::kill_children();
}

/// Waits until the bot's first process has ended and reports how; it stays unreaped. Orphans that end earlier are
/// reaped.
///
/// The status of a bot in a process namespace comes from the exit code of its watcher there, which is 128 + N for
/// signal N.
fn wait_for_bot(bot: Pid, group: &Group, has_namespaces: bool, control: &mut UnixStream) {
    loop {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if let Ok(Some(status)) = waitid(WaitId::Pid(bot), ended) {
            group.kill();
            let status = match (status.exit_status(), status.terminating_signal()) {
                (Some(code @ 129..=192), _) if has_namespaces => ExitStatus::Signal(code - 128),
                (Some(code), _) => ExitStatus::Code(code),
                (None, signal) => ExitStatus::Signal(signal.unwrap_or_default()),
            };
            return report_end(control, status);
        }
        match waitid(WaitId::All, ended) {
            Ok(Some(_)) => reap_all_but(bot),
            Ok(None) => wait::wait_for_child_signal(),
            Err(_) => return,
        }
    }
}

/// Reaps every child that has ended, except this one.
fn reap_all_but(bot: Pid) {
    for child in platform::children_quick().into_iter().filter(|&child| child != bot) {
        let _ = rustix::process::waitpid(Some(child), WaitOptions::NOHANG);
    }
}

/// Kills and reaps all that is left except the bot's first process, which has ended. Processes that this misses while
/// others end are found by [`kill_all_that_is_left`]: looking at every process of the machine is too expensive when
/// usually none is left.
fn kill_all_but(bot: Pid) {
    while let Some(one) = platform::children_quick().into_iter().find(|&child| child != bot) {
        platform::kill_children();
        wait::wait_for_end(one, Instant::now() + KILL_AGAIN);
        reap_all_but(bot);
    }
}

/// Kills our children until we have none: the children of a process that dies become ours.
///
/// Every child is killed before we wait for any to die, and a process becomes our child later only when one of their
/// descendants dies. So each wait ends, and each round finds what was added since.
fn kill_all_that_is_left() {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => continue,
            Ok(None) => platform::kill_children(),
            Err(_) => return, // there is none
        }
        let _ = rustix::process::wait(WaitOptions::empty());
    }
}
