//! The last process before the bot: limits itself for good, tells its supervisor, and becomes the bot.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::process::Signal;

use super::readiness::Notifier;
use super::spec::LaunchSpec;
use super::{landlock, machine, rlimits, seccomp, user};
use crate::platform::{self, descriptors};

/// The first argument that makes `leyden` a shim.
pub(crate) const ARGUMENT: &str = "shim";

/// The exit code of a shim that could not become the bot.
const NOT_STARTED: u8 = 127;

/// Runs as a shim with the arguments behind [`ARGUMENT`]. Returns only if the bot could not be run.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some((spec, (program, arguments))) = LaunchSpec::from_arguments(arguments) else {
        return ExitCode::from(2);
    };
    let Some(notifier) = spec.readiness else { return ExitCode::from(2) };
    let notifier = Notifier::inherited(descriptors::take_inherited(notifier));
    if let Some((input, output)) = spec.pipes {
        let (input, output) = (descriptors::take_inherited(input), descriptors::take_inherited(output));
        let taken = rustix::stdio::dup2_stdin(&input).and_then(|()| rustix::stdio::dup2_stdout(&output));
        if let Err(error) = taken {
            notifier.no_sandbox(&format!("pipes: {error}"));
            return ExitCode::from(NOT_STARTED);
        }
    }
    descriptors::close_on_exec_from_3();
    let confined = confine(&spec).and_then(|()| notifier.ready().map_err(|error| error.to_string()));
    if let Err(reason) = confined {
        notifier.no_sandbox(&reason);
        return ExitCode::from(NOT_STARTED);
    }
    let error = Command::new(program).args(arguments).exec();
    notifier.not_started(&error.to_string());
    ExitCode::from(NOT_STARTED)
}

/// Gives up everything the bot is not to have, in the order in which it can be given up.
fn confine(spec: &LaunchSpec) -> Result<(), String> {
    platform::prefer_as_oom_victim(rustix::process::getpid());
    rlimits::set(&spec.limits).map_err(|error| format!("limits: {error}"))?;
    if let Some(number) = spec.user {
        user::become_user(number).map_err(|error| format!("becoming user {number}: {error}"))?;
    }
    // Becoming another user has cancelled the request of the supervisor.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| error.to_string())?;
    rustix::thread::set_no_new_privs(true).map_err(|error| format!("no new privileges: {error}"))?;
    landlock::restrict(spec)?;
    let namespaces = spec.level.has_namespaces();
    let signals_stay = namespaces || machine::landlock_version() >= landlock::KEEPS_SIGNALS;
    seccomp::install(seccomp::Purpose {
        local_sockets: namespaces,
        signals_only_to: (!signals_stay).then(std::process::id),
    })
}
