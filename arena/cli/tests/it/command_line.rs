//! The program as typed: exit codes, messages, what is data and what is not, and nothing half done.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::program::{LIMITS, command, leyden, stderr, stdout, write_bot};

const RANDOM: &str = "builtin:random";
const GREEDY: &str = "builtin:greedy";

#[test]
fn bad_input_gets_a_reason_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "broken", "name = \"broken\"\ncommand = \"no list\"\n");
    write_bot(at, "gone", "name = \"gone\"\ncommand = [\"no-such-interpreter\", \"bot\"]\n");
    write_bot(
        at,
        "unbuilt",
        "name = \"unbuilt\"\ncommand = [\"sh\"]\nbuild = [\"sh\", \"-c\", \"echo no rule; exit 7\"]\n",
    );
    fs::write(at.join("odd.toml"), "rules = \"leyden\"\nblokcs = 3\n").unwrap();
    fs::write(at.join("notes.txt"), "not a results file\n").unwrap();
    fs::write(at.join("empty.db"), "").unwrap();
    let before = fs::read_dir(at).unwrap().count();
    let cases: [(i32, &[&str], &[&str]); 25] = [
        (2, &["tournament"], &["name the bots"]),
        (3, &["tournament", "nobody", RANDOM], &["there is no bot \"nobody\""]),
        (3, &["tournament", "builtin:nobody", RANDOM], &["no builtin bot \"nobody\"", "careful"]),
        (3, &["tournament", "broken", RANDOM], &["bot.toml", "line 2"]),
        (3, &["tournament", "gone", RANDOM], &["gone", "no-such-interpreter", "--allow-missing"]),
        (3, &["tournament", "unbuilt", RANDOM], &["unbuilt", "no rule", "exit status: 7"]),
        (3, &["likeness", "notes.txt"], &["left out: notes.txt", "no bot to compare"]),
        (2, &["tournament", RANDOM], &["at least 2 bots"]),
        (2, &["tournament", RANDOM, GREEDY, "--seats", "3"], &["2 seats"]),
        (2, &["tournament", RANDOM, GREEDY, "--set", "9"], &["double-six only"]),
        (2, &["tournament", RANDOM, GREEDY, "--set", "7"], &["6, 9 or 12"]),
        (2, &["tournament", RANDOM, GREEDY, "--rules", "chess"], &["chess", "leyden-cross"]),
        (2, &["tournament", RANDOM, GREEDY, "--target", "0"], &["target"]),
        (2, &["tournament", RANDOM, GREEDY, "--clock", "sun"], &["[possible values: wall, cpu]"]),
        (2, &["tournament", RANDOM, GREEDY, "--ponder", "--no-ponder"], &["--no-ponder", "cannot be used"]),
        (2, &["tournament", RANDOM, GREEDY, "--blocks", "0"], &["at least one block"]),
        (2, &["tournament", RANDOM, GREEDY, "--turn", "soon"], &["duration such as 500ms"]),
        (2, &["tournament", RANDOM, GREEDY, "--jobs", "0"], &["--jobs"]),
        (2, &["tournament", RANDOM, GREEDY, "--config", "odd.toml"], &["odd.toml", "line 2", "blokcs"]),
        (2, &["tournament", RANDOM, GREEDY, "--results", "notes.txt"], &["exists already"]),
        (2, &["tournament", RANDOM, GREEDY, "--resume"], &["--results"]),
        (
            2,
            &["tournament", RANDOM, GREEDY, "--results", "notes.txt", "--resume"],
            &["is not a leyden results file"],
        ),
        (2, &["match", RANDOM, GREEDY, RANDOM], &["2 seats"]),
        (2, &["standings", "empty.db"], &["empty.db"]),
        (2, &["verify", "notes.txt"], &["notes.txt", "line 1"]),
    ];
    for (code, words, says) in cases {
        let output = leyden(at, words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
        for part in says {
            assert!(said.contains(part), "{words:?} should say {part:?}: {said}");
        }
        assert!(!said.contains("panicked"), "{words:?}: {said}");
        assert_eq!(stdout(&output), "", "{words:?}");
    }
    assert_eq!(fs::read_dir(at).unwrap().count(), before, "something was written");
}

#[test]
fn bare_command_prints_short_help_with_two_examples() {
    let folder = tempfile::tempdir().unwrap();
    let output = leyden(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).matches("  leyden ").count() >= 2);
    assert!(stdout(&output).lines().count() < 12);
}

#[test]
fn missing_bot_is_left_out_if_allowed() {
    let folder = tempfile::tempdir().unwrap();
    write_bot(folder.path(), "gone", "name = \"gone\"\ncommand = [\"no-such-interpreter\"]\n");
    let words = ["tournament", "gone", RANDOM, GREEDY, "--allow-missing", "--results", "r.db"];
    let output = leyden(folder.path(), &[&words[..], &LIMITS].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("left out: gone"), "{}", stderr(&output));
    let standings = stdout(&output);
    let (ranked, left_out) = standings.split_once("Left out: ").unwrap();
    assert!(
        ranked.contains("greedy") && !ranked.contains("gone") && left_out.starts_with("gone: "),
        "{standings}"
    );
}

/// The results files of a folder.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_file() && path.extension().is_some_and(|kind| kind == "db")).collect()
}

#[test]
fn stdout_carries_data_and_stderr_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["match", RANDOM, GREEDY, "--json", "--seed", "x", "--blocks", "2"];
    let output = leyden(folder.path(), &[&words[..], &LIMITS].concat());
    assert_eq!(output.status.code(), Some(0));
    let events: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["start", "match", "match", "match", "match", "versus", "end"]);
    assert!(stderr(&output).contains("a bot could guess a typed seed"), "{}", stderr(&output));
    assert!(
        !stdout(&output).contains('\u{1b}') && !stderr(&output).contains('\u{1b}'),
        "no terminal, no animation"
    );
    // No file was named: it goes to the user's state, and this is reported; nothing is left here.
    let state = files(&folder.path().join("leyden"));
    let [file] = &state[..] else { panic!("one results file with the user's state: {state:?}") };
    assert!(stderr(&output).contains(&format!("results in {}", file.display())), "{}", stderr(&output));
    assert_eq!(files(folder.path()), Vec::<std::path::PathBuf>::new());
    let quiet = leyden(folder.path(), &[&["match", RANDOM, GREEDY, "--quiet"], &LIMITS[..]].concat());
    assert_eq!(stderr(&quiet), "");
}

/// The records of a run, in schedule order, without what depends on the moment.
fn records(folder: &Path, words: &[&str]) -> Vec<serde_json::Value> {
    let output = leyden(folder, &[words, &LIMITS].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let mut events: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    events.retain(|event| event["event"] == "match");
    events.sort_by_key(|event| event["rank"].as_u64());
    for event in &mut events {
        let record = event["record"].as_object_mut().unwrap();
        record.retain(|field, _| field != "think_us" && field != "host");
    }
    events
}

#[test]
fn results_are_independent_of_jobs_and_fresh_processes() {
    let folder = tempfile::tempdir().unwrap();
    let words = |more: &[&'static str]| {
        let fixed =
            ["tournament", RANDOM, GREEDY, "builtin:careful", "--seed", "same", "--json", "--blocks", "3"];
        [&fixed, more].concat()
    };
    let one = records(folder.path(), &words(&["--jobs", "1", "--results", "1.db"]));
    assert_eq!(one.len(), 18);
    assert_eq!(one, records(folder.path(), &words(&["--jobs", "4", "--results", "4.db"])));
    assert_eq!(one, records(folder.path(), &words(&["--jobs", "2", "--fresh", "--results", "f.db"])));
}

#[test]
fn typed_options_override_those_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let config = "bots = [\"builtin:random\", \"builtin:greedy\"]\nblocks = 2\nrules = \"senst\"\nseed = \"file\"\n\
                  turn = \"2s\"\nresults = \"from-file.db\"\nfresh = true\n";
    fs::write(folder.path().join("cup.toml"), config).unwrap();
    let played =
        records(folder.path(), &["tournament", "--config", "cup.toml", "--rules", "leiden", "--json"]);
    assert_eq!(played.len(), 4);
    assert_eq!(played[0]["record"]["rules"]["name"], "leiden");
    assert!(folder.path().join("from-file.db").exists());

    // Typed bots play instead of those of the file, which is reported.
    let words = ["tournament", RANDOM, "builtin:careful", "--config", "cup.toml", "--results", "typed.db"];
    let typed = leyden(folder.path(), &[&words[..], &LIMITS].concat());
    assert!(typed.status.success(), "{}", stderr(&typed));
    let said = "the bots on the command line replace those of the configuration";
    assert!(stderr(&typed).contains(said), "{}", stderr(&typed));
    assert!(stdout(&typed).contains("careful") && !stdout(&typed).contains("greedy"), "{}", stdout(&typed));
}

#[test]
fn empty_or_unprintable_seed_is_refused_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("two"), "secret\ndraw\n").unwrap();
    fs::write(at.join("one"), "secret draw\r\n").unwrap();
    fs::write(at.join("empty.toml"), "seed = \"\"\n").unwrap();
    fs::write(at.join("lines.toml"), "seed-file = \"two\"\n").unwrap();
    fs::write(at.join("one.toml"), "seed-file = \"one\"\n").unwrap();
    let play = |command: &str, words: &[&str]| {
        leyden(
            at,
            &[&[command, RANDOM, GREEDY, "--sandbox", "none", "--results", "r.db"][..], words, &LIMITS]
                .concat(),
        )
    };
    let (lines, empty) = ("the seed has a line break in it", "the seed is empty, and anybody could guess it");
    for (words, says) in [
        (&["--seed", "secret\ndraw"][..], lines),
        (&["--seed-file", "two"], lines),
        (&["--config", "lines.toml"], lines),
        (&["--seed", ""], empty),
        // As "$SEED" expands if the variable is not set: it must not override the file.
        (&["--seed", "", "--config", "one.toml"], empty),
        (&["--config", "empty.toml"], empty),
        (&["--seed", "a\tb"], "the character U+0009 in it"),
    ] {
        for command in ["tournament", "match", "gate"] {
            let refused = play(command, words);
            assert_eq!(refused.status.code(), Some(2), "{command} {words:?}: {}", stderr(&refused));
            assert!(stderr(&refused).contains(says), "{command} {words:?}: {}", stderr(&refused));
        }
    }
    assert!(!at.join("r.db").exists());
    let played = play("match", &["--config", "one.toml"]);
    assert!(stderr(&played).ends_with("seed text: secret draw\n"), "{}", stderr(&played));
}

#[test]
fn resumed_tournament_plays_exactly_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let fixed = ["tournament", RANDOM, GREEDY, "--seed", "r", "--json", "--results"];
    let whole = records(at, &[&fixed[..], &["whole.db", "--blocks", "3"]].concat());
    let first = records(at, &[&fixed[..], &["part.db", "--blocks", "1"]].concat());
    let rest = records(at, &[&fixed[..], &["part.db", "--blocks", "3", "--resume"]].concat());
    assert_eq!(whole, [first, rest].concat());
    let nothing = records(at, &[&fixed[..], &["part.db", "--blocks", "3", "--resume"]].concat());
    assert_eq!(nothing, Vec::<serde_json::Value>::new());
    let other = leyden(
        at,
        &[&fixed[..], &["part.db", "--blocks", "3", "--resume", "--turn", "9s", "--startup", "100s"]]
            .concat(),
    );
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("turn_ms: in the file 100000, now 9000"), "{}", stderr(&other));
}

#[test]
fn schemas_are_valid_and_pages_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["message", "record", "config"] {
        let schema = leyden(folder.path(), &["schema", name]);
        jsonschema::validator_for(&serde_json::from_str(&stdout(&schema)).unwrap()).expect(name);
    }
    for words in [
        &["completions", "bash"][..],
        &["rules"],
        &["rules", "matador", "--seats", "4"],
        &["help"],
        &["--version"],
    ] {
        let output = leyden(folder.path(), words);
        assert!(output.status.success() && !output.stdout.is_empty(), "{words:?}: {}", stderr(&output));
    }
    assert!(leyden(folder.path(), &["man", "."]).status.success());
    assert!(folder.path().join("leyden-tournament.1").is_file());
}

#[test]
fn rules_page_fits_the_terminal_columns() {
    let folder = tempfile::tempdir().unwrap();
    let lines = |columns: &str| {
        let words = ["rules", "matador", "--seats", "5", "--set", "9"];
        let output = command(folder.path(), &words).env("COLUMNS", columns).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).lines().map(|line| line.chars().count()).collect::<Vec<_>>()
    };
    let (narrow, wide, unknown) = (lines("40"), lines("90"), lines("many"));
    assert!(narrow.iter().all(|&columns| columns <= 40));
    assert!(wide.iter().all(|&columns| columns <= 90) && wide.iter().any(|&columns| columns > 80));
    assert!(unknown.iter().all(|&columns| columns <= 80) && unknown.len() < narrow.len());
}

/// A user who owns nothing.
const NOBODY: u32 = 65_534;

/// Root may read and write everywhere, so the arena is run by another user then.
fn as_ordinary_user(at: &Path, words: &[&str]) -> io::Result<Output> {
    let mut command = command(at, words);
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY).env("HOME", "/nonexistent");
    }
    command.output()
}

#[test]
#[allow(clippy::print_stderr, reason = "says what was not tested")]
fn class_closed_to_the_grader_gets_no_grades() {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let at = folder.path();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(at, 0o755);
    for bot in ["class/ann", "class/bob"] {
        write_bot(at, bot, "name = \"bot\"\ncommand = [\"sh\"]\n");
        fs::write(at.join(bot).join("weights"), "").unwrap();
        mode(&at.join(bot).join("weights"), 0o000);
    }
    for bot in ["all/ann", "all/bob"] {
        write_bot(at, bot, "name = \"bot\"\ncommand = [\"sh\"]\n");
        mode(&at.join(bot), 0o000);
    }
    fs::write(at.join("all/cy.zip"), "").unwrap();
    mode(&at.join("all/cy.zip"), 0o000);
    if !as_ordinary_user(at, &["--version"]).is_ok_and(|output| output.status.success()) {
        eprintln!("untested: an ordinary user cannot run {}", env!("CARGO_BIN_EXE_leyden"));
        return;
    }
    let graded = |class: &str| {
        let output = as_ordinary_user(at, &["grade", class, "--sandbox", "none"]).unwrap();
        assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
        stderr(&output)
    };
    let said = graded("class");
    assert!(said.contains("ann (class/ann): cannot read weights: Permission denied"), "{said}");
    let said = graded("all");
    for bot in ["ann", "bob", "cy.zip"] {
        assert!(said.contains(&format!("{bot} (all/{bot})")), "{said}");
        fs::set_permissions(at.join("all").join(bot), fs::Permissions::from_mode(0o755)).ok();
    }
}

#[test]
#[allow(clippy::print_stderr, reason = "says what was not tested")]
fn read_only_folder_allows_reading_but_refuses_playing() {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let at = folder.path();
    let play = ["match", RANDOM, GREEDY, "--sandbox", "none", "--seed", "x", "--results"];
    let first = leyden(at, &[&play[..], &["r.db"], &LIMITS].concat());
    assert!(first.status.success(), "{}", stderr(&first));
    let whole = stdout(&leyden(at, &["standings", "r.db"]));
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&at.join("r.db"), 0o444);
    mode(at, 0o555);
    let as_ordinary_user = |words: &[&str]| as_ordinary_user(at, words);
    if !as_ordinary_user(&["--version"]).is_ok_and(|output| output.status.success()) {
        eprintln!(
            "untested: a folder where nothing may be written; an ordinary user cannot run {}",
            env!("CARGO_BIN_EXE_leyden")
        );
        mode(at, 0o755);
        return;
    }
    let read = as_ordinary_user(&["standings", "r.db"]).unwrap();
    let new = as_ordinary_user(&[&play[..], &["new.db"], &LIMITS].concat()).unwrap();
    let resumed =
        as_ordinary_user(&[&play[..], &["r.db", "--blocks", "2", "--resume"], &LIMITS].concat()).unwrap();
    mode(at, 0o755);
    mode(&at.join("r.db"), 0o000);
    for command in ["verify", "standings", "matches", "replay", "luck", "export"] {
        let closed = as_ordinary_user(&[command, "r.db"]).unwrap();
        let said = stderr(&closed);
        assert!(closed.status.code() == Some(5) && said.contains("r.db"), "{command}: {said}");
    }
    assert_eq!(stdout(&read), whole, "{}", stderr(&read));
    for refused in [new, resumed] {
        assert_eq!(refused.status.code(), Some(5), "{}", stderr(&refused));
        let said = stderr(&refused).to_lowercase();
        assert!(said.contains("permission denied"), "{said}");
        assert!(refused.stdout.is_empty());
    }
    let mut left: Vec<_> = fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.retain(|name| name != "leyden"); // the user's state
    assert_eq!(left, ["r.db"]);
}

#[test]
fn fault_report_gives_author_a_working_replay_command() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Reports ready, then answers each turn with nonsense.
    let bot = "sh -c 'read hello; echo {\\\"type\\\":\\\"ready\\\",\\\"protocol\\\":\\\"1.0\\\",\\\"name\\\":\\\"x\\\"}; \
               while read -r line; do case $line in *turn*legal*) echo nonsense;; esac; done'";
    let words = [
        "match",
        bot,
        RANDOM,
        "--sandbox",
        "none",
        "--seed",
        "x",
        "--blocks",
        "3",
        "--results",
        "my file.db",
    ];
    let output = leyden(at, &[&words[..], &LIMITS].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = stderr(&output);
    assert!(shown.contains("lost 6 matches (malformed)") && shown.contains("  and 3 more"), "{shown}");
    let command = shown.lines().find_map(|line| line.trim().strip_prefix("see it: leyden ")).expect(&shown);
    assert!(command.starts_with("replay 'my file.db' "), "{command}");
    // As it was printed, it shows the match.
    let mut run = Command::new("sh");
    run.arg("-c").arg(format!("\"$0\" {command}")).arg(env!("CARGO_BIN_EXE_leyden")).current_dir(at);
    let replayed = run.output().unwrap();
    assert!(replayed.status.success(), "{}", stderr(&replayed));
    assert!(stdout(&replayed).contains("lost by a fault: malformed"), "{}", stdout(&replayed));
    assert!(!shown.contains("FILE"), "{shown}");
    let whole = leyden(at, &["replay", "my file.db"]);
    assert!(stdout(&whole).contains(" saw it: leyden replay 'my file.db' "), "{}", stdout(&whole));
}

#[test]
fn withdrawn_bot_is_named_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "dead", "name = \"dead\"\ncommand = [\"false\"]\n");
    let words = ["match", "dead", RANDOM, "--sandbox", "none", "--blocks", "9", "--jobs", "1", "--results"];
    let output = leyden(at, &[&words[..], &["a.db"], &LIMITS].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let said = "dead is no longer started after 3 start failures in a row; its other matches count as lost";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("dead was no longer started after 3 start failures in a row (handshake)")
    );
    assert!(stdout(&output).contains("18 handshake"), "{}", stdout(&output));
    let output = leyden(at, &[&words[..], &["b.db", "--json"], &LIMITS].concat());
    let events: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let withdrawn: Vec<_> = events.iter().filter(|event| event["event"] == "withdrawn").collect();
    assert_eq!(withdrawn.len(), 1);
    assert_eq!((&withdrawn[0]["bot"], &withdrawn[0]["code"]), (&"dead".into(), &"handshake".into()));
    assert_eq!(events.last().unwrap()["withdrawn"], serde_json::json!(["dead"]));
    let lost = events.iter().filter(|event| event["record"]["fault"]["code"] == "handshake").count();
    assert_eq!(lost, 18);
    let verified = leyden(at, &["verify", "b.db"]);
    assert!(verified.status.success(), "{}", stderr(&verified));
}

#[test]
fn configuration_may_come_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let typed = |config: &str| {
        let words = ["tournament", "--config", "-", "--quiet", "--sandbox", "none"];
        let mut arena = command(folder.path(), &[&words[..], &LIMITS].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        arena.stdin.take().unwrap().write_all(config.as_bytes()).unwrap();
        arena.wait_with_output().unwrap()
    };
    let bots = "bots = [\"builtin:random\", \"builtin:greedy\"]\n";
    let played = typed(&format!("{bots}blocks = 3\nrules = \"senst\"\nresults = \"cup.db\"\n"));
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    let standings = leyden(folder.path(), &["standings", "cup.db", "--json"]);
    let standings: serde_json::Value = serde_json::from_slice(&standings.stdout).unwrap();
    assert_eq!((&standings["matches"]["played"], &standings["rules"]["name"]), (&6.into(), &"senst".into()));
    let refused = typed(&format!("{bots}blokcs = 3\n"));
    let said = stderr(&refused);
    assert!(refused.status.code() == Some(2) && said.contains("blokcs") && said.contains("line 2"), "{said}");
}

#[test]
fn extra_words_with_init_are_not_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (words, expected) in [
        (&["tournament", "--init", "my cup.toml"][..], "leyden tournament --init > 'my cup.toml'"),
        (&["tournament", "--init", "--blocks", "3"], "but got --blocks 3"),
    ] {
        let refused = leyden(at, words);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(refused.status.code() == Some(2) && said.contains(expected), "{words:?}: {said}");
        assert!(refused.stdout.is_empty());
    }
    let printed = leyden(at, &["tournament", "--init"]);
    let example = String::from_utf8(printed.stdout).unwrap();
    assert!(printed.status.success() && example.contains("Never use a text twice"), "{example}");
    let help = String::from_utf8(leyden(at, &["help", "gate"]).stdout).unwrap();
    let takes = |option| help.lines().any(|line| line.trim_start().starts_with(option));
    assert!(takes("--seed") && !takes("--replace") && !takes("--blocks"), "{help}");
}
