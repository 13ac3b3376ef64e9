//! Resource limits that a process sets on itself and so on everything it starts.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::limits::ResourceLimits;

/// Bytes of the first thread's stack, unless the bot asks for more.
const STACK: u64 = 8 << 20;

/// The number of pending signals. The system counts them for a user, so it is small: what a process has left there another
/// one could count.
const SIGNALS: u64 = 64;

/// Sets a limit permanently.
fn most(resource: Resource, limit: u64) -> io::Result<()> {
    let had = rustix::process::getrlimit(resource);
    // The arena may itself be limited: never ask for more than it has.
    let limit = had.maximum.map_or(limit, |hard| hard.min(limit));
    Ok(setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?)
}

/// Sets every limit permanently.
pub(crate) fn set(limits: &ResourceLimits) -> io::Result<()> {
    set_memory_and_files(limits)?;
    most(Resource::Nproc, limits.tasks)?;
    most(Resource::Memlock, 64 << 10)?;
    most(Resource::Msgqueue, 0)?;
    most(Resource::Sigpending, SIGNALS)?;
    most(Resource::Rtprio, 0)?;
    most(Resource::Nice, 0)?;
    // If threads do not ask for another size, the first limit is also the stack size of each thread.
    let before = rustix::process::getrlimit(Resource::Stack);
    let most_ever = before.maximum.map_or(ResourceLimits::STACK, |limit| limit.min(ResourceLimits::STACK));
    let at_first = before.current.map_or(STACK, |limit| limit.min(STACK)).min(most_ever);
    setrlimit(Resource::Stack, Rlimit { current: Some(at_first), maximum: Some(most_ever) })?;
    Ok(())
}

/// Permanently limits a process's memory, the length of its files and how many it may have open: all that is limited
/// for a build at level `none`, where its tasks would be counted together with its user's. Allocates nothing.
pub(crate) fn set_memory_and_files(limits: &ResourceLimits) -> io::Result<()> {
    most(Resource::Core, 0)?;
    most(Resource::Data, limits.memory)?;
    most(Resource::As, ResourceLimits::ADDRESS_SPACE)?;
    most(Resource::Fsize, limits.scratch)?;
    most(Resource::Nofile, limits.descriptors)
}
