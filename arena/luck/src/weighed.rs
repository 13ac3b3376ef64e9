//! Plays judged by weights: sums of a dozen features, for some tables with other weights in each of six kinds of position.
//!
//! Two tables are what the sample bot `strong` had when this version was made, for its playouts and for what a bot that searches
//! would play; they stay as they are when it learns. The third is the simple rule of `montecarlo`'s playouts.

use std::sync::LazyLock;

use leyden_protocol::{Action, Arm, Lay, Matador, Pip, RulesName, Seat, Set, TileSet};
use leyden_rules::Rules;

use crate::ends::Fits;
use crate::position::Position;

// Sums, products and quotients of 32 bits alone: the same on every machine.

/// Which weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum WeightSet {
    Strong,
    Model,
    Simple,
}

impl WeightSet {
    pub(crate) const ALL: [Self; 3] = [Self::Strong, Self::Model, Self::Simple];

    /// What a taste weighs beside it.
    pub(crate) const fn strength(self) -> f32 {
        match self {
            Self::Strong => 6.0,
            Self::Model => 1.0,
            Self::Simple => 4.0,
        }
    }

    /// Its head in `weights.txt`.
    fn head(self, rules: RulesName) -> &'static str {
        match (self, rules) {
            (Self::Strong, RulesName::Matador) => "[strong matador]",
            (Self::Strong, _) => "[strong leyden]",
            (Self::Model, RulesName::Matador) => "[model matador]",
            (Self::Model, _) => "[model leyden]",
            (Self::Simple, _) => "[simple]",
        }
    }
}

/// Rows of the file.
#[derive(Clone, Copy)]
#[repr(usize)]
enum Feature {
    /// The pips of the tile.
    Pips,
    /// 1 for a matador other than 0-0.
    Matador,
    /// 1 for 0-0.
    BlankDouble,
    /// 1 if it lies across.
    Across,
    /// 1 for a double, and for a tile with a blank, unless it is a matador.
    Stiff,
    /// 1 if a blank becomes the end.
    BlankEnd,
    /// How many more own tiles fit the new end than fitted the old one.
    OwnFits,
    /// The same of the tiles that the seat does not see.
    UnseenFits,
    /// How many own tiles can be played afterwards.
    Options,
    /// The same as a share of the tiles left.
    ShareOfOptions,
    /// 1 if none can.
    Stuck,
    /// The share of the unseen tiles that can be played afterwards.
    Fed,
    /// How likely the next seat cannot play, were its tiles drawn from the unseen ones one by one and put back.
    Starved,
}

const FEATURES: usize = Feature::Starved as usize + 1;

/// The next seat holds up to 2 tiles, up to 4 or more; and there are tiles to draw, or none.
const KINDS: usize = 6;

fn kind(holds: usize, drawable: usize) -> usize {
    let few = match holds {
        ..=2 => 0,
        3 | 4 => 1,
        _ => 2,
    };
    few + if drawable == 0 { 3 } else { 0 }
}

/// Room for all pips, and one more.
const ROOM: usize = 16;

/// The place of a way to lie: by the half that touches and the one that becomes the end, or that it lies across.
#[inline]
pub(crate) fn place_of(lay: Lay) -> u8 {
    const ACROSS: u8 = ROOM as u8 - 1;
    match lay {
        Lay::InLine { touching, end } => touching.get() * ROOM as u8 + end.get(),
        Lay::Across(matador) => matador.low().get() * ROOM as u8 + ACROSS,
    }
}

/// How likely a seat with so many tiles cannot play, when that is the share of unseen tiles that can be played.
pub(crate) fn starved(fed: f32, holds: usize) -> f32 {
    (0..holds).map(|_| 1.0 - fed).product()
}

/// The weights for one kind of position, what is known of a tile beforehand added up.
pub(crate) struct Weights {
    of: [f32; FEATURES],
    /// A tile that lies, by its place.
    laid: [f32; ROOM * ROOM],
}

/// The weights for all kinds of position.
pub(crate) struct Kinds([Weights; KINDS]);

impl Kinds {
    /// Those where the next seat holds so many tiles and so many may be drawn.
    #[inline]
    pub(crate) fn of(&self, holds: usize, drawable: usize) -> &Weights {
        &self.0[kind(holds, drawable) % KINDS]
    }
}

impl Weights {
    fn new(set: Set, of: [f32; FEATURES]) -> Self {
        let mut weights = Self { of, laid: [0.0; ROOM * ROOM] };
        let wild = Fits::of(set).wild;
        for tile in set.tiles() {
            let (low, high) = (tile.low(), tile.high());
            let kind = match (tile.pips(), wild.contains(tile)) {
                (0, _) => of[Feature::BlankDouble as usize],
                (_, true) => of[Feature::Matador as usize],
                _ if tile.double().is_some() || low == Pip::BLANK => of[Feature::Stiff as usize],
                _ => 0.0,
            };
            let worth = of[Feature::Pips as usize] * tile.pips() as f32 + kind;
            for (touching, end) in [(low, high), (high, low)] {
                let blank = if end == Pip::BLANK { of[Feature::BlankEnd as usize] } else { 0.0 };
                weights.laid[usize::from(place_of(Lay::InLine { touching, end }))] = worth + blank;
            }
            if let Some(matador) = Matador::new(tile) {
                let place = place_of(Lay::Across(matador));
                weights.laid[usize::from(place)] = worth + of[Feature::Across as usize];
            }
        }
        weights
    }

    // The parts of what a play is worth, each the same wherever it is asked for.

    #[inline]
    fn of(&self, feature: Feature) -> f32 {
        self.of[feature as usize]
    }

    /// The tile, by its place.
    #[inline]
    pub(crate) fn of_place(&self, place: u8) -> f32 {
        self.laid[usize::from(place)]
    }

    /// An end that so many own and unseen tiles fit.
    #[inline]
    pub(crate) fn of_end(&self, own: f32, unseen: f32) -> f32 {
        self.of(Feature::OwnFits) * own + self.of(Feature::UnseenFits) * unseen
    }

    /// One own tile that can be played afterwards, of so many.
    #[inline]
    pub(crate) fn option(&self, left: usize) -> f32 {
        self.of(Feature::Options) + self.of(Feature::ShareOfOptions) / left.max(1) as f32
    }

    #[inline]
    pub(crate) fn of_options(&self, options: f32, option: f32) -> f32 {
        option * options + if options == 0.0 { self.of(Feature::Stuck) } else { 0.0 }
    }

    /// What the next seat is left with.
    #[inline]
    pub(crate) fn of_next(&self, fed: f32, starved: f32) -> f32 {
        self.of(Feature::Fed) * fed + self.of(Feature::Starved) * starved
    }

    /// By rule set, then table.
    pub(crate) fn all(rules: &Rules) -> &'static [Kinds; WeightSet::ALL.len()] {
        static ALL: LazyLock<Vec<[Kinds; WeightSet::ALL.len()]>> = LazyLock::new(|| {
            let each = |name, set| WeightSet::ALL.map(|table| read(set, table.head(name)));
            // With the larger sets only matador is played.
            let standard = RulesName::ALL.into_iter().map(|name| each(name, Set::DoubleSix));
            let larger = [Set::DoubleNine, Set::DoubleTwelve].map(|set| each(RulesName::Matador, set));
            standard.chain(larger).collect()
        });
        let at = match rules.set {
            Set::DoubleSix => rules.name as usize,
            larger => RulesName::ALL.len() - 1 + larger as usize,
        };
        &ALL[at]
    }
}

/// The weights below a head: a row for each feature, with its name and a number for each kind of position, or one for all.
fn read(set: Set, head: &str) -> Kinds {
    let rows = include_str!("weights.txt").lines().skip_while(|line| *line != head).skip(1);
    let mut of = [[0.0; FEATURES]; KINDS];
    for (feature, row) in rows.take(FEATURES).enumerate() {
        let words = row.split_whitespace().skip(1);
        let numbers: Vec<f32> = words.filter_map(|word| word.parse().ok()).collect();
        for (of, number) in of.iter_mut().zip(numbers.iter().cycle()) {
            of[feature] = *number;
        }
    }
    Kinds(of.map(|of| Weights::new(set, of)))
}

/// What the seat to act sees, made ready to judge its plays.
pub(crate) struct Glance<'a> {
    position: &'a Position,
    weights: &'static Weights,
    hand: TileSet,
    unseen: TileSet,
    next_holds: usize,
}

impl<'a> Glance<'a> {
    #[inline]
    pub(crate) fn new(position: &'a Position, seat: Seat, table: WeightSet) -> Self {
        let rules = position.round.rules();
        let (hand, next_holds) =
            (position.round.hand(seat), position.round.hand(rules.seats.after(seat)).len());
        let weights = Weights::all(rules)[table as usize].of(next_holds, position.round.drawable());
        Self { position, weights, hand, unseen: position.outside.minus(hand), next_holds }
    }

    /// How good a lead or play is.
    #[inline]
    pub(crate) fn worth(&self, action: Action) -> f32 {
        match action {
            Action::Play(arm, lay) => self.worth_of_play(arm, lay),
            Action::Lead(double) => {
                let lay = Lay::InLine { touching: double.pip(), end: double.pip() };
                let new = self.position.fits.after(lay);
                self.worth_with(lay, 0.0, new, new)
            }
            Action::Draw | Action::Pass | Action::Refuse => f32::NEG_INFINITY,
        }
    }

    #[inline]
    fn worth_of_play(&self, arm: Arm, lay: Lay) -> f32 {
        let old = self.position.ends.on(arm);
        let before = self.weights.of_end(count(self.hand, old), count(self.unseen, old));
        let new = self.position.fits.after(lay);
        self.worth_with(lay, before, new, self.position.ends.played(arm, new).playable())
    }

    /// What a play is worth that ends what the arm was worth, makes its end take `new` and leaves `playable` to be played.
    #[inline]
    fn worth_with(&self, lay: Lay, before: f32, new: TileSet, playable: TileSet) -> f32 {
        let weights = self.weights;
        let rest = self.hand.without(lay.tile());
        if rest.is_empty() {
            return f32::INFINITY; // it goes out
        }
        let fed = count(self.unseen, playable) / self.unseen.len().max(1) as f32;
        weights.of_place(place_of(lay)) - before
            + weights.of_end(count(rest, new), count(self.unseen, new))
            + weights.of_options(count(rest, playable), weights.option(rest.len()))
            + weights.of_next(fed, starved(fed, self.next_holds))
    }
}

#[inline]
fn count(tiles: TileSet, among: TileSet) -> f32 {
    tiles.intersection(among).len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_every_rule_set_has_all_its_numbers() {
        for (name, table) in
            RulesName::ALL.into_iter().flat_map(|name| WeightSet::ALL.map(|each| (name, each)))
        {
            let text = include_str!("weights.txt");
            let rows: Vec<&str> =
                text.lines().skip_while(|line| *line != table.head(name)).skip(1).take(FEATURES).collect();
            assert_eq!(rows.len(), FEATURES, "{name} {table:?}");
            for row in rows {
                let numbers = row.split_whitespace().skip(1).map(str::parse::<f32>);
                let numbers: Vec<f32> = numbers.collect::<Result<_, _>>().expect("numbers");
                assert!([1, KINDS].contains(&numbers.len()), "{name} {table:?}: {row}");
            }
        }
    }
}
