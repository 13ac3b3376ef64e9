//! An arena kills the orphans of its bots, but no other child of its process. The arena is this process, so the tests run one
//! at a time.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use leyden_host::{BotProcess, Launcher, kill_leftovers};
use leyden_tests::arena::program;
use leyden_tests::patience::Patience;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use tokio::io::AsyncReadExt;
use tokio::sync::Mutex;

static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// Leaves a daemon in its own session, without the environment, and prints its supervisor's process id and the daemon's. It
/// tries to remove its mark.
const BOT: &str = "echo $PPID; setsid env -i sh -c '\
    prlimit --pid $$ --locks=unlimited 2>/dev/null; sleep 600 >/dev/null 2>&1 & echo $!'; exec sleep 600";

/// Root may do anything: the bot is an ordinary user.
fn bot() -> leyden_host::BotCommand {
    let words: &[&str] = if rustix::process::geteuid().is_root() {
        &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", BOT]
    } else {
        &["sh", "-c", BOT]
    };
    leyden_host::BotCommand {
        program: words[0].into(),
        arguments: words[1..].iter().map(Into::into).collect(),
        folder: None,
        reads: Vec::new(),
        lists: Vec::new(),
        network: false,
    }
}

/// Starts a bot; returns its supervisor and its daemon.
async fn start() -> (BotProcess, Pid, Pid) {
    let launcher = Launcher::new(program(env!("CARGO_BIN_EXE_fake-bot")));
    let (process, mut stdout, _stdin) = launcher.start(&bot()).expect("a bot");
    let mut said = String::new();
    while said.lines().count() < 2 || !said.ends_with('\n') {
        let mut some = [0; 64];
        let count = stdout.read(&mut some).await.expect("a pipe");
        assert!(count > 0, "the bot said only {said:?}; it wrote {:?}", process.stderr());
        said.push_str(std::str::from_utf8(&some[..count]).expect("text"));
    }
    let pids: Vec<Pid> = said.lines().map(|pid| Pid::from_raw(pid.parse().unwrap()).unwrap()).collect();
    (process, pids[0], pids[1])
}

fn is_there(process: Pid) -> bool {
    test_kill_process(process).is_ok()
}

/// Whether the arena kills it. The arena's wait for supervisors is limited; on a very busy machine they need longer.
fn is_killed(process: Pid) -> bool {
    let mut patience = Patience::new(Duration::from_mins(5));
    loop {
        kill_leftovers();
        if !is_there(process) {
            return true;
        }
        if !patience.waits() {
            return false;
        }
    }
}

/// A child of this process that other code has started, and a daemon that it left. Dropping it kills both.
struct Foreign {
    child: Child,
    daemon: Pid,
}

impl Foreign {
    fn start() -> Self {
        let mut child = Command::new("setsid")
            .args(["sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $!; exec sleep 600 >/dev/null"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let mut said = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut said).expect("a number");
        Self { child, daemon: Pid::from_raw(said.trim().parse().expect("a number")).expect("a process") }
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let _ = kill_process(self.daemon, Signal::KILL);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn bot_orphans_are_killed_and_other_children_live() {
    let _alone = ONE_AT_A_TIME.lock().await;
    let (process, supervisor, daemon) = start().await;
    // Earlier children, in the same session and in another one, and one that has ended and was not waited for.
    let mut foreign = Foreign::start();
    let mut plain = Command::new("sleep").arg("600").spawn().expect("a child");
    let mut ended = Command::new("sh").args(["-c", "exit 7"]).spawn().expect("a child");
    // The daemon of a foreign child becomes ours.
    foreign.child.kill().expect("it can be killed");
    foreign.child.wait().expect("it can be waited for");

    assert!(is_there(daemon));
    kill_process(supervisor, Signal::KILL).expect("the supervisor can be killed");
    process.kill().await.expect("it can be killed");
    assert!(is_killed(daemon), "the daemon of the bot lives");
    assert!(is_there(foreign.daemon), "a foreign orphan was killed");
    assert!(plain.try_wait().expect("it is ours").is_none(), "a foreign child was killed");
    plain.kill().expect("it can be killed");
    plain.wait().expect("it can be waited for");
    assert_eq!(ended.wait().expect("its status is still there").code(), Some(7));
}

/// Without the arena's kill, the daemon stays: the test above could fail.
#[tokio::test]
async fn without_the_kill_an_orphan_survives() {
    let _alone = ONE_AT_A_TIME.lock().await;
    let (process, supervisor, daemon) = start().await;
    kill_process(supervisor, Signal::KILL).expect("the supervisor can be killed");
    let mut patience = Patience::new(Duration::from_millis(200));
    while patience.waits() {}
    assert!(is_there(daemon));
    process.kill().await.expect("it can be killed");
    assert!(is_killed(daemon));
}

/// A league checks what is handed in while it plays; the end of a run must not take its process away.
#[tokio::test]
async fn held_supervisor_is_left_to_its_holder() {
    let _alone = ONE_AT_A_TIME.lock().await;
    let (process, supervisor, daemon) = start().await;
    kill_process(supervisor, Signal::KILL).expect("it can be killed");
    assert!(is_killed(daemon), "an orphan of a bot");
    process.kill().await.expect("it is still there to be waited for");
}
