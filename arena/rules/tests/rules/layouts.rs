//! Whole rounds with matadors everywhere, worked out by hand, to be checked with real tiles on a table.
//!
//! Each line of a round says who does what, which tile was drawn, and what every arm shows afterwards. A tile joins an
//! end if the halves that touch make 7; the four matadors, 0-0, 1-6, 2-5 and 3-4, join any end.

use leyden_protocol::{RulesName, Seat, Set};
use leyden_rules::{Lead, Round, RoundOutcome, Rules};

use crate::script::{deck, later_round, legal, legal_on, matador, play, seat, shown};

/// Plays the lines: a seat, its actions (a tile behind each draw), and the ends after them.
fn follow(round: &mut Round, lines: &[(usize, &str, &str)]) {
    for &(who, actions, ends) in lines {
        for action in actions.split(' ') {
            assert_eq!(round.to_act(), Some(seat(who)), "{actions}");
            let (action, drawn) =
                action.split_once("draw:").map_or((action, None), |(_, tile)| ("draw", Some(tile)));
            let next = round.boneyard().first().map(ToString::to_string);
            play(round, action);
            assert!(drawn.is_none() || drawn == next.as_deref(), "{actions}: {next:?}");
        }
        assert_eq!(shown(round), ends, "{actions}");
    }
}

fn hands(round: &Round) -> Vec<String> {
    round.hands().as_slice().iter().map(ToString::to_string).collect()
}

#[test]
fn leyden_allows_across_beside_spinner_and_on_blank() {
    let rules = Rules::standard(RulesName::Leyden);
    let mut round = later_round(
        &rules,
        &["3-3 0-4 5-5 3-4 2-3 0-6", "2-5 1-6 6-6 0-0 1-3 2-2"],
        "1-2 4-4 2-4 3-6 3-5 0-1 5-6 4-6 1-4 1-5 0-3",
    );
    follow(
        &mut round,
        &[
            (0, "lead:3-3", "N3 E3 S3 W3"),
            // Beside the spinner, across. The opening wants S next.
            (1, "N:2|5", "N2|5 E3 S3 W3"),
        ],
    );
    assert_eq!(legal(&round), "S:4-0 S:3-4 S:4-3 S:3|4 draw");
    follow(
        &mut round,
        &[
            (0, "S:4-0", "N2|5 E3 S0 W3"),   // 4 + 3; now all arms are open
            (1, "S:1|6", "N2|5 E3 S1|6 W3"), // on a blank, across
        ],
    );
    // In leyden the tile after a matador that lies across lies in line: 3-4 may lie across on E and W, not on N and S.
    assert_eq!(
        legal(&round),
        "N:2-3 N:3-4 N:4-3 N:5-5 E:3-4 E:4-3 E:3|4 S:6-0 S:3-4 S:4-3 W:3-4 W:4-3 W:3|4 draw"
    );
    follow(
        &mut round,
        &[
            (0, "N:5-5", "N5 E3 S1|6 W3"), // 5 + the 2 of 2-5; a double in line, its other half is the end
            (1, "S:6-6", "N5 E3 S6 W3"),   // 6 + the 1 of 1-6
            (0, "E:3-4", "N5 E4 S6 W3"),   // beside the spinner in line: 3 on 3, as only a matador can
            (1, "W:0-0", "N5 E4 S6 W0"),   // the last matador: nothing will ever go on W again
            (0, "N:2-3", "N3 E4 S6 W0"),
            (1, "S:1-3", "N3 E4 S3 W0"),
            // 0-6 goes nowhere: seat 0 must draw. Nor does 1-2, so it draws once more.
            (0, "draw:1-2 draw:4-4 N:4-4", "N4 E4 S3 W0"),
            (1, "draw:2-4 S:4-2", "N4 E4 S2 W0"), // it was stuck with 2-2
            (0, "draw:3-6 N:3-6", "N6 E4 S2 W0"), // stuck with 0-6 and 1-2
            (1, "draw:3-5 S:5-3", "N6 E4 S3 W0"), // stuck with 2-2
            (0, "draw:0-1 N:1-0", "N0 E4 S3 W0"), // 1-2 would have gone on N: a draw that nobody asked for
            (1, "draw:5-6 draw:4-6 S:4-6", "N0 E4 S6 W0"),
            (0, "S:1-2", "N0 E4 S2 W0"),
            (1, "S:5-6", "N0 E4 S6 W0"),
            (0, "draw:1-4 S:1-4", "N0 E4 S4 W0"),
        ],
    );
    // 4 wants 3, and of the seven tiles with a 3 only 0-3 is not on the table: seat 1, with 2-2, is to find it.
    assert_eq!((round.outcome(), legal(&round).as_str()), (None, "draw"));
    follow(&mut round, &[(1, "draw:1-5 draw:0-3 S:3-0", "N0 E4 S0 W0")]);
    // Blanks want a matador and 4 wants a 3; all of them lie. Three tiles could still be drawn, but nobody does.
    assert_eq!(hands(&round), ["0-6", "1-5 2-2"]);
    assert_eq!((round.boneyard().len(), round.drawable()), (5, 3));
    assert_eq!(round.outcome(), Some(RoundOutcome::Blocked { winner: Some(Seat::FIRST) }));
    assert_eq!(round.pips().as_slice(), [6, 10]);
}

#[test]
fn leyden_cross_allows_across_on_across_and_blank() {
    let rules = Rules::standard(RulesName::LeydenCross);
    let mut round = later_round(&rules, &["1-1 0-6 5-6 1-6 3-6 2-6", "3-4 0-0 2-5 5-5 4-4 0-3"], "");
    follow(
        &mut round,
        &[
            (0, "lead:1-1", "N1 E1 S1 W1"),
            (1, "E:3|4", "N1 E3|4 S1 W1"), // beside the spinner, across
            (0, "W:6-0", "N1 E3|4 S1 W0"),
        ],
    );
    // The cross wants N and S. 0-0 may lie there, and only in line; E and W are not open yet.
    assert_eq!(legal(&round), "N:0-0 N:2-5 N:5-2 N:2|5 S:0-0 S:2-5 S:5-2 S:2|5 draw");
    follow(
        &mut round,
        &[
            (1, "N:0-0", "N0 E3|4 S1 W0"), // beside the spinner
            (0, "S:6-5", "N0 E3|4 S5 W0"), // the fourth arm: all are open now
        ],
    );
    // On E: 0-3 goes with the 3 on the 4, 4-4 with a 4 on the 3, 2-5 any way. On the blanks N and W: only 2-5.
    assert_eq!(legal_on(&round, "E"), "E:3-0 E:2-5 E:5-2 E:2|5 E:4-4");
    assert_eq!(legal_on(&round, "N") + " " + &legal_on(&round, "W"), "N:2-5 N:5-2 N:2|5 W:2-5 W:5-2 W:2|5");
    follow(
        &mut round,
        &[
            (1, "E:2|5", "N0 E2|5 S5 W0"),   // across on a matador that lies across
            (0, "N:1|6", "N1|6 E2|5 S5 W0"), // across on 0-0; the last matador
            (1, "E:5-5", "N1|6 E5 S5 W0"),   // 5 + the 2 of 2-5
            (0, "N:6-3", "N3 E5 S5 W0"),     // 6 + the 1 of 1-6
            (1, "N:4-4", "N4 E5 S5 W0"),
            (0, "S:2-6", "N4 E5 S6 W0"), // and out
        ],
    );
    assert_eq!(hands(&round), ["", "0-3"]);
    assert_eq!(round.outcome(), Some(RoundOutcome::Dominoed { winner: Seat::FIRST }));
}

#[test]
fn matador_line_blocks_with_the_whole_boneyard_left() {
    let rules = matador(2, Set::DoubleSix);
    let hands_dealt = ["6-6 2-5 0-0 0-6 1-2 2-2 3-3", "0-1 3-4 1-6 0-2 0-3 4-4 5-5"];
    let mut round = Round::deal(&rules, &deck(&rules, &hands_dealt, ""), Lead::Highest).expect("6-6");
    follow(
        &mut round,
        &[
            (0, "lead:6-6", "E6 W6"),
            (1, "E:1-0", "E0 W6"),
            (0, "E:2|5", "E2|5 W6"), // across on a blank
            (1, "E:3|4", "E3|4 W6"), // across on across
            (0, "E:0-0", "E0 W6"),   // the blank double on a matador that lies across
            (1, "W:6-1", "E0 W1"),   // the last matador, 6 on 6
            (0, "W:6-0", "E0 W0"),
        ],
    );
    assert_eq!(hands(&round), ["1-2 2-2 3-3", "0-2 0-3 4-4 5-5"]);
    assert_eq!((round.boneyard().len(), round.drawable()), (14, 14));
    assert_eq!(round.outcome(), Some(RoundOutcome::Blocked { winner: Some(Seat::FIRST) }));
    assert_eq!(round.pips().as_slice(), [13, 23]);
}
