//! Bots as child processes: conversations of lines with a deadline, supervision, and the sandbox around them.
//!
//! Independent of dominoes; contains the arena's only unsafe code. Dependencies go one way: `platform` ← `cgroup` ←
//! `sandbox` ← `supervisor` ← `supervision` ← `process` ← `build`, `preflight`; `conversation` needs none of them.

mod build;
pub mod cgroup;
mod command;
mod control;
mod conversation;
mod cpu;
mod exec_failure;
mod limits;
mod orphans;
mod pipes;
pub mod platform;
pub mod preflight;
mod process;
pub mod sandbox;
mod start_error;
mod stderr;
mod supervision;
mod supervisor;
mod temporary;
mod toolchains;

use std::ffi::OsString;
use std::process::ExitCode;

pub use build::{Build, BuildError, BuildLimits, user_of_builds};
pub use command::BotCommand;
pub use control::ExitStatus;
pub use conversation::{CHECK_INTERVAL, Conversation, Line, NextCheck, ReadLineError, Watchdog};
pub use cpu::CpuReading;
pub use exec_failure::{bad_program, why_unrunnable};
pub use limits::ResourceLimits;
pub use orphans::kill_leftovers;
pub use pipes::{BotInput, BotOutput, DirectRead};
pub use platform::ThreadWait;
pub use process::{BotProcess, GRACE_PERIOD, Launcher, ShutdownStep};
pub use start_error::StartError;
pub use temporary::{Temporary, remove_closed};

/// Takes over if the arena started the program as a supervisor or as the probe of a sandbox level; `None` if it did not.
///
/// A [`Launcher`] starts its own program again as a supervisor, thousands of times, so its user must call this before
/// anything else, with the program's arguments. If it returns `Some`, the program must exit with that code.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     if let Some(code) = leyden_host::run_if_started_by_arena(std::env::args_os().skip(1)) {
///         return code;
///     }
///     println!("what the program is for");
///     ExitCode::SUCCESS
/// }
/// ```
#[must_use = "the program must end with this code"]
pub fn run_if_started_by_arena(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    match arguments.next()?.to_str()? {
        supervisor::ARGUMENT => Some(supervisor::run(arguments)),
        #[cfg(target_os = "linux")]
        preflight::probe::ARGUMENT => Some(preflight::probe::run(arguments)),
        _ => None,
    }
}
