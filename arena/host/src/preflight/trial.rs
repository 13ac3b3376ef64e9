//! Attacks a level from inside, with a probe that is started just as a bot is.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use tokio::io::AsyncReadExt;

use super::bait::Decoys;
use super::obstacle::LevelError;
use super::probe;
use crate::command::BotCommand;
use crate::control::ExitStatus;
use crate::limits::ResourceLimits;
use crate::process::Launcher;
use crate::sandbox::{Sandbox, SandboxLevel};
use crate::temporary::Temporary;

/// How long a probe may take, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The attacks that each level must withstand.
fn claims(level: SandboxLevel) -> Vec<&'static str> {
    let mut claims = vec![
        probe::READING,
        probe::WRITING,
        probe::SEEING,
        probe::PEEKING,
        probe::SIGNALS,
        probe::NETWORK,
        probe::CALLS,
        probe::MEMORY,
        probe::INIT,
        probe::OTHERS,
        probe::MARKS,
        probe::COUNTERS,
        probe::PAGES,
    ];
    if counts_tasks(level) {
        claims.push(probe::TASKS);
    }
    claims
}

/// Whether the limit on tasks holds for each bot alone. Without a namespace or a user of its own, a bot's tasks are
/// counted together with all of the organiser's.
pub(super) fn counts_tasks(level: SandboxLevel) -> bool {
    level.has_namespaces() || rustix::process::geteuid().is_root()
}

/// Runs the probe inside. The error says what did not hold.
pub(super) fn withstand(leyden: &Path, sandbox: &Sandbox) -> Result<(), LevelError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| LevelError::system("no runtime", &error))?;
    let tasks = if counts_tasks(sandbox.level) { sandbox.limits.tasks } else { 0 };
    let bait = Decoys::lay(tasks, sandbox.limits.memory)
        .map_err(|error| LevelError::system("the targets of the probe could not be created", &error))?;
    let said = runtime.block_on(run(leyden, sandbox, &bait.own, bait.targets.words()))?;
    let holds = |name: &str| said.lines().any(|line| line.strip_prefix("holds ") == Some(name));
    let broken = claims(sandbox.level);
    let broken: Vec<&str> = broken.into_iter().filter(|name| !holds(name)).collect();
    if !broken.is_empty() || !said.ends_with("done\n") {
        let details: Vec<&str> = broken
            .iter()
            .map(|name| {
                let detail = said.lines().find_map(|line| line.strip_prefix("fails ")?.strip_prefix(*name));
                detail.map_or(*name, str::trim)
            })
            .collect();
        return Err(LevelError::new(
            format!("an attack from inside succeeded: {}", details.join(", ")),
            "choose a lower level, and please report this with the output of leyden doctor",
        ));
    }
    if sandbox.level == SandboxLevel::Full {
        let said = runtime.block_on(share_memory(leyden, sandbox, &bait.own))?;
        if said.contains("survived") {
            return Err(LevelError::new(
                "several processes together used more memory than allowed",
                "make sure that the memory controller is delegated to the arena's control group",
            ));
        }
    }
    Ok(())
}

/// Starts four processes that together use twice the memory that one bot may.
async fn share_memory(leyden: &Path, sandbox: &Sandbox, own: &Temporary) -> Result<String, LevelError> {
    let limit = 64 << 20;
    let limits = ResourceLimits { memory: limit, ..sandbox.limits };
    let sandbox = Sandbox { limits, ..sandbox.clone() };
    let words = [probe::ARGUMENT.into(), "hold".into(), "4".into(), (limit / 2).to_string().into()];
    run(leyden, &sandbox, own, words.into()).await
}

async fn run(
    leyden: &Path,
    sandbox: &Sandbox,
    own: &Temporary,
    arguments: Vec<OsString>,
) -> Result<String, LevelError> {
    let command = BotCommand {
        program: leyden.to_owned(),
        arguments,
        folder: Some(own.path()),
        reads: Vec::new(),
        lists: Vec::new(),
        network: false,
    };
    let launcher = Launcher::new(leyden.to_owned()).with_sandbox(sandbox.clone());
    let started = launcher
        .start(&command)
        .map_err(|error| LevelError::system("no probe could be started", &error.into()));
    let (mut process, mut stdout, stdin) = started?;
    let mut said = String::new();
    let read = tokio::time::timeout(TIMEOUT, stdout.read_to_string(&mut said)).await;
    let status = process.exit_status(tokio::time::Instant::now()).await;
    process.read_stderr().await;
    let stderr = process.stderr();
    drop(stdin);
    let _ = process.kill().await;
    if read.is_err() {
        return Err(LevelError::new("the probe did not end", "check whether the machine is overloaded"));
    }
    match status {
        Some(ExitStatus::NotStarted(reason)) => Err(LevelError::new(
            format!("the program {} cannot be run inside: {reason}", leyden.display()),
            "put it where every user may read and run it",
        )),
        Some(ExitStatus::HostFailed(reason)) => Err(explain(&reason, &stderr)),
        Some(ExitStatus::Code(_) | ExitStatus::Signal(_)) | None => Ok(said),
    }
}

/// Explains what the system's refusals mean, and what to do.
fn explain(reason: &str, stderr: &str) -> LevelError {
    let last = stderr.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let what = if reason.is_empty() { last } else { reason };
    let any = |parts: &[&str]| parts.iter().any(|part| what.contains(part));
    if any(&["mounting a new proc"]) {
        return LevelError::new(
            format!("parts of /proc are masked, as containers do, so no new one can be mounted ({what})"),
            "run the container with --security-opt systempaths=unconfined",
        );
    }
    if any(&["namespace"]) {
        return LevelError::new(
            format!("the system does not let this user create namespaces ({what})"),
            "check the settings kernel.unprivileged_userns_clone, user.max_user_namespaces and \
             kernel.apparmor_restrict_unprivileged_userns; in a container, allow namespaces in it",
        );
    }
    if any(&["becoming user"]) {
        return LevelError::new(
            format!("root cannot become another user here, as in a namespace that holds only root ({what})"),
            "start leyden as an ordinary user; or give the namespace more users: unshare --map-auto, or in a container without \
             root ranges in /etc/subuid and /etc/subgid",
        );
    }
    let what = if what.is_empty() { "it ended without a message" } else { what };
    LevelError::new(
        format!("it could not be set up: {what}"),
        "fix what the system reports, or choose another level (--sandbox); if the cause is unclear, please report it with \
         the output of leyden doctor",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_the_system_are_explained() {
        for (reason, stderr, says) in [
            ("mounting a new proc: Operation not permitted (os error 1)", "", "masked"),
            ("creating namespaces: Operation not permitted (os error 1)", "", "create namespaces"),
            ("uid_map of the new namespace: Permission denied (os error 13)", "", "create namespaces"),
            ("becoming user 65534: Operation not permitted (os error 1)", "", "become another user"),
            ("Landlock: not there", "other", "Landlock: not there"),
            ("", "", "without a message"),
        ] {
            let error = explain(reason, stderr);
            assert!(error.reason.contains(says) && !error.remedy.is_empty(), "{error:?}");
        }
    }
}
