//! How long threads that wanted to run waited for a processor, because of other processes or of each other.

use std::collections::BTreeMap;
use std::time::Duration;

use rustix::process::Pid;

#[cfg(target_os = "linux")]
use super::processes::{descendants, state_and_parent};

/// How a thread has waited for a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadWait {
    /// The total time, not counting a wait in progress.
    pub waited: Duration,
    /// How often it got a processor. A thread that wanted to run at two moments and got none in between has waited, or
    /// run, all the time.
    pub turns: u64,
    /// Whether it runs or waits.
    pub wants_to_run: bool,
}

/// Returns how each thread of a process's descendants has waited for a processor, by thread number. Empty if the system
/// does not report it.
pub(crate) fn waits_below(ancestor: Pid) -> BTreeMap<i32, ThreadWait> {
    #[cfg(target_os = "linux")]
    {
        let mut waits = BTreeMap::new();
        for process in descendants(ancestor) {
            let threads = std::fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero()));
            for thread in threads.into_iter().flatten().flatten() {
                let number = thread.file_name().to_str().and_then(|name| name.parse().ok());
                let text = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
                let state = thread.path().to_str().and_then(state_and_parent);
                let wants_to_run = state.is_some_and(|(state, _)| state == b'R');
                waits.extend(number.zip(waited(&text).map(|wait| ThreadWait { wants_to_run, ..wait })));
            }
        }
        waits
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = ancestor;
        BTreeMap::new()
    }
}

/// Returns how long the calling thread has waited for a processor so far, if the system reports it.
pub fn own_wait() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    waited(&text).map(|wait| wait.waited)
}

/// Parses the second and third number of a `schedstat`: nanoseconds of waiting in a run queue, and how often the thread
/// got a processor. (Linux, Documentation/scheduler/sched-stats.rst)
fn waited(schedstat: &str) -> Option<ThreadWait> {
    let mut numbers = schedstat.split_whitespace().skip(1).map(str::parse);
    let (waited, turns) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(ThreadWait { waited: Duration::from_nanos(waited), turns, wants_to_run: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedstat_parses_waiting_second_and_turns_third() {
        let wait = ThreadWait { waited: Duration::from_millis(5), turns: 3, wants_to_run: false };
        assert_eq!(waited("901 5000000 3\n"), Some(wait));
        assert_eq!(waited("901"), None);
        assert_eq!(waited(""), None);
    }
}
