//! Matches for replays: played by the arena itself, and changed where a page must show an error.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use leyden_tests::arena::Arena;
use leyden_tests::program;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A name that would do harm as markup.
pub(crate) const HOSTILE: &str = "<img src=x onerror=alert(1)>";

const MINUTES: Duration = Duration::from_mins(5);

/// Runs `leyden` to its end and returns its output.
pub(crate) fn leyden(arguments: &[&str]) -> (Option<i32>, String, String) {
    let ran = Arena::new(&program("leyden"), arguments).run(MINUTES);
    (ran.code, ran.stdout, ran.stderr)
}

/// The first match of a small tournament between builtin bots, as a line of an export. Each game is played once.
pub(crate) fn played(rules: &str, seats: usize, set: usize) -> Value {
    static PLAYED: OnceLock<Mutex<HashMap<String, Value>>> = OnceLock::new();
    let mut played = PLAYED.get_or_init(Mutex::default).lock().unwrap();
    let game = format!("{rules} {seats} {set}");
    if let Some(record) = played.get(&game) {
        return record.clone();
    }
    let names = ["greedy", "careful", "random"];
    let bots: Vec<String> = (0..seats).map(|bot| format!("builtin:{}", names[bot % 3])).collect();
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results.db").to_str().unwrap().to_owned();
    let (seats, set) = (seats.to_string(), set.to_string());
    let mut arguments =
        vec!["tournament", "--allow-builtins", "--rules", rules, "--seats", &seats, "--set", &set];
    arguments.extend(["--seed", "pages", "--sandbox", "none", "--target", "60", "--results", &results]);
    arguments.extend(["--turn", "100s", "--startup", "100s"]);
    let players: Vec<String> = if seats == "2" { bots } else { renamed(folder.path(), bots.len()) };
    arguments.extend(players.iter().map(String::as_str));
    let (code, stdout, stderr) = leyden(&arguments);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let (_, lines, _) = leyden(&["export", &results]);
    let record: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    played.insert(game, record.clone());
    record
}

/// This many bots with their own names.
fn renamed(folder: &Path, count: usize) -> Vec<String> {
    let leyden = program("leyden");
    let bot = |number: usize| {
        let path = folder.join(format!("bot-{number}"));
        fs::create_dir(&path).unwrap();
        let command = format!("command = [{:?}, \"bot\", \"random\"]\n", leyden.to_str().unwrap());
        fs::write(path.join("bot.toml"), format!("name = \"bot-{number}\"\n{command}")).unwrap();
        path.to_str().unwrap().to_owned()
    };
    (0..count).map(bot).collect()
}

/// The same match with hostile names and notes, strikes in its first round, and a fault in its last.
pub(crate) fn interrupted(mut record: Value) -> Value {
    record["bots"] = json!([HOSTILE, format!("{HOSTILE}2")]);
    let mut notes = Vec::new();
    for (round, deal) in record["rounds"].as_array().unwrap().iter().enumerate() {
        for (action, entry) in deal["actions"].as_array().unwrap().iter().enumerate() {
            notes.push(json!({ "seat": seat_of(entry), "round": round, "action": action, "text": HOSTILE }));
        }
    }
    let strikes: Vec<Value> = notes.iter().filter(|note| note["round"] == 0).take(9).cloned().collect();
    let strikes = strikes.into_iter().map(|mut strike| {
        strike.as_object_mut().unwrap().remove("text");
        strike["code"] = json!("illegal");
        strike
    });
    record["strikes"] = strikes.collect();
    let last = record["rounds"].as_array().unwrap().len() - 1;
    let before = record["rounds"][last - 1]["scores"].clone();
    let deal = &mut record["rounds"][last];
    // The player after the lead has a choice in most deals; what the page shows does not depend on it.
    deal["actions"].as_array_mut().unwrap().truncate(6);
    let seat = seat_of(&deal["actions"][5]);
    deal["actions"].as_array_mut().unwrap().truncate(5);
    deal["end"] = json!("unfinished");
    deal["scores"] = before.clone();
    for sum in ["pips", "points"] {
        deal[sum] = json!([0, 0]);
    }
    record["scores"] = before;
    record["notes"] = json!(notes);
    record["end"] = json!("fault");
    record["winner"] = json!(1 - seat);
    record["fault"] =
        json!({ "seat": seat, "code": "illegal", "message": format!("expected an action, came {HOSTILE}") });
    record["stderr"] = json!([format!("Traceback {HOSTILE}"), format!("Traceback {HOSTILE}")]);
    record
}

pub(crate) fn seat_of(entry: &Value) -> u64 {
    entry.as_str().unwrap()[..1].parse().unwrap()
}

/// A folder with an export of one match, and its page.
pub(crate) struct Written {
    folder: TempDir,
}

impl Written {
    /// Writes the page as `leyden replay --html` does, with further arguments.
    pub(crate) fn by_leyden(record: &Value, arguments: &[&str]) -> Self {
        let written = Self { folder: tempfile::tempdir().unwrap() };
        let export = written.folder.path().join("export.jsonl");
        fs::write(&export, format!("{record}\n")).unwrap();
        let page = written.page();
        let mut all = vec!["replay", export.to_str().unwrap(), "--html", page.to_str().unwrap()];
        all.extend(arguments);
        let (code, stdout, stderr) = leyden(&all);
        assert_eq!(code, Some(0), "{stdout}{stderr}");
        assert!(stdout.contains("open it in a browser"), "{stdout}");
        written
    }

    pub(crate) fn page(&self) -> PathBuf {
        self.folder.path().join("replay.html")
    }
}

/// Where pictures are kept for people to look at.
pub(crate) fn picture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{name}.png"))
}
