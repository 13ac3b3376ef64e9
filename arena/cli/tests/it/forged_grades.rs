//! Submissions that attack their grade: through the seed of the grading, through what they print, through their own folder. Each is
//! compared with a twin that plays in the same way and attacks nothing.
#![allow(clippy::print_stderr, reason = "says what was not tested")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{LIMITS, command, leyden, on_quiet_host, text};
use serde_json::Value;
use tempfile::TempDir;

const RUBRIC: &str = "check = 40\n[[against]]\nbot = \"builtin:random\"\npoints = 60\nnone-at = 0.1\nfull-at = 0.9\nblocks = 4\n";

/// Looks for the seed where it can be found without a sandbox, and plays no match once it is found.
const SEARCH: &str = r#"
import os, sys

def found():
    for pid in range(max(1, os.getpid() - 5_000), os.getpid()):
        try:
            if b"--seed" in open(f"/proc/{pid}/cmdline", "rb").read().split(b"\0"):
                return True
        except OSError:
            pass
    try:
        return "--seed" in open("KIT/autograder.py").read()
    except OSError:
        return False

if found():
    sys.exit(1)
os.execvp("python3", ["python3", "bot.py"])
"#;

/// Prints all that it receives, and ends at its third turn.
const PRINT: &str = r#"
import json, sys

turns = 0
for line in sys.stdin:
    print("SECRET", line, file=sys.stderr, flush=True)
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready", "protocol": "1.0", "name": "printer"}', flush=True)
    if message["type"] == "turn":
        turns += 1
        if turns > 2:
            sys.exit(1)
        answer = {"type": "action", "id": message["id"], "action": message["legal"][0]}
        print(json.dumps(answer), flush=True)
"#;

/// A kit, and a folder to hand in.
struct Course(TempDir);

impl Course {
    fn new() -> Self {
        let course = Self(tempfile::tempdir().unwrap());
        let made = leyden(course.0.path(), &["new", "starter", "--lang", "python", "--kit", "kit"]);
        assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
        fs::write(course.at("kit/classroom50/rubric.toml"), RUBRIC).unwrap();
        course.grade_with(&LIMITS);
        course
    }

    /// Has the autograder grade with these options, too.
    fn grade_with(&self, options: &[&str]) {
        let autograder = self.at("kit/classroom50/autograder.py");
        let script = fs::read_to_string(&autograder).unwrap();
        let with = script.replace("\"--rubric\"", &format!("*{options:?}, \"--rubric\""));
        assert_ne!(with, script);
        fs::write(&autograder, with).unwrap();
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A copy of the starter that is started by this program instead, if one is given.
    fn hand_in(&self, name: &str, program: Option<&str>) -> PathBuf {
        let made = leyden(self.0.path(), &["new", name, "--lang", "python"]);
        assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
        if let Some(program) = program {
            let kit = self.at("kit/classroom50").display().to_string();
            fs::write(self.at(name).join("attack.py"), program.replace("KIT", &kit)).unwrap();
            let manifest = fs::read_to_string(self.at(name).join("bot.toml")).unwrap();
            let attacking = manifest.replace("bot.py", "attack.py");
            assert_ne!(attacking, manifest);
            fs::write(self.at(name).join("bot.toml"), attacking).unwrap();
        }
        self.at(name)
    }

    /// What Classroom 50 is given.
    fn graded(&self, checkout: &Path) -> Value {
        let done = on_quiet_host(|| {
            let mut grader = Command::new("python3");
            grader.arg(self.at("kit/classroom50/autograder.py")).current_dir(checkout).output().unwrap()
        });
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        serde_json::from_str(&fs::read_to_string(checkout.join("result.json")).unwrap()).unwrap()
    }
}

/// Each part, and its points.
fn parts(graded: &Value) -> Vec<(String, u64)> {
    let parts = graded["tests"].as_array().unwrap().iter();
    parts.map(|part| (part["test-name"].to_string(), part["score"].as_u64().unwrap())).collect()
}

/// The points for the matches.
fn points(graded: &Value) -> u64 {
    parts(graded)[1].1
}

#[test]
fn sandboxed_submission_cannot_find_its_grading_seed() {
    let course = Course::new();
    let twin = course.graded(&course.hand_in("twin", None));
    assert!(points(&twin) > 0, "{twin:#}");
    let searching = course.hand_in("searching", Some(SEARCH));
    let levels = text(&leyden(course.0.path(), &["doctor"]).stdout);
    if levels.lines().any(|line| line.trim_start().starts_with("restrict") && line.ends_with("passed")) {
        let graded = course.graded(&searching);
        assert_eq!(parts(&graded), parts(&twin), "{graded:#}");
    } else {
        eprintln!("untested: a grading in a sandbox, which this machine has not");
    }
    // Without a sandbox, it is there to be found.
    course.grade_with(&["--sandbox", "none"]);
    assert_eq!(points(&course.graded(&searching)), 0);
}

/// The deals of the matches are those of everybody's grading; those of the check are the same for everyone.
#[test]
fn submission_output_in_a_match_is_never_shown() {
    let course = Course::new();
    let printing = course.hand_in("printing", Some(PRINT));
    let words = ["grade", ".", "--rubric", "RUBRIC", "--seed", "x", "--format", "gradescope=result.json"];
    let words = [&words[..], &LIMITS].concat();
    let rubric = course.at("kit/classroom50/rubric.toml").display().to_string();
    let words: Vec<&str> =
        words.into_iter().map(|word| if word == "RUBRIC" { &*rubric } else { word }).collect();
    let done = on_quiet_host(|| command(&printing, &words).output().unwrap());
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let printed: Value =
        serde_json::from_str(&fs::read_to_string(printing.join("result.json")).unwrap()).unwrap();
    let parts = printed["tests"].as_array().unwrap();
    let matches: Vec<&Value> = parts.iter().filter(|part| part["name"] != "check").collect();
    assert!(
        !matches.is_empty() && matches.iter().any(|part| part.to_string().contains("exited")),
        "{printed:#}"
    );
    assert!(!matches.iter().any(|part| part.to_string().contains("SECRET")), "{printed:#}");
    assert!(!text(&done.stderr).contains("SECRET"), "{}", text(&done.stderr));
}

#[test]
fn extra_files_in_submission_leave_grading_unchanged() {
    let course = Course::new();
    let twin = course.graded(&course.hand_in("twin", None));
    let rich = course.hand_in("rich", None);
    fs::create_dir(rich.join("cases")).unwrap();
    fs::write(rich.join("cases/mine.json"), "{}").unwrap();
    std::os::unix::fs::symlink("/dev/zero", rich.join("cases/endless.json")).unwrap();
    fs::write(rich.join("rubric.toml"), "check = 100\n").unwrap();
    fs::write(rich.join("leyden.toml"), "sandbox = \"none\"\nblocks = 1\n").unwrap();
    fs::create_dir(rich.join("result.json")).unwrap();
    let graded = course.graded(&rich);
    assert_eq!(parts(&graded), parts(&twin), "{graded:#}");
}
