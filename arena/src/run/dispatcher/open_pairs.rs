//! The pairs that are open together: leg 0 of each of them is played before leg 1 of any.
//!
//! So no process that knows a deal runs while another leg of it is played, on any worker, and a bot that ends a leg at a
//! moment of its choice decides only when the next leg of all of them begins, not of which pair.

use std::collections::VecDeque;

use leyden_model::{BotIndex, PairKey};

use crate::run::RunError;

/// How many pairs are open together if there are as many; less than twice as many at the end of a round.
pub(super) const TOGETHER: u64 = 64;

/// The same for each match that is played at once: at the end of a leg all wait for the last one.
pub(super) const TOGETHER_PER_SLOT: u64 = 8;

/// Draws a number below the given one, which is positive.
pub(in crate::run) type Draw = fn(u64) -> Result<u64, RunError>;

/// A pair with legs that are to be played or in progress.
#[derive(Clone, Debug)]
pub(super) struct OpenPair {
    pub(super) key: PairKey,
    /// Its position in the order of play.
    pub(super) position: u64,
    /// The rank of leg 0.
    pub(super) rank: u64,
    /// The legs without a result, ascending.
    pub(super) legs: Vec<u32>,
    /// How often the first of them may still be played again after an overload.
    pub(super) retries: u32,
    /// How often they came back without anything played.
    pub(super) returns: u32,
    /// The leg that made the pair void.
    pub(super) void: Option<u32>,
}

/// The open pairs that no worker has.
#[derive(Debug, Default)]
pub(super) struct OpenPairs {
    waiting: VecDeque<OpenPair>,
    /// The leg that is played at present.
    leg: u32,
}

impl OpenPairs {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether the present leg is the next one of this pair.
    pub(super) fn is_played_now(&self, pair: &OpenPair) -> bool {
        pair.legs.first() == Some(&self.leg)
    }

    /// Returns a pair whose present leg is to be played.
    pub(super) fn next(&mut self) -> Option<OpenPair> {
        let index = self.waiting.iter().position(|pair| self.is_played_now(pair))?;
        self.waiting.remove(index)
    }

    /// Puts back a pair with a leg that has no result.
    pub(super) fn put_back(&mut self, pair: OpenPair) {
        self.waiting.push_back(pair);
    }

    /// Drops the pairs with all of this many legs missing.
    pub(super) fn drop_untouched(&mut self, legs: u32) {
        self.waiting.retain(|pair| pair.legs.len() < legs as usize);
    }

    /// Opens these pairs, once no others are open.
    pub(super) fn open(&mut self, pairs: VecDeque<OpenPair>, draw: Draw) -> Result<(), RunError> {
        self.waiting = pairs;
        self.go_on(draw)
    }

    /// The bots of the open pairs that no worker has.
    pub(super) fn bots(&self) -> impl Iterator<Item = BotIndex> {
        self.waiting.iter().flat_map(|pair| pair.key.table.bots()).copied()
    }

    pub(super) fn count(&self) -> u64 {
        self.waiting.len() as u64
    }

    /// Goes on to the next leg, once no worker plays the present one: in a drawn order that keeps neighbours in the order of
    /// play beside each other.
    pub(super) fn go_on(&mut self, draw: Draw) -> Result<(), RunError> {
        self.leg =
            self.waiting.iter().filter_map(|pair| pair.legs.first().copied()).min().unwrap_or_default();
        let pairs = self.waiting.make_contiguous();
        pairs.sort_by_key(|pair| pair.position);
        if pairs.len() > 1 {
            let first = draw(pairs.len() as u64)?;
            pairs.rotate_left(first as usize);
            if draw(2)? == 1 {
                pairs.reverse();
            }
        }
        Ok(())
    }
}
