//! A longer layout, worked out by hand: matadors across beside the spinner, on a blank and on each other.

use leyden_protocol::RulesName;
use leyden_rules::Rules;

use crate::script::{later_round, legal, play, shown};

/// An action, the ends after it, and everything that is legal then.
const STEPS: [(&str, &str, &str); 10] = [
    ("W:3-1", "N2|5 E0 S6 W1", "N:0-0 N:5-4 N:5-5 E:0-0 S:0-0 S:1-1 W:0-0 W:6-0 W:6-6 draw"),
    (
        "E:0-0",
        "N2|5 E0 S6 W1",
        "N:2-0 N:5-1 N:1-6 N:6-1 N:1|6 N:2-4 N:3-4 N:4-3 N:3|4 E:1-6 E:6-1 E:1|6 E:3-4 E:4-3 E:3|4 \
         S:1-5 S:1-6 S:6-1 S:1|6 S:3-4 S:4-3 S:3|4 W:1-6 W:6-1 W:1|6 W:3-4 W:4-3 W:3|4 draw",
    ),
    ("N:1|6", "N1|6 E0 S6 W1", "N:6-0 N:1-1 N:6-6 S:1-1 W:6-0 W:6-6 draw"),
    (
        "N:6-6",
        "N6 E0 S6 W1",
        "N:1-5 N:3-4 N:4-3 N:3|4 E:3-4 E:4-3 E:3|4 S:1-5 S:3-4 S:4-3 S:3|4 W:3-4 W:4-3 W:3|4 draw",
    ),
    ("E:3|4", "N6 E3|4 S6 W1", "N:1-1 E:4-5 S:1-1 W:6-0 draw"),
    ("E:4-5", "N6 E5 S6 W1", "N:1-5 E:2-0 E:2-4 S:1-5 draw"),
    ("S:1-5", "N6 E5 S5 W1", "N:1-1 W:6-0 draw"),
    ("W:6-0", "N6 E5 S5 W0", "E:2-0 E:2-4 S:2-0 S:2-4 draw"),
    ("E:2-0", "N6 E0 S5 W0", "N:1-1 draw"),
    ("N:1-1", "N1 E0 S5 W0", "S:2-4 draw"),
];

const HANDS: [&str; 2] = ["4-4 0-3 1-3 1-6 3-4 1-5", "2-5 3-6 0-0 6-6 4-5 0-6"];
/// Seat 1 lays a matador across beside the spinner; seat 0 draws 2-4 and 0-2, seat 1 draws 1-1 and 5-5.
const OPENING: &str = "lead:4-4 N:2|5 draw draw E:3-0 draw draw S:3-6";

#[test]
fn matadors_go_across_beside_the_spinner_on_a_blank_and_on_each_other() {
    let mut round = later_round(&Rules::standard(RulesName::LeydenCross), &HANDS, "2-4 0-2 1-1 5-5");
    play(&mut round, OPENING);
    for (action, ends, choices) in STEPS {
        play(&mut round, action);
        assert_eq!((shown(&round).as_str(), legal(&round).as_str()), (ends, choices), "after {action}");
    }
}

#[test]
fn where_none_may_lie_across_on_another_only_that_play_is_missing() {
    let mut round = later_round(&Rules::standard(RulesName::Senst), &HANDS, "2-4 0-2 1-1 5-5");
    play(&mut round, OPENING);
    for (action, ends, choices) in &STEPS[..2] {
        play(&mut round, action);
        let choices = choices.replace("N:1|6 ", "").replace("N:3|4 ", "");
        assert_eq!((shown(&round).as_str(), legal(&round)), (*ends, choices), "after {action}");
    }
}
