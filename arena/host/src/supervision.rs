//! The arena's side of a supervisor: starts it, reads its reports, and ends it or keeps it for another bot.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout, timeout_at};

use crate::control::{BotPipes, SupervisorReport, control_sockets, send_launch};
use crate::sandbox::spec::LaunchSpec;
use crate::start_error::StartError;
use crate::{BotCommand, orphans, platform, supervisor};

/// The arena's environment variables that no bot may see, at any level, and no process beside it.
const SECRET_VARIABLES: [&str; 1] = ["LEYDEN_NATS_LOGIN"];

/// How long a supervisor may take to kill everything, before that is worth a notice.
const KILL_TIMEOUT: Duration = Duration::from_millis(500);

/// How long it may take at all before the machine is taken for broken: a busy one may hardly let the supervisor run.
const LONGEST_DEATH: Duration = Duration::from_mins(5);

/// The most idle supervisors that are kept: as many as there are seats at a table, and those of the table before.
const MOST_KEPT: usize = 8;

/// Idle supervisors of one runtime, the last one first. They end with this.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdleSupervisors(Arc<Mutex<Vec<Supervisor>>>);

impl IdleSupervisors {
    fn take(&self) -> Option<Supervisor> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Has an idle supervisor start a bot; `None` if there is none.
    pub(crate) fn launch(
        &self,
        spec: &LaunchSpec,
        command: &BotCommand,
        pipes: &BotPipes,
    ) -> Option<Supervisor> {
        while let Some(mut supervisor) = self.take() {
            if supervisor.start_another(spec, command, pipes).is_ok() {
                return Some(supervisor);
            }
        }
        None
    }

    pub(crate) async fn end(&self) {
        while let Some(supervisor) = self.take() {
            let _ = supervisor.kill().await; // it has no bot; should the system hold it, it ends later
        }
    }

    /// Keeps a supervisor that has just become idle. Returns it if there are enough.
    fn keep(&self, supervisor: Supervisor) -> Option<Supervisor> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == MOST_KEPT {
            return Some(supervisor);
        }
        kept.push(supervisor);
        None
    }
}

/// The messages of a supervisor.
#[derive(Debug)]
struct Reports {
    control: UnixStream,
    /// What it sent and was not yet parsed as a line.
    received: Vec<u8>,
    /// Whether it has reported that nothing of its bot is left.
    is_idle: bool,
}

impl Reports {
    /// Waits for the next one; `None` if none comes by then, or ever. Cancel safe.
    async fn next(&mut self, limit: Instant) -> Option<SupervisorReport> {
        loop {
            if let Some(report) = self.parse().ok()? {
                return Some(report);
            }
            let mut some = [0; 256];
            let Ok(Ok(count @ 1..)) = timeout_at(limit, self.control.read(&mut some)).await else {
                return None;
            };
            self.received.extend_from_slice(&some[..count]);
        }
    }

    /// Returns the next one that has arrived, without waiting.
    fn arrived(&mut self) -> Option<SupervisorReport> {
        let mut some = [0; 256];
        while let Ok(count @ 1..) = self.control.try_read(&mut some) {
            self.received.extend_from_slice(&some[..count]);
        }
        self.parse().ok()?
    }

    /// Parses a complete one. An error if it is not one that a supervisor writes.
    fn parse(&mut self) -> io::Result<Option<SupervisorReport>> {
        let Some(end) = self.received.iter().position(|&byte| byte == b'\n') else { return Ok(None) };
        let line: Vec<u8> = self.received.drain(..=end).collect();
        let report = SupervisorReport::parse(&String::from_utf8_lossy(&line[..end]));
        let report = report.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
        self.is_idle |= report == SupervisorReport::Idle;
        Ok(Some(report))
    }

    /// Waits until it has reported that it is idle; forever if it never does. Cancel safe.
    async fn idle(&mut self) {
        let far = Instant::now() + LONGEST_DEATH;
        while !self.is_idle {
            if self.next(far).await.is_none() {
                std::future::pending::<()>().await;
            }
        }
    }
}

/// A supervisor and its bot. Dropping it kills the bot.
#[derive(Debug)]
pub(crate) struct Supervisor {
    child: Child,
    /// Its number, even after it was waited for; not to be signalled then.
    number: Option<Pid>,
    /// Nobody else waits for it.
    _held: Arc<orphans::SupervisorHold>,
    reports: Reports,
}

impl Supervisor {
    /// Starts a supervisor with its first bot.
    pub(crate) fn start(
        leyden: &Path,
        spec: &LaunchSpec,
        command: &BotCommand,
        [input, output, error]: BotPipes,
    ) -> Result<Self, StartError> {
        let (control, theirs) = control_sockets().map_err(|error| StartError::host("no socket", &error))?;
        let mut supervise = Command::new(leyden);
        supervise.arg(supervisor::ARGUMENT).arg(theirs.as_raw_fd().to_string()).args(spec.to_arguments());
        supervise.arg(&command.program).args(&command.arguments);
        for name in SECRET_VARIABLES {
            supervise.env_remove(name);
        }
        supervise.stdin(input).stdout(output);
        supervise.stderr(if spec.terminal { Stdio::inherit() } else { error.into() });
        let (child, held) = orphans::start_supervisor(&mut supervise)
            .map_err(|error| StartError::for_bot_arguments(&error))?;
        let reports = Reports { control, received: Vec::new(), is_idle: false };
        Ok(Self { number: child.id().and_then(pid), child, _held: held, reports })
    }

    /// Has an idle supervisor start another bot. After an error it cannot be used any more.
    fn start_another(&mut self, spec: &LaunchSpec, command: &BotCommand, pipes: &BotPipes) -> io::Result<()> {
        self.reports.is_idle = false;
        // A bot may have stopped it. If one kills it now, that is as if it had been killed just after the start.
        if let Some(pid) = self.pid() {
            let _ = rustix::process::kill_process(pid, Signal::CONT);
        }
        let (spec, program) = (spec.to_arguments(), command.program.as_os_str());
        let words = spec.iter().map(OsString::as_os_str).chain([program]);
        let words = words.chain(command.arguments.iter().map(OsString::as_os_str));
        send_launch(self.reports.control.as_fd(), words, pipes)
    }

    /// Returns its number; `None` once it was waited for.
    pub(crate) fn pid(&self) -> Option<Pid> {
        self.child.id().and_then(pid)
    }

    /// Sends it a request, a byte of [`control`](crate::control). It may just have ended.
    pub(crate) async fn ask(&mut self, request: u8) {
        let _ = self.reports.control.write_all(&[request]).await;
    }

    /// Reads its next report; `None` if none comes by then, or ever. Cancel safe.
    pub(crate) async fn next_report(&mut self, limit: Instant) -> Option<SupervisorReport> {
        self.reports.next(limit).await
    }

    /// Returns its next report that has arrived, without waiting.
    pub(crate) fn arrived_report(&mut self) -> Option<SupervisorReport> {
        self.reports.arrived()
    }

    /// Waits until nothing of its bot is left: it is idle, or has ended. Cancel safe.
    pub(crate) async fn bot_is_gone(&mut self) -> io::Result<()> {
        tokio::select! {
            biased;
            () = self.reports.idle() => Ok(()),
            status = self.child.wait() => status.map(drop),
        }
    }

    /// Ends one whose bot is gone, or keeps it for another bot.
    pub(crate) async fn release(self, kept: Option<&IdleSupervisors>) -> io::Result<()> {
        let is_idle = self.reports.is_idle;
        let surplus = match kept {
            Some(kept) if is_idle => kept.keep(self),
            _ => Some(self),
        };
        match surplus {
            Some(supervisor) => supervisor.kill().await,
            None => Ok(()),
        }
    }

    /// Makes the supervisor kill the bot and all its descendants, and waits until it has done so and ended.
    pub(crate) async fn kill(self) -> io::Result<()> {
        let Self { mut child, number, reports, .. } = self;
        let Some(pid) = child.id().and_then(pid) else { return ended(number, child.wait().await) };
        drop(reports); // closes its socket
        // The bot may have stopped its supervisor, and may do so again.
        let _ = rustix::process::kill_process(pid, Signal::CONT);
        if let Ok(status) = timeout(KILL_TIMEOUT, child.wait()).await {
            return ended(Some(pid), status);
        }
        if platform::is_stopped(pid) {
            child.start_kill()?;
            return ended(Some(pid), child.wait().await);
        }
        // The bot forks faster than its supervisor can kill, or is in a long system call, or other processes have the
        // processors. Another process would be no faster, so the supervisor continues.
        tracing::info!(
            "the processes of a bot were not all killed within {KILL_TIMEOUT:?}: it forks too fast, or the machine is busy; \
             supervisor {pid} keeps killing"
        );
        match timeout(LONGEST_DEATH, child.wait()).await {
            Ok(status) => ended(Some(pid), status),
            Err(_) => Err(io::Error::other(format!(
                "the processes of a bot could not be killed within {LONGEST_DEATH:?}; supervisor {pid} keeps killing"
            ))),
        }
    }
}

fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(number.cast_signed())
}

/// Records that the supervisor was waited for.
fn ended(pid: Option<Pid>, status: io::Result<std::process::ExitStatus>) -> io::Result<()> {
    orphans::supervisor_ended(pid, status?.signal().is_some());
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;
    use std::process::Command;
    use std::time::Duration;

    use crate::process::ShutdownStep;
    use crate::{BotCommand, BotInput, BotOutput, BotProcess, Launcher, orphans};

    /// Starts a bot whose supervisor is a script in this folder. `$2` is its end of the control socket; bash writes to
    /// descriptors above nine, too.
    pub(crate) fn started_by(script: &str, folder: &Path) -> (BotProcess, BotOutput, BotInput) {
        let supervisor = folder.join("supervisor");
        // If this process wrote it, a child that another test starts could still have it open, and then it cannot be run.
        let write = "printf '#!/usr/bin/env bash\\n%s\\n' \"$1\" > \"$0\" && chmod +x \"$0\"";
        let written = Command::new("sh").args(["-c", write]).arg(&supervisor).arg(script).status();
        assert!(written.unwrap().success());
        let command = BotCommand {
            program: "bot".into(),
            arguments: Vec::new(),
            folder: None,
            reads: Vec::new(),
            lists: Vec::new(),
            network: false,
        };
        Launcher::new(supervisor).start(&command).unwrap()
    }

    #[tokio::test]
    async fn supervisor_that_ended_by_itself_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let (process, stdout, stdin) = started_by("exit", folder.path());
        let pid = process.supervisor_pid().unwrap();
        assert!(orphans::is_supervisor(pid));
        let left = process.shut_down_within(Duration::from_mins(5), (stdout, stdin)).await;
        assert_eq!(left.unwrap(), ShutdownStep::InputClosed);
        assert!(!orphans::is_supervisor(pid), "an orphan with its number would be spared");
    }
}
