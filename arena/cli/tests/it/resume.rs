//! Resuming a tournament whose bots have changed: what a changed bot touches is played again, and nothing else.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::Output;

use crate::program::{command, leyden, text};
use serde_json::Value;

const PATIENT: [&str; 8] = ["--turn", "100s", "--startup", "100s", "--sandbox", "none", "--blocks", "2"];

fn write_bot(class: &Path, name: &str, bot: &str) {
    fs::create_dir_all(class.join(name)).unwrap();
    let manifest =
        format!("name = \"{name}\"\ncommand = [{:?}, \"bot\", \"{bot}\"]\n", env!("CARGO_BIN_EXE_leyden"));
    fs::write(class.join(name).join("bot.toml"), manifest).unwrap();
}

/// Three bots, played.
fn played(at: &Path, seed: &[&str]) {
    for (name, bot) in [("ann", "random"), ("bob", "greedy"), ("cy", "random")] {
        write_bot(&at.join("class"), name, bot);
    }
    let done = play(at, &["--results", "r.db"], seed);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
}

fn play(at: &Path, words: &[&str], seed: &[&str]) -> Output {
    leyden(at, &[&["tournament", "class"], &PATIENT[..], seed, words].concat())
}

const SEED: [&str; 2] = ["--seed", "replaced"];
const RESUMED: [&str; 3] = ["--results", "r.db", "--resume"];

/// As after a restart of the machine, which starts its services in another folder.
#[test]
fn tournament_resumes_from_any_folder_and_after_moving() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join("night")).unwrap();
    fs::create_dir(at.join("elsewhere")).unwrap();
    let (night, elsewhere) = (at.join("night"), at.join("elsewhere"));
    played(&night, &SEED);
    let leyden =
        |at: &Path, words: &[&str]| command(at, words).env("XDG_STATE_HOME", &night).output().unwrap();
    let file = night.join("r.db");
    let file = file.to_str().unwrap();
    let folders = |at: &Path, file: &str| {
        let csv = leyden(at, &["standings", file, "--csv"]);
        let csv = text(&csv.stdout);
        let mut rows: Vec<String> = csv.lines().skip(1).map(str::to_owned).collect();
        rows.sort_unstable();
        rows.iter()
            .map(|row| row.split(',').find(|cell| cell.contains("class")).unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let before = folders(&night, "r.db");
    assert_eq!(before.len(), 3);
    let on = leyden(&elsewhere, &["tournament", "--results", file, "--resume", "--blocks", "3"]);
    assert_eq!(on.status.code(), Some(0), "{}", text(&on.stderr));
    assert_eq!(records(&night).len(), 18);
    assert_eq!(folders(&elsewhere, file), before);
    // Another user may name a bot relative to another folder; a bot that joins from there is found from everywhere.
    write_bot(&elsewhere.join("late"), "dee", "greedy");
    let named =
        ["../night/class", "late", "--seed", "replaced", "--results", file, "--resume", "--blocks", "3"];
    let joined = leyden(&elsewhere, &[&["tournament"], &PATIENT[..6], &named].concat());
    assert_eq!(joined.status.code(), Some(0), "{}", text(&joined.stderr));
    let said = text(&joined.stderr);
    assert!(said.contains("dee (late) joins: its matches are added to every block"), "{said}");
    assert!(!said.contains("ann ("), "only who joins: {said}");
    let on = leyden(&night, &["tournament", "--results", "r.db", "--resume", "--blocks", "4"]);
    assert_eq!(on.status.code(), Some(0), "{}", text(&on.stderr));
    assert_eq!(records(&night).len(), 48);
    let out = leyden(at, &["withdraw", file, "night/class/cy"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));

    // What was moved as a whole continues under its new path.
    fs::rename(&night, at.join("moved")).unwrap();
    fs::rename(&elsewhere, at.join("gone")).unwrap();
    let words = ["tournament", "--results", "r.db", "--resume", "--blocks", "5"];
    let out = leyden(&at.join("moved"), &["withdraw", "r.db", "dee"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let on = command(&at.join("moved"), &words).env("XDG_STATE_HOME", at.join("moved")).output().unwrap();
    assert_eq!(on.status.code(), Some(0), "{}", text(&on.stderr));
}

#[test]
fn relative_command_line_is_refused_from_another_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bot = "while read -r line; do :; done";
    fs::write(at.join("bot.sh"), bot).unwrap();
    let words = ["tournament", "sh bot.sh", "builtin:random", "--results", "r.db", "--sandbox", "none"];
    leyden(at, &[&words[..], &["--startup", "1ms"]].concat());
    fs::create_dir(at.join("elsewhere")).unwrap();
    let file = at.join("r.db");
    let words = ["tournament", "--results", file.to_str().unwrap(), "--resume", "--blocks", "2"];
    let refused = leyden(&at.join("elsewhere"), &words);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains(
            "sh bot.sh names a file relative to the folder where the tournament was started\nResume it"
        ),
        "{said}"
    );
    let command = said.lines().last().unwrap().trim();
    assert!(command.starts_with(&format!("cd {} && ", at.canonicalize().unwrap().display())), "{said}");
}

/// The matches of a file by id, each as exported.
fn records(at: &Path) -> BTreeMap<String, Value> {
    let export = leyden(at, &["export", "r.db"]);
    let records = text(&export.stdout);
    let parsed = records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    parsed.map(|record| (record["match"].as_str().unwrap().to_owned(), record)).collect()
}

#[test]
fn resume_repeats_only_matches_of_a_changed_bot() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    played(at, &SEED);
    let before = records(at);
    assert_eq!(before.len(), 12);
    let luck = leyden(at, &["luck", "r.db"]);
    assert!(luck.status.success(), "{}", text(&luck.stderr));
    write_bot(&at.join("class"), "ann", "greedy");

    // Without an option it is refused, with the option to type.
    let refused = play(at, &RESUMED, &SEED);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains("content of ann: ") && said.contains("of a changed bot again: --replace ann,"),
        "{said}"
    );
    assert_eq!(records(at), before, "nothing was written");

    let done = play(at, &[&RESUMED[..], &["--replace", "ann", "--json"]].concat(), &SEED);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{said}");
    assert!(said.contains("ann has changed: 8 matches that it played in will be removed"), "{said}");
    let printed = text(&done.stdout);
    let events = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let again: Vec<Value> = events.filter(|event| event["event"] == "match").collect();
    assert_eq!(again.len(), 8, "{printed}");
    assert!(again.iter().all(|event| event["record"]["bots"].as_array().unwrap().contains(&"ann".into())));

    let after = records(at);
    assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "on the same deals");
    let is_anns = |record: &Value| record["bots"].as_array().unwrap().contains(&"ann".into());
    for (id, record) in &after {
        let is_same = record["rounds"] == before[id]["rounds"];
        assert!(is_same || is_anns(record), "{id} of others was played again");
    }
    assert!(after.iter().any(|(id, record)| record["rounds"] != before[id]["rounds"]), "another bot plays");
    // Sums and records agree, and what was derived from the old matches is gone.
    let verified = leyden(at, &["verify", "r.db"]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stderr));
    let standings = text(&leyden(at, &["standings", "r.db", "--json"]).stdout);
    let standings: Value = serde_json::from_str(&standings).unwrap();
    assert_eq!((&standings["matches"]["played"], standings.get("luck")), (&12.into(), None));
    assert_eq!(standings["changes"][0]["what"], serde_json::json!({ "change": "replaced", "bot": "ann" }));

    // An unchanged bot is left alone, even if it is named by its folder.
    let unchanged = play(at, &[&RESUMED[..], &["--replace", "class/bob"]].concat(), &SEED);
    let said = text(&unchanged.stderr);
    assert!(unchanged.status.success() && said.contains("bob has not changed"), "{said}");
    assert_eq!(records(at), after);
}

#[test]
fn changed_bot_is_refused_after_seed_is_revealed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    played(at, &[]);
    let before = records(at);
    write_bot(&at.join("class"), "ann", "greedy");
    let refused = play(at, &[&RESUMED[..], &["--replace", "ann"]].concat(), &[]);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("ann cannot join or be replaced") && said.contains("--seed"), "{said}");
    assert_eq!(records(at), before);
}

/// A seed in a configuration was written before it was revealed; nothing is built for an unfair tournament.
#[test]
fn changed_bot_is_refused_despite_a_configured_seed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("seed"), "replaced\n").unwrap();
    fs::write(at.join("cup.toml"), "seed-file = \"seed\"\nallow-missing = true\n").unwrap();
    let manifest = "name = \"dan\"\ncommand = [\"build/bot\"]\nbuild = [\"sh\", \"-c\", \"exit 1\"]\n";
    fs::create_dir_all(at.join("class/dan")).unwrap();
    fs::write(at.join("class/dan/bot.toml"), manifest).unwrap();
    let config = ["--config", "cup.toml"];
    played(at, &config);
    let before = records(at);
    write_bot(&at.join("class"), "ann", "greedy");
    let refused = play(at, &[&RESUMED[..], &["--replace", "ann"]].concat(), &config);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("ann cannot join or be replaced") && !said.contains("building"), "{said}");
    assert_eq!(records(at), before);
}

#[test]
fn additions_after_seed_reveal_are_reported_at_start() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    played(at, &SEED);
    let words =
        ["tournament", "class", "--turn", "100s", "--startup", "100s", "--sandbox", "none", "--blocks", "3"];
    let done = leyden(at, &[&words[..], &RESUMED, &SEED].concat());
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{said}");
    let note = said.find("note: all matches were over, so the seed is public").expect(&said);
    assert!(said[note..].contains("blocks changed from 2 to 3"), "{said}");
    assert!(note < said.find("results in r.db").expect(&said), "{said}");
}

#[test]
fn missing_bots_alone_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    played(at, &SEED);
    fs::rename(at.join("class/ann"), at.join("ann")).unwrap();
    write_bot(&at.join("class"), "eve", "random");
    let refused = play(at, &[&RESUMED[..], &["--allow-missing"]].concat(), &SEED);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("\n  bot ann: in the file class/ann, now missing, "), "{said}");
    assert!(said.contains("\n  bot eve: in the file not there, now new: "), "{said}");
    assert!(said.contains("holds this tournament, with other bots"), "{said}");
    assert!(!said.contains("bob") && !said.contains("bot cy"), "{said}");
    fs::rename(at.join("ann"), at.join("class/ann")).unwrap();
    let done = play(at, &RESUMED, &SEED);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
}

#[test]
fn changes_are_found_before_anything_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    played(at, &SEED);
    let manifest = "name = \"dan\"\ncommand = [\"build/bot\"]\nbuild = [\"sh\", \"-c\", \"exit 1\"]\n";
    fs::create_dir(at.join("class/dan")).unwrap();
    fs::write(at.join("class/dan/bot.toml"), manifest).unwrap();
    let refused = play(at, &[&RESUMED[..], &["--target", "50"]].concat(), &SEED);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("target: in the file 100, now 50") && !said.contains("building"), "{said}");
}

#[test]
fn impossible_replacements_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    played(at, &SEED);
    let before = fs::read(at.join("r.db")).unwrap();
    for (words, says) in [
        (&["--results", "new.db", "--replace", "ann"][..], "--results FILE --resume"),
        (&["--results", "r.db", "--resume", "--replace", "eve"], "--replace eve names none of the bots"),
    ] {
        let refused = play(at, words, &SEED);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(says), "{words:?}: {said}");
    }
    let gate = ["gate", "class/ann", "class/bob", "--results", "new.db", "--replace", "ann"];
    let refused = leyden(at, &gate);
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("start a new one"), "{said}");
    assert!(!at.join("new.db").exists() && fs::read(at.join("r.db")).unwrap() == before);
}

#[test]
fn left_out_bot_may_be_left_out_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let manifest = "name = \"dan\"\ncommand = [\"build/bot\"]\nbuild = [\"sh\", \"-c\", \"exit 1\"]\n";
    fs::create_dir_all(at.join("class/dan")).unwrap();
    fs::write(at.join("class/dan/bot.toml"), manifest).unwrap();
    for (name, bot) in [("ann", "random"), ("bob", "greedy")] {
        write_bot(&at.join("class"), name, bot);
    }
    for words in
        [&["--results", "r.db", "--allow-missing"][..], &["--results", "r.db", "--allow-missing", "--resume"]]
    {
        let done = play(at, words, &[]);
        let said = text(&done.stderr);
        assert!(
            done.status.success() && said.contains("left out: dan: the build failed"),
            "{words:?}: {said}"
        );
    }
    // Now it can be played, and the seed is known.
    write_bot(&at.join("class"), "dan", "random");
    let refused = play(at, &["--results", "r.db", "--allow-missing", "--resume"], &[]);
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("dan cannot join or be replaced"), "{said}");
}

/// Reports and output may be written into a bot's folder by a user who works there: they are not part of the bot, and it must
/// not read them. The output reveals the deals of a leg, which are dealt again in the next one.
#[test]
fn arena_output_in_a_bots_folder_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("mine");
    fs::create_dir(&at).unwrap();
    fs::write(at.join("bot.toml"), "name = \"mine\"\ncommand = [\"sh\", \"start.sh\"]\n").unwrap();
    let start = format!(
        "for file in out.json log.txt gate.xml g.db; do test ! -e $file || exit 9; done\nexec '{}' bot random\n",
        env!("CARGO_BIN_EXE_leyden")
    );
    fs::write(at.join("start.sh"), start).unwrap();
    let gate = |more: &[&str]| {
        let words =
            ["gate", ".", "builtin:greedy", "--max-pairs", "4", "--mirror-pairs", "0", "--elo0", "-150"];
        let kept = ["--results", "g.db", "--junit", "gate.xml", "--json", "--seed", "s"];
        let mut command =
            command(&at, &[&words[..], &kept, &PATIENT[..4], &["--sandbox", "none"], more].concat());
        command.env("XDG_STATE_HOME", folder.path());
        let [out, log] = ["out.json", "log.txt"].map(|name| File::create(at.join(name)).unwrap());
        let code = command.stdout(out).stderr(log).status().unwrap().code();
        let [out, log] = ["out.json", "log.txt"].map(|name| fs::read_to_string(at.join(name)).unwrap());
        (code, out, log)
    };
    let (code, _, log) = gate(&["--max-time", "1ms"]);
    assert_eq!(code, Some(4), "{log}");
    let (code, out, log) = gate(&["--resume"]);
    assert!(code.is_some_and(|code| code < 5 && code != 2), "{code:?} {log}");
    let printed: Value = serde_json::from_str(&out).unwrap();
    // What it has not written itself is part of the bot: and it is named.
    fs::write(at.join("notes.txt"), "to do").unwrap();
    let (code, _, log) = gate(&["--resume"]);
    assert!(code == Some(2) && log.contains("; changed: notes.txt (new)"), "{log}");
    assert_eq!(printed["bots"][0]["results"]["faults"], serde_json::json!({}), "{out}");
    assert!(printed["test"]["pairs"].as_u64().unwrap() > 0, "{out}");
}

#[test]
fn resume_compares_only_files_a_command_line_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("bot.sh"), format!("exec '{}' bot random\n", env!("CARGO_BIN_EXE_leyden"))).unwrap();
    let play = |words: &[&str]| {
        let bots = ["tournament", "sh bot.sh", "builtin:greedy", "--results", "r.db"];
        let played = leyden(at, &[&bots[..], &PATIENT, &SEED, words].concat());
        (played.status.code(), text(&played.stderr))
    };
    let note = "compared only those files of sh bot.sh that the command line names";
    let (code, said) = play(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains(note) && said.contains("could guess a typed seed"), "{said}");
    let (code, said) = play(&["--resume"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(note) && said.contains("--replace 'sh bot.sh'"), "{said}");
    assert!(!said.contains("could guess a typed seed"), "who goes on has to type it: {said}");
    fs::write(at.join("bot.sh"), format!("exec '{}' bot greedy\n", env!("CARGO_BIN_EXE_leyden"))).unwrap();
    let (code, said) = play(&["--resume"]);
    assert_eq!(code, Some(2), "{said}");
    let (code, said) = play(&["--resume", "--replace", "sh bot.sh"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains(note), "{said}");
}

#[test]
fn late_bot_takes_no_other_bots_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    played(at, &SEED);
    let before = records(at);
    // Its folder sorts before all others, and it has the name of one of them.
    write_bot(&at.join("class/aaa"), "bob", "careful");
    fs::rename(at.join("class/aaa/bob/bot.toml"), at.join("class/aaa/bot.toml")).unwrap();
    fs::remove_dir(at.join("class/aaa/bob")).unwrap();
    let done = play(at, &RESUMED, &SEED);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{said}");
    assert!(
        said.contains(
            "two bots are called bob: the one in class/bob, and the one in class/aaa, which is shown as bob#2"
        ),
        "{said}"
    );
    let after = records(at);
    assert!(
        before.iter().all(|(id, record)| after[id]["seed"] == record["seed"]),
        "nothing was played again"
    );
    assert_eq!(after.len(), before.len() + 12);
    // It stays so.
    let again = play(at, &RESUMED, &SEED);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert_eq!(records(at), after);
}

/// Options given when a tournament was started need not be given again.
#[test]
fn tournament_resumes_with_its_options() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, bot) in [("ann", "random"), ("bob", "greedy"), ("cy", "random")] {
        write_bot(&at.join("class"), name, bot);
    }
    fs::create_dir(at.join("class/none")).unwrap();
    let more = [
        "--rules",
        "leiden",
        "--target",
        "50",
        "--bank",
        "90s",
        "--strikes",
        "2",
        "--fresh",
        "--gauntlet",
        "ann",
    ];
    let begun = play(at, &["--results", "r.db", "--allow-missing"], &more);
    assert!(begun.status.success(), "{}", text(&begun.stderr));
    let went_on = leyden(at, &["tournament", "--results", "r.db", "--resume", "--blocks", "3", "--json"]);
    let said = text(&went_on.stderr);
    assert!(went_on.status.success(), "{said}");
    let records = records(at);
    assert_eq!(records.len(), 12, "those of the gauntlet");
    assert!(
        records.values().all(|record| record["rules"]["name"] == "leiden" && record["rules"]["target"] == 50)
    );
    let standings = leyden(at, &["standings", "r.db", "--json"]);
    let printed: Value = serde_json::from_str(&text(&standings.stdout)).unwrap();
    let left_out = printed["left_out"].to_string();
    assert!(left_out.contains("class/none"), "it is not forgotten: {printed:#}");
    // Options that differ are refused as before.
    let otherwise = leyden(at, &["tournament", "--results", "r.db", "--resume", "--turn", "7s"]);
    let said = text(&otherwise.stderr);
    assert!(
        !otherwise.status.success() && said.contains("limits.turn_ms: in the file 100000, now 7000"),
        "{said}"
    );
    assert!(!said.contains("blocks") && !said.contains("another tournament"), "{said}");
}

/// A results file names programs and a sandbox level, and may come from anybody.
#[test]
fn foreign_results_file_runs_only_named_bots() {
    let folder = tempfile::tempdir().unwrap();
    let (theirs, mine) = (folder.path().join("theirs"), folder.path().join("mine"));
    fs::create_dir(&theirs).unwrap();
    fs::create_dir(&mine).unwrap();
    played(&theirs, &SEED);
    fs::copy(theirs.join("r.db"), mine.join("r.db")).unwrap();
    let class = theirs.join("class");
    let class = class.to_str().unwrap();
    let resumed = [&["tournament"], &RESUMED[..], &["--blocks", "3"]].concat();
    for more in [&[][..], &["--sandbox", "none"], &[class]] {
        let refused = leyden(&mine, &[&resumed, more].concat());
        let said = text(&refused.stderr);
        let is_refused = refused.status.code() == Some(2)
            && said.contains("does not seem to have been started by you on this machine.\n")
            && said.contains("at sandbox level none:\n  ");
        assert!(is_refused, "{more:?}: {said}");
    }
    assert_eq!(records(&mine).len(), 12, "nothing was played");
    let named = leyden(&mine, &[&resumed, &[class, "--sandbox", "none"][..]].concat());
    assert_eq!(named.status.code(), Some(0), "{}", text(&named.stderr));
    let again = leyden(&mine, &[&["tournament"], &RESUMED[..], &["--blocks", "4"]].concat());
    assert_eq!(again.status.code(), Some(0), "it is known now: {}", text(&again.stderr));

    // The old version of a gate is in the file, too: naming the new one does not name it.
    let [new, old] = ["ann", "bob"].map(|bot| theirs.join("class").join(bot).display().to_string());
    let gate = "gate --turn 100s --startup 100s --sandbox none --max-pairs 2 --results g.db";
    let gate: Vec<&str> = gate.split(' ').collect();
    let begun = leyden(&theirs, &[&gate[..], &[&*new, &*old]].concat());
    assert!(theirs.join("g.db").exists(), "{}", text(&begun.stderr));
    fs::copy(theirs.join("g.db"), mine.join("g.db")).unwrap();
    let resumed = [&gate[..], &["--resume", &*new]].concat();
    let refused = leyden(&mine, &resumed);
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("at sandbox level none:"), "{said}");
    assert!(said.contains("class/bob") && !said.contains("class/ann"), "{said}");
    let named = leyden(&mine, &[&resumed[..], &[&*old]].concat());
    assert!(text(&named.stderr).contains("ann against bob"), "{}", text(&named.stderr));
}
