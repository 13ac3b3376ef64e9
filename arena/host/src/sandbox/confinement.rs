//! The way of a supervisor's child to the bot: it takes the bot's pipes and nothing else, enters namespaces if the bot gets some, restricts
//! itself permanently, informs its supervisor, and becomes the bot. None of it executes another program.

use std::fs;
use std::process::Command;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;

use super::namespaces::NOT_STARTED;
use super::readiness::Notifier;
use super::spec::LaunchSpec;
use super::{landlock, machine, namespaces, seccomp, user};
use crate::control::BotPipes;
use crate::platform::child::GroupEntry;
use crate::platform::{self, descriptors, rlimits};
use crate::start_error::{StartError, another_starts};

/// What a child needs to become the bot, as the supervisor has prepared it. The child only borrows it: what it owns is its parent's.
pub(super) struct Birth<'a> {
    pub(super) spec: &'a LaunchSpec,
    pub(super) ids: namespaces::Ids,
    pub(super) bot: &'a mut Command,
    pub(super) pipes: &'a BotPipes,
    pub(super) notifier: &'a Notifier,
}

/// Runs as the child. Returns the code to end with.
pub(super) fn be_born(birth: Birth<'_>, entered: GroupEntry) -> i32 {
    let Birth { spec, ids, bot, pipes, notifier } = birth;
    if spec.has_own_group() {
        let _ = rustix::process::setpgid(None, None); // the supervisor does the same, no matter who is first
    }
    let notifier = match take_descriptors(pipes, notifier) {
        Ok(notifier) => notifier,
        Err(error) => {
            notifier.failed(&error);
            return NOT_STARTED;
        }
    };
    platform::prefer_this_as_oom_victim();
    let prepared = die_with_supervisor(&notifier).and_then(|()| enter_group(spec, entered));
    match prepared {
        Ok(()) if spec.level.has_namespaces() => {
            namespaces::lead(spec, ids, notifier, |notifier| become_bot(spec, bot, notifier))
        }
        Ok(()) => become_bot(spec, bot, &notifier),
        Err(error) => {
            notifier.failed(&error);
            NOT_STARTED
        }
    }
}

/// Takes standard input, output and error, and closes every other descriptor of the supervisor's except the notifier's.
fn take_descriptors([input, output, error]: &BotPipes, notifier: &Notifier) -> Result<Notifier, StartError> {
    const NOTIFIER: i32 = 3; // behind the three; the supervisor's own lie there, and are the child's no more
    let taken = || {
        rustix::stdio::dup2_stdin(input)?;
        rustix::stdio::dup2_stdout(output)?;
        rustix::stdio::dup2_stderr(error)?;
        let notifier = descriptors::put(notifier, NOTIFIER)?;
        rustix::io::fcntl_setfd(&notifier, rustix::io::FdFlags::CLOEXEC)?;
        descriptors::close_from(NOTIFIER + 1)?;
        Ok(Notifier::inherited(notifier))
    };
    taken().map_err(|error: std::io::Error| StartError::host("the bot's descriptors", &error))
}

/// Has this process killed when its supervisor ends.
fn die_with_supervisor(notifier: &Notifier) -> Result<(), StartError> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| StartError::host("the signal at the parent's death", &error.into()))?;
    // One that ended before that sends no signal any more, but its end of the notifier is closed.
    let mut ends = [PollFd::new(notifier, PollFlags::empty())];
    let _ = poll(&mut ends, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    if ends[0].revents().contains(PollFlags::HUP) {
        return Err(StartError::Host("the supervisor is gone".to_owned()));
    }
    Ok(())
}

fn enter_group(spec: &LaunchSpec, entered: GroupEntry) -> Result<(), StartError> {
    match &spec.cgroup {
        Some(group) if entered == GroupEntry::NotYet => fs::write(group.join("cgroup.procs"), "0")
            .map_err(|error| StartError::host(&format!("the control group {}", group.display()), &error)),
        _ => Ok(()),
    }
}

/// Restricts this process, and executes the bot. Returns the code to end with if that is not possible.
pub(super) fn become_bot(spec: &LaunchSpec, bot: &mut Command, notifier: &Notifier) -> i32 {
    use std::os::unix::process::CommandExt;
    let became: Result<(), StartError> =
        confine(spec, notifier).and_then(|()| StartError::or_run(|| Err(bot.exec()), another_starts));
    if let Err(error) = became {
        notifier.failed(&error);
    }
    NOT_STARTED
}

/// Drops everything the bot must not have, in an order that works, and notifies the supervisor.
fn confine(spec: &LaunchSpec, notifier: &Notifier) -> Result<(), StartError> {
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
    seccomp::install(purpose(spec)).map_err(StartError::Host)?;
    notifier.ready().map_err(|error| StartError::host("informing the supervisor", &error))
}

/// What the filter of system calls of this process is for.
fn purpose(spec: &LaunchSpec) -> seccomp::Purpose {
    let namespaces = spec.level.has_namespaces();
    let signals_stay = namespaces || machine::landlock_version() >= landlock::KEEPS_SIGNALS;
    let signals_only_to = (!signals_stay).then(std::process::id);
    let build = spec.workshop.as_ref().map(|_| seccomp::BuildPurpose { own_user: spec.user.is_some() });
    seccomp::Purpose { namespaces, signals_only_to, network: spec.network, build }
}

/// Does in the supervisor, for all its children, what each would have to do.
pub(super) fn prepare(spec: &LaunchSpec) {
    let _ = seccomp::compiled(purpose(spec)); // if that fails, it fails in the child, which says so
}
