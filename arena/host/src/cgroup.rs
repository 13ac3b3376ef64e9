//! Control groups, version 2: one for each bot and everything it starts, below the arena's own.
//!
//! A group freezes and kills all its processes as one, and counts their CPU time. That needs only a writable hierarchy
//! ([`Subtree::without_limits`]), even beside version 1. A group limits the memory and tasks of all of them together
//! where the system has delegated a group with these controllers to the arena ([`Subtree::claim`]).

use std::fs;
use std::io::{self, Read, Seek};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use rustix::event::{PollFd, PollFlags};

use crate::limits::ResourceLimits;
use crate::platform::wait;

/// The controllers needed to limit all processes of a bot together.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// Processes in a bot's group that do not belong to the bot: the first of its namespaces.
const FIRST_PROCESSES: u64 = 1;

/// How long a new group may be empty before its bot enters it, on a busy machine.
const FRESH: Duration = Duration::from_mins(1);

/// How long killed processes may take to disappear.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);

/// Why bots cannot have control groups.
#[derive(Debug, thiserror::Error)]
pub enum SubtreeError {
    #[error("the system has no control groups of version 2 (cgroup2 is not mounted)")]
    NotMounted,
    #[error("the {0} controller is not available in cgroup v2 (it is mounted as v1)")]
    Version1(String),
    #[error("the {controller} controller is not delegated to the arena's control group {group}", group = .group.display())]
    NotHandedDown { controller: String, group: PathBuf },
    #[error("the arena's control group {group} is not its own: {source}", group = .group.display())]
    NotDelegated { group: PathBuf, source: io::Error },
    #[error("the arena shares its control group {group} with other processes", group = .0.display())]
    Shared(PathBuf),
}

impl SubtreeError {
    /// Returns what the organiser can do.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NotMounted | Self::Version1(_) => {
                "boot with the unified hierarchy (kernel argument systemd.unified_cgroup_hierarchy=1 or \
                 cgroup_no_v1=all), as current distributions do"
            }
            Self::NotHandedDown { .. } | Self::NotDelegated { .. } | Self::Shared(_) => {
                if rustix::process::geteuid().is_root() {
                    "start it as: systemd-run --scope -p Delegate=yes leyden …"
                } else {
                    "start it as: systemd-run --user --scope -p Delegate=yes leyden …"
                }
            }
        }
    }
}

/// The arena's own part of the tree of control groups.
#[derive(Debug)]
pub struct Subtree {
    group: PathBuf,
    /// The group that the arena moved itself to: a group that delegates controllers must not hold processes.
    leaf: Option<PathBuf>,
    limited: bool,
}

impl Subtree {
    /// Takes over the control group that the arena was started in, if the system has delegated it.
    pub fn claim() -> Result<Self, SubtreeError> {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let group = own_group(&own, &mounts).ok_or(SubtreeError::NotMounted)?;
        let there = fs::read_to_string(group.join("cgroup.controllers")).unwrap_or_default();
        for controller in CONTROLLERS {
            if !there.split_whitespace().any(|name| name == controller) {
                return Err(if is_version_1(&own, controller) {
                    SubtreeError::Version1(controller.to_owned())
                } else {
                    SubtreeError::NotHandedDown { controller: controller.to_owned(), group }
                });
            }
        }
        let not_delegated = |source| SubtreeError::NotDelegated { group: group.clone(), source };
        let mut subtree = Self::at(&group).map_err(not_delegated)?;
        subtree.limited = true;
        let enable = || fs::write(group.join("cgroup.subtree_control"), "+memory +pids");
        match enable() {
            Ok(()) => return Ok(subtree),
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {}
            Err(source) => return Err(not_delegated(source)),
        }
        let leaf = group.join(format!("leyden-arena-{}", std::process::id()));
        fs::create_dir(&leaf).map_err(not_delegated)?;
        subtree.leaf = Some(leaf.clone());
        fs::write(leaf.join("cgroup.procs"), "0").map_err(not_delegated)?;
        match enable() {
            Ok(()) => Ok(subtree),
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Err(SubtreeError::Shared(group)),
            Err(source) => Err(not_delegated(source)),
        }
    }

    /// Returns the control group that the arena was started in, without controllers; `None` if it is not writable.
    pub fn without_limits() -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let group = own_group(&own, &mounts)?;
        let subtree = Self::at(&group).ok()?;
        // A group can sometimes be created where processes cannot be moved: by the owner of a group that it was not
        // started in.
        let processes = fs::OpenOptions::new().write(true).open(group.join("cgroup.procs"));
        processes.is_ok().then_some(subtree)
    }

    /// Returns a part of the tree without controllers: freezing, killing and counting work; memory and tasks are not
    /// limited.
    pub fn at(group: &Path) -> io::Result<Self> {
        remove_left_groups(group)?;
        let subtree = Self { group: group.to_owned(), leaf: None, limited: false };
        drop(subtree.make()?); // fails if we may not
        Ok(subtree)
    }

    /// Creates a new group for one bot.
    pub fn bot(&self, limits: &ResourceLimits) -> io::Result<Cgroup> {
        let cgroup = self.make()?;
        if self.limited {
            cgroup.write("memory.max", &limits.memory.to_string())?;
            let _ = cgroup.write("memory.swap.max", "0"); // missing where there is no swap
            cgroup.write("memory.oom.group", "1")?;
            cgroup.write("pids.max", &(limits.tasks + FIRST_PROCESSES).to_string())?;
        }
        Ok(cgroup)
    }

    fn make(&self) -> io::Result<Cgroup> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = self.group.join(format!("leyden-bot-{}-{number}", std::process::id()));
        fs::create_dir(&path)?;
        let freezer = fs::OpenOptions::new().write(true).open(path.join("cgroup.freeze"));
        freezer.map(|freezer| Cgroup { path: path.clone(), freezer }).inspect_err(|_| {
            let _ = fs::remove_dir(&path);
        })
    }
}

/// Removes groups left by a killed arena, which are empty by now. Groups of another arena that has no bot in them yet
/// are empty too; it may run in a container, so its process number means nothing here.
fn remove_left_groups(group: &Path) -> io::Result<()> {
    for entry in fs::read_dir(group)?.flatten() {
        let is_left = entry.file_name().to_str().and_then(maker).is_some_and(|pid| !is_running(pid));
        if is_left && entry.metadata().and_then(|made| made.modified()).is_ok_and(is_long_ago) {
            let _ = fs::remove_dir(entry.path()); // refused while a process is in it
        }
    }
    Ok(())
}

/// Returns the process that created a group, from the group's name: `leyden-bot-PID-N` or `leyden-arena-PID`.
fn maker(name: &str) -> Option<u32> {
    let rest = name.strip_prefix("leyden-bot-").or_else(|| name.strip_prefix("leyden-arena-"))?;
    rest.split('-').next()?.parse().ok()
}

fn is_long_ago(made: SystemTime) -> bool {
    made.elapsed().is_ok_and(|age| age > FRESH)
}

fn is_running(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

impl Drop for Subtree {
    fn drop(&mut self) {
        // Best effort: an empty group is left, which the next arena removes.
        if let Some(leaf) = &self.leaf {
            let _ = fs::write(self.group.join("cgroup.subtree_control"), "-memory -pids");
            let _ = fs::write(self.group.join("cgroup.procs"), "0");
            let _ = fs::remove_dir(leaf);
        }
    }
}

/// A bot's control group. Dropping it kills every process in it and removes it, if the supervisor has not done so.
#[derive(Debug)]
pub struct Cgroup {
    path: PathBuf,
    freezer: fs::File,
}

impl Cgroup {
    /// Returns its folder in the tree of control groups.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the CPU time of all processes that were ever in the group.
    pub fn cpu_time(&self) -> io::Result<Duration> {
        let stat = fs::read_to_string(self.path.join("cpu.stat"))?;
        cpu_usage(&stat).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Opens the file with the CPU time, for repeated reading.
    pub(crate) fn cpu_stat(&self) -> io::Result<fs::File> {
        fs::File::open(self.path.join("cpu.stat"))
    }

    /// Stops every process of the group until [`thaw`](Self::thaw).
    pub fn freeze(&self) -> io::Result<()> {
        self.freezer.write_all_at(b"1", 0)
    }

    /// Whether no process of it can run: each one is frozen, or there is none. A process is frozen once it leaves the
    /// kernel, so one in a long system call runs on for a while.
    pub fn is_still(&self) -> bool {
        match fs::read_to_string(self.path.join("cgroup.events")) {
            Ok(events) => events.lines().any(|line| line == "frozen 1" || line == "populated 0"),
            Err(_) => !self.path.exists(),
        }
    }

    /// Kills every process of the group.
    pub fn kill(&self) {
        kill(&self.path);
    }

    /// Lets its processes run again.
    pub fn thaw(&self) -> io::Result<()> {
        self.freezer.write_all_at(b"0", 0)
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        fs::write(self.path.join(file), text)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        if self.path.exists() {
            let _ = fs::write(self.path.join("cgroup.kill"), "1");
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Parses the CPU time in a `cpu.stat`.
pub(crate) fn cpu_usage(stat: &str) -> Option<Duration> {
    let used = stat.lines().find_map(|line| line.strip_prefix("usage_usec ")?.parse().ok());
    used.map(Duration::from_micros)
}

/// Kills every process of a group.
pub(crate) fn kill(group: &Path) {
    let _ = fs::write(group.join("cgroup.kill"), "1"); // the group may no longer exist
}

/// Kills every process of a group, waits until they are gone, and removes the group.
pub(crate) fn remove(group: &Path) {
    kill(group);
    wait_until_empty(group, Instant::now() + KILL_TIMEOUT);
    let _ = fs::remove_dir(group); // refused while a process is in it: the next arena removes it
}

/// Waits until no process of a group lives, or until the deadline. The system notifies us of changes.
fn wait_until_empty(group: &Path, deadline: Instant) {
    let Ok(mut events) = fs::File::open(group.join("cgroup.events")) else { return };
    loop {
        let mut text = String::new();
        let read = events.rewind().and_then(|()| events.read_to_string(&mut text));
        if read.is_err() || text.lines().any(|line| line == "populated 0") || Instant::now() >= deadline {
            return;
        }
        wait::poll_until(&mut [PollFd::new(&events, PollFlags::PRI)], deadline);
    }
}

/// Returns the path of the arena's group: the mount point of version 2 joined with the group's path in it.
fn own_group(own: &str, mounts: &str) -> Option<PathBuf> {
    let within = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let mount = mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        let is_version_2 = kind.starts_with("cgroup2 ");
        is_version_2.then(|| mount.split(' ').nth(4)).flatten()
    })?;
    Some(Path::new(mount).join(within))
}

fn is_version_1(own: &str, controller: &str) -> bool {
    own.lines().any(|line| {
        line.split(':').nth(1).is_some_and(|names| names.split(',').any(|name| name == controller))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "24 22 0:22 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                          25 22 0:23 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

    #[test]
    fn this_process_group_is_found_beside_version_1() {
        let own = "8:pids:/\n4:memory,x:/a/b\n0::/user.slice/x.scope\n";
        assert_eq!(own_group(own, MOUNTS), Some("/sys/fs/cgroup/unified/user.slice/x.scope".into()));
        assert_eq!(own_group("4:memory:/\n", MOUNTS), None);
        assert_eq!(own_group(own, "24 22 0:22 / /x rw - cgroup cgroup rw\n"), None);
        assert!(is_version_1(own, "memory") && is_version_1(own, "pids") && !is_version_1(own, "cpu"));
    }

    /// A group is a folder; what this test needs of one works in any folder.
    #[test]
    fn groups_of_dead_arenas_are_removed_unless_fresh() {
        let folder = tempfile::tempdir().unwrap();
        let gone = {
            let mut child = std::process::Command::new("true").spawn().unwrap();
            child.wait().unwrap();
            child.id()
        };
        let make = |name: &str, age: Duration| {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::File::open(&path).unwrap().set_modified(SystemTime::now() - age).unwrap();
            path
        };
        let fresh = make(&format!("leyden-bot-{gone}-1"), Duration::ZERO);
        let left = make(&format!("leyden-bot-{gone}-2"), 2 * FRESH);
        let ours = make(&format!("leyden-bot-{}-1000", std::process::id()), 2 * FRESH);
        let foreign = make("session", 2 * FRESH);
        remove_left_groups(folder.path()).unwrap();
        assert!(fresh.exists() && ours.exists() && foreign.exists());
        assert!(!left.exists());
    }
}
