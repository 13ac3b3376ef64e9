//! What a beginner needs to hear at a turn.

use leyden_language::{Language, text::narrate as text};
use leyden_model::Layout;
use leyden_protocol::{Action, Drawing, Phase, Turn};
use leyden_rules::Rules;

use super::words::taken_by;

/// Returns the hint for a beginner at a turn: what each arm takes, and what else is possible.
pub fn hint(language: Language, rules: &Rules, turn: &Turn<'_>) -> String {
    let may = |action| turn.legal.contains(&action);
    if turn.phase == Phase::Lead {
        let draw = may(Action::Draw).then(|| language.say(text::HintMayDrawFirst));
        let refuse = may(Action::Refuse).then(|| language.say(text::HintMayRefuse));
        return sentences([Some(language.say(text::HintLead)), draw, refuse]);
    }
    let layout = Layout::from_history(rules, &turn.history);
    let is_open = |arm| layout.as_ref().is_some_and(|layout| layout.is_open(arm));
    let name = |arm| language.say(text::TheArm { arm });
    let takes = turn.arms.iter().filter(|&(arm, _)| is_open(arm)).map(|(arm, end)| {
        language.say(text::Takes { arm: name(arm), taken: taken_by(language, end, rules.set) })
    });
    let takes = takes.collect::<Vec<_>>().join("; ");
    let closed: Vec<_> =
        turn.arms.iter().map(|(arm, _)| arm).filter(|&arm| !is_open(arm)).map(name).collect();
    let waiting = text::Waiting { number: closed.len(), arms: language.all(&closed) };
    let draw = if !may(Action::Draw) {
        None
    } else if turn.legal.iter().all(|action| action.tile().is_none()) {
        Some(language.say(text::HintDraw))
    } else {
        (rules.drawing == Drawing::Any).then(|| language.say(text::HintMayDraw))
    };
    let hint = language.say(text::Hint { sum: rules.set.sum(), takes });
    sentences([Some(hint), (!closed.is_empty()).then(|| language.say(waiting)), draw])
}

fn sentences(sentences: [Option<String>; 3]) -> String {
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
