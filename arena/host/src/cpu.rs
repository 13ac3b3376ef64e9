//! The CPU time of a bot and everything it started.
//!
//! With a control group the system counts every process, wherever it went and whether it still lives; the figure may be
//! one kernel tick behind. Without one, the bot's family is counted: the processes that descend from its supervisor at
//! this moment. The figure is then never too high, but may miss
//!
//! - processes that started and ended between two readings, unless they were waited for; of those that were, less than
//!   two ticks (20 ms on most systems) in total for each process that waits;
//! - what a process that is never waited for used after its last reading;
//! - processes of a bot that killed its supervisor.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::process::Pid;
use tokio::time::Instant;

use crate::cgroup::{self, Cgroup};
use crate::platform::{self, ProcessHandle};

/// How long the list of a family is used: creating it costs a few dozen system calls, reading its clocks one per
/// process.
const FAMILY_LASTS: Duration = Duration::from_millis(10);

/// How complete a reading must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuReading {
    /// Processes that were started within the last 10 ms may be missing.
    Quick,
    /// Every process that exists now.
    Exact,
}

/// Counts a bot's CPU time.
#[derive(Debug)]
pub(crate) struct CpuMeter {
    source: Source,
    highest: Duration,
}

#[derive(Debug)]
enum Source {
    /// Its group's file, and its family, with which an exact reading makes up for the tick that the group's file is
    /// behind.
    Group(File, Option<ProcessTree>),
    Tree(ProcessTree),
}

impl CpuMeter {
    /// Creates a meter for a bot in this group, or else for all descendants of its supervisor; `None` if the system
    /// cannot measure it.
    pub(crate) fn new(group: Option<&Cgroup>, supervisor: Option<Pid>) -> io::Result<Option<Self>> {
        let family = supervisor.filter(|_| platform::counts_cpu_time()).map(ProcessTree::below);
        let source = match (group, family) {
            (Some(group), family) => Source::Group(group.cpu_stat()?, family),
            (None, Some(family)) => Source::Tree(family),
            (None, None) => return Ok(None),
        };
        Ok(Some(Self { source, highest: Duration::ZERO }))
    }

    /// Returns the CPU time so far. Never decreases.
    pub(crate) fn read(&mut self, reading: CpuReading) -> Duration {
        let used = match &mut self.source {
            Source::Group(stat, family) => {
                let mut text = [0; 256]; // the value is in the first line
                let count = stat.read_at(&mut text, 0).unwrap_or(0); // the group may be gone: then nothing is added
                let used = cgroup::cpu_usage(&String::from_utf8_lossy(&text[..count])).unwrap_or_default();
                let family = family.as_mut().filter(|_| reading == CpuReading::Exact);
                family.map_or(used, |family| used.max(family.read(reading)))
            }
            Source::Tree(family) => family.read(reading),
        };
        self.highest = self.highest.max(used);
        self.highest
    }
}

/// All descendants of a supervisor.
#[derive(Debug)]
struct ProcessTree {
    supervisor: Pid,
    /// The processes when the list was made, with what each had used at its last reading.
    members: Vec<(ProcessHandle, Duration)>,
    listed: Option<Instant>,
    /// What members that no longer exist had used at their last reading.
    gone: Duration,
    /// The time of children that members have waited for, since the first reading.
    reaped: Duration,
    reaped_at_first: Option<Duration>,
}

impl ProcessTree {
    fn below(supervisor: Pid) -> Self {
        let (gone, reaped) = (Duration::ZERO, Duration::ZERO);
        Self { supervisor, members: Vec::new(), listed: None, gone, reaped, reaped_at_first: None }
    }

    fn read(&mut self, reading: CpuReading) -> Duration {
        let is_good = self.listed.is_some_and(|listed| listed.elapsed() < FAMILY_LASTS);
        if reading == CpuReading::Exact || !is_good || !self.read_clocks() {
            self.list();
            self.read_clocks();
        }
        let alive: Duration = self.members.iter().map(|(_, used)| *used).sum();
        // A vanished member may have been waited for, so the two must not be added.
        alive + self.gone.max(self.reaped)
    }

    /// Reads every member's clock; returns false if one is gone.
    fn read_clocks(&mut self) -> bool {
        let before = self.members.len();
        self.members.retain_mut(|(member, used)| match member.ask(platform::cpu_time) {
            Some(now) if now >= *used => {
                *used = now;
                true
            }
            _ => {
                self.gone += *used;
                false
            }
        });
        self.members.len() == before
    }

    /// Updates the list. Members missing from the new one stay as long as they have a clock.
    fn list(&mut self) {
        // A number that another process has by now is no longer a member.
        let gone = &mut self.gone;
        self.members.retain(|(member, used)| {
            let is_there = member.ask(|_| Some(())).is_some();
            *gone += if is_there { Duration::ZERO } else { *used };
            is_there
        });
        for pid in platform::descendants(self.supervisor) {
            if !self.is_member(pid)
                && let Some(member) = ProcessHandle::take(pid)
                && platform::parent(pid).is_some_and(|it| it == self.supervisor || self.is_member(it))
            {
                self.members.push((member, Duration::ZERO));
            }
        }
        let reaped_by =
            |(member, _): &(ProcessHandle, Duration)| member.ask(|pid| Some(platform::reaped_cpu_time(pid)));
        let reaped = self.members.iter().filter_map(reaped_by).sum::<Duration>();
        let reaped = reaped + platform::reaped_cpu_time(self.supervisor);
        let before = *self.reaped_at_first.get_or_insert(reaped);
        self.reaped = self.reaped.max(reaped.saturating_sub(before));
        self.listed = Some(Instant::now());
    }

    fn is_member(&self, pid: Pid) -> bool {
        self.members.iter().any(|(member, _)| member.pid() == pid)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn shell(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
    }

    /// Returns the time of the descendants of a shell that runs this script and then reads a line.
    fn used_by(script: &str) -> Duration {
        let mut child = shell(&format!("{script}\necho done; read line"));
        let supervisor = Pid::from_raw(child.id().cast_signed()).unwrap();
        let mut meter = CpuMeter::new(None, Some(supervisor)).unwrap().unwrap();
        meter.read(CpuReading::Exact);
        let mut said = [0; 1];
        io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut said).unwrap();
        let used = meter.read(CpuReading::Exact);
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(meter.read(CpuReading::Exact) >= used);
        used
    }

    const BURN: &str = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

    #[test]
    fn cpu_time_of_reaped_children_is_counted() {
        let used = used_by(&format!("sh -c '{BURN}'; sh -c '{BURN}'"));
        assert!(used >= Duration::from_millis(20), "{used:?}");
    }

    #[test]
    fn group_meter_rereads_its_file_and_never_decreases() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut meter =
            CpuMeter { source: Source::Group(file.reopen().unwrap(), None), highest: Duration::ZERO };
        for (said, used) in [(1_500, 1_500), (2_500, 2_500), (2_000, 2_500)] {
            std::fs::write(file.path(), format!("usage_usec {said}\nuser_usec 7\n")).unwrap();
            assert_eq!(meter.read(CpuReading::Quick), Duration::from_micros(used));
        }
        std::fs::write(file.path(), "").unwrap();
        assert_eq!(meter.read(CpuReading::Exact), Duration::from_micros(2_500));
    }

    #[test]
    fn process_that_does_nothing_uses_nothing() {
        let used = used_by("sh -c 'read line' &");
        assert!(used < Duration::from_millis(100), "{used:?}");
    }

    /// Starts a process with this number that does not descend from the supervisor, and burns CPU; `None` if numbers
    /// cannot be chosen.
    fn stranger(number: i32) -> Option<Child> {
        for _ in 0..10_000 {
            std::fs::write("/proc/sys/kernel/ns_last_pid", (number - 1).to_string()).ok()?;
            let mut child =
                Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn().unwrap();
            if child.id().cast_signed() == number {
                return Some(child);
            }
            child.kill().unwrap(); // another process has just been started
            child.wait().unwrap();
        }
        None
    }

    #[test]
    #[allow(clippy::print_stderr, reason = "a skipped test says so")]
    fn process_reusing_a_members_number_is_not_counted() {
        let mut child = shell("sleep 600 & echo $!; wait; echo gone; read line");
        let supervisor = Pid::from_raw(child.id().cast_signed()).unwrap();
        let mut said = io::BufReader::new(child.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            io::BufRead::read_line(&mut said, &mut line).unwrap();
            line
        };
        let member = Pid::from_raw(line().trim().parse().unwrap()).unwrap();
        let mut meter = CpuMeter::new(None, Some(supervisor)).unwrap().unwrap();
        meter.read(CpuReading::Exact);
        rustix::process::kill_process(member, rustix::process::Signal::KILL).unwrap();
        assert_eq!(line(), "gone\n");
        let Some(mut stranger) = stranger(member.as_raw_nonzero().get()) else {
            eprintln!("untested: process numbers cannot be chosen here");
            drop(child.stdin.take());
            child.wait().unwrap();
            return;
        };
        let burnt = Duration::from_millis(300);
        while platform::cpu_time(member).unwrap() < burnt {
            std::thread::sleep(Duration::from_millis(5));
        }
        for reading in [CpuReading::Quick, CpuReading::Exact] {
            assert!(meter.read(reading) < burnt / 2, "{reading:?}");
        }
        stranger.kill().unwrap();
        stranger.wait().unwrap();
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}
