//! Turns as rows of the lesson: what was done, and what it means.

use std::fmt::Display;

use leyden_language::{Language, text::rules as text};
use leyden_protocol::{Action, End, HistoryAction, Lay, Pip};
use leyden_rules::Rules;

use super::page::row;
use super::played_round::PlayedTurn;

/// Returns turns as rows, without the seats.
pub(super) fn done(language: Language, rules: &Rules, turns: &[PlayedTurn]) -> String {
    rows(language, rules, turns, |turn| Action::from(turn.entry.event))
}

/// Returns turns as rows, each with its seat.
pub(super) fn done_by_seats(language: Language, rules: &Rules, turns: &[PlayedTurn]) -> String {
    rows(language, rules, turns, |turn| turn.entry)
}

fn rows<T: Display>(
    language: Language,
    rules: &Rules,
    turns: &[PlayedTurn],
    label: impl Fn(&PlayedTurn) -> T,
) -> String {
    let rows = turns.iter().map(|turn| row(label(turn), &meaning(language, rules, *turn)));
    rows.collect::<Vec<_>>().join("\n")
}

/// Lists what an end shows: one number or two.
pub(super) fn pips(end: End) -> Vec<Pip> {
    let mut pips = end.halves().to_vec();
    pips.dedup();
    pips
}

/// Names what an end shows.
pub(super) fn shown(language: Language, end: End) -> String {
    language.any(pips(end))
}

/// Explains what a turn did, for learners. The narrator says less: not how a matador lies, or on what. A sum begins with the half
/// that touches, as the turn is written.
fn meaning(language: Language, rules: &Rules, turn: PlayedTurn) -> String {
    let sum = rules.set.sum();
    let met = turn.met.map(pips).unwrap_or_default();
    match turn.entry.event {
        HistoryAction::Lead(_) => language.say(text::Led { rule: turn.lead }),
        HistoryAction::Play(_, Lay::InLine { touching, end }) => {
            match met.iter().find(|pip| pip.get() + touching.get() == sum) {
                Some(met) => language.say(text::LaidByTheSum { touching, met, sum, end }),
                None => language.say(text::LaidMatador { met: language.any(met), end }),
            }
        }
        HistoryAction::Play(_, Lay::Across(matador)) => {
            let end = shown(language, End::Across(matador));
            language.say(text::LaidAcross { met: language.any(met), end })
        }
        HistoryAction::Draw(_) => language.say(text::Drawn),
        HistoryAction::Pass => language.say(text::Passed),
        HistoryAction::Refuse => language.say(text::Refused),
    }
}
