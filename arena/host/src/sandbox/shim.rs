//! The last step before the bot: a process restricts itself permanently, informs its supervisor, and becomes the bot. In namespaces it is
//! this program, run again as a shim; without them a child of the supervisor, between fork and exec.

use std::ffi::OsString;
use std::io;
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
    let became: Result<(), _> = take_pipes(&spec).and_then(|()| confine(&spec, &notifier)).and_then(|()| {
        let mut bot = Command::new(program);
        bot.args(arguments);
        StartError::or_run(|| Err(bot.exec()), another_starts)
    });
    if let Err(error) = became {
        notifier.failed(&error);
    }
    ExitCode::from(NOT_STARTED)
}

/// The same for a process that was forked for a bot whose program it executes next.
pub(super) fn confine_before_exec(spec: &LaunchSpec, notifier: &Notifier) -> io::Result<()> {
    let confined = close_what_leaked().and_then(|()| confine(spec, notifier));
    confined.map_err(|error| {
        notifier.failed(&error);
        io::ErrorKind::PermissionDenied.into()
    })
}

/// Takes standard input and output from where the supervisor has stored them.
fn take_pipes(spec: &LaunchSpec) -> Result<(), StartError> {
    if let Some((input, output)) = spec.pipes {
        let (input, output) = (descriptors::take_inherited(input), descriptors::take_inherited(output));
        let taken = rustix::stdio::dup2_stdin(&input).and_then(|()| rustix::stdio::dup2_stdout(&output));
        taken.map_err(|error| StartError::host("pipes", &error.into()))?;
    }
    close_what_leaked()
}

fn close_what_leaked() -> Result<(), StartError> {
    descriptors::close_on_exec_from_3()
        .map_err(|error| StartError::host("closing what may have leaked", &error))
}

/// Drops everything the bot must not have, in an order that works, and tells the supervisor.
fn confine(spec: &LaunchSpec, notifier: &Notifier) -> Result<(), StartError> {
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
        .map_err(StartError::Host)?;
    notifier.ready().map_err(|error| StartError::host("informing the supervisor", &error))
}
