//! The careful evaluator: it gets rid of pips, keeps matadors and its own options, and leaves the next seat few.
//!
//! It looks one play ahead and sees no more than its seat does.

use leyden_protocol::{Action, Pip, Seat, Tile, TileSet};

use crate::position::Position;

// Values are in pips. Only sums, products and quotients of 32-bit floats: the same on every machine.

/// The cost of playing a matador: any but 0-0, and 0-0.
const MATADOR: f32 = 9.0;
const BLANK_DOUBLE: f32 = 5.0;
/// The gain from playing a tile that fits only one kind of end.
const INFLEXIBLE: f32 = 2.5;
/// The gain if the next seat certainly cannot play, and the cost if every tile that it may hold fits.
const NEXT_STUCK: f32 = 20.0;
const NEXT_FITS: f32 = 10.0;
/// The gain for each own tile that could be played next, and again if it could no matter which one arm changes.
pub(crate) const OPTION: f32 = 2.0;

/// What all plays of a decision have in common.
pub(crate) struct CarefulEvaluation<'a> {
    position: &'a Position,
    hand: TileSet,
    /// The tiles that the next seat may hold, and how many it does hold.
    may_hold: TileSet,
    holds: usize,
}

impl<'a> CarefulEvaluation<'a> {
    pub(crate) fn new(position: &'a Position, seat: Seat) -> Self {
        let (hand, next) = (position.round.hand(seat), position.round.rules().seats.after(seat));
        let may_hold = position.outside.minus(hand).minus(position.cannot_hold[next]);
        Self { position, hand, may_hold, holds: position.round.hand(next).len() }
    }

    /// The value of a lead or play, in pips.
    pub(crate) fn value(&self, action: Action) -> f32 {
        let (Some(tile), Some(ends)) = (action.tile(), self.position.after(action)) else {
            return f32::NEG_INFINITY;
        };
        let hand = self.hand.without(tile);
        if hand.is_empty() {
            return f32::INFINITY; // it goes out
        }
        let (wild, playable) = (self.position.fits.wild(), ends.playable());
        let lead = if matches!(action, Action::Lead(_)) { tile.pips() as f32 } else { 0.0 };
        let options = hand.intersection(playable).len() + ends.safe_options(hand, wild);
        let fitting = self.may_hold.intersection(playable).len();
        let next_seat = next_seat_value(self.may_hold.len(), self.holds, fitting);
        lead + disposal_value(wild, tile) + OPTION * options as f32 + next_seat
    }
}

/// The value of leaving the next seat, which holds `holds` of `all` tiles, with `fitting` of these that fit.
pub(crate) fn next_seat_value(all: usize, holds: usize, fitting: usize) -> f32 {
    // The chance that none of the tiles it holds fits, if all it may hold are equally likely.
    let stuck: f32 = (0..holds)
        .map(|held| all.saturating_sub(fitting + held) as f32 / all.saturating_sub(held).max(1) as f32)
        .product();
    NEXT_STUCK * stuck - NEXT_FITS * fitting as f32 / all.max(1) as f32
}

/// The value of getting rid of a tile.
pub(crate) fn disposal_value(wild: TileSet, tile: Tile) -> f32 {
    let pips = tile.pips() as f32;
    match (wild.contains(tile), tile.pips()) {
        (_, 0) => pips - BLANK_DOUBLE,
        (true, _) => pips - MATADOR,
        (false, _) if tile.double().is_some() || tile.low() == Pip::BLANK => pips + INFLEXIBLE,
        (false, _) => pips,
    }
}
