//! The state of a table's page, built from the messages of the table, so it contains only what a seat may know.

use std::collections::BTreeMap;

use leyden_arena::narrate::Narrator;
use leyden_language::Language;
use leyden_model::TableState;
use leyden_model::projection::ShownEvent;
use leyden_protocol::{PerSeat, Seat, Turn};
use leyden_rules::Rules;

use crate::replay::printable;
use leyden_table::coach::{self, Advice, DEALS};
use leyden_table::{OpponentLevel, RestartReason, SessionEnd, ToPerson};

/// How many sentences of the log are shown.
const SENTENCES: usize = 60;

/// A table, as a player or spectator may see it.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub(super) struct PlayState {
    pub(super) table: TableState,
    pub(super) names: PerSeat<String>,
    pub(super) own: Option<Seat>,
    narrator: Narrator,
    pub(super) rated: bool,
    /// Whether earlier events are being repeated.
    pub(super) is_catching_up: bool,
    /// How many tiles were on the table when the person last acted.
    pub(super) laid_before: usize,
    /// The points of each scored round.
    pub(super) points: Vec<PerSeat<u32>>,
    pub(super) turn: Option<Turn<'static>>,
    pub(super) waits: bool,
    pub(super) has_coach: bool,
    /// Whether hints are wanted; `None` until the person chooses: then only the first round has them.
    hints: Option<bool>,
    pub(super) advice: Option<Advice>,
    /// What happened, in sentences, with the seat that acted.
    pub(super) log: Vec<(Option<Seat>, String)>,
    pub(super) result: Option<Ended>,
}

/// The end of the match, in words.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) said: String,
    pub(super) is_kept: bool,
    /// Whether the match can be replayed.
    pub(super) has_replay: bool,
}

impl PlayState {
    pub(super) fn new(rules: &Rules, names: &PerSeat<String>, own: Option<Seat>) -> Self {
        let names = names.map(|name| {
            OpponentLevel::called(name).map_or_else(|| printable(name), |level| level.name.to_owned())
        });
        Self {
            table: TableState::new(rules),
            narrator: Narrator::new(names.clone(), own, Language::English),
            names,
            own,
            rated: true,
            is_catching_up: false,
            laid_before: 0,
            points: Vec::new(),
            turn: None,
            waits: false,
            has_coach: false,
            hints: None,
            advice: None,
            log: Vec::new(),
            result: None,
        }
    }

    /// Returns the name of a seat.
    pub(super) fn name(&self, seat: Seat) -> &str {
        self.narrator.name(seat)
    }

    /// Applies the next message of the table.
    pub(super) fn take(&mut self, told: &ToPerson) {
        match told {
            ToPerson::Begins { rated, again } => self.begins(*rated, *again),
            ToPerson::Shown(shown) => self.show(shown),
            ToPerson::Asked(turn) => {
                self.is_catching_up = false;
                self.turn = Some((**turn).clone());
                self.advise();
            }
            ToPerson::Waits => (self.waits, self.is_catching_up) = (true, false),
            ToPerson::NoUndo => self.say(None, "There is nothing to take back.".to_owned()),
            ToPerson::Over(ending) => self.over(ending),
        }
    }

    fn begins(&mut self, rated: bool, again: Option<RestartReason>) {
        let (coach, hints) = (self.has_coach, self.hints);
        let had = !self.log.is_empty();
        *self = Self::new(&self.table.rules, &self.names, self.own);
        (self.rated, self.has_coach, self.hints) = (rated, coach, hints);
        self.is_catching_up = again.is_some() && had;
    }

    /// Whether a turn is shown with hints.
    pub(super) fn has_hints(&self) -> bool {
        self.hints.unwrap_or(self.table.round == 0)
    }

    pub(super) fn set_hints(&mut self, on: bool) {
        self.hints = Some(on);
    }

    /// Turns the coach on or off, and updates its advice.
    pub(super) fn set_coach(&mut self, on: bool) {
        self.has_coach = on;
        self.advise();
    }

    fn advise(&mut self) {
        let turn = self.turn.as_ref().filter(|_| self.has_coach);
        self.advice = turn.and_then(|turn| coach::advise(&self.table.rules, turn, DEALS));
    }

    fn say(&mut self, seat: Option<Seat>, text: String) {
        self.log.push((seat, text));
        if self.log.len() > SENTENCES {
            self.log.remove(0);
        }
    }

    fn show(&mut self, shown: &ShownEvent) {
        if let Some(text) = self.narrator.sentence(&self.table, shown) {
            let seat = match shown {
                ShownEvent::Acted { entry, .. } => Some(entry.seat),
                _ => None,
            };
            self.say(seat, text);
        }
        self.table.take(shown);
        match shown {
            ShownEvent::Dealt { .. } => self.laid_before = 0,
            ShownEvent::Acted { entry, .. } => {
                (self.turn, self.advice, self.waits) = (None, None, false);
                if self.own == Some(entry.seat) {
                    self.laid_before = self.table.layout.as_ref().map_or(0, |layout| layout.by.len());
                }
            }
            ShownEvent::Settled { points, end, .. } if end.is_scored() => self.points.push(*points),
            ShownEvent::Started { .. }
            | ShownEvent::Asked { .. }
            | ShownEvent::Struck { .. }
            | ShownEvent::Settled { .. }
            | ShownEvent::Ended { .. } => {}
        }
    }

    fn over(&mut self, ending: &SessionEnd) {
        (self.turn, self.advice, self.waits) = (None, None, false);
        let last = self.log.last().map(|(_, text)| text.clone()).unwrap_or_default();
        let ended = |said: String, is_kept, has_replay| Ended { said, is_kept, has_replay };
        self.result = Some(match ending {
            SessionEnd::Kept(..) => ended(last, true, true),
            SessionEnd::Practised(_) => {
                ended(format!("{last} This was practice: nothing is stored."), false, true)
            }
            SessionEnd::Resigned => {
                ended("You gave up the match: nothing is stored.".to_owned(), false, false)
            }
            SessionEnd::NotKept(error, _) => ended(
                format!("{last} It could not be stored: {}", printable(&error.to_string())),
                false,
                true,
            ),
            SessionEnd::Failed(error) => {
                let why = printable(&error.to_string());
                ended(format!("The match cannot continue: {why}. Nothing is stored."), false, false)
            }
        });
    }
}

/// The parts of a page, by element id.
pub(super) type PageParts = BTreeMap<&'static str, String>;
