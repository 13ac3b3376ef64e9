//! What the numbers promise, kept: short forms of the bench `promises`, each against what it replaced. Seeded, so nothing depends on
//! luck.

use leyden_stats::{ExpectedPairs, GateForecast, Holds, Hypotheses, NormalisedElo, Pentanomial, SprtPlan};
use simulation::circles::circles;
use simulation::circumstances::{strayed, strayed_in_game};
use simulation::few_pairs::{again, faulting, normalised, predicted};
use simulation::grades::{known_luck, other_grades};
use simulation::luck::{looked_at_without_luck, worth};
use simulation::movement::moves;
use simulation::pairs::{Pairs, gates, luck_gates};
use simulation::ranks::{misfit, tables, told_apart};
use simulation::repeated_looks::looked_at;
use simulation::single_pairs::{Meetings, held};
use simulation::{Dice, World};

mod simulation;

#[test]
fn bots_of_unchanged_strength_seldom_move() {
    for (field, same_deals) in [((2, 1), false), ((6, 5), false), ((6, 5), true)] {
        let measured = moves(field, [20, 20], same_deals, 200, 37);
        assert!(measured.any <= 0.09, "{field:?}: {measured:?}");
        assert!(measured.before > 2.0 * measured.given, "{field:?}: {measured:?}");
    }
}

#[test]
fn anytime_intervals_hold_however_often_checked() {
    let world = World::ladder(6, 30.0);
    let [planned, any] =
        [Holds::AtPlannedEnd, Holds::AtAnyTime].map(|holds| looked_at(&world, (2, 100), holds, true, 30, 5));
    assert!(any.given <= 0.05 && any.place <= 0.05, "{any:?}");
    assert!(planned.given > 0.15, "{planned:?}");
}

#[test]
fn ratings_by_single_pairs_hold() {
    for (world, meetings) in [
        (World::seat_luck(), Meetings::OneBlock),
        (World::ladder(16, 30.0), Meetings::Swiss(6)),
        (World::thirty(), Meetings::Swiss(7)),
        (World::wide(), Meetings::WithFinal(5)),
    ] {
        let measured = held(&world, meetings, Holds::AtPlannedEnd, 150, 71);
        assert!(measured.ratings >= 0.95 && measured.wrong <= 0.05, "{meetings:?}: {measured:?}");
        assert!(measured.width < 450.0, "{meetings:?}: {measured:?}");
        let any = held(&world, meetings, Holds::AtAnyTime, 60, 72);
        assert!(any.ever <= 0.05, "{meetings:?}: {any:?}");
    }
}

#[test]
fn scores_without_luck_hold_however_often_looked_at() {
    let world = World::ladder(3, 30.0);
    let [planned, any] = [Holds::AtPlannedEnd, Holds::AtAnyTime]
        .map(|holds| looked_at_without_luck(&world, 80, (0.9, 0.1), holds, 40, 55));
    assert!(any.rating <= 0.05 && any.score <= 0.05, "{any:?}");
    assert!(planned.rating > 0.1 && planned.rating > 2.0 * any.rating, "{planned:?}");
}

#[test]
fn straying_is_found_but_seldom_wrongly_reported() {
    for world in [World::seat_luck(), World::equal()] {
        let measured = strayed(&world, 40, 0.0, 300, 61);
        // One standard error of 5 % is 1.3 %.
        assert!(measured.wrong <= 0.08, "{}: {measured:?}", world.name);
    }
    let measured = strayed(&World::seat_luck(), 60, 6.0, 30, 62);
    assert!(measured.found >= 0.9, "{measured:?}");
    for world in [World::seat_luck(), World::equal()] {
        let found = strayed_in_game(&world, 40, 0.0, 300, 63);
        assert!(found.wrong <= 0.08, "{}: {found:?}", world.name);
    }
    let found = strayed_in_game(&World::seat_luck(), 60, 3.0, 30, 64);
    assert!(found.found >= 0.9, "{found:?}");
}

#[test]
fn worth_of_luck_lies_in_its_interval() {
    let (holds, ends, truth) = worth((0.9, 0.1), 50, 200, 56);
    assert!(holds >= 0.9 && ends[1] / ends[0] < 6.0, "{holds} {ends:?} {truth}");
}

#[test]
fn another_grading_is_within_its_predicted_range() {
    for pairs in [20, 100] {
        let [mean, again, _] = again(Pairs::from_score(0.35), pairs, 1_000, 43);
        assert!((0.93..0.97).contains(&again) && mean < 0.9, "{pairs}: {mean} {again}");
    }
}

#[test]
fn grades_without_luck_need_a_fifth_of_blocks() {
    let mut dice = Dice::new(57);
    // Of every strength between full points and none.
    let elo = |bot: u32| 20.0 + f64::from(bot % 50) * 4.0;
    let without = other_grades(|bot| known_luck(elo(bot), 40, &mut dice), true, 300);
    let played = other_grades(|bot| known_luck(elo(bot), 200, &mut dice), false, 300);
    for measured in [&without, &played] {
        assert!((measured.came - measured.predicted).abs() < 0.1 && measured.inside > 0.92, "{measured:?}");
    }
    assert!((without.spread / played.spread - 1.0).abs() < 0.2, "{without:?} {played:?}");
}

#[test]
fn versions_that_seldom_differ_need_many_pairs() {
    let chances = Pairs::seldom(0.1, 0.5);
    assert_eq!(normalised(chances, 50, 200, 45).reported, 0);
    let many = normalised(chances, 400, 500, 45);
    assert!(many.now >= 0.93 && many.reported == 500, "{many:?}");
}

#[test]
fn rare_faults_widen_scores_without_luck() {
    for pairs in [10, 20] {
        let held = faulting(0.1, pairs, 1_000, 46);
        assert!(held.now >= 0.92 && held.before < 0.92, "{pairs}: {held:?}");
    }
}

#[test]
fn small_maximum_selects_no_intervals() {
    let sum = gates((0.0, 60.0), 14.0, 200, 50, 41);
    let decided = sum.accepted + sum.rejected;
    assert!(sum.stagewise_holds >= 170, "{sum:?}");
    assert!(5 * sum.stagewise_holds_decided < 4 * decided, "{sum:?}");
}

#[test]
fn forecasts_of_blocks_come_true() {
    for chances in [Pairs::counted([22, 1, 54, 1, 22]), Pairs::seldom(0.16, 0.5), Pairs::from_score(0.21)] {
        let (holds, _, needed) = predicted(chances, 100, 500, 47);
        assert!(holds >= 0.9, "{chances:?}: {holds}, {needed}");
    }
    let [truth, predicted, apart] = told_apart(6, 85.0, 40, 30, 48);
    assert!(
        (predicted / truth - 1.0).abs() < 0.15 && (0.6..0.95).contains(&apart),
        "{truth} {predicted} {apart}"
    );
}

#[test]
fn whole_tables_of_equal_bots_are_right() {
    let measured = tables(&World::ladder(12, 0.0), 20, 100, 51);
    assert!(measured.wrong[1] <= 0.09 && measured.wrong[0] > measured.wrong[1], "{measured:?}");
    let measured = tables(&World::ladder(12, 30.0), 50, 10, 51);
    assert!(measured.places[1] <= measured.places_holm && measured.wrong[1] <= 0.1, "{measured:?}");
}

#[test]
fn gates_go_as_they_were_planned() {
    let bounds = Hypotheses::Normalised { h0: NormalisedElo::new(0.0), h1: NormalisedElo::new(60.0) };
    let like = ExpectedPairs::from_observed(&Pentanomial::new([220, 10, 540, 10, 220]));
    for most in [60, 300] {
        let plan = SprtPlan::new(bounds, 0.05, 0.05, most).expect("sane plan");
        for at in GateForecast::new(&plan, &like, 1.0).strengths {
            let came = gates((0.0, 60.0), at.strength, 100, most, 52);
            let share = |count: u32| f64::from(count) / 100.0;
            assert!((share(came.accepted) - at.accepted).abs() < 0.13, "{at:?}: {came:?}");
            assert!((came.mean_pairs / at.mean_pairs - 1.0).abs() < 0.2, "{at:?}: {came:?}");
        }
    }
}

#[test]
fn gates_without_luck_go_as_they_were_planned() {
    for (bounds, truth) in [((0.0, 60.0), 0.0), ((0.0, 20.0), 20.0), ((0.0, 150.0), 0.0)] {
        let (came, predicted) = luck_gates(bounds, truth, 0.5, 100, 58);
        assert!((came[2] / predicted[2] - 1.0).abs() < 0.25, "{bounds:?}: {came:?} {predicted:?}");
        assert!((came[0] - predicted[0]).abs() < 0.1, "{bounds:?}: {came:?} {predicted:?}");
    }
}

#[test]
fn circles_are_announced_only_where_they_are() {
    let measured = circles(&World::open_circle(), 60, true, 100, 59);
    assert!(measured.wrong <= 0.06 && measured.ever_wrong <= 0.06, "{measured:?}");
    let measured = circles(&World::cycle(), 100, false, 20, 59);
    assert!(measured.right >= 0.8 && measured.wrong <= 0.05, "{measured:?}");
}

#[test]
fn misfitting_ratings_are_reported_but_fitting_ones_seldom() {
    let mut model = World::ladder(6, 50.0);
    model.luck = 0.0;
    let [wrong, ..] = misfit(&model, 50, 200, 53);
    let [right, ..] = misfit(&World::cycle(), 100, 20, 53);
    assert!(wrong <= 0.1 && right >= 0.95, "{wrong} {right}");
}
