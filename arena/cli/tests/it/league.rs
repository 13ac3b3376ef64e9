//! A league whose folder changes while it plays.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{assert_valid, builtin, command, leyden, stderr, stdout};

/// A league in a folder `bots`, and what it has said.
pub(super) struct Running<'a> {
    pub(super) at: &'a Path,
    pub(super) child: Child,
}

pub(super) const LEAGUE: [&str; 6] =
    ["league", "bots", "--allow-builtins", "--config", "slow.toml", "--jobs=2"];

impl<'a> Running<'a> {
    pub(super) fn start(at: &'a Path, more: &[&str]) -> Self {
        Self::start_with(at, more, &std::env::temp_dir())
    }

    /// With a folder for temporary files.
    pub(super) fn start_with(at: &'a Path, more: &[&str], temporary: &Path) -> Self {
        let said = File::create(at.join("said")).unwrap();
        let mut league = command(at, &[&LEAGUE[..], more].concat());
        league.env("TMPDIR", temporary);
        let shown = File::create(at.join("shown")).unwrap();
        let child = league.stdin(Stdio::null()).stdout(shown).stderr(said).spawn().unwrap();
        Self { at, child }
    }

    pub(super) fn says(&mut self, text: &str) {
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
pub(super) fn hand_in(at: &Path, name: &str, manifest: &str) {
    let (new, folder) = (at.join("bots/.new"), at.join("bots").join(name));
    fs::create_dir_all(&new).unwrap();
    fs::write(new.join("bot.toml"), manifest).unwrap();
    let _ = fs::remove_dir_all(&folder);
    fs::rename(new, folder).unwrap();
}

/// A folder with two bots, and time limits that no bot reaches.
pub(super) fn two_bots() -> TempDir {
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
fn league_obeys_its_organiser() {
    let folder = two_bots();
    let at = folder.path();
    hand_in(at, "eve", &builtin("eve", "careful"));
    let mut league = Running::start(at, &["--eligible", "ann", "--eligible", "bob"]);
    league.says("eve is refused: it is not on the list of those who may play");
    league.says("ann v1 plays");
    drop(league);

    let printed = leyden(at, &["league", "--init"]);
    assert_eq!(printed.status.code(), Some(0), "{}", stderr(&printed));
    let freeze = "# freeze = \"2027-01-31T18:00:00Z\"";
    assert!(stdout(&printed).contains(freeze), "{}", stdout(&printed));
    let rules = stdout(&printed).replace(freeze, "freeze = \"2020-01-01T00:00:00Z\"");
    fs::write(at.join("rules.toml"), rules).unwrap();
    hand_in(at, "ann", &builtin("ann", "careful"));
    let mut frozen = Running::start(at, &["--rules", "rules.toml"]);
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
fn league_takes_versions_and_survives_a_kill() {
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
    let mut frozen = Running::start(at, &["--freeze", "2020-01-01T00:00:00Z"]);
    frozen.says("ann waits: the league is frozen");
    drop(frozen);
    let mut again = Running::start(at, &[]);
    again.says("ann is ann v1 again");
    again.says("ann v1 plays");
    again.says("ann v2 has left");
    drop(again);
    let ended = leyden(at, &[&LEAGUE[..], &["--pairs", "6"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    let verified = leyden(at, &["verify", "bots-league.db"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified) + &stderr(&verified));
    let ranks = stdout(&leyden(at, &["league", "copies", "bots-league.db"]));
    assert!(ranks.lines().count() == 4 && ranks.contains("ann v1") && !ranks.contains("ann v2"), "{ranks}");
    let play = ["tournament", "--league", "bots-league.db", "--format", "knockout", "--results", "final.db"];
    let options =
        ["--allow-builtins", "--sandbox", "none", "--target", "20", "--turn", "100s", "--startup", "100s"];
    let final_of = leyden(at, &[&play[..], &options].concat());
    assert_eq!(final_of.status.code(), Some(0), "{}", stderr(&final_of));
    let shown = stdout(&final_of);
    assert!(["ann v1", "bob v1", "cy v1"].iter().all(|name| shown.contains(name)), "{shown}");
    assert!(!shown.contains("ann v2"), "{shown}");
    let proved = leyden(at, &["verify", "final.db", "--league", "bots-league.db"]);
    assert_eq!(proved.status.code(), Some(0), "{}", stdout(&proved) + &stderr(&proved));
    let compared = leyden(at, &["league", "compare", "bots-league.db", "ann", "v1", "2"]);
    assert!(stdout(&compared).contains("against both"), "{}", stderr(&compared));
    let json = |words: &[&str], schema: &str| {
        let printed = leyden(at, &[&["league"], words, &["--json"]].concat());
        let document = serde_json::from_str(&stdout(&printed)).unwrap_or(Value::Null);
        assert_valid(at, schema, &document);
        document
    };
    let own = json(&["versions", "bots-league.db", "ann"], "versions");
    let of_ann = |at: usize| (own["versions"][at]["name"].as_str(), own["versions"][at]["there"].as_bool());
    assert_eq!(
        (of_ann(0), of_ann(1)),
        ((Some("ann v1"), Some(true)), (Some("ann v2"), Some(false))),
        "{own}"
    );
    let ranks = json(&["copies", "bots-league.db"], "copies");
    assert_eq!(ranks["versions"].as_array().map(Vec::len), Some(3), "{ranks}");
    let both = json(&["compare", "bots-league.db", "ann", "v2", "v1"], "versions-compared");
    assert_eq!(both["versions"][1], own["versions"][0], "{both}");
    let none = leyden(at, &["league", "compare", "bots-league.db", "ann", "v1", "v9"]);
    assert!(stderr(&none).contains("there is no version ann v9"), "{}", stderr(&none));
    hand_in(at, "ann", &builtin("ann", "careful"));
    let mut later = Running::start(at, &[]);
    later.says("ann v2 plays");
    drop(later);
    let others = leyden(at, &["verify", "final.db", "--league", "bots-league.db"]);
    assert_eq!(others.status.code(), Some(1), "{}", stderr(&others));
    let said = stdout(&others) + &stderr(&others);
    assert!(said.contains("ann v1 does not play with the same files"), "{said}");
}

#[test]
fn league_refuses_what_it_cannot_play() {
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
    fs::write(at.join("names.toml"), "names = true\n").unwrap();
    assert!(refused(&["league", "bots", "--config", "names.toml", "--pseudonyms"]).contains("--names"));
    assert!(!at.join("bots-league.pseudonyms.json").exists(), "what is refused changes nothing");
    let played = leyden(
        at,
        &["tournament", "builtin:random", "builtin:greedy", "--target", "20", "--results", "cup.db"],
    );
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    assert!(refused(&["league", "bots", "--results", "cup.db"]).contains("is not the file of a league"));
    assert!(refused(&["league", "versions", "cup.db"]).contains("not the file of a league"));
}

#[test]
fn league_refuses_non_bots_and_goes_on() {
    let folder = two_bots();
    let at = folder.path();
    let bots = at.join("bots");
    let made = Command::new("mkfifo").args([bots.join(".leydenignore"), bots.join("pipe")]).status().unwrap();
    assert!(made.success());
    let mut league = Running::start(at, &[]);
    sleep(Duration::from_secs(1));
    fs::remove_file(bots.join(".leydenignore")).unwrap();
    league.says("ann v1 plays");
    league.says("pipe is refused: ");

    std::os::unix::fs::symlink("ann", bots.join("link")).unwrap();
    league.says("link is refused: it is a link, whose target was not handed in");
    fs::write(bots.join("tool"), "#!/bin/sh\nexec cat\n").unwrap();
    fs::set_permissions(bots.join("tool"), fs::Permissions::from_mode(0o755)).unwrap();
    league.says("tool is refused: ");
    hand_in(at, "ä b", &builtin("odd", "greedy"));
    league.says("is refused: a bot is called by letters, digits");
    fs::write(bots.join("bob.zip"), "no archive").unwrap();
    league.says("bob.zip waits: bob has the same name: remove one of the two");
    fs::remove_file(bots.join("bob.zip")).unwrap();
    hand_in(at, "deep", &builtin("deep", "greedy"));
    fs::remove_file(bots.join("deep/bot.toml")).unwrap();
    league.says("deep is refused: it is empty");

    let second = leyden(at, &[&LEAGUE[..], &["--pseudonyms"]].concat());
    assert_eq!(second.status.code(), Some(2), "{}", stderr(&second));
    assert!(stderr(&second).contains("bots-league.versions"), "{}", stderr(&second));
    assert!(!at.join("bots-league.pseudonyms.json").exists(), "it changes nothing");
    hand_in(at, "bob", &builtin("bob", "careful"));
    league.says("bob v2 plays");
}

#[test]
fn league_waits_while_others_have_its_files() {
    let folder = two_bots();
    let at = folder.path();
    fs::remove_dir_all(at.join("bots/bob")).unwrap();
    let mut league = Running::start(at, &["--pseudonyms"]);
    league.says("waiting for bots");
    let (lock, names) = (at.join("bots-league.db-lock"), at.join("bots-league.pseudonyms.json"));
    let other_arena = File::create(&lock).unwrap();
    other_arena.try_lock().unwrap();
    fs::write(&names, "{").unwrap(); // an editor saves it
    hand_in(at, "bob", &builtin("bob", "greedy"));
    league.says("pseudonyms.json is damaged");
    fs::write(&names, "{\"ann\": \"Ada\"}").unwrap();
    league.says("is writing to bots-league.db: wait until it is done");
    fs::remove_file(lock).unwrap();
    drop(other_arena);
    league.says("bob v1 plays");
    let kept = fs::read_to_string(names).unwrap();
    assert!(kept.contains("Ada") && kept.contains("\"bob\": \"bot-"), "{kept}");
}

#[test]
fn version_that_was_edited_is_noticed() {
    let folder = two_bots();
    let at = folder.path();
    let ended = leyden(at, &[&LEAGUE[..], &["--pairs", "2"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    let kept = at.join("bots-league.versions/ann v1/bot.toml");
    let before = fs::read(&kept).unwrap();
    fs::write(&kept, builtin("ann", "careful")).unwrap();
    let refused = leyden(at, &[&LEAGUE[..], &["--pairs", "2"]].concat());
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("ann v1 is not in bots-league.versions/ann v1 as it was handed in"));
    fs::write(&kept, before).unwrap();
    let ended = leyden(at, &[&LEAGUE[..], &["--pairs", "2"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    fs::remove_dir_all(at.join("bots-league.versions/ann v1")).unwrap();
    let refused = leyden(at, &[&LEAGUE[..], &["--pairs", "2"]].concat());
    assert!(stderr(&refused).contains("leyden withdraw bots-league.db 'ann v1'"), "{}", stderr(&refused));
}

#[test]
fn league_builds_a_version_once() {
    let folder = two_bots();
    let at = folder.path();
    let log = at.join("built");
    let building = |name: &str, more: &str| {
        let script = format!("echo {name} >> '{}'; mkdir build; {more}", log.display());
        builtin(name, "careful") + &format!("build = [\"sh\", \"-c\", \"{script}\"]\n")
    };
    hand_in(at, "cy", &building("cy", "mkdir build/empty; echo 7 > build/weights; ln -s weights build/link"));
    hand_in(at, "dan", &building("dan", "pwd > build/place"));
    let built = || fs::read_to_string(&log).unwrap_or_default();
    let play = || {
        fs::write(&log, "").unwrap();
        let ended = leyden(at, &[&LEAGUE[..], &["--pairs", "6"]].concat());
        assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
        assert!(stdout(&ended).contains("dan v1"), "{}", stderr(&ended));
        built()
    };
    fs::write(&log, "").unwrap();
    let mut league = Running::start(at, &[]);
    league.says("dan v1 plays");
    drop(league);
    assert_eq!(built(), "cy\ndan\n");
    assert_eq!(play(), "dan\n", "what dan's build has made knows where that was");

    let kept: Vec<_> = fs::read_dir(at.join("bots-league.builds")).unwrap().flatten().collect();
    assert_eq!(kept.len(), 1);
    let kept_build = kept[0].path();
    assert_eq!(fs::read_to_string(kept_build.join("bot/build/link")).unwrap(), "7\n");
    fs::write(kept_build.join("bot/build/weights"), "8\n").unwrap();
    assert_eq!(play(), "cy\ndan\n", "what was kept has changed");
    assert_eq!(play(), "dan\n");
    fs::set_permissions(kept_build.join("bot/build/weights"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(play(), "cy\ndan\n", "its mode has changed");
    fs::remove_dir_all(at.join("bots-league.builds")).unwrap();
    assert_eq!(play(), "cy\ndan\n");
    assert_eq!(play(), "dan\n");
}
