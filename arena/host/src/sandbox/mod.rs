//! Confines a bot while it runs. The README beside this file lists what each level prevents.
//!
//! arena → `leyden supervise` → bot. The arena writes a `LaunchSpec`; the supervisor starts what it describes; its child, in namespaces a child
//! of that, restricts itself permanently and becomes the bot.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod confinement;
#[cfg(target_os = "linux")]
mod landlock;
pub(crate) mod launch;
mod machine;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod readiness;
#[cfg(target_os = "linux")]
mod seccomp;
pub(crate) mod spec;
mod startup;
pub mod system_files;
#[cfg(target_os = "linux")]
mod user;
#[cfg(target_os = "linux")]
mod view;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cgroup::{Cgroup, Subtree};
use crate::command::BotCommand;
use crate::limits::ResourceLimits;

#[cfg(target_os = "linux")]
pub(crate) use landlock::NEEDED_ALONE as LANDLOCK_NEEDED_ALONE;
pub use leyden_model::{SandboxLevel, SandboxLevelChoice};
pub use machine::Machine;
use spec::LaunchSpec;
pub(crate) use startup::Startup;
#[cfg(target_os = "linux")]
pub(crate) use user::{for_builds as user_of_builds, tasks as tasks_of_this_user};

/// A level with what it needs on this machine. Outside of this crate, only [`choose`](crate::preflight::choose) creates
/// one that confines anything, and only after it has withstood an attack.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    pub(crate) level: SandboxLevel,
    pub(crate) limits: ResourceLimits,
    /// Where bots get their own control groups: with limits at level `full`; at every other level, where available, to
    /// stop and count all of a bot's processes as one.
    pub(crate) subtree: Option<Arc<Subtree>>,
}

impl Sandbox {
    /// Returns the sandbox that confines nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns the level of the sandbox.
    pub fn level(&self) -> SandboxLevel {
        self.level
    }

    /// Returns how to launch a bot, and the control group that it will run in.
    pub(crate) fn launch_spec(&self, command: &BotCommand) -> io::Result<(LaunchSpec, Option<Cgroup>)> {
        let cgroup = self.subtree.as_ref().map(|subtree| subtree.bot(&self.limits)).transpose()?;
        let mut spec = LaunchSpec { level: self.level, ..LaunchSpec::default() };
        spec.cgroup = cgroup.as_ref().map(|cgroup| cgroup.path().to_owned());
        if !self.level.is_confined() {
            spec.folder = command.folder.clone().unwrap_or_default();
            return Ok((spec, cgroup));
        }
        spec.limits = self.limits;
        spec.folder = match &command.folder {
            Some(folder) => folder.clone(),
            None => std::env::current_dir()?,
        };
        spec.reads = reads(command, &spec.folder);
        spec.lists.clone_from(&command.lists);
        spec.network = command.network;
        Ok((spec, cgroup))
    }
}

/// What a program that may use the network sees of the organiser's files.
const NETWORK_FILES: [&str; 6] =
    ["/etc/resolv.conf", "/etc/hosts", "/etc/ssl", "/etc/ca-certificates", "/etc/pki", "/etc/gai.conf"];

/// Returns what a bot may read: its folder, its program, and what it was allowed. A bot without a folder may read the
/// files and folders that its command line names, but never the folder it is started from.
fn reads(command: &BotCommand, start_folder: &Path) -> Vec<PathBuf> {
    let mut reads = command.reads.clone();
    reads.retain(|path| path.exists() || !command.may_be_gone(path));
    if let Some(folder) = &command.folder {
        reads.push(folder.clone());
    } else {
        let named = command.arguments.iter().map(|word| start_folder.join(word));
        reads.extend(named.filter(|path| path.exists() && !is_around(path, start_folder)));
    }
    if command.network {
        reads.extend(NETWORK_FILES.iter().map(PathBuf::from).filter(|path| path.exists()));
    }
    // A missing path cannot be shown; running the bot will report it.
    reads.extend(Some(start_folder.join(&command.program)).filter(|program| program.exists()));
    reads
}

/// Whether a folder is, or contains, another.
fn is_around(folder: &Path, inner: &Path) -> bool {
    match (folder.canonicalize(), inner.canonicalize()) {
        (Ok(folder), Ok(inner)) => inner.starts_with(folder),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bot_reads_named_paths_but_not_starting_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let start_folder = temporary.path();
        std::fs::write(start_folder.join("bot.py"), "").unwrap();
        std::fs::create_dir(start_folder.join("classes")).unwrap();
        std::fs::write(start_folder.join("bot"), "").unwrap();
        let command = |folder: Option<PathBuf>| BotCommand {
            program: "bot".into(),
            arguments: ["bot.py", "classes", ".", "/", "--fast"].map(Into::into).into(),
            folder,
            reads: vec!["/opt/python".into()],
            lists: Vec::new(),
            network: false,
        };
        let shown = |paths: &[&str]| paths.iter().map(|path| start_folder.join(path)).collect::<Vec<_>>();
        assert_eq!(reads(&command(None), start_folder), shown(&["/opt/python", "bot.py", "classes", "bot"]));
        assert_eq!(
            reads(&command(Some(start_folder.to_owned())), start_folder),
            shown(&["/opt/python", "", "bot"])
        );
    }
}
