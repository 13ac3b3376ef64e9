//! The cores that the arena may use, and pinning a thread to some of them.

/// Returns the cores that this process may use, ascending; if the system does not say which, as many as it counts.
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

/// Pins this thread, and every process it starts, to these cores. Does nothing if the system has no such call.
pub fn pin_thread(cores: &[usize]) {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        for &core in cores {
            set.set(core);
        }
        // Pinning only affects speed: a refusal (a container may forbid it) changes nothing else.
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = cores;
}
