//! What a bot in a jail sees, and what it is, by its own eyes.

use std::path::Path;

use leyden_host::sandbox::{SandboxLevel, system_files};

use crate::field::{ArenaUser, AttackTargets};

/// Prints its mounts, capabilities and privileges, and the name of the machine. The shell itself reads: what it starts may not.
const LOOK: &str = "while read -r line; do echo \"mount $line\"; done </proc/self/mountinfo; \
    while read -r line; do echo \"status $line\"; done </proc/self/status; echo \"name $(uname -n)\"; echo \"process $$\"";

/// The folders in which a bot may write.
const WRITABLE: [&str; 3] = ["/dev/pts", "/dev/shm", "/tmp"];

/// The paths that are devices, or have them.
const DEVICES: [&str; 7] =
    ["/dev/full", "/dev/null", "/dev/pts", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero"];

#[test]
fn jail_shows_only_its_view() {
    for who in ArenaUser::everybody() {
        let levels = who.levels().into_iter().filter(|level| level.has_namespaces());
        for level in levels.collect::<Vec<SandboxLevel>>() {
            let field = AttackTargets::new();
            let folder = field.path("own");
            let output = who.in_sandbox(level, &folder, &["sh", "-c", LOOK]);
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let lines = |kind: &str| {
                let of_kind = printed.lines().filter_map(|line| line.strip_prefix(kind));
                of_kind.map(|line| line.trim().to_owned()).collect::<Vec<String>>()
            };
            let mounts = lines("mount ");
            assert!(mounts.len() > WRITABLE.len() + DEVICES.len(), "{who:?} at {level}: {output:?}");
            for mount in mounts {
                let fields: Vec<&str> = mount.split(' ').collect();
                assert_mount(fields[4], fields[5], &folder);
            }
            let status = lines("status ");
            let sets =
                ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map(|set| format!("{set}:\t{:016x}", 0));
            for line in sets.iter().map(String::as_str).chain(["NoNewPrivs:\t1", "Seccomp:\t2"]) {
                assert!(status.iter().any(|has| has == line), "{who:?} at {level}: no {line} in {status:?}");
            }
            assert_eq!(lines("name "), ["bot"], "{who:?} at {level}");
            assert_eq!(lines("process "), ["2"], "{who:?} at {level}: the first one is not the bot's");
        }
    }
}

/// Panics unless this may be mounted there with these options, for a bot in this folder.
fn assert_mount(at: &str, options: &str, folder: &Path) {
    let has = |option| options.split(',').any(|one| one == option);
    let path = Path::new(at);
    let is_expected = ["/", "/proc"].contains(&at)
        || WRITABLE.contains(&at)
        || DEVICES.contains(&at)
        || system_files::is_part(path)
        || path.starts_with("/etc") && path != Path::new("/etc")
        || path == folder;
    assert!(is_expected, "{at} is mounted");
    assert!(has("nosuid"), "{at}: {options}");
    assert_eq!(has("rw"), WRITABLE.contains(&at), "{at}: {options}");
    assert_eq!(has("nodev"), !DEVICES.contains(&at), "{at}: {options}");
}
