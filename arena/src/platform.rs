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

/// Has the command's process killed when the thread that starts it ends, where the system can.
pub(crate) fn end_with_parent(command: &mut std::process::Command) {
    #[cfg(target_os = "linux")]
    {
        let parent = rustix::process::getpid();
        let ask = move || {
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
            // Whoever lost its parent before it could ask is not told any more.
            if rustix::process::getppid() == Some(parent) {
                Ok(())
            } else {
                Err(rustix::io::Errno::SRCH.into())
            }
        };
        // SAFETY: two system calls; nothing is allocated, locked or shared between fork and exec.
        unsafe { std::os::unix::process::CommandExt::pre_exec(command, ask) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// When memory runs out, the system looks for its victims here, and not in the arena.
pub(crate) fn kill_first_when_memory_is_short(process: rustix::process::Pid) {
    #[cfg(target_os = "linux")]
    let _ = std::fs::write(format!("/proc/{}/oom_score_adj", process.as_raw_nonzero()), "800");
    #[cfg(not(target_os = "linux"))]
    let _ = process;
}

/// Kills every process whose parent is this one, zombies left out. Each is killed as soon as it is found: the chance to
/// catch somebody who forks and leaves is better so.
pub(crate) fn kill_children() {
    for_each_child(|child| {
        let _ = rustix::process::kill_process(child, rustix::process::Signal::KILL);
    });
}

/// The processes whose parent is this one.
pub(crate) fn children() -> Vec<rustix::process::Pid> {
    let mut children = Vec::new();
    for_each_child(|child| children.push(child));
    children
}

#[cfg(target_os = "linux")]
fn for_each_child(mut found: impl FnMut(rustix::process::Pid)) {
    let me = rustix::process::getpid().as_raw_nonzero().get();
    for pid in processes() {
        if let Some((_, parent)) = state_and_parent(&format!("/proc/{pid}"))
            && parent == me
            && let Some(pid) = rustix::process::Pid::from_raw(pid)
        {
            found(pid);
        }
    }
}

/// Every process there is, as far as this one may know.
#[cfg(target_os = "linux")]
fn processes() -> impl Iterator<Item = i32> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|process| process.file_name().to_str()?.parse().ok())
}

/// Not told on this system: process groups have to do.
#[cfg(not(target_os = "linux"))]
fn for_each_child(_: impl FnMut(rustix::process::Pid)) {}

/// The state, as a letter, and the parent of the process or thread with this folder in `/proc`.
#[cfg(target_os = "linux")]
fn state_and_parent(folder: &str) -> Option<(u8, i32)> {
    let stat = std::fs::read_to_string(format!("{folder}/stat")).ok()?;
    // The name in brackets may hold anything; behind it stand the state and the parent.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut words = rest.split_whitespace();
    let state = *words.next()?.as_bytes().first()?;
    Some((state, words.next()?.parse().ok()?))
}

/// How many threads of a process's descendants are running or would like to, where the system tells.
pub(crate) fn runnable_below(ancestor: rustix::process::Pid) -> usize {
    #[cfg(target_os = "linux")]
    {
        let mut family = vec![ancestor.as_raw_nonzero().get()];
        let parents: Vec<(i32, i32)> =
            processes().filter_map(|pid| Some((pid, state_and_parent(&format!("/proc/{pid}"))?.1))).collect();
        let mut at = 0;
        while let Some(&parent) = family.get(at) {
            family.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
            at += 1;
        }
        let threads =
            family[1..].iter().filter_map(|pid| std::fs::read_dir(format!("/proc/{pid}/task")).ok());
        let states =
            threads.flatten().flatten().filter_map(|thread| state_and_parent(thread.path().to_str()?));
        states.filter(|(state, _)| *state == b'R').count()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = ancestor;
        0
    }
}

/// Whether a process was stopped by a signal, where the system tells.
pub(crate) fn is_stopped(pid: rustix::process::Pid) -> bool {
    #[cfg(target_os = "linux")]
    return matches!(state_and_parent(&format!("/proc/{}", pid.as_raw_nonzero())), Some((b'T' | b't', _)));
    #[cfg(not(target_os = "linux"))]
    return {
        let _ = pid;
        false
    };
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
