//! The process between the arena and its bots: starts a bot, reports how it ended, and leaves no process behind.
//!
//! The arena re-executes itself as `leyden supervise FD SPEC… -- PROGRAM ARG…`. The spec says how the bot is launched, and its
//! pipes are the supervisor's own. `FD` is one end of a socket pair for the messages in `control`. When the arena's end closes,
//! however the arena died, the bot and all its descendants are killed.
//!
//! The bot runs in a session of its own, so that keys pressed at the terminal do not reach it, and in its own process
//! group. The supervisor inherits orphans among the bot's descendants (on Linux), so a daemon is killed as well. When
//! the bot's first process ends, everything it started is killed. A bot that kills its supervisor dies with it; the
//! arena inherits what it had started, see `orphans`.
//!
//! When nothing of the bot is left, the supervisor is idle: the arena closes its end, or has it start another bot, which costs half
//! of what a new supervisor does. It keeps nothing of the bot before, and has only one thread, so that a bot's process can be
//! prepared between fork and exec.

use std::ffi::OsString;
use std::io::Write;
use std::os::fd::{AsFd, RawFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::net::RecvFlags;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, waitid};

use crate::cgroup;
use crate::control::{BotPipes, ExitStatus, RELEASE, STATUS, SupervisorReport, TERMINATE, next_launch};
use crate::platform::{self, ChildSignals, descriptors, mark, wait};
use crate::sandbox::Startup;
use crate::sandbox::launch::{self, ReadinessListener, StartedChild};
use crate::sandbox::spec::{Invocation, LaunchSpec};
use crate::start_error::StartError;

/// The first argument that makes `leyden` a supervisor.
pub(crate) const ARGUMENT: &str = "supervise";

/// When to repeat the kill of processes that have not ended.
const KILL_AGAIN: Duration = Duration::from_millis(100);

/// How long a program of the arena's may take to end after it has failed.
const FAILURE_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs as a supervisor with the arguments after [`ARGUMENT`]. Returns when the arena's end of the socket has closed and nothing of a
/// bot is left.
pub(crate) fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let fd = arguments.next().and_then(|fd| fd.to_str()?.parse::<RawFd>().ok()).filter(|&fd| fd >= 3);
    let (Some(fd), Some((mut spec, mut invocation))) = (fd, LaunchSpec::from_arguments(arguments)) else {
        return ExitCode::from(2);
    };
    let mut control = UnixStream::from(descriptors::take_inherited(fd));
    if !spec.terminal {
        let _ = rustix::process::setsid(); // fails only for a group leader, which has nothing to leave
    }
    platform::become_subreaper();
    mark::mark_this_process();
    let prepared =
        descriptors::close_on_exec_from_3().and_then(|()| Ok((take_pipes()?, ChildSignals::block()?)));
    let (mut pipes, signals) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            report_end(
                &mut control,
                ExitStatus::HostFailed(format!("the supervisor's descriptors: {error}")),
            );
            return ExitCode::FAILURE;
        }
    };
    loop {
        supervise(&mut control, &signals, spec, invocation, pipes);
        kill_all_that_is_left();
        report(&mut control, &SupervisorReport::Idle);
        let Some((words, next)) = next_launch(&control) else { return ExitCode::SUCCESS };
        let Some(launch) = LaunchSpec::from_arguments(words.into_iter()) else { return ExitCode::from(2) };
        ((spec, invocation), pipes) = (launch, next);
    }
}

/// Takes the bot's pipes from where this process inherited them, so that the arena sees when the bot closes them.
fn take_pipes() -> std::io::Result<BotPipes> {
    let own = [rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()];
    let [input, output, error] = own.map(|fd| rustix::io::fcntl_dupfd_cloexec(fd, 3));
    let null = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok([input?, output?, error?])
}

/// Starts a bot and follows it until it has ended and the arena no longer signals it, or until the arena is gone. Some of what it started
/// may be left, and its first process is not reaped.
fn supervise(
    control: &mut UnixStream,
    signals: &ChildSignals,
    spec: LaunchSpec,
    (program, arguments): Invocation,
    pipes: BotPipes,
) {
    let (has_namespaces, cgroup) = (spec.level.has_namespaces(), spec.cgroup.clone());
    match launch::start(spec, program, arguments, pipes) {
        Ok(started) => {
            platform::prefer_as_oom_victim(started.pid);
            let mut bot = Bot { leader: started.pid, first: None, cgroup, has_namespaces };
            report(control, &SupervisorReport::Group(bot.leader));
            bot.follow(control, signals, started);
            bot.kill();
            bot.cgroup.as_deref().inspect(|cgroup| cgroup::remove(cgroup));
        }
        Err(StartError::Bot(reason)) => report_end(control, ExitStatus::NotStarted(reason)),
        Err(StartError::Host(reason)) => report_end(control, ExitStatus::HostFailed(reason)),
    }
}

/// Reports to the arena. If the arena is gone, nobody needs the report.
fn report(control: &mut UnixStream, report: &SupervisorReport) {
    let _ = control.write_all(format!("{report}\n").as_bytes());
}

fn report_end(control: &mut UnixStream, status: ExitStatus) {
    report(control, &SupervisorReport::Ended(status));
}

/// What the arena has asked for.
enum Request {
    /// A byte of `control`.
    Byte(u8),
    /// Nothing at the moment.
    Nothing,
    /// Its end is closed.
    Gone,
}

impl Request {
    fn next(control: &UnixStream) -> Self {
        let mut byte = [0];
        match rustix::net::recv(control, &mut byte, RecvFlags::DONTWAIT) {
            Ok((1, _)) => Self::Byte(byte[0]),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Self::Nothing,
            _ => Self::Gone,
        }
    }
}

/// A bot that was started.
struct Bot {
    /// The process that leads its group: the bot's own first one, or a program around it. It stays unreaped, so that the number cannot
    /// become another group's.
    leader: Pid,
    /// The bot's own first process, once it runs.
    first: Option<Pid>,
    cgroup: Option<PathBuf>,
    has_namespaces: bool,
}

impl Bot {
    /// Follows it, and the arena's requests. Returns when it has ended and the arena no longer signals it, when it could not be started, or
    /// when the arena's end is closed.
    fn follow(&mut self, control: &mut UnixStream, signals: &ChildSignals, started: StartedChild) {
        let mut starting = started.starting;
        if starting.is_none() {
            self.first = Some(self.leader);
        }
        let (mut has_ended, mut is_released, mut is_asked) = (false, false, false);
        while !(has_ended && is_released) {
            let listener = starting.as_ref().map(AsFd::as_fd);
            signals.wait_for_one_or(Some(control.as_fd()).into_iter().chain(listener));
            match Request::next(control) {
                Request::Byte(TERMINATE) => self.terminate(),
                Request::Byte(RELEASE) => is_released = true,
                Request::Byte(STATUS) => is_asked = true,
                Request::Byte(_) | Request::Nothing => {}
                Request::Gone => return,
            }
            match starting.as_mut().and_then(ReadinessListener::outcome) {
                Some(Startup::Running(first)) => (self.first, starting) = (Some(first), None),
                Some(Startup::NotStarted(reason)) => {
                    return report_end(control, ExitStatus::NotStarted(reason));
                }
                Some(Startup::HostFailed(reason)) => {
                    // The program that failed says why on standard error. Once it has ended, all of that has arrived.
                    wait::wait_for_end(self.leader, Instant::now() + FAILURE_TIMEOUT);
                    return report_end(control, ExitStatus::HostFailed(reason));
                }
                None => {}
            }
            let some_ended = signals.take();
            if self.first.is_some() && !has_ended {
                if let Some(status) = self.status() {
                    self.kill();
                    report_end(control, status);
                    kill_all_but(self.leader);
                    has_ended = true;
                } else {
                    if some_ended {
                        reap_all_but(self.leader);
                    }
                    if is_asked && !self.is_about_to_end() {
                        report(control, &SupervisorReport::Running);
                        is_asked = false;
                    }
                }
            }
        }
    }

    /// Returns how it ended; its first process stays unreaped.
    ///
    /// The status of a bot in a process namespace comes from the exit code of its watcher there, which is 128 + N for
    /// signal N.
    fn status(&self) -> Option<ExitStatus> {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.leader), ended).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code @ 129..=192), _) if self.has_namespaces => ExitStatus::Signal(code - 128),
            (Some(code), _) => ExitStatus::Code(code),
            (None, signal) => ExitStatus::Signal(signal.unwrap_or_default()),
        })
    }

    /// Whether its own first process has ended, and the watcher around it has yet to run and to end as well.
    fn is_about_to_end(&self) -> bool {
        self.has_namespaces && self.first.is_some_and(wait::has_ended)
    }

    /// Kills everything in its control group and its process group.
    fn kill(&self) {
        self.cgroup.as_deref().inspect(|cgroup| cgroup::kill(cgroup));
        let _ = rustix::process::kill_process_group(self.leader, Signal::KILL);
    }

    fn terminate(&self) {
        let _ = match self.first {
            // A program between us and the bot would not pass the signal on: it would end, and the bot with it.
            Some(bot) if bot != self.leader => rustix::process::kill_process(bot, Signal::TERM),
            _ => rustix::process::kill_process_group(self.leader, Signal::TERM),
        };
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
