//! The protocol's page says how deals follow from a seed: its program prints the stated output, and what the arena deals. It
//! also says how to make a seed that nobody can choose: its lines do that as they are.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use leyden_model::TournamentSeed;
use leyden_tests::program;

const PAGE: &str = include_str!("../../protocol/README.md");

/// The text of the first such code block after a heading.
fn fenced<'a>(heading: &str, fence: &str) -> &'a str {
    let (_, behind) = PAGE.split_once(heading).expect(heading);
    let (_, text) = behind.split_once(&format!("```{fence}\n")).expect(fence);
    text.split_once("```").expect("its end").0
}

const HEADING: &str = "## Deals that anybody can recompute";

#[test]
fn page_commands_play_with_a_copyable_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    // The program as the page calls it, with limits that no bot reaches, however busy the machine is.
    fs::create_dir(at.join("bin")).expect("a folder");
    let patient = "--turn 100s --startup 100s --sandbox none --allow-builtins --results cup.db";
    let script = format!("#!/bin/sh\nexec '{}' \"$@\" {patient}\n", program("leyden").display());
    fs::write(at.join("bin/leyden"), script).expect("a program");
    fs::set_permissions(at.join("bin/leyden"), fs::Permissions::from_mode(0o755)).expect("it runs");
    for bot in ["random", "greedy"] {
        let submission = at.join("submissions").join(bot);
        fs::create_dir_all(&submission).expect("a folder");
        let manifest = format!("name = \"{bot}\"\ncommand = [\"leyden\", \"bot\", \"{bot}\"]\n");
        fs::write(submission.join("bot.toml"), manifest).expect("a manifest");
    }
    fs::write(at.join("draw"), "5 10 15\n20 25 30\n").expect("a draw");
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", at.join("bin").display());
    let run = |program: &str, words: &[&str]| {
        let ran =
            Command::new(program).args(words).current_dir(at).env("PATH", &path).output().expect(program);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{words:?}: {said}");
        (String::from_utf8(ran.stdout).expect("text"), said)
    };
    let (published, said) = run("sh", &["-ec", fenced(HEADING, "sh")]);

    // The printed text is copied from the screen.
    let secret = fs::read_to_string(at.join("secret")).expect("the secret");
    let seed = format!("{} 5 10 15 20 25 30", secret.trim_end());
    assert!(said.contains(&format!("seed text: {seed}\n")), "{said}");
    let leyden = program("leyden");
    let leyden = leyden.to_str().expect("text");
    let (shown, _) = run(leyden, &["standings", "cup.db"]);
    let copied = shown.lines().find_map(|line| line.strip_prefix("seed text: ")).expect(&shown);
    assert_eq!(copied, seed);
    let (records, _) = run(leyden, &["export", "cup.db"]);
    fs::write(at.join("all.jsonl"), records).expect("an export");
    let commitment = TournamentSeed::from_text(&seed).commitment();
    let verify = ["verify", "all.jsonl", "--commitment", &commitment, "--seed", copied];
    let (shown, _) = run(leyden, &verify);
    assert!(shown.contains("every match's seed follows from the seed text"), "{shown}");
    // The secret in it is the one that was published.
    let (again, _) = run("sh", &["-c", "echo \"$1\" | sha256sum", "sh", secret.trim_end()]);
    assert_eq!(published.split(' ').next(), again.split(' ').next());
}

#[test]
fn page_program_recomputes_commitment_and_match_seed() {
    let ran = Command::new("python3").arg("-c").arg(fenced(HEADING, "python")).output().expect("python3");
    let printed = String::from_utf8(ran.stdout).expect("text");
    assert_eq!(printed, fenced(HEADING, "text"), "{}", String::from_utf8_lossy(&ran.stderr));
    let lines: Vec<&str> = printed.lines().collect();
    let seed = TournamentSeed::from_text("test");
    assert_eq!(lines[0], seed.commitment());
    assert_eq!(lines[1], seed.match_seed(&["a", "b"], 0).to_string());
}
