//! What stands around a bot, and the proof that it stands. The README beside this file says what each level holds.
//!
//! arena → `leyden stage` → (`bwrap` →) `leyden shim` → bot. The arena writes orders; the stage starts what they ask for;
//! the shim limits itself for good and becomes the bot. Nothing here knows of matches or tournaments.

#[cfg(target_os = "linux")]
mod bwrap;
pub mod cgroup;
mod host;
#[cfg(target_os = "linux")]
mod landlock;
mod launch;
mod limits;
mod orders;
pub mod preflight;
#[cfg(target_os = "linux")]
pub mod probe;
#[cfg(target_os = "linux")]
mod report;
#[cfg(target_os = "linux")]
mod rlimits;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(target_os = "linux")]
pub mod shim;
pub mod system;
#[cfg(target_os = "linux")]
mod user;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bot::Command;

pub use host::Host;
pub(crate) use launch::{Outset, start};
pub use leyden_model::{Level, LevelChoice};
pub use limits::Limits;
pub(crate) use orders::Orders;

/// A level with what it needs on this machine. Only [`preflight`] makes one that holds something.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    level: Level,
    limits: Limits,
    bwrap: PathBuf,
    subtree: Option<Arc<cgroup::Subtree>>,
}

impl Sandbox {
    /// Nothing around the bot.
    pub fn none() -> Self {
        Self::default()
    }

    pub fn level(&self) -> Level {
        self.level
    }

    /// The orders for a bot, and the control group it is to run in.
    pub(crate) fn orders(
        &self,
        leyden: &Path,
        command: &Command,
    ) -> io::Result<(Orders, Option<cgroup::Cgroup>)> {
        let mut orders = Orders { level: self.level, ..Orders::default() };
        if !self.level.has_shim() {
            return Ok((orders, None));
        }
        leyden.clone_into(&mut orders.leyden);
        orders.bwrap.clone_from(&self.bwrap);
        orders.limits = self.limits;
        orders.folder = match &command.folder {
            Some(folder) => folder.clone(),
            None => std::env::current_dir()?,
        };
        orders.reads = reads(command, &orders.folder);
        let cgroup = self.subtree.as_ref().map(|subtree| subtree.bot(&self.limits)).transpose()?;
        orders.cgroup = cgroup.as_ref().map(|cgroup| cgroup.path().to_owned());
        Ok((orders, cgroup))
    }
}

/// What a bot may read: its folder, its program, and what it was allowed. A bot without a folder has the files and
/// folders that its command line names, but never the place it is started from.
fn reads(command: &Command, place: &Path) -> Vec<PathBuf> {
    let mut reads = command.reads.clone();
    if let Some(folder) = &command.folder {
        reads.push(folder.clone());
    } else {
        let named = command.arguments.iter().map(|word| place.join(word));
        reads.extend(named.filter(|path| path.exists() && !is_around(path, place)));
    }
    reads.push(place.join(&command.program));
    reads
}

/// Whether a folder is, or is around, another.
fn is_around(folder: &Path, place: &Path) -> bool {
    match (folder.canonicalize(), place.canonicalize()) {
        (Ok(folder), Ok(place)) => place.starts_with(folder),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_shows_what_it_names_and_not_where_it_is_typed() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path();
        std::fs::write(place.join("bot.py"), "").unwrap();
        std::fs::create_dir(place.join("classes")).unwrap();
        let command = |folder: Option<PathBuf>| Command {
            program: "/usr/bin/python3".into(),
            arguments: ["bot.py", "classes", ".", "/", "--fast"].map(Into::into).into(),
            folder,
            reads: vec!["/opt/python".into()],
        };
        let shown = |paths: &[&str]| paths.iter().map(|path| place.join(path)).collect::<Vec<_>>();
        assert_eq!(
            reads(&command(None), place),
            shown(&["/opt/python", "bot.py", "classes", "/usr/bin/python3"])
        );
        assert_eq!(
            reads(&command(Some(place.to_owned())), place),
            shown(&["/opt/python", "", "/usr/bin/python3"])
        );
    }
}
