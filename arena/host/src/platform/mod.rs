//! Everything that differs between systems: cores, the process tree, waiting for children, inherited descriptors. All
//! other code in this crate is plain POSIX or, inside `sandbox`, Linux alone. Independent of bots.

#[cfg(target_os = "linux")]
pub(crate) mod child;
pub(crate) mod child_setup;
mod cores;
mod cpu_clock;
pub(crate) mod descriptors;
pub(crate) mod mark;
#[cfg(target_os = "linux")]
pub(crate) mod mount_attributes;
mod process_handle;
mod processes;
#[cfg(target_os = "linux")]
pub(crate) mod rlimits;
pub(crate) mod wait;
mod waits;

pub use cores::{allowed_cores, pin_thread};
pub use cpu_clock::counts_cpu_time;
pub(crate) use cpu_clock::{cpu_time, reaped_cpu_time};
pub(crate) use process_handle::ProcessHandle;
pub use processes::memory_of_machine;
#[cfg(target_os = "linux")]
pub(crate) use processes::prefer_this_as_oom_victim;
pub(crate) use processes::{
    all_stopped_below, become_subreaper, children, children_quick, descendants, group_below, is_stopped,
    kill_children, memory, parent, peak_memory_below, prefer_as_oom_victim, runnable_threads_below,
};
pub(crate) use wait::ChildSignals;
pub(crate) use waits::waits_below;
pub use waits::{ThreadWait, own_wait};
