//! Which tiles fit where: the sum rule and the matadors, worked out once for each set of tiles.
//!
//! Plays are counted without looking at tiles. An arm shows one of twenty [`Face`]s; a hand keeps [`PlayCounts`], the
//! number of plays it has on each face, which is updated with every tile that comes or goes.

use std::{fmt, slice};

use leyden_protocol::{End, Lay, Matador, Pip, RuleSet, Set, Tile, TileSet};

/// What an arm shows to the next tile: a pip, a matador that lies across, or nothing if it is not open to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Face(u8);

impl Face {
    /// Room for all faces. A power of two makes the remainder cheap and saves the bounds check.
    const ROOM: usize = 32;
    pub(crate) const CLOSED: Self = Self(19);

    /// A pip is its own number. The matadors of a set differ in their lower halves, 1 to 6, and follow the pips.
    #[inline]
    pub(crate) const fn from_end(end: End) -> Self {
        match end {
            End::Pip(pip) => Self(pip.get()),
            End::Across(matador) => Self(Pip::MAX.get() + matador.low().get()),
        }
    }

    const fn index(self) -> usize {
        self.0 as usize % Self::ROOM
    }
}

/// The number of plays that a hand has on each face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayCounts([u8; Face::ROOM]);

impl PlayCounts {
    pub(crate) const EMPTY: Self = Self([0; Face::ROOM]);

    /// Returns the counts with another tile.
    #[inline]
    #[must_use]
    pub(crate) fn plus(mut self, tile: &Self) -> Self {
        for (plays, more) in self.0.iter_mut().zip(&tile.0) {
            *plays = plays.wrapping_add(*more); // even a whole set has fewer than 50 plays on one face
        }
        self
    }

    /// Returns the counts without a tile that was counted before.
    #[inline]
    #[must_use]
    pub(crate) fn minus(mut self, tile: &Self) -> Self {
        for (plays, less) in self.0.iter_mut().zip(&tile.0) {
            *plays = plays.wrapping_sub(*less);
        }
        self
    }

    #[inline]
    pub(crate) const fn plays(&self, face: Face) -> u32 {
        self.0[face.index()] as u32
    }
}

impl Default for PlayCounts {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// What fits on a face.
#[derive(Clone, Copy)]
pub(crate) struct FittingTiles {
    /// The tiles that can be played there.
    pub(crate) tiles: TileSet,
    /// The halves that touch by the sum rule, one bit each.
    halves: u16,
    /// Whether a matador may lie across there.
    pub(crate) across: bool,
}

impl FittingTiles {
    const NOTHING: Self = Self { tiles: TileSet::EMPTY, halves: 0, across: false };

    /// Whether this half of a tile touches by the sum rule.
    #[inline]
    pub(crate) const fn touches(&self, half: Pip) -> bool {
        self.halves >> half.get() & 1 != 0
    }
}

/// What the tiles of a set can do under a rule set; to other crates, which tiles fit where.
pub struct Fits {
    /// The wild tiles: those whose halves add up to the sum, and 0-0.
    wild: TileSet,
    takes: [FittingTiles; Face::ROOM],
    /// For each tile that may lie across, that tile as a matador.
    crossing: [Option<Matador>; Set::DoubleTwelve.size()],
    /// The ways in which each tile can lie: its low half touching, its high half touching, across.
    lays: [[Lay; 3]; Set::DoubleTwelve.size()],
    tallies: [PlayCounts; Set::DoubleTwelve.size()],
}

impl Fits {
    /// Returns the tables of a set. Which tiles fit where is the same under all rule sets.
    #[inline]
    pub fn for_set(set: Set) -> &'static Self {
        Self::for_either(set, true)
    }

    /// Returns the tables of a rule set.
    #[inline]
    pub(crate) fn for_rules(rules: &RuleSet) -> &'static Self {
        Self::for_either(rules.set, rules.across_on_across)
    }

    #[inline]
    fn for_either(set: Set, across_on_across: bool) -> &'static Self {
        static ALL: [[Fits; 2]; 3] = [
            [Fits::new(Set::DoubleSix, false), Fits::new(Set::DoubleSix, true)],
            [Fits::new(Set::DoubleNine, false), Fits::new(Set::DoubleNine, true)],
            [Fits::new(Set::DoubleTwelve, false), Fits::new(Set::DoubleTwelve, true)],
        ];
        &ALL[set as usize][usize::from(across_on_across)]
    }

    pub(crate) const fn new(set: Set, across_on_across: bool) -> Self {
        let mut fits = Self {
            wild: TileSet::EMPTY,
            takes: [FittingTiles::NOTHING; Face::ROOM],
            crossing: [None; Set::DoubleTwelve.size()],
            lays: [[Lay::InLine { touching: Pip::BLANK, end: Pip::BLANK }; 3]; Set::DoubleTwelve.size()],
            tallies: [PlayCounts::EMPTY; Set::DoubleTwelve.size()],
        };
        let mut rest = set.tiles();
        while let Some(tile) = rest.first() {
            rest = rest.without(tile);
            let (low, high, lays) = (tile.low(), tile.high(), &mut fits.lays[tile.index()]);
            lays[0] = Lay::InLine { touching: low, end: high };
            lays[1] = Lay::InLine { touching: high, end: low };
            if tile.is_wild(set) {
                fits.wild = fits.wild.with(tile);
                fits.crossing[tile.index()] = Matador::new(tile);
                if let Some(matador) = Matador::new(tile) {
                    lays[2] = Lay::Across(matador);
                }
            }
        }
        let mut pips = 0;
        while let Some(pip) = Pip::new(pips) {
            if pips < set.sum() {
                // A blank would need a half with as many pips as the sum, which no tile has.
                let halves = 1 << (set.sum() - pips);
                fits.add_face(set, Face::from_end(End::Pip(pip)), halves, true);
            }
            pips += 1;
        }
        let mut rest = fits.wild;
        while let Some(tile) = rest.first() {
            rest = rest.without(tile);
            if let Some(matador) = fits.crossing(tile) {
                // The halves of a matador add up to the sum, so a half that touches one equals the other.
                let halves = 1 << matador.low().get() | 1 << matador.high().get();
                fits.add_face(set, Face::from_end(End::Across(matador)), halves, across_on_across);
            }
        }
        fits
    }

    const fn add_face(&mut self, set: Set, face: Face, halves: u16, across: bool) {
        let mut takes = FittingTiles { tiles: TileSet::EMPTY, halves, across };
        let mut rest = set.tiles();
        while let Some(tile) = rest.first() {
            rest = rest.without(tile);
            let plays = if self.crossing(tile).is_some() {
                2 + across as u8
            } else {
                (self.wild.contains(tile) || takes.touches(tile.low()) || takes.touches(tile.high())) as u8
            };
            if plays > 0 {
                takes.tiles = takes.tiles.with(tile);
            }
            self.tallies[tile.index()].0[face.index()] = plays;
        }
        self.takes[face.index()] = takes;
    }

    /// Returns the matadors and 0-0: the tiles that fit every end.
    #[inline]
    pub const fn wild(&self) -> TileSet {
        self.wild
    }

    /// Returns the tiles that fit an end of the set.
    #[inline]
    pub const fn on(&self, end: End) -> TileSet {
        self.takes(Face::from_end(end)).tiles
    }

    #[inline]
    pub(crate) const fn takes(&self, face: Face) -> &FittingTiles {
        &self.takes[face.index()]
    }

    /// Whether this tile may be laid this way.
    #[inline]
    pub(crate) const fn allows(&self, face: Face, lay: Lay, tile: Tile) -> bool {
        let takes = self.takes(face);
        match lay {
            Lay::InLine { touching, .. } => {
                takes.touches(touching) || self.wild.intersection(takes.tiles).contains(tile)
            }
            Lay::Across(_) => takes.across && self.crossing(tile).is_some(),
        }
    }

    /// Returns the ways to lay a tile that fits: its low half touching, its high half touching, across.
    #[inline]
    pub(crate) fn lays(&self, takes: &FittingTiles, tile: Tile) -> &[Lay] {
        let lays = &self.lays[tile.index()];
        if self.crossing(tile).is_some() {
            &lays[..2 + usize::from(takes.across)]
        } else {
            // Either half of a wild double may touch, with the same result; of any other tile that fits just one half
            // touches.
            slice::from_ref(&lays[usize::from(takes.touches(tile.high()))])
        }
    }

    /// Returns the tile as a matador if it may lie across.
    #[inline]
    pub(crate) const fn crossing(&self, tile: Tile) -> Option<Matador> {
        self.crossing[tile.index()]
    }

    /// Returns the plays of one tile.
    #[inline]
    pub(crate) const fn tally(&self, tile: Tile) -> &PlayCounts {
        &self.tallies[tile.index()]
    }
}

impl fmt::Debug for Fits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fits").field("wild", &self.wild).finish_non_exhaustive()
    }
}
