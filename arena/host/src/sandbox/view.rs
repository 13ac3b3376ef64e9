//! What a bot in namespaces sees of the file system, as a plan: the system's programs and what the bot may read, each at its own path and
//! read-only, and two folders of memory. `mounts` carries it out.

use std::fs;
use std::path::{Path, PathBuf};

use super::spec::LaunchSpec;
use super::system_files;
use crate::limits::ResourceLimits;

/// The folders of memory, in which a bot may write.
pub(super) const SCRATCH: [&str; 2] = ["/dev/shm", "/tmp"];

/// Something at a path of the new root.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ViewEntry {
    /// A folder with what is placed in it and nothing else. Every user may enter it.
    Folder(PathBuf),
    Link {
        at: PathBuf,
        to: PathBuf,
    },
    /// The file or folder at this path, with everything below it.
    Shown {
        path: PathBuf,
        writable: bool,
    },
}

/// What a bot sees, in the order in which it is built, in addition to `/proc`, `/dev` and the folders of memory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct View {
    /// What is there before the folders of memory are.
    pub(super) system: Vec<ViewEntry>,
    /// What may lie in them.
    pub(super) own: Vec<ViewEntry>,
    /// The size of each folder of memory, in bytes.
    pub(super) scratch: u64,
}

impl View {
    pub(super) fn from_spec(spec: &LaunchSpec) -> Self {
        let show = |path: &Path| ViewEntry::Shown { path: path.to_owned(), writable: false };
        let mut system: Vec<ViewEntry> =
            system_files::FOLDERS.iter().filter_map(|folder| system_folder(Path::new(folder))).collect();
        system.extend(system_files::etc().iter().map(|path| show(path)));
        let mut reads: Vec<&Path> = spec.reads.iter().map(AsRef::as_ref).collect();
        reads.sort(); // a folder before its content
        let mut shown: Vec<&Path> = Vec::new();
        for path in reads {
            // What lies in something that is shown is visible, and where it is may be its author's choice.
            if !system_files::is_part(path) && !shown.iter().any(|around| path.starts_with(around)) {
                shown.push(path);
            }
        }
        let mut own: Vec<ViewEntry> = shown.iter().map(|path| show(path)).collect();
        // Listing a folder shows what is placed in it, and nothing else.
        own.extend(
            spec.workshop
                .iter()
                .map(|workshop| ViewEntry::Shown { path: workshop.folder.clone(), writable: true }),
        );
        shown.extend(spec.workshop.iter().map(|workshop| workshop.folder.as_path()));
        let is_placed =
            |path: &Path| system_files::is_part(path) || shown.iter().any(|around| path.starts_with(around));
        let folders = spec.lists.iter().chain([&spec.folder]).filter(|path| !is_placed(path));
        own.extend(folders.map(|path| ViewEntry::Folder(path.clone())));
        // A build has its own folder on the disk; what is mounted here is memory.
        let scratch = spec.limits.scratch.min(ResourceLimits::default().scratch);
        Self { system, own, scratch }
    }
}

/// `/bin` and the like are links into `/usr` on most systems, folders on some, and missing on others.
fn system_folder(path: &Path) -> Option<ViewEntry> {
    let at = path.to_owned();
    match fs::read_link(path) {
        Ok(to) => Some(ViewEntry::Link { at, to }),
        Err(_) => path.is_dir().then_some(ViewEntry::Shown { path: at, writable: false }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::spec::BuildRights;

    #[test]
    fn view_omits_nested_reads_and_shows_builds_after() {
        let shown = |path: &str, writable: bool| ViewEntry::Shown { path: path.into(), writable };
        let spec = LaunchSpec {
            reads: ["/b/bot/run", "/usr/bin/env", "/b/bot", "/b/bot2", "/b/bot"].map(PathBuf::from).into(),
            lists: vec!["/class".into()],
            folder: "/work/bot".into(),
            workshop: Some(BuildRights { folder: "/work".into(), environment: Vec::new() }),
            ..LaunchSpec::default()
        };
        assert_eq!(
            View::from_spec(&spec).own,
            [
                shown("/b/bot", false),
                shown("/b/bot2", false),
                shown("/work", true),
                ViewEntry::Folder("/class".into()),
            ]
        );
    }
}
