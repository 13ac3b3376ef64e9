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
    supervisors().retain(|&pid| Pid::from_raw(pid).is_some_and(|pid| !reap(pid, deadline)));
    kill_orphans();
}

/// Kills and reaps every orphan of a bot, and the descendants that become our children by that.
fn kill_orphans() {
    let Some(own) = OWN_MARK.get() else { return };
    let supervisors = supervisors();
    let deadline = Instant::now() + KILL_TIMEOUT;
    loop {
        let orphans: Vec<Pid> = platform::children()
            .into_iter()
            .filter(|child| !supervisors.contains(&child.as_raw_nonzero().get()) && own.is_above(*child))
            .collect();
        for &orphan in &orphans {
            let _ = rustix::process::kill_process(orphan, Signal::KILL);
        }
        // A killed process ends, except while the system itself holds it.
        let left = orphans.iter().filter(|&&orphan| !reap(orphan, deadline)).count();
        if orphans.is_empty() || left > 0 || Instant::now() > deadline {
            return;
        }
    }
}
