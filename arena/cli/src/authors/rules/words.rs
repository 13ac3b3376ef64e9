//! Words for tiles, ends and turns, and lists of words.

use std::fmt::Display;

use leyden_protocol::{Action, Double, End, HistoryAction, Lay, LeadRule, Pip, Seat, Set, Tile};
use leyden_rules::Rules;

use super::page::NO_BREAK;
use super::played::PlayedTurn;

/// Joins words: `a`, `a and b`, `a, b and c`.
pub(super) fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    joined(items, "and")
}

/// Does the same with another word before the last.
pub(super) fn joined<T: Display>(items: impl IntoIterator<Item = T>, word: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, before)) => format!("{} {word} {last}", before.join(", ")),
    }
}

/// Lists all tiles that are wild with this set.
pub(super) fn matadors(set: Set) -> impl Iterator<Item = Tile> {
    set.tiles().iter().filter(move |&tile| is_matador(set, tile))
}

pub(super) fn is_matador(set: Set, tile: Tile) -> bool {
    tile == Double::new(Pip::BLANK).tile() || tile.pips() == u32::from(set.sum())
}

/// Names what an end shows: one number or two.
pub(super) fn pips(end: End) -> Vec<Pip> {
    match end {
        End::Pip(pip) => vec![pip],
        End::Across(matador) => vec![matador.low(), matador.high()],
    }
}

pub(super) fn shown(end: End) -> String {
    joined(pips(end), "or")
}

/// Lists the halves that may touch an end by the sum: none for a blank.
pub(super) fn partners(set: Set, end: End) -> Vec<Pip> {
    let top = set.top().get();
    pips(end)
        .into_iter()
        .filter_map(|pip| Pip::new(set.sum() - pip.get()).filter(|p| p.get() <= top))
        .collect()
}

/// Names a seat by its number, with a no-break space.
pub(super) fn seat(seat: Seat) -> String {
    format!("seat{NO_BREAK}{seat}")
}

/// Formats a number of pips with its article: `a 7`, `an 8`.
pub(super) fn one(pip: Pip) -> String {
    let article = if matches!(pip.get(), 8 | 11) { "an" } else { "a" };
    format!("{article} {pip}")
}

/// Returns these turns as rows: what was done and what it means.
pub(super) fn told(rules: &Rules, turns: &[PlayedTurn]) -> Vec<(String, String)> {
    let done = |turn: PlayedTurn| Action::from(turn.entry.event).to_string();
    turns.iter().map(|&turn| (done(turn), meaning(rules, turn))).collect()
}

/// Explains what a turn did, for learners.
pub(super) fn meaning(rules: &Rules, turn: PlayedTurn) -> String {
    let sum = rules.set.sum();
    let met = turn.met.map(pips).unwrap_or_default();
    match turn.entry.event {
        HistoryAction::Lead(_) => match turn.lead {
            LeadRule::Lowest => "the lead: the lowest double except 0-0".to_owned(),
            LeadRule::Highest => "the lead: the highest double".to_owned(),
            LeadRule::HighestHolder => "the lead: any double of the player who holds the highest".to_owned(),
            LeadRule::Loser => "the lead: any double of that hand except 0-0".to_owned(),
        },
        HistoryAction::Play(_, Lay::InLine { touching, end }) => {
            let how = match met.iter().find(|pip| pip.get() + touching.get() == sum) {
                Some(pip) => format!("{touching} + {pip} = {sum}"),
                None => format!("a matador, in line on {}", joined(met, "or")),
            };
            let blank = if end == Pip::BLANK { ", a blank" } else { "" };
            format!("{how}; the new end is {end}{blank}")
        }
        HistoryAction::Play(_, Lay::Across(matador)) => {
            let end = shown(End::Across(matador));
            format!("a matador, across on {}; the new end is {end}", joined(met, "or"))
        }
        HistoryAction::Draw(_) => "no tile fits, so one is drawn".to_owned(),
        HistoryAction::Pass => "no tile fits, and no more may be drawn: a pass".to_owned(),
        HistoryAction::Refuse => "no lead; the other player is asked".to_owned(),
    }
}
