//! Simulated play with known truth: how often intervals hold it, and how often tests err.

use leyden_stats::{Holds, Margin, MatchEstimate, PairingTally, Score};

use crate::simulation::league::{Way, beside_copies, looked, moved, newcomer};
use crate::simulation::legs::LegModel;
use crate::simulation::pairs::{Pairs, estimates, gates, margins};
use crate::simulation::{World, coverage};

#[test]
fn equal_players_are_distinguished_as_often_as_promised() {
    let even = estimates(Pairs::counted([22, 1, 54, 1, 22]), 1000, 100, 7);
    assert!((931..=967).contains(&even.score), "{even:?}");
    assert!((33..=69).contains(&even.superiority), "{even:?}");
}

#[test]
fn gate_errs_as_often_as_promised() {
    let equal = gates((0.0, 60.0), 0.0, 1000, 5000, 11);
    assert!(equal.accepted <= 65, "{equal:?}");
    assert!(equal.anytime_holds >= 950, "{equal:?}");
    // 90 % of the decided ones, minus the scatter of 1,000 gates.
    assert!(equal.stagewise_holds >= 880 && equal.stagewise_disagrees == 0, "{equal:?}");
    let stronger = gates((0.0, 60.0), 60.0, 1000, 5000, 12);
    assert!(stronger.accepted >= 935, "{stronger:?}");
    assert!(stronger.anytime_holds >= 950, "{stronger:?}");
    assert!(stronger.stagewise_holds >= 880 && stronger.stagewise_disagrees == 0, "{stronger:?}");
}

/// The normalised interval is valid far from one half, too.
#[test]
fn normalised_elo_intervals_hold_the_truth() {
    for score in [0.5, 0.75, 0.9] {
        let sum = estimates(Pairs::from_score(score), 1000, 200, 3);
        assert!((925..=970).contains(&sum.normalised), "{score}: {sum:?}");
    }
}

/// Checked after every pair, however strong the bots and however lucky the deals.
#[test]
fn honest_bot_is_named_as_rarely_as_promised() {
    for (lead, luck) in [(0.0, 0.0), (0.0, 2.0), (1.5, 1.0)] {
        let alarms = LegModel { lead, luck, gain: 0.0 }.ever_named(1_000, 200, 0.05);
        assert!(alarms <= 0.05, "{alarms} of tournaments at lead {lead}, luck {luck}");
    }
}

#[test]
fn bot_knowing_the_second_legs_deal_is_named() {
    let named = |gain, pairs| LegModel { lead: 0.0, luck: 1.0, gain }.ever_named(50, pairs, 5e-4);
    assert!(named(1.5, 400) >= 0.95, "{}", named(1.5, 400));
    assert!(named(0.7, 2_000) >= 0.95, "{}", named(0.7, 2_000));
    assert!(named(0.0, 200) <= 0.0);
}

/// A smaller run of the bench `coverage`: 93.1 to 96.7 %, widened by the scatter of 400 boards.
#[test]
fn rating_intervals_hold_the_truth() {
    for world in [World::seat_luck(), World::cycle(), World::four_seats()] {
        let coverage = coverage(&world, 10, 400, 5);
        for share in &coverage.ratings {
            assert!((0.92..=0.98).contains(share), "{}: {:?}", world.name, coverage.ratings);
        }
        assert!(coverage.ranks.iter().all(|share| *share >= 0.93), "{}: {:?}", world.name, coverage.ranks);
    }
    let coverage = coverage(&World::perfect_loser(), 10, 200, 5);
    assert!(coverage.ratings.iter().all(|share| *share >= 0.93), "{:?}", coverage.ratings);
}

#[test]
fn newcomer_needs_a_fifth_of_the_pairs() {
    let [league, round_robin] = [Way::League, Way::RoundRobin].map(|way| newcomer(way, 4, 80.0, 4, 5));
    assert!(5.0 * league.pairs < round_robin.pairs, "{league:?} {round_robin:?}");
    assert!(league.own < round_robin.own, "{league:?} {round_robin:?}");
}

#[test]
fn league_intervals_hold_after_every_batch() {
    let rates = looked(&World::ladder(8, 40.0), 15, Holds::AtAnyTime, 30, 6);
    assert!(rates.ever < 0.05 && rates.last > 0.98, "{rates:?}");
}

/// Twenty near-copies of a starter with odd matchups, which move others if each of them counts.
#[test]
fn copies_that_count_once_move_nobody_far() {
    let of = |copies| beside_copies((100.0, 11, copies), 100, 8, 85);
    let (alone, beside) = (of(0), of(20));
    let (elo, once) = (moved(&alone.elo, &beside.elo), moved(&alone.once, &beside.once));
    assert!(elo.0 > 40.0 && elo.1 >= 2, "{elo:?}");
    assert!(once.0 < 20.0 && once.1 <= 1, "{once:?}");
}

#[test]
fn too_few_pairs_compare_nothing() {
    let estimate = |pairs: u32| {
        let mut tally = PairingTally::new(2);
        for _ in 0..pairs {
            tally.record(Score::new(1, 0, 1), Margin { sum: 0, matches: 2 }).expect("two matches");
        }
        MatchEstimate::from_tally(&tally, Holds::AtPlannedEnd).expect("pairs were played")
    };
    let few = estimate(2);
    let interval = few.score_interval.expect("two blocks");
    assert_eq!([interval.low, interval.high].map(|end| (100.0 * end).round() as i64), [1, 99]);
    assert_eq!((few.elo, few.elo_interval, few.p_value), (None, None, None));
    assert_eq!((few.normalised_elo, few.pairing, few.blocks_for_ten_elo), (None, None, None));
    let ten = estimate(10);
    assert!(ten.elo.is_some() && ten.p_value.is_some());
    // Pairs that are all even have no spread to estimate.
    assert_eq!((ten.margin.and_then(|margin| margin.interval), ten.pairing), (None, None));
    assert!(estimate(20).pairing.is_some());
    let (given, held) = margins(1000, 10, 0.2, 4);
    assert!(given == 1000 && held >= 925, "{held}");
    assert_eq!(margins(10, 9, 0.2, 4).0, 0);
}
