//! The time that a bot and all it started have used on the processors.
//!
//! With a control group the system counts for us, whoever leaves or ends; it may be one tick of the kernel behind. Without
//! one, a bot is its family: whoever descends from its stage at this moment. What can be missed then, so that the figure is
//! never more than the truth:
//!
//! - processes that came and went between two looks, unless they were waited for; of those that were, less than two ticks
//!   (20 ms on most systems) in all for each process that waits;
//! - what a process that nobody waits for used after it was last looked at;
//! - processes of a bot that killed its stage.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::process::Pid;
use tokio::time::Instant;

use crate::platform;
use crate::sandbox::cgroup::{self, Cgroup};

/// For how long the list of a family is good: making it costs a few dozen system calls, reading its clocks one a process.
const FAMILY_KEEPS: Duration = Duration::from_millis(10);

/// How new a reading has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Who was started within the last 10 ms may be missing.
    Quick,
    /// Everybody who is there now.
    Exact,
}

/// Counts a bot's time on the processors.
#[derive(Debug)]
pub(super) struct CpuMeter {
    source: Source,
    most: Duration,
}

#[derive(Debug)]
enum Source {
    Group(File),
    Family(Family),
}

impl CpuMeter {
    /// A meter of a bot in this group, or of all descendants of its stage; nothing where the system cannot tell.
    pub(super) fn new(group: Option<&Cgroup>, stage: Option<Pid>) -> io::Result<Option<Self>> {
        let source = match (group, stage) {
            (Some(group), _) => Source::Group(group.cpu_stat()?),
            (None, Some(stage)) if platform::counts_cpu_time() => Source::Family(Family::of(stage)),
            _ => return Ok(None),
        };
        Ok(Some(Self { source, most: Duration::ZERO }))
    }

    /// What was used so far. Never decreases.
    pub(super) fn read(&mut self, reading: Reading) -> Duration {
        let used = match &mut self.source {
            Source::Group(stat) => {
                let mut text = [0; 256]; // what is wanted stands in the first line
                let count = stat.read_at(&mut text, 0).unwrap_or(0); // gone with the group: nothing is added
                cgroup::usage(&String::from_utf8_lossy(&text[..count])).unwrap_or_default()
            }
            Source::Family(family) => family.read(reading),
        };
        self.most = self.most.max(used);
        self.most
    }
}

/// All descendants of a stage.
#[derive(Debug)]
struct Family {
    stage: Pid,
    /// Who was there when the list was made, with what each was seen to have used.
    members: Vec<(Pid, Duration)>,
    listed: Option<Instant>,
    /// What members had used that are gone, as far as it was seen.
    gone: Duration,
    /// What the members say of children that they waited for; the first time is where it begins.
    reaped: Duration,
    reaped_before: Option<Duration>,
}

impl Family {
    fn of(stage: Pid) -> Self {
        let (gone, reaped) = (Duration::ZERO, Duration::ZERO);
        Self { stage, members: Vec::new(), listed: None, gone, reaped, reaped_before: None }
    }

    fn read(&mut self, reading: Reading) -> Duration {
        let is_good = self.listed.is_some_and(|listed| listed.elapsed() < FAMILY_KEEPS);
        if reading == Reading::Exact || !is_good || !self.read_clocks() {
            self.list();
            self.read_clocks();
        }
        let alive: Duration = self.members.iter().map(|(_, used)| *used).sum();
        // Whoever is gone may be among those that were waited for, so the two cannot be added.
        alive + self.gone.max(self.reaped)
    }

    /// Reads every member's clock; false if one is gone.
    fn read_clocks(&mut self) -> bool {
        let before = self.members.len();
        self.members.retain_mut(|(pid, used)| match platform::cpu_time(*pid) {
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

    /// Makes the list anew. Members that it misses stay as long as they have a clock.
    fn list(&mut self) {
        for pid in platform::descendants(self.stage) {
            if !self.members.iter().any(|(member, _)| *member == pid) {
                self.members.push((pid, Duration::ZERO));
            }
        }
        let waiting = self.members.iter().map(|(pid, _)| *pid).chain([self.stage]);
        let reaped = waiting.map(platform::reaped_cpu_time).sum::<Duration>();
        let before = *self.reaped_before.get_or_insert(reaped);
        self.reaped = self.reaped.max(reaped.saturating_sub(before));
        self.listed = Some(Instant::now());
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn shell(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
    }

    /// The time of the descendants of a shell that runs this script, which ends with reading a line, once it has read.
    fn used_by(script: &str) -> Duration {
        let mut child = shell(&format!("{script}\necho done; read line"));
        let stage = Pid::from_raw(child.id().cast_signed()).unwrap();
        let mut meter = CpuMeter::new(None, Some(stage)).unwrap().unwrap();
        meter.read(Reading::Exact);
        let mut said = [0; 1];
        io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut said).unwrap();
        let used = meter.read(Reading::Exact);
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(meter.read(Reading::Exact) >= used);
        used
    }

    const BURN: &str = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

    #[test]
    fn children_that_ended_and_were_waited_for_are_counted() {
        let used = used_by(&format!("sh -c '{BURN}'; sh -c '{BURN}'"));
        assert!(used >= Duration::from_millis(20), "{used:?}");
    }

    #[test]
    fn a_group_is_read_again_and_again_and_never_goes_back() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut meter = CpuMeter { source: Source::Group(file.reopen().unwrap()), most: Duration::ZERO };
        for (said, used) in [(1_500, 1_500), (2_500, 2_500), (2_000, 2_500)] {
            std::fs::write(file.path(), format!("usage_usec {said}\nuser_usec 7\n")).unwrap();
            assert_eq!(meter.read(Reading::Quick), Duration::from_micros(used));
        }
        std::fs::write(file.path(), "").unwrap();
        assert_eq!(meter.read(Reading::Exact), Duration::from_micros(2_500));
    }

    #[test]
    fn a_process_that_does_nothing_uses_nothing() {
        let used = used_by("sh -c 'read line' &");
        assert!(used < Duration::from_millis(100), "{used:?}");
    }
}
