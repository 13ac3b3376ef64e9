//! Behaviour at a terminal: Ctrl-C, Ctrl-Z and `fg`, a terminal that goes away, a closed standard output.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use leyden_tests::arena::{Arena, Running, SOON};
use leyden_tests::marks;
use leyden_tests::patience::Patience;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::Value;

use crate::table::{GENEROUS, PATIENCE, against_honest, fake, honest_match, leyden};

const AT_TERMINAL: &str = env!("CARGO_BIN_EXE_at-terminal");

/// The width of a terminal, which no line of progress fits in.
const COLUMNS: u16 = 20;

/// A program at its own terminal.
struct AtTerminal {
    keys: File,
    shown: Arc<Mutex<Vec<u8>>>,
    running: Running,
}

impl AtTerminal {
    /// Runs the arena at a terminal and continues it `pause` after it is stopped.
    fn start(pause: Duration, arguments: &[&str]) -> Self {
        let leyden = leyden();
        let (keys, running) = at_terminal(pause, &[&[leyden.to_str().unwrap()], arguments].concat());
        let (mut screen, shown) = (keys.try_clone().unwrap(), Arc::new(Mutex::new(Vec::new())));
        let copy = Arc::clone(&shown);
        thread::spawn(move || {
            let mut chunk = [0; 4_096];
            // The terminal's other end gives an error once nobody holds it any more.
            while let Ok(count @ 1..) = screen.read(&mut chunk) {
                copy.lock().unwrap().extend(&chunk[..count]);
            }
        });
        Self { keys, shown, running }
    }

    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned()
    }

    fn wait_for(&self, text: &str) {
        let mut patience = Patience::new(PATIENCE);
        while !self.screen().contains(text) {
            assert!(patience.waits(), "no {text:?} on the screen: {}", self.screen());
        }
    }

    fn press(&mut self, key: u8) {
        self.keys.write_all(&[key]).unwrap();
    }

    /// Waits for the end and returns what was shown. Asserts that no process is left.
    fn finish(self) -> String {
        let shown = Arc::clone(&self.shown);
        let ran = self.running.finish(PATIENCE);
        assert!(ran.left.is_ok(), "left: {:?}", ran.left);
        let text = String::from_utf8_lossy(&shown.lock().unwrap()).into_owned();
        assert!(!text.contains("panicked"), "{text}");
        text
    }
}

/// Runs a program at its own terminal, and returns the terminal's other end.
fn at_terminal(pause: Duration, words: &[&str]) -> (File, Running) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    tcsetwinsize(&ours, Winsize { ws_row: 24, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let theirs = ptsname(&ours, Vec::new()).unwrap();
    let pause = pause.as_millis().to_string();
    let mut shell = Arena::new(AT_TERMINAL.as_ref(), &[&[theirs.to_str().unwrap(), &*pause], words].concat());
    shell.command().stdout(Stdio::null()).stderr(Stdio::inherit());
    (File::from(ours), shell.start_as_is())
}

/// The outcome of a run whose terminal goes away in the middle: its exit code, and how many matches are stored complete. The
/// shell around it reacts to the hang-up with `at_hangup`.
fn without_its_terminal(at_hangup: &str) -> (String, u64) {
    let script = format!("trap {at_hangup} HUP; \"$@\"; echo $? >code.new; mv code.new code");
    let bot = fake("--daemon-at-hello --wait-at-every-turn --delay 5");
    let (leyden, options) = (leyden(), [GENEROUS, &["--blocks", "300"]].concat());
    let shell = ["sh", "-c", &script, "sh", leyden.to_str().unwrap()];
    let (mut screen, mut running) =
        at_terminal(Duration::ZERO, &[&shell[..], &honest_match(&bot, &options)].concat());
    let mut shown = Vec::new();
    while !String::from_utf8_lossy(&shown).contains("\"event\":\"match\"") {
        let mut some = [0; 4_096];
        let count = screen.read(&mut some).expect("the terminal is there");
        shown.extend(&some[..count]);
    }
    drop(screen);
    let folder = running.folder.path().to_owned();
    let mut patience = Patience::new(PATIENCE);
    while !folder.join("code").exists() {
        assert!(patience.waits(), "it goes on: {:?}", marks::alive(&running.mark));
    }
    let _ = running.child.wait();
    let left = marks::wait_for_none(&running.mark, SOON);
    assert!(left.is_ok(), "left: {left:?}");
    let printed = |words: &[&str]| {
        let output = Command::new(&leyden).args(words).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    printed(&["verify", "r.db"]);
    let standings: Value = serde_json::from_slice(&printed(&["standings", "r.db", "--json"])).unwrap();
    let code = std::fs::read_to_string(folder.join("code")).unwrap();
    (code.trim().to_owned(), standings["matches"]["played"].as_u64().unwrap())
}

#[test]
fn terminal_that_goes_away_interrupts_a_run() {
    let (code, stored) = without_its_terminal(":");
    // The code of what comes first: the hang-up, or an event that cannot be written any more.
    assert!(["130", "5"].contains(&&*code), "{code}");
    assert!(stored >= 1);
}

/// Even if the hang-up is ignored, as under `nohup`, there is no one to write to.
#[test]
fn terminal_that_goes_away_is_no_defect() {
    let (code, stored) = without_its_terminal("''");
    assert_eq!(code, "5");
    assert!(stored >= 1);
}

/// The progress line takes one row, and gives way to a message. The bot fails slowly, so that a line is there by then.
#[test]
fn messages_overwrite_the_progress_line() {
    let bot = "sh -c 'sleep 0.4; exit 3'";
    let options =
        ["--startup", "60s", "--sandbox", "none", "--jobs", "1", "--blocks", "9", "--results", "r.db"];
    let words = [&["match", bot, "builtin:random"][..], &options].concat();
    let terminal = AtTerminal::start(Duration::ZERO, &words);
    terminal.wait_for("is no longer");
    terminal.wait_for("[code ");
    let shown = terminal.finish();
    let (overwritten, _) = shown.rsplit_once("\r\x1b[K").expect("there was a progress line");
    for line in overwritten.split("\r\x1b[K").filter_map(|until| until.lines().last()) {
        assert_eq!(line.chars().count(), usize::from(COLUMNS), "{line:?} in {shown:?}");
    }
    let message = shown.lines().find(|line| line.contains("is no longer")).unwrap();
    let visible = message.rsplit("\r\x1b[K").next().unwrap();
    assert!(visible.starts_with("sh -c "), "{message:?}");
}

#[test]
fn ctrl_c_reaches_only_the_arena() {
    // A bot that received the signal would end, and its fault would be recorded.
    let bot = fake("--wait-at-every-turn --delay 40");
    let options = [GENEROUS, &["--blocks", "500"]].concat();
    let mut terminal = AtTerminal::start(Duration::ZERO, &honest_match(&bot, &options));
    terminal.wait_for("\"event\":\"match\"");
    terminal.press(3);
    terminal.wait_for("[code 130]");
    let shown = terminal.finish();
    assert!(!shown.contains("\"code\":\"exited\""), "{shown}");
    assert!(shown.contains("--resume"), "{shown}");
}

#[test]
fn ctrl_z_and_fg_cost_no_match() {
    // Each bot has 20 s; the arena is stopped for 25 s in the middle of a decision that takes 10 s.
    let bot = fake("--wait-at-turn 2 --delay 10000");
    let options = ["--turn", "20s", "--startup", "60s", "--target", "30"];
    let mut terminal = AtTerminal::start(Duration::from_secs(25), &honest_match(&bot, &options));
    terminal.wait_for("\"event\":\"start\"");
    thread::sleep(Duration::from_secs(2)); // by then it decides; otherwise the test shows less
    terminal.press(26);
    terminal.wait_for("[stopped]");
    terminal.wait_for("[continued]");
    terminal.wait_for("[code 0]");
    let shown = terminal.finish();
    assert_eq!(shown.matches("\"event\":\"match\"").count(), 2, "{shown}");
    assert!(!shown.contains("\"code\":\"timeout\""), "{shown}");
}

#[test]
fn closed_standard_output_ends_cleanly() {
    let bot = fake("--daemon-at-hello");
    let options = [GENEROUS, &["--blocks", "300"]].concat();
    let mut arena = against_honest(&bot, &options);
    arena.command().stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = arena.start_as_is();
    let mut output = running.child.stdout.take().unwrap();
    let mut messages = running.child.stderr.take().unwrap();
    let messages = thread::spawn(move || {
        let mut text = String::new();
        messages.read_to_string(&mut text).map(|_| text).unwrap_or_default()
    });
    let mut first = [0; 100];
    output.read_exact(&mut first).unwrap();
    drop(output);
    let mark = running.mark.clone();
    running.finish(PATIENCE);
    assert!(marks::wait_for_none(&mark, SOON).is_ok());
    let said = messages.join().unwrap();
    assert!(!said.contains("panicked") && !said.contains("Broken pipe"), "{said}");
}
