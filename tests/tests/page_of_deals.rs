//! The protocol's page says how deals follow from a seed: its program prints what it says it prints, and what the arena deals.

use std::process::Command;

use leyden_model::TournamentSeed;

const PAGE: &str = include_str!("../../protocol/README.md");

/// What stands between the first fence of this kind behind a heading and its end.
fn fenced<'a>(heading: &str, fence: &str) -> &'a str {
    let (_, behind) = PAGE.split_once(heading).expect(heading);
    let (_, text) = behind.split_once(&format!("```{fence}\n")).expect(fence);
    text.split_once("```").expect("its end").0
}

#[test]
fn the_program_of_the_page_recomputes_the_commitment_and_the_deals() {
    let heading = "## Deals that anybody can recompute";
    let ran = Command::new("python3").arg("-c").arg(fenced(heading, "python")).output().expect("python3");
    let printed = String::from_utf8(ran.stdout).expect("text");
    assert_eq!(printed, fenced(heading, "text"), "{}", String::from_utf8_lossy(&ran.stderr));
    let lines: Vec<&str> = printed.lines().collect();
    let seed = TournamentSeed::from_text("test");
    assert_eq!(lines[0], seed.commitment());
    assert_eq!(lines[1], seed.match_seed(&["a", "b"], 0).to_string());
}
