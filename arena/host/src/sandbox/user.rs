//! The user that a bot becomes when root runs the arena.
//!
//! Root's bots would own the system's files and be exempt from the limit on processes. Each gets a user of its own that
//! nothing else runs as.

use std::io;
use std::os::unix::fs::MetadataExt;

use rustix::process::{Gid, Uid};
use rustix::thread::{CapabilitySet, CapabilitySets};

/// Numbers that no distribution and no container gives away: 1 879 048 192 to 2 147 483 647 are free by
/// systemd's table. There are fewer process ids than that.
const FIRST: u32 = 1_900_000_000;

/// How many users there are for bots, and as many again for builds.
const COUNT: u32 = 100_000_000;

/// The user where only a part of all numbers can be used, as in some containers: nobody.
const NOBODY: u32 = 65_534;

/// The user of a bot whose supervisor has this process id; `None` if an ordinary user runs the arena.
pub(super) fn of_supervisor(pid: u32) -> Option<u32> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    Some(mapped(FIRST + pid % COUNT))
}

/// The user of what this process builds; `None` if an ordinary user runs it. To be told before there is a supervisor, since
/// the user must own what it works on.
pub(crate) fn of_builds() -> Option<u32> {
    rustix::process::geteuid().is_root().then(|| mapped(FIRST + COUNT + std::process::id() % COUNT))
}

fn mapped(own: u32) -> u32 {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    if is_mapped(&map, own) { own } else { NOBODY }
}

/// Whether a user namespace with this map knows a user. Lines are: first inside, first outside, how many.
fn is_mapped(map: &str, user: u32) -> bool {
    map.lines().any(|line| {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        matches!(numbers[..], [first, _, count] if (first..first + count).contains(&user.into()))
    })
}

/// How many tasks a user who is not root has on this machine.
pub(crate) fn tasks() -> u64 {
    let user = rustix::process::geteuid().as_raw();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = processes.filter(|process| process.metadata().is_ok_and(|process| process.uid() == user));
    own.map(|process| std::fs::read_dir(process.path().join("task")).map_or(0, |tasks| tasks.count() as u64))
        .sum()
}

/// Becomes that user and nothing else, for good. The thread must be the only one of its process.
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
    fn a_container_knows_some_users_only() {
        assert!(is_mapped("         0          0 4294967295\n", 1_900_000_123));
        assert!(!is_mapped("0 100000 65536\n", 1_900_000_123));
        assert!(is_mapped("0 1000 1\n1 100000 65536\n", 65_534));
        assert!(!is_mapped("", 0));
    }
}
