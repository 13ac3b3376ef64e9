//! `leyden standings` as typed: tables, JSON and CSV from a results file.

use std::path::Path;

use serde_json::Value;

use crate::program::{LIMITS, assert_valid, leyden, printed as stdout};

fn json(folder: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&stdout(&leyden(folder, words))).unwrap()
}

/// Four bots, the same blocks and seed each time.
fn tournament(folder: &Path, file: &str, blocks: &str, more: &[&str]) -> String {
    let words = [
        "tournament",
        "builtin:random",
        "builtin:careful",
        "builtin:careful --blunder 25",
        "builtin:greedy",
        "--seed",
        "standings",
        "--blocks",
        blocks,
        "--results",
        file,
    ];
    stdout(&leyden(folder, &[&words[..], &LIMITS, more].concat()))
}

fn names(standings: &Value) -> Vec<&str> {
    standings["bots"].as_array().unwrap().iter().map(|bot| bot["name"].as_str().unwrap()).collect()
}

#[test]
fn tournament_ends_with_the_output_of_standings() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let printed = tournament(at, "a.db", "6", &[]);
    // The published seed commitment is shown at the end of a tournament, too, on standard error.
    let shown = stdout(&leyden(at, &["standings", "a.db"]));
    let (standings, promised) = shown.split_once("\nseed commitment ").unwrap();
    assert!(printed == standings && promised.contains("\nseed text: "), "{shown}");
    assert!(printed.contains("lower scores are better"), "{printed}");
    assert!(printed.contains("blocks 6 of 6 complete · pairs 36 of 36 · matches 72 of 72"), "{printed}");
    assert!(printed.contains("Head to head") && printed.contains("p-values"), "{printed}");
    let widest = printed.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 100, "{widest} columns\n{printed}");
    let with_gains = stdout(&leyden(at, &["standings", "a.db", "--pairing"]));
    assert!(with_gains.contains("1/(1+ρ)"), "{with_gains}");
}

#[test]
fn json_says_everything_and_keeps_to_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    tournament(at, "a.db", "6", &[]);
    let printed = json(at, &["standings", "a.db", "--json"]);
    assert_valid(at, "standings", &printed);
    assert_eq!(names(&printed).last(), Some(&"random"));
    assert_eq!(printed["head_to_head"].as_array().unwrap().len(), 6);
    assert_eq!(printed["blocks"], serde_json::json!({"complete": 6, "incomplete": 0, "wanted": 6}));
    for bot in printed["bots"].as_array().unwrap() {
        assert!(bot["rating"]["half_width"].as_f64().unwrap() > 0.0, "{bot:#}");
        assert!(bot["results"]["think_p99_us"].as_u64() >= bot["results"]["think_median_us"].as_u64());
        assert_eq!(bot["results"]["matches"], 36);
    }
    let elo: f64 =
        printed["bots"].as_array().unwrap().iter().filter_map(|bot| bot["rating"]["elo"].as_f64()).sum();
    assert!(elo.abs() < 1e-6, "the mean of the field is 0: {elo}");
}

#[test]
fn workers_change_no_number() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let timeless = |file: &str| {
        let printed = stdout(&leyden(at, &["standings", file, "--json"]));
        printed.lines().filter(|line| !line.contains("_us\": ")).collect::<Vec<_>>().join("\n")
    };
    tournament(at, "one.db", "3", &["--jobs", "1"]);
    tournament(at, "two.db", "3", &["--jobs", "2"]);
    assert_eq!(timeless("one.db"), timeless("two.db"));
}

#[test]
fn export_standings_agree_with_file_apart_from_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    tournament(at, "a.db", "3", &[]);
    tournament(at, "g.db", "3", &["--gauntlet", "builtin:greedy"]);
    for name in ["a", "g"] {
        let export = leyden(at, &["export", &format!("{name}.db")]).stdout;
        std::fs::write(at.join(name).with_extension("jsonl"), export).unwrap();
    }
    let csv = |file: &str| stdout(&leyden(at, &["standings", file, "--csv"]));
    // An export does not say what was planned, so its intervals hold at any time and are wider.
    let timeless = |file: &str| -> Vec<Vec<String>> {
        let table = csv(file);
        let rows: Vec<Vec<String>> =
            table.lines().map(|row| row.split(',').map(str::to_owned).collect()).collect();
        let timed = ["elo_half_width", "rank_best", "rank_worst", "holds"];
        let kept: Vec<bool> = rows[0].iter().map(|column| !timed.contains(&column.as_str())).collect();
        let keep = |row: &Vec<String>| {
            row.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell.clone()).collect()
        };
        rows.iter().map(keep).collect()
    };
    assert_eq!(timeless("a.jsonl"), timeless("a.db"));
    assert_eq!(timeless("g.jsonl"), timeless("g.db"));
    let (file, export) =
        (json(at, &["standings", "a.db", "--json"]), json(at, &["standings", "a.jsonl", "--json"]));
    assert_valid(at, "standings", &export);
    let scores = |document: &Value| -> Vec<Value> {
        let lines = document["head_to_head"].as_array().unwrap().iter();
        lines.map(|line| serde_json::json!([line["first"], line["second"], line["score"]])).collect()
    };
    assert_eq!(scores(&file), scores(&export));
    let results = |document: &Value| -> Vec<Value> {
        let bots = document["bots"].as_array().unwrap().iter();
        bots.map(|bot| serde_json::json!([bot["name"], bot["results"], bot["rating"]["elo"]])).collect()
    };
    assert_eq!(results(&file), results(&export));
    assert_eq!((&file["holds"], &export["holds"]), (&"at_planned_end".into(), &"at_any_time".into()));
    assert_eq!((&export["commitment"], &export["blocks"]["wanted"]), (&Value::Null, &Value::Null));
    let text = stdout(&leyden(at, &["standings", "a.jsonl"]));
    assert!(text.contains("blocks 3 complete · pairs 18 · matches 36"), "{text}");
}

#[test]
fn csv_has_a_line_for_each_bot() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    tournament(at, "a.db", "2", &[]);
    let csv = stdout(&leyden(at, &["standings", "a.db", "--csv"]));
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{csv}");
    let help = stdout(&leyden(at, &["standings", "--help"]));
    let help: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let faults = leyden_protocol::FaultCode::ALL.map(leyden_protocol::FaultCode::as_str);
    for column in lines[0].iter().filter(|column| !faults.contains(column)) {
        assert!(help.contains(column), "{column} is not explained:\n{help}");
    }
}

#[test]
fn three_pairs_rank_without_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let printed = tournament(at, "a.db", "1", &[]);
    assert!(printed.contains("an interval needs five pairs") && printed.contains("1 (1–4)"), "{printed}");
    let printed = json(at, &["standings", "a.db", "--json"]);
    assert_valid(at, "standings", &printed);
    assert_eq!(printed["bots"][0]["rating"]["half_width"], Value::Null);
}

#[test]
fn larger_tables_are_rated_by_their_comparisons() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = [
        "tournament",
        "builtin:random",
        "builtin:careful",
        "builtin:greedy",
        "builtin:careful --blunder 50",
        "--rules",
        "matador",
        "--seats",
        "3",
        "--blocks",
        "4",
        "--seed",
        "t",
        "--results",
        "k.db",
    ];
    let printed = stdout(&leyden(at, &[&words[..], &LIMITS].concat()));
    assert!(printed.contains("the score counts each pair of bots"), "{printed}");
    let printed = json(at, &["standings", "k.db", "--json"]);
    assert_valid(at, "standings", &printed);
    // Four tables of three legs per block; each two bots meet at two of them.
    assert_eq!(printed["matches"]["played"], 4 * 4 * 3);
    assert_eq!(printed["pairs"]["complete"], 4 * 4);
    assert!(printed["bots"].as_array().unwrap().iter().all(|bot| bot["rating"]["matches"] == 4 * 3 * 2 * 3));
}

#[test]
fn tournament_is_compared_with_an_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let play = |file: &str, bots: &[&str], more: &[&str]| {
        let words = [&["tournament"], bots, &["--blocks", "6", "--results", file], &LIMITS, more].concat();
        stdout(&leyden(at, &words));
    };
    let write = |bot: &str| {
        std::fs::create_dir_all(at.join("mine")).unwrap();
        let leyden = env!("CARGO_BIN_EXE_leyden");
        let manifest = format!("name = \"mine\"\ncommand = [{leyden:?}, \"bot\", \"{bot}\"]\n");
        std::fs::write(at.join("mine/bot.toml"), manifest).unwrap();
    };
    write("random");
    play("a.db", &["mine", "builtin:random", "builtin:greedy"], &["--seed", "a", "--sandbox", "none"]);
    write("careful");
    play("b.db", &["mine", "builtin:random", "builtin:careful"], &["--seed", "b", "--sandbox", "none"]);
    let printed = json(at, &["compare", "a.db", "b.db", "--json"]);
    assert_valid(at, "compare", &printed);
    let bot = |name: &str| {
        printed["bots"].as_array().unwrap().iter().find(|bot| bot["name"] == name).unwrap().clone()
    };
    assert_eq!(printed["same"], serde_json::json!(["random"]));
    for (name, change) in [("mine", "changed"), ("random", "same"), ("greedy", "left"), ("careful", "joined")]
    {
        assert_eq!(bot(name)["change"], change, "{name}");
    }
    assert!(bot("mine")["moved"].as_f64().unwrap() > 0.0, "from random to careful: {printed:#}");
    assert!(bot("random")["moved"].is_null(), "what others are measured by");
    assert_eq!((&bot("greedy")["after"], &bot("careful")["before"]), (&Value::Null, &Value::Null));
    let text = stdout(&leyden(at, &["compare", "a.db", "b.db"]));
    assert!(text.contains("same in both: random") && !text.contains("not finished"), "{text}");
    // Under another name, but submitted under the same path.
    let manifest = std::fs::read_to_string(at.join("mine/bot.toml")).unwrap();
    std::fs::write(at.join("mine/bot.toml"), manifest.replace("\"mine\"", "\"ours\"")).unwrap();
    play("e.db", &["mine", "builtin:random"], &["--seed", "e", "--sandbox", "none"]);
    let printed = json(at, &["compare", "a.db", "e.db", "--json"]);
    let ours = printed["bots"].as_array().unwrap().iter().find(|bot| bot["name"] == "ours").unwrap();
    assert_eq!((&ours["was_called"], &ours["change"]), (&"mine".into(), &"changed".into()), "{printed:#}");
    assert!(ours["before"].is_object() && ours["after"].is_object(), "{printed:#}");
    let text = stdout(&leyden(at, &["compare", "a.db", "e.db"]));
    assert!(text.contains("ours (was mine)"), "{text}");
    // Several in a row: each with the next one, and the course of each bot as a page.
    let text = stdout(&leyden(at, &["compare", "a.db", "b.db", "e.db", "--html", "weeks.html"]));
    assert!(text.contains("a → b\n") && text.contains("b → e\n"), "{text}");
    let page = std::fs::read_to_string(at.join("weeks.html")).unwrap();
    let row = |name: &str| {
        let rows = page.split("<tr>").filter(|row| row.contains(&format!("<bdi>{name}</bdi>")));
        rows.map(|row| row.matches("<td>").count()).collect::<Vec<_>>()
    };
    assert_eq!([row("ours"), row("random"), row("greedy"), row("mine")], [vec![5], vec![5], vec![5], vec![]]);
    let french = ["compare", "a.db", "b.db", "e.db", "--html", "semaines.html", "--language", "fr"];
    assert!(leyden(at, &french).status.success());
    let french = std::fs::read_to_string(at.join("semaines.html")).unwrap();
    assert!(french.contains("3 tournois à la suite") && !french.contains("Ratings"), "{french}");
    let again = leyden(at, &["compare", "a.db", "b.db", "--html", "weeks.html"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&again.stderr).contains("--overwrite"),
        "{}",
        String::from_utf8_lossy(&again.stderr)
    );
    write("careful");
    // Other games and other bots cannot be compared.
    play("c.db", &["mine", "builtin:greedy"], &["--seed", "c", "--sandbox", "none", "--rules", "senst"]);
    play("d.db", &["builtin:careful", "builtin:careful --blunder 5"], &["--seed", "d"]);
    for (other, says) in [("c.db", "different games"), ("d.db", "no bot played both")] {
        let output = leyden(at, &["compare", "a.db", other]);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn standings_estimate_blocks_needed_for_ten_elo() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let play = |bots: [&str; 3], blocks: &str| {
        let file = format!("{}-{blocks}.db", bots[1]);
        let bots = [&["tournament"][..], &bots[..], &["--seed", "a"]].concat();
        let more = ["--sandbox", "none", "--turn", "100s", "--startup", "100s", "--target", "30"];
        let words = [&bots[..], &more, &["--blocks", blocks, "--results", &file]].concat();
        let printed = stdout(&leyden(at, &words));
        (printed, json(at, &["standings", &file, "--json"]))
    };
    // Three of nearly the same strength.
    let near = ["builtin:random", "builtin:careful --blunder 90", "builtin:careful --blunder 70"];
    let (printed, document) = play(near, "20");
    let [low, high] =
        ["low", "high"].map(|end| document["blocks_for_ten_elo"][end].as_u64().expect("20 blocks"));
    let hint = format!(
        "{low} to {high} blocks in all would narrow every interval to ±10 at the end (--resume --blocks {high})"
    );
    assert!(20 < low && low < high && printed.contains(&hint), "{hint}: {printed}");
    assert!(printed.contains("20 blocks separate neighbours that differ by "), "{printed}");
    assert_eq!(document["holds"], "at_planned_end");
    assert!(!printed.contains("hold at any time"), "{printed}");
    let (printed, document) = play(near, "4");
    assert!(
        document["blocks_for_ten_elo"].is_null() && !printed.contains("to ±10"),
        "too few to tell: {printed}"
    );
    // Looked at before the end, or played on because of what it showed, the intervals hold at any time.
    let file = format!("{}-20.db", near[1]);
    let before = json(at, &["standings", &file, "--json"])["bots"][0]["rating"]["half_width"].clone();
    let more = ["tournament", "--results", &file, "--resume", "--blocks", "21"];
    let printed = stdout(&leyden(at, &more));
    assert!(printed.contains("hold at any time, however often you look"), "{printed}");
    let after = json(at, &["standings", &file, "--json"])["bots"][0]["rating"]["half_width"].clone();
    assert!(after.as_f64() > before.as_f64(), "{before} {after}");
}

#[test]
fn standings_anchor_ratings_on_request_and_list_authors() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join("mine")).unwrap();
    let manifest = format!(
        "name = \"mine\"\nauthor = \"=Ann, B\"\ncommand = [{:?}, \"bot\", \"careful\"]\n",
        env!("CARGO_BIN_EXE_leyden")
    );
    std::fs::write(at.join("mine/bot.toml"), manifest).unwrap();
    let words = ["tournament", "./mine", "builtin:random", "builtin:greedy", "--blocks", "4", "--seed", "a"];
    stdout(&leyden(at, &[&words[..], &["--sandbox", "none", "--results", "a.db"], &LIMITS].concat()));
    let plain = json(at, &["standings", "a.db", "--json"]);
    let anchored = json(at, &["standings", "a.db", "--json", "--anchor", "random=-100.5"]);
    assert_valid(at, "standings", &anchored);
    let elo = |standings: &Value, name: &str| {
        let bots = standings["bots"].as_array().unwrap();
        bots.iter().find(|bot| bot["name"] == name).unwrap()["rating"]["elo"].as_f64().unwrap()
    };
    assert!((elo(&anchored, "random") + 100.5).abs() < 1e-9);
    let apart = |standings: &Value| elo(standings, "mine") - elo(standings, "greedy");
    assert!((apart(&plain) - apart(&anchored)).abs() < 1e-9, "differences stay");
    let text = stdout(&leyden(at, &["standings", "a.db", "--anchor", "random=0"]));
    assert!(text.contains("Ratings are measured from random, which has 0."), "{text}");
    let csv = stdout(&leyden(at, &["standings", "a.db", "--csv"]));
    let line = csv.lines().find(|line| line.contains(",mine,")).unwrap();
    assert!(csv.starts_with("place,bot,author,folder,elo,"), "{csv}");
    assert!(line.contains("mine,\"'=Ann, B\",./mine,"), "{csv}");
    assert!(csv.lines().any(|line| line.contains(",random,,,")), "one without a folder: {csv}");
    for (anchor, says) in
        [("nobody=0", "these are"), ("random", "expected the name"), ("random=x", "expected the name")]
    {
        let output = leyden(at, &["standings", "a.db", "--anchor", anchor]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(says), "{said}");
    }
}

#[test]
fn bot_has_results_by_opponent_seat_and_lead() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = [
        "tournament",
        "builtin:careful",
        "builtin:greedy",
        "builtin:random",
        "--blocks",
        "12",
        "--target",
        "40",
    ];
    let played = crate::program::played(at, &[&words[..], &["--seed", "c", "--results", "c.db"]].concat());
    assert_eq!(played.status.code(), Some(0));
    let printed = |words: &[&str]| stdout(&leyden(at, words));
    let document: Value =
        serde_json::from_str(&printed(&["standings", "c.db", "--bot", "greedy", "--json"])).unwrap();
    assert_valid(at, "standings", &document);
    let lines = document["circumstances"]["results"].as_array().unwrap();
    let of =
        |kind: &str| lines.iter().filter(|line| line["circumstance"]["kind"] == kind).collect::<Vec<_>>();
    assert_eq!([of("against").len(), of("in_seat").len()], [2, 2]);
    let matches = |lines: &[&Value]| lines.iter().map(|line| line["matches"].as_u64().unwrap()).sum::<u64>();
    assert_eq!([matches(&of("against")), matches(&of("in_seat"))], [48, 48]);
    assert_eq!(matches(&[of("with_lead"), of("without_lead")].concat()), 48);
    let text = printed(&["standings", "c.db", "--bot", "greedy"]);
    assert!(text.contains("against random") && text.contains("in seat 0"), "{text}");
    std::fs::write(at.join("c.jsonl"), printed(&["export", "c.db"])).unwrap();
    let exported = printed(&["standings", "c.jsonl", "--bot", "greedy", "--json"]);
    let exported: Value = serde_json::from_str(&exported).unwrap();
    assert_eq!(exported["circumstances"]["results"].as_array().unwrap().len(), lines.len());
    // Together with another game: only of the same bots.
    let played = |rules: &str, file: &str, bots: usize| {
        let words =
            [&words[..=bots], &words[4..], &["--rules", rules, "--results", file, "--seed", "d"]].concat();
        assert_eq!(crate::program::played(at, &words).status.code(), Some(0));
    };
    played("senst", "d.db", 3);
    let both = printed(&["standings", "c.db", "--bot", "greedy", "--also", "d.db", "--json"]);
    let both: Value = serde_json::from_str(&both).unwrap();
    assert_valid(at, "standings", &both);
    let lines = both["circumstances"]["results"].as_array().unwrap().iter();
    let games =
        lines.filter_map(|line| Some((line["circumstance"]["game"].as_str()?, line["matches"].as_u64()?)));
    assert_eq!(games.collect::<Vec<_>>(), [("leyden with double-six", 48), ("senst with double-six", 48)]);
    played("senst", "e.db", 2);
    for (file, says) in
        [("c.db", "expects another game"), ("e.db", "expects the same bots; random is not in both")]
    {
        let refused = leyden(at, &["standings", "c.db", "--bot", "greedy", "--also", file]);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && said.contains(says), "{said}");
    }
}
