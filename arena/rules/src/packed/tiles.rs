//! The double-six set in small numbers, and what fits where, taken from the tables of [`Fits`].

use leyden_protocol::{End, Lay, Pip, Set, Tile, TileSet};

use crate::fits::{self, Fits};

const SIZE: usize = Set::DoubleSix.size();

/// The tiles of the set in ascending order: each one's index is its number.
pub const TILES: [Tile; SIZE] = {
    let mut tiles = [Tile::new(Pip::BLANK, Pip::BLANK); SIZE];
    let (mut rest, mut number) = (Set::DoubleSix.tiles(), 0);
    while let Some(tile) = rest.first() {
        rest = rest.without(tile);
        tiles[number] = tile;
        number += 1;
    }
    tiles
};

/// A set of tiles, one bit each, by their numbers.
pub type Tiles = u32;

/// Room for all tiles in a table: one entry for each bit of [`Tiles`]. A power of two, as the room for faces and
/// orientations, so that a cheap remainder saves the bounds check.
pub const ROOM: usize = Tiles::BITS as usize;

/// The number of each tile, by [`Tile::index`].
const NUMBER: [u8; 128] = {
    let mut numbers = [0; 128];
    let mut number = 0;
    while number < SIZE {
        numbers[TILES[number].index()] = number as u8;
        number += 1;
    }
    numbers
};

/// The pips of each tile, by its number.
const PIPS: [u8; ROOM] = {
    let mut pips = [0; ROOM];
    let mut number = 0;
    while number < SIZE {
        pips[number] = TILES[number].pips() as u8;
        number += 1;
    }
    pips
};

/// The matadors and 0-0: they fit every face.
pub const WILD: Tiles = {
    let fits = Fits::new(Set::DoubleSix, true);
    let (mut wild, mut number) = (0, 0);
    while number < SIZE {
        wild |= (fits.wild().contains(TILES[number]) as Tiles) << number;
        number += 1;
    }
    wild
};

/// Returns the number of a tile of the set: its index in [`TILES`]. That of any other tile is undefined.
#[inline]
pub fn number(tile: Tile) -> u8 {
    NUMBER[tile.index() % NUMBER.len()]
}

/// Returns a tile of the set as a set of its own.
#[inline]
pub fn bit(tile: Tile) -> Tiles {
    1 << number(tile)
}

/// Packs tiles of the set.
#[inline]
pub fn pack(tiles: TileSet) -> Tiles {
    tiles.iter().fold(0, |all, tile| all | bit(tile))
}

/// Returns the pips of all tiles together.
#[inline]
pub fn pips(mut tiles: Tiles) -> u32 {
    let mut pips = 0;
    while tiles != 0 {
        pips += u32::from(PIPS[tiles.trailing_zeros() as usize % ROOM]);
        tiles &= tiles - 1;
    }
    pips
}

/// What an arm shows to the next tile: its pips, 6 more than the low half of a matador that lies across, or that it is
/// closed.
pub type Face = u8;

/// The face of an arm that is not there, or not open to play: nothing fits.
pub(super) const CLOSED: Face = 10;
const FACES: usize = 16;

pub(super) const fn face(end: End) -> Face {
    match end {
        End::Pip(pip) => pip.get(),
        End::Across(matador) => Set::DoubleSix.top().get() + matador.low().get(),
    }
}

// The orientations of a tile: its low half touching, its high half touching, or across.
const ACROSS: u8 = 2;
const ORIENTATIONS: usize = 4;

/// Returns the number of the orientation in which a tile lies.
#[inline]
pub(super) fn orientation(lay: Lay) -> u8 {
    match lay {
        Lay::Across(_) => ACROSS,
        Lay::InLine { touching, end } => (touching > end).into(),
    }
}

/// Returns the index of a lay in a table of 256 that lists what depends on it alone: 16 times the half that touches
/// plus the half that becomes the end; across, 16 times the low half plus 15. The lays of any set
/// differ in it.
#[inline]
pub const fn lay_index(lay: Lay) -> u8 {
    match lay {
        Lay::InLine { touching, end } => touching.get() * 16 + end.get(),
        Lay::Across(matador) => matador.low().get() * 16 + 15,
    }
}

/// A tile as it lies in one orientation.
#[derive(Clone, Copy, Debug)]
pub struct Laid {
    /// What its arm shows then.
    pub shows: Face,
    /// Its [`lay_index`].
    pub index: u8,
}

impl Laid {
    const NOTHING: Self = Self { shows: CLOSED, index: 0 };

    const fn from_lay(lay: Lay) -> Self {
        Self { shows: face(End::left_by(lay)), index: lay_index(lay) }
    }
}

/// How many tiles fit each face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FitCounts([u8; FACES]);

impl FitCounts {
    /// Counts the tiles of a set.
    #[inline]
    pub fn count(mut tiles: Tiles) -> Self {
        let mut counts = Self::default();
        while tiles != 0 {
            counts = counts.plus(fit_counts(tiles.trailing_zeros() as u8));
            tiles &= tiles - 1;
        }
        counts
    }

    /// Returns the counts with more tiles.
    #[inline]
    #[must_use]
    pub fn plus(mut self, more: &Self) -> Self {
        self.0.iter_mut().zip(more.0).for_each(|(count, more)| *count = count.wrapping_add(more));
        self
    }

    /// Returns the counts without tiles that were counted before.
    #[inline]
    #[must_use]
    pub fn minus(mut self, less: &Self) -> Self {
        self.0.iter_mut().zip(less.0).for_each(|(count, less)| *count = count.wrapping_sub(less));
        self
    }

    /// Returns how many of the tiles fit a face.
    #[inline]
    pub fn on(&self, face: Face) -> u8 {
        self.0[usize::from(face) % FACES]
    }
}

/// Two sets of tiles side by side, to be counted together.
#[derive(Clone, Copy, Debug)]
pub struct TilePair(u64);

impl TilePair {
    /// Puts two sets side by side.
    #[inline]
    pub fn new(one: Tiles, other: Tiles) -> Self {
        Self(u64::from(one) | u64::from(other) << 32)
    }

    /// Returns the same without one tile of the first set.
    #[inline]
    #[must_use]
    pub fn without(self, number: u8) -> Self {
        Self(self.0 & !(1 << (number % 32)))
    }

    /// Returns the tiles of each set that are also in `tiles`.
    #[inline]
    #[must_use]
    pub fn intersection(self, tiles: Tiles) -> Self {
        Self(self.0 & Self::new(tiles, tiles).0)
    }

    /// Returns how many tiles each set has.
    #[inline]
    pub fn sizes(self) -> (u32, u32) {
        // Sums the bits of pairs, fours and bytes; the product sums the four bytes of each half into its highest byte.
        let pairs = self.0 - (self.0 >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        let sums = bytes.wrapping_mul(0x0101_0101);
        (sums as u32 >> 24, (sums >> 56) as u32)
    }
}

/// What the tiles of the set can do.
#[repr(align(64))]
struct Tables {
    /// By face, the tiles that fit.
    fitting: [Tiles; FACES],
    /// By whether a matador may lie across on one that does, by face and tile: the orientations allowed, one bit each.
    orientations: [[[u8; ROOM]; FACES]; 2],
    /// By tile and orientation.
    laid: [[Laid; ORIENTATIONS]; ROOM],
    /// By tile, 1 for each face that it fits.
    fit_counts: [FitCounts; ROOM],
}

static TABLES: Tables = Tables::new();

impl Tables {
    const fn new() -> Self {
        let mut tables = Self {
            fitting: [0; FACES],
            orientations: [[[0; ROOM]; FACES]; 2],
            laid: [[Laid::NOTHING; ORIENTATIONS]; ROOM],
            fit_counts: [FitCounts([0; FACES]); ROOM],
        };
        tables.add(false);
        tables.add(true);
        tables
    }

    /// Adds what fits where if a matador may, or may not, lie across on one that does.
    const fn add(&mut self, across_on_across: bool) {
        let fits = Fits::new(Set::DoubleSix, across_on_across);
        let mut number = 0;
        while number < SIZE {
            let lays = lays(&fits, TILES[number]);
            let mut pips = 0;
            while let Some(pip) = Pip::new(pips)
                && pips <= Set::DoubleSix.top().get()
            {
                self.add_end(&fits, across_on_across, number, lays, End::Pip(pip));
                pips += 1;
            }
            let mut below = 0;
            while below < SIZE {
                if let Some(matador) = fits.crossing(TILES[below]) {
                    self.add_end(&fits, across_on_across, number, lays, End::Across(matador));
                }
                below += 1;
            }
            number += 1;
        }
    }

    /// Adds how a tile may lie on an end.
    const fn add_end(
        &mut self,
        fits: &Fits,
        across_on_across: bool,
        number: usize,
        lays: [Option<Lay>; ORIENTATIONS],
        end: End,
    ) {
        let shown = face(end) as usize;
        let mut orientation = 0;
        while orientation < ORIENTATIONS {
            if let Some(lay) = lays[orientation] {
                self.laid[number][orientation] = Laid::from_lay(lay);
                if fits.allows(fits::Face::from_end(end), lay, TILES[number]) {
                    self.orientations[across_on_across as usize][shown][number] |= 1 << orientation;
                    self.fitting[shown] |= 1 << number;
                    self.fit_counts[number].0[shown] = 1;
                }
            }
            orientation += 1;
        }
    }
}

/// Returns the different ways to lay a tile, by orientation. Those of a double are the same, no matter which half touches.
const fn lays(fits: &Fits, tile: Tile) -> [Option<Lay>; ORIENTATIONS] {
    let (low, high) = (tile.low(), tile.high());
    let turned = match tile.double() {
        Some(_) => None,
        None => Some(Lay::InLine { touching: high, end: low }),
    };
    let across = match fits.crossing(tile) {
        Some(matador) => Some(Lay::Across(matador)),
        None => None,
    };
    [Some(Lay::InLine { touching: low, end: high }), turned, across, None]
}

/// Returns the tiles that fit a face.
#[inline]
pub fn fitting(face: Face) -> Tiles {
    TABLES.fitting[usize::from(face) % FACES]
}

/// Returns the orientations in which each tile may lie on a face, one bit each.
#[inline]
pub(super) fn orientations(across_on_across: bool, face: Face) -> &'static [u8; ROOM] {
    &TABLES.orientations[usize::from(across_on_across)][usize::from(face) % FACES]
}

/// Returns a tile as it lies in one orientation, both by number.
#[inline]
pub fn laid(number: u8, orientation: u8) -> Laid {
    TABLES.laid[usize::from(number) % ROOM][usize::from(orientation) % ORIENTATIONS]
}

/// Returns 1 for each face that a tile fits.
#[inline]
pub fn fit_counts(number: u8) -> &'static FitCounts {
    &TABLES.fit_counts[usize::from(number) % ROOM]
}
