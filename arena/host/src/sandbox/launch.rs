//! The supervisor's part: from a launch spec to a child process that is, or becomes, the bot.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use rustix::process::Pid;

#[cfg(target_os = "linux")]
pub(crate) use super::readiness::ReadinessListener;
use super::spec::LaunchSpec;
#[cfg(not(target_os = "linux"))]
use super::startup::Startup;
#[cfg(target_os = "linux")]
use super::{
    confinement::{Birth, be_born, prepare},
    namespaces, readiness, system_files, user,
};
use crate::control::BotPipes;
#[cfg(target_os = "linux")]
use crate::platform::child;
use crate::platform::child_setup;
use crate::start_error::{StartError, another_starts};

/// A child process that was started for a bot.
#[derive(Debug)]
pub(crate) struct StartedChild {
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

/// Starts what the spec describes, in its own process group.
pub(crate) fn start(
    spec: LaunchSpec,
    program: OsString,
    arguments: Vec<OsString>,
    pipes: BotPipes,
) -> Result<StartedChild, StartError> {
    if spec.level.is_confined() {
        #[cfg(target_os = "linux")]
        return start_confined(spec, program, arguments, &pipes);
        #[cfg(not(target_os = "linux"))]
        return Err(StartError::Host("this system has no sandbox".to_owned()));
    }
    let mut command = Command::new(program);
    command.args(arguments);
    let [input, output, error] = pipes;
    command.stdin(input).stdout(output).stderr(error);
    if spec.has_own_group() {
        command.process_group(0);
    }
    if !spec.folder.as_os_str().is_empty() {
        command.current_dir(&spec.folder);
    }
    if let Some(workshop) = &spec.workshop {
        command.env_clear().envs(workshop.environment.iter().map(|(name, value)| (name, value)));
    }
    #[cfg(target_os = "linux")]
    if spec.is_limited() {
        child_setup::limit_memory_and_files(&mut command, spec.limits);
    }
    child_setup::die_with_parent(&mut command);
    #[cfg(target_os = "linux")]
    enter_cgroup(&mut command, &spec)?;
    let child = StartError::or_run(|| command.spawn(), another_starts)?;
    Ok(StartedChild { pid: pid_of(&child), starting: None })
}

fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(child.id().cast_signed()).expect("the system gives no process the number 0")
}

#[cfg(target_os = "linux")]
fn enter_cgroup(command: &mut Command, spec: &LaunchSpec) -> Result<(), StartError> {
    let Some(cgroup) = &spec.cgroup else { return Ok(()) };
    child_setup::enter_cgroup(command, cgroup)
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

/// Starts a child that confines itself, in namespaces if its level has them, and becomes the bot.
#[cfg(target_os = "linux")]
fn start_confined(
    mut spec: LaunchSpec,
    program: OsString,
    arguments: Vec<OsString>,
    pipes: &BotPipes,
) -> Result<StartedChild, StartError> {
    spec.user = spec.user.or_else(|| user::for_supervisor(std::process::id()));
    let (listener, notifier) = readiness::pair().map_err(|error| StartError::host("no pipe", &error))?;
    let group = spec.cgroup.as_ref().map(|group| {
        let opened = std::fs::File::open(group);
        opened.map_err(|error| StartError::host(&format!("the control group {}", group.display()), &error))
    });
    let group = group.transpose()?;
    let mut bot = Command::new(program);
    bot.args(arguments);
    set_environment(&mut bot, &spec);
    let (flags, what) = if spec.level.has_namespaces() {
        (namespaces::flags(&spec), "creating namespaces")
    } else {
        (0, "a process")
    };
    let ids = namespaces::Ids::own();
    prepare(&spec);
    let birth = Birth { spec: &spec, ids, bot: &mut bot, pipes, notifier: &notifier };
    let pid = child::start(flags, group.as_ref(), |entered| be_born(birth, entered))
        .map_err(|error| StartError::host(what, &error))?;
    if spec.has_own_group() {
        let _ = rustix::process::setpgid(Some(pid), Some(pid)); // refused once it is the bot, which has done it itself
    }
    Ok(StartedChild { pid, starting: Some(listener) })
}
