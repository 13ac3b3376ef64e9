//! A table as an audience sees it: what it is shown of a match, folded. Everything that narrates or draws a match follows it with
//! this fold, so it contains nothing that the audience could not know.

use leyden_protocol::{
    Action, Arm, Arms, Double, End, FaultCode, HistoryAction, HistoryEntry, Lay, Opening, PerSeat, RuleSet,
    Seat, TileSet,
};
use leyden_rules::Rules;

use crate::projection::ShownEvent;
use crate::turn_ref::TurnRef;

/// The tiles on the table in the order in which they were laid, and what the arms show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The first tile.
    pub lead: Double,
    /// The other tiles in their order, each with the arm on which it lies.
    pub plays: Vec<(Arm, Lay)>,
    /// The seat that laid each tile, the lead first: one more than there are plays.
    pub by: Vec<Seat>,
    arms: Arms,
    opening: Opening,
}

impl Layout {
    /// Returns the layout when a seat has led this double.
    pub fn led(rules: &RuleSet, lead: Double, by: Seat) -> Self {
        let arms = Arms::from_lead(rules.layout, lead);
        Self { lead, plays: Vec::new(), by: vec![by], arms, opening: rules.opening }
    }

    /// Returns the layout after these actions of a round; `None` before the lead.
    pub fn from_history(rules: &RuleSet, history: &[HistoryEntry]) -> Option<Self> {
        let mut layout = None;
        for entry in history {
            Self::follow(&mut layout, rules, *entry);
        }
        layout
    }

    fn follow(layout: &mut Option<Self>, rules: &RuleSet, HistoryEntry { seat, event }: HistoryEntry) {
        match (event, layout) {
            (HistoryAction::Lead(double), layout) => *layout = Some(Self::led(rules, double, seat)),
            (HistoryAction::Play(arm, lay), Some(layout)) => {
                layout.plays.push((arm, lay));
                layout.by.push(seat);
                layout.arms.set(arm, End::left_by(lay));
            }
            (
                HistoryAction::Play(..)
                | HistoryAction::Draw(_)
                | HistoryAction::Pass
                | HistoryAction::Refuse,
                _,
            ) => {}
        }
    }

    /// Returns what the arms show.
    pub const fn arms(&self) -> Arms {
        self.arms
    }

    /// Whether a tile may be laid on an arm now: during an opening, only on its arms that have no tile yet.
    pub fn is_open(&self, arm: Arm) -> bool {
        let is_begun = |arm: &Arm| self.plays.iter().any(|(on, _)| on == arm);
        let mut waiting = self.opening.arms().iter().filter(|arm| !is_begun(arm)).peekable();
        self.arms.get(arm).is_some() && (waiting.peek().is_none() || waiting.any(|waits| *waits == arm))
    }
}

/// A question that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    pub seat: Seat,
    /// Which of the seat's questions it is, from 1.
    pub turn: u64,
    /// What the seat may answer; two actions or more.
    pub legal: Vec<Action>,
}

/// The fault of the open question, forgiven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForgivenFault {
    pub seat: Seat,
    pub code: FaultCode,
    /// The time charged for the decision, in microseconds.
    pub took_us: u64,
}

/// The table after the events that an audience was shown so far.
#[derive(Clone, Debug)]
pub struct TableState {
    pub rules: Rules,
    pub scores: PerSeat<u32>,
    /// How many deals there were, the present one included.
    pub deals: u32,
    /// The round of the present deal, from 0.
    pub round: u32,
    /// The hands that the audience sees: its own during a round, all at the end of a scored one.
    pub hands: PerSeat<Option<TileSet>>,
    /// How many tiles each seat holds.
    pub counts: PerSeat<u8>,
    /// How many tiles are left, the reserve included.
    pub boneyard: u8,
    /// The actions of the present deal.
    pub history: Vec<HistoryEntry>,
    /// The tiles on the table; `None` before the lead.
    pub layout: Option<Layout>,
    pub asked: Option<OpenQuestion>,
    pub forgiven: Option<ForgivenFault>,
}

impl TableState {
    /// Returns the table before the first deal.
    pub fn new(rules: &Rules) -> Self {
        let seats = rules.seats;
        Self {
            rules: *rules,
            scores: PerSeat::default_for(seats),
            deals: 0,
            round: 0,
            hands: PerSeat::default_for(seats),
            counts: PerSeat::default_for(seats),
            boneyard: 0,
            history: Vec::new(),
            layout: None,
            asked: None,
            forgiven: None,
        }
    }

    /// Applies the next event. Must be called with every event that the audience is shown of a match, in order.
    pub fn take(&mut self, shown: &ShownEvent) {
        match shown {
            ShownEvent::Started { rules, .. } => {
                *self = Self::new(&rules.rules().unwrap_or(self.rules));
            }
            ShownEvent::Dealt { round, hands, counts, boneyard, .. } => {
                (self.hands, self.counts, self.boneyard) = (*hands, *counts, *boneyard);
                (self.deals, self.round) = (self.deals + 1, *round);
                (self.history, self.layout) = (Vec::new(), None);
                (self.asked, self.forgiven) = (None, None);
            }
            ShownEvent::Asked { seat, turn, legal, .. } => {
                self.asked = Some(OpenQuestion { seat: *seat, turn: *turn, legal: legal.clone() });
            }
            ShownEvent::Struck { seat, code, took_us } => {
                self.forgiven = Some(ForgivenFault { seat: *seat, code: *code, took_us: *took_us });
            }
            ShownEvent::Acted { entry, .. } => self.acted(*entry),
            ShownEvent::Settled { scores, hands, .. } => {
                self.scores = *scores;
                if let Some(open) = hands {
                    self.hands = open.map(|hand| Some(*hand));
                }
                (self.asked, self.forgiven) = (None, None);
            }
            ShownEvent::Ended { scores, .. } => self.scores = *scores,
        }
    }

    fn acted(&mut self, entry: HistoryEntry) {
        let HistoryEntry { seat, event } = entry;
        (self.asked, self.forgiven) = (None, None);
        let (hand, count) = (&mut self.hands[seat], &mut self.counts[seat]);
        if let HistoryAction::Draw(tile) = event {
            *count = count.saturating_add(1);
            self.boneyard = self.boneyard.saturating_sub(1);
            *hand = hand.map(|hand| tile.map_or(hand, |tile| hand.with(tile)));
        } else if let Some(tile) = Action::from(event).tile() {
            *count = count.saturating_sub(1);
            *hand = hand.map(|hand| hand.without(tile));
        }
        Layout::follow(&mut self.layout, &self.rules, entry);
        self.history.push(entry);
    }

    /// Returns what the arms show; nothing before the lead.
    pub fn arms(&self) -> Arms {
        self.layout.as_ref().map(Layout::arms).unwrap_or_default()
    }

    /// Returns where the next action of the present deal stands in the record.
    pub fn next(&self) -> TurnRef {
        TurnRef { round: self.deals.saturating_sub(1), action: self.history.len() as u32 }
    }
}
