//! A baseline without chance: it plays for low pips, keeps matadors and its own options, and leaves the next seat little.
//!
//! It looks one play ahead and knows no more than its seat.

use leyden_protocol::{Action, Pip, Seat, Tile, TileSet};

use crate::position::Position;

// Worth is counted in pips, in 32 bits: sums, products and quotients alone, the same on every machine.

/// What playing a matador costs, others and 0-0.
const MATADOR: f32 = 9.0;
const BLANK_DOUBLE: f32 = 5.0;
/// What it is worth to be rid of a tile that fits only one kind of end.
const STIFF: f32 = 2.5;
/// What it is worth if the next seat certainly cannot play, and what it costs if everything that it may hold fits.
const STARVED: f32 = 20.0;
const FED: f32 = 10.0;
/// What each own tile is worth that could follow, and again if it could whatever happens to one of the arms.
pub(crate) const OPTION: f32 = 2.0;

/// What is the same for all plays of a decision.
pub(crate) struct Careful<'a> {
    position: &'a Position,
    hand: TileSet,
    /// What the next seat may hold, and how many tiles it does hold.
    may_hold: TileSet,
    holds: usize,
}

impl<'a> Careful<'a> {
    pub(crate) fn new(position: &'a Position, seat: Seat) -> Self {
        let (hand, next) = (position.round.hand(seat), position.round.rules().seats.after(seat));
        let may_hold = position.outside.minus(hand).minus(position.lacking[next]);
        Self { position, hand, may_hold, holds: position.round.hand(next).len() }
    }

    /// How good a lead or play is, in pips.
    pub(crate) fn worth(&self, action: Action) -> f32 {
        let (Some(tile), Some(ends)) = (action.tile(), self.position.after(action)) else {
            return f32::NEG_INFINITY;
        };
        let hand = self.hand.without(tile);
        if hand.is_empty() {
            return f32::INFINITY; // it goes out
        }
        let (wild, playable) = (self.position.fits.wild, ends.playable());
        let lead = if matches!(action, Action::Lead(_)) { tile.pips() as f32 } else { 0.0 };
        let options = hand.intersection(playable).len() + ends.safe_options(hand, wild);
        let fitting = self.may_hold.intersection(playable).len();
        let next_seat = next_seat(self.may_hold.len(), self.holds, fitting);
        lead + parting(wild, tile) + OPTION * options as f32 + next_seat
    }
}

/// How little the next seat will like it if so many of all that it may hold fit.
pub(crate) fn next_seat(all: usize, holds: usize, fitting: usize) -> f32 {
    // The chance that none of the tiles it holds fits, if all it may hold are equally likely.
    let starved: f32 = (0..holds)
        .map(|held| all.saturating_sub(fitting + held) as f32 / all.saturating_sub(held).max(1) as f32)
        .product();
    STARVED * starved - FED * fitting as f32 / all.max(1) as f32
}

/// What it is worth to be rid of a tile.
pub(crate) fn parting(wild: TileSet, tile: Tile) -> f32 {
    let pips = tile.pips() as f32;
    match (wild.contains(tile), tile.pips()) {
        (_, 0) => pips - BLANK_DOUBLE,
        (true, _) => pips - MATADOR,
        (false, _) if tile.double().is_some() || tile.low() == Pip::BLANK => pips + STIFF,
        (false, _) => pips,
    }
}
