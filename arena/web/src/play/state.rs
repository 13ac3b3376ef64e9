//! The state of a table's page, built from the messages of the table, so it contains only what a seat may know.

use std::collections::BTreeMap;

use leyden_model::projection::ShownEvent;
use leyden_protocol::{Arm, Double, HistoryAction, HistoryEntry, Lay, PerSeat, Seat, TileSet, Turn};
use leyden_rules::Rules;

use crate::replay::printable;
use leyden_table::coach::{self, Advice, DEALS};
use leyden_table::words::Narrator;
use leyden_table::{OpponentLevel, RestartReason, SessionEnd, ToPerson};

/// How many sentences of the log are shown.
const SENTENCES: usize = 60;

/// A table, as a player or spectator may see it.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub(super) struct PlayState {
    pub(super) rules: Rules,
    pub(super) names: PerSeat<String>,
    pub(super) own: Option<Seat>,
    words: Narrator,
    pub(super) rated: bool,
    /// Whether earlier events are being repeated.
    pub(super) is_catching_up: bool,
    pub(super) round: u32,
    pub(super) hands: PerSeat<Option<TileSet>>,
    pub(super) counts: PerSeat<u8>,
    pub(super) boneyard: u8,
    pub(super) actions: Vec<HistoryEntry>,
    /// How many actions there were when the person last acted.
    pub(super) own_last: usize,
    pub(super) scores: PerSeat<u32>,
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

/// The lead, the plays, and the seat that laid each tile.
pub(super) type Laid = (Double, Vec<(Arm, Lay)>, Vec<Seat>);

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
            rules: *rules,
            words: Narrator::new(rules, names.clone(), own),
            names,
            own,
            rated: true,
            is_catching_up: false,
            round: 0,
            hands: PerSeat::default_for(rules.seats),
            counts: PerSeat::default_for(rules.seats),
            boneyard: 0,
            actions: Vec::new(),
            own_last: 0,
            scores: PerSeat::default_for(rules.seats),
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
        self.words.name(seat)
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
        *self = Self::new(&self.rules, &self.names, self.own);
        (self.rated, self.has_coach, self.hints) = (rated, coach, hints);
        self.is_catching_up = again.is_some() && had;
    }

    /// Whether a turn is shown with hints.
    pub(super) fn has_hints(&self) -> bool {
        self.hints.unwrap_or(self.round == 0)
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
        self.advice = turn.and_then(|turn| coach::advise(&self.rules, turn, DEALS));
    }

    fn say(&mut self, seat: Option<Seat>, text: String) {
        self.log.push((seat, text));
        if self.log.len() > SENTENCES {
            self.log.remove(0);
        }
    }

    fn show(&mut self, shown: &ShownEvent) {
        if let Some(text) = self.words.tell(shown) {
            let seat = match shown {
                ShownEvent::Acted { entry, .. } => Some(entry.seat),
                _ => None,
            };
            self.say(seat, text);
        }
        match shown {
            ShownEvent::Dealt { round, hands, counts, boneyard, .. } => {
                (self.round, self.hands, self.counts, self.boneyard) = (*round, *hands, *counts, *boneyard);
                (self.actions, self.own_last) = (Vec::new(), 0);
            }
            ShownEvent::Acted { entry, .. } => self.acted(*entry),
            ShownEvent::Settled { points, scores, hands, .. } => {
                self.scores = *scores;
                if hands.is_some() {
                    self.points.push(*points); // only scored rounds have points
                }
            }
            ShownEvent::Ended { scores, .. } => self.scores = *scores,
            ShownEvent::Started { .. } | ShownEvent::Asked { .. } | ShownEvent::Struck { .. } => {}
        }
    }

    fn acted(&mut self, entry: HistoryEntry) {
        (self.turn, self.advice, self.waits) = (None, None, false);
        let HistoryEntry { seat, event } = entry;
        self.actions.push(entry);
        if self.own == Some(seat) {
            self.own_last = self.actions.len();
        }
        let hand = &mut self.hands[seat];
        match event {
            HistoryAction::Draw(tile) => {
                self.counts[seat] += 1;
                self.boneyard = self.boneyard.saturating_sub(1);
                *hand = hand.map(|hand| tile.map_or(hand, |tile| hand.with(tile)));
            }
            HistoryAction::Lead(_) | HistoryAction::Play(..) => {
                let tile = leyden_protocol::Action::from(event).tile();
                self.counts[seat] = self.counts[seat].saturating_sub(1);
                *hand = hand.map(|hand| tile.map_or(hand, |tile| hand.without(tile)));
            }
            HistoryAction::Pass | HistoryAction::Refuse => {}
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

    /// Returns what was laid in this round: the lead, the plays, and who laid them.
    pub(super) fn laid(&self) -> Option<Laid> {
        let mut lead = None;
        let (mut plays, mut by) = (Vec::new(), Vec::new());
        for HistoryEntry { seat, event } in &self.actions {
            match event {
                HistoryAction::Lead(double) => {
                    lead = Some(*double);
                    by.push(*seat);
                }
                HistoryAction::Play(arm, lay) => {
                    plays.push((*arm, *lay));
                    by.push(*seat);
                }
                HistoryAction::Draw(_) | HistoryAction::Pass | HistoryAction::Refuse => {}
            }
        }
        lead.map(|lead| (lead, plays, by))
    }

    /// Returns how many of the tiles were on the table when the person last acted.
    pub(super) fn laid_before(&self) -> usize {
        let before = &self.actions[..self.own_last.min(self.actions.len())];
        before.iter().filter(|entry| leyden_protocol::Action::from(entry.event).tile().is_some()).count()
    }
}

/// The parts of a page, by element id.
pub(super) type PageParts = BTreeMap<&'static str, String>;
