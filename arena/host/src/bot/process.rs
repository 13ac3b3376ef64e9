//! A bot's process: started behind a stage, with pipes for the conversation, and ended for sure.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{Child, ChildStdin};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use super::cpu::{CpuMeter, Reading};
use super::orphans;
use super::output::Output;
use super::stage;
use super::stderr::Kept;
use crate::platform;
use crate::sandbox::Sandbox;
use crate::sandbox::cgroup::Cgroup;

/// How long a bot may take to leave after its input ended, and again after the polite signal.
const GRACE: Duration = Duration::from_millis(250);

/// How long a stage may take to kill everything.
const AT_THE_LATEST: Duration = Duration::from_millis(500);

/// How long we wait at least, and at most, to learn how a process ended whose output has closed.
const LAST_WORDS: (Duration, Duration) = (Duration::from_millis(40), Duration::from_millis(500));

/// How long we wait for what a living bot has written to its standard error but we have not read.
const STDERR: Duration = Duration::from_millis(1);

/// What to run for a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// The working directory; the arena's own if there is none.
    pub folder: Option<PathBuf>,
    /// What it may read besides its folder and its program, where a sandbox stands around it.
    pub reads: Vec<PathBuf>,
}

/// Starts bots behind stages.
#[derive(Clone, Debug)]
pub struct Launcher {
    leyden: PathBuf,
    sandbox: Sandbox,
}

impl Launcher {
    /// `leyden` is the path of the program that runs as stage: the arena's own.
    pub fn new(leyden: PathBuf) -> Self {
        Self { leyden, sandbox: Sandbox::none() }
    }

    /// The same, with every bot in a sandbox.
    #[must_use]
    pub fn inside(self, sandbox: Sandbox) -> Self {
        Self { sandbox, ..self }
    }

    /// Starts a bot. The pipes come apart from the process, so that a conversation can own them.
    ///
    /// That the bot's program cannot be run is not an error here: its output closes, and [`Process::ending`] tells.
    pub fn start(&self, command: &Command) -> io::Result<(Process, Output, ChildStdin)> {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let control = UnixStream::from_std(ours)?;
        // The stage closes on exec whatever else it inherited, so a stage started by another thread at this very
        // moment does not hold this end open.
        rustix::io::fcntl_setfd(&theirs, rustix::io::FdFlags::empty())?;
        let fd = std::os::fd::AsRawFd::as_raw_fd(&theirs.as_fd());
        let mut stage = tokio::process::Command::new(&self.leyden);
        let (orders, cgroup) = self.sandbox.orders(&self.leyden, command)?;
        stage.arg(stage::ARGUMENT).arg(fd.to_string()).args(orders.words());
        stage.arg(&command.program).args(&command.arguments);
        stage.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &command.folder {
            stage.current_dir(folder);
        }
        let mut child = orphans::start(&mut stage)?;
        drop(theirs);
        let pipes = (child.stdout.take(), child.stdin.take(), child.stderr.take());
        let (Some(stdout), Some(stdin), Some(stderr)) = pipes else {
            return Err(io::Error::other("a child process was started without the pipes it was to have"));
        };
        let kept = Kept::default();
        let reader = tokio::spawn(kept.clone().read_all(stderr));
        let process = Process {
            stage: child,
            control,
            said: Vec::new(),
            stderr: kept,
            reader,
            ending: None,
            group: None,
            stopped: false,
            meter: None,
            cgroup,
        };
        Ok((process, Output::new(stdout), stdin))
    }
}

/// How a bot's process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its program could not be run, with the system's reason.
    NotStarted(String),
    /// What is to stand around it could not be made, with what is known of why. Not the bot's doing.
    NoSandbox(String),
    Code(i32),
    Signal(i32),
}

/// A bot's process and all its descendants. Dropping it kills them.
#[derive(Debug)]
pub struct Process {
    stage: Child,
    control: UnixStream,
    /// What the stage said of a line that is not complete, and lines not yet read.
    said: Vec<u8>,
    stderr: Kept,
    /// Reads standard error until it is closed.
    reader: JoinHandle<()>,
    ending: Option<Ending>,
    /// The bot's process group. The stage leaves its first process unreaped until it is told that we signal no more, so
    /// the number is the group's own.
    group: Option<Pid>,
    stopped: bool,
    meter: Option<CpuMeter>,
    /// Kept to be removed at last, should the stage not have done so.
    cgroup: Option<Cgroup>,
}

impl Process {
    /// How it ended, if it has: asked when its output has closed. Waits for the system to tell, until `deadline` or a
    /// moment longer.
    pub async fn ending(&mut self, deadline: Instant) -> Option<Ending> {
        let now = Instant::now();
        let limit = deadline.clamp(now + LAST_WORDS.0, now + LAST_WORDS.1);
        while self.ending.is_none()
            && let Some(said) = self.stage_says(limit).await
        {
            self.note(&said);
        }
        self.ending.clone()
    }

    /// Gets to know a bot that runs: from now on it can be stopped, and its time on the processors is counted where the
    /// system tells.
    pub async fn meet(&mut self) -> io::Result<()> {
        let limit = Instant::now() + LAST_WORDS.1;
        while self.group.is_none()
            && self.ending.is_none()
            && let Some(said) = self.stage_says(limit).await
        {
            self.note(&said);
        }
        self.meter = CpuMeter::new(self.cgroup.as_ref(), self.stage_pid())?;
        Ok(())
    }

    /// The time that the bot and all it started have used on the processors, where the system tells. Never decreases; part
    /// of it was used before the bot began.
    pub fn cpu_time(&mut self, reading: Reading) -> Option<Duration> {
        self.meter.as_mut().map(|meter| meter.read(reading))
    }

    /// Stops the bot until [`go_on`](Self::go_on): everything in its control group, or else in its process group.
    pub fn stop(&mut self) {
        if !self.stopped {
            self.stopped = true;
            // It may be gone; that shows when it is asked.
            let _ = match (&self.cgroup, self.group) {
                (Some(cgroup), _) => cgroup.freeze(),
                (None, Some(group)) => {
                    rustix::process::kill_process_group(group, Signal::STOP).map_err(io::Error::from)
                }
                (None, None) => Ok(()),
            };
        }
    }

    /// Lets the bot go on that [`stop`](Self::stop) has stopped. One that has stopped itself stays so.
    pub fn go_on(&mut self) {
        if self.stopped {
            self.stopped = false;
            let _ = match (&self.cgroup, self.group) {
                (Some(cgroup), _) => cgroup.thaw(),
                (None, Some(group)) => {
                    rustix::process::kill_process_group(group, Signal::CONT).map_err(io::Error::from)
                }
                (None, None) => Ok(()),
            };
        }
    }

    fn stage_pid(&self) -> Option<Pid> {
        self.stage.id().and_then(|pid| Pid::from_raw(pid.cast_signed()))
    }

    /// The next line of the stage; nothing if none comes by then, or ever.
    async fn stage_says(&mut self, limit: Instant) -> Option<String> {
        loop {
            if let Some(end) = self.said.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.said.drain(..=end).collect();
                return Some(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            let mut some = [0; 256];
            let Ok(Ok(count @ 1..)) = timeout_at(limit, self.control.read(&mut some)).await else {
                return None;
            };
            self.said.extend_from_slice(&some[..count]);
        }
    }

    fn note(&mut self, said: &str) {
        if let Some(group) = said.strip_prefix("group ") {
            self.group = group.parse().ok().and_then(Pid::from_raw);
        } else {
            self.ending = read_ending(said);
        }
    }

    /// The bot's control group, at the level that has one.
    pub fn cgroup(&self) -> Option<&Cgroup> {
        self.cgroup.as_ref()
    }

    /// What is kept of its standard error.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// How many of its threads are running or would like to, at this moment.
    pub fn crowd(&self) -> usize {
        self.stage_pid().map_or(0, platform::runnable_below)
    }

    /// Reads on what the bot has written to its standard error, not for long.
    pub async fn read_stderr(&mut self) {
        if !self.reader.is_finished() {
            let limit = if self.ending.is_some() { LAST_WORDS.0 } else { STDERR };
            let _ = timeout(limit, &mut self.reader).await;
        }
    }

    /// Lets the bot leave: its input has ended; then a polite signal, then all its processes are killed.
    pub async fn end(mut self, (stdout, stdin): (Output, ChildStdin)) -> io::Result<()> {
        self.go_on();
        let _ = self.control.write_all(&[stage::LET_GO]).await; // it may just have left
        drop(stdin);
        let pid = self.stage_pid();
        let mut left = timeout(GRACE, self.stage.wait()).await;
        if left.is_err() {
            let _ = self.control.write_all(&[stage::POLITE]).await; // it may just have left
            left = timeout(GRACE, self.stage.wait()).await;
        }
        drop(stdout);
        match left {
            Ok(status) => ended(pid, status),
            Err(_) => self.kill().await,
        }
    }

    /// Kills the bot and all its descendants, and waits until they are gone.
    pub async fn kill(self) -> io::Result<()> {
        let Self { mut stage, control, cgroup: _until_the_end, .. } = self;
        let Some(pid) = stage.id().and_then(|pid| Pid::from_raw(pid.cast_signed())) else {
            return ended(None, stage.wait().await);
        };
        drop(control);
        // The bot may have stopped its stage, and may do so again.
        let _ = rustix::process::kill_process(pid, Signal::CONT);
        if let Ok(status) = timeout(AT_THE_LATEST, stage.wait()).await {
            return ended(Some(pid), status);
        }
        if platform::is_stopped(pid) {
            stage.start_kill()?;
            return ended(Some(pid), stage.wait().await);
        }
        // The bot forks faster than its stage can kill. Nobody else would be better at it, so the stage goes on.
        tracing::warn!("a bot forks faster than it can be killed; stage {pid} goes on killing");
        Ok(())
    }
}

/// A stage was waited for.
fn ended(pid: Option<Pid>, status: io::Result<ExitStatus>) -> io::Result<()> {
    orphans::stage_ended(pid, status?.signal().is_some());
    Ok(())
}

fn read_ending(said: &str) -> Option<Ending> {
    if let Some(reason) = said.strip_prefix("failed ") {
        return Some(Ending::NotStarted(reason.to_owned()));
    }
    if let Some(reason) = said.strip_prefix("unsafe ") {
        return Some(Ending::NoSandbox(reason.to_owned()));
    }
    if let Some(code) = said.strip_prefix("ended code ") {
        return code.parse().ok().map(Ending::Code);
    }
    said.strip_prefix("ended signal ")?.parse().ok().map(Ending::Signal)
}
