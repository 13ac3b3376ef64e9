//! The first process of a bot's namespaces: sets them up, starts the bot in them, reaps what ends there, and ends as the bot does.
//!
//! It is a child of the supervisor and still the arena's program, so it keeps nothing that a bot could want: it may be neither traced nor
//! read, and as soon as it has started the bot it gives up its descriptors and capabilities. When it ends, the system kills all that is
//! left in the namespaces.

use std::fs;

use rustix::process::{DumpableBehavior, Pid, WaitOptions};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::mounts;
use super::readiness::Notifier;
use super::spec::LaunchSpec;
use super::view::View;
use crate::platform::{child, descriptors};
use crate::start_error::StartError;

/// The name of the machine inside.
const HOST: &[u8] = b"bot";

/// The exit code of a child that could not become the bot.
pub(super) const NOT_STARTED: i32 = 127;

/// What is added to the number of a signal that has ended the bot, in the exit code.
const SIGNALLED: i32 = 128;

/// The user and the group of the supervisor, as only processes outside of the namespaces can ask for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ids {
    user: u32,
    group: u32,
}

impl Ids {
    pub(super) fn own() -> Self {
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        Self { user: user.as_raw(), group: group.as_raw() }
    }
}

/// Returns the namespaces that a bot gets at its start, as flags of `clone`. The one of control groups follows once it is in its own.
pub(super) fn flags(spec: &LaunchSpec) -> libc::c_int {
    let always = libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
    let network = if spec.network { 0 } else { libc::CLONE_NEWNET };
    always | network | if has_user_namespace(spec) { libc::CLONE_NEWUSER } else { 0 }
}

/// Root needs no user namespace to create the others: its bots become users of their own.
fn has_user_namespace(spec: &LaunchSpec) -> bool {
    spec.user.is_none()
}

/// Runs as the first process. Its child runs `become_bot`. Returns the code to end with.
pub(super) fn lead(
    spec: &LaunchSpec,
    ids: Ids,
    notifier: Notifier,
    become_bot: impl FnOnce(&Notifier) -> i32,
) -> i32 {
    match set_up(spec, ids).and_then(|()| start(|| become_bot(&notifier))) {
        Ok(first) => {
            drop(notifier); // the supervisor waits until nobody has it any more
            reap_until(first).unwrap_or(NOT_STARTED)
        }
        Err(error) => {
            notifier.failed(&error);
            NOT_STARTED
        }
    }
}

/// Sets up everything inside the namespaces, and leaves this process what the bot's start needs.
fn set_up(spec: &LaunchSpec, ids: Ids) -> Result<(), StartError> {
    let has_user_namespace = has_user_namespace(spec);
    if has_user_namespace {
        map(ids)?;
    }
    rustix::system::sethostname(HOST)
        .map_err(|error| StartError::host("the name in the new namespace", &error.into()))?;
    let _ = child::unshare_cgroups(); // some kernels have no such namespace
    mounts::enter(&View::from_spec(spec))?;
    if has_user_namespace {
        fs::write("/proc/sys/user/max_user_namespaces", "0")
            .map_err(|error| StartError::host("forbidding further user namespaces", &error))?;
    }
    mounts::close_proc()?;
    // Only becoming another user takes capabilities.
    let user_and_group = CapabilitySet::SETUID | CapabilitySet::SETGID;
    keep_only(if has_user_namespace { CapabilitySet::empty() } else { user_and_group })?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(|error| StartError::host("closing the first process", &error.into()))
}

/// Starts the child that becomes the bot.
fn start(become_bot: impl FnOnce() -> i32) -> Result<Pid, StartError> {
    child::start(0, None, |_| become_bot())
        .map_err(|error| StartError::host("a process in the new namespaces", &error))
}

/// Drops what is left to drop, and reaps each process that ends here until this child does. Returns the code that says how it ended.
fn reap_until(first: Pid) -> Option<i32> {
    descriptors::close_from(0).ok()?;
    set_capabilities(CapabilitySet::empty()).ok()?;
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((ended, status))) if ended == first => {
                let signal = status.terminating_signal().unwrap_or_default();
                return Some(status.exit_status().unwrap_or(SIGNALLED + signal));
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// Maps the only user and the only group of the namespace to themselves.
fn map(Ids { user, group }: Ids) -> Result<(), StartError> {
    let write = |file: &str, text: String| {
        fs::write(format!("/proc/self/{file}"), text)
            .map_err(|error| StartError::host(&format!("{file} of the new namespace"), &error))
    };
    write("setgroups", "deny".to_owned())?;
    write("uid_map", format!("{user} {user} 1"))?;
    write("gid_map", format!("{group} {group} 1"))
}

/// Permanently drops every capability except these, for this process and all that it starts.
fn keep_only(kept: CapabilitySet) -> Result<(), StartError> {
    let dropped = || {
        for capability in (0..u64::BITS).map(|number| CapabilitySet::from_bits_retain(1 << number)) {
            match rustix::thread::remove_capability_from_bounding_set(capability) {
                Err(rustix::io::Errno::INVAL) => break, // the kernel has no more
                result => result?,
            }
        }
        rustix::thread::set_no_new_privs(true)
    };
    dropped().map_err(|error| StartError::host("dropping capabilities", &error.into()))?;
    set_capabilities(kept)
}

fn set_capabilities(kept: CapabilitySet) -> Result<(), StartError> {
    let nothing = CapabilitySet::empty();
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: nothing };
    rustix::thread::set_capabilities(None, sets)
        .map_err(|error| StartError::host("dropping capabilities", &error.into()))
}
