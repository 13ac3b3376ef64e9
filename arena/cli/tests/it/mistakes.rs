//! Mistakes of beginners in Python and JavaScript, each made by a real bot, and what `leyden check` says to do.

use std::fs;
use std::path::Path;

use crate::beginner::{said, write_bot};
use crate::program::{LIMITS, leyden, on_quiet_host};

/// What a check of the bot says that answers every turn like this in JavaScript.
fn checked_in_node(at: &Path, program: &str) -> String {
    fs::create_dir_all(at.join("mine")).unwrap();
    fs::write(at.join("mine/bot.js"), program).unwrap();
    fs::write(at.join("mine/bot.toml"), "name = \"mine\"\ncommand = [\"node\", \"bot.js\"]\n").unwrap();
    checked(at)
}

fn checked(at: &Path) -> String {
    let output =
        on_quiet_host(|| leyden(at, &[&["check", "mine", "--only", "opening"][..], &LIMITS].concat()));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    said(&output)
}

/// A bot in JavaScript with this answer to a turn.
fn by_lines(answer: &str) -> String {
    format!(
        "async function choose(turn) {{ return turn.legal[0]; }}\n\
         require('readline').createInterface({{ input: process.stdin }}).on('line', (text) => {{\n\
         const m = JSON.parse(text);\n\
         if (m.type === 'hello') console.log(JSON.stringify({{ type: 'ready', protocol: '1.0', name: 'x' }}));\n\
         if (m.type === 'turn') {{ {answer} }}\n}});\n"
    )
}

#[test]
fn mistakes_in_javascript_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let by_pieces = "process.stdin.on('data', (chunk) => { const m = JSON.parse(chunk);\n\
        if (m.type === 'hello') console.log(JSON.stringify({ type: 'ready', protocol: '1.0', name: 'x' }));\n\
        if (m.type === 'turn') console.log(JSON.stringify({ type: 'action', id: m.id, action: m.legal[0] })); });\n";
    for (program, says) in [
        (
            by_lines("console.log(JSON.stringify({ type: 'action', id: m.id, action: choose(m) }));"),
            "likely cause: choose is async",
        ),
        (
            by_lines("console.log(`{\"type\":\"action\",\"id\":${m.id},\"action\":\"${choose(m)}\"}`);"),
            "likely cause: choose is async",
        ),
        (
            by_lines("console.log({ type: 'action', id: m.id, action: m.legal[0] });"),
            "JSON.stringify(answer)",
        ),
        (
            by_pieces.to_owned(),
            "a data event brings any piece of the input. Read lines: require(\"readline\")",
        ),
    ] {
        let said = checked_in_node(folder.path(), &program);
        assert!(said.contains(says), "{program} should say {says:?}: {said}");
    }
}

#[test]
fn mistakes_in_python_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let awaited = "(lambda c: c(message))(choose)";
    for (what, instead, says) in [
        ("import json", "import no_such_package_x.part\nimport json", "No module named 'no_such_package_x'"),
        ("message[\"legal\"][0]", awaited, "remove async"),
        ("message[\"legal\"][0]", "set(message[\"legal\"])", "hand it one of the strings in legal"),
        ("json.loads(line)", "json.loads(line + line)", "parse each by itself"),
    ] {
        write_bot(at, what, instead);
        let bot = fs::read_to_string(at.join("mine/bot.py")).unwrap();
        fs::write(
            at.join("mine/bot.py"),
            format!("async def choose(turn): return turn[\"legal\"][0]\n{bot}"),
        )
        .unwrap();
        let said = checked(at);
        assert!(said.contains(says), "{instead} should say {says:?}: {said}");
    }
}

/// What the message about a missing module says to do works.
#[test]
fn missing_module_is_found_after_following_the_advice() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "import json", "import helper_of_mine\nimport json");
    let printed = checked(at);
    if printed.contains("in the sandbox none") {
        return; // nothing is hidden there
    }
    for part in ["pip install --target lib helper_of_mine\n", "import sys; sys.path.insert(0, \"lib\")\n"] {
        assert!(printed.contains(part), "{printed}");
    }
    fs::create_dir(at.join("mine/lib")).unwrap();
    fs::write(at.join("mine/lib/helper_of_mine.py"), "").unwrap();
    let bot = fs::read_to_string(at.join("mine/bot.py")).unwrap();
    fs::write(at.join("mine/bot.py"), format!("import sys; sys.path.insert(0, \"lib\")\n{bot}")).unwrap();
    let words = [&["check", "mine", "--only", "opening"][..], &LIMITS].concat();
    let output = on_quiet_host(|| leyden(at, &words));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn check_suggests_rules_line_for_leyden_only_bot() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "        action = ", "        assert message[\"rules\"] == \"leyden\"\n        action = ");
    let check = || on_quiet_host(|| leyden(at, &[&["check", "mine", "--all"][..], &LIMITS].concat()));
    let output = check();
    let printed = said(&output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let second = printed.lines().nth(1).unwrap();
    assert!(second.contains("fails only at these tables: matador-8-12"), "it comes first: {printed}");
    let line = printed.lines().map(str::trim).find(|line| line.starts_with("rules = ")).expect(&printed);
    let manifest = fs::read_to_string(at.join("mine/bot.toml")).unwrap();
    fs::write(at.join("mine/bot.toml"), format!("{manifest}{line}\n")).unwrap();
    assert_eq!(check().status.code(), Some(0), "{line}");
}
