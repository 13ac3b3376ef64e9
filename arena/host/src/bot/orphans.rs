//! Processes that lost their stage: the arena inherits them (on Linux) and ends them.
//!
//! Every child of the arena is a stage, or a descendant of a bot whose stage was killed. So the arena keeps a list of its
//! stages, and whoever else is its child while bots are running is an orphan.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions};
use tokio::process::{Child, Command};

use crate::platform;

/// The stages that have not been waited for.
static STAGES: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// How long the killed may take to be gone.
const PATIENCE: Duration = Duration::from_millis(500);

fn stages() -> MutexGuard<'static, BTreeSet<i32>> {
    STAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a stage and remembers it.
pub(super) fn start(stage: &mut Command) -> io::Result<Child> {
    static HEIR: Once = Once::new();
    HEIR.call_once(platform::adopt_orphans);
    let mut stages = stages(); // held while it starts: nobody may take it for an orphan
    let child = stage.spawn()?;
    stages.extend(child.id().map(u32::cast_signed));
    Ok(child)
}

/// A stage was waited for. If somebody killed it, what it left is ended.
pub(super) fn stage_ended(pid: Option<Pid>, killed: bool) {
    if let Some(pid) = pid {
        stages().remove(&pid.as_raw_nonzero().get());
    }
    if killed {
        end_orphans();
    }
}

/// Waits, not long, for stages that nobody waits for any more, and ends all orphans. To be called when no bot plays.
pub fn end_all() {
    let deadline = Instant::now() + PATIENCE;
    stages().retain(|&pid| Pid::from_raw(pid).is_some_and(|pid| !has_ended(pid, deadline)));
    end_orphans();
}

/// Waits for the end of a child until the deadline, and reaps it. Whoever is not our child has ended.
fn has_ended(child: Pid, deadline: Instant) -> bool {
    platform::wait_for_end(child, deadline);
    !matches!(rustix::process::waitpid(Some(child), WaitOptions::NOHANG), Ok(None))
}

/// Kills and reaps every child that is no stage, and whoever becomes our child by that.
fn end_orphans() {
    let stages = stages();
    let deadline = Instant::now() + PATIENCE;
    loop {
        let orphans: Vec<Pid> = platform::children()
            .into_iter()
            .filter(|child| !stages.contains(&child.as_raw_nonzero().get()))
            .collect();
        for &orphan in &orphans {
            let _ = rustix::process::kill_process(orphan, Signal::KILL);
        }
        // A killed process ends, except while the system itself holds it.
        let left = orphans.iter().filter(|&&orphan| !has_ended(orphan, deadline)).count();
        if orphans.is_empty() || left > 0 || Instant::now() > deadline {
            return;
        }
    }
}
