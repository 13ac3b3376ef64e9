//! Finds which sandbox levels hold on this machine, by attacking each from inside.

#[cfg(target_os = "linux")]
mod bait;
mod obstacle;
#[cfg(target_os = "linux")]
pub(crate) mod probe;
#[cfg(target_os = "linux")]
mod trial;

use std::path::Path;

#[cfg(target_os = "linux")]
use crate::cgroup::Subtree;
use crate::limits::ResourceLimits;
use crate::sandbox::{self, Sandbox, SandboxLevel, SandboxLevelChoice};
use obstacle::LevelError;

/// The result of trying a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialOutcome {
    /// It withstood every attack.
    Passed,
    /// It cannot be set up here, or an attack succeeded.
    Failed { reason: String, remedy: String },
    /// It was not tried.
    Untested { reason: String },
}

/// A level and the result of trying it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelTrial {
    pub level: SandboxLevel,
    pub outcome: TrialOutcome,
}

/// A level that holds, and what prevents the next better one if no level was requested.
#[derive(Clone, Debug)]
pub struct ChosenLevel {
    pub sandbox: Sandbox,
    /// Why the next better level does not hold.
    pub missing: Option<PreflightError>,
}

/// The requested level does not hold here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sandbox level {level} does not hold on this machine: {reason}. To get it: {remedy}")]
pub struct PreflightError {
    pub level: SandboxLevel,
    pub reason: String,
    /// What to do to get it.
    pub remedy: String,
}

/// Finds the best level that holds and that the organiser allows.
///
/// `leyden` is the program that runs as supervisor, the arena's own. Only probes are run.
///
/// ```no_run
/// use leyden_host::sandbox::SandboxLevelChoice;
/// use leyden_host::{Launcher, ResourceLimits, preflight};
///
/// let program = std::env::current_exe()?;
/// let chosen = preflight::choose(&program, SandboxLevelChoice::Auto, ResourceLimits::default())?;
/// if let Some(missing) = &chosen.missing {
///     println!("{missing}");
/// }
/// let launcher = Launcher::new(program).with_sandbox(chosen.sandbox);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn choose(
    leyden: &Path,
    choice: SandboxLevelChoice,
    limits: ResourceLimits,
) -> Result<ChosenLevel, PreflightError> {
    if let SandboxLevelChoice::Exactly(level) = choice {
        return match attempt(leyden, level, limits) {
            Ok(sandbox) => Ok(ChosenLevel { sandbox, missing: None }),
            Err(LevelError { reason, remedy }) => Err(PreflightError { level, reason, remedy }),
        };
    }
    let mut missing = None;
    for level in SandboxLevel::ALL {
        match attempt(leyden, level, limits) {
            Ok(sandbox) => return Ok(ChosenLevel { sandbox, missing }),
            Err(LevelError { reason, remedy }) => missing = Some(PreflightError { level, reason, remedy }),
        }
    }
    Ok(ChosenLevel { sandbox: Sandbox::none(), missing }) // level none always holds
}

/// Tries every level.
pub fn examine(leyden: &Path, limits: ResourceLimits) -> Vec<LevelTrial> {
    let findings = SandboxLevel::ALL.into_iter().map(|level| {
        let outcome = match attempt(leyden, level, limits) {
            Ok(_) => TrialOutcome::Passed,
            Err(LevelError { reason, remedy }) => TrialOutcome::Failed { reason, remedy },
        };
        LevelTrial { level, outcome }
    });
    let mut findings: Vec<LevelTrial> = findings.collect();
    if let Some(none) = findings.last_mut() {
        none.outcome = TrialOutcome::Untested { reason: "this level restricts nothing".to_owned() };
    }
    findings
}

#[cfg(not(target_os = "linux"))]
fn attempt(_leyden: &Path, level: SandboxLevel, _limits: ResourceLimits) -> Result<Sandbox, LevelError> {
    match level {
        SandboxLevel::None => Ok(Sandbox::none()),
        _ => Err(LevelError::new(
            "this system is not Linux",
            "run the arena on Linux, or in a Linux virtual machine",
        )),
    }
}

/// How many tasks all bots may add to the organiser's, where all are counted together.
#[cfg(target_os = "linux")]
const SPARE_TASKS: u64 = 1_024;

/// Returns a sandbox of this level that has withstood the probe.
#[cfg(target_os = "linux")]
fn attempt(leyden: &Path, level: SandboxLevel, limits: ResourceLimits) -> Result<Sandbox, LevelError> {
    let mut sandbox = Sandbox { level, limits, ..Sandbox::default() };
    if level == SandboxLevel::None {
        sandbox.subtree = Subtree::without_limits().map(Into::into);
        return Ok(sandbox);
    }
    needs_landlock(level)?;
    if !trial::counts_tasks(level) {
        sandbox.limits.tasks = sandbox::tasks_of_this_user() + SPARE_TASKS;
    }
    sandbox.subtree = match level {
        SandboxLevel::Full => {
            let claimed =
                Subtree::claim().map_err(|error| LevelError::new(error.to_string(), error.remedy()));
            Some(claimed?.into())
        }
        SandboxLevel::None | SandboxLevel::Restrict | SandboxLevel::Jail => {
            Subtree::without_limits().map(Into::into)
        }
    };
    trial::withstand(leyden, &sandbox)?;
    Ok(sandbox)
}

#[cfg(target_os = "linux")]
fn needs_landlock(level: SandboxLevel) -> Result<(), LevelError> {
    let needed = if level.has_namespaces() { 1 } else { sandbox::LANDLOCK_NEEDED_ALONE };
    let sandbox::Machine { kernel, landlock } = sandbox::Machine::this();
    if landlock >= needed {
        return Ok(());
    }
    Err(match landlock {
        0 => LevelError::new(
            format!("this kernel ({kernel}) has no Landlock, or it is switched off"),
            "boot with landlock in the kernel argument lsm= (lsm=landlock,…), or a kernel from 5.13 on",
        ),
        has => LevelError::new(
            format!(
                "this kernel ({kernel}) has Landlock version {has}; {needed} is needed without namespaces"
            ),
            "boot a kernel from 6.2 on",
        ),
    })
}
