//! The last process before the bot: limits itself for good, tells its stage, and becomes the bot.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::process::Signal;

use super::orders::Orders;
use super::report::Reporter;
use super::{host, landlock, rlimits, seccomp, user};
use crate::platform;

/// The first argument that makes `leyden` a shim.
pub const ARGUMENT: &str = "shim";

/// How a shim ends that could not become the bot.
const NOT_STARTED: u8 = 127;

/// Runs as a shim with the arguments behind [`ARGUMENT`]. Returns only if the bot could not be run.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some((orders, (program, arguments))) = Orders::read(arguments) else { return ExitCode::from(2) };
    let Some(report) = orders.report else { return ExitCode::from(2) };
    let report = Reporter::inherited(platform::inherited(report));
    if let Some((input, output)) = orders.pipes {
        let (input, output) = (platform::inherited(input), platform::inherited(output));
        let taken = rustix::stdio::dup2_stdin(&input).and_then(|()| rustix::stdio::dup2_stdout(&output));
        if let Err(error) = taken {
            report.no_sandbox(&format!("pipes: {error}"));
            return ExitCode::from(NOT_STARTED);
        }
    }
    platform::close_on_exec_from_3();
    let confined = confine(&orders).and_then(|()| report.ready().map_err(|error| error.to_string()));
    if let Err(reason) = confined {
        report.no_sandbox(&reason);
        return ExitCode::from(NOT_STARTED);
    }
    let error = Command::new(program).args(arguments).exec();
    report.not_started(&error.to_string());
    ExitCode::from(NOT_STARTED)
}

/// Gives up everything the bot is not to have, in the order in which it can be given up.
fn confine(orders: &Orders) -> Result<(), String> {
    platform::kill_first_when_memory_is_short(rustix::process::getpid());
    rlimits::set(&orders.limits).map_err(|error| format!("limits: {error}"))?;
    if let Some(number) = orders.user {
        user::become_user(number).map_err(|error| format!("becoming user {number}: {error}"))?;
    }
    // Becoming another user has cancelled what the stage asked for.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| error.to_string())?;
    rustix::thread::set_no_new_privs(true).map_err(|error| format!("no new privileges: {error}"))?;
    landlock::restrict(orders)?;
    let namespaces = orders.level.has_namespaces();
    let signals_stay = namespaces || host::landlock_version() >= landlock::KEEPS_SIGNALS;
    seccomp::install(seccomp::Purpose {
        local_sockets: namespaces,
        signals_only_to: (!signals_stay).then(std::process::id),
    })
}
