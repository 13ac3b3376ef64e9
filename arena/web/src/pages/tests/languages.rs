//! In German and in French, no page says anything in English.

use std::collections::BTreeSet;
use std::path::Path;

use leyden_arena::format::{Competition, Format, Play, Seeding, Stage, TieBreak};
use leyden_arena::run::GateTerms;
use leyden_model::{BotIndex, ChangeKind, LeftOut, MatchKey, MatchRecord, TournamentChange};

use super::*;
use crate::same_texts::{assert_nothing_is_kept, texts};
use crate::snapshot::Snapshot;
use crate::snapshot::tests::{competition, file, hide_names, league, with_copies};

/// Every page of a tournament in a language. Without names it is in that language already.
fn pages_of(
    snapshot: &Snapshot,
    nameless: Option<&Snapshot>,
    matches: &[(MatchKey, MatchRecord)],
    language: Language,
) -> BTreeSet<String> {
    let replays: BTreeSet<String> = snapshot.matches.iter().map(|seen| seen.id.clone()).collect();
    let mut all = BTreeSet::new();
    let mut add = |page: String| {
        assert!(!page.starts_with("<!") || page.contains(&format!("<html lang=\"{language}\"")), "{page}");
        all.extend(texts(&page));
    };
    let server =
        |delay, has_stage| Site::Server { delay, is_one_of_several: true, has_stage, has_replays: true };
    let folder = || Site::Folder { replays: replays.clone(), has_records: snapshot.progress.is_over };
    let sites = [server(Delay::Pair, false), server(Delay::None, false), server(Delay::Pair, true), folder()];
    let named = sites.map(|site| (snapshot, site));
    for (snapshot, site) in named.into_iter().chain(nameless.map(|nameless| (nameless, folder()))) {
        add(overview(snapshot, &site, language).into_string());
        for query in [&[][..], &[("bot", "0")], &[("bot", "0"), ("rival", "1")], &[("page", "2")]] {
            let mut asked = Query::default();
            for (name, value) in query {
                asked.set(name, value);
            }
            add(matches::matches(snapshot, &site, &asked, language).into_string());
        }
        add(pairings(snapshot, &site, language).into_string());
        add(live(snapshot, &site, language).into_string());
        add(screen(snapshot, &site, language).into_string());
        add(verify(snapshot, &site, language).into_string());
        for index in 0..snapshot.bots.len().min(3) as u32 {
            add(bot(snapshot, &site, BotIndex(index), language).unwrap().into_string());
        }
        for (_, record) in matches.iter().take(8).filter(|_| !snapshot.progress.is_over) {
            add(single(snapshot, &site, record, None, language).unwrap());
        }
    }
    add(events(&[Some(snapshot), None], language).into_string());
    let rows = match_rows(snapshot, &Site::Folder { replays, has_records: false }, language);
    let rows = rows.trim_start_matches("window.leydenMatches = ").trim_end_matches(";\n");
    let rows: serde_json::Value = serde_json::from_str(rows).unwrap();
    let cells = rows["matches"].as_array().unwrap().iter().map(|row| &row[11]);
    let said = rows["texts"].as_object().unwrap().values().chain(cells);
    all.extend(said.map(|text| text.as_str().unwrap().to_owned()));
    all
}

/// Fails if pages in another language have a text that is in the English ones; with `is_nameless`, also those without names.
fn assert_nothing_is_english(plan: &StoredPlan, matches: &[(MatchKey, MatchRecord)], is_nameless: bool) {
    let (_folder, path) = file(plan, matches);
    assert_nothing_is_english_in(&path, matches, is_nameless);
}

fn assert_nothing_is_english_in(path: &Path, matches: &[(MatchKey, MatchRecord)], is_nameless: bool) {
    let mut reader = SnapshotReader::open(path).unwrap();
    reader.refresh(|_| {}).unwrap();
    let snapshot = reader.snapshot(Some(2.5)).unwrap();
    let said = |language| {
        let nameless = is_nameless.then(|| reader.nameless(None, language).unwrap());
        pages_of(&snapshot, nameless.as_ref(), matches, language)
    };
    let english = said(Language::English);
    for language in [Language::German, Language::French] {
        let other = said(language);
        assert_nothing_is_kept(&english, &other, language);
        assert!(other.len() > 100, "{other:?}");
    }
}

#[test]
fn tournament_with_faults_has_no_english() {
    let mut plan = sample::stored_plan(4, 3);
    plan.left_out =
        vec![LeftOut { entry: "bot-9".to_owned(), reason: "bot-9".to_owned(), printed: Vec::new() }];
    let bot = || "bot-1".to_owned();
    for what in [
        ChangeKind::Joined { bot: bot() },
        ChangeKind::Replaced { bot: bot() },
        ChangeKind::Withdrawn { bot: bot(), matches: 2 },
        ChangeKind::Left { bot: bot(), round: 2 },
        ChangeKind::Blocks { from: 1, to: 3 },
    ] {
        let known = matches!(what, ChangeKind::Joined { .. });
        plan.changes.push(TournamentChange { after: 2, seed_known: known, what });
    }
    let played = sample::matches(&plan);
    let faulted = sample::faulted(&plan);
    let all: Vec<_> =
        played.zip(faulted).map(|(one, other)| if one.0.block % 2 == 0 { one } else { other }).collect();
    assert_nothing_is_english(&plan, &all, true);
    assert_nothing_is_english(&plan, &all[..all.len() - 1], false);
    assert_nothing_is_english(&plan, &[], false);
    let many = sample::stored_plan(61, 1);
    assert_nothing_is_english(&many, &[], false);
}

#[test]
fn stages_of_a_competition_have_no_english() {
    let stage = |play, advance| {
        let ties = [
            TieBreak::DirectEncounter,
            TieBreak::BuchholzCut1,
            TieBreak::SonnebornBerger,
            TieBreak::Wins,
            TieBreak::Margin,
        ];
        let tie_breaks = if matches!(play, Play::Knockout { .. } | Play::DoubleElimination { .. }) {
            Vec::new()
        } else {
            ties.to_vec()
        };
        Stage { play, blocks: 2, advance, tie_breaks }
    };
    for stages in [
        vec![
            stage(Play::Swiss { rounds: 2 }, Some(5)),
            stage(Play::Knockout { best_of: false, third_place: true }, None),
        ],
        vec![
            stage(Play::Groups { groups: 2 }, Some(4)),
            stage(Play::DoubleElimination { best_of: false }, None),
        ],
        vec![stage(Play::League { batches: Some(2) }, None)],
        vec![stage(Play::RoundRobin, None)],
    ] {
        let seeds = (0..6).map(BotIndex).collect();
        let of = Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages };
        let plan = StoredPlan { format: Format::Stages(of), ..sample::stored_plan(6, 2) };
        let all = competition(&plan, None);
        // An even number of stages is shown to its end, an odd one before.
        let shown = all.len() - plan.format.competition().map_or(0, |of| of.stages.len() % 2);
        assert_nothing_is_english(&plan, &all[..shown], false);
    }
}

#[test]
fn copies_in_a_league_have_no_english() {
    let plan = league(4);
    let (_folder, path) = with_copies(&plan);
    assert_nothing_is_english_in(&path, &competition(&plan, None), false);
    hide_names(&plan, &path);
    assert_nothing_is_english_in(&path, &[], false);
}

#[test]
fn pages_of_a_gate_have_no_english() {
    let gate = Some(GateTerms::default());
    let plan = StoredPlan { gate, ..sample::stored_plan(2, 12) };
    let all: Vec<_> = sample::matches(&plan).collect();
    assert_nothing_is_english(&plan, &all[..all.len() - 1], false);
}
