//! What arms, ends, actions and scores are called.

use leyden_language::{Language, Value, text::narrate as text};
use leyden_model::RecordedEnding;
use leyden_model::words::took;
use leyden_protocol::{Action, Arm, Arms, End, HistoryAction, Lay, Note, PerSeat, Pip, Set, WinningScore};

/// Returns the label of an action: "4-1 on the top arm", "draw a tile".
pub fn named(language: Language, action: Action) -> String {
    let on_arm = |arm| language.say(text::OnArm { arm });
    match action {
        Action::Lead(double) => language.say(text::Lead { tile: double.tile() }),
        Action::Play(arm, Lay::InLine { touching, end }) => {
            language.say(text::Lay { touching, end, on_arm: on_arm(arm) })
        }
        Action::Play(arm, Lay::Across(matador)) => {
            language.say(text::LayAcross { tile: matador.tile(), on_arm: on_arm(arm) })
        }
        Action::Draw => language.say(text::Draw),
        Action::Pass => language.say(text::Pass),
        Action::Refuse => language.say(text::Refuse),
    }
}

/// Says what a seat did, for a column after its name: plays in the notation of records, with the end that they leave.
pub fn did(language: Language, event: HistoryAction) -> String {
    match event {
        HistoryAction::Play(arm, lay) => {
            let action = Action::Play(arm, lay).to_string();
            let end = end_number(language, End::left_by(lay));
            match lay {
                Lay::InLine { .. } => language.say(text::DidPlay { action, end }),
                Lay::Across(_) => language.say(text::DidPlayAcross { action, end }),
            }
        }
        HistoryAction::Lead(double) => language.say(text::DidLed { tile: double.tile() }),
        HistoryAction::Draw(Some(tile)) => language.say(text::DidDraw { tile }),
        HistoryAction::Draw(None) => language.say(text::DidDrawHidden),
        HistoryAction::Pass => language.say(text::DidPass),
        HistoryAction::Refuse => language.say(text::DidRefuse),
    }
}

/// Says in few words how a deal ended: "dominoed", "nobody leads".
pub fn ending(language: Language, end: RecordedEnding) -> String {
    let end = match end {
        RecordedEnding::Dominoed => "dominoed",
        RecordedEnding::Blocked => "blocked",
        RecordedEnding::Refused => "refused",
        RecordedEnding::NoDouble => "no-double",
        RecordedEnding::Unfinished => "unfinished",
    };
    language.say(text::Ending { end })
}

/// Returns the name of an arm.
pub fn arm_name(language: Language, arm: Arm) -> String {
    language.say(text::Arm { arm })
}

/// Returns what an end shows: "4", "2 or 5", "blank".
pub fn end_name(language: Language, end: End) -> String {
    language.say(text::End { end: end_value(language, end) })
}

/// Returns what an end shows, for a text that decides by it: a number, or both of a tile that lies across.
pub(super) fn end_value(language: Language, end: End) -> Value<'static> {
    match end {
        End::Pip(pip) => pip.get().into(),
        End::Across(_) => end_number(language, end).into(),
    }
}

/// Returns what can be laid on an end: "a 3", or "a matador only" on a blank.
pub fn taken_by(language: Language, end: End, set: Set) -> String {
    let taken = |pips: u8| language.say(text::Pips { pips });
    match end {
        End::Pip(Pip::BLANK) => language.say(text::MatadorOnly),
        End::Pip(pip) => taken(set.sum() - pip.get()),
        End::Across(matador) => language.any([matador.low(), matador.high()].map(|pip| taken(pip.get()))),
    }
}

/// Says which score wins.
pub fn aim(language: Language, better: WinningScore) -> String {
    language.say(text::Aim { wins: better })
}

/// Returns the name of a set of tiles.
pub fn set_name(language: Language, set: Set) -> String {
    language.say(text::Set { set: set.top() })
}

/// Returns a time as people read it.
pub fn time(language: Language, us: u64) -> String {
    language.number(&took(us))
}

/// Returns what an end shows, in numbers: "4", "2 or 5", "0".
pub fn end_number(language: Language, end: End) -> String {
    match end {
        End::Pip(pip) => pip.to_string(),
        End::Across(matador) => language.any([matador.low(), matador.high()]),
    }
}

/// Lists what the arms show: "N 4 · E 2 or 5".
pub(super) fn end_list(language: Language, arms: Arms) -> String {
    let ends = arms.iter().map(|(arm, end)| format!("{} {}", arm.letter(), end_number(language, end)));
    ends.collect::<Vec<_>>().join(" · ")
}

/// Lists the scores in seat order: "17 : 40".
pub fn score_line(scores: &PerSeat<u32>) -> String {
    scores.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(" : ")
}

/// Returns the title of a round, which is counted from 0, with the scores before it.
pub(super) fn round_title(language: Language, (round, redeal): (u32, u32), scores: &PerSeat<u32>) -> String {
    language.say(text::RoundTitle { round: round + 1, redeal, scores: score_line(scores) })
}

/// Returns a note on one line, and why one that was meant as an object is none.
pub fn note(note: &Note) -> String {
    let why = note.why_text().map(|error| format!(" (kept as a text: {error})"));
    printable(&note.to_string()) + &why.unwrap_or_default()
}

/// Returns a text by others without characters that affect the text around it.
pub fn printable(text: &str) -> String {
    leyden_protocol::printable(text.as_bytes(), 4_000)
}
