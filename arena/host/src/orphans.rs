//! Processes of bots that lost their supervisor: this process inherits them (on Linux) and kills them.
//!
//! Of the children of this process, some are supervisors, which were started here and are kept in a list, and some were
//! started by other code: a build, a browser, a server's helper. Those are neither killed nor reaped here, and neither are
//! orphans that they leave. An orphan of a bot is known by the [mark](crate::platform::mark) that its supervisor put on
//! itself before it started anything.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use tokio::process::{Child, Command};

use crate::platform;
use crate::platform::mark::OwnMark;
use crate::platform::wait::reap;

/// The supervisors that have not been waited for.
static SUPERVISORS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// How this process was marked before it started the first bot, since when it inherits orphans.
static OWN_MARK: OnceLock<OwnMark> = OnceLock::new();

/// How long killed processes may take to be gone.
const KILL_TIMEOUT: Duration = Duration::from_millis(500);

fn supervisors() -> MutexGuard<'static, BTreeSet<i32>> {
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a supervisor and remembers it.
pub(crate) fn start_supervisor(command: &mut Command) -> io::Result<Child> {
    OWN_MARK.get_or_init(|| {
        platform::become_subreaper();
        OwnMark::read()
    });
    let mut supervisors = supervisors(); // held while it starts: it must not be taken for an orphan
    let child = command.spawn()?;
    supervisors.extend(child.id().map(u32::cast_signed));
    Ok(child)
}

/// A supervisor was waited for. If it was killed, the orphans that it left are killed.
pub(crate) fn supervisor_ended(pid: Option<Pid>, killed: bool) {
    if let Some(pid) = pid {
        supervisors().remove(&pid.as_raw_nonzero().get());
    }
    if killed {
        kill_orphans();
    }
}

/// Waits, not long, for supervisors that no [`BotProcess`](crate::BotProcess) waits for any more, and kills all orphans of
/// bots. To be called when no bot plays.
pub fn kill_leftovers() {
    let deadline = Instant::now() + KILL_TIMEOUT;
    let left = supervisors().clone();
    let ended = left.into_iter().filter(|&pid| Pid::from_raw(pid).is_none_or(|pid| reap(pid, deadline)));
    let ended: Vec<i32> = ended.collect();
    supervisors().retain(|pid| !ended.contains(pid));
    kill_orphans();
}

/// Kills and reaps every orphan of a bot, and the descendants that become our children by that.
fn kill_orphans() {
    /// One at a time: whoever reaps an orphan that somebody else has reaped may meet a new child of the same number.
    static KILLING: Mutex<()> = Mutex::new(());
    let Some(own) = OWN_MARK.get() else { return };
    let _alone = KILLING.lock().unwrap_or_else(PoisonError::into_inner);
    kill_until_none(|| kill_each_orphan(*own), reap);
}

/// Kills every orphan there is at this moment, and names them. A supervisor that is being started is none.
fn kill_each_orphan(own: OwnMark) -> Vec<Pid> {
    let supervisors = supervisors();
    let orphans = platform::children()
        .into_iter()
        .filter(|child| !supervisors.contains(&child.as_raw_nonzero().get()) && own.is_above(*child));
    orphans
        .inspect(|&orphan| {
            let _ = rustix::process::kill_process(orphan, Signal::KILL);
        })
        .collect()
}

/// Kills and reaps until none is left, or the time is up. Bots can be started meanwhile.
fn kill_until_none(kill: impl Fn() -> Vec<Pid>, reap: impl Fn(Pid, Instant) -> bool) {
    let deadline = Instant::now() + KILL_TIMEOUT;
    loop {
        let orphans = kill();
        // A killed process ends, except while the system itself holds it.
        let left = orphans.iter().filter(|&&orphan| !reap(orphan, deadline)).count();
        if orphans.is_empty() || left > 0 || Instant::now() > deadline {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The system may hold an orphan for as long as it likes.
    #[test]
    fn bots_can_be_started_while_an_orphan_does_not_end() {
        let stuck = rustix::process::getpid();
        let told = std::cell::Cell::new(false);
        let reap = |orphan, _| {
            assert_eq!(orphan, stuck);
            told.set(SUPERVISORS.try_lock().is_ok());
            false
        };
        kill_until_none(
            || {
                drop(supervisors());
                vec![stuck]
            },
            reap,
        );
        assert!(told.get(), "the list of supervisors is locked while an orphan is waited for");
    }
}
