//! Recorded matches played to a bot once more: whether it answers the same, and whether a fault is fixed.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use super::{KEEPS, json, played, timeless};
use crate::program::{LIMITS, assert_valid, command, leyden, on_quiet_host, printed as stdout, stderr};

#[test]
fn rerun_reports_a_difference_only_for_another_bot() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let record = played(at, &["--target", "60"], "");
    let id = record["match"].as_str().unwrap();
    let same = leyden(at, &["rerun", "r.db", id, "builtin:greedy", "--json"]);
    assert_eq!(same.status.code(), Some(0), "{}", stderr(&same));
    let printed = json(&same);
    assert_valid(at, "rerun", &printed);
    assert_eq!(
        (&printed["seat"], &printed["difference"]),
        (&Value::from(1), &Value::Null),
        "the seat of its name"
    );
    assert!(printed["asked"].as_u64().unwrap() > 3);

    let bot = "sh bot.sh again 3";
    let words = ["rerun", "r.db", id, bot, "--seat", "0", "--sandbox", "none"];
    let other = leyden(at, &[&words[..], &["--json"]].concat());
    assert_eq!(other.status.code(), Some(1), "{}", stderr(&other));
    let printed = json(&other);
    assert_valid(at, "rerun", &printed);
    assert_eq!(printed["asked"], 3);
    assert_eq!(printed["difference"]["now"]["fault"]["code"], "illegal");
    let turn_ref = printed["difference"]["place"].as_str().unwrap().to_owned();
    let again = fs::read_to_string(at.join("again")).unwrap();
    let kept = fs::read_to_string(at.join("kept")).unwrap();
    for (again, kept) in again.lines().zip(kept.lines()) {
        assert_eq!(timeless(again), timeless(kept));
        // The clock shows the recorded times; a busy machine may have charged less then.
        let line: Value = serde_json::from_str(again).unwrap();
        if let Some(turn) = line["id"].as_u64().filter(|turn| *turn > 1) {
            assert_eq!(line["clock"]["last_us"], record["think_us"][0][turn as usize - 2]);
        }
    }
    let other = leyden(at, &words);
    let text = String::from_utf8(other.stdout).unwrap();
    assert!(text.contains(&format!("sh bot.sh again 3 fails at {turn_ref}, after 3 questions")), "{text}");
    assert!(text.contains("legal") && text.contains("expected one of"), "{text}");

    let one = leyden(at, &[&words[..], &["--turn", &turn_ref]].concat());
    assert_eq!(one.status.code(), Some(1));
    let wrong = leyden(at, &[&words[..], &["--turn", "0.999"]].concat());
    assert!(
        wrong.status.code() == Some(2) && stderr(&wrong).contains("no action r0.t999"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn rerun_reports_faults_as_persisting_or_fixed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let record = played(at, &["--target", "60"], "4");
    assert_eq!(record["fault"]["code"], "illegal");
    let id = record["match"].as_str().unwrap();
    let bot = "sh bot.sh again 4";
    let words = ["rerun", "r.db", id, bot, "--seat", "0", "--sandbox", "none"];
    let output = leyden(at, &words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(1) && text.contains("fails at r0.t"), "{text}");
    let turn_ref = text.split("fails at ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let bot = "sh bot.sh mended";
    let mended = leyden(at, &["rerun", "r.db", id, bot, "--seat", "0", "--sandbox", "none", "--json"]);
    assert_eq!(mended.status.code(), Some(0));
    let printed = json(&mended);
    assert_valid(at, "rerun", &printed);
    assert_eq!(printed["difference"]["recorded"]["fault"]["code"], "illegal");
    let words = ["rerun", "r.db", id, bot, "--seat", "0", "--sandbox", "none"];
    let text = stdout(&leyden(at, &words));
    assert!(text.contains(&format!("no longer fails at {turn_ref}")), "{text}");
    assert!(!text.contains("leyden pin"), "there is no folder for a case: {text}");
    // With a folder it can keep the question, by the command shown.
    fs::create_dir(at.join("own")).unwrap();
    fs::copy(at.join("bot.sh"), at.join("own/bot.sh")).unwrap();
    fs::write(at.join("own/bot.toml"), "name = \"own\"\ncommand = [\"sh\", \"bot.sh\", \"mended\"]\n")
        .unwrap();
    let text = stdout(&leyden(at, &["rerun", "r.db", id, "own", "--seat", "0", "--sandbox", "none"]));
    let pin = text.lines().find_map(|line| line.split_once("ask it again: leyden ")).expect(&text).1;
    stdout(&leyden(at, &pin.split(' ').collect::<Vec<_>>()));
    assert_eq!(fs::read_dir(at.join("own/cases")).unwrap().count(), 1);

    // Its own output is shown where it fails, in the match and at its start.
    let bot = r#"sh -c 'for n in 1 2 3 4 5 6 7 8 9; do echo "line $n" >&2; done; exit 1'"#;
    let output = leyden(at, &["rerun", "r.db", id, bot, "--seat", "0", "--sandbox", "none"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(1) && text.contains("  | line 1\n  | line 2\n"), "{text}");
    let bot = "sh loud.sh again 4";
    fs::write(
        at.join("loud.sh"),
        KEEPS.replace("lines=$1", "lines=$1; for n in 1 2 3 4 5 6 7 8; do echo \"line $n\" >&2; done"),
    )
    .unwrap();
    let output = leyden(at, &["rerun", "r.db", id, bot, "--seat", "0", "--sandbox", "none"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(1) && text.contains("  | line 1\n  | line 2\n"), "{text}");

    // A bot in a loop says where, if it can be interrupted.
    fs::write(
        at.join("loops.sh"),
        KEEPS.replace(
            "id=${line#*",
            "trap 'echo here it loops >&2; exit 1' INT; while :; do :; done; id=${line#*",
        ),
    )
    .unwrap();
    let words = [
        "match",
        "sh loops.sh kept",
        "builtin:greedy",
        "--seed",
        "s",
        "--results",
        "l.db",
        "--sandbox",
        "none",
    ];
    let output = on_quiet_host(|| {
        let _ = fs::remove_file(at.join("l.db")); // of a run that was void
        leyden(at, &[&words[..], &["--turn", "300ms", "--startup", "100s"]].concat())
    });
    assert!(!stderr(&output).contains("here it loops"), "never in a match: {}", stderr(&output));
    let exported = stdout(&leyden(at, &["export", "l.db"]));
    let looping: Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
    let id_of_looping = looping["match"].as_str().unwrap();
    let words = ["rerun", "l.db", id_of_looping, "sh loops.sh again", "--seat", "0", "--sandbox", "none"];
    let output = on_quiet_host(|| leyden(at, &words));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(1) && text.contains("  | here it loops"), "{output:?}");

    // Asked one question, it receives nothing of what followed it.
    let first = "r0.t0";
    let asked = (0..9).map(|turn| format!("r0.t{turn}")).find(|turn| {
        let words =
            ["rerun", "r.db", id, "sh bot.sh one", "--seat", "0", "--sandbox", "none", "--turn", turn];
        leyden(at, &words).status.code() != Some(2)
    });
    assert!(
        asked.is_some_and(|asked| asked.as_str() >= first && asked != turn_ref),
        "another question than the one it failed at"
    );
    let heard = fs::read_to_string(at.join("one")).unwrap();
    assert!(!heard.contains("\"error\"") && !heard.contains("\"match_end\""), "{heard}");
}

/// A bot that exits at its fourth question, no matter which.
const TIRES: &str = r#"
asked=0
while IFS= read -r line; do
    case $line in
    '{"type":"hello"'*) echo '{"type":"ready","protocol":"1.0","name":"tires"}' ;;
    '{"type":"turn"'*)
        asked=$((asked + 1))
        if [ $asked = 4 ]; then exit 1; fi
        id=${line#*'"id":'} && id=${id%%,*}
        legal=${line#*'"legal":["'} && legal=${legal%%'"'*}
        printf '{"type":"action","id":%s,"action":"%s"}\n' "$id" "$legal" ;;
    esac
done
"#;

#[test]
fn single_question_cannot_clear_fault_needing_earlier_turns() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("tires.sh"), TIRES).unwrap();
    let words =
        ["match", "sh tires.sh", "builtin:greedy", "--seed", "s", "--results", "r.db", "--sandbox", "none"];
    let output = leyden(at, &[&words[..], &LIMITS].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let again = stdout(&leyden(at, &["standings", "r.db"]));
    let again = again.lines().find_map(|line| line.trim().strip_prefix("play it to the bot again: leyden "));
    let again = shlex::split(again.unwrap()).unwrap();
    let again: Vec<&str> = again.iter().map(String::as_str).chain(["--sandbox", "none"]).collect();
    assert!(!again.contains(&"--turn"), "{again:?}");
    let rerun = |more: &[&str]| {
        let output = leyden(at, &[&again[..], more].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, printed) = rerun(&[]);
    assert!(code == Some(1) && printed.contains("sh tires.sh fails at "), "{printed}");
    let turn_ref = printed.split("fails at ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let (code, printed) = rerun(&["--turn", &turn_ref]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("not known to be fixed: sh tires.sh does not fail here"), "{printed}");
    assert!(printed.contains("asked only this question, without the turns before it"), "{printed}");
    fs::write(at.join("tires.sh"), TIRES.replace("exit 1", "asked=0")).unwrap();
    let (code, printed) = rerun(&["--turn", &turn_ref]);
    assert!(code == Some(1) && printed.contains("not known to be fixed"), "{printed}");
    let (code, printed) = rerun(&[]);
    assert!(code == Some(0) && printed.contains(&format!("no longer fails at {turn_ref}")), "{printed}");

    // An illegal action answers its question; the same bot gives it in the match again.
    fs::remove_file(at.join("r.db")).unwrap();
    let record = played(at, &["--target", "60"], "4");
    let id = record["match"].as_str().unwrap();
    let printed = stdout(&leyden(at, &["standings", "r.db"]));
    let again = printed.lines().find_map(|line| line.trim().strip_prefix("ask it again: leyden "));
    let turn_ref = again.unwrap().rsplit(' ').next().unwrap();
    let words =
        ["rerun", "r.db", id, "sh bot.sh mended", "--seat", "0", "--sandbox", "none", "--turn", turn_ref];
    let printed = stdout(&leyden(at, &words));
    assert!(printed.contains(&format!("no longer fails at {turn_ref}")), "{printed}");
}

#[test]
fn paused_bot_shows_its_process_id_and_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let record = played(at, &["--target", "60"], "");
    let id = record["match"].as_str().unwrap();
    fs::write(at.join("slow.sh"), KEEPS.replace("lines=$1", "lines=$1; echo alive >&2")).unwrap();
    let turns = fs::read_to_string(at.join("kept")).unwrap();
    let third = turns.lines().filter(|line| line.contains("\"type\":\"turn\"")).nth(2).unwrap();
    let done = timeless(third)["history"].as_array().unwrap().len();
    let is_its = |deal: &Value| {
        (&deal["round"], &deal["redeal"]) == (&timeless(third)["round"], &timeless(third)["redeal"])
    };
    let deal = record["rounds"].as_array().unwrap().iter().position(is_its).unwrap();
    let turn_ref = format!("r{deal}.t{done}");
    let bot = "sh slow.sh again";
    let words = ["rerun", "r.db", id, bot, "--seat", "0", "--pause", &turn_ref];
    let mut child = command(at, &words);
    let mut child =
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("alive"), "its standard error: {said}");
    let pid = said.split("process ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(pid.parse::<u32>().is_ok() && said.contains(&format!("waits before {turn_ref}")), "{said}");
    assert!(said.contains("legal"), "the moment is shown: {said}");
}
