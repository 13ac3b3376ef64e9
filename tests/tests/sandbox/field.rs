//! Where attacks take place: the files and sockets to attack, and the users to attack as.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use leyden_host::sandbox::SandboxLevel;
use leyden_tests::{in_scope, program};
use tempfile::TempDir;

/// An unprivileged user without rights to anything.
const NOBODY: u32 = 65_534;

/// Who runs the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArenaUser {
    /// The user who runs the tests.
    Us,
    /// An ordinary user. Only root can become one.
    Nobody,
}

impl ArenaUser {
    /// Both, if both are available.
    pub(crate) fn everybody() -> Vec<Self> {
        if !Self::Us.is_root() {
            eprintln!("untested: an arena run by root");
            return vec![Self::Us];
        }
        if !Self::Nobody.run(&program("leyden"), &["--version"]).is_some_and(|run| run.status.success()) {
            eprintln!(
                "untested: an arena run by an ordinary user, who may not read the folder of the programs"
            );
            return vec![Self::Us];
        }
        vec![Self::Us, Self::Nobody]
    }

    pub(crate) fn is_root(self) -> bool {
        self == Self::Us && rustix::process::geteuid().is_root()
    }

    /// A program as this user starts it.
    pub(crate) fn command(self, program: &Path) -> Command {
        let user = if self == Self::Nobody { NOBODY } else { rustix::process::geteuid().as_raw() };
        if let Some(command) = in_scope(user, program) {
            return command;
        }
        let mut command = Command::new(program);
        if self == Self::Nobody {
            command.uid(NOBODY).gid(NOBODY).env("HOME", "/nonexistent");
        }
        command
    }

    fn run(self, program: &Path, words: &[&str]) -> Option<Output> {
        self.command(program).args(words).current_dir("/").output().ok()
    }

    /// The levels that this user has on this machine; the others are reported as untested.
    pub(crate) fn levels(self) -> Vec<SandboxLevel> {
        let report = self.run(&program("leyden"), &["doctor"]).expect("leyden doctor");
        let report = String::from_utf8_lossy(&report.stdout).into_owned();
        let has = |level: &SandboxLevel| {
            let line = report.lines().find(|line| line.trim_start().starts_with(level.name()));
            let line = line.unwrap_or_else(|| panic!("{level} is not in {report}"));
            if *level != SandboxLevel::None && !line.ends_with("passed") {
                eprintln!("untested as {self:?}: {}", line.trim());
                return false;
            }
            true
        };
        SandboxLevel::ALL.into_iter().filter(has).collect()
    }

    /// Runs a program as a bot at this level.
    pub(crate) fn in_sandbox(self, level: SandboxLevel, folder: &Path, words: &[&str]) -> Output {
        let mut command = self.command(&program("in-sandbox"));
        command.arg(level.name()).arg(folder).args(words).current_dir("/");
        command.output().expect("in-sandbox runs")
    }
}

/// The targets of attacks. Anybody on the machine may read and write all these files.
pub(crate) struct AttackTargets {
    folder: TempDir,
    _open: (TcpListener, UdpSocket, UnixListener, UnixListener),
    pub(crate) tcp: String,
    pub(crate) udp: String,
    pub(crate) abstract_name: String,
    /// The number of a segment of shared memory that everybody may read.
    pub(crate) segment: i32,
}

impl Drop for AttackTargets {
    fn drop(&mut self) {
        // SAFETY: takes numbers.
        unsafe { libc::shmctl(self.segment, libc::IPC_RMID, std::ptr::null_mut()) };
    }
}

impl AttackTargets {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir_in("/var/tmp").expect("a folder");
        let path = folder.path();
        for name in ["", "own", "opponent"] {
            fs::create_dir_all(path.join(name)).expect("a folder");
            open_to_all(&path.join(name));
        }
        // A folder in which every user may write would be nobody's home.
        fs::create_dir(path.join("home")).expect("a folder");
        fs::set_permissions(path.join("home"), fs::Permissions::from_mode(0o755)).expect("permissions");
        for file in ["own/bot.py", "opponent/bot.py", "home/notes", "results.db"] {
            fs::write(path.join(file), "not for others\n").expect("a file");
            open_to_all(&path.join(file));
        }
        if rustix::process::geteuid().is_root() {
            // An ordinary user's own segment.
            for own in ["home", "home/notes"] {
                std::os::unix::fs::chown(path.join(own), Some(NOBODY), None).expect("an owner");
            }
        }
        // SAFETY: takes numbers.
        let segment = unsafe { libc::shmget(libc::IPC_PRIVATE, 4096, libc::IPC_CREAT | 0o666) };
        assert!(segment >= 0, "a segment of shared memory");
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a listener");
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a socket");
        let port = tcp.local_addr().expect("an address").port();
        let abstract_name = format!("leyden-test-{}-{port}", std::process::id());
        let address = SocketAddr::from_abstract_name(&abstract_name).expect("a name");
        let local = UnixListener::bind_addr(&address).expect("a listener");
        let unix = UnixListener::bind(path.join("socket")).expect("a listener");
        open_to_all(&path.join("socket"));
        Self {
            tcp: port.to_string(),
            udp: udp.local_addr().expect("an address").port().to_string(),
            abstract_name,
            segment,
            _open: (tcp, udp, local, unix),
            folder,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// The file through which a process enters the control group of these tests, if there is a writable one.
    pub(crate) fn processes_of_our_group() -> Option<String> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let mount = mounts.lines().find(|line| line.contains(" - cgroup2 "))?.split(' ').nth(4)?.to_owned();
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let procs = Path::new(&mount).join(own).join("cgroup.procs");
        fs::OpenOptions::new().write(true).open(&procs).ok().map(|_| procs.display().to_string())
    }
}

fn open_to_all(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("permissions");
}

/// Processes whose command line contains a word, with their state; without zombies.
pub(crate) fn processes_with(word: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let has_word = |path: &PathBuf| {
        let line = fs::read(path.join("cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|part| part == word.as_bytes())
    };
    processes.map(|process| process.path()).filter(has_word).map(|path| path.display().to_string()).collect()
}
