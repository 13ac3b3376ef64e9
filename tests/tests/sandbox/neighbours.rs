//! A command line sees the files next to those that it names, except private ones; and a bot that fails for lack of a file or
//! a connection learns that the sandbox is the cause.

use std::fs;
use std::process::Output;

use leyden_host::sandbox::SandboxLevel;
use leyden_tests::program;

use crate::field::{ArenaUser, AttackTargets};

/// Limits that no bot reaches, however busy the machine is.
const GENEROUS: [&str; 4] = ["--turn", "100s", "--startup", "100s"];

/// A bot in two files, with a third that it reads.
const BOT: &str = r#"
import json, sys
from moves import choose
opening = open("opening.txt").read()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": "1.0", "name": opening.strip()}), flush=True)
    elif message["type"] == "turn":
        print(json.dumps({"type": "action", "id": message["id"], "action": choose(message)}), flush=True)
"#;

fn write_bot(field: &AttackTargets, folder: &str) {
    fs::create_dir_all(field.path(folder)).expect("a folder");
    for (name, text) in [
        ("two.py", BOT),
        ("moves.py", "def choose(message): return message['legal'][0]\n"),
        ("opening.txt", "low\n"),
    ] {
        fs::write(field.path(folder).join(name), text).expect("a file");
    }
}

/// Lets a command line that names `two.py` play in this folder against this opponent, with its results in `results`.
fn play(
    who: ArenaUser,
    field: &AttackTargets,
    folder: &str,
    level: SandboxLevel,
    opponent: &str,
    results: &str,
    more: &[&str],
) -> Output {
    let mut command = who.command(&program("leyden"));
    command.args(["match", "python3 two.py", opponent, "--sandbox", level.name(), "--results", results]);
    command.args(GENEROUS).args(["--target", "20", "--seed", "x"]).args(more);
    command.current_dir(field.path(folder)).output().expect("the arena runs")
}

#[test]
fn module_and_file_beside_the_script_are_visible() {
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            let field = AttackTargets::new();
            write_bot(&field, "mine");
            let output = play(who, &field, "mine", level, "builtin:random", &field.text("r.db"), &[]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && !said.contains(" lost "), "{who:?} at {level}: {said}");
        }
    }
}

#[test]
fn files_beside_the_script_are_visible_unless_private() {
    // A bot that can read it, or what belongs to it, in any way, does not get ready.
    const SPY: &str = "
import os, sys
def look(folder):
    for name in os.listdir(folder):
        if 'moves.py' == name: sys.found = True
        if name.startswith('r.db') or name == 'link':
            for how in (os.O_RDONLY, os.O_RDWR, os.O_PATH):
                try: file = os.open(os.path.join(folder, name), how)
                except OSError: continue
                try: text = os.read(file, 1) if how != os.O_PATH else open('/proc/self/fd/%d' % file, 'rb').read(1)
                except OSError: continue
                sys.exit('it reads ' + name)
for folder in (os.getcwd(), '.', os.path.dirname(os.path.abspath(__file__))):
    try: look(folder)
    except OSError: pass
if not getattr(sys, 'found', False): sys.exit('it lists nothing')
for name in ('r.db', 'r.db-wal', 'r.db-shm', 'r.db-lock', 'link', 'twin', 'old.json', 'below/old.json'):
    try: text = open(name, 'rb').read(1)
    except OSError: continue
    sys.exit('it reads ' + name)
if not os.path.exists('below/notes'): sys.exit('it sees nothing below')
";
    // Earlier output there belongs to other runs, and may reveal the seed of this one.
    const DOCUMENT: &str = "{\n  \"v\": 1,\n  \"tournament\": \"0a\",\n  \"seed\": \"x\"\n}\n";
    for who in ArenaUser::everybody() {
        for level in who.levels().into_iter().filter(|level| *level != SandboxLevel::None) {
            let field = AttackTargets::new();
            write_bot(&field, "home");
            let moves = "def choose(message): return message['legal'][0]\n";
            fs::write(field.path("home/moves.py"), format!("{SPY}\n{moves}")).expect("a file");
            std::os::unix::fs::symlink("r.db", field.path("home/link")).expect("a link");
            fs::create_dir_all(field.path("home/below")).expect("a folder");
            for (name, text) in [("old.json", DOCUMENT), ("below/old.json", DOCUMENT), ("below/notes", "")] {
                fs::write(field.path("home").join(name), text).expect("a file");
            }
            for run in ["first", "second"] {
                let more: &[&str] = if run == "second" { &["--resume", "--blocks", "2"] } else { &[] };
                let output = play(who, &field, "home", level, "builtin:random", "r.db", more);
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                let fine =
                    output.status.success() && !said.contains(" lost ") && !said.contains("sees no files");
                assert!(fine, "{who:?} at {level}, {run}: {said}");
            }
            // The same if this run's results are elsewhere.
            let output = play(who, &field, "home", level, "builtin:random", &field.text("r.db"), &[]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && !said.contains(" lost "), "{who:?} at {level}: {said}");
        }
    }
}

#[test]
fn folder_with_another_bot_is_hidden_and_explained() {
    for who in ArenaUser::everybody() {
        for level in who.levels().into_iter().filter(|level| *level != SandboxLevel::None) {
            let field = AttackTargets::new();
            write_bot(&field, "home");
            fs::write(field.path("home/rival.py"), BOT).expect("a file");
            let output = play(who, &field, "home", level, "python3 rival.py", "r.db", &[]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{who:?} at {level}: {said}");
            assert!(
                said.contains("sees no files in ")
                    && said.contains("except those that it names: ")
                    && said.contains("that folder also contains the bot ")
                    && said.contains("no bot sees another's files"),
                "{who:?} at {level}: {said}"
            );
            // It fails in the interpreter's words; the arena says why, and names no command that would show it otherwise.
            assert!(said.contains("No module named 'moves'"), "{who:?} at {level}: {said}");
            assert!(said.contains("and nothing else in "), "{who:?} at {level}: {said}");
            assert!(said.contains("a folder of its own"), "{who:?} at {level}: {said}");
            assert!(!said.contains("leyden check"), "{who:?} at {level}: {said}");

            // The named command runs it as in the match, and so shows the cause; the remedy is to move it.
            let leyden = |words: &[&str]| {
                let mut command = who.command(&program("leyden"));
                let output =
                    command.args(words).current_dir(field.path("home")).output().expect("the arena runs");
                (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
            };
            let mut shown = said.lines().filter_map(|line| line.trim().strip_prefix("see it: leyden "));
            let shown = shown.find(|shown| shown.contains("two.py")).expect(&said);
            let id = shown.split(' ').nth(2).expect(shown);
            assert_eq!(shown, format!("rerun r.db {id} 'python3 two.py' --seat 0"), "{who:?} at {level}");
            let rerun = ["rerun", "r.db", id, "python3 two.py", "--seat", "0"];
            let (code, printed) = leyden(&rerun);
            assert!(
                code == Some(1) && printed.contains("No module named 'moves'"),
                "{who:?} at {level}: {printed}"
            );
            assert!(
                printed.contains("fails at its start as python3 two.py"),
                "{who:?} at {level}: {printed}"
            );
            let (code, printed) = leyden(&[&rerun[..], &["--sandbox", "none"]].concat());
            assert!(
                code == Some(1) && printed.contains("not known to be fixed"),
                "{who:?} at {level}: {printed}"
            );
            assert!(
                printed.contains(&format!("played at the sandbox level {level}, this at none")),
                "{printed}"
            );
            let (code, printed) = leyden(&["replay", "r.db"]);
            assert!(
                code == Some(0) && printed.contains("saw it: leyden rerun r.db "),
                "{who:?} at {level}: {printed}"
            );
            let check = ["check", "python3 two.py", "--sandbox", level.name()];
            let (code, printed) = leyden(&[&check[..], &GENEROUS].concat());
            assert!(
                code == Some(0) && printed.contains("in a match against another bot from there"),
                "{printed}"
            );

            // An export does not say where the other one was, nor at which level.
            let (_, export) = leyden(&["export", "r.db"]);
            fs::write(field.path("home/r.jsonl"), export).expect("a file");
            fs::remove_file(field.path("home/rival.py")).expect("a file less");
            let (code, printed) = leyden(&["rerun", "r.jsonl", id, "python3 two.py", "--seat", "0"]);
            assert!(
                code == Some(1) && printed.contains("an export does not contain the sandbox level"),
                "{printed}"
            );
            let (code, printed) = leyden(&rerun);
            assert!(
                code == Some(1) && printed.contains("the folder of python3 rival.py is not known"),
                "{printed}"
            );
            fs::create_dir(field.path("home/own")).expect("a folder");
            let beside = "open(__file__.replace('two.py', 'opening.txt'))";
            let bot = BOT.replace("open(\"opening.txt\")", beside);
            fs::write(field.path("home/own/two.py"), bot).expect("a file");
            for file in ["moves.py", "opening.txt"] {
                fs::copy(field.path("home").join(file), field.path("home/own").join(file)).expect("a copy");
            }
            fs::write(field.path("home/rival.py"), BOT).expect("a file");
            let (code, printed) = leyden(&["rerun", "r.db", id, "python3 own/two.py", "--seat", "0"]);
            assert!(code == Some(0) && printed.contains("no longer fails at the start"), "{printed}");
        }
    }
}

#[test]
fn blocked_file_or_connection_is_explained() {
    let outside = |field: &AttackTargets| {
        let notes = field.text("home/notes");
        [
            (format!("open({notes:?})"), "is not part of that".to_owned()),
            (
                format!("__import__('socket').create_connection(('127.0.0.1', {}), 5)", field.tcp),
                "no network, not even to this machine".to_owned(),
            ),
        ]
    };
    for who in ArenaUser::everybody() {
        // Below `jail` a refusal has other words, or the port may exist.
        for level in who.levels().into_iter().filter(|level| level.has_namespaces()) {
            let field = AttackTargets::new();
            for (number, (what, says)) in outside(&field).into_iter().enumerate() {
                fs::create_dir_all(field.path("mine")).expect("a folder");
                let bot = format!("import sys\nsys.stdin.readline()\n{what}\n");
                fs::write(field.path("mine/two.py"), bot).expect("a file");
                let results = field.text(&format!("{number}.db"));
                let output = play(who, &field, "mine", level, "builtin:random", &results, &[]);
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(
                    output.status.success() && said.contains(&says),
                    "{who:?} at {level}: {what}: {said}"
                );
                // Failures before the first deal are visible, too, and later commands on the file say the same.
                let leyden = |words: &[&str]| {
                    let mut command = who.command(&program("leyden"));
                    let output = command.args(words).current_dir(field.path("mine")).output();
                    String::from_utf8_lossy(&output.expect("the arena runs").stdout).into_owned()
                };
                let shown = said.lines().find_map(|line| line.trim().strip_prefix("see it: leyden "));
                assert_eq!(shown, Some("check 'python3 two.py' --only start"));
                let check = ["check", "python3 two.py", "--only", "start", "--sandbox", level.name()];
                let seen = leyden(&[&check[..], &GENEROUS].concat());
                assert!(seen.contains("FAIL") && seen.contains(&says), "{seen}");
                let standings = leyden(&["standings", &results]);
                assert!(standings.contains(&says), "{standings}");
            }
        }
    }
}
