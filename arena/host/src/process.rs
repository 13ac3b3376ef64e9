//! A bot's process: started behind a supervisor, with pipes for the conversation, and reliably ended.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::{Instant, timeout};

use crate::cgroup::Cgroup;
use crate::command::BotCommand;
use crate::control::{ExitStatus, RELEASE, STATUS, SupervisorReport, TERMINATE};
use crate::cpu::{CpuMeter, CpuReading};
use crate::pipes::{BotInput, BotOutput};
use crate::platform::{self, ThreadWait};
use crate::sandbox::spec::LaunchSpec;
use crate::sandbox::{Sandbox, SandboxLevel};
use crate::start_error::StartError;
use crate::stderr::StderrExcerpt;
use crate::supervision::{IdleSupervisors, Supervisor};

/// How long a bot may usually take to exit after its input ended, and again after SIGTERM.
pub const GRACE_PERIOD: Duration = Duration::from_millis(250);

/// The minimum and maximum time to wait for the supervisor's report.
const REPORT_TIMEOUT: (Duration, Duration) = (Duration::from_millis(40), Duration::from_millis(500));

/// How long a supervisor may take to answer whether its bot runs: on a busy machine it may have to wait for a processor.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// Longer than anything that is waited for.
const FAR: Duration = Duration::from_hours(24);

/// How long to wait for standard error that a living bot has written but we have not read.
const STDERR_TIMEOUT: Duration = Duration::from_millis(1);

/// The step of a shutdown that made a bot exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShutdownStep {
    /// The end of its input.
    InputClosed,
    /// SIGTERM.
    Terminated,
    /// SIGKILL.
    Killed,
}

/// Starts bots behind supervisors.
#[derive(Clone, Debug)]
pub struct Launcher {
    leyden: PathBuf,
    sandbox: Sandbox,
    /// Whether bots stay at the arena's terminal and share its standard error.
    terminal: bool,
    /// Where supervisors stay that have nothing left to supervise, if they are used again.
    idle: Option<IdleSupervisors>,
}

impl Launcher {
    /// Creates a launcher; `leyden` is the path of the program that runs as supervisor: the arena's own.
    pub fn new(leyden: PathBuf) -> Self {
        Self { leyden, sandbox: Sandbox::none(), terminal: false, idle: None }
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
        Self { sandbox: Sandbox::none(), terminal: true, idle: None, ..self }
    }

    /// Returns the launcher for one thread that starts many bots. The supervisors of bots that have left in order start later ones, which
    /// is cheaper than new supervisors. It must be used, and dropped, in one runtime.
    #[must_use]
    pub fn keeping_supervisors(&self) -> Self {
        Self { idle: (!self.terminal).then(IdleSupervisors::default), ..self.clone() }
    }

    /// Ends the supervisors that are kept, and waits until they are gone.
    pub async fn end_supervisors(&self) {
        if let Some(idle) = &self.idle {
            idle.end().await;
        }
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
    ///
    /// ```no_run
    /// use leyden_host::{BotCommand, Launcher};
    /// use tokio::io::{AsyncReadExt, AsyncWriteExt};
    ///
    /// # async fn converse(command: BotCommand) -> Result<(), Box<dyn std::error::Error>> {
    /// let launcher = Launcher::new(std::env::current_exe()?);
    /// let (process, mut output, mut input) = launcher.start(&command)?;
    /// input.write_all(b"a line\n").await?;
    /// let mut answer = [0; 100];
    /// let count = output.read(&mut answer).await?;
    /// println!("{}", String::from_utf8_lossy(&answer[..count]));
    /// process.shut_down((output, input)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn start(&self, command: &BotCommand) -> Result<(BotProcess, BotOutput, BotInput), StartError> {
        command.check().map_err(StartError::Bot)?;
        let (spec, cgroup) = self
            .sandbox
            .launch_spec(command)
            .map_err(|error| StartError::host("no temporary folder for a bot", &error))?;
        self.start_as(command, spec, cgroup)
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Starts the process that a spec describes.
    pub(crate) fn start_as(
        &self,
        command: &BotCommand,
        mut spec: LaunchSpec,
        cgroup: Option<Cgroup>,
    ) -> Result<(BotProcess, BotOutput, BotInput), StartError> {
        let no_pipe = |error| StartError::host("no pipe", &error);
        let pipe = || io::pipe().map_err(no_pipe);
        let ((input, stdin), (stdout, output), (stderr, error)) = (pipe()?, pipe()?, pipe()?);
        let stdin = ChildStdin::from_std(OwnedFd::from(stdin).into()).map_err(no_pipe)?;
        let stdout = ChildStdout::from_std(OwnedFd::from(stdout).into()).map_err(no_pipe)?;
        spec.terminal = self.terminal;
        let memory_limit = spec.watched_memory();
        let pipes = [input.into(), output.into(), error.into()];
        let kept = self.idle.as_ref().and_then(|idle| idle.launch(&spec, command, &pipes));
        let supervisor = match kept {
            Some(supervisor) => supervisor,
            None => Supervisor::start(&self.leyden, &spec, command, pipes)?,
        };
        let excerpt = StderrExcerpt::default();
        // At the terminal nobody writes there.
        let for_output = (!self.terminal).then(|| stderr.try_clone()).transpose().map_err(no_pipe)?;
        let stderr = ChildStderr::from_std(OwnedFd::from(stderr).into()).map_err(no_pipe)?;
        let process = BotProcess {
            supervisor: Box::new(supervisor),
            idle: self.idle.clone(),
            stderr_reader: tokio::spawn(excerpt.clone().read_all(stderr)),
            stderr: excerpt,
            status: None,
            group: None,
            standstill: None,
            was_still: false,
            memory_limit,
            meter: None,
            cgroup,
        };
        Ok((process, BotOutput::new(stdout, for_output.map(Into::into)), BotInput(stdin)))
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
    /// Boxed, because a process is moved through many futures.
    supervisor: Box<Supervisor>,
    /// Where the supervisor stays if it leaves in order.
    idle: Option<IdleSupervisors>,
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
    /// Returns how it ended; `None` if it is still running. To be called when its output has closed: continues a paused
    /// bot, waits for the supervisor's report until `deadline` or a moment longer, and then asks the supervisor, which
    /// may not have run.
    pub async fn exit_status(&mut self, deadline: Instant) -> Option<ExitStatus> {
        self.resume(); // a paused watcher in namespaces would not notice that the bot has ended
        let now = Instant::now();
        let limit = deadline.clamp(now + REPORT_TIMEOUT.0, now + REPORT_TIMEOUT.1);
        while self.status.is_none() && self.next_report(limit).await.is_some() {}
        // A supervisor that the bot has stopped would not answer.
        if self.status.is_none() && !self.supervisor_pid().is_some_and(platform::is_stopped) {
            self.supervisor.ask(STATUS).await;
            let limit = Instant::now() + ANSWER_TIMEOUT;
            while self.status.is_none()
                && let Some(report) = self.supervisor.next_report(limit).await
                && report != SupervisorReport::Running
            {
                self.note(report);
            }
        }
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
    pub fn kill_processes(&mut self) {
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
            while let Some(report) = self.supervisor.arrived_report() {
                self.note(report);
            }
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

    pub(crate) fn supervisor_pid(&self) -> Option<Pid> {
        self.supervisor.pid()
    }

    /// Reads the supervisor's next report; `None` if none comes by then, or ever.
    async fn next_report(&mut self, limit: Instant) -> Option<()> {
        let report = self.supervisor.next_report(limit).await?;
        self.note(report);
        Some(())
    }

    fn note(&mut self, report: SupervisorReport) {
        match report {
            SupervisorReport::Group(group) => self.group = Some(group),
            SupervisorReport::Ended(status) => self.status = Some(status),
            SupervisorReport::Running | SupervisorReport::Idle => {}
        }
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
            read_within(&mut self.stderr_reader, limit).await;
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

    /// Lets the bot exit: its input ends; then it gets SIGTERM; then all its processes are killed. Returns which of
    /// these was needed.
    pub async fn shut_down(self, pipes: (BotOutput, BotInput)) -> io::Result<ShutdownStep> {
        self.shut_down_within(GRACE_PERIOD, pipes).await
    }

    /// The same, with this time for the bot to exit after its input ended, and again after SIGTERM.
    pub async fn shut_down_within(
        mut self,
        grace: Duration,
        (stdout, stdin): (BotOutput, BotInput),
    ) -> io::Result<ShutdownStep> {
        self.resume();
        self.supervisor.ask(RELEASE).await;
        drop(stdin);
        let mut step = ShutdownStep::InputClosed;
        let mut gone = timeout(grace, self.supervisor.bot_is_gone()).await;
        if gone.is_err() {
            step = ShutdownStep::Terminated;
            self.supervisor.ask(TERMINATE).await;
            gone = timeout(grace, self.supervisor.bot_is_gone()).await;
        }
        drop(stdout);
        match gone {
            Ok(gone) => {
                gone?;
                self.supervisor.release(self.idle.as_ref()).await.map(|()| step)
            }
            Err(_) => self.kill().await.map(|()| ShutdownStep::Killed),
        }
    }

    /// The same, and returns the whole of its standard error.
    pub async fn shut_down_with_stderr(
        mut self,
        pipes: (BotOutput, BotInput),
    ) -> io::Result<(ShutdownStep, String)> {
        let said = self.stderr.clone();
        let mut reader = std::mem::replace(&mut self.stderr_reader, tokio::spawn(async {}));
        let left = self.shut_down(pipes).await?;
        read_within(&mut reader, REPORT_TIMEOUT.0).await; // a process that has left the bot's group may keep it open
        Ok((left, said.text()))
    }

    /// Kills the bot and all its descendants, and waits until they are gone.
    pub async fn kill(self) -> io::Result<()> {
        self.cgroup.as_ref().inspect(|cgroup| cgroup.kill()); // the supervisor may have to wait for a processor
        self.supervisor.kill().await
    }
}

/// Waits up to this time for a reader to come to the end, and until it has read what is there by then.
async fn read_within(reader: &mut JoinHandle<()>, time: Duration) {
    if timeout(time, reader).await.is_err() {
        // The time may have passed while this thread had no processor: first the runtime notices what has arrived, then
        // the reader reads it.
        yield_now().await;
        yield_now().await;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::supervision::tests::started_by;

    /// Returns how a bot ended whose output is closed, as a supervisor with this script reports it.
    async fn exit_status(script: &str) -> Option<ExitStatus> {
        let folder = tempfile::tempdir().unwrap();
        let (mut process, mut output, _input) = started_by(&format!("exec >&-; {script}"), folder.path());
        assert_eq!(output.read(&mut [0]).await.unwrap(), 0);
        let status = process.exit_status(Instant::now()).await;
        process.kill().await.unwrap();
        status
    }

    #[tokio::test]
    async fn exit_status_waits_for_a_late_supervisor() {
        assert_eq!(exit_status("sleep 1; echo 'code 3' >&$2").await, Some(ExitStatus::Code(3)));
    }

    #[tokio::test]
    async fn bot_that_runs_has_no_exit_status() {
        let answers = "read -r -n 1 -u $2; echo 'running -' >&$2; sleep 1; echo 'code 3' >&$2";
        assert_eq!(exit_status(answers).await, None);
        assert_eq!(exit_status("exit").await, None, "its supervisor is gone");
    }

    #[tokio::test(start_paused = true)]
    async fn standard_error_is_read_when_time_is_up() {
        let (stderr, mut bot) = io::pipe().unwrap();
        let stderr = ChildStderr::from_std(OwnedFd::from(stderr).into()).unwrap();
        let excerpt = StderrExcerpt::default();
        let mut reader = tokio::spawn(excerpt.clone().read_all(stderr));
        for said in ["before", "before and after"] {
            bot.write_all(&said.as_bytes()[excerpt.text().len()..]).unwrap();
            read_within(&mut reader, Duration::ZERO).await;
            assert_eq!(excerpt.text(), said);
        }
    }
}
