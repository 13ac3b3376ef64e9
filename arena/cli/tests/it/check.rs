//! `leyden check` with real bots: one that is right, and one for each typical mistake of beginners.

use std::fs;
use std::process::{Command, Stdio};

use crate::beginner::{BOT, said, stdout, write_bot};
use crate::program::{LIMITS, assert_valid, leyden, on_quiet_host};
use serde_json::Value;

/// The output of a check of a bot with a part of its program replaced.
fn checked(what: &str, instead: &str, options: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    write_bot(folder.path(), what, instead);
    let output = on_quiet_host(|| leyden(folder.path(), &[&["check", "mine"], options].concat()));
    (output.status.code().unwrap(), said(&output))
}

#[test]
fn good_bot_passes_everything() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "", "");
    let words = [&["check", "mine", "--all", "--json", "--junit", "check.xml"][..], &LIMITS].concat();
    let output = on_quiet_host(|| leyden(at, &words));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_valid(at, "check", &report);
    assert_eq!(report["passed"], true);
    let junit = fs::read_to_string(at.join("check.xml")).unwrap();
    let whole = junit.lines().find(|line| line.contains("name=\"whole-match\"")).unwrap();
    assert!(whole.contains(" time=\""), "a match takes its time: {whole}");
    let findings = report["findings"].as_array().unwrap();
    let named = |name: &str| findings.iter().find(|finding| finding["name"] == name).unwrap_or(&Value::Null);
    for name in [
        "start",
        "opening",
        "blank-end",
        "matador-in-line",
        "matador-across",
        "meets-across",
        "lead",
        "draw",
        "refuse",
        "after-blocked",
        "after-refused",
        "game-leyden",
        "game-matador-8-12",
        "game-matador-6-9",
        "unknown-words",
        "same-seed",
        "whole-match",
    ] {
        assert_eq!(named(name)["outcome"], "passed", "{name}: {report:#}");
    }
    assert!(junit.contains("matador-across") && junit.contains("failures=\"0\""), "{junit}");
}

/// The names of the test cases of a report.
fn names(report: &str) -> Vec<&str> {
    report.split("<testcase name=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn report_keeps_its_cases_and_explains_the_failure() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let report = |instead: &str| {
        write_bot(at, "        action = ", instead);
        let words = [&["check", "mine", "--all", "--junit", "check.xml"][..], &LIMITS].concat();
        let output = on_quiet_host(|| leyden(at, &words));
        let report = fs::read_to_string(at.join("check.xml")).unwrap();
        (output.status.code(), report)
    };
    let (passed, good) = report("        action = ");
    let (failed, bad) = report("        raise KeyError('spinner')\n        action = ");
    assert_eq!((passed, failed), (Some(0), Some(1)), "{bad}");
    assert_eq!(names(&good), names(&bad));
    let failure = bad.split("<failure ").nth(1).and_then(|rest| rest.split("</failure>").next()).unwrap();
    let (head, text) = failure.split_once('>').unwrap();
    assert!(head.contains("type=\"failed\"") && !head.contains("message=\"exited\""), "{head}");
    assert!(
        text.contains("KeyError: &apos;spinner&apos;") || text.contains("KeyError: 'spinner'"),
        "{failure}"
    );
}

#[test]
fn beginner_mistakes_are_reported_with_their_remedy() {
    let short = ["--turn", "2s", "--startup", "100s"];
    let cases: [(&str, &str, &[&str], &[&str]); 9] = [
        ("\"action\": action}", "\"action\": None}", &LIMITS, &["malformed"]),
        (
            "        action = ",
            "        print(\"thinking\", flush=True); action = ",
            &LIMITS,
            &["debug print", "standard error"],
        ),
        (
            "        action = ",
            "        raise ValueError(\"no idea\"); action = ",
            &LIMITS,
            &["exited", "ValueError: no idea"],
        ),
        ("[\"legal\"][0]", "[\"legal\"][0].upper()", &LIMITS, &["illegal", "from legal unchanged"]),
        (
            "        send({\"type\": \"action\", \"id\": message[\"id\"], \"action\": action})",
            "        print(action, flush=True)",
            &LIMITS,
            &["malformed", "an action alone"],
        ),
        (
            "json.dumps(message)",
            "json.dumps(message, indent=1)",
            &LIMITS,
            &["handshake", "without indentation"],
        ),
        (
            "        action = ",
            "        print(end=\"\") or time.sleep(3600); action = ",
            &short,
            &["timeout", "waited for the rest", "flush", "directly it may look right: "],
        ),
        (
            "        action = ",
            "        while True: pass\n        action = ",
            &short,
            &["timeout", "the bot computed for", "endless loop"],
        ),
        ("import json", "import jsno", &LIMITS, &["handshake", "No module named 'jsno'"]),
    ];
    for (what, instead, options, says) in cases {
        let (code, said) = checked(what, instead, options);
        assert_eq!(code, 1, "{instead}: {said}");
        for part in says.iter().chain(&["the rule: ", "see it: leyden check mine --only "]) {
            assert!(said.contains(part), "{instead} should say {part:?}: {said}");
        }
        assert!(said.matches("the rule: ").count() <= 2, "one cause appears once: {said}");
    }
}

#[test]
fn whole_match_check_finds_a_late_fault() {
    let counts = |what: &str| {
        let seen = "    if message[\"type\"] == \"match_start\": turns = 0\n    if message[\"type\"] == \"turn\": turns += 1\n";
        BOT.replace("    if message", &format!("{seen}    if message")).replace("        action = ", what)
    };
    let late = counts("        if turns > 40: raise ValueError(\"the 41st turn\")\n        action = ");
    let (code, said) = checked(BOT, &late, &[&["--all"], &LIMITS[..]].concat());
    assert_eq!(code, 1, "{said}");
    let failed: Vec<&str> = said.lines().filter(|line| line.trim_start().starts_with("FAIL")).collect();
    assert!(matches!(failed[..], [one] if one.contains("whole-match") && one.contains("exited")), "{said}");
    assert!(said.contains("ValueError: the 41st turn"), "{said}");
    assert!(said.contains("see it: leyden check mine --only whole-match"), "{said}");

    let soon = counts("        if turns > 1: raise ValueError(\"the 2nd turn\")\n        action = ");
    let (code, said) = checked(BOT, &soon, &[&["--all"], &LIMITS[..]].concat());
    let skipped = said.lines().find(|line| line.contains("not tried, because of the failures above"));
    assert!(code == 1 && skipped.is_some_and(|line| line.contains("whole-match")), "{said}");
}

#[test]
fn reversed_tile_is_reported_with_the_legal_action() {
    let turned = "message[\"legal\"][-1 if ':' not in message['legal'][-1] else 0]\n        \
                  for one in message['legal']:\n            \
                  if one[1:2] == ':' and one[2] != one[4]: action = one[:2] + one[4] + one[3] + one[2]";
    let (code, said) =
        checked("message[\"legal\"][0]", turned, &[&["--only", "opening"], &LIMITS[..]].concat());
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("in the wrong order") && said.contains("is legal: in line"), "{said}");
}

#[test]
fn bot_that_lingers_or_rejects_unknown_words_fails() {
    let stays = format!("{BOT}\nwhile True:\n    time.sleep(1)\n");
    let (code, said) = checked(BOT, &stays, &[&["--only", "end-of-input"], &LIMITS[..]].concat());
    assert!(code == 1 && said.contains("when its standard input ends"), "{said}");
    let strict = "    elif message[\"type\"] not in (\"match_start\", \"round_end\", \"match_end\"):\n        \
                  raise ValueError(message[\"type\"])\n";
    let strict = BOT.to_owned() + strict;
    let (code, said) = checked(BOT, &strict, &[&["--only", "unknown-words"], &LIMITS[..]].concat());
    assert!(code == 1 && said.contains("ValueError: weather"), "{said}");
    assert!(said.contains("look at its own \"type\" first"), "{said}");
}

#[test]
fn bot_that_leaves_half_a_second_late_passes() {
    let late = format!("{BOT}\ntime.sleep(0.5)\n");
    let (code, said) = checked(BOT, &late, &[&["--only", "end-of-input"], &LIMITS[..]].concat());
    assert!(code == 0 && said.contains("after its input ends"), "{said}");
}

#[test]
fn reported_lines_with_unknown_words_reproduce_the_failure() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Takes the first "type" in the text for the line's own.
    write_bot(
        at,
        "    message = json.loads(line)\n",
        "    message = json.loads(line)\n    message[\"type\"] = line.split('\"type\":\"')[1].split('\"')[0]\n",
    );
    let words = [&["check", "mine", "--only", "unknown-words"][..], &LIMITS].concat();
    let again = |words: &[&str]| on_quiet_host(|| leyden(at, words));
    let printed = said(&again(&words));
    assert_eq!(printed.matches("likely cause:").count(), 1, "{printed}");
    assert!(
        printed.contains("a field \"type\" inside another object was taken for the line's own"),
        "{printed}"
    );
    let line = printed.lines().find_map(|line| line.trim().strip_prefix("the line: ")).expect(&printed);
    assert!(line.starts_with("{\"weather\":{"), "{printed}");
    let lines = again(&[&words[..], &["--lines"]].concat());
    let sent = stdout(&lines);
    assert!(sent.lines().all(|line| line.contains("\"weather\"")), "{sent}");
    // Sent manually, they show it.
    fs::write(at.join("lines"), &sent).unwrap();
    let lines = fs::File::open(at.join("lines")).unwrap();
    let bot = Command::new("python3").arg("mine/bot.py").current_dir(at).stdin(lines).output().unwrap();
    assert!(said(&bot).contains("KeyError"), "{}", said(&bot));
}

#[test]
fn different_match_on_same_seed_is_only_noted() {
    let (code, said) = checked(
        "message[\"legal\"][0]",
        "random.choice(message[\"legal\"])",
        &[&["--all"], &LIMITS[..]].concat(),
    );
    assert_eq!(code, 0, "{said}");
    let note = said.lines().find(|line| line.contains("same-seed")).unwrap();
    assert!(note.contains("note") && note.contains("bot_seed"), "{said}");
    assert!(said.contains("\nnothing failed, 1 note: "), "{said}");
}

#[test]
fn check_tries_only_rule_sets_the_bot_plays() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "", "");
    let manifest =
        "name = \"mine\"\ncommand = [\"python3\", \"bot.py\"]\nrules = [\"matador\"]\nseats = [2, 3]\n";
    fs::write(at.join("mine/bot.toml"), manifest).unwrap();
    let output = on_quiet_host(|| leyden(at, &[&["check", "mine"][..], &LIMITS].concat()));
    let printed = said(&output);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("game-matador-3-6") && !printed.contains("game-leyden"), "{printed}");
    assert!(!printed.contains("opening"), "matador has none: {printed}");
    fs::write(at.join("mine/bot.toml"), manifest.replace("matador", "chess")).unwrap();
    let output = leyden(at, &["check", "mine"]);
    assert!(output.status.code() == Some(3) && said(&output).contains("chess"), "{}", said(&output));
}

#[test]
fn saved_lines_of_a_failure_reproduce_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(
        at,
        "message[\"legal\"][0]",
        "message[\"legal\"][0] if \"draw\" not in message[\"legal\"] else 1 / 0",
    );
    let words = [&["check", "mine", "--only", "draw", "--lines"][..], &LIMITS].concat();
    let output = on_quiet_host(|| leyden(at, &words));
    assert_eq!(output.status.code(), Some(1));
    fs::write(at.join("lines"), stdout(&output)).unwrap();
    let lines = fs::File::open(at.join("lines")).unwrap();
    let bot = Command::new("python3").arg("mine/bot.py").current_dir(at).stdin(lines).output().unwrap();
    assert!(said(&bot).contains("ZeroDivisionError"), "{}", said(&bot));
    let unknown = leyden(at, &["check", "mine", "--only", "nothing"]);
    assert!(
        unknown.status.code() == Some(2) && said(&unknown).contains("matador-across"),
        "{}",
        said(&unknown)
    );
}

#[test]
fn direct_command_reproduces_the_failure_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "message[\"legal\"][0]", "\"nothing\"");
    fs::rename(at.join("mine"), at.join("my bot's")).unwrap();
    // Its build command reads all its input: that must not be the bot's lines.
    let manifest = at.join("my bot's/bot.toml");
    let built = fs::read_to_string(&manifest).unwrap() + "build = [\"cat\"]\n";
    fs::write(manifest, built).unwrap();
    let words = [&["check", "my bot's", "--only", "opening"][..], &LIMITS].concat();
    let output = on_quiet_host(|| leyden(at, &words));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let printed = said(&output);
    let starting =
        |start: &str| printed.lines().find_map(|line| line.trim().strip_prefix(start)).expect(&printed);
    assert_eq!(starting("see it: "), "leyden check \"my bot's\" --only opening");
    let by_hand = printed.lines().find(|line| line.trim().starts_with("directly")).expect(&printed);
    assert!(!printed.contains("last good answer"), "nobody was asked anything before: {printed}");
    assert_eq!(
        by_hand.contains(", without the sandbox: "),
        !printed.contains("in the sandbox none"),
        "{printed}"
    );
    let (_, command) = by_hand.split_once(": ").unwrap();
    let mut run = Command::new("sh");
    run.arg("-c").arg(command.replace("&& leyden ", "&& \"$0\" ")).arg(env!("CARGO_BIN_EXE_leyden"));
    let seen = run.current_dir(at).stdin(Stdio::null()).output().unwrap();
    assert!(said(&seen).contains("\"action\": \"nothing\""), "{command}: {}", said(&seen));
}
