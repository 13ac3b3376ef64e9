//! Whatever differs from system to system: cores, pinning, orphans. Everything else in the arena is plain POSIX.

use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

use rustix::event::PollFd;

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

/// The same at once, but one or another may be missed while others end.
pub(crate) fn children_at_a_glance() -> Vec<rustix::process::Pid> {
    #[cfg(target_os = "linux")]
    if let Some(children) = children_of(rustix::process::getpid().as_raw_nonzero().get()) {
        return children.into_iter().filter_map(rustix::process::Pid::from_raw).collect();
    }
    children()
}

/// Waits until a child has ended, whether it is reaped or not, or until the deadline. Whoever is not there has ended.
pub(crate) fn wait_for_end(child: rustix::process::Pid, deadline: Instant) {
    #[cfg(target_os = "linux")]
    match rustix::process::pidfd_open(child, rustix::process::PidfdFlags::empty()) {
        Ok(descriptor) => {
            let mut waited_for = [PollFd::new(&descriptor, rustix::event::PollFlags::IN)];
            return poll_until(&mut waited_for, deadline);
        }
        Err(rustix::io::Errno::SRCH) => return,
        Err(_) => {} // kernels before 5.3 have no such descriptors
    }
    // Nothing tells: it is looked for. A zombie is seen by WNOWAIT, and whoever is no child is an error.
    let ended = rustix::process::WaitIdOptions::EXITED
        | rustix::process::WaitIdOptions::NOHANG
        | rustix::process::WaitIdOptions::NOWAIT;
    while matches!(rustix::process::waitid(rustix::process::WaitId::Pid(child), ended), Ok(None))
        && Instant::now() < deadline
    {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until something happens to one of the descriptors, or until the deadline.
pub(crate) fn poll_until(waited_for: &mut [PollFd<'_>], deadline: Instant) {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(left) = rustix::event::Timespec::try_from(left) else { return };
        if rustix::event::poll(waited_for, Some(&left)) != Err(rustix::io::Errno::INTR) {
            return;
        }
    }
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

/// Whether the system tells what time other processes have used on the processors.
pub const fn counts_cpu_time() -> bool {
    cfg!(target_os = "linux")
}

/// The time that a process and its threads, ended ones included, have used on the processors. To the nanosecond; nothing
/// if it is gone, or the system does not tell.
pub(crate) fn cpu_time(process: rustix::process::Pid) -> Option<Duration> {
    #[cfg(target_os = "linux")]
    {
        // The clock of another process, as the kernel numbers it: the number's complement, and 2 for "scheduled time".
        let clock = (!process.as_raw_nonzero().get() << 3) | 2;
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the call writes one `timespec` where it is told to, and nothing else.
        let told = unsafe { libc::clock_gettime(clock, &raw mut time) } == 0;
        told.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = process;
        None
    }
}

/// The time that the children of a process had used which it has waited for, in whole ticks.
pub(crate) fn reaped_cpu_time(process: rustix::process::Pid) -> Duration {
    #[cfg(target_os = "linux")]
    {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
        let stat = stat.unwrap_or_default();
        let behind_the_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let words = behind_the_name.split_whitespace().skip(13).take(2); // cutime, cstime
        let ticks: u64 = words.filter_map(|word| word.parse::<u64>().ok()).sum();
        // SAFETY: reads a number that never changes.
        let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
        Duration::from_micros(ticks * 1_000_000 / per_second)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = process;
        Duration::ZERO
    }
}

/// Everybody who descends from a process, as far as the system tells.
pub(crate) fn descendants(ancestor: rustix::process::Pid) -> Vec<rustix::process::Pid> {
    #[cfg(target_os = "linux")]
    {
        let mut family = vec![ancestor.as_raw_nonzero().get()];
        let mut at = 0;
        while let Some(&parent) = family.get(at) {
            let Some(children) = children_of(parent) else {
                family = scan_below(ancestor.as_raw_nonzero().get());
                break;
            };
            family.extend(children);
            at += 1;
        }
        family[1..].iter().filter_map(|&pid| rustix::process::Pid::from_raw(pid)).collect()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = ancestor;
        Vec::new()
    }
}

/// The children of all threads of a process, none if it is gone; nothing if this kernel keeps no such list.
#[cfg(target_os = "linux")]
fn children_of(parent: i32) -> Option<Vec<i32>> {
    let mut children = Vec::new();
    let Ok(threads) = std::fs::read_dir(format!("/proc/{parent}/task")) else { return Some(children) };
    for thread in threads.flatten() {
        match std::fs::read_to_string(thread.path().join("children")) {
            Ok(list) => children.extend(list.split_whitespace().filter_map(|pid| pid.parse::<i32>().ok())),
            Err(_) if !thread.path().join("stat").exists() => {} // the thread is gone
            Err(_) => return None,
        }
    }
    Some(children)
}

/// A process and everybody below it, found among all processes there are.
#[cfg(target_os = "linux")]
fn scan_below(ancestor: i32) -> Vec<i32> {
    let mut family = vec![ancestor];
    let parents: Vec<(i32, i32)> =
        processes().filter_map(|pid| Some((pid, state_and_parent(&format!("/proc/{pid}"))?.1))).collect();
    let mut at = 0;
    while let Some(&parent) = family.get(at) {
        family.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        at += 1;
    }
    family
}

/// From now on [`wait_for_a_child_to_end`] returns when a child has ended, and not when one was stopped or continued, of
/// which `wait` would wake up as well. To be called before other threads are started.
pub(crate) fn hear_of_ends_only() {
    #[cfg(target_os = "linux")]
    // SAFETY: plain structures on the stack, valid for all of zero and then filled in by the calls that are there for it.
    // No handler is set: the signal is blocked and taken by `sigwaitinfo`.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        action.sa_flags = libc::SA_NOCLDSTOP;
        libc::sigaction(libc::SIGCHLD, &raw const action, std::ptr::null_mut());
        let signals = child_signals();
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const signals, std::ptr::null_mut());
    }
}

/// Waits until a child has ended since this was last called, or since [`hear_of_ends_only`]; may return for nothing.
pub(crate) fn wait_for_a_child_to_end() {
    #[cfg(target_os = "linux")]
    // SAFETY: the set is on the stack; nothing is to be written.
    unsafe {
        let signals = child_signals();
        libc::sigwaitinfo(&raw const signals, std::ptr::null_mut());
    }
    #[cfg(not(target_os = "linux"))]
    let _ = rustix::process::waitid(
        rustix::process::WaitId::All,
        rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT,
    );
}

#[cfg(target_os = "linux")]
fn child_signals() -> libc::sigset_t {
    // SAFETY: the set is on the stack and emptied before it is used.
    unsafe {
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut signals);
        libc::sigaddset(&raw mut signals, libc::SIGCHLD);
        signals
    }
}

/// How many threads of a process's descendants are running or would like to, where the system tells.
pub(crate) fn runnable_below(ancestor: rustix::process::Pid) -> usize {
    #[cfg(target_os = "linux")]
    {
        let family = scan_below(ancestor.as_raw_nonzero().get());
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
