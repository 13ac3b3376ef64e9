//! How a round ended: who won it, who led it, and the pips left in each hand.

use leyden_protocol::{PerSeat, Seat};
use leyden_rules::{Round, RoundOutcome, Rules, points};

/// How a round between two seats ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoundEnd {
    pub(crate) outcome: RoundOutcome,
    pub(crate) leader: Seat,
    /// By seat, left in hand.
    pub(crate) pips: [u32; 2],
}

impl RoundEnd {
    /// `None` while the round is being played.
    pub(crate) fn from_round(round: &Round) -> Option<Self> {
        Some(Self { outcome: round.outcome()?, leader: round.leader(), pips: first_two(&round.pips()) })
    }

    /// What the round adds to each score.
    pub(crate) fn points(&self, rules: &Rules) -> [u32; 2] {
        first_two(&points(
            rules,
            self.outcome,
            &PerSeat::from_fn(rules.seats, |seat| self.pips[seat.index() % 2]),
        ))
    }
}

/// The values of the first two seats.
pub(crate) fn first_two(each: &PerSeat<u32>) -> [u32; 2] {
    let mut each = each.as_slice().iter().copied();
    [each.next().unwrap_or(0), each.next().unwrap_or(0)]
}
