//! A bot's process: started behind a supervisor, with pipes for the conversation, and reliably ended.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::Child;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use crate::cgroup::Cgroup;
use crate::command::BotCommand;
use crate::control::{ExitStatus, RELEASE, SupervisorReport, TERMINATE, control_sockets};
use crate::cpu::{CpuMeter, CpuReading};
use crate::orphans;
use crate::pipes::{BotInput, BotOutput};
use crate::platform::{self, ThreadWait};
use crate::sandbox::spec::LaunchSpec;
use crate::sandbox::{Sandbox, SandboxLevel};
use crate::start_error::StartError;
use crate::stderr::StderrExcerpt;
use crate::supervisor;

/// How long a bot may take to exit after its input ended, and again after SIGTERM.
const GRACE_PERIOD: Duration = Duration::from_millis(250);

/// How long a supervisor may take to kill everything, before that is worth a notice.
const KILL_TIMEOUT: Duration = Duration::from_millis(500);

/// How long it may take at all before the machine is taken for broken: a busy one may hardly let the supervisor run.
const LONGEST_DEATH: Duration = Duration::from_mins(5);

/// The minimum and maximum time to wait for the supervisor's report.
const REPORT_TIMEOUT: (Duration, Duration) = (Duration::from_millis(40), Duration::from_millis(500));

/// Longer than anything that is waited for.
const FAR: Duration = Duration::from_hours(24);

/// How long to wait for standard error that a living bot has written but we have not read.
const STDERR_TIMEOUT: Duration = Duration::from_millis(1);

/// What was needed to make a bot exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// The end of its input.
    Alone,
    /// SIGTERM.
    Asked,
    /// Its death.
    Killed,
}

/// Starts bots behind supervisors.
#[derive(Clone, Debug)]
pub struct Launcher {
    leyden: PathBuf,
    sandbox: Sandbox,
    /// Whether bots stay at the arena's terminal and share its standard error.
    terminal: bool,
}

impl Launcher {
    /// Creates a launcher; `leyden` is the path of the program that runs as supervisor: the arena's own.
    pub fn new(leyden: PathBuf) -> Self {
        Self { leyden, sandbox: Sandbox::none(), terminal: false }
    }

    /// Returns the launcher with every bot in a sandbox.
    #[must_use]
    pub fn with_sandbox(self, sandbox: Sandbox) -> Self {
        Self { sandbox, ..self }
    }

    /// Returns the launcher for debugging bots: at the arena's own terminal, in its session and process group, with its
    /// standard error. Such a bot cannot be sandboxed. It receives pressed keys as well, and it cannot be paused.
    #[must_use]
    pub fn at_terminal(self) -> Self {
        Self { sandbox: Sandbox::none(), terminal: true, ..self }
    }

    /// Whether bots stay at the arena's terminal, to be debugged.
    pub fn is_at_terminal(&self) -> bool {
        self.terminal
    }

    /// Returns the bytes of memory that a bot may have; `None` if nothing limits it.
    pub fn memory_limit(&self) -> Option<u64> {
        (self.sandbox.level() != SandboxLevel::None).then_some(self.sandbox.limits.memory)
    }

    /// Returns the sandbox level of every bot.
    pub fn level(&self) -> SandboxLevel {
        self.sandbox.level()
    }

    /// Starts a bot. The pipes are returned with the process, so that a conversation can own them.
    ///
    /// A program that cannot be run is usually not an error here: its output closes, and [`BotProcess::exit_status`]
    /// says why.
    pub fn start(&self, command: &BotCommand) -> Result<(BotProcess, BotOutput, BotInput), StartError> {
        command.check().map_err(StartError::Bot)?;
        let (spec, cgroup) = self
            .sandbox
            .launch_spec(&self.leyden, command)
            .map_err(|error| StartError::host("no place for a bot", &error))?;
        self.start_as(command, spec, cgroup)
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    pub(crate) fn leyden(&self) -> &Path {
        &self.leyden
    }

    /// Starts the process that a spec describes.
    pub(crate) fn start_as(
        &self,
        command: &BotCommand,
        mut spec: LaunchSpec,
        cgroup: Option<Cgroup>,
    ) -> Result<(BotProcess, BotOutput, BotInput), StartError> {
        let (control, theirs) = control_sockets().map_err(|error| StartError::host("no socket", &error))?;
        let fd = std::os::fd::AsRawFd::as_raw_fd(&theirs.as_fd());
        let mut supervise = tokio::process::Command::new(&self.leyden);
        spec.terminal = self.terminal;
        let memory_limit = spec.watched_memory();
        supervise.arg(supervisor::ARGUMENT).arg(fd.to_string()).args(spec.to_arguments());
        supervise.arg(&command.program).args(&command.arguments);
        supervise.stdin(Stdio::piped()).stdout(Stdio::piped());
        supervise.stderr(if self.terminal { Stdio::inherit() } else { Stdio::piped() });
        if let Some(folder) = &command.folder {
            supervise.current_dir(folder);
        }
        let (mut child, held) =
            orphans::start_supervisor(&mut supervise).map_err(|error| StartError::of_bots_words(&error))?;
        drop(theirs);
        let (Some(stdout), Some(stdin)) = (child.stdout.take(), child.stdin.take()) else {
            return Err(StartError::Host("a process was started without its pipes".to_owned()));
        };
        let excerpt = StderrExcerpt::default();
        let stderr = child.stderr.as_ref().map(|stderr| stderr.as_fd().try_clone_to_owned()).transpose();
        let stderr = stderr.map_err(|error| StartError::host("no descriptor", &error))?;
        let stderr_reader = match child.stderr.take() {
            Some(stderr) => tokio::spawn(excerpt.clone().read_all(stderr)),
            None => tokio::spawn(async {}), // it is shown, not kept
        };
        let process = BotProcess {
            supervisor: child,
            _held: held,
            control,
            received: Vec::new(),
            stderr: excerpt,
            stderr_reader,
            status: None,
            group: None,
            standstill: None,
            was_still: false,
            memory_limit,
            meter: None,
            cgroup,
        };
        Ok((process, BotOutput::new(stdout, stderr), BotInput(stdin)))
    }
}

/// How a bot is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standstill {
    /// By the freezer, which nothing inside can undo.
    Frozen,
    /// By SIGSTOP to its process group: anything that continues one of its processes undoes it.
    Stopped,
}

/// A bot's process and all its descendants. Dropping it kills them.
#[derive(Debug)]
pub struct BotProcess {
    supervisor: Child,
    /// Nobody else waits for the supervisor.
    _held: Arc<orphans::Held>,
    control: UnixStream,
    /// What the supervisor sent and was not yet parsed as a line.
    received: Vec<u8>,
    stderr: StderrExcerpt,
    /// Reads standard error until it is closed.
    stderr_reader: JoinHandle<()>,
    status: Option<ExitStatus>,
    /// The bot's process group. The supervisor leaves its first process unreaped until we say that we no longer signal
    /// it, so the number keeps belonging to this group.
    group: Option<Pid>,
    /// How it is stopped, if it is.
    standstill: Option<Standstill>,
    /// Whether it was seen to stand still since it was frozen.
    was_still: bool,
    /// The memory limit of one process, if the arena must enforce it.
    memory_limit: Option<u64>,
    meter: Option<CpuMeter>,
    /// Removed when this is dropped, if the supervisor has not done so.
    cgroup: Option<Cgroup>,
}

impl BotProcess {
    /// Returns how it ended; `None` if it is still running. To be called when its output has closed: waits for the
    /// supervisor's report until `deadline` or a moment longer.
    pub async fn exit_status(&mut self, deadline: Instant) -> Option<ExitStatus> {
        let now = Instant::now();
        let limit = deadline.clamp(now + REPORT_TIMEOUT.0, now + REPORT_TIMEOUT.1);
        while self.status.is_none() && self.next_report(limit).await.is_some() {}
        self.status.clone()
    }

    /// Waits until it has ended, however long that takes. Cancel safe.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let far = Instant::now() + FAR;
        loop {
            if let Some(status) = &self.status {
                return status.clone();
            }
            if self.next_report(far).await.is_none() {
                return ExitStatus::HostFailed("its supervisor is gone".to_owned());
            }
        }
    }

    /// Waits until the supervisor has reported whether the bot runs. From then on the bot can be paused, and its CPU
    /// time is counted if the system supports it.
    pub async fn wait_until_running(&mut self) -> io::Result<()> {
        let limit = Instant::now() + REPORT_TIMEOUT.1;
        while self.group.is_none() && self.status.is_none() && self.next_report(limit).await.is_some() {}
        self.meter = CpuMeter::new(self.cgroup.as_ref(), self.supervisor_pid())?;
        Ok(())
    }

    /// Returns the CPU time of the bot and everything it started, if the system supports it. Never decreases. Includes
    /// time used before the bot's own program started.
    pub fn cpu_time(&mut self, reading: CpuReading) -> Option<Duration> {
        self.meter.as_mut().map(|meter| meter.read(reading))
    }

    /// Stops the bot until [`resume`](Self::resume): everything in its control group, or else in its process group.
    /// Calling it again stops what runs nevertheless.
    pub fn pause(&mut self) {
        self.was_still = false;
        match &self.cgroup {
            Some(cgroup) if cgroup.freeze().is_ok() => self.standstill = Some(Standstill::Frozen),
            _ => {
                self.signal_group(Signal::STOP);
                self.standstill = Some(Standstill::Stopped);
            }
        }
    }

    /// Continues a bot that [`pause`](Self::pause) has stopped. A bot that has stopped itself stays stopped.
    pub fn resume(&mut self) {
        match (self.standstill.take(), &self.cgroup) {
            (None, _) => {}
            (Some(Standstill::Frozen), Some(cgroup)) => {
                let _ = cgroup.thaw(); // it may be gone; that shows at its next turn
            }
            (Some(_), _) => self.signal_group(Signal::CONT),
        }
    }

    /// Kills everything in its control group, or else in its process group, at once. Its output closes then; its
    /// supervisor does the rest.
    pub fn strike_down(&mut self) {
        if let Some(cgroup) = &self.cgroup {
            cgroup.kill();
        }
        self.signal_group(Signal::KILL);
    }

    /// Returns the memory of the process with the most memory of its own, if that is more than it may have. Process
    /// limits do not count everything; with a control group no check is needed.
    pub fn memory_beyond_limit(&self) -> Option<u64> {
        let limit = self.memory_limit?;
        let family = platform::descendants(self.supervisor_pid()?);
        family.into_iter().filter_map(platform::memory).max().filter(|&held| held > limit)
    }

    /// Whether it is stopped.
    pub fn is_paused(&self) -> bool {
        self.standstill.is_some()
    }

    /// Whether it was stopped by the freezer, which nothing inside can undo.
    pub fn is_frozen(&self) -> bool {
        self.standstill == Some(Standstill::Frozen)
    }

    /// Whether it is stopped and may run nevertheless: it was not yet seen to be frozen, or a signal stopped it.
    pub fn may_run_while_paused(&self) -> bool {
        self.is_paused() && !self.was_still
    }

    /// Whether none of its threads can run at this moment. [`pause`](Self::pause) takes effect when each of them leaves
    /// the kernel.
    pub fn stands_still(&mut self) -> bool {
        match (self.standstill, &self.cgroup) {
            (Some(Standstill::Frozen), Some(cgroup)) => {
                self.was_still = self.was_still || cgroup.is_still();
                self.was_still
            }
            (Some(_), _) => self.supervisor_pid().is_none_or(platform::all_stopped_below),
            (None, _) => false,
        }
    }

    /// Signals the bot's process group, whether its supervisor has reported yet or not. The bot may be gone; that shows
    /// at its next turn.
    fn signal_group(&mut self, signal: Signal) {
        if self.group.is_none() && self.status.is_none() {
            self.take_what_was_reported();
        }
        // The supervisor's first child leads the group, and stays unreaped until we release it.
        let group = self.group.or_else(|| platform::group_below(self.supervisor_pid()?));
        if let Some(group) = group {
            let _ = rustix::process::kill_process_group(group, signal);
        }
    }

    /// Returns the number of its first process once it is known to run; inside namespaces, that of the program around
    /// it.
    pub fn pid(&self) -> Option<u32> {
        self.group.map(|group| group.as_raw_nonzero().get().cast_unsigned())
    }

    /// Returns the bytes of memory that are its processes' own, in total; 0 if the system does not report them.
    pub fn memory(&self) -> u64 {
        let family = self.supervisor_pid().map(platform::descendants).unwrap_or_default();
        family.into_iter().filter_map(platform::memory).sum()
    }

    /// Returns the total of the highest memory use of each of its current processes, in bytes; `None` if the system
    /// does not report it.
    pub fn peak_memory(&self) -> Option<u64> {
        platform::peak_memory_below(self.supervisor_pid()?)
    }

    fn supervisor_pid(&self) -> Option<Pid> {
        self.supervisor.id().and_then(|pid| Pid::from_raw(pid.cast_signed()))
    }

    /// Reads the supervisor's next report; `None` if none comes by then, or ever.
    async fn next_report(&mut self, limit: Instant) -> Option<()> {
        while !self.take_report()? {
            let mut some = [0; 256];
            let Ok(Ok(count @ 1..)) = timeout_at(limit, self.control.read(&mut some)).await else {
                return None;
            };
            self.received.extend_from_slice(&some[..count]);
        }
        Some(())
    }

    /// Reads the reports that have arrived, without waiting.
    fn take_what_was_reported(&mut self) {
        let mut some = [0; 256];
        while let Ok(count @ 1..) = self.control.try_read(&mut some) {
            self.received.extend_from_slice(&some[..count]);
        }
        while self.take_report() == Some(true) {}
    }

    /// Reads a complete report. False if there is none, `None` if it is not one that a supervisor writes.
    fn take_report(&mut self) -> Option<bool> {
        let Some(end) = self.received.iter().position(|&byte| byte == b'\n') else { return Some(false) };
        let line: Vec<u8> = self.received.drain(..=end).collect();
        match SupervisorReport::parse(&String::from_utf8_lossy(&line[..end]))? {
            SupervisorReport::Group(group) => self.group = Some(group),
            SupervisorReport::Ended(status) => self.status = Some(status),
        }
        Some(true)
    }

    /// Returns the bot's control group, if it has one.
    pub fn cgroup(&self) -> Option<&Cgroup> {
        self.cgroup.as_ref()
    }

    /// Returns the kept excerpt of its standard error.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// Discards what it has written to its standard error and the arena has read.
    pub fn forget_stderr(&self) {
        self.stderr.clear();
    }

    /// Returns how many bytes it has written to its standard error and the arena has read.
    pub(crate) fn stderr_bytes(&self) -> u64 {
        self.stderr.bytes()
    }

    /// Returns how many of its threads are running or ready to run at this moment.
    pub fn runnable_threads(&self) -> usize {
        self.supervisor_pid().map_or(0, platform::runnable_threads_below)
    }

    /// Returns how each of its threads has waited for a processor, by thread number, if the system reports it.
    pub fn waits(&self) -> BTreeMap<i32, ThreadWait> {
        self.supervisor_pid().map(platform::waits_below).unwrap_or_default()
    }

    /// Waits briefly until what the bot has written to its standard error is read.
    pub async fn read_stderr(&mut self) {
        if !self.stderr_reader.is_finished() {
            let limit = if self.status.is_some() { REPORT_TIMEOUT.0 } else { STDERR_TIMEOUT };
            let _ = timeout(limit, &mut self.stderr_reader).await;
        }
    }

    /// Interrupts those processes of the bot that have no children, as Ctrl-C does, and waits up to a second for it to
    /// print where it was and exit. For debugging: a bot that keeps running must still be killed.
    pub async fn interrupt(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(1);
        self.resume();
        let family = self.supervisor_pid().map(platform::descendants).unwrap_or_default();
        for process in family.into_iter().filter(|&process| platform::descendants(process).is_empty()) {
            let _ = rustix::process::kill_process(process, Signal::INT); // it may just have ended
        }
        let limit = Instant::now() + PATIENCE;
        while self.status.is_none() && self.next_report(limit).await.is_some() {}
    }

    /// Lets the bot exit: its input ends; then it gets SIGTERM; then all its processes are killed. Returns what was
    /// needed.
    pub async fn shut_down(mut self, (stdout, stdin): (BotOutput, BotInput)) -> io::Result<Leaving> {
        self.resume();
        let _ = self.control.write_all(&[RELEASE]).await; // the supervisor may just have ended
        drop(stdin);
        let pid = self.supervisor_pid();
        let mut left = Leaving::Alone;
        let mut ended = timeout(GRACE_PERIOD, self.supervisor.wait()).await;
        if ended.is_err() {
            left = Leaving::Asked;
            let _ = self.control.write_all(&[TERMINATE]).await; // the supervisor may just have ended
            ended = timeout(GRACE_PERIOD, self.supervisor.wait()).await;
        }
        drop(stdout);
        match ended {
            Ok(status) => supervisor_ended(pid, status).map(|()| left),
            Err(_) => self.kill().await.map(|()| Leaving::Killed),
        }
    }

    /// The same, and returns the whole of its standard error.
    pub async fn shut_down_heard(mut self, pipes: (BotOutput, BotInput)) -> io::Result<(Leaving, String)> {
        let said = self.stderr.clone();
        let reader = std::mem::replace(&mut self.stderr_reader, tokio::spawn(async {}));
        let left = self.shut_down(pipes).await?;
        let _ = timeout(REPORT_TIMEOUT.0, reader).await; // a process that has left the bot's group may keep it open
        Ok((left, said.text()))
    }

    /// Kills the bot and all its descendants, and waits until they are gone.
    pub async fn kill(self) -> io::Result<()> {
        let Self { mut supervisor, control, cgroup, .. } = self;
        cgroup.as_ref().inspect(|cgroup| cgroup.kill()); // the supervisor may have to wait for a processor
        let Some(pid) = supervisor.id().and_then(|pid| Pid::from_raw(pid.cast_signed())) else {
            return supervisor_ended(None, supervisor.wait().await);
        };
        drop(control);
        // The bot may have stopped its supervisor, and may do so again.
        let _ = rustix::process::kill_process(pid, Signal::CONT);
        if let Ok(status) = timeout(KILL_TIMEOUT, supervisor.wait()).await {
            return supervisor_ended(Some(pid), status);
        }
        if platform::is_stopped(pid) {
            supervisor.start_kill()?;
            return supervisor_ended(Some(pid), supervisor.wait().await);
        }
        // The bot forks faster than its supervisor can kill, or is in a long system call, or other processes have the
        // processors. Another process would be no faster, so the supervisor continues.
        tracing::info!(
            "the processes of a bot were not all killed within {KILL_TIMEOUT:?}: it forks too fast, or the machine is busy; \
             supervisor {pid} keeps killing"
        );
        match timeout(LONGEST_DEATH, supervisor.wait()).await {
            Ok(status) => supervisor_ended(Some(pid), status),
            Err(_) => Err(io::Error::other(format!(
                "the processes of a bot could not be killed within {LONGEST_DEATH:?}; supervisor {pid} keeps killing"
            ))),
        }
    }
}

/// Records that the supervisor was waited for.
fn supervisor_ended(pid: Option<Pid>, status: io::Result<std::process::ExitStatus>) -> io::Result<()> {
    orphans::supervisor_ended(pid, status?.signal().is_some());
    Ok(())
}
