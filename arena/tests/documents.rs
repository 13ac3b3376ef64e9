//! What commands print with `--json` is what `leyden schema` says of it.

mod program;

use std::fs;
use std::path::Path;
use std::process::Output;

use leyden_protocol::RulesName;
use program::{leyden, text};
use serde_json::Value;

const PATIENT: [&str; 6] = ["--turn", "100s", "--startup", "100s", "--sandbox", "none"];

#[track_caller]
fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[track_caller]
fn assert_described(folder: &Path, schema: &str, document: &Value) {
    let schema: Value = serde_json::from_str(&stdout(&leyden(folder, &["schema", schema]))).unwrap();
    // A schema that says nothing would be true of everything.
    assert!(schema["properties"].as_object().is_some_and(|fields| !fields.is_empty()), "{schema:#}");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{document:#}");
}

/// Plays two matches into `r.db`.
fn play(at: &Path) {
    let words =
        ["match", "builtin:random", "builtin:greedy", "--results", "r.db", "--seed", "s", "--target", "30"];
    stdout(&leyden(at, &[&words[..], &PATIENT].concat()));
}

#[test]
fn what_verifying_came_to_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    play(at);
    let good: Value = serde_json::from_str(&stdout(&leyden(at, &["verify", "r.db", "--json"]))).unwrap();
    assert_described(at, "verify", &good);
    assert_eq!(
        (&good["verified"], &good["matches"], &good["wrong"]),
        (&true.into(), &2.into(), &Value::Null)
    );

    // One record that gives somebody a better score, the second of an export.
    let records = stdout(&leyden(at, &["export", "r.db"]));
    let (first, second) = records.split_once('\n').unwrap();
    let mut changed: Value = serde_json::from_str(second).unwrap();
    changed["scores"][0] = 1.into();
    fs::write(at.join("changed.jsonl"), format!("{first}\n{changed}\n")).unwrap();
    let refused = leyden(at, &["verify", "changed.jsonl", "--json"]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
    let bad: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_described(at, "verify", &bad);
    assert_eq!((&bad["verified"], &bad["matches"]), (&false.into(), &1.into()));
    let wrong = &bad["wrong"];
    assert_eq!(wrong["of"], format!("match {}", changed["match"].as_str().unwrap()), "{wrong:#}");
    assert!(wrong["what"].is_string() && wrong["expected"] != wrong["found"], "{wrong:#}");
    // Without --json it is told in the same words.
    let told = leyden(at, &["verify", "changed.jsonl"]);
    assert_eq!(told.status.code(), Some(1));
    assert_eq!(text(&told.stderr).trim(), format!("leyden: {}", wrong["message"].as_str().unwrap()));
}

#[test]
fn what_a_machine_offers_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let told: Value = serde_json::from_str(&stdout(&leyden(at, &["doctor", "--json"]))).unwrap();
    assert_described(at, "doctor", &told);
    let levels = told["levels"].as_array().unwrap();
    let names: Vec<&str> = levels.iter().map(|tried| tried["level"].as_str().unwrap()).collect();
    assert_eq!(names, ["full", "jail", "restrict", "none"]);
    for failed in levels.iter().filter(|tried| tried["outcome"] == "failed") {
        assert!(failed["reason"].is_string() && failed["remedy"].is_string(), "{failed:#}");
    }
    let best = levels
        .iter()
        .find(|tried| tried["outcome"] == "passed")
        .map_or("none", |tried| tried["level"].as_str().unwrap());
    assert_eq!(told["auto"], best);
    // A very busy machine may offer less at one moment than at another.
    let mut texts = (0..20).map(|_| stdout(&leyden(at, &["doctor"])));
    let text = texts.find(|text| text.contains(&format!("--sandbox auto takes {best}")));
    let text = text.unwrap_or_else(|| panic!("{best}: {}", stdout(&leyden(at, &["doctor"]))));
    assert!(text.contains("python3"), "{text}");
}

#[test]
fn rule_sets_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let one: Value = serde_json::from_str(&stdout(&leyden(at, &["rules", "matador", "--json"]))).unwrap();
    assert_described(at, "rules", &one);
    let all: Value = serde_json::from_str(&stdout(&leyden(at, &["rules", "--json"]))).unwrap();
    assert_eq!(all.as_array().unwrap().len(), RulesName::ALL.len());
    for rules in all.as_array().unwrap() {
        assert_described(at, "rules", rules);
    }
}

/// A wrong name is the usage, damage is the answer no; whatever else the system refuses is exit code 5 (`cli/exit.rs`).
#[test]
fn a_file_that_cannot_be_read_has_the_exit_code_of_its_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    play(at);
    fs::write(at.join("letter.db"), "Dear all,\n").unwrap();
    fs::create_dir(at.join("folder.db")).unwrap();
    for words in [
        &["verify"][..],
        &["standings"],
        &["matches"],
        &["replay"],
        &["luck"],
        &["export"],
        &["compare", "r.db"],
        &["report", "--out", "pages"],
    ] {
        for file in ["gone.db", "letter.db", "folder.db"] {
            let refused = leyden(at, &[words, &[file]].concat());
            let said = text(&refused.stderr);
            assert_eq!(refused.status.code(), Some(2), "{words:?} {file}: {said}");
            assert!(said.contains(file) && refused.stdout.is_empty(), "{words:?} {file}: {said}");
        }
    }
    assert!(!at.join("pages").exists());
    // What was stored is overwritten behind the first pages, by which the file is known.
    let mut bytes = fs::read(at.join("r.db")).unwrap();
    let behind = bytes.len() / 4;
    bytes[behind..].fill(0xaa);
    fs::write(at.join("damaged.db"), bytes).unwrap();
    let told = leyden(at, &["verify", "damaged.db"]);
    let said = text(&told.stderr);
    assert!(told.status.code() == Some(1) && said.contains("damaged.db is damaged"), "{said}");
    let told = leyden(at, &["verify", "damaged.db", "--json"]);
    assert_eq!(told.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_described(at, "verify", &told);
    assert_eq!((&told["verified"], &told["wrong"]["of"]), (&false.into(), &"the file".into()));
}
