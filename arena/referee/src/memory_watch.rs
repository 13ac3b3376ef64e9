//! Watches memory that no process limit counts, while the arena waits for a bot or the bot itself waits.

use std::time::Duration;

use leyden_host::{BotProcess, CHECK_INTERVAL, ExitStatus};
use leyden_model::{FaultFact, MemoryShortage};
use rustix::process::Signal;
use tokio::time::Instant;

use super::fault::Fault;
use super::traceback::relevant_lines;

/// Checks a bot's memory from time to time, and kills a bot that has too much of it.
#[derive(Debug)]
pub(super) struct MemoryWatch {
    looked: Instant,
    /// What it had when it had too much, in bytes.
    had: Option<u64>,
}

/// A check costs a few system calls per process; in this time a bot can take at most a few hundred megabytes.
const PAUSE: Duration = CHECK_INTERVAL;

impl MemoryWatch {
    pub(super) fn new(now: Instant) -> Self {
        Self { looked: now, had: None }
    }

    /// Checks the memory if the last check is long enough ago. A bot with too much is killed, as the system would do.
    pub(super) fn look(&mut self, process: &mut BotProcess, now: Instant) {
        if self.had.is_some() || now.saturating_duration_since(self.looked) < PAUSE {
            return;
        }
        self.looked = now;
        self.had = process.memory_beyond_limit();
        if self.had.is_some() {
            process.kill_processes();
        }
    }

    /// Adds to a fault that memory most likely caused it: for a bot with this limit that was killed because it had
    /// more, that says so itself, or that something else killed.
    pub(super) fn annotate(
        &self,
        fault: &mut Fault,
        limit: Option<u64>,
        said: &str,
        ending: Option<&ExitStatus>,
    ) {
        let Some(limit) = limit.map(|limit| limit >> 20) else { return };
        let shortage = if let Some(had) = self.had {
            MemoryShortage::Had { had: had >> 20, limit }
        } else if is_short_of_memory(said) {
            MemoryShortage::Asked { limit }
        } else if ending == Some(&ExitStatus::Signal(Signal::KILL.as_raw())) {
            MemoryShortage::Killed { limit }
        } else {
            return;
        };
        fault.know(FaultFact::Memory(shortage));
    }
}

/// What programs print if they get no more memory, in Python, C, C++, Rust, Java, Node, Go and C#.
const SHORT: [&str; 12] = [
    "MemoryError",
    "bad_alloc",
    "Cannot allocate memory",
    "cannot allocate memory",
    "ENOMEM",
    "out of memory",
    "Out of memory",
    "OutOfMemory",
    "memory allocation of",
    "Could not reserve enough space",
    "insufficient memory",
    "Reached heap limit",
];

/// Whether one of the last lines says so: earlier ones may be about something that was caught.
fn is_short_of_memory(said: &str) -> bool {
    let (lines, _) = relevant_lines(said);
    lines.iter().any(|line| SHORT.iter().any(|words| line.contains(words)))
}

#[cfg(test)]
mod tests {
    use leyden_model::Deviation;
    use leyden_protocol::FaultCode;

    use super::*;

    fn explained(said: &str, ending: &ExitStatus, limit: Option<u64>) -> String {
        let mut fault = Fault::new(FaultCode::Exited, Deviation::Text("gone".to_owned()), b"");
        MemoryWatch::new(Instant::now()).annotate(&mut fault, limit, said, Some(ending));
        fault.message()
    }

    #[tokio::test]
    async fn fault_message_states_the_limit_after_memory_shortage() {
        let limit = Some(512 << 20);
        for said in [
            "Traceback (most recent call last):\n  File \"bot.py\", line 3, in choose\n    x = [0] * 10**10\nMemoryError\n",
            "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
            "memory allocation of 1000000000000 bytes failed\n",
            "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n\tat Bot.choose(Bot.java:7)\n",
            "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n",
            "fatal error: runtime: out of memory\n",
            "OSError: [Errno 12] Cannot allocate memory\n",
        ] {
            let explained = explained(said, &ExitStatus::Code(1), limit);
            assert!(
                explained.ends_with("memory: a bot may have 512 MB here (--memory), and it asked for more"),
                "{explained}"
            );
        }
        let killed = explained("", &ExitStatus::Signal(9), limit);
        assert!(killed.ends_with("512 MB here (--memory): one that takes more is killed"), "{killed}");
        for (said, ending, limit) in [
            ("MemoryError\n", ExitStatus::Code(1), None),
            ("ValueError: no memory of that\n", ExitStatus::Code(1), limit),
            ("", ExitStatus::Signal(11), limit),
        ] {
            assert_eq!(explained(said, &ending, limit), "gone");
        }
    }
}
