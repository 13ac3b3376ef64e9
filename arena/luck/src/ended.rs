//! What remains of a round once it is over: who won it, who led it, and the pips that are left.

use leyden_protocol::{PerSeat, Seat};
use leyden_rules::{Round, RoundOutcome, Rules, points};

/// How a round between two seats ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) outcome: RoundOutcome,
    pub(crate) leader: Seat,
    /// In each hand.
    pub(crate) pips: [u32; 2],
}

impl Ended {
    /// `None` while the round goes on.
    pub(crate) fn of(round: &Round) -> Option<Self> {
        Some(Self { outcome: round.outcome()?, leader: round.leader(), pips: both(&round.pips()) })
    }

    /// What it adds to each score.
    pub(crate) fn points(&self, rules: &Rules) -> [u32; 2] {
        both(&points(rules, self.outcome, &PerSeat::from_fn(rules.seats, |seat| self.pips[seat.index() % 2])))
    }
}

/// Of two seats.
pub(crate) fn both(each: &PerSeat<u32>) -> [u32; 2] {
    let mut each = each.as_slice().iter().copied();
    [each.next().unwrap_or(0), each.next().unwrap_or(0)]
}
