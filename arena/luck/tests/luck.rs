//! Luck of whole matches: the identity it rests on, a mean of 0 whoever plays, and the tables it uses.

use leyden_luck::{BASELINES, Baseline, Deal, Judge, Luck, NotReplayed, Prospects, Rounds, Stage};
use leyden_protocol::{HistoryAction, HistoryEntry, RulesName, Seat, Seats, Set};
use leyden_rules::{DEFAULT_TARGET, Match, Rules};
use leyden_sample_bots::Strategy;
use leyden_sample_bots::table::RecordedDeal;
use leyden_stats::adjust;
use table::{bot, mean_in_errors, pairs, play, result, seen};

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

/// Whoever plays like the baseline shows no skill: all of the result is luck. The careful bot nearly is the baseline.
#[test]
fn a_match_without_a_decision_of_its_own_is_all_luck() {
    for rules in every_game() {
        let judge = Judge::of(&rules).expect("two seats").with_playouts(8);
        let mut same = 0;
        for seed in 0..12 {
            let (game, deals) = played(&rules, ["careful", "careful"], seed);
            let [careful, ..] = judge.luck("id", &seen(&deals)).expect("legal").of_first;
            same += u32::from((careful - (result(&game) - 0.5)).abs() < 1e-12);
        }
        assert!(same >= 6, "{}: {same} of 12", rules.name);
    }
}

/// Cut off after each action, the luck so far is a martingale: it changes at deals and draws alone, but for what few playouts
/// scatter. Here no tile can be drawn any more: by the baseline without chance nothing scatters, and decisions change nothing;
/// by the other ones they change nothing on average.
#[test]
fn luck_comes_from_deals_and_draws_alone() {
    for name in [RulesName::Leyden, RulesName::LeydenFree, RulesName::Senst] {
        let rules = Rules::standard(name);
        // One playout of each baseline, for how many careful has depends on what is still to come.
        let judge = Judge::of(&rules).expect("two seats").with_playouts(1);
        let (mut steps, mut changes) = (0, [const { Vec::new() }; BASELINES - 1]);
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
                judge.luck("id", &[deal]).expect("legal").of_first
            };
            let [first, mut others @ ..] = until(dry);
            for at in dry..=actions.len() {
                // What scattered before is the same in all of them.
                let [careful, now @ ..] = until(at);
                assert!((careful - first).abs() < 1e-9, "{name} {seed}: {at}");
                steps += 1;
                for ((changes, now), before) in changes.iter_mut().zip(now).zip(others) {
                    changes.push(now - before);
                }
                others = now;
            }
        }
        assert!(steps > 20, "{name}: {steps}");
        for changes in changes {
            let mean = changes.iter().sum::<f64>() / changes.len() as f64;
            let squares: f64 = changes.iter().map(|change| change * change).sum();
            assert!(mean.abs() < 3.5 * squares.sqrt() / changes.len() as f64, "{name}: {mean}");
        }
    }
}

#[test]
fn each_seat_sees_the_baselines_from_its_own_side() {
    let luck = Luck { of_first: [0.1, 0.2, 0.3, 0.4], playouts: 1 };
    assert_eq!(luck.of_second().map(f64::to_bits), [-0.1, -0.2, -0.4, -0.3].map(f64::to_bits));
}

/// Very different bots, seeded: |z| beyond 3.5 has a chance of 1 in 2,000.
#[test]
fn luck_has_a_mean_of_nothing_whoever_plays() {
    for (name, bots) in [
        (RulesName::Leyden, ("random", "careful")),
        (RulesName::LeydenCross, ("always draws", "greedy")),
        (RulesName::Senst, ("never draws", "always draws")),
        (RulesName::Matador, ("greedy", "careful --blunder 25")),
    ] {
        let judge = Judge::of(&Rules::standard(name)).expect("two seats").with_playouts(4);
        let (list, _) = pairs(&judge, bots, 120, 5);
        let means = mean_in_errors(&list);
        assert!(means.iter().all(|mean| mean.abs() < 3.5), "{name} {bots:?}: {means:?}");
    }
}

#[test]
fn what_is_taken_out_is_worth_it() {
    let judge = Judge::of(&Rules::standard(RulesName::Leyden)).expect("two seats").with_playouts(16);
    let (list, _) = pairs(&judge, ("careful", "careful --blunder 5"), 120, 2);
    let told = adjust(&list).expect("pairs");
    assert!(told.variance_ratio.expect("a spread") < 0.5, "{told:?}");
}

/// Another id is another chance, and scatters the less the more playouts there are: an eighth of the variance, but for what
/// twelve ids tell of it.
#[test]
fn chance_follows_from_the_id_alone() {
    let rules = Rules::standard(RulesName::Leyden);
    let (_, deals) = played(&rules, ["random", "greedy"], 3);
    let told = |playouts: u32, id: u32| {
        let judge = Judge::of(&rules).expect("two seats").with_playouts(playouts);
        judge.luck(&id.to_string(), &seen(&deals)).expect("legal").of_first
    };
    assert_eq!(told(6, 1).map(f64::to_bits), told(6, 1).map(f64::to_bits));
    let [few, many] = [6, 48].map(|playouts| (0..12).map(|id| told(playouts, id)).collect::<Vec<_>>());
    for baseline in Baseline::ALL {
        let variance = |lucks: &[[f64; BASELINES]]| {
            let mean = lucks.iter().map(|luck| luck[baseline as usize]).sum::<f64>() / 12.0;
            lucks.iter().map(|luck| (luck[baseline as usize] - mean).powi(2)).sum::<f64>() / 11.0
        };
        let (few, many) = (variance(&few), variance(&many));
        assert!(many > 0.0 && many < few / 2.0, "{baseline:?}: {few} {many}");
    }
}

#[test]
fn what_the_rules_do_not_allow_is_refused() {
    let rules = Rules::standard(RulesName::Leyden);
    let judge = Judge::of(&rules).expect("two seats");
    let (_, deals) = played(&rules, ["greedy", "greedy"], 1);
    let all = seen(&deals);
    assert_eq!(judge.luck("id", &[Deal { deck: &all[0].deck[1..], ..all[0] }]), Err(NotReplayed::Deck(0)));
    let backwards: Vec<HistoryEntry> = all[0].actions.iter().rev().copied().collect();
    let backwards = Deal { actions: &backwards, ..all[0] };
    assert_eq!(judge.luck("id", &[backwards]), Err(NotReplayed::Action { deal: 0, action: 0 }));
    let cut = Deal { actions: &all[0].actions[..2], ..all[0] };
    assert_eq!(judge.luck("id", &[cut, all[0]]), Err(NotReplayed::NotDue(1)));
    // A match that a fault broke off has had some luck, or none before it began.
    let of = |deals: &[Deal<'_>]| judge.luck("id", deals).expect("legal").of_first;
    assert!(of(&[cut]).iter().all(|luck| luck.abs() < 1.0));
    assert!(of(&[]).iter().all(|luck| luck.abs() < 1e-15));
    let four = Rules::new(RulesName::Matador, Seats::new(4).expect("a number of seats"), Set::DoubleSix, 100);
    assert!(Prospects::of(&four.expect("allowed")).is_err());
}

#[test]
fn prospects_grow_with_the_lead_and_are_fair() {
    for (rules, baseline) in
        every_game().into_iter().flat_map(|rules| Baseline::ALL.map(|each| (rules, each)))
    {
        let prospects = Prospects::of(&rules).expect("two seats");
        let value = |scores, right| prospects.value(baseline, scores, right);
        for (one, other) in [(0, 0), (50, 50), (99, 40), (10, 90)] {
            for (right, turned) in [(Seat::FIRST, 1), (rules.seats.after(Seat::FIRST), 0)] {
                let turned = rules.seats.iter().nth(turned).expect("two seats");
                let there = value([one, other], right);
                let back = prospects.value(baseline.exchanged(), [other, one], turned);
                assert!((there + back - 1.0).abs() < 1e-9, "{}: {there} {back}", rules.name);
                assert!((0.0..=1.0).contains(&there), "{}: {there}", rules.name);
            }
        }
        let (ahead, behind) = (value([80, 20], Seat::FIRST), value([20, 80], Seat::FIRST));
        assert_eq!(ahead > behind, rules.better == leyden_protocol::WinningScore::Higher, "{}", rules.name);
    }
}

/// The tables are of these baselines: prospects from a few rounds are nearly the same.
#[test]
fn tables_belong_to_the_baselines() {
    let play = |rules: &Rules, rounds, seed: &str| {
        Prospects::from_rounds(rules, |baseline, stage| Rounds::play(rules, baseline, stage, rounds, seed))
    };
    for name in [RulesName::Leyden, RulesName::Leiden, RulesName::Matador] {
        let rules = Rules::standard(name);
        let (few, many) = (play(&rules, 4_000, "few"), Prospects::of(&rules).expect("two seats"));
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
    let text = || Rounds::play(&rules, Baseline::Varied, Stage::Later, 500, "a").text();
    assert_eq!(text(), text());
}
