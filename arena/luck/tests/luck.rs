//! Luck of whole matches: the identity it rests on, its mean of 0 for all players, and the tables it uses.

use leyden_luck::{
    BASELINES, Baseline, Deal, DrawSums, EquityTable, LUCK_ESTIMATES, Luck, LuckEstimator, LuckReplayError,
    RoundCounts, Stage,
};
use leyden_protocol::{HistoryAction, HistoryEntry, RulesName, Seat, Seats, Set};
use leyden_rules::{DEFAULT_TARGET, Match, RoundOutcome, Rules};
use leyden_sample_bots::Strategy;
use leyden_sample_bots::table::RecordedDeal;
use leyden_stats::adjust;
use table::{bot, mean_in_errors, pairs, play, recorded, result};

mod table;

fn every_game() -> Vec<Rules> {
    let larger = [Set::DoubleNine, Set::DoubleTwelve];
    let larger =
        larger.map(|set| Rules::new(RulesName::Matador, Seats::TWO, set, DEFAULT_TARGET).expect("allowed"));
    RulesName::ALL.map(Rules::standard).into_iter().chain(larger).collect()
}

fn played(rules: &Rules, names: [&str; 2], seed: u64) -> (Match, Vec<RecordedDeal>) {
    let [mut one, mut two] = names.map(bot);
    let mut players: [&mut dyn Strategy; 2] = [&mut *one, &mut *two];
    play(rules, &mut players, seed, 0)
}

/// If both bots play like the baseline, all of the result is luck. The careful bot nearly is the baseline.
#[test]
fn luck_alone_explains_half_of_careful_bots_matches() {
    for rules in every_game() {
        let estimator = LuckEstimator::for_rules(&rules).expect("two seats").with_playouts(8);
        let mut same = 0;
        for seed in 0..12 {
            let (game, deals) = played(&rules, ["careful", "careful"], seed);
            let [careful, ..] = estimator.luck("id", &recorded(&deals)).expect("legal").first_seat;
            same += u32::from((careful - (result(&game) - 0.5)).abs() < 1e-12);
        }
        assert!(same >= 6, "{}: {same} of 12", rules.name);
    }
}

/// Cut off after each action, luck changes only at deals and draws. Here no tile can be drawn any more.
#[test]
fn luck_comes_from_deals_and_draws_alone() {
    for name in [RulesName::Leyden, RulesName::LeydenFree, RulesName::Senst] {
        let rules = Rules::standard(name);
        // With more playouts their number would depend on actions still to come; with one, on none after this many differences.
        let estimator = LuckEstimator::for_rules(&rules).expect("two seats").with_playouts(1);
        let mut steps = 0;
        for seed in 0..30 {
            let (_, deals) = played(&rules, ["always draws", "random"], seed);
            let (deck, actions) = &deals[0];
            let drawable = rules.set.size() - 2 * usize::from(rules.hand) - usize::from(rules.reserve);
            let draws = |actions: &[HistoryEntry]| {
                actions.iter().filter(|entry| matches!(entry.event, HistoryAction::Draw(_))).count()
            };
            let dry = (0..actions.len()).find(|at| draws(&actions[..*at]) == drawable);
            let Some(dry) = dry else { continue };
            let until = |at: usize| {
                let deal = Deal { deck: deck.tiles(), actions: &actions[..at] };
                estimator.luck("id", &[deal]).expect("legal").first_seat
            };
            let luck = until(dry);
            for at in dry..=actions.len() {
                let close = luck.iter().zip(until(at)).all(|(before, now)| (before - now).abs() < 1e-9);
                assert!(close, "{name} {seed}: {at} {luck:?} {:?}", until(at));
                steps += 1;
            }
        }
        assert!(steps > 20, "{name}: {steps}");
    }
}

/// Nor does a lead that the first round prescribes, which is no decision.
#[test]
fn prescribed_lead_changes_no_luck() {
    let mut prescribed = 0;
    for rules in every_game() {
        let estimator = LuckEstimator::for_rules(&rules).expect("two seats");
        for seed in 0..12 {
            let (_, deals) = played(&rules, ["greedy", "careful"], seed);
            let (deck, actions) = &deals[0];
            let mut game = Match::new(&rules);
            game.deal(deck);
            let Some(round) = game.round().filter(|round| round.legal().forced().is_some()) else { continue };
            assert_eq!(round.legal().forced(), Some(actions[0].event.into()));
            let [before, after] = [0, 1].map(|at| {
                let deal = Deal { deck: deck.tiles(), actions: &actions[..at] };
                estimator.luck("id", &[deal]).expect("legal").first_seat
            });
            let same = before.iter().zip(after).all(|(before, after)| (before - after).abs() < 1e-9);
            assert!(same, "{} {seed}: {before:?} {after:?}", rules.name);
            prescribed += 1;
        }
    }
    assert!(prescribed > 30, "{prescribed}");
}

#[test]
fn second_seat_sees_baselines_from_its_own_side() {
    let luck = Luck { first_seat: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], draws: DrawSums::default(), playouts: 1 };
    assert_eq!(luck.second_seat().map(f64::to_bits), [-0.1, -0.2, -0.4, -0.3, -0.5, 0.6].map(f64::to_bits));
}

/// In the value-weighted luck a change counts by how far the value was from even before it, by the other baselines. Before a deal it is
/// the match equity.
#[test]
fn deal_counts_by_the_equity_before_it() {
    for rules in every_game() {
        // One playout of each baseline after the first round, as bots at random differ so often from *careful*.
        let estimator = LuckEstimator::for_rules(&rules).expect("two seats").with_playouts(1);
        let equity = EquityTable::for_rules(&rules).expect("two seats");
        let (_, deals) = played(&rules, ["random", "random"], 4);
        let rounds = recorded(&deals);
        let of = |deals: &[Deal<'_>]| estimator.luck("id", deals).expect("legal").first_seat;
        let (mut game, mut right, mut farthest) = (Match::new(&rules), Seat::FIRST, 0.0_f64);
        for (number, (deck, actions)) in deals.iter().enumerate() {
            let scores: Vec<u32> = game.scores().iter().map(|(_, score)| *score).collect();
            let values = Baseline::ALL.map(|baseline| equity.value(baseline, [scores[0], scores[1]], right));
            let alone = Deal { actions: &[], ..rounds[number] };
            let before = of(&rounds[..number]);
            let after = of(&rounds[..number].iter().copied().chain([alone]).collect::<Vec<_>>());
            let mut expected = 0.0;
            for baseline in 0..BASELINES {
                let others = values.iter().sum::<f64>() - values[baseline];
                let value = (others / (BASELINES - 1) as f64).clamp(0.01, 0.99);
                let weight = (value - 0.5) / (value * (1.0 - value)).sqrt();
                expected += weight * (after[baseline] - before[baseline]) / BASELINES as f64;
                farthest = farthest.max(weight.abs());
            }
            let found = after[LUCK_ESTIMATES - 1] - before[LUCK_ESTIMATES - 1];
            let is_first = game.deal_number().round == 0;
            assert!(
                is_first || (found - expected).abs() < 1e-9,
                "{} {number}: {found}, {expected}",
                rules.name
            );
            game.deal(deck);
            for entry in actions {
                game.apply(entry.event.into()).expect("legal");
            }
            right = next_right(&game, right);
            game.settle();
        }
        assert!(farthest > 0.2, "{}: it was even all the time", rules.name);
    }
}

/// The seat with the first right to lead after a round that is over.
fn next_right(game: &Match, had: Seat) -> Seat {
    let Some(round) = game.round() else { return had };
    match round.outcome() {
        None | Some(RoundOutcome::Refused) => had,
        Some(outcome) => outcome.winner().map_or(round.leader(), |winner| Seats::TWO.after(winner)),
    }
}

/// Very different bots, seeded: |z| beyond 3.5 has a chance of 1 in 2,000.
#[test]
fn mean_luck_is_zero_for_very_different_bots() {
    for (name, bots) in [
        (RulesName::Leyden, ("random", "careful")),
        (RulesName::LeydenCross, ("always draws", "greedy")),
        (RulesName::Senst, ("never draws", "always draws")),
        (RulesName::Matador, ("greedy", "careful --blunder 25")),
    ] {
        let estimator = LuckEstimator::for_rules(&Rules::standard(name)).expect("two seats").with_playouts(4);
        let (list, _) = pairs(&estimator, bots, 120, 5);
        let means = mean_in_errors(&list);
        assert!(means.iter().all(|mean| mean.abs() < 3.5), "{name} {bots:?}: {means:?}");
    }
}

#[test]
fn taking_luck_out_reduces_the_variance() {
    let estimator =
        LuckEstimator::for_rules(&Rules::standard(RulesName::Leyden)).expect("two seats").with_playouts(16);
    let (list, _) = pairs(&estimator, ("careful", "careful --blunder 5"), 120, 2);
    let estimate = adjust(&list).expect("pairs");
    assert!(estimate.variance_ratio.expect("a spread") < 0.5, "{estimate:?}");
}

/// Another id gives other chance, whose variance falls with the number of playouts: to an eighth here, if twelve ids
/// show.
#[test]
fn chance_follows_from_the_id_alone() {
    let rules = Rules::standard(RulesName::Leyden);
    let (_, deals) = played(&rules, ["random", "greedy"], 3);
    let estimate = |playouts: u32, id: u32| {
        let estimator = LuckEstimator::for_rules(&rules).expect("two seats").with_playouts(playouts);
        estimator.luck(&id.to_string(), &recorded(&deals)).expect("legal").first_seat
    };
    assert_eq!(estimate(6, 1).map(f64::to_bits), estimate(6, 1).map(f64::to_bits));
    let [few, many] = [6, 48].map(|playouts| (0..12).map(|id| estimate(playouts, id)).collect::<Vec<_>>());
    for baseline in Baseline::ALL {
        let variance = |all: &[[f64; LUCK_ESTIMATES]]| {
            let mean = all.iter().map(|luck| luck[baseline as usize]).sum::<f64>() / 12.0;
            all.iter().map(|luck| (luck[baseline as usize] - mean).powi(2)).sum::<f64>() / 11.0
        };
        let (few, many) = (variance(&few), variance(&many));
        assert!(many > 0.0 && many < few / 2.0, "{baseline:?}: {few} {many}");
    }
}

#[test]
fn estimator_rejects_replays_that_break_the_rules() {
    let rules = Rules::standard(RulesName::Leyden);
    let estimator = LuckEstimator::for_rules(&rules).expect("two seats");
    let (_, deals) = played(&rules, ["greedy", "greedy"], 1);
    let all = recorded(&deals);
    assert_eq!(
        estimator.luck("id", &[Deal { deck: &all[0].deck[1..], ..all[0] }]),
        Err(LuckReplayError::Deck(0))
    );
    let backwards: Vec<HistoryEntry> = all[0].actions.iter().rev().copied().collect();
    let backwards = Deal { actions: &backwards, ..all[0] };
    assert_eq!(estimator.luck("id", &[backwards]), Err(LuckReplayError::Action { deal: 0, action: 0 }));
    let cut = Deal { actions: &all[0].actions[..2], ..all[0] };
    assert_eq!(estimator.luck("id", &[cut, all[0]]), Err(LuckReplayError::NotDue(1)));
    // A match that a fault ended has had some luck, or none if it had not begun.
    let of = |deals: &[Deal<'_>]| estimator.luck("id", deals).expect("legal").first_seat;
    assert!(of(&[cut]).iter().all(|estimate| estimate.abs() < 1.0));
    assert!(of(&[]).iter().all(|estimate| estimate.abs() < 1e-15));
    let four = Rules::new(RulesName::Matador, Seats::new(4).expect("a number of seats"), Set::DoubleSix, 100);
    assert!(EquityTable::for_rules(&four.expect("allowed")).is_err());
}

#[test]
fn equity_grows_with_the_lead_and_is_fair() {
    for (rules, baseline) in
        every_game().into_iter().flat_map(|rules| Baseline::ALL.map(|each| (rules, each)))
    {
        let equity = EquityTable::for_rules(&rules).expect("two seats");
        let value = |scores, right| equity.value(baseline, scores, right);
        for (one, other) in [(0, 0), (50, 50), (99, 40), (10, 90)] {
            for (right, turned) in [(Seat::FIRST, 1), (rules.seats.after(Seat::FIRST), 0)] {
                let turned = rules.seats.iter().nth(turned).expect("two seats");
                let there = value([one, other], right);
                let back = equity.value(baseline.swapped(), [other, one], turned);
                assert!((there + back - 1.0).abs() < 1e-9, "{}: {there} {back}", rules.name);
                assert!((0.0..=1.0).contains(&there), "{}: {there}", rules.name);
            }
        }
        let (ahead, behind) = (value([80, 20], Seat::FIRST), value([20, 80], Seat::FIRST));
        assert_eq!(ahead > behind, rules.better == leyden_protocol::WinningScore::Higher, "{}", rules.name);
    }
}

/// The tables belong to these baselines: a few rounds give nearly the same equity.
#[test]
fn tables_belong_to_the_baselines() {
    let play = |rules: &Rules, rounds, seed: &str| {
        EquityTable::from_rounds(rules, |baseline, stage| {
            RoundCounts::play(rules, baseline, stage, rounds, seed)
        })
    };
    for name in [RulesName::Leyden, RulesName::Leiden, RulesName::Matador] {
        let rules = Rules::standard(name);
        let (few, many) = (play(&rules, 20_000, "few"), EquityTable::for_rules(&rules).expect("two seats"));
        for (scores, baseline) in [[0, 0], [70, 40], [40, 70]]
            .into_iter()
            .flat_map(|scores| Baseline::ALL.map(|each| (scores, each)))
        {
            let [few, many] = [&few, &many].map(|each| each.value(baseline, scores, Seat::FIRST));
            assert!((few - many).abs() < 0.03, "{name} {baseline:?} {scores:?}: {few} {many}");
        }
        for (few, many) in few.start().into_iter().zip(many.start()) {
            assert!((few - many).abs() < 0.03, "{name}: {few} {many}");
        }
    }
    let rules = Rules::standard(RulesName::Leyden);
    let text = || RoundCounts::play(&rules, Baseline::Varied, Stage::Later, 500, "a").to_text();
    assert_eq!(text(), text());
}
