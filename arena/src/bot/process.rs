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
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use super::orphans;
use super::stage;
use super::stderr::Kept;
use crate::platform;

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
}

/// Starts bots behind stages.
#[derive(Clone, Debug)]
pub struct Launcher {
    leyden: PathBuf,
}

impl Launcher {
    /// `leyden` is the path of the program that runs as stage: the arena's own.
    pub fn new(leyden: PathBuf) -> Self {
        Self { leyden }
    }

    /// Starts a bot. The pipes come apart from the process, so that a conversation can own them.
    ///
    /// That the bot's program cannot be run is not an error here: its output closes, and [`Process::ending`] tells.
    pub fn start(&self, command: &Command) -> io::Result<(Process, ChildStdout, ChildStdin)> {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let control = UnixStream::from_std(ours)?;
        // The stage closes on exec whatever else it inherited, so a stage started by another thread at this very
        // moment does not hold this end open.
        rustix::io::fcntl_setfd(&theirs, rustix::io::FdFlags::empty())?;
        let fd = std::os::fd::AsRawFd::as_raw_fd(&theirs.as_fd());
        let mut stage = tokio::process::Command::new(&self.leyden);
        stage.arg(stage::ARGUMENT).arg(fd.to_string()).arg(&command.program).args(&command.arguments);
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
        Ok((Process { stage: child, control, stderr: kept, reader, ending: None }, stdout, stdin))
    }
}

/// How a bot's process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its program could not be run, with the system's reason.
    NotStarted(String),
    Code(i32),
    Signal(i32),
}

/// A bot's process and all its descendants. Dropping it kills them.
#[derive(Debug)]
pub struct Process {
    stage: Child,
    control: UnixStream,
    stderr: Kept,
    /// Reads standard error until it is closed.
    reader: JoinHandle<()>,
    ending: Option<Ending>,
}

impl Process {
    /// How it ended, if it has: asked when its output has closed. Waits for the system to tell, until `deadline` or a
    /// moment longer.
    pub async fn ending(&mut self, deadline: Instant) -> Option<Ending> {
        let now = Instant::now();
        let limit = deadline.clamp(now + LAST_WORDS.0, now + LAST_WORDS.1);
        if self.ending.is_none() {
            let mut said = [0; 256];
            if let Ok(Ok(count @ 1..)) = timeout_at(limit, self.control.read(&mut said)).await {
                self.ending = read_ending(&String::from_utf8_lossy(&said[..count]));
            }
        }
        self.ending.clone()
    }

    /// What is kept of its standard error.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// How many of its threads are running or would like to, at this moment.
    pub fn crowd(&self) -> usize {
        let stage = self.stage.id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
        stage.map_or(0, platform::runnable_below)
    }

    /// Reads on what the bot has written to its standard error, not for long.
    pub async fn read_stderr(&mut self) {
        if !self.reader.is_finished() {
            let limit = if self.ending.is_some() { LAST_WORDS.0 } else { STDERR };
            let _ = timeout(limit, &mut self.reader).await;
        }
    }

    /// Lets the bot leave: its input has ended; then a polite signal, then all its processes are killed.
    pub async fn end(mut self, (stdout, stdin): (ChildStdout, ChildStdin)) -> io::Result<()> {
        drop(stdin);
        let pid = self.stage.id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
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
        let Self { mut stage, control, .. } = self;
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
    if let Some(code) = said.strip_prefix("ended code ") {
        return code.parse().ok().map(Ending::Code);
    }
    said.strip_prefix("ended signal ")?.parse().ok().map(Ending::Signal)
}
