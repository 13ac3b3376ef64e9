//! A league whose folder changes while it plays.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::program::{builtin, command, leyden, stderr, stdout};

/// A league in a folder `bots`, and what it has said.
struct Running<'a> {
    at: &'a Path,
    child: Child,
}

const LEAGUE: [&str; 6] = ["league", "bots", "--allow-builtins", "--config", "slow.toml", "--jobs=2"];

impl<'a> Running<'a> {
    fn start(at: &'a Path, more: &[&str]) -> Self {
        let said = File::create(at.join("said")).unwrap();
        let mut league = command(at, &[&LEAGUE[..], more].concat());
        let child = league.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said).spawn().unwrap();
        Self { at, child }
    }

    fn says(&mut self, text: &str) {
        let patience = Instant::now() + Duration::from_mins(5);
        loop {
            let said = fs::read_to_string(self.at.join("said")).unwrap();
            if said.contains(text) {
                return;
            }
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none() && Instant::now() < patience, "expected {text:?}: {said}");
            sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands in a bot as a whole.
fn hand_in(at: &Path, name: &str, manifest: &str) {
    let (new, place) = (at.join("bots/.new"), at.join("bots").join(name));
    fs::create_dir_all(&new).unwrap();
    fs::write(new.join("bot.toml"), manifest).unwrap();
    let _ = fs::remove_dir_all(&place);
    fs::rename(new, place).unwrap();
}

/// A folder with two bots, and time limits that no bot reaches.
fn two_bots() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("slow.toml"), "turn = \"100s\"\nstartup = \"100s\"\nsandbox = \"none\"\ntarget = 20\n")
        .unwrap();
    for (name, bot) in [("ann", "random"), ("bob", "greedy")] {
        hand_in(at, name, &builtin(name, bot));
    }
    folder
}

#[test]
fn a_league_obeys_its_organiser() {
    let folder = two_bots();
    let at = folder.path();
    hand_in(at, "eve", &builtin("eve", "careful"));
    let mut league = Running::start(at, &["--eligible", "ann", "--eligible", "bob"]);
    league.says("eve is refused: it is not on the list of those who may play");
    league.says("ann v1 plays");
    drop(league);

    hand_in(at, "ann", &builtin("ann", "careful"));
    let mut frozen = Running::start(at, &["--freeze", "2020-01-01T00:00:00Z"]);
    frozen.says("ann waits: the league is frozen");
    frozen.says("eve waits: the league is frozen");
    drop(frozen);

    let mut strict = Running::start(at, &["--versions-a-day", "1"]);
    strict.says("ann waits: 1 version of it came within 24 hours");
    strict.says("eve v1 plays");
    drop(strict);

    let ended = leyden(at, &[&LEAGUE[..], &["--for", "1s"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    assert!(stdout(&ended).contains("eve v1"), "{}", stdout(&ended));
}

#[test]
fn a_league_takes_versions_and_survives_a_kill() {
    let folder = two_bots();
    let at = folder.path();
    let mut league = Running::start(at, &[]);
    league.says("ann v1 plays");
    league.says("bob v1 plays");
    hand_in(at, "cy", &builtin("cy", "careful"));
    league.says("cy v1 plays");
    hand_in(at, "dud", "name = \"dud\"\ncommand = [\"false\"]\n");
    league.says("dud is refused");
    hand_in(at, "ann", &builtin("ann", "careful"));
    league.says("ann v2 plays");
    league.says("ann v1 has left");
    hand_in(at, "bob", "name = \"bob\"\ncommand = [\"false\"]\n");
    league.says("bob is refused");
    hand_in(at, "copy", &builtin("cy", "careful"));
    league.says("copy has the same files as cy v1");
    league.child.kill().unwrap();
    drop(league);

    let versions = leyden(at, &["league", "versions", "bots-league.db"]);
    let lines = stdout(&versions);
    let state =
        |version: &str| lines.lines().find(|line| line.starts_with(version)).unwrap_or_default().to_owned();
    assert!(state("ann v1").ends_with("has left") && state("ann v2").ends_with("plays"), "{lines}");
    assert!(state("bob v1").ends_with("plays") && state("cy v1").ends_with("plays"), "{lines}");
    assert_eq!(lines.lines().count(), 5, "{lines}");
    let verified = leyden(at, &["verify", "bots-league.db"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified) + &stderr(&verified));

    hand_in(at, "ann", &builtin("ann", "random"));
    let mut again = Running::start(at, &[]);
    again.says("ann is ann v1 again");
    again.says("ann v1 plays");
    again.says("ann v2 has left");
    drop(again);
    let ended = leyden(at, &[&LEAGUE[..], &["--pairs", "6"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    let verified = leyden(at, &["verify", "bots-league.db"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified) + &stderr(&verified));
    let compared = leyden(at, &["league", "compare", "bots-league.db", "ann", "v1", "2"]);
    assert!(stdout(&compared).contains("against both"), "{}", stderr(&compared));
    let none = leyden(at, &["league", "compare", "bots-league.db", "ann", "v1", "v9"]);
    assert!(stderr(&none).contains("there is no version ann v9"), "{}", stderr(&none));
}

#[test]
fn a_league_refuses_what_it_cannot_play() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("bots")).unwrap();
    fs::write(at.join("cup.toml"), "bots = [\"builtin:careful\"]\n").unwrap();
    let refused = |words: &[&str]| {
        let output = leyden(at, words);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output)
    };
    assert!(refused(&["league", "nowhere"]).contains("no folder nowhere"));
    assert!(
        refused(&["league", "bots", "--config", "cup.toml"]).contains("leave bots, stage and gauntlet out")
    );
    assert!(refused(&["league", "bots", "--freeze", "tonight"]).contains("2027-01-31T18:00:00Z"));
    let played = leyden(
        at,
        &["tournament", "builtin:random", "builtin:greedy", "--target", "20", "--results", "cup.db"],
    );
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    assert!(refused(&["league", "bots", "--results", "cup.db"]).contains("is not the file of a league"));
    assert!(refused(&["league", "versions", "cup.db"]).contains("not the file of a league"));
}
