//! Attacks a level from inside, with a probe that is started just as a bot is.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use tokio::io::AsyncReadExt;

use super::bait::Decoys;
use super::obstacle::Obstacle;
use super::probe;
use crate::command::BotCommand;
use crate::control::ExitStatus;
use crate::limits::ResourceLimits;
use crate::process::Launcher;
use crate::sandbox::{Sandbox, SandboxLevel};
use crate::temporary::Temporary;

/// How long a probe may take, on a machine that has much else to do.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Which attacks each level has to withstand.
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

/// Whether the limit on tasks holds for a bot alone. Without a namespace or a user of its own, its tasks are counted together
/// with all of the organiser's.
pub(super) fn counts_tasks(level: SandboxLevel) -> bool {
    level.has_namespaces() || rustix::process::geteuid().is_root()
}

/// Runs the probe inside. An error says what did not hold.
pub(super) fn withstand(leyden: &Path, sandbox: &Sandbox) -> Result<(), Obstacle> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| Obstacle::system("no runtime", &error))?;
    let tasks = if counts_tasks(sandbox.level) { sandbox.limits.tasks } else { 0 };
    let bait = Decoys::lay(tasks, sandbox.limits.memory)
        .map_err(|error| Obstacle::system("no bait could be laid", &error))?;
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
        return Err(Obstacle::new(
            format!("an attack from inside succeeded: {}", details.join(", ")),
            "take a lower level, and please report this with the output of leyden doctor",
        ));
    }
    if sandbox.level == SandboxLevel::Full {
        let said = runtime.block_on(together(leyden, sandbox, &bait.own))?;
        if said.contains("survived") {
            return Err(Obstacle::new(
                "several processes together had more memory than allowed",
                "see that the memory controller is handed down to the arena's control group",
            ));
        }
    }
    Ok(())
}

/// Four processes that together use twice what one bot may.
async fn together(leyden: &Path, sandbox: &Sandbox, own: &Temporary) -> Result<String, Obstacle> {
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
) -> Result<String, Obstacle> {
    let command = BotCommand {
        program: leyden.to_owned(),
        arguments,
        folder: Some(own.path()),
        reads: Vec::new(),
        lists: Vec::new(),
    };
    let launcher = Launcher::new(leyden.to_owned()).with_sandbox(sandbox.clone());
    let started = launcher
        .start(&command)
        .map_err(|error| Obstacle::system("no probe could be started", &error.into()));
    let (mut process, mut stdout, stdin) = started?;
    let mut said = String::new();
    let read = tokio::time::timeout(TIMEOUT, stdout.read_to_string(&mut said)).await;
    let status = process.exit_status(tokio::time::Instant::now()).await;
    process.read_stderr().await;
    let stderr = process.stderr();
    drop(stdin);
    let _ = process.kill().await;
    if read.is_err() {
        return Err(Obstacle::new("the probe did not end", "see whether the machine is overloaded"));
    }
    match status {
        Some(ExitStatus::NotStarted(reason)) => Err(Obstacle::new(
            format!("the program {} cannot be run inside: {reason}", leyden.display()),
            "put it where every user may read and run it",
        )),
        Some(ExitStatus::HostFailed(reason)) => Err(explain(&reason, &stderr)),
        _ => Ok(said),
    }
}

/// What the system's refusals mean, and what can be done.
fn explain(reason: &str, stderr: &str) -> Obstacle {
    let last = stderr.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let what = if reason.is_empty() { last } else { reason };
    let any = |parts: &[&str]| parts.iter().any(|part| what.contains(part));
    if any(&["Unknown option"]) {
        return Obstacle::new(format!("bubblewrap is too old ({what})"), "install bubblewrap 0.8 or newer");
    }
    if any(&["mount proc"]) {
        return Obstacle::new(
            format!("parts of /proc are masked, as containers do, so that none can be made anew ({what})"),
            "run the container with --security-opt systempaths=unconfined",
        );
    }
    if any(&["namespace", "uid map", "disable creation"]) {
        return Obstacle::new(
            format!("the system lets this user make no namespaces ({what})"),
            "see the settings kernel.unprivileged_userns_clone, user.max_user_namespaces and \
             kernel.apparmor_restrict_unprivileged_userns; in a container, allow them to it",
        );
    }
    if any(&["becoming user"]) {
        return Obstacle::new(
            format!("root may become no other user here, as in a namespace that holds root alone ({what})"),
            "start leyden as an ordinary user; or give the namespace more users: unshare --map-auto, or in a container without root \
             ranges in /etc/subuid and /etc/subgid",
        );
    }
    let what = if what.is_empty() { "it ended without a word" } else { what };
    Obstacle::new(
        format!("it could not be set up: {what}"),
        "mend what the system says there, or choose another level (--sandbox); if it is not clear what that is, please report it with \
         the output of leyden doctor",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_the_system_are_explained() {
        for (reason, stderr, says) in [
            ("", "bwrap: Unknown option --disable-userns\n", "too old"),
            ("", "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "masked"),
            ("", "bwrap: No permissions to create new namespace, likely because", "no namespaces"),
            ("", "bwrap: setting up uid map: Permission denied", "no namespaces"),
            ("becoming user 65534: Operation not permitted (os error 1)", "", "no other user"),
            ("Landlock: not there", "other", "Landlock: not there"),
            ("", "", "without a word"),
        ] {
            let obstacle = explain(reason, stderr);
            assert!(obstacle.reason.contains(says) && !obstacle.remedy.is_empty(), "{obstacle:?}");
        }
    }
}
