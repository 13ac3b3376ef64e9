//! The worked examples of the rules page, by their numbers there.

use leyden_protocol::{RulesName, Seat, WinningScore};
use leyden_rules::{RoundOutcome, Rules, best, points};

use crate::script::{later_round, legal, legal_on, matador, per_seat, play, seat, shown};

#[test]
fn example_1_the_opening_shows_two_sides() {
    let rules = Rules::standard(RulesName::Leyden);
    let mut round = later_round(&rules, &["3-3 0-3 1-3 2-3 0-4 5-5", "4-6 2-5 1-1 0-1 0-2 1-2"], "");
    play(&mut round, "lead:3-3");
    assert_eq!(shown(&round), "N3 E3 S3 W3");
    assert_eq!(legal(&round), "N:2-5 N:5-2 N:2|5 N:4-6 S:2-5 S:5-2 S:2|5 S:4-6 draw");
    for (action, after) in [
        ("N:4-6", "N6 E3 S3 W3"),
        ("S:2-5", "N3 E3 S5 W3"),
        ("S:5-2", "N3 E3 S2 W3"),
        ("N:2|5", "N2|5 E3 S3 W3"),
    ] {
        let mut round = round;
        play(&mut round, action);
        assert_eq!(shown(&round), after);
        assert_eq!(round.to_act(), Some(Seat::FIRST));
    }
    // With both sides started all four arms are open.
    play(&mut round, "N:4-6 S:4-0");
    assert_eq!(
        legal(&round),
        "N:1-0 N:1-1 N:1-2 N:2-5 N:5-2 N:2|5 E:2-5 E:5-2 E:2|5 S:2-5 S:5-2 S:2|5 W:2-5 W:5-2 W:2|5 draw"
    );
}

#[test]
fn example_2_a_blank_takes_matadors_alone() {
    let rules = Rules::standard(RulesName::Leyden);
    let mut round = later_round(&rules, &["6-6 1-2 2-2 2-3 2-4 4-4", "0-1 1-6 2-5 3-4 0-0 0-6"], "");
    play(&mut round, "lead:6-6 N:1-0 S:1-2");
    assert_eq!(shown(&round), "N0 E6 S2 W6");
    assert_eq!(
        legal_on(&round, "N"),
        "N:0-0 N:1-6 N:6-1 N:1|6 N:2-5 N:5-2 N:2|5 N:3-4 N:4-3 N:3|4" // and not 0-6
    );
}

#[test]
fn example_3_matador_across_shows_both_its_halves() {
    let hands = ["4-4 0-3 1-3 0-0 0-1 0-2", "2-5 3-6 5-5 2-6 3-3 3-4"];
    let after = |name, text| {
        let mut round = later_round(&Rules::standard(name), &hands, "");
        play(&mut round, text);
        round
    };
    let leyden = after(RulesName::Leyden, "lead:4-4 N:2|5 S:3-0");
    assert_eq!(shown(&leyden), "N2|5 E4 S0 W4");
    assert_eq!(legal_on(&leyden, "N"), "N:2-6 N:3-4 N:4-3 N:5-5"); // and not 3-3
    let cross = after(RulesName::LeydenCross, "lead:4-4 N:2|5 E:3-0 S:3-6 W:3-1");
    assert_eq!(shown(&cross), "N2|5 E0 S6 W1");
    assert_eq!(legal_on(&cross, "N"), "N:2-6 N:3-4 N:4-3 N:3|4 N:5-5");
    for (action, end) in [("N:2-6", "N6"), ("N:5-5", "N5"), ("N:4-3", "N3"), ("N:3|4", "N3|4")] {
        let mut round = cross;
        play(&mut round, action);
        assert!(shown(&round).starts_with(end), "{action}");
    }
}

#[test]
fn example_4_stuck_player_passes_while_others_play() {
    let rules = Rules::standard(RulesName::Leyden);
    let hands = ["4-4 0-6 0-1 2-3 3-6 3-4", "0-0 1-3 0-4 5-6 1-5 2-2"];
    let boneyard = "0-2 2-6 1-1 5-5 0-5 2-5 3-5 4-6 6-6 1-2 4-5 2-4 1-4 1-6 0-3 3-3";
    let mut round = later_round(&rules, &hands, boneyard);
    play(
        &mut round,
        "lead:4-4 draw N:0-0 draw S:3-4 W:3-1 W:6-2 W:5-6 S:3-2 S:5-1 W:1-0 draw draw draw draw W:5-2 S:6-3 S:4-0
        draw W:5-3 draw draw draw draw draw draw W:4-5 draw N:1|6 N:6-6",
    );
    assert_eq!((shown(&round).as_str(), round.boneyard().len(), round.drawable()), ("N6 E4 S0 W5", 2, 0));
    assert_eq!(round.hand(Seat::FIRST).to_string(), "0-6");
    assert_eq!((round.to_act(), legal(&round).as_str()), (Some(Seat::FIRST), "pass"));
    play(&mut round, "pass");
    assert_eq!(round.to_act(), Some(seat(1)));
    assert!(!legal(&round).contains("pass"));
}

#[test]
fn example_4_round_blocks_when_nobody_can_play() {
    let rules = Rules::standard(RulesName::Leyden);
    let hands = ["5-5 3-6 1-2 0-3 1-1 6-6", "2-4 0-0 5-6 1-5 0-2 0-4"];
    let boneyard = "3-5 2-2 4-4 0-1 3-4 4-5 1-6 0-6 1-4 1-3 4-6 2-6 0-5 2-5 3-3 2-3";
    let mut round = later_round(&rules, &hands, boneyard);
    play(
        &mut round,
        "lead:6-6 S:0-0 draw N:1-1 W:1-5 E:1-2 E:5-6 draw W:2-2 draw draw E:1-0 draw W:5-5 draw W:2-4 E:3-4 draw
        S:1-6 N:6-3 N:4-5 W:3-0 N:2-0 draw draw S:1-4 draw E:3-1 S:3-5 draw draw draw E:6-4 draw N:2-5 N:2-6",
    );
    assert_eq!((shown(&round).as_str(), round.boneyard().len()), ("N6 E4 S5 W0", 2));
    assert_eq!(
        round.hands().as_slice().iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["0-6", "0-4 0-5 4-4"]
    );
    assert_eq!(round.outcome(), Some(RoundOutcome::Blocked { winner: Some(Seat::FIRST) }));
    assert_eq!((round.to_act(), round.pips().as_slice()), (None, &[6, 17][..]));
}

#[test]
fn example_5_lower_score_wins_unless_scores_tie() {
    let rules = Rules::standard(RulesName::Leyden);
    let outcome = RoundOutcome::Blocked { winner: Some(Seat::FIRST) };
    let after = |pips: [u32; 2]| {
        let added = points(&rules, outcome, &per_seat(&pips));
        per_seat(&[96 + added[seat(0)], 88 + added[seat(1)]])
    };
    assert_eq!(after([9, 14]), per_seat(&[105, 102]));
    assert_eq!(best(rules.better, &after([9, 14])), Some(seat(1)));
    assert_eq!(after([8, 16]), per_seat(&[104, 104]));
    assert_eq!(best(rules.better, &after([8, 16])), None);
}

#[test]
fn example_6_the_lighter_hand_takes_both() {
    let rules = Rules::standard(RulesName::Leiden);
    let blocked = |winner| RoundOutcome::Blocked { winner };
    assert_eq!(points(&rules, blocked(Some(seat(0))), &per_seat(&[11, 17])), per_seat(&[28, 0]));
    assert_eq!(points(&rules, blocked(None), &per_seat(&[11, 11])), per_seat(&[0, 0]));
    let out = RoundOutcome::Dominoed { winner: seat(0) };
    assert_eq!(points(&rules, out, &per_seat(&[0, 17])), per_seat(&[17, 0]));
    assert_eq!(
        (rules.better, best(rules.better, &per_seat(&[28, 0]))),
        (WinningScore::Higher, Some(seat(0)))
    );
}

/// All four matadors are on the table, two ends were never played on, and every end except the 0 shows 3.
const THREES_AND_A_BLANK: &str = "N0 E3 S3 W3";

#[test]
fn example_7_round_blocks_once_no_tile_fits() {
    let rules = Rules::standard(RulesName::Leyden);
    let hands = ["3-3 4-5 2-5 0-0 1-6 4-6", "0-4 2-4 3-5 4-4 3-6 1-4"];
    let mut round = later_round(&rules, &hands, "3-4 0-1 0-2");
    play(
        &mut round,
        "lead:3-3 N:4-0 draw draw S:4-5 draw S:2-4 S:5-2 S:5-3 N:0-0 E:4-4 E:6-1 E:6-3 W:4-6 W:1-4",
    );
    assert_eq!((round.outcome(), round.nothing_fits()), (None, false));
    play(&mut round, "W:4-3");
    assert_eq!((shown(&round).as_str(), round.drawable()), (THREES_AND_A_BLANK, 11));
    assert!(round.nothing_fits());
    assert_eq!(round.outcome(), Some(RoundOutcome::Blocked { winner: Some(Seat::FIRST) }));
    assert_eq!((legal(&round).as_str(), round.pips().as_slice()), ("", &[1, 2][..]));
}

#[test]
fn example_7_fitting_reserve_tile_keeps_round_open() {
    let rules = Rules::standard(RulesName::Leyden);
    let hands = ["3-3 4-5 2-5 0-0 6-6 4-6", "0-4 2-4 3-5 1-6 1-3 1-4"];
    let boneyard = "3-4 0-1 0-2 0-3 0-5 0-6 1-1 1-2 1-5 2-2 2-3 2-6 3-6 5-5 5-6 4-4";
    let mut round = later_round(&rules, &hands, boneyard);
    play(
        &mut round,
        "lead:3-3 N:4-0 draw draw S:4-5 draw S:2-4 S:5-2 S:5-3 N:0-0 E:6-1 E:6-6 E:1-3 W:4-6 W:1-4 W:4-3",
    );
    assert_eq!(shown(&round), THREES_AND_A_BLANK);
    for left in (1..=11).rev() {
        assert_eq!((round.drawable(), round.outcome(), legal(&round).as_str()), (left, None, "draw"));
        play(&mut round, "draw");
    }
    // Now it is blocked for the other reason: nobody can draw, and the 4-4 is in the reserve.
    assert!(!round.nothing_fits());
    assert_eq!(round.outcome(), Some(RoundOutcome::Blocked { winner: Some(Seat::FIRST) }));
}

#[test]
fn example_8_lightest_hand_takes_the_others_excess() {
    let rules = matador(4, leyden_protocol::Set::DoubleSix);
    let out = RoundOutcome::Dominoed { winner: seat(0) };
    assert_eq!(points(&rules, out, &per_seat(&[0, 12, 7, 20])), per_seat(&[39, 0, 0, 0]));
    let blocked = |winner| RoundOutcome::Blocked { winner };
    assert_eq!(points(&rules, blocked(Some(seat(0))), &per_seat(&[5, 12, 7, 20])), per_seat(&[34, 0, 0, 0]));
    assert_eq!(points(&rules, blocked(None), &per_seat(&[5, 5, 7, 20])), per_seat(&[0, 0, 0, 0]));
}
