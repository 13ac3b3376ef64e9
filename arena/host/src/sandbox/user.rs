//! The user that a bot becomes when root runs the arena.
//!
//! Root's bots would own the system's files and be exempt from the limit on processes. Each bot gets its own user that
//! nothing else runs as.

use std::io;
use std::os::unix::fs::MetadataExt;

use rustix::process::{Gid, Uid};
use rustix::thread::{CapabilitySet, CapabilitySets};

/// Numbers that no distribution and no container assigns: systemd's table lists 1 879 048 192 to 2 147 483 647 as free.
/// There are fewer process ids than that.
const FIRST: u32 = 1_900_000_000;

/// The number of users for bots, and as many again for builds.
const COUNT: u32 = 100_000_000;

/// The user if only some numbers can be used, as in some containers: nobody.
const NOBODY: u32 = 65_534;

/// Returns the user of a bot whose supervisor has this process id; `None` if an ordinary user runs the arena.
pub(super) fn for_supervisor(pid: u32) -> Option<u32> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    Some(mapped(FIRST + pid % COUNT))
}

/// Returns the user of this process's builds; `None` if an ordinary user runs it. Needed before there is a supervisor,
/// because the user must own the files it works on.
pub(crate) fn for_builds() -> Option<u32> {
    rustix::process::geteuid().is_root().then(|| mapped(FIRST + COUNT + std::process::id() % COUNT))
}

fn mapped(own: u32) -> u32 {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    if is_mapped(&map, own) { own } else { NOBODY }
}

/// Whether a user namespace with this map contains a user. Lines are: first inside, first outside, count.
fn is_mapped(map: &str, user: u32) -> bool {
    map.lines().any(|line| {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        matches!(numbers[..], [first, _, count] if (first..first + count).contains(&user.into()))
    })
}

/// Returns how many tasks a user other than root has on this machine.
pub(crate) fn tasks() -> u64 {
    let user = rustix::process::geteuid().as_raw();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = processes.filter(|process| process.metadata().is_ok_and(|process| process.uid() == user));
    own.map(|process| std::fs::read_dir(process.path().join("task")).map_or(0, |tasks| tasks.count() as u64))
        .sum()
}

/// Permanently becomes that user. The thread must be the only one of its process.
pub(super) fn become_user(user: u32) -> io::Result<()> {
    rustix::thread::set_thread_groups(&[])?;
    let (group, user) = (Gid::from_raw(user), Uid::from_raw(user));
    rustix::thread::set_thread_res_gid(group, group, group)?;
    rustix::thread::set_thread_res_uid(user, user, user)?;
    let nothing = CapabilitySet::empty();
    let nothing = CapabilitySets { effective: nothing, permitted: nothing, inheritable: nothing };
    rustix::thread::set_capabilities(None, nothing)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_mapped;

    #[test]
    fn container_knows_some_users_only() {
        assert!(is_mapped("         0          0 4294967295\n", 1_900_000_123));
        assert!(!is_mapped("0 100000 65536\n", 1_900_000_123));
        assert!(is_mapped("0 1000 1\n1 100000 65536\n", 65_534));
        assert!(!is_mapped("", 0));
    }
}
