//! The double-six set as small numbers: a tile is a bit in a word, an end is a number, and lookup tables say what fits where.

use std::sync::LazyLock;

use leyden_protocol::{End, Lay, Matador, Pip, Set, Tile, TileSet};

use super::policy::{placement_index, power};
use crate::reading::{Fits, end_of};

const TILES: usize = Set::DoubleSix.size();

/// Each tile of the set by its number, in ascending order.
pub(super) const TILE: [Tile; TILES] = {
    let mut tiles = [Tile::new(Pip::BLANK, Pip::BLANK); TILES];
    let (mut rest, mut number) = (Set::DoubleSix.tiles(), 0);
    while let Some(tile) = rest.first() {
        rest = rest.without(tile);
        tiles[number] = tile;
        number += 1;
    }
    tiles
};

/// The number of each tile, by its index in the protocol.
pub(super) const NUMBER: [u8; 128] = {
    let mut numbers = [0; 128];
    let mut number = 0;
    while number < TILES {
        numbers[TILE[number].index()] = number as u8;
        number += 1;
    }
    numbers
};

pub(super) const PIPS: [u8; 32] = {
    let mut pips = [0; 32];
    let mut number = 0;
    while number < TILES {
        pips[number] = TILE[number].pips() as u8;
        number += 1;
    }
    pips
};

/// A set of tiles, one bit each, by their numbers.
pub(super) type Tiles = u32;

#[inline]
pub(super) fn bit(tile: Tile) -> Tiles {
    1 << NUMBER[tile.index() % NUMBER.len()]
}

pub(super) fn packed(tiles: TileSet) -> Tiles {
    tiles.iter().fold(0, |all, tile| all | bit(tile))
}

/// An end: a pip, or 6 more than the low half of a matador that lies across, or that there is nothing to play on.
pub(super) type Face = u8;
pub(super) const CLOSED: Face = 10;
/// Room for all ends; a power of two, so that a remainder by it is cheap and saves a bounds check.
pub(super) const FACES: usize = 16;
const ACROSS: usize = 2;
pub(super) const PLACEMENTS: usize = 4;

pub(super) fn face(end: End) -> Face {
    match end {
        End::Pip(pip) => pip.get(),
        End::Across(matador) => 6 + matador.low().get(),
    }
}

pub(super) fn placement(lay: Lay) -> u8 {
    match lay {
        Lay::Across(_) => ACROSS as u8,
        Lay::InLine { touching, end } => u8::from(touching > end),
    }
}

/// How a tile can lie: its low half touching, its high half touching, or across.
#[derive(Clone, Copy)]
pub(super) struct Placement {
    pub(super) shows: Face,
    /// Its index among the policy's placements.
    pub(super) index: u8,
}

/// The tile as a matador of this set, which may lie across, if it is one.
fn matador(tile: Tile) -> Option<Matador> {
    Matador::new(tile).filter(|_| Fits::of(Set::DoubleSix).wild.contains(tile))
}

/// How many tiles fit each end.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts([u8; FACES]);

impl Counts {
    pub(super) fn of(tables: &Tables, tiles: Tiles) -> Self {
        let of_set = tables.fits.iter().enumerate().filter(|(tile, _)| tiles >> tile & 1 != 0);
        of_set.fold(Self::default(), |all, (_, one)| all.plus(one))
    }

    #[inline]
    pub(super) fn plus(mut self, more: &Self) -> Self {
        self.0.iter_mut().zip(more.0).for_each(|(count, more)| *count = count.wrapping_add(more));
        self
    }

    #[inline]
    pub(super) fn minus(mut self, less: &Self) -> Self {
        self.0.iter_mut().zip(less.0).for_each(|(count, less)| *count = count.wrapping_sub(less));
        self
    }

    #[inline]
    pub(super) fn on(&self, face: Face) -> i32 {
        self.0[usize::from(face) % FACES].into()
    }
}

pub(super) struct Tables {
    /// The tiles that fit each end.
    pub(super) takes: [Tiles; FACES],
    /// The ways in which a tile may lie there, one bit each. The first index: whether a matador may lie across on one that lies across.
    pub(super) placements: [[[u8; 32]; FACES]; 2],
    pub(super) lays: [[Placement; PLACEMENTS]; 32],
    /// The ends that each tile fits.
    pub(super) fits: [Counts; 32],
    /// The probability that a hand has nothing that fits, by how many tiles it may hold, how many it holds, and how many of the former
    /// fit.
    pub(super) starved: Vec<[[f32; 32]; 32]>,
}

pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let fits = Fits::of(Set::DoubleSix);
    let nothing = Placement { shows: CLOSED, index: 0 };
    let mut tables = Tables {
        takes: [0; FACES],
        placements: [[[0; 32]; FACES]; 2],
        lays: [[nothing; PLACEMENTS]; 32],
        fits: [Counts::default(); 32],
        starved: vec![[[0.0; 32]; 32]; 32],
    };
    for (unseen, hands) in tables.starved.iter_mut().enumerate() {
        let a_tile = 1.0 / (unseen as f32).max(1.0);
        for (held, fits) in hands.iter_mut().enumerate() {
            for (fit, starved) in fits.iter_mut().enumerate() {
                *starved = power(1.0 - fit as f32 * a_tile, held);
            }
        }
    }
    let pips = (0..=6).filter_map(Pip::new).map(End::Pip);
    let across = TILE.into_iter().filter_map(matador).map(End::Across);
    let ends: Vec<End> = pips.chain(across).collect();
    for (number, tile) in TILE.into_iter().enumerate() {
        let placement = |lay| Placement { shows: face(end_of(lay)), index: placement_index(lay) };
        let (low, high) = (tile.low(), tile.high());
        tables.lays[number][0] = placement(Lay::InLine { touching: low, end: high });
        tables.lays[number][1] = placement(Lay::InLine { touching: high, end: low });
        if let Some(matador) = matador(tile) {
            tables.lays[number][ACROSS] = placement(Lay::Across(matador));
        }
        for &end in &ends {
            let takes = fits.on(end);
            if !takes.contains(tile) {
                continue;
            }
            let shown = usize::from(face(end));
            tables.takes[shown] |= 1 << number;
            tables.fits[number].0[shown] = 1;
            let touches = |half: Pip| match end {
                End::Pip(pip) => half.get() + pip.get() == 7,
                End::Across(matador) => half == matador.low() || half == matador.high(),
            };
            for (across_on_across, placements) in tables.placements.iter_mut().enumerate() {
                let across = matches!(end, End::Pip(_)) || across_on_across == 1;
                placements[shown][number] = match matador(tile) {
                    Some(_) if across => 0b111,
                    Some(_) => 0b011,
                    None if touches(high) && !touches(low) => 0b010,
                    None => 0b001,
                };
            }
        }
    }
    tables
});
