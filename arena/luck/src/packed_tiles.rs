//! The double-six set packed into small numbers: a tile is a bit of a word, an end a number, and tables say what fits where.

use std::sync::LazyLock;

use leyden_protocol::{End, Lay, Matador, Pip, Set, Tile, TileSet};

use crate::careful::{disposal_value, next_seat_value};
use crate::ends::Fits;
use crate::weights::{cannot_play, lay_index};

const TILES: usize = Set::DoubleSix.size();

/// The tiles of the set in ascending order: each one's place is its number.
const TILE: [Tile; TILES] = {
    let mut tiles = [Tile::new(Pip::BLANK, Pip::BLANK); TILES];
    let (mut rest, mut number) = (Set::DoubleSix.tiles(), 0);
    while let Some(tile) = rest.first() {
        rest = rest.without(tile);
        tiles[number] = tile;
        number += 1;
    }
    tiles
};

/// The number of each tile, by [`Tile::index`].
const NUMBER: [u8; 128] = {
    let mut numbers = [0; 128];
    let mut number = 0;
    while number < TILES {
        numbers[TILE[number].index()] = number as u8;
        number += 1;
    }
    numbers
};

const PIPS: [u8; 32] = {
    let mut pips = [0; 32];
    let mut number = 0;
    while number < TILES {
        pips[number] = TILE[number].pips() as u8;
        number += 1;
    }
    pips
};

/// A set of tiles, one bit each, by their numbers.
pub(crate) type Tiles = u32;

#[inline]
pub(crate) fn number(tile: Tile) -> u8 {
    NUMBER[tile.index() % NUMBER.len()]
}

pub(crate) fn pack(tiles: TileSet) -> Tiles {
    tiles.iter().fold(0, |all, tile| all | 1 << number(tile))
}

pub(crate) fn pips(mut hand: Tiles) -> u32 {
    let mut pips = 0;
    while hand != 0 {
        pips += u32::from(PIPS[hand.trailing_zeros() as usize % PIPS.len()]);
        hand &= hand - 1;
    }
    pips
}

/// The sizes of two sets of tiles.
#[inline]
pub(crate) fn counts(one: Tiles, other: Tiles) -> (usize, usize) {
    let tiles = u64::from(one) | u64::from(other) << 32;
    // Sums the bits of pairs, fours and bytes; the product sums the four bytes of each half into its highest byte.
    let pairs = tiles - (tiles >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(0x0101_0101);
    ((sums as u32 >> 24) as usize, (sums >> 56) as usize)
}

/// What an arm shows: a pip value, 6 plus the low half of a matador that lies across, or [`CLOSED`].
pub(crate) type Face = u8;
pub(crate) const CLOSED: Face = 10;
/// Room for all faces; a power of two, so that a cheap remainder by it replaces the bounds check.
pub(crate) const FACES: usize = 16;
const ACROSS: usize = 2;
pub(crate) const ORIENTATIONS: usize = 4;

pub(crate) fn face(end: End) -> Face {
    match end {
        End::Pip(pip) => pip.get(),
        End::Across(matador) => 6 + matador.low().get(),
    }
}

/// The number of the orientation in which a tile lies.
pub(crate) fn orientation(lay: Lay) -> u8 {
    match lay {
        Lay::Across(_) => ACROSS as u8,
        Lay::InLine { touching, end } => u8::from(touching > end),
    }
}

/// A tile as it lies in one orientation: with its low half touching, with its high half touching, or across.
#[derive(Clone, Copy)]
pub(crate) struct Laid {
    pub(crate) shows: Face,
    /// Its [`lay_index`].
    pub(crate) index: u8,
}

/// The tile as a matador that may lie across, if it is one in this set.
fn matador(tile: Tile) -> Option<Matador> {
    Matador::new(tile).filter(|_| Fits::of(Set::DoubleSix).wild.contains(tile))
}

/// The number of tiles that fit each face.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts([u8; FACES]);

impl Counts {
    pub(crate) fn of(tables: &Tables, tiles: Tiles) -> Self {
        let of_set = tables.fits.iter().enumerate().filter(|(tile, _)| tiles >> tile & 1 != 0);
        of_set.fold(Self::default(), |all, (_, one)| all.plus(one))
    }

    #[inline]
    pub(crate) fn plus(mut self, more: &Self) -> Self {
        self.0.iter_mut().zip(more.0).for_each(|(count, more)| *count = count.wrapping_add(more));
        self
    }

    #[inline]
    pub(crate) fn minus(mut self, less: &Self) -> Self {
        self.0.iter_mut().zip(less.0).for_each(|(count, less)| *count = count.wrapping_sub(less));
        self
    }

    #[inline]
    pub(crate) fn on(&self, face: Face) -> i32 {
        self.0[usize::from(face) % FACES].into()
    }
}

/// By the number of tiles the next seat may hold, how many it does hold, and how many of the former fit.
type ByFitting = Vec<[[f32; 32]; 32]>;

pub(crate) struct Tables {
    /// By face, the tiles that fit.
    pub(crate) fitting: [Tiles; FACES],
    /// By whether a matador may lie across on one that does, by face and tile: the orientations allowed, one bit each.
    pub(crate) orientations: [[[u8; 32]; FACES]; 2],
    pub(crate) lays: [[Laid; ORIENTATIONS]; 32],
    /// By tile, 1 for each face that it fits.
    pub(crate) fits: [Counts; 32],
    pub(crate) wild: Tiles,
    /// The careful evaluator's terms for a tile and for what the next seat is left with.
    pub(crate) disposal_value: [f32; 32],
    pub(crate) next_seat_value: ByFitting,
    /// The weighted evaluators' probability that the next seat cannot play.
    pub(crate) cannot_play: ByFitting,
}

pub(crate) static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let fits = Fits::of(Set::DoubleSix);
    let mut tables = Tables {
        fitting: [0; FACES],
        orientations: [[[0; 32]; FACES]; 2],
        lays: [[Laid { shows: CLOSED, index: 0 }; ORIENTATIONS]; 32],
        fits: [Counts::default(); 32],
        wild: pack(fits.wild),
        disposal_value: [0.0; 32],
        next_seat_value: by_fitting(next_seat_value),
        cannot_play: by_fitting(|unseen, held, fit| cannot_play(fit as f32 / unseen.max(1) as f32, held)),
    };
    let end_pips = (0..=6).filter_map(Pip::new).map(End::Pip);
    let across = TILE.into_iter().filter_map(matador).map(End::Across);
    let ends: Vec<End> = end_pips.chain(across).collect();
    for (number, tile) in TILE.into_iter().enumerate() {
        tables.disposal_value[number] = disposal_value(fits.wild, tile);
        let (low, high) = (tile.low(), tile.high());
        let laid = |lay, end| Laid { shows: face(end), index: lay_index(lay) };
        tables.lays[number][0] = laid(Lay::InLine { touching: low, end: high }, End::Pip(high));
        tables.lays[number][1] = laid(Lay::InLine { touching: high, end: low }, End::Pip(low));
        if let Some(matador) = matador(tile) {
            tables.lays[number][ACROSS] = laid(Lay::Across(matador), End::Across(matador));
        }
        for &end in ends.iter().filter(|end| fits.fitting(**end).contains(tile)) {
            let shown = usize::from(face(end));
            tables.fitting[shown] |= 1 << number;
            tables.fits[number].0[shown] = 1;
            let touches = |half: Pip| match end {
                End::Pip(pip) => half.get() + pip.get() == 7,
                End::Across(matador) => half == matador.low() || half == matador.high(),
            };
            for (across_on_across, orientations) in tables.orientations.iter_mut().enumerate() {
                let across = matches!(end, End::Pip(_)) || across_on_across == 1;
                orientations[shown][number] = match (fits.wild.contains(tile), matador(tile)) {
                    (_, Some(_)) if across => 0b111,
                    (_, Some(_)) => 0b011,
                    (false, None) if touches(high) && !touches(low) => 0b010,
                    _ => 0b001,
                };
            }
        }
    }
    tables
});

fn by_fitting(of: impl Fn(usize, usize, usize) -> f32) -> ByFitting {
    let hands = |unseen| std::array::from_fn(|held| std::array::from_fn(|fit| of(unseen, held, fit)));
    (0..32).map(hands).collect()
}
