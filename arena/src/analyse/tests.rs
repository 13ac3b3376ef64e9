use std::collections::BTreeSet;
use std::fs;

use leyden_model::projection::Audience;
use leyden_model::{MatchRecord, TurnRef, position, questions};
use leyden_protocol::{Action, Clock, RulesName, Seat, Set, Turn};
use rustix::fs::Mode;

use super::kind::kind;
use super::*;
use crate::record::sample;
use crate::record::sample::twins::{Dice, Moment, twins};
use crate::rerun::{AskedTurn, RecordedMatch, each_turn};

fn recorded(blocks: u32) -> Vec<RecordedMatch> {
    let stored_plan = sample::stored_plan(2, blocks);
    sample::matches(&stored_plan).map(|(_, record)| RecordedMatch::new(record, None)).collect()
}

/// Two short matches, so that tests are quick.
fn two_short() -> [RecordedMatch; 2] {
    let mut records = recorded(3);
    let all = |record: &MatchRecord| record.rounds.iter().map(|round| round.actions.len()).sum::<usize>();
    records.sort_by_key(|recorded| all(recorded.record()));
    [records.remove(0), records.remove(0)]
}

fn short() -> RecordedMatch {
    let [shortest, _] = two_short();
    shortest
}

#[test]
fn any_number_of_threads_evaluates_alike() {
    let matches = two_short();
    let one = analyse_all(&matches, 1, None, &|_| {}).unwrap();
    let two = analyse_all(&matches, 2, None, &|_| {}).unwrap();
    assert_eq!(one, two);
    assert_ne!(one[0], one[1]);
    let asked = questions(matches[0].record()).unwrap();
    let evaluated: Vec<_> = one[0]
        .decisions
        .iter()
        .map(|evaluated| (evaluated.turn_ref, evaluated.seat, evaluated.turn))
        .collect();
    assert_eq!(
        evaluated,
        asked.iter().map(|asked| (asked.turn_ref, asked.seat, asked.turn)).collect::<Vec<_>>()
    );
}

/// Evaluates the question of a turn as the seat was asked it.
fn evaluated(record: &MatchRecord, turn_ref: TurnRef) -> Option<EvaluatedDecision> {
    let here = position(record, turn_ref).unwrap();
    let mut legal = Vec::new();
    let view = here.game.view(here.seat, &mut legal)?;
    let turn = Turn::new(here.turn?, "twins", view, Clock { turn_ms: 1000, bank_ms: 0, last_us: None });
    let answer = here.done.map(|done| Action::from(done.event));
    let asked = AskedTurn { turn_ref, turn: &turn, answer, fault: None, note: None, took: None };
    DecisionEvaluator::new(*here.game.rules(), "twins").decision(&asked, None)
}

#[test]
fn values_ignore_what_the_seat_cannot_know() {
    let (mut compared, mut dice) = (0, Dice(1));
    for (name, seats, set) in
        [(RulesName::Leyden, 2, Set::DoubleSix), (RulesName::Matador, 3, Set::DoubleSix)]
    {
        let stored_plan = sample::stored_plan_of(name, seats, set, seats, 2);
        for (_, record) in sample::matches(&stored_plan) {
            for _ in 0..6 {
                let deal = dice.below(record.rounds.len());
                let actions = dice.below(record.rounds[deal].actions.len().min(8));
                let turn_ref = TurnRef { round: deal as u32, action: actions as u32 };
                let Some(seat) = record.rounds[deal].actions.get(actions).map(|entry| entry.seat) else {
                    continue;
                };
                let moment = Moment { deal, actions, is_settled: false };
                let Some((one, other)) = twins(&record, moment, Audience::Seat(seat), &mut dice) else {
                    continue;
                };
                let [one, other] = [&one, &other].map(|record| evaluated(record, turn_ref));
                assert_eq!(one, other, "{name} {turn_ref}");
                compared += usize::from(one.is_some());
            }
        }
    }
    assert!(compared > 8, "{compared}");
}

/// The same action is evaluated against itself: by one half of the batches against the other, which have nothing in common.
#[test]
fn noise_is_never_called_a_blunder() {
    let (mut compared, mut noisy) = (0, 0);
    for recorded in recorded(1) {
        let rules = recorded.record().rules.rules().unwrap();
        for seat in rules.seats.iter() {
            each_turn(&recorded, seat, &mut |asked| {
                // Every fourth turn, so that the test is quick.
                if asked.turn.id % 4 != 1 {
                    return Ok(());
                }
                let [one, other] = ["one", "other"].map(|id| DecisionEvaluator::new(rules, id));
                for index in 0..asked.turn.legal.len() {
                    let Some(apart) = evaluator::tests::apart(&one, &other, asked.turn, index) else {
                        continue;
                    };
                    compared += 1;
                    noisy += usize::from(apart.chance.mean.abs() > 0.01);
                    assert!(!evaluator::tests::is_blunder(&apart), "{}", asked.turn_ref);
                }
                Ok(())
            })
            .unwrap();
        }
    }
    assert!(compared > 100 && noisy > 0, "{noisy} of {compared}");
}

#[test]
fn sure_mistake_is_called_a_blunder() {
    let analysed = analyse(&recorded(1)[0]).unwrap();
    let blunders: Vec<_> = analysed.decisions.iter().filter(|decision| decision.blunder.is_some()).collect();
    assert!(!blunders.is_empty(), "random play has none");
    for blunder in &blunders {
        let lost = blunder.lost.unwrap().chance;
        assert!(lost.mean > 0.02 && lost.mean > 3.0 * lost.se, "{blunder:?}");
        assert_ne!(blunder.taken, Some(blunder.best));
    }
    let agreed = analysed.decisions.iter().filter(|decision| decision.taken == Some(decision.best));
    assert!(agreed.clone().count() > 3);
    for decision in agreed {
        assert_eq!(decision.lost.unwrap().chance, Estimate::default());
    }
    assert!(
        analysed
            .decisions
            .iter()
            .all(|decision| decision.outlook.is_some_and(|chance| (0.0..=1.0).contains(&chance)))
    );
}

#[test]
fn blunder_kinds_fit_their_actions_and_all_occur() {
    let mut kinds = BTreeSet::new();
    for recorded in recorded(20) {
        let rules = recorded.record().rules.rules().unwrap();
        each_turn(&recorded, Seat::FIRST, &mut |asked| {
            for taken in asked.turn.legal.iter() {
                for best in asked.turn.legal.iter().filter(|best| *best != taken) {
                    let kind = kind(&rules, asked.turn, *taken, *best);
                    match kind {
                        BlunderKind::DrewNeedlessly => assert_eq!(*taken, Action::Draw),
                        BlunderKind::DidNotDraw => assert_eq!(*best, Action::Draw),
                        BlunderKind::WastedMatador => {
                            let pips = taken.tile().unwrap().pips();
                            assert!(pips == 7 || pips == 0, "{taken}");
                        }
                        BlunderKind::KeptHeavyDouble => {
                            let tile = best.tile().unwrap();
                            assert!(tile.double().is_some() && tile.pips() >= 8, "{best}");
                        }
                        BlunderKind::WrongLead | BlunderKind::OpenedForStarved | BlunderKind::Other => {}
                    }
                    kinds.insert(kind);
                }
            }
            Ok(())
        })
        .unwrap();
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), BlunderKind::ALL);
}

#[test]
fn cache_is_believed_only_where_it_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("r.db");
    let recorded = short();
    let analysed = analyse(&recorded).unwrap();
    let mut cache = AnalysisCache::for_results(&results);
    assert_eq!(cache.find(&recorded), None);
    cache.add(recorded.record(), &analysed);
    cache.keep().unwrap();
    let path = cache.path().to_owned();
    assert_eq!(AnalysisCache::for_results(&results).find(&recorded).as_ref(), Some(&analysed));

    // The line is changed, damaged or of another version, or the record is another one.
    let text = fs::read_to_string(&path).unwrap();
    let (start, analysed_text) = text.split_once(",\"analysed\":").unwrap();
    let changed = |change: &dyn Fn(&mut Vec<EvaluatedDecision>)| {
        let mut changed: AnalysedMatch =
            serde_json::from_str(analysed_text.strip_suffix("}\n").unwrap()).unwrap();
        assert_eq!(changed, analysed);
        change(&mut changed.decisions);
        format!("{start},\"analysed\":{}}}\n", serde_json::to_string(&changed).unwrap())
    };
    assert_eq!(changed(&|_| {}), text);
    let forged = changed(&|decisions| {
        let lost = decisions.iter_mut().filter_map(|decision| decision.lost.as_mut());
        lost.for_each(|lost| lost.chance.mean = 0.5);
    });
    let shorter = changed(&|decisions| drop(decisions.pop()));
    let older = text.replacen("\"evaluation_version\":1", "\"evaluation_version\":0", 1);
    for bad in [forged, shorter, older, text[..text.len() / 2].to_owned(), "\0".to_owned()] {
        fs::write(&path, bad).unwrap();
        assert_eq!(AnalysisCache::for_results(&results).find(&recorded), None);
        assert_eq!(kept_analysis(&results, recorded.record()), None);
    }
    fs::write(&path, &text).unwrap();
    assert_eq!(kept_analysis(&results, recorded.record()).as_ref(), Some(&analysed));
    let mut other = recorded.record().clone();
    other.rounds.last_mut().unwrap().actions.pop();
    assert_eq!(AnalysisCache::for_results(&results).find(&RecordedMatch::new(other, None)), None);

    // Nobody waits for the writer of a pipe.
    fs::remove_file(&path).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
        .unwrap();
    assert_eq!(AnalysisCache::for_results(&results).find(&recorded), None);
}

#[test]
fn sample_does_not_depend_on_the_order() {
    let records: Vec<MatchRecord> =
        recorded(5).into_iter().map(|recorded| recorded.record().clone()).collect();
    let ids = |records: &mut dyn Iterator<Item = &MatchRecord>| {
        let mut sample = Sample::new(4);
        records.for_each(|record| sample.add(record.clone()));
        let (chosen, sampled) = sample.finish();
        assert_eq!((sampled.matches, sampled.of), (4, 10));
        chosen.into_iter().map(|record| record.id).collect::<Vec<_>>()
    };
    let forward = ids(&mut records.iter());
    let mut backward = ids(&mut records.iter().rev());
    backward.reverse();
    assert_eq!(forward, backward);
}

#[test]
fn summary_counts_what_its_matches_hold() {
    let analysed = analyse(&short()).unwrap();
    let own = |seat| analysed.decisions.iter().filter(move |decision| decision.seat == seat);
    let sampled = SampleSize { matches: 1, of: 1 };
    let analysis = Analysis::new(vec![analysed.clone()], sampled, None);
    assert_eq!(analysis.bots.len(), 2);
    for (seat, bot) in analysed.bots.iter() {
        let report = analysis.bots.iter().find(|report| report.bot == *bot).unwrap();
        assert_eq!(report.decisions, own(seat).count() as u64);
        assert_eq!(report.blunders, own(seat).filter(|decision| decision.blunder.is_some()).count() as u64);
        let sum: f64 = own(seat).filter_map(|decision| decision.lost).map(|lost| lost.chance.mean).sum();
        assert!((report.lost_chance.mean - sum).abs() < 1e-4 && report.lost_chance.se.is_none());
    }
    assert!(analysis.worst.is_sorted_by(|one, other| one.lost.chance.mean >= other.lost.chance.mean));
    let only = Analysis::new(vec![analysed.clone()], sampled, Some("bot-1"));
    assert!(
        only.bots.iter().all(|bot| bot.bot == "bot-1") && only.worst.iter().all(|worst| worst.bot == "bot-1")
    );
}
