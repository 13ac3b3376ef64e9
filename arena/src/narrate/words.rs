//! What arms, ends, actions and scores are called.

use leyden_protocol::{Action, Arm, End, Lay, PerSeat, Pip, Set, WinningScore};

/// Returns the label of an action: "4-1 on the top arm", "draw a tile".
pub fn named(action: Action) -> String {
    match action {
        Action::Lead(double) => format!("lead {}", double.tile()),
        Action::Play(arm, Lay::InLine { touching, end }) => {
            format!("{touching}-{end} on the {}", arm_name(arm))
        }
        Action::Play(arm, Lay::Across(matador)) => {
            format!("{} across on the {}", matador.tile(), arm_name(arm))
        }
        Action::Draw => "draw a tile".to_owned(),
        Action::Pass => "pass".to_owned(),
        Action::Refuse => "refuse to lead".to_owned(),
    }
}

/// Returns the name of an arm.
pub const fn arm_name(arm: Arm) -> &'static str {
    match arm {
        Arm::N => "top arm",
        Arm::E => "right arm",
        Arm::S => "bottom arm",
        Arm::W => "left arm",
    }
}

/// Returns what an end shows: "4", "2 or 5", "blank".
pub fn end_name(end: End) -> String {
    match end {
        End::Pip(Pip::BLANK) => "blank".to_owned(),
        End::Pip(_) | End::Across(_) => end_number(end),
    }
}

/// Returns what can be laid on an end: "a 3", or "a matador only" on a blank.
pub fn taken_by(end: End, set: Set) -> String {
    let sum = set.sum();
    match end {
        End::Pip(Pip::BLANK) => "a matador only".to_owned(),
        End::Pip(pip) => article(sum - pip.get()),
        End::Across(matador) => {
            format!("{} or {}", article(matador.low().get()), article(matador.high().get()))
        }
    }
}

fn article(pips: u8) -> String {
    if matches!(pips, 8 | 11) { format!("an {pips}") } else { format!("a {pips}") }
}

/// Says which score wins.
pub const fn aim(better: WinningScore) -> &'static str {
    match better {
        WinningScore::Lower => "the lower score wins",
        WinningScore::Higher => "the higher score wins",
    }
}

/// Returns what an end shows, in numbers: "4", "2 or 5", "0".
pub fn end_number(end: End) -> String {
    match end {
        End::Pip(pip) => pip.to_string(),
        End::Across(matador) => format!("{} or {}", matador.low(), matador.high()),
    }
}

/// Lists the scores in seat order: "17 : 40".
pub fn score_line(scores: &PerSeat<u32>) -> String {
    scores.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(" : ")
}

/// Returns a text from others, made safe for one line.
pub(super) fn printable(text: &str) -> String {
    leyden_protocol::printable(text.as_bytes(), 4_000)
}
