//! The terms of the evaluators that depend on a few small numbers, in tables for [packed](leyden_rules::packed) rounds.

use std::sync::LazyLock;

use leyden_protocol::Set;
use leyden_rules::Fits;
use leyden_rules::packed::{ROOM, TILES};

use crate::careful::{disposal_value, next_seat_value};
use crate::weights::cannot_play;

/// By the number of tiles the next seat may hold, how many it does hold, and how many of the former fit.
type FittingTable = Vec<[[f32; ROOM]; ROOM]>;

pub(crate) struct PackedTerms {
    /// The careful evaluator's terms for a tile, by its number, and for what the next seat is left with.
    pub(crate) disposal_value: [f32; ROOM],
    pub(crate) next_seat_value: FittingTable,
    /// The weighted evaluators' probability that the next seat cannot play.
    pub(crate) cannot_play: FittingTable,
}

pub(crate) static TERMS: LazyLock<PackedTerms> = LazyLock::new(|| {
    let wild = Fits::for_set(Set::DoubleSix).wild();
    let mut disposal_values = [0.0; ROOM];
    for (value, tile) in disposal_values.iter_mut().zip(TILES) {
        *value = disposal_value(wild, tile);
    }
    PackedTerms {
        disposal_value: disposal_values,
        next_seat_value: by_fitting(next_seat_value),
        cannot_play: by_fitting(|unseen, held, fit| cannot_play(fit as f32 / unseen.max(1) as f32, held)),
    }
});

fn by_fitting(of: impl Fn(usize, usize, usize) -> f32) -> FittingTable {
    let hands = |unseen| std::array::from_fn(|held| std::array::from_fn(|fit| of(unseen, held, fit)));
    (0..ROOM).map(hands).collect()
}
