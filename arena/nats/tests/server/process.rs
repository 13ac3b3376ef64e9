//! A NATS server for one test: a real process on a free port, with its own store, which can be killed, frozen and cut off.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(15);

pub(crate) struct NatsServer {
    folder: TempDir,
    port: u16,
    child: Option<Child>,
    disk: Option<SmallDisk>,
}

/// A disk of a few megabytes below a server's store, visible only to this process and the server.
struct SmallDisk {
    holder: Child,
    store: PathBuf,
}

impl SmallDisk {
    /// `None` where it cannot be mounted.
    fn make(store: &Path) -> Option<Self> {
        fs::create_dir_all(store).unwrap();
        let script = "mount -t tmpfs -o size=4m none \"$0\" && echo made && exec sleep 100000";
        let mut unshare = Command::new("unshare");
        unshare.args(["--mount", "sh", "-c", script]).arg(store).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut holder = unshare.spawn().ok()?;
        let mut said = String::new();
        let read = BufReader::new(holder.stdout.take().unwrap()).read_line(&mut said);
        let disk = Self { holder, store: store.to_owned() };
        (read.is_ok() && said == "made\n").then_some(disk)
    }

    fn filler(&self) -> PathBuf {
        let below = self.store.strip_prefix("/").unwrap();
        Path::new("/proc").join(self.holder.id().to_string()).join("root").join(below).join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.holder.kill());
        drop(self.holder.wait());
    }
}

/// Where `tests/run` installs the server.
pub(crate) fn program() -> PathBuf {
    if let Some(program) = std::env::var_os("LEYDEN_NATS_SERVER") {
        return program.into();
    }
    let own = env!("CARGO_MANIFEST_DIR");
    let root = Path::new(own).ancestors().find(|folder| folder.join("tests/nats-server.txt").is_file());
    let program = root.expect("the root of the repository").join("target/nats-server/bin/nats-server");
    assert!(
        program.is_file(),
        "{} is missing: tests/run installs it, or name another one in LEYDEN_NATS_SERVER",
        program.display()
    );
    program
}

impl NatsServer {
    /// A server that lets everybody in.
    pub(crate) fn start() -> Self {
        Self::with("")
    }

    /// A server with additional configuration.
    pub(crate) fn with(configuration: &str) -> Self {
        Self::stored(configuration, "max_file_store: 1GB")
    }

    /// A server with additional configuration of its store.
    pub(crate) fn stored(configuration: &str, store: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder, port: 0, child: None, disk: None }.configured(configuration, store)
    }

    /// A server whose store is on a disk of four megabytes; `None` where it cannot be mounted.
    pub(crate) fn on_a_small_disk() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let disk = Some(SmallDisk::make(&folder.path().join("store"))?);
        Some(Self { folder, port: 0, child: None, disk }.configured("", "max_file_store: 1GB"))
    }

    fn configured(self, configuration: &str, store: &str) -> Self {
        let mut server = self;
        let store_folder = server.folder.path().join("store");
        let text = format!(
            "jetstream {{ store_dir: \"{}\", sync_interval: always, {store} }}\n{configuration}\n",
            store_folder.display()
        );
        fs::write(server.folder.path().join("server.conf"), text).unwrap();
        server.run();
        server
    }

    /// Starts the process, on its previous port if it had one, and waits until it listens. While somebody else's
    /// connection has that port, the process ends, and is started again.
    pub(crate) fn run(&mut self) {
        let start = Instant::now();
        loop {
            if self.child.as_mut().is_none_or(|child| child.try_wait().unwrap().is_some()) {
                self.child = Some(self.spawn());
            }
            thread::sleep(Duration::from_millis(10));
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap();
            if let Some(port) = port_in(&log) {
                self.port = port;
                return;
            }
            assert!(start.elapsed() < PATIENCE, "the server does not listen: {log}");
        }
    }

    fn spawn(&self) -> Child {
        let folder = self.folder.path();
        let port = if self.port == 0 { -1 } else { i32::from(self.port) };
        let mut command = match &self.disk {
            None => Command::new(program()),
            Some(disk) => {
                let mut command = Command::new("nsenter");
                command.args(["--mount", "--target", &disk.holder.id().to_string()]).arg(program());
                command
            }
        };
        command
            .arg("-c")
            .arg(folder.join("server.conf"))
            .args(["-a", "127.0.0.1", "-p", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join("log")).unwrap())
            .spawn()
            .unwrap()
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.as_ref().expect("a server that runs").id()
    }

    fn signal(&self, signal: Signal) {
        let child = self.child.as_ref().expect("a server that runs");
        kill_process(Pid::from_child(child), signal).unwrap();
    }

    /// Kills it like `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.child.take().unwrap().wait().unwrap();
    }

    /// Freezes it: nothing gets through any more, but no connection ends.
    pub(crate) fn cut(&self) {
        self.signal(Signal::STOP);
    }

    pub(crate) fn mend(&self) {
        self.signal(Signal::CONT);
    }

    /// Fills the disk: nothing more can be stored.
    pub(crate) fn fill_disk(&self) {
        let mut filler = fs::File::create(self.disk.as_ref().unwrap().filler()).unwrap();
        for size in [1 << 16, 1 << 12, 1] {
            while filler.write_all(&vec![0; size]).is_ok() {}
        }
    }

    pub(crate) fn empty_disk(&self) {
        fs::remove_file(self.disk.as_ref().unwrap().filler()).unwrap();
    }

    /// Removes all that it has stored. Call it only while the server is stopped.
    pub(crate) fn lose_everything(&self) {
        assert!(self.child.is_none());
        fs::remove_dir_all(self.folder.path().join("store")).unwrap();
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// The port in `… Listening for client connections on 127.0.0.1:4222`, once the line is complete.
fn port_in(log: &str) -> Option<u16> {
    let (_, after) = log.split_once("Listening for client connections on 127.0.0.1:")?;
    after.split_once('\n')?.0.parse().ok()
}
