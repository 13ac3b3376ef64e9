//! A beginner's bot, and what the program says about it.

use std::fs;
use std::path::Path;
use std::process::Output;

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn said(output: &Output) -> String {
    stdout(output) + &String::from_utf8_lossy(&output.stderr)
}

/// The ten lines of the protocol's page, with places to break.
pub(crate) const BOT: &str = r#"
import json, random, sys, time

def send(message):
    print(json.dumps(message), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "ready", "protocol": "1.0", "name": "mine"})
    elif message["type"] == "turn":
        action = message["legal"][0]
        send({"type": "action", "id": message["id"], "action": action})
"#;

/// A bot in the folder `mine` with a part of its program replaced.
pub(crate) fn write_bot(at: &Path, what: &str, instead: &str) {
    fs::create_dir_all(at.join("mine")).unwrap();
    assert!(BOT.contains(what), "{what}");
    fs::write(at.join("mine/bot.py"), BOT.replace(what, instead)).unwrap();
    fs::write(at.join("mine/bot.toml"), "name = \"mine\"\ncommand = [\"python3\", \"bot.py\"]\n").unwrap();
}
