//! The output of commands with `--json` matches what `leyden schema` says of it.

use std::fs;
use std::path::Path;

use crate::program::{PATIENT, assert_valid, leyden, printed as stdout, text};
use leyden_protocol::RulesName;
use serde_json::Value;

/// Plays two matches into `r.db`.
fn play(at: &Path) {
    let words =
        ["match", "builtin:random", "builtin:greedy", "--results", "r.db", "--seed", "s", "--target", "30"];
    stdout(&leyden(at, &[&words[..], &PATIENT].concat()));
}

#[test]
fn outcome_of_verify_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    play(at);
    let good: Value = serde_json::from_str(&stdout(&leyden(at, &["verify", "r.db", "--json"]))).unwrap();
    assert_valid(at, "verify", &good);
    assert_eq!(
        (&good["verified"], &good["matches"], &good["wrong"]),
        (&true.into(), &2.into(), &Value::Null)
    );

    // A record that gives a bot a better score, the second of an export.
    let records = stdout(&leyden(at, &["export", "r.db"]));
    let (first, second) = records.split_once('\n').unwrap();
    let mut changed: Value = serde_json::from_str(second).unwrap();
    changed["scores"][0] = 1.into();
    fs::write(at.join("changed.jsonl"), format!("{first}\n{changed}\n")).unwrap();
    let refused = leyden(at, &["verify", "changed.jsonl", "--json"]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
    let bad: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_valid(at, "verify", &bad);
    assert_eq!((&bad["verified"], &bad["matches"]), (&false.into(), &1.into()));
    let wrong = &bad["wrong"];
    assert_eq!(wrong["of"], format!("match {}", changed["match"].as_str().unwrap()), "{wrong:#}");
    assert!(wrong["what"].is_string() && wrong["expected"] != wrong["found"], "{wrong:#}");
    // Without --json it is reported in the same words.
    let printed = leyden(at, &["verify", "changed.jsonl"]);
    assert_eq!(printed.status.code(), Some(1));
    assert_eq!(text(&printed.stderr).trim(), format!("leyden: {}", wrong["message"].as_str().unwrap()));
}

/// Matches that anybody can play under their own seed, and pass off as those of another tournament.
#[test]
fn verify_detects_forged_seeds_or_reports_them_uncompared() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    play(at);
    let forged =
        ["match", "builtin:random", "builtin:greedy", "--results", "f.db", "--seed", "f", "--target", "30"];
    stdout(&leyden(at, &[&forged[..], &PATIENT].concat()));
    let exported = |file| stdout(&leyden(at, &["export", file]));
    let id = |records: &str| {
        let first: Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
        first["tournament"].as_str().unwrap().to_owned()
    };
    let (good, forged) = (exported("r.db"), exported("f.db"));
    let forged = forged.replace(&id(&forged), &id(&good));
    fs::write(at.join("good.jsonl"), &good).unwrap();
    fs::write(at.join("forged.jsonl"), &forged).unwrap();
    fs::write(at.join("seed"), "s\n").unwrap();

    let standings: Value =
        serde_json::from_str(&stdout(&leyden(at, &["standings", "r.db", "--json"]))).unwrap();
    let commitment = standings["commitment"].as_str().unwrap();
    assert_eq!(standings["seed"], "s");
    let printed = stdout(&leyden(at, &["standings", "r.db"]));
    assert!(printed.contains(&format!("seed commitment {commitment}\nseed text: s\n")), "{printed}");

    let verify = |words: &[&str]| {
        let ran = leyden(at, &[&["verify"], words].concat());
        (ran.status.code(), text(&ran.stdout) + &text(&ran.stderr))
    };
    let other = commitment.replace(|digit: char| digit.is_ascii_digit(), "a");
    let own = "every match's seed follows from the seed text";
    for (words, code, says) in [
        (&["r.db"][..], 0, own),
        (&["r.db"], 0, "seed text: s"),
        (&["r.db", "--commitment", commitment], 0, ", as you typed it"),
        (&["r.db", "--commitment", &other], 1, "the seed text does not match the commitment"),
        (&["r.db", "--seed", "S"], 1, "the seed text that was typed does not match the commitment"),
        (&["good.jsonl"], 0, "match seeds were not compared with the commitment: an export does not hold it"),
        (
            &["good.jsonl", "--commitment", commitment],
            0,
            "match seeds were not compared with the commitment: the seed",
        ),
        (&["good.jsonl", "--commitment", &other], 1, "the tournament, which follows from the commitment"),
        (&["good.jsonl", "--seed", "s", "--commitment", commitment], 0, own),
        (&["good.jsonl", "--seed-file", "seed"], 0, "published before the first match (--commitment HEX)"),
        (&["good.jsonl", "--seed", "s "], 1, "one that was changed gives another"),
        (
            &["good.jsonl", "--seed", "s ", "--commitment", commitment],
            1,
            "Every character of a seed text counts",
        ),
        (&["forged.jsonl"], 0, "match seeds were not compared"),
        (&["forged.jsonl", "--seed", "s", "--commitment", commitment], 1, "the match seed, which follows"),
        (&["good.jsonl", "--commitment", "4f2a"], 2, "64 hex digits"),
    ] {
        let (found, said) = verify(words);
        assert!(found == Some(code) && said.contains(says), "{words:?}: {found:?} {said}");
    }
    for (words, compared) in [(&["good.jsonl"][..], false), (&["good.jsonl", "--seed", "s"], true)] {
        let ran = leyden(at, &[&["verify", "--json"], words].concat());
        let printed: Value = serde_json::from_str(&stdout(&ran)).unwrap();
        assert_valid(at, "verify", &printed);
        assert_eq!(printed["seeds_compared"], compared);
        assert_eq!(printed["commitment"].as_str(), compared.then_some(commitment));
    }

    // Another seed text in the results file, next to the recorded commitment.
    let edited = rusqlite::Connection::open(at.join("r.db")).unwrap();
    edited.execute("UPDATE tournament SET value = '\"t\"' WHERE name = 'seed'", []).unwrap();
    drop(edited);
    let (code, said) = verify(&["r.db"]);
    assert!(code == Some(1) && said.contains("the seed text does not match the commitment"), "{said}");
}

/// Its results can be read, but what follows from the rules cannot.
#[test]
fn verify_and_replay_refuse_another_edition_of_rules() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    play(at);
    let edited = rusqlite::Connection::open(at.join("r.db")).unwrap();
    edited.execute("UPDATE tournament SET value = '1' WHERE name = 'rules_edition'", []).unwrap();
    drop(edited);
    stdout(&leyden(at, &["standings", "r.db"]));
    let exported = stdout(&leyden(at, &["export", "r.db"]));
    assert_eq!(exported.matches(r#""rules_edition":1,"#).count(), 2, "{exported}");
    fs::write(at.join("r.jsonl"), &exported).unwrap();
    let of_file =
        concat!("r.db holds matches by edition 1 of the rules, played by leyden ", env!("CARGO_PKG_VERSION"));
    let of_match = "was played by edition 1 of the rules, and this leyden plays edition 2";
    let first: Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
    let html = ["replay", "r.db", first["match"].as_str().unwrap(), "--html", "page.html"];
    let resumed =
        [&["match", "builtin:random", "builtin:greedy", "--resume", "--results", "r.db"], &PATIENT[..]]
            .concat();
    for (words, code, says) in [
        (&["verify", "r.db"][..], 2, of_file),
        (&["verify", "r.db", "--json"], 2, of_file),
        (&["replay", "r.db"], 2, of_file),
        (&["luck", "r.db"], 2, of_file),
        (&html, 2, of_file),
        (&["verify", "r.jsonl"], 1, "the edition of the rules: expected 2, which this leyden plays, found 1"),
        (&["replay", "r.jsonl"], 2, of_match),
        (
            &resumed,
            2,
            "r.db was begun by a leyden with other rules or records, and can only be resumed by that one:",
        ),
    ] {
        let ran = leyden(at, words);
        let said = text(&ran.stderr);
        assert!(ran.status.code() == Some(code) && said.contains(says), "{words:?}: {:?} {said}", ran.status);
    }
}

/// Today a seed must be one visible line; older files may hold others.
#[test]
fn multiline_seed_is_quoted_for_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    play(at);
    let edited = rusqlite::Connection::open(at.join("r.db")).unwrap();
    let older = "it's a secret\n5 10";
    let seed = serde_json::json!(older).to_string();
    edited.execute("UPDATE tournament SET value = ? WHERE name = 'seed'", [seed]).unwrap();
    let commitment = leyden_model::TournamentSeed::from_text(older).commitment();
    let noted = serde_json::json!(commitment).to_string();
    edited.execute("UPDATE tournament SET value = ? WHERE name = 'commitment'", [noted]).unwrap();
    drop(edited);
    let printed = stdout(&leyden(at, &["standings", "r.db"]));
    let shown = r"seed text, quoted for the shell: $'it\'s a secret\n5 10'";
    assert!(printed.lines().any(|line| line == shown), "{printed}");
    // Such a file is verified as before; this one fails, because its matches were played with another seed.
    for words in [&["verify", "r.db"][..], &["verify", "r.db", "--seed", older]] {
        let said = leyden(at, words);
        assert_eq!(said.status.code(), Some(1), "{words:?}");
        let said = text(&said.stderr);
        assert!(said.contains("the deck, which follows from the seed"), "{words:?}: {said}");
    }
}

#[test]
fn abilities_of_a_machine_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let printed: Value = serde_json::from_str(&stdout(&leyden(at, &["doctor", "--json"]))).unwrap();
    assert_valid(at, "doctor", &printed);
    let levels = printed["levels"].as_array().unwrap();
    let names: Vec<&str> = levels.iter().map(|tried| tried["level"].as_str().unwrap()).collect();
    assert_eq!(names, ["full", "jail", "restrict", "none"]);
    for failed in levels.iter().filter(|tried| tried["outcome"] == "failed") {
        assert!(failed["reason"].is_string() && failed["remedy"].is_string(), "{failed:#}");
    }
    let best = levels
        .iter()
        .find(|tried| tried["outcome"] == "passed")
        .map_or("none", |tried| tried["level"].as_str().unwrap());
    assert_eq!(printed["auto"], best);
    // A very busy machine may offer less at one moment than at another.
    let mut texts = (0..20).map(|_| stdout(&leyden(at, &["doctor"])));
    let text = texts.find(|text| text.contains(&format!("--sandbox auto takes {best}")));
    let text = text.unwrap_or_else(|| panic!("{best}: {}", stdout(&leyden(at, &["doctor"]))));
    assert!(text.contains("python3"), "{text}");
}

#[test]
fn rule_sets_are_described() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let one: Value = serde_json::from_str(&stdout(&leyden(at, &["rules", "matador", "--json"]))).unwrap();
    assert_valid(at, "rules", &one);
    let all: Value = serde_json::from_str(&stdout(&leyden(at, &["rules", "--json"]))).unwrap();
    assert_eq!(all.as_array().unwrap().len(), RulesName::ALL.len());
    for rules in all.as_array().unwrap() {
        assert_valid(at, "rules", rules);
    }
}

/// A wrong name is a usage error, damage is the answer no; any other refusal by the system is exit code 5 (`cli/src/exit.rs`).
#[test]
fn exit_code_separates_wrong_names_from_damaged_files() {
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
    // The stored data is overwritten after the first pages, by which the file is recognised.
    let mut bytes = fs::read(at.join("r.db")).unwrap();
    let behind = bytes.len() / 4;
    bytes[behind..].fill(0xaa);
    fs::write(at.join("damaged.db"), bytes).unwrap();
    let printed = leyden(at, &["verify", "damaged.db"]);
    let said = text(&printed.stderr);
    assert!(printed.status.code() == Some(1) && said.contains("damaged.db is damaged"), "{said}");
    let printed = leyden(at, &["verify", "damaged.db", "--json"]);
    assert_eq!(printed.status.code(), Some(1));
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_valid(at, "verify", &printed);
    assert_eq!((&printed["verified"], &printed["wrong"]["of"]), (&false.into(), &"the file".into()));
}
