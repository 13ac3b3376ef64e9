//! The process tree, as the system shows it.

use rustix::process::{Pid, Signal};

/// Makes this process the parent of all orphans among its descendants, if the system can.
pub(crate) fn become_subreaper() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Makes the kernel kill this process before others when memory runs out.
pub(crate) fn prefer_as_oom_victim(process: Pid) {
    #[cfg(target_os = "linux")]
    let _ = std::fs::write(format!("/proc/{}/oom_score_adj", process.as_raw_nonzero()), "800");
    #[cfg(not(target_os = "linux"))]
    let _ = process;
}

/// The same for this process and all that it will start.
#[cfg(target_os = "linux")]
pub(crate) fn prefer_this_as_oom_victim() {
    let _ = std::fs::write("/proc/self/oom_score_adj", "800");
}

/// Kills every process whose parent is this one, each as soon as it is found: that is more likely to catch one that
/// forks and exits.
pub(crate) fn kill_children() {
    for_each_child(|child| {
        let _ = rustix::process::kill_process(child, Signal::KILL);
    });
}

/// Returns the processes whose parent is this one, including zombies.
pub(crate) fn children() -> Vec<Pid> {
    let mut children = Vec::new();
    for_each_child(|child| children.push(child));
    children
}

/// The same from the kernel's own list of our children, without looking at every process; it may miss some while others
/// end.
pub(crate) fn children_quick() -> Vec<Pid> {
    #[cfg(target_os = "linux")]
    if let Some(children) = children_of(rustix::process::getpid().as_raw_nonzero().get()) {
        return children.into_iter().filter_map(Pid::from_raw).collect();
    }
    children()
}

#[cfg(target_os = "linux")]
fn for_each_child(mut found: impl FnMut(Pid)) {
    let me = rustix::process::getpid().as_raw_nonzero().get();
    for pid in processes() {
        if let Some((_, parent)) = state_and_parent(&format!("/proc/{pid}"))
            && parent == me
            && let Some(pid) = Pid::from_raw(pid)
        {
            found(pid);
        }
    }
}

/// This system does not report them: callers fall back to process groups.
#[cfg(not(target_os = "linux"))]
fn for_each_child(_: impl FnMut(Pid)) {}

/// Returns every process that this one may see.
#[cfg(target_os = "linux")]
fn processes() -> impl Iterator<Item = i32> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|process| process.file_name().to_str()?.parse().ok())
}

/// Parses the state, as a letter, and the parent of the process or thread with this folder in `/proc`.
#[cfg(target_os = "linux")]
pub(super) fn state_and_parent(folder: &str) -> Option<(u8, i32)> {
    let stat = std::fs::read_to_string(format!("{folder}/stat")).ok()?;
    // The name in brackets may contain anything; state and parent follow it.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut words = rest.split_whitespace();
    let state = *words.next()?.as_bytes().first()?;
    Some((state, words.next()?.parse().ok()?))
}

/// Returns the descendants of a process that the system reports.
pub(crate) fn descendants(ancestor: Pid) -> Vec<Pid> {
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
        family[1..].iter().filter_map(|&pid| Pid::from_raw(pid)).collect()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = ancestor;
        Vec::new()
    }
}

/// Returns the process group that a child of this process leads; `None` if there is none, or the system does not report
/// it.
pub(crate) fn group_below(parent: Pid) -> Option<Pid> {
    #[cfg(target_os = "linux")]
    {
        let children = children_of(parent.as_raw_nonzero().get())?.into_iter().filter_map(Pid::from_raw);
        let mut leaders =
            children.filter(|&child| rustix::process::getpgid(Some(child)).is_ok_and(|group| group == child));
        leaders.next()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = parent;
        None
    }
}

/// Returns the bytes of memory that are a process's own: neither a file's nor shared. `None` if it is gone, or the
/// system does not report it.
pub(crate) fn memory(process: Pid) -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let text = std::fs::read_to_string(format!("/proc/{}/statm", process.as_raw_nonzero())).ok()?;
        let mut pages = text.split_whitespace().skip(1).map_while(|word| word.parse::<u64>().ok());
        let (resident, shared) = (pages.next()?, pages.next()?);
        // SAFETY: reads a number that never changes.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as u64;
        Some(resident.saturating_sub(shared) * page)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = process;
        None
    }
}

/// Returns the bytes of memory of this machine; the maximum if the system does not report them.
pub fn memory_of_machine() -> u64 {
    #[cfg(target_os = "linux")]
    {
        let machine = rustix::system::sysinfo();
        machine.totalram.saturating_mul(machine.mem_unit.into())
    }
    #[cfg(not(target_os = "linux"))]
    u64::MAX
}

/// Returns the current parent of a process; `None` if it is gone, or the system does not report it.
pub(crate) fn parent(process: Pid) -> Option<Pid> {
    #[cfg(target_os = "linux")]
    return Pid::from_raw(state_and_parent(&format!("/proc/{}", process.as_raw_nonzero()))?.1);
    #[cfg(not(target_os = "linux"))]
    return {
        let _ = process;
        None
    };
}

/// Returns the children of all threads of a process, empty if it is gone; `None` if this kernel keeps no such list.
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

/// Returns a process and all its descendants, found among all processes.
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

/// Whether every thread of a process's descendants was stopped by a signal or has ended.
pub(crate) fn all_stopped_below(ancestor: Pid) -> bool {
    #[cfg(target_os = "linux")]
    {
        let family = scan_below(ancestor.as_raw_nonzero().get());
        let threads =
            family[1..].iter().filter_map(|pid| std::fs::read_dir(format!("/proc/{pid}/task")).ok());
        let mut states =
            threads.flatten().flatten().filter_map(|thread| state_and_parent(thread.path().to_str()?));
        states.all(|(state, _)| matches!(state, b'T' | b't' | b'Z' | b'X'))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = ancestor;
        true
    }
}

/// Returns how many threads of a process's descendants are running or ready to run, if the system reports it.
pub(crate) fn runnable_threads_below(ancestor: Pid) -> usize {
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

/// Returns the total of the highest memory use of each of a process's descendants, in bytes; `None` if the system does
/// not report it.
pub(crate) fn peak_memory_below(ancestor: Pid) -> Option<u64> {
    let kilobytes = |process: Pid| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let all: Vec<u64> = descendants(ancestor).into_iter().filter_map(kilobytes).collect();
    (!all.is_empty()).then(|| all.iter().sum::<u64>() << 10)
}

/// Whether a process was stopped by a signal, if the system reports it.
pub(crate) fn is_stopped(pid: Pid) -> bool {
    #[cfg(target_os = "linux")]
    return matches!(state_and_parent(&format!("/proc/{}", pid.as_raw_nonzero())), Some((b'T' | b't', _)));
    #[cfg(not(target_os = "linux"))]
    return {
        let _ = pid;
        false
    };
}
