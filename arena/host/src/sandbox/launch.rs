//! The supervisor's part: from a launch spec to a child process that is, or becomes, the bot.

use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::process::{Child, Command};

use rustix::process::Pid;

#[cfg(target_os = "linux")]
pub(crate) use super::readiness::ReadinessListener;
use super::spec::LaunchSpec;
use super::startup::Startup;
#[cfg(target_os = "linux")]
use super::{bwrap, readiness, shim, system_files, user};
use crate::control::BotPipes;
use crate::platform::before_exec;
use crate::start_error::{StartError, another_starts};

/// A child process that was started for a bot.
#[derive(Debug)]
pub(crate) struct Started {
    /// Its number, which is that of its group as well.
    pub(crate) pid: Pid,
    /// Says when it runs; `None` if it does.
    pub(crate) starting: Option<ReadinessListener>,
}

/// On this system nothing has to be waited for.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(crate) enum ReadinessListener {}

#[cfg(not(target_os = "linux"))]
impl ReadinessListener {
    pub(crate) fn outcome(&mut self) -> Option<Startup> {
        match *self {}
    }
}

#[cfg(not(target_os = "linux"))]
impl std::os::fd::AsFd for ReadinessListener {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        match *self {}
    }
}

/// The arena's environment variables that no bot may see, at any level.
const SECRET_VARIABLES: [&str; 1] = ["LEYDEN_NATS_LOGIN"];

/// Starts what the spec describes, in its own process group.
pub(crate) fn start(
    spec: LaunchSpec,
    program: OsString,
    arguments: Vec<OsString>,
    pipes: BotPipes,
) -> Result<Started, StartError> {
    #[cfg(target_os = "linux")]
    if spec.level.has_namespaces() {
        return start_in_namespaces(spec, program, arguments, pipes);
    }
    let mut command = Command::new(program);
    command.args(arguments);
    let [input, output, error] = pipes;
    command.stdin(input).stdout(output).stderr(error);
    if !spec.terminal {
        command.process_group(0);
    }
    if spec.level.is_confined() {
        #[cfg(target_os = "linux")]
        return start_confined(command, spec);
        #[cfg(not(target_os = "linux"))]
        return Err(StartError::Host("this system has no sandbox".to_owned()));
    }
    for name in SECRET_VARIABLES {
        command.env_remove(name);
    }
    if !spec.folder.as_os_str().is_empty() {
        command.current_dir(&spec.folder);
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
    let child = StartError::or_run(|| command.spawn(), another_starts)?;
    Ok(Started { pid: pid_of(&child), starting: None })
}

fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(child.id().cast_signed()).expect("the system gives no process the number 0")
}

#[cfg(target_os = "linux")]
fn enter_cgroup(command: &mut Command, spec: &LaunchSpec) -> Result<(), StartError> {
    let Some(cgroup) = &spec.cgroup else { return Ok(()) };
    before_exec::enter_cgroup(command, cgroup)
        .map_err(|error| StartError::host(&format!("the control group {}", cgroup.display()), &error))
}

/// The environment of every bot in a sandbox.
#[cfg(target_os = "linux")]
fn set_environment(command: &mut Command, spec: &LaunchSpec) {
    command.env_clear().env("PATH", system_files::SEARCH).env("HOME", "/tmp").env("LANG", "C.UTF-8");
    if let Some(workshop) = &spec.workshop {
        command.envs(workshop.environment.iter().map(|(name, value)| (name, value)));
    }
}

/// Starts a bot that confines itself between fork and exec.
#[cfg(target_os = "linux")]
fn start_confined(mut command: Command, mut spec: LaunchSpec) -> Result<Started, StartError> {
    spec.user = spec.user.or_else(|| user::of_supervisor(std::process::id()));
    let (mut listener, notifier) = readiness::pair().map_err(|error| StartError::host("no pipe", &error))?;
    set_environment(&mut command, &spec);
    before_exec::die_with_parent(&mut command);
    enter_cgroup(&mut command, &spec)?;
    before_exec::confine(&mut command, move || shim::confine_before_exec(&spec, &notifier));
    let child = StartError::or_run(|| command.spawn(), another_starts);
    drop(command); // with the notifier
    match (child, listener.outcome()) {
        (Ok(child), _) => Ok(Started { pid: pid_of(&child), starting: Some(listener) }),
        (Err(_), Some(Startup::NotStarted(reason))) => Err(StartError::Bot(reason)),
        (Err(_), Some(Startup::HostFailed(reason))) if !reason.is_empty() => Err(StartError::Host(reason)),
        (Err(error), _) => Err(error),
    }
}

/// Starts a program that creates namespaces, in which a shim confines itself and becomes the bot.
#[cfg(target_os = "linux")]
fn start_in_namespaces(
    mut spec: LaunchSpec,
    program: OsString,
    arguments: Vec<OsString>,
    [input, output, error]: BotPipes,
) -> Result<Started, StartError> {
    let no_pipe = |error| StartError::host("no pipe", &error);
    let (listener, notifier) = readiness::pair().map_err(no_pipe)?;
    spec.readiness = Some(notifier.number());
    spec.user = spec.user.or_else(|| user::of_supervisor(std::process::id()));
    // The program between us and the bot does not know the numbers of these descriptors and closes them; if it had them as its input
    // and output, the arena could not see the bot close them. `dup` makes descriptors that are inherited by the next program.
    let inherited = |fd| rustix::io::dup(fd).map_err(|error| no_pipe(error.into()));
    let (input, output) = (inherited(&input)?, inherited(&output)?);
    spec.pipes = Some((input.as_raw_fd(), output.as_raw_fd()));
    let mut command = Command::new(&spec.bwrap);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(error);
    command.args(bwrap::arguments(&spec)).arg(&spec.leyden);
    command.arg(shim::ARGUMENT).args(spec.to_arguments()).arg(program).args(arguments);
    set_environment(&mut command, &spec);
    command.process_group(0);
    before_exec::die_with_parent(&mut command);
    enter_cgroup(&mut command, &spec)?;
    let child = command.spawn().map_err(|error| StartError::of_bots_words(&error))?;
    Ok(Started { pid: pid_of(&child), starting: Some(listener) })
}
