//! Landlock: restricts which files a bot may access, and keeps it from every process outside of its domain.
//!
//! With namespaces, it keeps the bot from taking over the namespaces' first process; without them, it alone protects
//! other files from the bot.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use super::spec::LaunchSpec;
use super::system_files;

/// The lowest version that level `restrict` needs: older ones let a bot truncate files that it may not write.
pub(crate) const NEEDED_ALONE: u32 = 3;

/// The lowest version that restricts signals.
pub(super) const KEEPS_SIGNALS: u32 = 6;

/// What interpreters read about the machine and themselves: nothing that changes with what others do. In `/proc` that
/// is only the bot's first process, without its network files, and without `smaps`, which shows which pages of a file
/// others have in memory, whether they run or not. Files are listed one by one, because a folder of settings may
/// contain counters.
const ABOUT_THE_MACHINE: [&str; 30] = [
    "/proc/self/auxv",
    "/proc/self/cgroup",
    "/proc/self/cmdline",
    "/proc/self/comm",
    "/proc/self/coredump_filter",
    "/proc/self/environ",
    "/proc/self/fd",
    "/proc/self/limits",
    "/proc/self/maps",
    "/proc/self/mountinfo",
    "/proc/self/mounts",
    "/proc/self/stat",
    "/proc/self/statm",
    "/proc/self/status",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/version",
    "/proc/sys/fs/pipe-max-size",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/threads-max",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
    "/sys/kernel/mm/transparent_hugepage/defrag",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
    "/sys/kernel/mm/transparent_hugepage/shmem_enabled",
    "/sys/kernel/mm/transparent_hugepage/use_zero_page",
];

/// Permanently restricts this thread and all that it executes. Fails if the system's Landlock is not sufficient.
pub(super) fn restrict(spec: &LaunchSpec) -> Result<(), String> {
    let namespaces = spec.level.has_namespaces();
    match ruleset(spec, namespaces).and_then(RulesetCreated::restrict_self) {
        Ok(status) if status.ruleset != RulesetStatus::NotEnforced => Ok(()),
        Ok(_) => Err("Landlock is not enforced".to_owned()),
        Err(error) => Err(format!("Landlock: {error}")),
    }
}

fn ruleset(spec: &LaunchSpec, namespaces: bool) -> Result<RulesetCreated, RulesetError> {
    let hard = if namespaces { ABI::V1 } else { ABI::V3 };
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(hard))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .scope(Scope::from_all(ABI::V6))?;
    if !spec.network {
        rules = rules.handle_access(AccessNet::from_all(ABI::V4))?;
    }
    let rules = rules.create()?;
    let read = AccessFs::from_read(ABI::V1);
    let write = AccessFs::from_all(ABI::V3) ^ (AccessFs::MakeBlock | AccessFs::MakeChar);
    let mut rules = rules.no_new_privs(true);
    for path in system_files::FOLDERS.iter().map(Path::new) {
        rules = allow(rules, path, read)?;
    }
    for path in system_files::etc().iter().chain(&spec.reads) {
        rules = allow(rules, path, read)?;
    }
    for path in &spec.lists {
        rules = allow(rules, path, AccessFs::ReadDir.into())?;
    }
    for path in ["/dev/full", "/dev/random", "/dev/urandom"] {
        rules = allow(rules, Path::new(path), AccessFs::ReadFile.into())?;
    }
    rules = allow(rules, Path::new("/dev/null"), AccessFs::ReadFile | AccessFs::WriteFile)?;
    for path in ABOUT_THE_MACHINE {
        rules = allow(rules, Path::new(path), AccessFs::ReadFile | AccessFs::ReadDir)?;
    }
    if namespaces {
        for path in ["/tmp", "/dev/shm"] {
            rules = allow(rules, Path::new(path), write)?;
        }
    }
    if let Some(workshop) = &spec.workshop {
        rules = allow(rules, &workshop.folder, write)?;
        if namespaces {
            rules = allow(rules, Path::new("/proc"), read)?; // which shows the build alone
        }
    }
    Ok(rules)
}

/// Allows access to a file, or to a folder and what is below it. A missing path needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(fd) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V5) };
    rules.add_rule(PathBeneath::new(fd, access))
}
