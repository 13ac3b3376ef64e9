//! How long threads waited for a processor although they wanted to run: what others, or each other, kept them from.

use std::collections::BTreeMap;
use std::time::Duration;

use rustix::process::Pid;

#[cfg(target_os = "linux")]
use super::processes::descendants;

/// How long each thread of a process's descendants has ever waited for a processor, by the thread's number. Empty where the
/// system does not tell.
pub(crate) fn waits_below(ancestor: Pid) -> BTreeMap<i32, Duration> {
    #[cfg(target_os = "linux")]
    {
        let mut waits = BTreeMap::new();
        for process in descendants(ancestor) {
            let threads = std::fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero()));
            for thread in threads.into_iter().flatten().flatten() {
                let number = thread.file_name().to_str().and_then(|name| name.parse().ok());
                let text = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
                waits.extend(number.zip(waited(&text)));
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

/// The second number of a `schedstat`: nanoseconds of waiting in a run queue. (Linux, Documentation/scheduler/sched-stats.rst)
fn waited(schedstat: &str) -> Option<Duration> {
    schedstat.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_the_waiting() {
        assert_eq!(waited("901 5000000 3\n"), Some(Duration::from_millis(5)));
        assert_eq!(waited("901"), None);
        assert_eq!(waited(""), None);
    }
}
