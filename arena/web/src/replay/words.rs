//! Marks and short forms for pages that show a match; its sentences are the narrator's.

use leyden_language::{Language, text::replay as text};
use leyden_protocol::{Action, Arm, End, HistoryAction, Set};

/// Returns a text by others without characters that affect the text around it.
pub(crate) fn printable(text: &str) -> String {
    leyden_protocol::printable(text.as_bytes(), 4_000)
}

/// Returns a text of several lines, each made printable.
pub(crate) fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

/// Returns what an end needs from the next tile: numbers, or a star if only a wild tile fits.
pub(crate) fn needed_numbers(end: End, set: Set) -> String {
    match end {
        End::Pip(pip) if pip.get() == 0 => "★".to_owned(),
        End::Pip(pip) => (set.sum() - pip.get()).to_string(),
        End::Across(matador) => format!("{}/{}", matador.low(), matador.high()),
    }
}

/// Returns a short form of an action for the list of moves: arm and tile.
pub(crate) fn short(language: Language, event: HistoryAction) -> String {
    let arrow = |arm| match arm {
        Arm::N => "↑",
        Arm::E => "→",
        Arm::S => "↓",
        Arm::W => "←",
    };
    match event {
        HistoryAction::Lead(double) => format!("◎ {}", double.tile()),
        HistoryAction::Play(arm, lay) => match Action::Play(arm, lay).to_string().split_once(':') {
            Some((_, halves)) => format!("{} {halves}", arrow(arm)),
            None => String::new(),
        },
        HistoryAction::Draw(Some(tile)) => format!("+ {}", language.say(text::Draws { tile })),
        HistoryAction::Draw(None) => format!("+ {}", language.say(text::DrawsHidden)),
        HistoryAction::Pass => format!("– {}", language.say(text::Passes)),
        HistoryAction::Refuse => format!("– {}", language.say(text::Refuses)),
    }
}
