//! What a bot in a sandbox reaches beyond its own files: the folder of its command line, and the network if it is granted.

use std::fs;
use std::net::TcpListener;

use serde_json::Value;

use crate::beginner::{BOT, said};
use crate::program::{LIMITS, leyden, stdout};

#[test]
fn command_lines_of_one_program_share_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("moves.py"), "def choose(turn, index): return turn[\"legal\"][index]\n").unwrap();
    let bot = BOT.replace("message[\"legal\"][0]", "moves.choose(message, int(sys.argv[1]))");
    fs::write(at.join("bot.py"), format!("import moves\n{bot}")).unwrap();
    for command in ["gate", "match"] {
        let more = if command == "gate" { ["--max-pairs", "1"] } else { ["--blocks", "1"] };
        let words = [&[command, "python3 bot.py 0", "python3 bot.py -1"][..], &more, &LIMITS].concat();
        let printed = said(&leyden(at, &words));
        assert!(!printed.contains("No module named") && !printed.contains("by a fault"), "{printed}");
    }
    // In a gate, they may be two files: both are of one author.
    fs::copy(at.join("bot.py"), at.join("old.py")).unwrap();
    let bots = ["python3 bot.py 0", "python3 old.py -1"];
    let printed = said(&leyden(at, &[&["gate"][..], &bots, &["--max-pairs", "1"], &LIMITS].concat()));
    assert!(!printed.contains("No module named"), "{printed}");
}

/// The listener is the test's own, on this machine. Each bot says in its notes whether it got through.
#[test]
fn network_is_granted_to_one_bot_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let tries = format!(
        "import socket\ntry:\n    socket.create_connection((\"127.0.0.1\", {port}), 60)\n    got = \"through\"\nexcept OSError:\n    \
         got = \"refused\"\n"
    );
    let bot = tries + &BOT.replace("\"action\": action}", "\"action\": action, \"note\": got}");
    for (name, line) in [("asks", "network = true\n"), ("plain", "")] {
        fs::create_dir(at.join(name)).unwrap();
        fs::write(at.join(name).join("bot.py"), &bot).unwrap();
        let manifest = format!("name = \"{name}\"\ncommand = [\"python3\", \"bot.py\"]\n{line}");
        fs::write(at.join(name).join("bot.toml"), manifest).unwrap();
    }
    let play = |more: &[&str]| {
        let words = ["match", "asks", "plain", "--blocks", "1", "--results", "n.db"];
        leyden(at, &[&words[..], more, &LIMITS].concat())
    };
    if said(&leyden(at, &["check", "plain", "--only", "start"])).contains("in the sandbox none") {
        return; // nothing is refused there
    }
    let refused = play(&[]);
    assert_eq!(refused.status.code(), Some(3), "{}", said(&refused));
    assert!(said(&refused).contains("asks for the network, which is not allowed: add --allow-network asks"));
    let other = play(&["--allow-network", "plain"]);
    assert_eq!(other.status.code(), Some(3), "a grant for another bot is none: {}", said(&other));
    let granted = play(&["--allow-network", "asks"]);
    assert_eq!(granted.status.code(), Some(0), "{}", said(&granted));
    let mut seen = [0, 0];
    for line in stdout(&leyden(at, &["export", "n.db"])).lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        for note in record["notes"].as_array().unwrap() {
            let bot = record["bots"][note["seat"].as_u64().unwrap() as usize].as_str().unwrap();
            let expected = if bot == "asks" { "through" } else { "refused" };
            assert_eq!(note["text"], expected, "{bot}");
            seen[usize::from(bot == "plain")] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
}
