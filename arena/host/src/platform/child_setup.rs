//! What a child process does between fork and exec. Only for the supervisor, never for the arena itself: such a closure
//! forces the standard library to fork, which takes tens of milliseconds in a large process.

use std::process::Command;

/// Has the command's process killed when the thread that starts it ends, if the system can.
pub(crate) fn die_with_parent(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        let parent = rustix::process::getpid();
        let ask = move || {
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
            // A process whose parent died before it could ask gets no signal any more.
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

/// Makes the command's process enter a control group before any of its code runs.
#[cfg(target_os = "linux")]
pub(crate) fn enter_cgroup(command: &mut Command, group: &std::path::Path) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;

    let processes = std::fs::OpenOptions::new().write(true).open(group.join("cgroup.procs"))?;
    // SAFETY: one system call on a descriptor that the closure owns; it allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(move || Ok(rustix::io::write(&processes, b"0").map(drop)?));
    }
    Ok(())
}

/// Sets limits on memory and files before any of the command's code runs.
#[cfg(target_os = "linux")]
pub(crate) fn limit_memory_and_files(command: &mut Command, limits: crate::limits::ResourceLimits) {
    let limit = move || super::rlimits::set_memory_and_files(&limits);
    // SAFETY: system calls on numbers that the closure owns; it allocates nothing and takes no lock.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, limit);
    }
}
