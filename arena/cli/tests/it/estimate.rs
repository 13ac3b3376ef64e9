//! `--estimate`: how long a run would take, according to matches that do not count.

use std::fs;
use std::path::Path;

use crate::program::{leyden, text};

const PATIENT: [&str; 8] = ["--turn", "100s", "--startup", "100s", "--sandbox", "none", "--jobs", "2"];

fn files(at: &Path) -> usize {
    fs::read_dir(at).unwrap().count()
}

#[test]
fn estimate_shows_duration_and_precision_and_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let three = ["builtin:random", "builtin:greedy", "builtin:careful"];
    for (words, says) in [
        (
            [&["tournament"], &three[..], &["--blocks", "400"]].concat(),
            &["2400 matches, 2 at once: about ", "400 blocks would leave intervals of ±"][..],
        ),
        (
            [&["match"], &three[..2], &["--blocks", "30", "--results", "r.db"]].concat(),
            &["60 matches, 2 at once: about ", "30 blocks would measure their difference to ±"],
        ),
        (
            [&["gate"], &three[..2], &["--max-pairs", "700", "--max-time", "1ms"]].concat(),
            &[
                "1400 matches at most, 2 at once: about ",
                " at most, estimated from ",
                "and after 0 s (--max-time) at the latest",
            ],
        ),
    ] {
        let printed = leyden(at, &[&words[..], &PATIENT, &["--estimate"]].concat());
        let (out, said) = (text(&printed.stdout), text(&printed.stderr));
        assert_eq!(printed.status.code(), Some(0), "{words:?}: {said}");
        for expected in says.iter().chain(&[" matches on other deals that took "]) {
            assert!(out.contains(expected), "{expected}: {out}");
        }
        assert!(said.contains("timing matches") && !said.contains("seed"), "{said}");
        assert_eq!(files(at), 0, "{words:?} has kept something");
    }
    let refused = leyden(at, &[&["tournament"], &three[..], &["--estimate", "--json"]].concat());
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stdout));
}

#[test]
fn test_of_two_bots_is_planned() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let two = ["builtin:random", "builtin:greedy"];
    let gate = leyden(at, &[&["gate"], &two[..], &PATIENT, &["--plan", "--json"]].concat());
    let printed: serde_json::Value =
        serde_json::from_slice(&gate.stdout).unwrap_or_else(|_| panic!("{}", text(&gate.stderr)));
    let strengths = printed["gate"]["plain"]["strengths"].as_array().unwrap();
    let ends = |at: &serde_json::Value| -> f64 {
        ["accepted", "rejected", "undecided"].map(|end| at[end].as_f64().unwrap()).iter().sum()
    };
    assert!(strengths.len() == 5 && strengths.iter().all(|at| (ends(at) - 1.0).abs() < 1e-9), "{printed:#}");
    let printed = leyden(at, &[&["match"], &two[..], &PATIENT, &["--plan", "--blocks", "50"]].concat());
    let out = text(&printed.stdout);
    assert!(out.contains("told apart (p < 0.05) %") && out.contains("50 pairs, "), "{out}");
    assert_eq!(files(at), 0, "it has kept something");
    let refused = leyden(at, &[&["tournament"], &two[..], &["--plan"]].concat());
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stdout));
}

#[test]
fn faults_are_reported_with_their_bots() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let printed = leyden(at, &[&["match", "false", "builtin:random", "--estimate"], &PATIENT[..]].concat());
    let out = text(&printed.stdout);
    assert!(printed.status.success() && out.contains(" ended by a fault: false "), "{out}");
}
