//! The public API of the statistics: laws, refusals, and simulated play with known truth.

mod gates;
#[path = "../simulation/mod.rs"]
mod simulation;
mod simulations;

use leyden_stats::{
    Elo, Entrant, Field, FieldError, FieldTally, Holds, Margin, MatchEstimate, PairPoints, PairingResult,
    PairingTally, Pentanomial, Ranking, Ratings, Score, TallyBuilder, TallyError, anytime_score_interval,
    cycles, head_to_head,
};
use proptest::prelude::*;

use gates::plan;
use simulation::{Dice, World};

fn pairing_result(block: u32, first: u32, second: u32, half_points: u8) -> PairingResult {
    let score = PairPoints::from_half_points(half_points).expect("at most four").into();
    let margin = Margin { sum: 10 * (i64::from(half_points) - 2), matches: 2 };
    PairingResult { block, first: Entrant(first), second: Entrant(second), score, margin }
}

/// A complete round robin with these half points, block by block, pairing by pairing.
fn round_robin(bots: u32, half_points: &[u8]) -> Vec<PairingResult> {
    let pairings: Vec<(u32, u32)> =
        (0..bots).flat_map(|high| (0..high).map(move |low| (low, high))).collect();
    let mut results = Vec::new();
    for (block, row) in (0..).zip(half_points.chunks_exact(pairings.len())) {
        for ((low, high), half_points) in pairings.iter().zip(row) {
            results.push(pairing_result(block, *low, *high, *half_points));
        }
    }
    results
}

/// The complete report of a field, as text.
fn text_of(field: &Field, results: Vec<PairingResult>) -> String {
    let tally = FieldTally::from_results(field.clone(), results).expect("fits the field");
    let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
    let pairings: Vec<_> = head_to_head(&tally, Holds::AtPlannedEnd).collect();
    serde_json::to_string(&(Ranking::from_tally(&tally, &ratings), pairings)).expect("is JSON")
}

#[test]
fn order_of_input_changes_no_byte() {
    let mut dice = Dice::new(1);
    let points: Vec<u8> = (0..12 * 10).map(|_| dice.below(5) as u8).collect();
    let (field, results) = (Field::round_robin(5), round_robin(5, &points));
    let expected = text_of(&field, results.clone());
    for _ in 0..20 {
        let mut shuffled = results.clone();
        for i in (1..shuffled.len()).rev() {
            shuffled.swap(i, dice.below(i + 1));
            if dice.below(2) == 0 {
                let turned = shuffled[i];
                let margin = Margin { sum: -turned.margin.sum, ..turned.margin };
                let (first, second) = (turned.second, turned.first);
                shuffled[i] =
                    PairingResult { first, second, score: turned.score.reversed(), margin, ..turned };
            }
        }
        assert_eq!(text_of(&field, shuffled), expected);
    }
    // Streaming accepts blocks in any order, too.
    let mut tally = TallyBuilder::new(field.clone());
    for block in results.chunks_exact(10).rev() {
        for result in block {
            tally.push(*result).expect("fits the field");
        }
    }
    assert_eq!(tally.finish(), FieldTally::from_results(field, results));
}

#[test]
fn incomplete_blocks_do_not_count_yet() {
    let field = Field::round_robin(3);
    let complete = round_robin(3, &[4, 2, 1, 3, 3, 2]);
    let mut more = complete.clone();
    more.push(pairing_result(9, 0, 1, 4));
    let tally = FieldTally::from_results(field.clone(), more).expect("fits the field");
    assert_eq!((tally.blocks(), tally.incomplete_blocks()), (2, 1));
    let with = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
    let without = Ratings::fit(
        &FieldTally::from_results(field, complete).expect("fits the field"),
        Holds::AtPlannedEnd,
    )
    .expect("fits");
    assert_eq!(with, without);
}

/// Four bots over eight blocks, without what `is_void` says of block and bots.
fn with_void_pairs(is_void: impl Fn(u32, u32, u32) -> bool) -> (FieldTally, Vec<(u32, Entrant, Entrant)>) {
    let points: Vec<u8> = (0..48_u32).map(|nth| ((nth * 7 + nth / 5) % 5) as u8).collect();
    let all = round_robin(4, &points);
    let is_void = |of: &PairingResult| is_void(of.block, of.first.0, of.second.0);
    let voided: Vec<_> =
        all.iter().filter(|of| is_void(of)).map(|of| (of.block, of.first, of.second)).collect();
    let played = all.iter().filter(|of| !is_void(of)).copied().collect();
    let tally = TallyBuilder::new(Field::round_robin(4)).without(voided.clone()).sum(played);
    (tally.expect("fits the field"), voided)
}

#[test]
fn void_pair_leaves_its_block_complete_for_others() {
    let (tally, _) =
        with_void_pairs(|block, one, other| (block, one.min(other), one.max(other)) == (3, 1, 2));
    assert_eq!((tally.blocks(), tally.incomplete_blocks()), (8, 0));
    let blocks = |one, other| tally.pairing(Entrant(one), Entrant(other)).map(PairingTally::blocks);
    assert_eq!((blocks(1, 2), blocks(0, 1)), (Some(7), Some(8)));
    // One void pair of 48 hardly moves what is known of the others.
    let [with, whole] = [tally, with_void_pairs(|_, _, _| false).0]
        .map(|tally| Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits"));
    let (with, whole) = (with.standard_error(Entrant(0)).unwrap(), whole.standard_error(Entrant(0)).unwrap());
    assert!((with / whole - 1.0).abs() < 0.1, "{with} {whole}");
}

#[test]
fn pairing_void_in_every_block_counts_as_unplanned() {
    let is_first = |one: u32, other: u32| one.max(other) == 1;
    let (tally, _) = with_void_pairs(|_, one, other| is_first(one, other));
    let tables: Vec<Vec<Entrant>> =
        [[0, 2], [1, 2], [0, 3], [1, 3], [2, 3]].map(|table| table.map(Entrant).to_vec()).into();
    let field = Field::from_tables(4, &tables).expect("a field");
    let points: Vec<u8> = (0..48_u32).map(|nth| ((nth * 7 + nth / 5) % 5) as u8).collect();
    let played = round_robin(4, &points).into_iter().filter(|of| !is_first(of.first.0, of.second.0));
    let unplanned = FieldTally::from_results(field, played.collect()).expect("fits the field");
    let [with, without] =
        [&tally, &unplanned].map(|tally| Ratings::fit(tally, Holds::AtAnyTime).expect("fits"));
    for bot in (0..4).map(Entrant) {
        assert!((with.elo(bot).get() - without.elo(bot).get()).abs() < 1e-6);
        let [one, other] = [&with, &without].map(|of| of.standard_error(bot).expect("eight blocks"));
        assert!((one - other).abs() < 1e-6, "{one} {other}");
    }
    assert_eq!(with.rank_intervals(), without.rank_intervals());
}

#[test]
fn void_pairs_that_were_played_again_count() {
    let whole = with_void_pairs(|_, _, _| false).0;
    let (_, voided) = with_void_pairs(|block, one, _| block == 2 && one == 0);
    let points: Vec<u8> = (0..48_u32).map(|nth| ((nth * 7 + nth / 5) % 5) as u8).collect();
    let again = TallyBuilder::new(Field::round_robin(4)).without(voided).sum(round_robin(4, &points));
    assert_eq!(again, Ok(whole));
}

#[test]
fn results_that_do_not_fit_are_refused() {
    let push = |results: &[PairingResult]| {
        let mut tally = TallyBuilder::new(Field::round_robin(3));
        results.iter().try_for_each(|result| tally.push(*result)).and_then(|()| tally.finish())
    };
    let not_paired = TallyError::NotPaired { block: 0, first: 1, second: 3 };
    assert_eq!(push(&[pairing_result(0, 3, 1, 2)]), Err(not_paired));
    assert!(matches!(push(&[pairing_result(0, 1, 1, 2)]), Err(TallyError::NotPaired { .. })));
    assert!(matches!(
        push(&[pairing_result(0, 0, 1, 2), pairing_result(0, 1, 0, 2)]),
        Err(TallyError::TooManyMatches { got: 4, .. })
    ));
    assert_eq!(
        push(&[pairing_result(0, 0, 1, 2), pairing_result(1, 0, 1, 2), pairing_result(0, 0, 2, 2)]),
        Err(TallyError::SplitBlock(0))
    );
    assert_eq!(Field::from_tables(2, &[vec![Entrant(0), Entrant(2)]]), Err(FieldError::UnknownBot(2, 2)));
    assert_eq!(Field::from_tables(2, &[vec![Entrant(1), Entrant(1)]]), Err(FieldError::TwiceAtTable(1)));
}

#[test]
fn empty_single_and_unplayed_fields_have_rankings() {
    for bots in 0..4 {
        let tally = FieldTally::from_results(Field::round_robin(bots), Vec::new()).expect("empty");
        let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
        let report = Ranking::from_tally(&tally, &ratings);
        assert_eq!(report.bots.len(), bots);
        for line in &report.bots {
            assert_eq!((line.elo, line.elo_half_width), (Elo::new(0.0), None));
            assert_eq!((line.rank.best, line.rank.worst), (1, bots as u32));
        }
    }
}

#[test]
fn single_block_gives_ratings_without_intervals() {
    let tally =
        FieldTally::from_results(Field::round_robin(3), round_robin(3, &[4, 4, 4])).expect("fits the field");
    let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
    assert!(ratings.elo(Entrant(0)) > ratings.elo(Entrant(1)));
    assert_eq!(ratings.half_width(Entrant(0)), None);
    assert_eq!(ratings.p_value(Entrant(0), Entrant(1)), None);
}

#[test]
fn ranks_are_decided_by_enough_blocks() {
    let mut dice = Dice::new(3);
    let mut world = World::seat_luck();
    world.luck = 0.5;
    world.leads.iter_mut().flatten().for_each(|lead| *lead *= 4.0);
    let tally = world.play(200, &mut dice);
    let report = Ranking::from_tally(&tally, &Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits"));
    for line in &report.bots {
        assert_eq!((line.place, line.place), (line.rank.best, line.rank.worst));
        assert_eq!(line.bot.0 + 1, line.place);
    }
    let bots = report.bots.len();
    assert_eq!(report.decided.len(), bots * (bots - 1) / 2);
    assert!(report.decided.iter().all(|(above, below)| above < below), "{:?}", report.decided);
    assert_eq!(report.cycles, []);
}

#[test]
fn perfect_loser_widens_intervals_but_not_differences() {
    let mut dice = Dice::new(8);
    // Pairings of six bots: the last five are those of bot 5.
    let with: Vec<u8> =
        (0..30 * 15).map(|pairing| if pairing % 15 < 10 { dice.below(5) as u8 } else { 4 }).collect();
    let without: Vec<u8> = with.chunks_exact(15).flat_map(|row| row[..10].to_vec()).collect();
    let fit = |bots, points: &[u8]| {
        let tally = FieldTally::from_results(Field::round_robin(bots), round_robin(bots as u32, points))
            .expect("fits the field");
        Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits")
    };
    let (with, without) = (fit(6, &with), fit(5, &without));
    for one in (0..5).map(Entrant) {
        assert!(with.half_width(one) > without.half_width(one).map(|half| 1.2 * half));
        for other in (0..one.0).map(Entrant) {
            let there = with.p_value(one, other).expect("two blocks or more");
            let here = without.p_value(one, other).expect("two blocks or more");
            assert!((there - here).abs() < 0.02, "{there} {here}");
        }
    }
}

#[test]
fn circles_are_reported_only_when_significant() {
    // 0 beats 1, 1 beats 2, 2 beats 0; all beat 3. Pairings run (0,1) (0,2) (1,2) (0,3) (1,3) (2,3).
    let row = [4, 0, 4, 4, 4, 4];
    let ranked = |blocks: usize| {
        let tally = FieldTally::from_results(Field::round_robin(4), round_robin(4, &row.repeat(blocks)))
            .expect("fits");
        cycles(&tally, &[0, 1, 2, 3].map(Entrant), Holds::AtPlannedEnd)
    };
    assert_eq!(ranked(4), []);
    let found = ranked(20);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].circle, [0, 1, 2].map(Entrant));
    assert_eq!(found[0].members, [0, 1, 2].map(Entrant));
}

#[test]
fn gauntlet_is_a_field() {
    let tables: Vec<Vec<Entrant>> = (1..4).map(|other| vec![Entrant(0), Entrant(other)]).collect();
    let field = Field::from_tables(4, &tables).expect("tables of four bots");
    let results =
        (0..8).flat_map(|block| (1..4).map(move |other| pairing_result(block, other, 0, (block % 3) as u8)));
    let tally = FieldTally::from_results(field, results.collect()).expect("fits the field");
    assert_eq!(tally.blocks(), 8);
    let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
    assert!(ratings.elo(Entrant(0)).get() > 100.0);
    assert!((ratings.elo(Entrant(1)).get() - ratings.elo(Entrant(3)).get()).abs() < 1e-9);
    assert_eq!(head_to_head(&tally, Holds::AtPlannedEnd).count(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Ratings are finite and centred, intervals positive, p-values the same from both sides.
    #[test]
    fn ratings_keep_their_laws(points in proptest::collection::vec(0_u8..=4, 6 * 2..6 * 12)) {
        let tally = FieldTally::from_results(Field::round_robin(4), round_robin(4, &points)).expect("fits");
        let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
        let bots: Vec<Entrant> = (0..4).map(Entrant).collect();
        let sum: f64 = bots.iter().map(|bot| ratings.elo(*bot).get()).sum();
        prop_assert!(sum.abs() < 1e-8);
        for one in &bots {
            prop_assert!(ratings.half_width(*one).expect("two blocks") > 0.0);
            for other in bots.iter().filter(|other| *other != one) {
                let there = ratings.p_value(*one, *other).expect("two blocks");
                let back = ratings.p_value(*other, *one).expect("two blocks");
                prop_assert!((there - back).abs() < 1e-12 && (0.0..=1.0).contains(&there));
            }
        }
        let report = Ranking::from_tally(&tally, &ratings);
        for line in &report.bots {
            prop_assert!(line.rank.best <= line.place && line.place <= line.rank.worst);
        }
    }

    /// Estimates of the two sides mirror each other and lie inside their intervals.
    #[test]
    fn estimates_keep_their_laws(counts in proptest::array::uniform5(0_u64..40)) {
        let (mut there, mut back) = (PairingTally::new(2), PairingTally::new(2));
        for (half_points, count) in (0..).zip(counts) {
            for _ in 0..count {
                let score = Score::from(PairPoints::from_half_points(half_points).expect("at most four"));
                let margin = Margin { sum: i64::from(half_points) * 7 - 11, matches: 2 };
                there.record(score, margin).expect("two matches");
                back.record(score.reversed(), margin.reversed()).expect("two matches");
            }
        }
        let (Some(there), Some(back)) = (MatchEstimate::from_tally(&there, Holds::AtPlannedEnd), MatchEstimate::from_tally(&back, Holds::AtPlannedEnd)) else { return Ok(()) };
        prop_assert!((there.score + back.score - 1.0).abs() < 1e-12);
        if let (Some(one), Some(other)) = (there.score_interval, back.score_interval) {
            prop_assert!(one.low <= there.score + 1e-12 && there.score <= one.high + 1e-12);
            prop_assert!(one.low < one.high && 0.0 <= one.low && one.high <= 1.0);
            prop_assert!((one.low + other.high - 1.0).abs() < 1e-9);
        }
        let margin = there.margin.expect("no faults");
        prop_assert!((margin.mean + back.margin.expect("no faults").mean).abs() < 1e-9);
        let anytime = anytime_score_interval(&Pentanomial::new(counts), 0.05);
        prop_assert!(anytime.contains(there.score), "{anytime:?} {}", there.score);
    }

    /// More wins never lower the ratio: a pair won instead of lost raises it.
    #[test]
    fn ratio_rises_with_wins(counts in proptest::array::uniform5(1_u64..60)) {
        let plan = plan(0.0, 20.0, 1000);
        let mut better = counts;
        better[0] -= 1;
        better[4] += 1;
        let (worse, better) = (plan.judge(&Pentanomial::new(counts)), plan.judge(&Pentanomial::new(better)));
        prop_assert!(better.llr >= worse.llr - 1e-9, "{worse:?} {better:?}");
    }
}
