//! The CPU time of other processes.

use std::time::Duration;

use rustix::process::Pid;

/// Whether the system reports the CPU time of other processes.
pub const fn counts_cpu_time() -> bool {
    cfg!(target_os = "linux")
}

/// Returns the CPU time of a process and all its threads, including ended ones, to the nanosecond. `None` if the
/// process is gone or the system does not report it.
pub(crate) fn cpu_time(process: Pid) -> Option<Duration> {
    #[cfg(target_os = "linux")]
    {
        // The clock of another process, as the kernel numbers it: the complement of its pid, and 2 for "scheduled time".
        let clock = (!process.as_raw_nonzero().get() << 3) | 2;
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the call writes one `timespec` to this address, and nothing else.
        let is_read = unsafe { libc::clock_gettime(clock, &raw mut time) } == 0;
        is_read.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = process;
        None
    }
}

/// Returns the CPU time of those children of a process that it has waited for, in whole kernel ticks.
pub(crate) fn reaped_cpu_time(process: Pid) -> Duration {
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
