//! The supervisor's part: from a launch spec to a child process that is, or becomes, the bot.

use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::process::{Child, Command};

use rustix::process::Pid;

use super::spec::LaunchSpec;
use super::startup::Startup;
#[cfg(target_os = "linux")]
use super::{bwrap, readiness, shim, system_files, user};
use crate::platform::before_exec;
use crate::start_error::{StartError, another_starts};

/// A child process that was started for a bot.
#[derive(Debug)]
pub(crate) struct Started {
    child: Child,
    #[cfg(target_os = "linux")]
    listener: Option<readiness::ReadinessListener>,
}

/// The arena's environment variables that no bot may see, at any level.
const SECRET_VARIABLES: [&str; 1] = ["LEYDEN_NATS_LOGIN"];

/// Starts what the spec describes, in its own process group.
pub(crate) fn start(
    spec: LaunchSpec,
    program: OsString,
    arguments: Vec<OsString>,
) -> Result<Started, StartError> {
    if !spec.level.has_shim() {
        let mut command = Command::new(program);
        command.args(arguments);
        for name in SECRET_VARIABLES {
            command.env_remove(name);
        }
        if !spec.terminal {
            command.process_group(0);
        }
        if let Some(workshop) = &spec.workshop {
            command.env_clear().envs(workshop.environment.iter().map(|(name, value)| (name, value)));
        }
        #[cfg(target_os = "linux")]
        if spec.is_limited() {
            before_exec::limit_memory_and_files(&mut command, spec.limits);
        }
        before_exec::die_with_parent(&mut command);
        #[cfg(target_os = "linux")]
        enter_cgroup(&mut command, &spec)?;
        return Ok(Started {
            child: StartError::or_run(|| command.spawn(), another_starts)?,
            #[cfg(target_os = "linux")]
            listener: None,
        });
    }
    #[cfg(target_os = "linux")]
    return start_with_shim(spec, program, arguments);
    #[cfg(not(target_os = "linux"))]
    Err(StartError::Host("this system has no sandbox".to_owned()))
}

#[cfg(target_os = "linux")]
fn enter_cgroup(command: &mut Command, spec: &LaunchSpec) -> Result<(), StartError> {
    let Some(cgroup) = &spec.cgroup else { return Ok(()) };
    before_exec::enter_cgroup(command, cgroup)
        .map_err(|error| StartError::host(&format!("the control group {}", cgroup.display()), &error))
}

#[cfg(target_os = "linux")]
fn start_with_shim(
    mut spec: LaunchSpec,
    program: OsString,
    arguments: Vec<OsString>,
) -> Result<Started, StartError> {
    let no_pipe = |error| StartError::host("no pipe", &error);
    let (listener, notifier) = readiness::pair().map_err(no_pipe)?;
    spec.readiness = Some(notifier.number());
    spec.user = spec.user.or_else(|| user::of_supervisor(std::process::id()));
    let pipes = if spec.level.has_namespaces() { Some(pipes().map_err(no_pipe)?) } else { None };
    spec.pipes = pipes.as_ref().map(|(input, output)| (input.as_raw_fd(), output.as_raw_fd()));
    let mut command = if spec.level.has_namespaces() {
        let mut command = Command::new(&spec.bwrap);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.args(bwrap::arguments(&spec)).arg(&spec.leyden);
        command
    } else {
        Command::new(&spec.leyden)
    };
    command.arg(shim::ARGUMENT).args(spec.to_arguments()).arg(program).args(arguments);
    command.env_clear().env("PATH", system_files::SEARCH).env("HOME", "/tmp").env("LANG", "C.UTF-8");
    if let Some(workshop) = &spec.workshop {
        command.envs(workshop.environment.iter().map(|(name, value)| (name, value)));
    }
    command.process_group(0);
    before_exec::die_with_parent(&mut command);
    enter_cgroup(&mut command, &spec)?;
    let child = command.spawn().map_err(|error| StartError::of_bots_words(&error))?;
    drop((notifier, pipes));
    Ok(Started { child, listener: Some(listener) })
}

/// Duplicates our standard input and output. The program between us and the bot does not know their numbers and closes
/// them; if it held the originals, the arena could not see the bot close them.
#[cfg(target_os = "linux")]
fn pipes() -> io::Result<(OwnedFd, OwnedFd)> {
    // `dup` makes descriptors that are inherited by the next program executed, as needed.
    Ok((rustix::io::dup(rustix::stdio::stdin())?, rustix::io::dup(rustix::stdio::stdout())?))
}

impl Started {
    /// Returns its process, whose group has the same number.
    pub(crate) fn pid(&self) -> Option<Pid> {
        Pid::from_raw(self.child.id().cast_signed())
    }

    /// Waits until the bot runs, or until it is certain that it will not.
    pub(crate) fn wait_until_running(&mut self) -> Startup {
        #[cfg(target_os = "linux")]
        if let Some(listener) = self.listener.take() {
            return listener.wait();
        }
        self.pid().map_or_else(|| Startup::NotStarted(String::new()), Startup::Running)
    }
}
