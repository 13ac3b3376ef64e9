//! What a machine offers for tournaments, as values. Attacks the sandbox from inside to find out what it withstands; plays
//! nothing.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use leyden_host::preflight::{self, TrialOutcome};
use leyden_host::sandbox::{Machine, SandboxLevel, system_files};
use leyden_host::{ResourceLimits, platform};
use schemars::JsonSchema;
use serde::Serialize;

use super::REPORT_VERSION;
use super::fairness::{self, Fairness};

/// The languages of the sample bots.
const PROGRAMS: [&str; 7] = ["python3", "node", "java", "perl", "sh", "cc", "c++"];

/// The output of `leyden doctor --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "What a machine offers")]
pub struct MachineReport {
    /// The version of this format: 1.
    pub v: u32,
    /// The system and its release, such as `Linux 6.12.9`.
    pub kernel: String,
    /// The version of Landlock; 0 if there is none.
    pub landlock: u32,
    /// The cores that matches may be played on.
    pub cores: usize,
    /// Whether every bot gets the same processor time for the same clock.
    pub fairness: Vec<Fairness>,
    /// Every level of the sandbox, the best first.
    pub levels: Vec<LevelReport>,
    /// The level that `--sandbox auto` takes.
    pub auto: SandboxLevel,
    pub limits: BotLimits,
    /// Interpreters and compilers.
    pub programs: Vec<Program>,
}

/// A level of the sandbox, and the outcome of attacks on it from inside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum LevelReport {
    /// It withstood every attack.
    Passed { level: SandboxLevel },
    /// It cannot be set up here, or an attack succeeded.
    Failed {
        level: SandboxLevel,
        reason: String,
        /// How to make it available.
        remedy: String,
    },
    /// It was not tested.
    Untested { level: SandboxLevel, reason: String },
}

/// What a bot may use inside a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BotLimits {
    pub memory_bytes: u64,
    /// Processes and threads.
    pub tasks: u64,
    /// Open file descriptors of each process.
    pub descriptors: u64,
    /// The size of its `/tmp`.
    pub tmp_bytes: u64,
}

/// An interpreter or a compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Program {
    pub name: String,
    /// Its path, if it was found.
    pub path: Option<PathBuf>,
    /// Whether bots can use it inside a sandbox without further read permissions.
    pub in_sandbox: bool,
}

impl MachineReport {
    /// Examines this machine. `leyden` is the arena's own program, which runs the attacks from inside.
    pub fn new(leyden: &Path, limits: ResourceLimits) -> Self {
        let Machine { kernel, landlock } = Machine::this();
        let ResourceLimits { memory, tasks, descriptors, scratch } = limits;
        let levels: Vec<LevelReport> = preflight::examine(leyden, limits)
            .into_iter()
            .map(|finding| match (finding.level, finding.outcome) {
                (level, TrialOutcome::Passed) => LevelReport::Passed { level },
                (level, TrialOutcome::Failed { reason, remedy }) => {
                    LevelReport::Failed { level, reason, remedy }
                }
                (level, TrialOutcome::Untested { reason }) => LevelReport::Untested { level, reason },
            })
            .collect();
        let search = std::env::var_os("PATH").unwrap_or_default();
        Self {
            v: REPORT_VERSION,
            kernel,
            landlock,
            cores: platform::allowed_cores().len(),
            fairness: fairness::for_machine(),
            auto: best(&levels),
            levels,
            limits: BotLimits { memory_bytes: memory, tasks, descriptors, tmp_bytes: scratch },
            programs: PROGRAMS.iter().map(|name| Program::find(name, &search)).collect(),
        }
    }
}

/// The best level that passed; `none` is always available.
fn best(levels: &[LevelReport]) -> SandboxLevel {
    let passed = levels.iter().filter_map(|tried| match tried {
        LevelReport::Passed { level } => Some(*level),
        _ => None,
    });
    passed.max().unwrap_or(SandboxLevel::None)
}

impl Program {
    /// Looks in the folders that bots in a sandbox search, then in the organiser's `search` path.
    fn find(name: &str, search: &OsStr) -> Self {
        let inside = on(name, system_files::SEARCH.as_ref());
        let in_sandbox = inside.is_some();
        Self { name: name.to_owned(), path: inside.or_else(|| on(name, search)), in_sandbox }
    }
}

fn on(name: &str, search: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search).map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_level_is_one_that_passed() {
        let failed =
            |level| LevelReport::Failed { level, reason: "no group".to_owned(), remedy: "ask".to_owned() };
        let none =
            LevelReport::Untested { level: SandboxLevel::None, reason: "it restricts nothing".to_owned() };
        let [jail, restrict] =
            [SandboxLevel::Jail, SandboxLevel::Restrict].map(|level| LevelReport::Passed { level });
        assert_eq!(best(&[failed(SandboxLevel::Full), jail, restrict, none.clone()]), SandboxLevel::Jail);
        assert_eq!(best(&[failed(SandboxLevel::Full), failed(SandboxLevel::Jail), none]), SandboxLevel::None);
    }

    #[test]
    fn program_outside_the_sandbox_is_found_and_marked() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("leyden-own-language"), "").unwrap();
        let found = Program::find("leyden-own-language", folder.path().as_os_str());
        assert_eq!(found.path, Some(folder.path().join("leyden-own-language")));
        assert!(!found.in_sandbox);
        let lacking = Program::find("leyden-no-language", folder.path().as_os_str());
        assert!(lacking.path.is_none() && !lacking.in_sandbox);
        assert!(Program::find("sh", OsStr::new("")).in_sandbox);
    }
}
