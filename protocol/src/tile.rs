//! Pips, tiles, doubles, matadors, the three sets of tiles, and bit sets of tiles. No rules of play.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{self, NotationError, Text, written_as_text};

/// The pips of one half of a tile: 0 to 12.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Pip(#[schemars(range(min = 0, max = 12))] u8);

impl Pip {
    /// The highest pip of any set.
    pub const MAX: Self = Self(12);
    /// No pips.
    pub const BLANK: Self = Self(0);

    /// Returns this number of pips; `None` above 12.
    pub const fn new(pips: u8) -> Option<Self> {
        if pips <= Self::MAX.0 { Some(Self(pips)) } else { None }
    }

    /// Returns the number of pips, from 0 to 12.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns the number of pips, as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Pip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Pip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Pip {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pips = u8::deserialize(deserializer)?;
        Self::new(pips)
            .ok_or_else(|| serde::de::Error::custom(format_args!("expected 0 to 12 pips, got {pips}")))
    }
}

/// Which tiles are played with, named by the highest pip; serialised as that number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Set {
    /// 28 tiles, touching halves add up to 7.
    #[default]
    DoubleSix,
    /// 55 tiles, touching halves add up to 10.
    DoubleNine,
    /// 91 tiles, touching halves add up to 13.
    DoubleTwelve,
}

impl Set {
    /// All sets, the smallest first.
    pub const ALL: [Self; 3] = [Self::DoubleSix, Self::DoubleNine, Self::DoubleTwelve];

    /// Returns the highest pip.
    pub const fn top(self) -> Pip {
        match self {
            Self::DoubleSix => Pip(6),
            Self::DoubleNine => Pip(9),
            Self::DoubleTwelve => Pip(12),
        }
    }

    /// Returns what two touching halves add up to: the highest pip plus one.
    pub const fn sum(self) -> u8 {
        self.top().0 + 1
    }

    /// Returns all tiles of the set.
    #[inline]
    pub const fn tiles(self) -> TileSet {
        const TILES: [TileSet; 3] = [
            TileSet::up_to(Set::DoubleSix.top()),
            TileSet::up_to(Set::DoubleNine.top()),
            TileSet::up_to(Set::DoubleTwelve.top()),
        ];
        TILES[self as usize]
    }

    /// Returns the number of tiles in the set: 28, 55 or 91.
    pub const fn size(self) -> usize {
        let halves = self.top().0 as usize + 1;
        halves * (halves + 1) / 2
    }

    /// Returns the set whose highest pip is `top`.
    pub const fn from_top(top: u8) -> Option<Self> {
        match top {
            6 => Some(Self::DoubleSix),
            9 => Some(Self::DoubleNine),
            12 => Some(Self::DoubleTwelve),
            _ => None,
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::DoubleSix => "double-six",
            Self::DoubleNine => "double-nine",
            Self::DoubleTwelve => "double-twelve",
        })
    }
}

impl Serialize for Set {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.top().0)
    }
}

impl<'de> Deserialize<'de> for Set {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let top = u8::deserialize(deserializer)?;
        Self::from_top(top).ok_or_else(|| {
            serde::de::Error::custom(format_args!(
                "expected 6, 9 or 12 (the highest pip of the set), got {top}"
            ))
        })
    }
}

impl JsonSchema for Set {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Set".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "enum": [6, 9, 12],
            "description": "The set of tiles, named by its highest pip: double-six, double-nine or double-twelve"
        })
    }
}

/// A tile, without direction. There are 91, ordered 0-0, 0-1, …, 0-12, 1-1, …, 12-12.
///
/// The number inside is the index in that order, the same for every set; double-six fits the first 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

const TILES: usize = Set::DoubleTwelve.size();

/// The tile for every two halves. The length is a power of two, so that indexing needs no check.
const BY_HALVES: [[Tile; 16]; 16] = {
    let mut tiles = [[Tile(0); 16]; 16];
    let (mut low, mut index) = (0, 0);
    while low <= Pip::MAX.index() {
        let mut high = low;
        while high <= Pip::MAX.index() {
            tiles[low][high] = Tile(index);
            tiles[high][low] = Tile(index);
            index += 1;
            high += 1;
        }
        low += 1;
    }
    tiles
};

const HALVES: [(Pip, Pip); TILES] = {
    let mut halves = [(Pip(0), Pip(0)); TILES];
    let mut low = 0;
    while low <= Pip::MAX.0 {
        let mut high = low;
        while high <= Pip::MAX.0 {
            halves[Tile::new(Pip(low), Pip(high)).index()] = (Pip(low), Pip(high));
            high += 1;
        }
        low += 1;
    }
    halves
};

impl Tile {
    /// Returns the tile with these two halves, in either order.
    pub const fn new(a: Pip, b: Pip) -> Self {
        BY_HALVES[a.index() % 16][b.index() % 16]
    }

    /// Returns the index in the order of all tiles: 0 to 90.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the half with fewer pips.
    pub const fn low(self) -> Pip {
        HALVES[self.index()].0
    }

    /// Returns the half with more pips.
    pub const fn high(self) -> Pip {
        HALVES[self.index()].1
    }

    /// Returns the pips of both halves together.
    pub const fn pips(self) -> u32 {
        let (low, high) = HALVES[self.index()];
        low.0 as u32 + high.0 as u32
    }

    /// Returns whether the tile fits every end of this set: 0-0, and tiles whose halves add up to the sum.
    pub const fn is_wild(self, set: Set) -> bool {
        self.pips() == 0 || self.pips() == set.sum() as u32
    }

    /// Returns the tile as a double; `None` if its halves differ.
    pub const fn double(self) -> Option<Double> {
        if self.low().0 == self.high().0 { Some(Double(self.low())) } else { None }
    }

    pub(crate) fn text(self) -> Text {
        in_line(self.low(), self.high())
    }
}

/// Returns the text of every two halves, with `between` between them.
const fn all_halves(between: &str) -> [[Text; PIPS]; PIPS] {
    let mut all = [[Text::from_ascii(""); PIPS]; PIPS];
    let mut first = 0;
    while first < PIPS {
        let mut second = 0;
        while second < PIPS {
            all[first][second] =
                Text::number(first as u8).then(Text::from_ascii(between)).then(Text::number(second as u8));
            second += 1;
        }
        first += 1;
    }
    all
}

const PIPS: usize = Pip::MAX.index() + 1;

static IN_LINE: [[Text; PIPS]; PIPS] = all_halves("-");
static ACROSS: [[Text; PIPS]; PIPS] = all_halves("|");

/// Returns the text of two halves in this order, as of a tile in line.
#[inline]
pub(crate) fn in_line(first: Pip, second: Pip) -> Text {
    IN_LINE[first.index()][second.index()]
}

/// Returns the text of two halves in this order, as of a tile across.
#[inline]
pub(crate) fn across(first: Pip, second: Pip) -> Text {
    ACROSS[first.index()][second.index()]
}

/// Parses two pips with `between` between them.
pub(crate) fn parse_halves(text: &str, between: char) -> Option<(Pip, Pip)> {
    let (first, second) = text.split_once(between)?;
    Some((Pip::new(text::number(first)?)?, Pip::new(text::number(second)?)?))
}

impl FromStr for Tile {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match parse_halves(text, '-') {
            Some((low, high)) if low <= high => Ok(Self::new(low, high)),
            _ => Err(NotationError::new("a tile, low half first, such as 2-5", text)),
        }
    }
}

written_as_text!(Tile, r"^([0-9]|1[0-2])-([0-9]|1[0-2])$", "a tile, low half first, such as \"2-5\"");

/// A tile with the same number on both halves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Double(Pip);

impl Double {
    /// Returns the double whose halves have this number of pips.
    pub const fn new(pip: Pip) -> Self {
        Self(pip)
    }

    /// Returns the pips of one half.
    pub const fn pip(self) -> Pip {
        self.0
    }

    /// Returns the double as a tile.
    pub const fn tile(self) -> Tile {
        Tile::new(self.0, self.0)
    }
}

/// A wild tile that may lie across: two different halves, neither blank, that add up to the sum of a set (7, 10 or 13).
///
/// 0-0 and a double such as 5-5 with double-nine are wild too, but only ever lie in line, so they are not of this type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Matador(Tile);

impl Matador {
    /// Returns the tile as a matador; `None` if it may not lie across in any set.
    pub const fn new(tile: Tile) -> Option<Self> {
        let wild = matches!(tile.pips(), 7 | 10 | 13);
        if wild && tile.low().0 > 0 && tile.double().is_none() { Some(Self(tile)) } else { None }
    }

    /// Returns the matador as a tile.
    pub const fn tile(self) -> Tile {
        self.0
    }

    /// Returns the half with fewer pips.
    pub const fn low(self) -> Pip {
        self.0.low()
    }

    /// Returns the half with more pips.
    pub const fn high(self) -> Pip {
        self.0.high()
    }
}

/// A set of tiles, one bit each. Serialised as a list in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TileSet(u128);

impl TileSet {
    /// No tiles.
    pub const EMPTY: Self = Self(0);

    /// Returns all tiles without a half above `top`.
    const fn up_to(top: Pip) -> Self {
        let mut set = Self::EMPTY;
        let mut low = 0;
        while low <= top.0 {
            let mut high = low;
            while high <= top.0 {
                set = set.with(Tile::new(Pip(low), Pip(high)));
                high += 1;
            }
            low += 1;
        }
        set
    }

    /// Returns the set of this tile alone.
    pub const fn single(tile: Tile) -> Self {
        Self(1 << tile.0)
    }

    /// Returns the tiles of this set and `tile`, which may be in it already.
    #[must_use]
    pub const fn with(self, tile: Tile) -> Self {
        Self(self.0 | Self::single(tile).0)
    }

    /// Returns the tiles of this set except `tile`, which need not be in it.
    #[must_use]
    pub const fn without(self, tile: Tile) -> Self {
        Self(self.0 & !Self::single(tile).0)
    }

    /// Returns the tiles that are in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the tiles that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the tiles of this set that are not in `other`.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the tile is in the set.
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 & Self::single(tile).0 != 0
    }

    /// Whether a tile is in both sets.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there are no tiles.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of tiles.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the tile with the lowest index; `None` if there are no tiles.
    pub const fn first(self) -> Option<Tile> {
        if self.0 == 0 { None } else { Some(Tile(self.0.trailing_zeros() as u8)) }
    }

    /// Returns the tile with the highest index; `None` if there are no tiles.
    pub const fn last(self) -> Option<Tile> {
        if self.0 == 0 { None } else { Some(Tile(127 - self.0.leading_zeros() as u8)) }
    }

    /// Returns the pips of all tiles together.
    pub fn pips(self) -> u32 {
        self.iter().map(Tile::pips).sum()
    }

    /// Returns the tiles in ascending order.
    pub const fn iter(self) -> Tiles {
        Tiles(self)
    }
}

/// The tiles of a [`TileSet`] in ascending order.
#[derive(Clone, Debug)]
pub struct Tiles(TileSet);

impl Iterator for Tiles {
    type Item = Tile;

    fn next(&mut self) -> Option<Tile> {
        // Word by word: the lowest of 128 bits is expensive to find, and double-six has none in the upper word.
        let (low, high) = (self.0.0 as u64, (self.0.0 >> 64) as u64);
        if low != 0 {
            self.0 = TileSet(u128::from(high) << 64 | u128::from(low & (low - 1)));
            Some(Tile(low.trailing_zeros() as u8))
        } else if high != 0 {
            self.0 = TileSet(u128::from(high & (high - 1)) << 64);
            Some(Tile(64 + high.trailing_zeros() as u8))
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Tiles {}

impl IntoIterator for TileSet {
    type Item = Tile;
    type IntoIter = Tiles;

    fn into_iter(self) -> Tiles {
        self.iter()
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        tiles.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, tile) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{tile}")?;
        }
        Ok(())
    }
}

impl Serialize for TileSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for TileSet {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tiles = Vec::<Tile>::deserialize(deserializer)?;
        let set: Self = tiles.iter().copied().collect();
        if set.len() == tiles.len() {
            Ok(set)
        } else {
            Err(serde::de::Error::custom("expected every tile once"))
        }
    }
}

impl JsonSchema for TileSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Tiles".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let tile = generator.subschema_for::<Tile>();
        schemars::json_schema!({ "type": "array", "items": tile, "uniqueItems": true, "description": "tiles in ascending order" })
    }
}
