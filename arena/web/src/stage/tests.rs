//! The stage as tables: what each command does, and what it is refused. A moment depends on nothing that follows it.

use leyden_arena::analyse::{AnalysedMatch, analyse_all};
use leyden_arena::record::sample;
use leyden_arena::record::store::{Results, StoredPlan};
use leyden_arena::rerun::RecordedMatch;
use leyden_language::{Language, PerLanguage};
use leyden_model::{MatchKey, MatchRecord, PairKey};
use leyden_protocol::{RulesName, Seat, Set, WinningScore};

use std::collections::BTreeSet;

use super::programme::RoundName;
use super::state::ShownMatch;
use super::*;
use crate::same_texts::{assert_nothing_is_kept, texts};
use crate::snapshot::tests::file;
use crate::snapshot::{RevealedMatches, SnapshotReader};

fn key(block: u32) -> MatchKey {
    let table = leyden_model::Table::new(&[leyden_model::BotIndex(0), leyden_model::BotIndex(1)]).unwrap();
    PairKey { stage: 0, block, table }.leg(0)
}

/// A match of four moments; the third ends a round.
fn staged(block: u32) -> StagedKey {
    StagedKey { key: key(block), last: 3, ends: BTreeSet::from([2]) }
}

fn at(stage: &Stage) -> Option<(u32, usize)> {
    let Shown::Match(shown) = &stage.shown else { return None };
    Some((shown.of.key.block, shown.at))
}

fn reveal(round: std::ops::Range<u32>) -> StageOrder {
    StageOrder::Reveal { round, is_played: true }
}

#[test]
fn match_is_played_at_its_pace() {
    let mut stage = Stage::default();
    stage.obey(StageOrder::Pace(1_000), 0).unwrap();
    stage.obey(StageOrder::Matches(vec![staged(0), staged(1)]), 0).unwrap();
    assert!(!stage.tick(9_999), "it waits for its start");
    stage.obey(StageOrder::Play, 10_000).unwrap();
    // The end of a round is shown three times as long, that of a match five times.
    let seconds: Vec<u64> = (10..40).filter(|&second| stage.tick(second * 1_000)).collect();
    assert_eq!(seconds, [10, 11, 14, 19, 20, 21, 24]);
    assert_eq!(at(&stage), Some((1, 3)));
    assert_eq!(stage.revealed.matches.len(), 2, "both were shown to their end");
    // From the end, it plays again from the beginning.
    stage.obey(StageOrder::Play, 50_000).unwrap();
    assert_eq!(at(&stage), Some((1, 0)));
    stage.obey(StageOrder::Pause, 50_000).unwrap();
    assert!(!stage.tick(90_000));
}

#[test]
fn match_is_revealed_at_end_and_round_once() {
    let mut stage = Stage::default();
    stage.obey(StageOrder::Matches(vec![staged(2)]), 0).unwrap();
    for at in [0, 1, 2] {
        stage.obey(StageOrder::Moment(at), 0).unwrap();
        assert!(!stage.revealed.has(&key(2)), "moment {at}");
    }
    stage.obey(StageOrder::Moment(3), 0).unwrap();
    assert!(stage.revealed.has(&key(2)) && !stage.revealed.has(&key(1)));
    stage.obey(StageOrder::Moment(0), 0).unwrap();
    assert!(stage.revealed.has(&key(2)), "what was seen cannot be hidden again");
    stage.obey(reveal(0..2), 0).unwrap();
    assert!(stage.revealed.has(&key(1)) && !stage.revealed.has(&key(3)));
    assert_eq!(stage.shown, Shown::Standings);
    assert_eq!(stage.obey(reveal(0..2), 0), Err(StageOrderError::OutOfOrder), "pressed twice");
    stage.obey(reveal(2..4), 0).unwrap();
    assert_eq!(stage.revealed, RevealedMatches { blocks: 4, matches: BTreeSet::new() });
}

#[test]
fn refused_order_changes_nothing() {
    let mut with_match = Stage::default();
    with_match.obey(StageOrder::Matches(vec![staged(0)]), 0).unwrap();
    for (stage, order, why) in [
        (Stage::default(), StageOrder::Play, StageOrderError::NoMatch),
        (Stage::default(), StageOrder::Moment(0), StageOrderError::NoMatch),
        (Stage::default(), StageOrder::View(None), StageOrderError::NoMatch),
        (Stage::default(), StageOrder::Matches(Vec::new()), StageOrderError::NotFound),
        (Stage::default(), reveal(1..2), StageOrderError::OutOfOrder),
        (Stage::default(), StageOrder::Reveal { round: 0..1, is_played: false }, StageOrderError::NotPlayed),
        (Stage::default(), StageOrder::Winner { is_over: false }, StageOrderError::NotOver),
        (Stage::default(), StageOrder::Pace(1), StageOrderError::Pace(1)),
        (
            Stage::default(),
            StageOrder::Countdown { seconds: u64::MAX, round: None },
            StageOrderError::TooLong(u64::MAX),
        ),
        (with_match.clone(), StageOrder::Moment(4), StageOrderError::NoMoment { at: 4, last: 3 }),
        (with_match, StageOrder::View(Seat::new(2)), StageOrderError::NoSeat(Seat::new(2).unwrap())),
    ] {
        let mut after = stage.clone();
        assert_eq!(after.obey(order.clone(), 0), Err(why), "{order:?}");
        assert_eq!(after, stage, "{order:?}");
    }
}

#[test]
fn stage_is_kept_for_its_own_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("cup.db");
    let kept = StageFile::for_results(&results, "one".to_owned());
    let mut stage = kept.open().unwrap();
    assert_eq!(stage, Stage::default());
    stage.obey(StageOrder::Matches(vec![staged(0), staged(1)]), 0).unwrap();
    stage.obey(StageOrder::View(Seat::new(1)), 0).unwrap();
    stage.obey(StageOrder::Play, 7).unwrap();
    kept.keep(&stage).unwrap();
    assert_eq!(kept.open().unwrap(), stage);
    let other = StageFile::for_results(&results, "other".to_owned());
    assert!(matches!(other.open(), Err(StageFileError::OfAnother(_))));
    std::fs::write(folder.path().join("cup.db.stage.json"), "{").unwrap();
    assert!(
        matches!(kept.open(), Err(StageFileError::Broken(..))),
        "nothing is hidden or revealed by accident"
    );
}

fn open(key: MatchKey, record: MatchRecord) -> OpenMatch {
    let staged = StagedMatch::new(key, record, None).unwrap();
    OpenMatch { staged, caption: PerLanguage::new(|_| "a round".to_owned()), better: WinningScore::Lower }
}

/// The scene of a moment, with all hands and from each seat.
fn scenes(open: &OpenMatch, at: usize) -> Vec<StageScene> {
    let views = std::iter::once(None).chain(open.staged.record.bots.seats().iter().map(Some));
    let scene_of = |view| {
        let of = open.staged.staged();
        let shown = Shown::Match(ShownMatch { of, then: Vec::new(), at, view, next_ms: None });
        scene(&Stage { shown, ..Stage::default() }, Some(open), None, 0, Language::English)
    };
    views.map(scene_of).collect()
}

/// Returns the match as it is if a fault ends it in the middle of its first round.
fn cut(record: &MatchRecord, faulted: &MatchRecord) -> MatchRecord {
    let mut cut = record.clone();
    let round = cut.rounds.iter().position(|round| round.actions.len() > 10).unwrap();
    cut.rounds.truncate(round + 1);
    let last = &mut cut.rounds[round];
    last.actions.truncate(8);
    last.end = leyden_model::RecordedEnding::Unfinished;
    let nothing = leyden_protocol::PerSeat::default_for(cut.bots.seats());
    (last.pips, last.points, last.scores, cut.scores) = (nothing, nothing, nothing, nothing);
    (cut.winner, cut.end, cut.fault) = (faulted.winner, faulted.end, faulted.fault.clone());
    cut
}

/// Matches that differ only after a moment, by how they go on and how they end, look the same until then.
#[test]
fn moment_does_not_depend_on_what_follows() {
    for (rules, seats, set) in sample::every_game() {
        let stored_plan = sample::stored_plan_of(rules, seats, set, seats, 1);
        let (key, record) = sample::matches(&stored_plan).next().unwrap();
        let faulted = sample::play(sample::record_template(&stored_plan).for_match(&key), Some(25));
        let cut = open(key, cut(&record, &faulted));
        let whole = open(key, record);
        let last = cut.staged.staged().last;
        assert!(last > 8 && whole.staged.staged().last > last, "{rules} {seats}");
        for at in 0..last - 1 {
            assert!(scenes(&whole, at) == scenes(&cut, at), "{rules} {seats}: moment {at}");
        }
        assert!(scenes(&whole, last) != scenes(&cut, last), "{rules} {seats}: they differ after all");
    }
}

#[test]
fn seat_view_hides_other_hands_and_the_boneyard() {
    let stored_plan = sample::stored_plan_of(RulesName::Leyden, 2, Set::DoubleSix, 2, 1);
    let (key, record) = sample::matches(&stored_plan).next().unwrap();
    let turned = crate::snapshot::tests::otherwise(&record);
    let (one, other) = (open(key, record), open(key, turned));
    for at in 0..one.staged.staged().last {
        assert_eq!(scenes(&one, at), scenes(&other, at), "the boneyard, notes and standard error, at {at}");
    }
    let [all, first, _] = &scenes(&one, 0)[..] else { panic!("two seats") };
    let hidden = |scene: &StageScene| {
        scene.parts.iter().map(|(_, part)| part.matches("tile back").count()).sum::<usize>()
    };
    assert_eq!((hidden(all), hidden(first)), (0, 6));
}

fn snapshot(plan: &StoredPlan, matches: &[(MatchKey, MatchRecord)]) -> crate::snapshot::Snapshot {
    let (_folder, path) = file(plan, matches);
    let mut reader = SnapshotReader::open(&path).unwrap();
    reader.refresh(|_| {}).unwrap();
    reader.snapshot(None).unwrap()
}

/// What the audience and the organiser read, at every moment of matches, and of the event.
fn everything_said(
    all: &[(MatchKey, MatchRecord)],
    analyses: &[AnalysedMatch],
    path: &std::path::Path,
    language: Language,
) -> BTreeSet<String> {
    let mut reader = SnapshotReader::open(path).unwrap();
    reader.refresh(|_| {}).unwrap();
    let snapshot = reader.snapshot(None).unwrap();
    let (rounds, programme) = Results::inspect(path, |results| {
        let rounds = StagedRound::all(results).unwrap();
        let programme = Programme::read(results, rounds[0].clone()).unwrap();
        (rounds, programme)
    })
    .unwrap();
    let mut said = BTreeSet::new();
    let (nothing, everything) =
        (RevealedMatches::default(), RevealedMatches { blocks: 2, ..RevealedMatches::default() });
    let mut show = |shown: Shown, open: Option<&OpenMatch>, revealed: &RevealedMatches| {
        let stage = Stage { shown, revealed: revealed.clone(), ..Stage::default() };
        let scene = scene(&stage, open, Some(&snapshot), 0, language);
        said.extend(scene.parts.iter().flat_map(|(_, part)| texts(part)));
        said.extend(texts(&document(&scene, "cup", language).into_string()));
        said.extend(texts(&control_document(&scene, "cup", language).into_string()));
        let names = open.map_or_else(Vec::new, OpenMatch::names);
        let (stage, rounds, programme) = (&stage, &rounds, Some(&programme));
        let is_over = *revealed == everything;
        let page = ControlPage { stage, names, rounds, programme, is_over, language, trouble: None };
        said.extend(texts(&page.desk().into_string()));
    };
    for ((key, record), analysis) in all.iter().zip(analyses) {
        for analysed in [None, Some(analysis.clone())] {
            let staged = StagedMatch::new(*key, record.clone(), analysed).unwrap();
            let caption = PerLanguage::new(|language| programme.caption(key, &everything, language));
            let open = OpenMatch { staged, caption, better: WinningScore::Lower };
            let of = open.staged.staged();
            for at in (0..of.last).step_by(7).chain([of.last]) {
                for (view, next_ms) in [(None, Some(1)), (Some(Seat::FIRST), None)] {
                    let shown =
                        ShownMatch { of: of.clone(), then: vec![of.clone(); at % 2], at, view, next_ms };
                    show(Shown::Match(shown), Some(&open), &nothing);
                }
            }
        }
    }
    let extra = RoundName::Round { stage: Some(1), round: 2, is_extra: true };
    for round in [None, Some(rounds[0].name), Some(extra)] {
        for until_ms in [0, 70_000] {
            show(Shown::Countdown { until_ms, round }, None, &everything);
        }
    }
    for shown in [Shown::Title, Shown::Standings, Shown::Winner] {
        show(shown, None, &everything);
    }
    said
}

#[test]
fn translated_stage_contains_no_english() {
    let stored_plan = sample::stored_plan(3, 2);
    let mut all: Vec<_> = sample::matches(&stored_plan).collect();
    all[1].1 = sample::play(sample::record_template(&stored_plan).for_match(&all[1].0), Some(30));
    let (_folder, path) = file(&stored_plan, &all);
    let first_two: Vec<_> =
        all[..2].iter().map(|(_, record)| RecordedMatch::new(record.clone(), None)).collect();
    let analyses = analyse_all(&first_two, 1, None, &|_| {}).unwrap();
    let english = everything_said(&all, &analyses, &path, Language::English);
    assert!(english.len() > 100, "{english:?}");
    for language in [Language::German, Language::French] {
        assert_nothing_is_kept(&english, &everything_said(&all, &analyses, &path, language), language);
    }
}

/// Three bots: 0 wins everything but its first pair.
#[test]
fn winner_is_named_with_margin_and_moment() {
    let stored_plan = sample::stored_plan(3, 3);
    let mut all: Vec<_> = sample::matches(&stored_plan).collect();
    for (key, record) in &mut all {
        let best = if key.block == 0 { 2 } else { 0 };
        let rank = |bot: &leyden_model::BotIndex| (bot.0 + 3 - best) % 3;
        let seats = key.seating();
        let winner = seats.iter().min_by_key(|(_, bot)| rank(bot)).map(|(seat, _)| seat);
        record.winner = winner;
        record.scores = seats.map(|bot| 100 + rank(bot));
    }
    let snapshot = snapshot(&stored_plan, &all);
    let winner = winner::EventWinner::from_snapshot(&snapshot, Language::English).unwrap();
    assert_eq!(winner.names, ["bot-0"]);
    assert_eq!(winner.margin.as_deref(), Some("10 of 12 points, 6 ahead of bot-2"));
    assert_eq!(winner.moment.as_deref(), Some("Ahead of all others since block 2 of 3."));
}

#[test]
fn verdict_names_the_margin_unless_drawn() {
    let (key, record) = sample::matches(&sample::stored_plan(2, 1)).next().unwrap();
    let names_margin = |record: MatchRecord| {
        let open = open(key, record);
        let scene = scenes(&open, open.staged.staged().last).remove(0);
        scene.parts.iter().any(|(_, part)| part.contains(", by "))
    };
    let mut drawn = record.clone();
    (drawn.winner, drawn.scores) = (None, record.scores.map(|_| 100));
    assert!(names_margin(record) && !names_margin(drawn));
}

#[test]
fn closest_match_of_a_round_is_found() {
    let stored_plan = sample::stored_plan(4, 2);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let (_folder, path) = file(&stored_plan, &all);
    let programme = |block: usize| {
        Results::inspect(&path, |results| {
            let round = StagedRound::all(results).unwrap().swap_remove(block);
            Programme::read(results, round).unwrap()
        })
        .unwrap()
    };
    let (first, second) = (programme(0), programme(1));
    assert_eq!(
        (first.round.name.in_words(Language::English), first.matches.len(), first.is_played),
        ("Block 1".to_owned(), 12, true)
    );
    let margin = |listed: &ListedMatch| listed.seen.final_scores(WinningScore::Lower).winning_margin();
    for programme in [&first, &second] {
        let smallest = programme.matches.iter().map(margin).min();
        assert_eq!(programme.closest().map(margin), smallest);
    }
    assert_eq!(first.meeting(&all[0].0).count(), 2);
    assert!(second.find(&all[0].1.id).is_none(), "another block");
    assert!(
        !Programme::read(&Results::open(&file(&stored_plan, &all[..13]).1).unwrap(), second.round)
            .unwrap()
            .is_played
    );
}
