//! The command line of bubblewrap: a view of the file system with the system's programs and what the bot may read, and
//! namespaces without other processes, and without a network unless that is allowed.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::spec::LaunchSpec;
use super::system_files;
use crate::limits::ResourceLimits;

/// The name of the program.
pub(crate) const NAME: &str = "bwrap";

/// Returns the arguments of bubblewrap for this launch, up to and including its `--`.
pub(super) fn arguments(spec: &LaunchSpec) -> Vec<OsString> {
    let mut words = Words::default();
    if spec.user.is_some() {
        // Root needs no user namespace to create the others. The shim becomes an ordinary user, and keeps just the two
        // capabilities that this needs.
        words.say(["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]);
    } else {
        words.say(["--unshare-user", "--disable-userns", "--cap-drop", "ALL"]);
    }
    words.say(["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]);
    if !spec.network {
        words.say(["--unshare-net"]);
    }
    words.say(["--die-with-parent", "--hostname", "bot"]);
    for folder in system_files::FOLDERS {
        words.system_folder(Path::new(folder));
    }
    for path in system_files::etc() {
        words.show(&path);
    }
    words.say(["--proc", "/proc", "--dev", "/dev"]);
    // A build has its own place on the disk; what is mounted here is memory.
    let scratch = spec.limits.scratch.min(ResourceLimits::default().scratch).to_string();
    for place in ["/dev/shm", "/tmp"] {
        words.say(["--perms", "1777", "--size", &scratch, "--tmpfs", place]);
    }
    words.show(&spec.leyden);
    let mut reads: Vec<&Path> = spec.reads.iter().map(AsRef::as_ref).collect();
    reads.sort(); // a folder before its content, which it would hide
    for path in reads.into_iter().filter(|path| !system_files::is_part(path)) {
        words.show(path);
    }
    for path in &spec.lists {
        words.folders_to(path);
        words.folder(path); // which contains what is shown of it, and nothing else
    }
    if let Some(workshop) = &spec.workshop {
        words.bind("--bind", &workshop.place);
    }
    words.folders_to(&spec.folder);
    words.folder(&spec.folder);
    // The shim checks whether the bot may enter its folder, as the bot's own user.
    words.say(["--chdir", "/", "--remount-ro", "/dev", "--remount-ro", "/", "--"]);
    words.all
}

#[derive(Default)]
struct Words {
    all: Vec<OsString>,
    /// The folders that already exist.
    made: BTreeSet<PathBuf>,
    /// What is already visible.
    shown: Vec<PathBuf>,
}

impl Words {
    fn say<const N: usize>(&mut self, words: [impl AsRef<OsStr>; N]) {
        self.all.extend(words.map(|word| word.as_ref().to_owned()));
    }

    /// Makes a file or folder visible at its own path, read-only.
    fn show(&mut self, path: &Path) {
        self.bind("--ro-bind", path);
    }

    fn bind(&mut self, how: &str, path: &Path) {
        self.folders_to(path);
        self.say([OsStr::new(how), path.as_os_str(), path.as_os_str()]);
        self.shown.push(path.to_owned());
    }

    /// Creates the folders on the way to a path, for all users: bubblewrap would create some for their owner alone.
    fn folders_to(&mut self, path: &Path) {
        let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
        while let Some(folder) = folders.pop() {
            self.folder(folder);
        }
    }

    fn folder(&mut self, folder: &Path) {
        // What is visible already has its folders, and is read-only.
        let is_there =
            |path: &Path| path.parent().is_none() || system_files::is_part(path) || path == Path::new("/tmp");
        if !is_there(folder)
            && !self.shown.iter().any(|path| folder.starts_with(path))
            && self.made.insert(folder.into())
        {
            self.say(["--perms".as_ref(), "0755".as_ref(), "--dir".as_ref(), folder.as_os_str()]);
        }
    }

    /// `/bin` and the like are links into `/usr` on most systems, folders on some, and missing on others.
    fn system_folder(&mut self, path: &Path) {
        if let Ok(target) = fs::read_link(path) {
            self.say([OsStr::new("--symlink"), target.as_os_str(), path.as_os_str()]);
        } else if path.is_dir() {
            self.show(path);
        }
    }
}
