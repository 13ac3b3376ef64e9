//! What a beginner needs to hear at a turn.

use leyden_model::Layout;
use leyden_protocol::{Action, Drawing, Phase, Turn};
use leyden_rules::Rules;

use super::words::{arm_name, taken_by};

/// Returns the hint for a beginner at a turn: what each arm takes, and what else is possible.
pub fn hint(rules: &Rules, turn: &Turn<'_>) -> String {
    if turn.phase == Phase::Lead {
        let refuse = if turn.legal.contains(&Action::Refuse) {
            " You may refuse, and leave it to the others."
        } else {
            ""
        };
        let draw = if turn.legal.contains(&Action::Draw) { " You may draw first." } else { "" };
        return format!("You have the lead: lay a double, but not 0-0.{draw}{refuse}");
    }
    let layout = Layout::from_history(rules, &turn.history);
    let is_open = |arm| layout.as_ref().is_some_and(|layout| layout.is_open(arm));
    let set = rules.set;
    let takes: Vec<String> = turn
        .arms
        .iter()
        .filter(|(arm, _)| is_open(*arm))
        .map(|(arm, end)| format!("the {} takes {}", arm_name(arm), taken_by(end, set)))
        .collect();
    let waits: Vec<&str> =
        turn.arms.iter().map(|(arm, _)| arm).filter(|arm| !is_open(*arm)).map(arm_name).collect();
    let waits = match waits[..] {
        [] => String::new(),
        [one] => format!(" The {one} has to wait until the opening is over."),
        [ref others @ .., last] => {
            format!(" The {} and the {last} have to wait until the opening is over.", others.join(", the "))
        }
    };
    let draw = if !turn.legal.contains(&Action::Draw) {
        ""
    } else if turn.legal.iter().all(|action| action.tile().is_none()) {
        " Nothing fits: draw."
    } else if rules.drawing == Drawing::Any {
        " You may also draw, as often as you like."
    } else {
        ""
    };
    format!("Touching halves add up to {}: {}.{waits}{draw}", set.sum(), takes.join("; "))
}
