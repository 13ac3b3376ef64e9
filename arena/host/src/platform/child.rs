//! A child process that goes on with this program's code, in namespaces and a control group of its own. Only for the supervisor, never for
//! the arena itself: in a process with one thread nobody holds a lock while it forks, so the child may do all that its parent may.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rustix::process::Pid;

/// The exit code of a child whose code panicked.
const PANICKED: i32 = 101;

/// Whether a child is in the control group that it is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupEntry {
    /// It was created in it, which costs no wait.
    AtBirth,
    /// It has to enter it: this kernel, or who may do what here, does not let a child be created in another group.
    NotYet,
}

/// Starts a child with these new namespaces (flags of `clone`), in this control group if that is possible. The child runs `run`, and ends with
/// the code that it returns. It has our descriptors, and none of our signal handlers where the kernel can reset them.
pub(crate) fn start(
    namespaces: libc::c_int,
    group: Option<&File>,
    run: impl FnOnce(GroupEntry) -> i32,
) -> io::Result<Pid> {
    let in_group = group.map(|group| clone(namespaces, Some(group)));
    let (child, entered) = match in_group {
        Some(Ok(child)) => (child, GroupEntry::AtBirth),
        _ => (clone(namespaces, None)?, GroupEntry::NotYet),
    };
    if let Some(child) = child {
        return Ok(child);
    }
    // Nothing may be dropped that the parent owns as well, so this never returns, not even by a panic.
    let code = catch_unwind(AssertUnwindSafe(|| run(entered))).unwrap_or(PANICKED);
    // SAFETY: ends this process, without running what the parent has registered for its own end.
    unsafe { libc::_exit(code) }
}

/// Forks; `None` in the child.
fn clone(namespaces: libc::c_int, group: Option<&File>) -> io::Result<Option<Pid>> {
    const INTO_CGROUP: u64 = 0x2_0000_0000;
    const CLEAR_SIGHAND: u64 = 0x1_0000_0000;
    // SAFETY: a structure of numbers, valid when zeroed.
    let mut how: libc::clone_args = unsafe { std::mem::zeroed() };
    how.flags = u64::from(namespaces.cast_unsigned()) | CLEAR_SIGHAND;
    how.exit_signal = libc::SIGCHLD as u64;
    if let Some(group) = group {
        how.flags |= INTO_CGROUP;
        how.cgroup = group.as_raw_fd() as u64;
    }
    // SAFETY: reads the structure. The child gets a copy of this process's only thread and of its memory, stack included.
    let answer = unsafe { libc::syscall(libc::SYS_clone3, &raw const how, size_of_val(&how)) };
    let error = io::Error::last_os_error();
    let answer = match error.raw_os_error() {
        // Filters of system calls that cannot look at its arguments refuse the call as if it were unknown.
        Some(libc::ENOSYS) if answer < 0 && group.is_none() => {
            let flags = libc::c_long::from(namespaces | libc::SIGCHLD);
            // SAFETY: as above; the remaining arguments are addresses that these flags do not use.
            let answer = unsafe { libc::syscall(libc::SYS_clone, flags, 0_usize, 0_usize, 0_usize, 0_usize) };
            if answer < 0 {
                return Err(io::Error::last_os_error());
            }
            answer
        }
        _ if answer < 0 => return Err(error),
        _ => answer,
    };
    Ok(Pid::from_raw(answer as i32))
}

/// Gives this process a namespace of control groups of its own, whose root is the group that it is in.
pub(crate) fn unshare_cgroups() -> io::Result<()> {
    // SAFETY: concerns neither descriptors nor memory.
    Ok(unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWCGROUP) }?)
}

#[cfg(test)]
mod tests {
    use rustix::process::{WaitOptions, waitpid};

    use super::*;

    fn code(run: impl FnOnce(GroupEntry) -> i32) -> Option<i32> {
        let child = start(0, None, run).unwrap();
        waitpid(Some(child), WaitOptions::empty()).unwrap().unwrap().1.exit_status()
    }

    #[test]
    fn child_exits_with_the_code_it_returns() {
        assert_eq!(code(|_| 7), Some(7));
        assert_eq!(code(|entered| i32::from(entered == GroupEntry::NotYet)), Some(1));
    }
}
