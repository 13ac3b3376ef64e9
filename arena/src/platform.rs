//! Whatever differs from system to system: cores, pinning, orphans. Everything else in the arena is plain POSIX.

use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};

/// The cores that the arena may use, ascending; where the system cannot tell, as many as it counts.
pub fn allowed_cores() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        let cores: Vec<usize> =
            (0..rustix::thread::CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect();
        if !cores.is_empty() {
            return cores;
        }
    }
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

/// Keeps this thread, and every process it starts, on these cores. Does nothing where the system has no such call.
pub fn pin_thread(cores: &[usize]) {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        for &core in cores {
            set.set(core);
        }
        // Pinning makes things faster, not right: a refusal (a container may forbid it) changes nothing else.
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = cores;
}

/// Makes this process inherit the orphans among its descendants, where the system can.
pub(crate) fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// The processes whose parent is this one.
#[cfg(target_os = "linux")]
pub(crate) fn children() -> Vec<rustix::process::Pid> {
    let me = rustix::process::getpid().as_raw_nonzero().get();
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mut children = Vec::new();
    for process in processes.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        let Ok(stat) = std::fs::read_to_string(process.path().join("stat")) else { continue };
        // The name in brackets may hold anything; behind it stand the state and the parent.
        let parent =
            stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse::<i32>().ok());
        if parent == Some(me) {
            children.extend(rustix::process::Pid::from_raw(pid));
        }
    }
    children
}

/// The processes whose parent is this one: not told on this system, process groups have to do.
#[cfg(not(target_os = "linux"))]
pub(crate) fn children() -> Vec<rustix::process::Pid> {
    Vec::new()
}

/// Takes over a descriptor that was passed on the command line.
pub(crate) fn inherited(fd: RawFd) -> OwnedFd {
    // SAFETY: called once, by a process that was started with this descriptor for this purpose and has opened no other.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// Marks every descriptor from 3 on to be closed when another program is executed.
pub(crate) fn close_on_exec_from_3() {
    let Ok(open) = std::fs::read_dir("/dev/fd") else { return };
    for fd in open.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<RawFd>().ok()) {
        if fd >= 3 {
            // SAFETY: only used for this call; a descriptor that is already closed gives an error.
            let fd = unsafe { BorrowedFd::borrow_raw(fd) };
            let _ = rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::CLOEXEC);
        }
    }
}
