//! Which tiles fit which end: the sum rule and the matadors, worked out once for each set of tiles.

use leyden_protocol::{End, Matador, Pip, Set, Tile, TileSet};

/// The places of a [`Tally`]: halves 1 to 12, of which no blank is one, since a blank touches nothing by the sum rule.
const WILD: usize = 0;
/// A place that is always zero.
const NONE: usize = 13;
const CROSSING: usize = 14;
const PLACES: usize = 16;

/// The halves that can touch an end by the sum rule: none, one, or two next to a matador that lies across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need([u8; 2]);

impl Need {
    pub(crate) const NOTHING: Self = Self([NONE as u8; 2]);

    pub(crate) const fn of(set: Set, end: End) -> Self {
        match end {
            End::Pip(Pip::BLANK) => Self::NOTHING,
            End::Pip(pip) => Self([set.sum() - pip.get(), NONE as u8]),
            // The two halves of a matador add up to the sum: each touches the other.
            End::Across(matador) => Self([matador.high().get(), matador.low().get()]),
        }
    }

    /// Whether this half of a tile can touch.
    pub(crate) const fn met_by(self, half: Pip) -> bool {
        half.get() == self.0[0] || half.get() == self.0[1]
    }

    const fn places(self) -> [usize; 2] {
        [self.0[0] as usize, self.0[1] as usize]
    }
}

/// How many tiles of a hand can touch by which half, so that plays are counted without looking at the tiles.
///
/// Wild tiles are counted apart, so no other tile can touch a matador that lies across by both halves, and the
/// numbers for its two halves add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Tally([u8; PLACES]);

impl Tally {
    pub(crate) const EMPTY: Self = Self([0; PLACES]);

    /// The tally of one tile.
    const fn of(set: Set, tile: Tile) -> Self {
        let mut tally = Self::EMPTY;
        if is_wild(set, tile) {
            tally.0[WILD] = 1;
            if crosses(set, tile) {
                tally.0[CROSSING] = 1;
            }
            return tally;
        }
        if tile.low().get() > 0 {
            tally.0[tile.low().index()] = 1;
        }
        tally.0[tile.high().index()] = 1; // not blank: 0-0 is wild
        tally
    }

    #[must_use]
    pub(crate) fn plus(self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }

    #[must_use]
    pub(crate) fn minus(self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
    }

    /// How many tiles can be played by the sum rule where this is needed.
    pub(crate) const fn matching(&self, need: Need) -> usize {
        let [a, b] = need.places();
        self.0[a] as usize + self.0[b] as usize
    }

    /// How many tiles are wild.
    pub(crate) const fn wild(&self) -> usize {
        self.0[WILD] as usize
    }

    /// How many tiles may lie across.
    pub(crate) const fn crossing(&self) -> usize {
        self.0[CROSSING] as usize
    }
}

/// What the tiles of a set can do.
pub(crate) struct Fits {
    /// The wild tiles: those whose halves add up to the sum, and 0-0.
    wild: TileSet,
    /// The other tiles with a certain half.
    with_half: [TileSet; PLACES],
    /// For each tile that is wild and may lie across: itself so.
    crossing: [Option<Matador>; Set::DoubleTwelve.size()],
    tallies: [Tally; Set::DoubleTwelve.size()],
}

const fn is_wild(set: Set, tile: Tile) -> bool {
    tile.pips() == set.sum() as u32 || tile.pips() == 0
}

const fn crosses(set: Set, tile: Tile) -> bool {
    is_wild(set, tile) && Matador::new(tile).is_some()
}

impl Fits {
    const fn new(set: Set) -> Self {
        let mut fits = Self {
            wild: TileSet::EMPTY,
            with_half: [TileSet::EMPTY; PLACES],
            crossing: [None; Set::DoubleTwelve.size()],
            tallies: [Tally::EMPTY; Set::DoubleTwelve.size()],
        };
        let mut rest = set.tiles();
        while let Some(tile) = rest.first() {
            rest = rest.without(tile);
            fits.tallies[tile.index()] = Tally::of(set, tile);
            if crosses(set, tile) {
                fits.crossing[tile.index()] = Matador::new(tile);
            }
            if is_wild(set, tile) {
                fits.wild = fits.wild.with(tile);
            } else {
                let (low, high) = (tile.low().index(), tile.high().index());
                fits.with_half[low] = fits.with_half[low].with(tile);
                fits.with_half[high] = fits.with_half[high].with(tile);
            }
        }
        fits
    }

    pub(crate) const fn of(set: Set) -> &'static Self {
        static ALL: [Fits; 3] =
            [Fits::new(Set::DoubleSix), Fits::new(Set::DoubleNine), Fits::new(Set::DoubleTwelve)];
        &ALL[set as usize]
    }

    /// The tiles that can be played where this is needed.
    pub(crate) const fn at(&self, need: Need) -> TileSet {
        let [a, b] = need.places();
        self.wild.union(self.with_half[a]).union(self.with_half[b])
    }

    pub(crate) const fn is_wild(&self, tile: Tile) -> bool {
        self.wild.contains(tile)
    }

    /// The tile as one that may lie across, if it may.
    pub(crate) const fn crossing(&self, tile: Tile) -> Option<Matador> {
        self.crossing[tile.index()]
    }

    pub(crate) const fn tally(&self, tile: Tile) -> &Tally {
        &self.tallies[tile.index()]
    }
}
