//! Processes of bots that lost their supervisor: this process inherits them (on Linux) and kills them.
//!
//! The children of this process are either supervisors, which were started here and are kept in a list, or were started
//! by other code: a build, a browser, a server's helper. The latter are neither killed nor reaped here, and neither are
//! orphans that they leave. An orphan of a bot is recognised by the [mark](crate::platform::mark) that its supervisor
//! put on itself before it started anything.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use tokio::process::{Child, Command};

use crate::platform;
use crate::platform::mark::OwnMark;
use crate::platform::wait::reap;

/// The supervisors that have not been waited for, and whether somebody still has them.
static SUPERVISORS: Mutex<BTreeMap<i32, Weak<SupervisorHold>>> = Mutex::new(BTreeMap::new());

/// Its holder waits for the supervisor.
#[derive(Debug)]
pub(crate) struct SupervisorHold;

/// How this process was marked before it started the first bot; since then it inherits orphans.
static OWN_MARK: OnceLock<OwnMark> = OnceLock::new();

/// How long killed processes may take to disappear.
const KILL_TIMEOUT: Duration = Duration::from_millis(500);

fn supervisors() -> MutexGuard<'static, BTreeMap<i32, Weak<SupervisorHold>>> {
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a supervisor and remembers it. It is waited for by the holder of what is returned with it.
pub(crate) fn start_supervisor(command: &mut Command) -> io::Result<(Child, Arc<SupervisorHold>)> {
    OWN_MARK.get_or_init(|| {
        platform::become_subreaper();
        OwnMark::read()
    });
    let mut supervisors = supervisors(); // held during the start: the supervisor must not be taken for an orphan
    let child = command.spawn()?;
    let held = Arc::new(SupervisorHold);
    supervisors.extend(child.id().map(|pid| (pid.cast_signed(), Arc::downgrade(&held))));
    Ok((child, held))
}

/// Whether this is a supervisor that was not waited for.
#[cfg(test)]
pub(crate) fn is_supervisor(pid: Pid) -> bool {
    supervisors().contains_key(&pid.as_raw_nonzero().get())
}

/// Records that a supervisor was waited for. If it was killed, the orphans that it left are killed.
pub(crate) fn supervisor_ended(pid: Option<Pid>, killed: bool) {
    if let Some(pid) = pid {
        supervisors().remove(&pid.as_raw_nonzero().get());
    }
    if killed {
        kill_orphans();
    }
}

/// Waits briefly for supervisors that no [`BotProcess`](crate::BotProcess) waits for any more, and kills all orphans of
/// bots. Bots that play elsewhere in this process are left alone.
pub fn kill_leftovers() {
    let deadline = Instant::now() + KILL_TIMEOUT;
    let is_left = |held: &Weak<SupervisorHold>| held.strong_count() == 0;
    let left: Vec<i32> =
        supervisors().iter().filter(|(_, held)| is_left(held)).map(|(pid, _)| *pid).collect();
    let ended = left.into_iter().filter(|&pid| Pid::from_raw(pid).is_none_or(|pid| reap(pid, deadline)));
    let ended: Vec<i32> = ended.collect();
    supervisors().retain(|pid, held| !(is_left(held) && ended.contains(pid)));
    kill_orphans();
}

/// Kills and reaps every orphan of a bot, and the descendants that become our children by that.
fn kill_orphans() {
    /// Only one thread at a time: reaping an orphan that another thread has reaped could hit a new child with the same
    /// number.
    static KILLING: Mutex<()> = Mutex::new(());
    let Some(own) = OWN_MARK.get() else { return };
    let _alone = KILLING.lock().unwrap_or_else(PoisonError::into_inner);
    kill_until_none(|| kill_each_orphan(*own), reap);
}

/// Kills every current orphan, and returns them. A supervisor that is being started is not an orphan.
fn kill_each_orphan(own: OwnMark) -> Vec<Pid> {
    let supervisors = supervisors();
    let orphans = platform::children()
        .into_iter()
        .filter(|child| !supervisors.contains_key(&child.as_raw_nonzero().get()) && own.is_above(*child));
    orphans
        .inspect(|&orphan| {
            let _ = rustix::process::kill_process(orphan, Signal::KILL);
        })
        .collect()
}

/// Kills and reaps until none is left, or the time is up. Bots can be started at the same time.
fn kill_until_none(kill: impl Fn() -> Vec<Pid>, reap: impl Fn(Pid, Instant) -> bool) {
    let deadline = Instant::now() + KILL_TIMEOUT;
    loop {
        let orphans = kill();
        // A killed process ends unless the system itself holds it.
        let left = orphans.iter().filter(|&&orphan| !reap(orphan, deadline)).count();
        if orphans.is_empty() || left > 0 || Instant::now() > deadline {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The system may hold an orphan for any length of time.
    #[test]
    fn supervisor_list_is_unlocked_while_an_orphan_lingers() {
        let stuck = rustix::process::getpid();
        let is_free = std::cell::Cell::new(false);
        let reap = |orphan, _| {
            assert_eq!(orphan, stuck);
            is_free.set(SUPERVISORS.try_lock().is_ok());
            false
        };
        kill_until_none(
            || {
                drop(supervisors());
                vec![stuck]
            },
            reap,
        );
        assert!(is_free.get(), "the list of supervisors is locked while an orphan is waited for");
    }
}
