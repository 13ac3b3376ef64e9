//! Which levels this machine holds, found by attacking each from inside.

use std::io;
use std::path::{Path, PathBuf};

use super::{Host, Level, LevelChoice, Limits, Sandbox};

/// What became of a level when it was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every attack was held.
    Passed,
    /// It cannot be made here, or an attack succeeded.
    Failed { reason: String, remedy: String },
    /// It was not tried.
    Untested { reason: String },
}

/// A level and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub level: Level,
    pub outcome: Outcome,
}

/// A level that holds, and a line for the organiser that names it.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub sandbox: Sandbox,
    pub line: String,
}

/// The level that was asked for does not hold here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sandbox level {level} does not hold on this machine: {reason}. To get it: {remedy}")]
pub struct NotHeld {
    pub level: Level,
    pub reason: String,
    pub remedy: String,
}

/// Tries the levels until one is found that the organiser wants and that holds. Nothing is ever lowered silently.
///
/// `leyden` is the arena's own program. Nothing but probes is run.
pub fn choose(leyden: &Path, choice: LevelChoice, limits: Limits) -> Result<Chosen, NotHeld> {
    if let LevelChoice::Exactly(level) = choice {
        let line = format!("sandbox: {level}");
        return match attempt(leyden, level, limits) {
            Ok(sandbox) => Ok(Chosen { sandbox, line }),
            Err(Obstacle { reason, remedy }) => Err(NotHeld { level, reason, remedy }),
        };
    }
    let mut missing: Option<(Level, Obstacle)> = None;
    for level in Level::ALL {
        match attempt(leyden, level, limits) {
            Ok(sandbox) => return Ok(Chosen { line: line(level, missing.as_ref()), sandbox }),
            Err(obstacle) => missing = Some((level, obstacle)),
        }
    }
    Ok(Chosen { sandbox: Sandbox::none(), line: line(Level::None, missing.as_ref()) })
}

fn line(level: Level, missing: Option<&(Level, Obstacle)>) -> String {
    match missing {
        None => format!("sandbox: {level}"),
        Some((next, Obstacle { reason, remedy })) => {
            format!("sandbox: {level}; missing for {next}: {reason}; to get it: {remedy}")
        }
    }
}

/// Tries every level.
pub fn examine(leyden: &Path, limits: Limits) -> Vec<Finding> {
    let findings = Level::ALL.into_iter().map(|level| {
        let outcome = match attempt(leyden, level, limits) {
            Ok(_) => Outcome::Passed,
            Err(Obstacle { reason, remedy }) => Outcome::Failed { reason, remedy },
        };
        Finding { level, outcome }
    });
    let mut findings: Vec<Finding> = findings.collect();
    if let Some(none) = findings.last_mut() {
        none.outcome = Outcome::Untested { reason: "it holds nothing that could be tried".to_owned() };
    }
    findings
}

/// Why a level cannot be had, and what can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Obstacle {
    reason: String,
    remedy: String,
}

impl Obstacle {
    fn new(reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { reason: reason.into(), remedy: remedy.into() }
    }

    /// The system refused something that it gives to everybody.
    fn system(what: &str, error: &io::Error) -> Self {
        Self::new(format!("{what}: {error}"), "see what the system is short of")
    }
}

#[cfg(not(target_os = "linux"))]
fn attempt(_leyden: &Path, level: Level, _limits: Limits) -> Result<Sandbox, Obstacle> {
    match level {
        Level::None => Ok(Sandbox::none()),
        _ => Err(Obstacle::new(
            "this system is not Linux",
            "run the arena on Linux, or in a virtual machine with it",
        )),
    }
}

/// How many more tasks the organiser may have, with all bots together, where they are counted together.
#[cfg(target_os = "linux")]
const SPARE_TASKS: u64 = 1_024;

/// A sandbox of this level that has withstood the probe.
#[cfg(target_os = "linux")]
fn attempt(leyden: &Path, level: Level, limits: Limits) -> Result<Sandbox, Obstacle> {
    if level == Level::None {
        return Ok(Sandbox::none());
    }
    let mut sandbox = Sandbox { level, limits, ..Sandbox::default() };
    needs_landlock(level)?;
    if !trial::counts_tasks(level) {
        sandbox.limits.tasks = super::user::tasks() + SPARE_TASKS;
    }
    if level.has_namespaces() {
        sandbox.bwrap = on_path(super::bwrap::NAME).ok_or_else(|| {
            Obstacle::new(
                "the program bwrap is not installed",
                "install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap)",
            )
        })?;
    }
    if level == Level::Full {
        let subtree = super::cgroup::Subtree::claim()
            .map_err(|error| Obstacle::new(error.to_string(), error.remedy()))?;
        sandbox.subtree = Some(subtree.into());
    }
    trial::withstand(leyden, &sandbox)?;
    Ok(sandbox)
}

#[cfg(target_os = "linux")]
fn needs_landlock(level: Level) -> Result<(), Obstacle> {
    let needed = if level.has_namespaces() { 1 } else { super::landlock::NEEDED_ALONE };
    let Host { kernel, landlock } = Host::this();
    if landlock >= needed {
        return Ok(());
    }
    Err(match landlock {
        0 => Obstacle::new(
            format!("this kernel ({kernel}) has no Landlock, or it is switched off"),
            "boot with landlock in the kernel argument lsm= (lsm=landlock,…), or a kernel from 5.13 on",
        ),
        has => Obstacle::new(
            format!(
                "this kernel ({kernel}) has Landlock version {has}; {needed} is needed without namespaces"
            ),
            "boot a kernel from 6.2 on",
        ),
    })
}

/// The first program of this name on the organiser's search path.
#[cfg(target_os = "linux")]
fn on_path(name: &str) -> Option<PathBuf> {
    let search = std::env::var_os("PATH")?;
    std::env::split_paths(&search).map(|place| place.join(name)).find(|path| path.is_file())
}

#[cfg(target_os = "linux")]
mod trial {
    use std::fs;
    use std::net::{Ipv4Addr, TcpListener, UdpSocket};
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    use std::time::Duration;

    use tempfile::TempDir;
    use tokio::io::AsyncReadExt;

    use super::{Level, Limits, Obstacle, Path, Sandbox, io};
    use crate::bot::{Command, Ending, Launcher};
    use crate::sandbox::probe::{self, Targets};

    /// How long a probe may take, on a machine that has much else to do.
    const PATIENCE: Duration = Duration::from_secs(20);

    /// What each level has to hold of what is attacked.
    fn claims(level: Level) -> Vec<&'static str> {
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
        ];
        if counts_tasks(level) {
            claims.push(probe::TASKS);
        }
        claims
    }

    /// Whether the limit on tasks is a bot's own. Without a namespace or a user of its own, its tasks are counted with all
    /// of the organiser's.
    pub(super) fn counts_tasks(level: Level) -> bool {
        level.has_namespaces() || rustix::process::geteuid().is_root()
    }

    /// Runs the probe inside. An error says what did not hold.
    pub(super) fn withstand(leyden: &Path, sandbox: &Sandbox) -> Result<(), Obstacle> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| Obstacle::system("no runtime", &error))?;
        let bait = Bait::lay(sandbox).map_err(|error| Obstacle::system("no bait could be laid", &error))?;
        let said = runtime.block_on(run(leyden, sandbox, &bait.own, bait.targets.words()))?;
        let holds = |name: &str| said.lines().any(|line| line.strip_prefix("holds ") == Some(name));
        let broken = claims(sandbox.level);
        let broken: Vec<&str> = broken.into_iter().filter(|name| !holds(name)).collect();
        if !broken.is_empty() || !said.ends_with("done\n") {
            let details: Vec<&str> = broken
                .iter()
                .map(|name| {
                    let detail =
                        said.lines().find_map(|line| line.strip_prefix("fails ")?.strip_prefix(*name));
                    detail.map_or(*name, str::trim)
                })
                .collect();
            return Err(Obstacle::new(
                format!("an attack from inside succeeded: {}", details.join(", ")),
                "take a lower level, and please report this with the output of leyden doctor",
            ));
        }
        if sandbox.level == Level::Full {
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
    async fn together(leyden: &Path, sandbox: &Sandbox, own: &TempDir) -> Result<String, Obstacle> {
        let limit = 64 << 20;
        let limits = Limits { memory: limit, ..sandbox.limits };
        let sandbox = Sandbox { limits, ..sandbox.clone() };
        let words = [probe::ARGUMENT.into(), "hold".into(), "4".into(), (limit / 2).to_string().into()];
        run(leyden, &sandbox, own, words.into()).await
    }

    async fn run(
        leyden: &Path,
        sandbox: &Sandbox,
        own: &TempDir,
        arguments: Vec<std::ffi::OsString>,
    ) -> Result<String, Obstacle> {
        let command = Command {
            program: leyden.to_owned(),
            arguments,
            folder: Some(own.path().to_owned()),
            reads: Vec::new(),
        };
        let launcher = Launcher::new(leyden.to_owned()).inside(sandbox.clone());
        let started =
            launcher.start(&command).map_err(|error| Obstacle::system("no probe could be started", &error));
        let (mut process, mut stdout, stdin) = started?;
        let mut said = String::new();
        let read = tokio::time::timeout(PATIENCE, stdout.read_to_string(&mut said)).await;
        let ending = process.ending(tokio::time::Instant::now()).await;
        process.read_stderr().await;
        let complaint = process.stderr();
        drop(stdin);
        let _ = process.kill().await;
        if read.is_err() {
            return Err(Obstacle::new("the probe did not end", "see whether the machine is overloaded"));
        }
        match ending {
            Some(Ending::NotStarted(reason)) => Err(Obstacle::new(
                format!("the program {} cannot be run inside: {reason}", leyden.display()),
                "put it where every user may read and run it",
            )),
            Some(Ending::NoSandbox(reason)) => Err(explain(&reason, &complaint)),
            _ => Ok(said),
        }
    }

    /// What the system's refusals mean, and what can be done.
    fn explain(reason: &str, complaint: &str) -> Obstacle {
        let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().trim();
        let what = if reason.is_empty() { last } else { reason };
        let any = |parts: &[&str]| parts.iter().any(|part| what.contains(part));
        if any(&["Unknown option"]) {
            return Obstacle::new(
                format!("bubblewrap is too old ({what})"),
                "install bubblewrap 0.8 or newer",
            );
        }
        if any(&["mount proc"]) {
            return Obstacle::new(
                format!(
                    "parts of /proc are masked, as containers do, so that none can be made anew ({what})"
                ),
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
        let what = if what.is_empty() { "it ended without a word" } else { what };
        Obstacle::new(
            format!("it could not be made: {what}"),
            "see the message; leyden doctor shows all levels",
        )
    }

    /// What the probe aims at, laid out for it. Dropping it removes everything.
    struct Bait {
        targets: Targets,
        own: TempDir,
        _open: (TcpListener, UdpSocket, UnixListener),
        _places: Vec<TempDir>,
    }

    impl Bait {
        fn lay(sandbox: &Sandbox) -> io::Result<Self> {
            let own = open_folder(&std::env::temp_dir())?;
            let mut places = Vec::new();
            let mut secrets = Vec::new();
            for place in [std::env::temp_dir(), "/var/tmp".into()] {
                let Ok(folder) = open_folder(&place) else { continue };
                let secret = folder.path().join("secret");
                fs::write(&secret, "not for bots")?;
                fs::set_permissions(&secret, fs::Permissions::from_mode(0o666))?;
                secrets.push(secret);
                places.push(folder);
            }
            let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
            let abstract_name =
                format!("leyden-preflight-{}-{}", std::process::id(), tcp.local_addr()?.port());
            let local = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&abstract_name)?)?;
            let targets = Targets {
                arena: std::process::id(),
                tcp: tcp.local_addr()?.port(),
                udp: udp.local_addr()?.port(),
                abstract_name,
                tasks: if counts_tasks(sandbox.level) { sandbox.limits.tasks } else { 0 },
                memory: sandbox.limits.memory,
                secrets,
            };
            Ok(Self { targets, own, _open: (tcp, udp, local), _places: places })
        }
    }

    /// A new folder that anybody may read and write.
    fn open_folder(place: &Path) -> io::Result<TempDir> {
        let folder = tempfile::tempdir_in(place)?;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777))?;
        Ok(folder)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn refusals_of_the_system_are_explained() {
            for (reason, complaint, says) in [
                ("", "bwrap: Unknown option --disable-userns\n", "too old"),
                ("", "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "masked"),
                ("", "bwrap: No permissions to create new namespace, likely because", "no namespaces"),
                ("", "bwrap: setting up uid map: Permission denied", "no namespaces"),
                ("Landlock: not there", "other", "Landlock: not there"),
                ("", "", "without a word"),
            ] {
                let obstacle = explain(reason, complaint);
                assert!(obstacle.reason.contains(says) && !obstacle.remedy.is_empty(), "{obstacle:?}");
            }
        }
    }
}
