//! A mark that identifies the processes of bots, and that they cannot remove.
//!
//! It is the hard limit on file locks (`RLIMIT_LOCKS`), which Linux has not used for anything since 2.4: children
//! inherit it, `exec` keeps it, `/proc` shows it for any process, and raising it again needs `CAP_SYS_RESOURCE`. A
//! supervisor lowers its own before it starts anything, so a process belongs to a bot if its limit is lower than the
//! arena's.
//!
//! Environment variables, sessions and process groups would not do: a process can change its own. A bot that runs as
//! root outside of every sandbox can raise the limit again, as it can do everything else.

#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The limit of a marked process with an unmarked parent: far more than any process could need, should it ever be used
/// again.
#[cfg(target_os = "linux")]
const HIGHEST_MARK: u64 = 1 << 40;

/// This process's own mark: it may be a bot's process, started by another arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnMark(u64);

impl OwnMark {
    /// To be called before any bot runs, because a bot could change it.
    pub(crate) fn read() -> Self {
        #[cfg(target_os = "linux")]
        return Self(getrlimit(Resource::Locks).maximum.unwrap_or(u64::MAX));
        #[cfg(not(target_os = "linux"))]
        Self(u64::MAX)
    }

    /// Whether a process, or an ancestor of it, has marked itself below this one. Known until it is reaped.
    pub(crate) fn is_above(self, process: rustix::process::Pid) -> bool {
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", process.as_raw_nonzero()));
        hard_limit(&limits.unwrap_or_default()).is_some_and(|limit| limit < self.0)
    }
}

/// Parses the hard limit in a `/proc/PID/limits`, whose lines are: name, soft limit, hard limit, unit.
fn hard_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max file locks "))?;
    match line.split_whitespace().nth(1)? {
        "unlimited" => Some(u64::MAX),
        number => number.parse().ok(),
    }
}

/// Marks this process and everything it will start.
pub(crate) fn mark_this_process() {
    #[cfg(target_os = "linux")]
    {
        let mark = getrlimit(Resource::Locks).maximum.map_or(HIGHEST_MARK, |limit| limit.saturating_sub(1));
        // Lowering a limit is never refused.
        let _ = setrlimit(Resource::Locks, Rlimit { current: Some(mark), maximum: Some(mark) });
    }
}

#[cfg(test)]
mod tests {
    use super::hard_limit;

    #[test]
    fn hard_limit_is_the_second_column() {
        let text = "Limit                     Soft Limit           Hard Limit           Units     \n\
                    Max address space         unlimited            unlimited            bytes     \n\
                    Max file locks            7                    1099511627776        locks     \n\
                    Max pending signals       15389                15389                signals   \n";
        assert_eq!(hard_limit(text), Some(1 << 40));
        assert_eq!(
            hard_limit("Max file locks            unlimited            unlimited   locks"),
            Some(u64::MAX)
        );
        assert_eq!(hard_limit(""), None);
    }
}
