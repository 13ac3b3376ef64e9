//! A published folder is complete, or does not exist.

use std::io::Read;

use leyden_protocol::{RulesName, Set};

use super::*;
use crate::snapshot::tests::file;
use leyden_arena::grade::Rubric;
use leyden_arena::record::sample;

fn files(folder: &Path) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                all.insert(entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    all
}

#[test]
fn report_folder_contains_every_linked_page() {
    for is_over in [false, true] {
        let stored_plan = sample::stored_plan(5, 2);
        let mut all: Vec<_> = sample::faulted(&stored_plan).collect();
        all.truncate(if is_over { all.len() } else { all.len() - 1 });
        let (folder, path) = file(&stored_plan, &all);
        let out = folder.path().join("site/report");
        let published = publish(&path, &out, Names::Shown, Language::English).unwrap();
        let there = files(&out);
        assert_eq!((published.files, published.is_over), (there.len(), is_over));
        assert_eq!(there.contains("records.jsonl.gz"), is_over);
        assert_eq!(there.iter().filter(|name| name.starts_with("matches/")).count(), published.replays);
        for name in there.iter().filter(|name| Path::new(name).extension().is_some_and(|kind| kind == "html"))
        {
            let page = fs::read_to_string(out.join(name)).unwrap();
            let inside = Path::new(name).parent().unwrap();
            let links = page.split(" href=\"").chain(page.split(" src=\"")).skip(1);
            for link in
                links.filter_map(|rest| rest.split('"').next()).filter(|link| !link.starts_with(['#', '<']))
            {
                let target = inside.join(link.split(['#', '?']).next().unwrap());
                assert!(out.join(&target).is_file(), "{name} leads to {link}");
            }
        }
        let data = fs::read_to_string(out.join("assets/matches.js")).unwrap();
        let json = data.strip_prefix("window.leydenMatches = ").unwrap().trim_end().trim_end_matches(';');
        let list: serde_json::Value = serde_json::from_str(json).unwrap();
        let rows = list["matches"].as_array().unwrap();
        assert_eq!(rows.len(), all.len() / 2 * 2);
        let page = fs::read_to_string(out.join("matches.html")).unwrap();
        for row in rows.iter().rev().take(3) {
            let cells = row[11].as_str().unwrap();
            assert!(cells.contains("<td class=\"right number wide\">") && page.contains(cells), "{row}");
        }
        assert_eq!(
            fs::read_to_string(out.join("matches.csv")).unwrap().lines().count(),
            all.len() / 2 * 2 + 1
        );
        if is_over {
            let mut text = String::new();
            let packed = File::open(out.join("records.jsonl.gz")).unwrap();
            flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
            assert_eq!(text.lines().count(), all.len());
            let recipe = fs::read_to_string(out.join("verify.html")).unwrap();
            assert!(
                recipe.contains(&format!("leyden verify - --matches {} --commitment", all.len())),
                "{recipe}"
            );
        }
        let mode = fs::metadata(&out).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755, "others may read it");
        assert!(matches!(
            publish(&path, &out, Names::Shown, Language::English),
            Err(PublishError::Exists(_))
        ));
        assert_eq!(files(&out), there);
        assert_eq!(fs::read_dir(folder.path().join("site")).unwrap().count(), 1, "no draft is left");
    }
}

#[test]
fn folder_without_its_own_name_is_refused() {
    let stored_plan = sample::stored_plan(2, 1);
    let (folder, path) = file(&stored_plan, &sample::matches(&stored_plan).collect::<Vec<_>>());
    for out in [folder.path().join(".."), folder.path().join("a/.."), "/".into(), ".".into()] {
        let refused = publish(&path, &out, Names::Shown, Language::English);
        assert!(matches!(refused, Err(PublishError::NoName(_))), "{}", out.display());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something was written");
}

#[test]
fn name_is_no_formula_in_any_table() {
    let mut stored_plan = sample::stored_plan(2, 1);
    "=cmd()|' /C calc'!A0".clone_into(&mut stored_plan.bots[0].name);
    "+1,\"2\"".clone_into(&mut stored_plan.bots[1].name);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let (folder, path) = file(&stored_plan, &all);
    let out = folder.path().join("report");
    publish(&path, &out, Names::Shown, Language::English).unwrap();
    for table in ["matches.csv", "standings.csv"] {
        let text = fs::read_to_string(out.join(table)).unwrap();
        assert!(text.contains("'=cmd()") && text.contains("\"'+1,\"\"2\"\"\""), "{text}");
        assert!(
            !text.contains(",=") && !text.contains(",\"=") && !text.contains(",+") && !text.contains(",\"+"),
            "{text}"
        );
    }
}

/// Markers for everything that names a bot or its author, or is written by them.
const MARKS: [&str; 6] = ["zorro", "author-of", "tongue", "handed-in", "hm\\\"", "Traceback"];

#[test]
fn nameless_report_has_no_name_in_any_file() {
    for (seats, blocks, short) in [(2, 2, 0), (2, 2, 1), (3, 1, 0)] {
        let rules = if seats == 2 { RulesName::Leyden } else { RulesName::Matador };
        let mut stored_plan = sample::stored_plan_of(rules, seats, Set::DoubleSix, 5, blocks);
        for (index, bot) in stored_plan.bots.iter_mut().enumerate() {
            bot.name = format!("zorro-{}", 4 - index);
            bot.author = Some(format!("author-of-{index}"));
            bot.language = Some("tongue".to_owned());
            bot.folder = Some("handed-in".to_owned());
        }
        "zorro-seed".clone_into(&mut stored_plan.seed);
        let (entry, reason) = ("zorro-5".to_owned(), "zorro is none".to_owned());
        stored_plan.left_out =
            vec![leyden_model::LeftOut { entry, reason, printed: vec!["zorro".to_owned()] }];
        let what = leyden_model::ChangeKind::Joined { bot: "zorro-4".to_owned() };
        stored_plan.changes = vec![leyden_model::TournamentChange { after: 3, seed_known: false, what }];
        let mut all: Vec<_> = sample::faulted(&stored_plan).collect();
        for (_, record) in &mut all {
            if let Some(fault) = &mut record.fault {
                fault.details = leyden_model::FaultDetails::from_text("zorro has failed");
            }
        }
        all.truncate(all.len() - short);
        let (folder, path) = file(&stored_plan, &all);
        let path_of_zorro = path.with_file_name("zorro.db");
        fs::rename(&path, &path_of_zorro).unwrap();
        let out = folder.path().join("report");
        let published = publish(&path_of_zorro, &out, Names::Hidden, Language::English).unwrap();
        assert!(published.is_over == (short == 0) && published.replays > 0);
        let there = files(&out);
        assert!(!there.contains("records.jsonl.gz"), "the deals would show names");
        for name in &there {
            let text = String::from_utf8(fs::read(out.join(name)).unwrap()).unwrap();
            for mark in MARKS {
                assert!(!text.contains(mark), "{name} has {mark}");
            }
        }
        let page = fs::read_to_string(out.join("index.html")).unwrap();
        assert!(page.contains("Bot 1") && page.contains("Bot 5"));
        assert!(there.iter().any(|name| {
            name.starts_with("matches/") && fs::read_to_string(out.join(name)).unwrap().contains("Bot 1")
        }));
    }
}

#[test]
fn report_with_pseudonyms_names_only_these() {
    let stored_plan = sample::stored_plan(3, 2);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let (folder, path) = file(&stored_plan, &all);
    let names: Vec<&str> = stored_plan.bots.iter().map(|bot| bot.name.as_str()).collect();
    let rubric = |known: usize| {
        let lines = names.iter().take(known).map(|name| format!("{name:?} = \"Panda {}\"", name.len() * 7));
        let numbered = lines.enumerate().map(|(nth, line)| line.replace("Panda", &format!("Panda {nth}")));
        let table = numbered.collect::<Vec<_>>().join("\n");
        Rubric::read(&format!("check = 1\n[pseudonyms]\n{table}\n")).unwrap().pseudonyms
    };
    let out = folder.path().join("report");
    let error =
        publish(&path, &out, Names::Pseudonyms(&rubric(2)), Language::English).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{} has no pseudonym: add the line", names[2])), "{error}");
    assert!(!out.exists());
    publish(&path, &out, Names::Pseudonyms(&rubric(3)), Language::English).unwrap();
    let there = files(&out);
    assert!(!there.contains("records.jsonl.gz"), "the deals would show names");
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    for (nth, name) in names.iter().enumerate() {
        assert!(page.contains(&format!("Panda {nth}")));
        for file in &there {
            let text = String::from_utf8(fs::read(out.join(file)).unwrap()).unwrap();
            assert!(
                !text.contains(&format!(">{name}<")) && !text.contains(&format!("\"{name}\"")),
                "{file}: {name}"
            );
        }
    }
}

/// Not even the order in which the bots were named, which is often alphabetical, can be guessed.
#[test]
fn nameless_report_does_not_depend_on_naming_order() {
    let mut stored_plan = sample::stored_plan(4, 3);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let (folder, path) = file(&stored_plan, &all);
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    publish(&path, &one, Names::Hidden, Language::English).unwrap();
    // The same matches among the same bots, named in reverse order.
    stored_plan.bots.reverse();
    let turned = |bot: &BotIndex| BotIndex(3 - bot.0);
    let schedule = stored_plan.schedule().unwrap();
    let again: Vec<_> = all
        .iter()
        .map(|(key, record)| {
            let bots = key.seating().map(turned);
            let same = |other: &MatchKey| other.block == key.block && other.seating() == bots;
            let key = schedule.iter(0..u64::MAX).find(same).unwrap();
            (key, leyden_model::MatchRecord { leg: key.leg, ..record.clone() })
        })
        .collect();
    let (_folder, path) = file(&stored_plan, &again);
    publish(&path, &two, Names::Hidden, Language::English).unwrap();
    assert_eq!(files(&one), files(&two));
    for name in files(&one) {
        assert_eq!(fs::read(one.join(&name)).unwrap(), fs::read(two.join(&name)).unwrap(), "{name}");
    }
}

#[test]
fn update_renews_a_whole_report_and_nothing_else() {
    let stored_plan = sample::stored_plan(3, 1);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let (folder, path) = file(&stored_plan, &all);
    let out = folder.path().join("weekly");
    update(&path, &out, Names::Shown, Language::English).unwrap();
    let first = files(&out);
    fs::write(out.join("bots/of-last-week.html"), "").unwrap();
    assert!(matches!(publish(&path, &out, Names::Shown, Language::English), Err(PublishError::Exists(_))));
    update(&path, &out, Names::Shown, Language::English).unwrap();
    assert_eq!(files(&out), first, "what belonged to the earlier one is gone");
    let beside: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!beside.iter().any(|name| name.to_string_lossy().starts_with(".leyden-report-")), "{beside:?}");
    let other = folder.path().join("homework");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("index.html"), "mine").unwrap();
    assert!(matches!(
        update(&path, &other, Names::Shown, Language::English),
        Err(PublishError::NotReport(_))
    ));
    assert_eq!(fs::read_to_string(other.join("index.html")).unwrap(), "mine");
}
