//! The last process before the bot: restricts itself permanently, informs its supervisor, and becomes the bot.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::process::Signal;

use super::readiness::Notifier;
use super::spec::LaunchSpec;
use super::{landlock, machine, seccomp, user};
use crate::platform::{self, descriptors, rlimits};
use crate::start_error::{StartError, another_starts};

/// The first argument that makes `leyden` a shim.
pub(crate) const ARGUMENT: &str = "shim";

/// The exit code of a shim that could not become the bot.
const NOT_STARTED: u8 = 127;

/// Runs as a shim with the arguments after [`ARGUMENT`]. Returns only if the bot could not be run.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some((spec, (program, arguments))) = LaunchSpec::from_arguments(arguments) else {
        return ExitCode::from(2);
    };
    let Some(notifier) = spec.readiness else { return ExitCode::from(2) };
    let notifier = Notifier::inherited(descriptors::take_inherited(notifier));
    let became = take_pipes(&spec).and_then(|()| confine(&spec)).and_then(|()| {
        notifier.ready().map_err(|error| StartError::host("telling the supervisor", &error))?;
        let mut bot = Command::new(program);
        bot.args(arguments);
        StartError::or_run(|| Err(bot.exec()), another_starts)
    });
    match became {
        Ok(()) => {}
        Err(StartError::Bot(reason)) => notifier.not_started(&reason),
        Err(StartError::Host(reason)) => notifier.host_failed(&reason),
    }
    ExitCode::from(NOT_STARTED)
}

/// Takes standard input and output from where the supervisor has stored them.
fn take_pipes(spec: &LaunchSpec) -> Result<(), StartError> {
    if let Some((input, output)) = spec.pipes {
        let (input, output) = (descriptors::take_inherited(input), descriptors::take_inherited(output));
        let taken = rustix::stdio::dup2_stdin(&input).and_then(|()| rustix::stdio::dup2_stdout(&output));
        taken.map_err(|error| StartError::host("pipes", &error.into()))?;
    }
    descriptors::close_on_exec_from_3()
        .map_err(|error| StartError::host("closing what may have leaked", &error))
}

/// Drops everything the bot must not have, in an order that works.
fn confine(spec: &LaunchSpec) -> Result<(), StartError> {
    platform::prefer_as_oom_victim(rustix::process::getpid());
    rlimits::set(&spec.limits).map_err(|error| StartError::host("limits", &error))?;
    if let Some(number) = spec.user {
        user::become_user(number)
            .map_err(|error| StartError::host(&format!("becoming user {number}"), &error))?;
    }
    std::env::set_current_dir(&spec.folder)
        .map_err(|error| StartError::Bot(format!("its folder {}: {error}", spec.folder.display())))?;
    // Becoming another user has cancelled the supervisor's request.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| StartError::host("the signal at the parent's death", &error.into()))?;
    rustix::thread::set_no_new_privs(true)
        .map_err(|error| StartError::host("no new privileges", &error.into()))?;
    landlock::restrict(spec).map_err(StartError::Host)?;
    let namespaces = spec.level.has_namespaces();
    let signals_stay = namespaces || machine::landlock_version() >= landlock::KEEPS_SIGNALS;
    let signals_only_to = (!signals_stay).then(std::process::id);
    let build = spec.workshop.as_ref().map(|_| seccomp::BuildPurpose { own_user: spec.user.is_some() });
    seccomp::install(seccomp::Purpose { namespaces, signals_only_to, network: spec.network, build })
        .map_err(StartError::Host)
}
