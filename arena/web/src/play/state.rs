//! The state of a table's page, built from the messages of the table, so it contains only what a seat may know.

use std::collections::BTreeMap;
use std::fmt::Display;

use leyden_arena::narrate::Narrator;
use leyden_language::{Language, Text, text::play as text};
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
pub(crate) struct PlayState {
    pub(crate) table: TableState,
    /// What the bots are called in the results file, and here.
    bots: PerSeat<String>,
    pub(crate) names: PerSeat<String>,
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
    /// Whether hints are requested; `None` until the person chooses: then only the first round has them.
    hints: Option<bool>,
    pub(super) advice: Option<Advice>,
    /// What happened, to say it again in another language.
    shown: Vec<ShownEvent>,
    /// What happened, in sentences, with the seat that acted.
    pub(crate) log: Vec<(Option<Seat>, String)>,
    pub(super) result: Option<EndText>,
}

/// The end of the match, in words.
#[derive(Clone, Debug)]
pub(super) struct EndText {
    pub(super) said: String,
    pub(super) is_kept: bool,
    /// Whether the match can be replayed.
    pub(super) has_replay: bool,
}

impl PlayState {
    pub(super) fn new(language: Language, rules: &Rules, bots: &PerSeat<String>, own: Option<Seat>) -> Self {
        let names = bots.map(|bot| {
            OpponentLevel::called(bot).map_or_else(|| printable(bot), |level| level.name(language))
        });
        Self::called(language, rules, bots, names, own)
    }

    /// Creates a table at which players have these names, made printable.
    pub(crate) fn called(
        language: Language,
        rules: &Rules,
        bots: &PerSeat<String>,
        names: PerSeat<String>,
        own: Option<Seat>,
    ) -> Self {
        Self {
            table: TableState::new(rules),
            narrator: Narrator::new(names.clone(), own, language),
            bots: bots.clone(),
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
            shown: Vec::new(),
            log: Vec::new(),
            result: None,
        }
    }

    pub(super) fn language(&self) -> Language {
        self.narrator.language()
    }

    /// Returns a text in the language of the page.
    pub(super) fn text(&self, text: impl Text) -> String {
        self.language().say(text)
    }

    /// Says everything in this language, also what has happened so far.
    pub(super) fn speak(&mut self, language: Language) {
        if language == self.language() {
            return;
        }
        let mut other = Self::new(language, &self.table.rules, &self.bots, self.own);
        for shown in &self.shown {
            other.show(shown);
        }
        (other.rated, other.is_catching_up) = (self.rated, self.is_catching_up);
        (other.turn, other.waits, other.result) = (self.turn.take(), self.waits, self.result.take());
        (other.has_coach, other.hints) = (self.has_coach, self.hints);
        other.advise();
        *self = other;
    }

    /// Returns the name of a seat.
    pub(super) fn name(&self, seat: Seat) -> &str {
        self.narrator.name(seat)
    }

    /// Applies the next message of the table.
    pub(crate) fn take(&mut self, to_person: &ToPerson) {
        match to_person {
            ToPerson::Begins { rated, again } => self.begins(*rated, *again),
            ToPerson::Shown(shown) => self.show(shown),
            ToPerson::Asked(turn) => {
                self.is_catching_up = false;
                self.turn = Some((**turn).clone());
                self.advise();
            }
            ToPerson::Waits => (self.waits, self.is_catching_up) = (true, false),
            ToPerson::NoUndo => self.say(None, self.text(text::NothingToTakeBack)),
            ToPerson::Over(ending) => self.over(ending),
        }
    }

    fn begins(&mut self, rated: bool, again: Option<RestartReason>) {
        let (coach, hints) = (self.has_coach, self.hints);
        let had = !self.log.is_empty();
        *self = Self::new(self.language(), &self.table.rules, &self.bots, self.own);
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
        self.advice = turn.and_then(|turn| coach::advise(self.language(), &self.table.rules, turn, DEALS));
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
        self.shown.push(shown.clone());
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
        let ended = |said: String, is_kept, has_replay| EndText { said, is_kept, has_replay };
        let why = |error: &dyn Display| printable(&error.to_string());
        self.result = Some(match ending {
            SessionEnd::Kept(..) => ended(last, true, true),
            SessionEnd::Practised(_) => ended(format!("{last} {}", self.text(text::Practised)), false, true),
            SessionEnd::Resigned => ended(self.text(text::GaveUp), false, false),
            SessionEnd::NotKept(error, _) => {
                let not_stored = self.text(text::NotStored { why: why(error) });
                ended(format!("{last} {not_stored}"), false, true)
            }
            SessionEnd::Failed(error) => {
                ended(self.text(text::CannotContinue { why: why(error) }), false, false)
            }
        });
    }
}

/// The parts of a page, by element id.
pub(super) type PageParts = BTreeMap<&'static str, String>;
