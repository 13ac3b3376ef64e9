//! A shuffled set of tiles: a checked permutation. The rules do not care how it was shuffled.

use leyden_protocol::{Double, Pip, Set, Tile, TileSet};

/// The number of tiles in the largest set.
const LARGEST: usize = Set::DoubleTwelve.size();

/// All tiles of one set in the order in which they are dealt: hands in seat order, then the boneyard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Deck {
    order: [Tile; LARGEST],
    set: Set,
}

/// Tiles that are not a permutation of the set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeckError {
    #[error("expected the {} tiles of a {set} set, got {found}", set.size())]
    Size { set: Set, found: usize },
    #[error("{tile} is twice in the deck")]
    Twice { tile: Tile },
    #[error("{tile} is not a tile of the {set} set")]
    Foreign { set: Set, tile: Tile },
}

impl Deck {
    /// Creates a deck in this order; fails unless it holds each tile of the set once.
    pub fn new(set: Set, tiles: &[Tile]) -> Result<Self, DeckError> {
        if tiles.len() != set.size() {
            return Err(DeckError::Size { set, found: tiles.len() });
        }
        let all = set.tiles();
        let mut seen = TileSet::EMPTY;
        for &tile in tiles {
            if !all.contains(tile) {
                return Err(DeckError::Foreign { set, tile });
            }
            if seen.contains(tile) {
                return Err(DeckError::Twice { tile });
            }
            seen = seen.with(tile);
        }
        let mut deck = Self::in_order(set);
        deck.order[..tiles.len()].copy_from_slice(tiles);
        Ok(deck)
    }

    /// Creates a deck in ascending order, to be shuffled by [`Deck::swap`].
    pub fn in_order(set: Set) -> Self {
        let mut order = [Double::new(Pip::BLANK).tile(); LARGEST];
        for (slot, tile) in order.iter_mut().zip(set.tiles()) {
            *slot = tile;
        }
        Self { order, set }
    }

    /// Creates a deck that ends in these tiles; the others come before them.
    pub(crate) fn ending_in(set: Set, last: TileSet) -> Self {
        let mut deck = Self::in_order(set);
        for (slot, tile) in deck.order.iter_mut().zip(set.tiles().minus(last).iter().chain(last)) {
            *slot = tile;
        }
        deck
    }

    /// Reorders the last tiles: `last` holds each of them once.
    pub(crate) fn rearrange_last(&mut self, last: &[Tile]) {
        let size = self.set.size();
        self.order[size - last.len()..size].copy_from_slice(last);
    }

    /// Moves the last tile to an index below the size of the set; those from there on move up by one.
    pub(crate) fn last_to_front(&mut self, front: u8) {
        self.order[front.into()..self.set.size()].rotate_right(1);
    }

    /// Swaps the tiles at two indices below the size of the set. Any shuffle is a sequence of swaps, so the deck stays
    /// valid.
    pub fn swap(&mut self, i: usize, j: usize) {
        let size = self.set.size();
        self.order[..size].swap(i, j);
    }

    /// Shuffles the deck (Fisher–Yates, from the last index down): `below(n)` returns a number from 0 to n - 1, for n
    /// from the size of the set down to 2.
    ///
    /// ```
    /// use leyden_protocol::Set;
    /// use leyden_rules::Deck;
    ///
    /// let mut deck = Deck::in_order(Set::DoubleSix);
    /// let mut state = 1_u64;
    /// deck.shuffle(|n| {
    ///     state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    ///     (state >> 33) as usize % n
    /// });
    /// assert_eq!(deck.tiles().len(), 28);
    /// ```
    #[inline]
    pub fn shuffle(&mut self, mut below: impl FnMut(usize) -> usize) {
        let tiles = &mut self.order[..self.set.size()];
        for i in (1..tiles.len()).rev() {
            tiles.swap(i, below(i + 1));
        }
    }

    /// Returns the set whose tiles it holds.
    pub const fn set(&self) -> Set {
        self.set
    }

    /// Returns the tile at an index below the size of the set.
    #[inline]
    pub(crate) const fn at(&self, index: u8) -> Tile {
        self.order[index as usize]
    }

    /// Returns the tiles in dealing order.
    pub fn tiles(&self) -> &[Tile] {
        &self.order[..self.set.size()]
    }
}

impl std::fmt::Debug for Deck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.tiles()).finish()
    }
}
