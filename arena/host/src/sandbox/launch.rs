//! The stage's part: from orders to a child process that is, or becomes, the bot.

use std::ffi::OsString;
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::process::{Child, Command};

use rustix::process::Pid;

use super::Orders;
#[cfg(target_os = "linux")]
use super::{bwrap, report, shim, system, user};
use crate::platform;

/// A child that was started for a bot.
#[derive(Debug)]
pub(crate) struct Started {
    child: Child,
    #[cfg(target_os = "linux")]
    listener: Option<report::Listener>,
}

/// How the start went.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outset {
    /// The bot runs. This is its first process, to which polite signals go.
    Running(Pid),
    /// Its program could not be run, with the system's reason.
    NotStarted(String),
    /// The sandbox could not be made; what is known of why. Nothing of the bot was run.
    NoSandbox(String),
}

/// Starts what the orders ask for, in a process group of its own.
pub(crate) fn start(orders: Orders, program: OsString, arguments: Vec<OsString>) -> io::Result<Started> {
    if !orders.level.has_shim() {
        let mut command = Command::new(program);
        command.args(arguments).process_group(0);
        platform::end_with_parent(&mut command);
        return Ok(Started {
            child: command.spawn()?,
            #[cfg(target_os = "linux")]
            listener: None,
        });
    }
    #[cfg(target_os = "linux")]
    return start_with_shim(orders, program, arguments);
    #[cfg(not(target_os = "linux"))]
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(target_os = "linux")]
fn start_with_shim(mut orders: Orders, program: OsString, arguments: Vec<OsString>) -> io::Result<Started> {
    let (listener, reporter) = report::pair()?;
    orders.report = Some(reporter.number());
    orders.user = user::of_stage(std::process::id());
    let pipes = if orders.level.has_namespaces() { Some(pipes()?) } else { None };
    orders.pipes = pipes.as_ref().map(|(input, output)| (input.as_raw_fd(), output.as_raw_fd()));
    let mut command = if orders.level.has_namespaces() {
        let mut command = Command::new(&orders.bwrap);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.args(bwrap::arguments(&orders)).arg(&orders.leyden);
        command
    } else {
        Command::new(&orders.leyden)
    };
    command.arg(shim::ARGUMENT).args(orders.words()).arg(program).args(arguments);
    command.env_clear().env("PATH", system::SEARCH).env("HOME", "/tmp").env("LANG", "C.UTF-8");
    command.process_group(0);
    platform::end_with_parent(&mut command);
    if let Some(cgroup) = &orders.cgroup {
        super::cgroup::enter_on_exec(&mut command, cgroup)?;
    }
    let child = command.spawn()?;
    drop((reporter, pipes));
    Ok(Started { child, listener: Some(listener) })
}

/// Our standard input and output once more, under numbers that a program between us and the bot knows nothing of and
/// closes: if it held them itself, the arena could not see that the bot closes them.
#[cfg(target_os = "linux")]
fn pipes() -> io::Result<(OwnedFd, OwnedFd)> {
    // What `dup` makes is inherited by the program that is executed next, as it has to be.
    Ok((rustix::io::dup(rustix::stdio::stdin())?, rustix::io::dup(rustix::stdio::stdout())?))
}

impl Started {
    /// Its process, whose group has the same number.
    pub(crate) fn pid(&self) -> Option<Pid> {
        Pid::from_raw(self.child.id().cast_signed())
    }

    /// Waits until the bot runs or it is certain that it will not.
    pub(crate) fn outset(&mut self) -> Outset {
        #[cfg(target_os = "linux")]
        if let Some(listener) = self.listener.take() {
            return match listener.wait() {
                report::Heard::Running(pid) => Outset::Running(pid),
                report::Heard::NotStarted(reason) => Outset::NotStarted(reason),
                report::Heard::NoSandbox(reason) => Outset::NoSandbox(reason),
            };
        }
        self.pid().map_or_else(|| Outset::NotStarted(String::new()), Outset::Running)
    }
}
