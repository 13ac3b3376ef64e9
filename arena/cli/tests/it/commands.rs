//! In GitHub Actions a line may be a command to the runner. Nothing that a bot or a file says becomes one.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::program::{PATIENT, command, text};

/// The program as a step of GitHub Actions.
fn leyden(folder: &Path, words: &[&str]) -> Output {
    let mut command = command(folder, words);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
    command.output().unwrap()
}

/// What a malicious bot says.
const COMMANDS: &str = "::error::own\\n  ::stop-commands::x\\n##[add-mask]y\\na ##[group]z\\r::warning::w";

/// A bot that says it everywhere: in its name, its greeting, on standard error, in its answer, its build, and its folder's
/// names.
fn hand_in(at: &Path) {
    let folder = at.join("class/::notice::folder");
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("bot.py"),
        format!(
            "import json, sys\nsaid = '{COMMANDS}'\nprint(said, file=sys.stderr, flush=True)\n\
             print(json.dumps({{'type': 'ready', 'protocol': '1.0', 'name': said}}), flush=True)\n\
             for line in sys.stdin:\n    if '\"turn\"' in line:\n        print(json.dumps({{'type': said, 'note': said}}), flush=True)\n"
        ),
    )
    .unwrap();
    let manifest = "name = \"::error::bot ##[group]\"\nauthor = \"##[group]author\"\ncommand = [\"python3\", \"bot.py\"]\n";
    fs::write(folder.join("bot.toml"), manifest).unwrap();
    fs::create_dir_all(at.join("class/##[group]none\n::error::line")).unwrap();
    let failing = "name = \"failing\"\ncommand = [\"build/x\"]\nbuild = [\"sh\", \"-c\", \"printf '::error::built\\\\n##[group]b\\\\n'; exit 1\"]\n";
    fs::create_dir_all(at.join("class/failing")).unwrap();
    fs::write(at.join("class/failing/bot.toml"), failing).unwrap();
}

/// Asserts that each line that a runner would take for a command is one of the arena's own.
#[track_caller]
fn assert_harmless(words: &[&str], output: &Output) {
    let all = text(&[&output.stdout[..], &output.stderr].concat());
    assert!(!all.contains("##["), "{words:?}: {all}");
    for line in all.split(['\n', '\r']).filter(|line| line.trim_start().starts_with("::")) {
        let own = ["::error title=", "::warning title=", "::notice title="];
        assert!(own.iter().any(|own| line.starts_with(own)), "{words:?}: {line:?}");
    }
    assert!(!all.contains("panicked"), "{words:?}: {all}");
}

#[test]
fn text_of_others_becomes_no_command() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    let bot = "class/::notice::folder";
    let runs: [(&[&str], &[i32]); 5] = [
        (&["tournament", "class", "builtin:random"], &[3]),
        (
            &["tournament", "class", "builtin:random", "--allow-missing", "--results", "r.db", "--seed", "s"],
            &[0],
        ),
        (&["match", bot, "builtin:random", "--json", "--junit", "m.xml", "--results", "m.db"], &[0]),
        (&["gate", bot, "builtin:random", "--results", "g.db", "--junit", "g.xml"], &[1]),
        (&["check", bot, "--only", "opening"], &[0, 1, 5]),
    ];
    for (words, codes) in runs {
        let output = leyden(at, &[words, &PATIENT].concat());
        assert_harmless(words, &output);
        let code = output.status.code().unwrap();
        assert!(codes.contains(&code), "{words:?}: {code} {}", String::from_utf8_lossy(&output.stderr));
    }
    let first = String::from_utf8(leyden(at, &["matches", "r.db", "--json"]).stdout).unwrap();
    let first: serde_json::Value = serde_json::from_str(&first).unwrap();
    let id = first["matches"][0]["match"].as_str().unwrap().to_owned();
    for words in [
        &["standings", "r.db"][..],
        &["standings", "r.db", "--json"],
        &["standings", "r.db", "--csv"],
        &["standings", "g.db"],
        &["matches", "r.db"],
        &["matches", "r.db", "--json"],
        &["export", "r.db"],
        &["replay", "r.db", &id],
        &["transcript", "r.db", &id, "--seat", "0"],
        &["verify", "r.db"],
        &["compare", "r.db", "r.db"],
        &["check", "class"],
        &["grade", "class/failing", "--sandbox", "none"],
        // What is typed may be the name of somebody's folder.
        &["check", "a", "b\n::error::typed ##[group]"],
        &["standings", "x\n::error::typed ##[group]"],
    ] {
        assert_harmless(words, &leyden(at, words));
    }
    let summary = fs::read_to_string(at.join("summary.md")).unwrap();
    assert!(summary.contains("### Standings") && !summary.contains("<script"), "{summary}");
}

#[test]
fn pause_is_refused_where_runners_obey_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let output = leyden(folder.path(), &["rerun", "r.db", "4f2a", "bot", "--pause", "0.1"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("GitHub Actions would obey"), "{said}");
}
