//! Marks and short forms for pages that show a match; its sentences are the narrator's.

use leyden_arena::narrate::words::did;
pub(crate) use leyden_arena::narrate::words::printable;
use leyden_language::Language;
use leyden_protocol::{Arm, End, HistoryAction, Set};

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
        HistoryAction::Play(arm, lay) => format!("{} {lay}", arrow(arm)),
        HistoryAction::Draw(_) => format!("+ {}", did(language, event)),
        HistoryAction::Pass | HistoryAction::Refuse => format!("– {}", did(language, event)),
    }
}
