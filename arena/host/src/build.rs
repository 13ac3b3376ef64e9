//! Builds a bot in the sandbox in which it will play, plus a folder to write to and the organiser's tools.
//!
//! A build is a process behind a supervisor, as a bot is. When it ends or is ended, none of its processes are left.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout};

use crate::command::BotCommand;
use crate::control::ExitStatus;
use crate::limits::ResourceLimits;
use crate::pipes::{BotInput, BotOutput};
use crate::process::{BotProcess, Launcher};
use crate::sandbox::spec::BuildRights;
use crate::sandbox::{Sandbox, SandboxLevel};
use crate::start_error::StartError;
use crate::stderr::StderrExcerpt;
use crate::toolchains::Toolchains;

/// The most bytes that a build may write to its folder in all.
const MOST_BYTES: u64 = 2 << 30;

/// The longest file it may write, in bytes.
const LONGEST_FILE: u64 = 1 << 30;

/// The most files and folders it may create.
const MOST_FILES: u64 = 200_000;

/// The most bytes of output it may produce.
const MOST_PRINTED: u64 = 64 << 20;

/// The most processes and threads it may have, and descriptors per process.
const TASKS: u64 = 512;
const DESCRIPTORS: u64 = 1_024;

/// How often its folder is checked against the limits.
const LOOK: Duration = Duration::from_millis(500);

/// How long to wait for the rest of its output once it is dead.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What shells and systems say if a tool cannot be used.
const NOT_THERE: [&str; 4] =
    ["ermission denied", "not found", "No such file or directory", "no such file or directory"];

/// The resources that a build may use. Serialised under names that also say whose they are, beside those of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildLimits {
    /// Bytes of memory: for each process, and at level `full` for all processes together. At level `none` shared memory
    /// is not counted, and root may raise the limit again.
    #[serde(rename = "build_memory")]
    pub memory: u64,
    /// Until it has ended.
    #[serde(rename = "build_ms")]
    pub time_ms: u64,
    /// Whether it may use the network. At level `none` it always can.
    #[serde(rename = "build_network")]
    pub network: bool,
}

impl Default for BuildLimits {
    fn default() -> Self {
        Self { memory: 2 << 30, time_ms: 300_000, network: false }
    }
}

/// A bot to be built.
#[derive(Clone, Copy)]
pub struct Build<'a> {
    /// Its build command, with the full path of the program.
    pub command: &'a BotCommand,
    /// The folder that it may write to, with the bot's own folder in it. Must belong to [`user_of_builds`] if that is
    /// `Some`.
    pub folder: &'a Path,
    /// Its home and temporary folder, within that folder.
    pub home: &'a Path,
    pub limits: BuildLimits,
    /// Returns true once the build is no longer needed; called repeatedly.
    pub stopped: &'a dyn Fn() -> bool,
}

/// Why nothing was built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// With the build's output.
    #[error("{how}")]
    Failed { how: String, printed: String },
    #[error("it did not finish within {limit:?} (--build-time)")]
    Timeout { limit: Duration, printed: String },
    #[error("it has written more than {} GiB, or more than {MOST_FILES} files, or has closed a folder or nested folders too deep", MOST_BYTES >> 30)]
    TooMuch,
    #[error("one of its processes had more than {} MiB of memory (--build-memory)", limit >> 20)]
    Memory { limit: u64, printed: String },
    #[error("it printed more than {} MiB", MOST_PRINTED >> 20)]
    Talkative { printed: String },
    /// The organiser interrupted it.
    #[error("it was interrupted")]
    Stopped,
    /// Never the bot's fault.
    #[error("the host failed: {0}")]
    Host(String),
}

/// Returns the user that a build runs as if root runs the arena; `None` otherwise.
pub fn user_of_builds(level: SandboxLevel) -> Option<u32> {
    #[cfg(target_os = "linux")]
    return level.is_confined().then(crate::sandbox::user_of_builds).flatten();
    #[cfg(not(target_os = "linux"))]
    return {
        let _ = level;
        None
    };
}

impl Launcher {
    /// Builds a bot, and leaves no process behind. Blocks until then; must not be called within a runtime.
    pub fn build(&self, build: Build<'_>) -> Result<(), BuildError> {
        let host = |error: io::Error| BuildError::Host(error.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
        runtime.map_err(host)?.block_on(self.run(build))
    }

    async fn run(&self, build: Build<'_>) -> Result<(), BuildError> {
        let failed = |how: String, printed: String| {
            let misses_something =
                NOT_THERE.iter().any(|words| how.contains(words) || printed.contains(words));
            let why = if misses_something { self.out_of_reach() } else { String::new() };
            BuildError::Failed { how: how + &why, printed }
        };
        let (mut process, stdout, stdin) = self.start_build(build).map_err(|error| match error {
            StartError::Bot(how) => failed(how, String::new()),
            StartError::Host(why) => BuildError::Host(why),
        })?;
        drop(stdin);
        let printed = StderrExcerpt::default();
        let reading = tokio::spawn(printed.clone().read_all(stdout));
        let end = watch(&mut process, &printed, build).await;
        process.read_stderr().await;
        let complaints = process.stderr();
        process.kill().await.map_err(|error| BuildError::Host(error.to_string()))?;
        let _ = timeout(LAST_WORDS, reading).await;
        let printed = printed.text() + &complaints;
        match end {
            End::Status(ExitStatus::Code(0)) => Ok(()),
            End::Status(ExitStatus::Code(code)) => Err(failed(format!("exit status: {code}"), printed)),
            End::Status(ExitStatus::Signal(signal)) => {
                Err(failed(format!("killed by signal {signal}"), printed))
            }
            End::Status(ExitStatus::NotStarted(how)) => Err(failed(how, printed)),
            End::Status(ExitStatus::HostFailed(why)) => Err(BuildError::Host(format!("{why} {printed}"))),
            End::Timeout => {
                Err(BuildError::Timeout { limit: Duration::from_millis(build.limits.time_ms), printed })
            }
            End::TooMuch => Err(BuildError::TooMuch),
            End::Memory => Err(BuildError::Memory { limit: build.limits.memory, printed }),
            End::Talkative => Err(BuildError::Talkative { printed }),
            End::Stopped => Err(BuildError::Stopped),
        }
    }

    /// Returns why a build may lack the organiser's tools, if it may: a build that root starts runs as another user.
    fn out_of_reach(&self) -> String {
        let level = self.level();
        let toolchains = Toolchains::for_organiser();
        let closed = user_of_builds(level).and_then(|_| toolchains.closed(level.has_namespaces()));
        let Some((tools, folder)) = closed else { return String::new() };
        format!(
            "; a build that root starts runs as a user of its own, which cannot use {} because only the owner can enter {}: \
             install the tools for all users, open it (chmod o+x), or run the arena as an ordinary user{}",
            tools.display(),
            folder.display(),
            if level.has_namespaces() { "" } else { " or with --sandbox jail" }
        )
    }

    fn start_build(&self, build: Build<'_>) -> Result<(BotProcess, BotOutput, BotInput), StartError> {
        let BuildLimits { memory, network, .. } = build.limits;
        let toolchains = Toolchains::for_organiser();
        let mut command = build.command.clone();
        command.check().map_err(StartError::Bot)?;
        command.reads.extend(toolchains.reads);
        command.network = network;
        let before = self.sandbox();
        let limits = ResourceLimits {
            memory,
            tasks: before.limits.tasks.max(TASKS),
            descriptors: DESCRIPTORS,
            scratch: LONGEST_FILE,
        };
        let (mut spec, cgroup) = Sandbox { limits, ..before.clone() }
            .launch_spec(&command)
            .map_err(|error| StartError::host("no temporary folder for a build", &error))?;
        spec.limits = limits;
        spec.user = user_of_builds(spec.level);
        let folder = build.folder.to_owned();
        let home = |name: &str| (name.to_owned(), OsString::from(build.home));
        let mut environment = toolchains.environment;
        environment.extend([home("HOME"), home("TMPDIR"), ("LANG".to_owned(), "C.UTF-8".into())]);
        spec.workshop = Some(BuildRights { folder, environment });
        self.start_as(&command, spec, cgroup)
    }
}

/// How a build ended.
enum End {
    Status(ExitStatus),
    Timeout,
    TooMuch,
    Memory,
    Talkative,
    Stopped,
}

/// Waits for its end, and enforces its limits until then.
async fn watch(process: &mut BotProcess, printed: &StderrExcerpt, build: Build<'_>) -> End {
    let deadline = Instant::now() + Duration::from_millis(build.limits.time_ms);
    loop {
        let ended = timeout(LOOK, process.ended()).await;
        if is_too_much(build.folder, MOST_FILES) {
            return End::TooMuch;
        }
        if process.memory_beyond_limit().is_some() {
            return End::Memory;
        }
        if printed.bytes() + process.stderr_bytes() > MOST_PRINTED {
            return End::Talkative;
        }
        match ended {
            _ if (build.stopped)() => return End::Stopped,
            Ok(status) => return End::Status(status),
            Err(_) if Instant::now() >= deadline => return End::Timeout,
            Err(_) => {}
        }
    }
}

/// Whether a folder holds more than a build may write, or more than this many files, or what cannot be counted. Changes during the
/// check may be missed, and so are files that are open and have no name any more.
fn is_too_much(folder: &Path, most_files: u64) -> bool {
    use io::ErrorKind::{InvalidFilename, PermissionDenied};
    let (mut bytes, mut files) = (0, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let inside = match fs::read_dir(folder) {
            Ok(inside) => inside,
            Err(error) if matches!(error.kind(), PermissionDenied | InvalidFilename) => return true,
            Err(_) => continue, // it has gone, or the machine lacks something
        };
        for entry in inside.flatten() {
            files += 1;
            let Ok(meta) = entry.metadata() else { continue };
            bytes += std::os::unix::fs::MetadataExt::blocks(&meta) * 512;
            if bytes > MOST_BYTES || files > most_files {
                return true;
            }
            if meta.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit itself would take a minute to reach.
    #[test]
    fn build_is_limited_in_number_of_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("x")).unwrap();
        for name in ["x/a", "x/b"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert!(!is_too_much(folder.path(), 3));
        assert!(is_too_much(folder.path(), 2));
        std::os::unix::fs::symlink("x", folder.path().join("link")).unwrap();
        assert!(!is_too_much(folder.path(), 4));
        assert!(!is_too_much(&folder.path().join("gone"), 4));
        assert!(is_too_much(&folder.path().join("n".repeat(300)), 4), "it cannot be counted");
    }
}
