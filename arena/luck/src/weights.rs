//! Evaluators that weight a dozen features of a play, some with different weights in each of six kinds of position.
//!
//! Two tables are copies from the sample bot `strong`, which uses them in its playouts and to predict bots that search. They do
//! not change when `strong` is trained again. The third is the simple rule of `montecarlo`'s playouts.

use std::sync::LazyLock;

use leyden_protocol::{Action, Arm, Lay, Matador, Pip, RulesName, Seat, Set, TileSet};
use leyden_rules::packed::lay_index;
use leyden_rules::{Fits, Rules};

use crate::ends::fitting_after;
use crate::position::Position;

// Only sums, products and quotients of 32-bit floats: the same on every machine.

/// A table of `weights.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum WeightTable {
    Strong,
    Model,
    Simple,
}

impl WeightTable {
    pub(crate) const ALL: [Self; 3] = [Self::Strong, Self::Model, Self::Simple];

    /// The standard deviation of a perturbation, in the units of its values.
    pub(crate) const fn perturbation_scale(self) -> f32 {
        match self {
            Self::Strong => 6.0,
            Self::Model => 1.0,
            Self::Simple => 4.0,
        }
    }

    /// Its heading in `weights.txt`.
    fn heading(self, rules: RulesName) -> &'static str {
        match (self, rules) {
            (Self::Strong, RulesName::Matador) => "[strong matador]",
            (Self::Strong, _) => "[strong leyden]",
            (Self::Model, RulesName::Matador) => "[model matador]",
            (Self::Model, _) => "[model leyden]",
            (Self::Simple, _) => "[simple]",
        }
    }
}

/// The rows of a table.
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
    Inflexible,
    /// 1 if a blank becomes the end.
    BlankEnd,
    /// How many more own tiles fit the new end than fitted the old one.
    OwnFits,
    /// The same for the tiles that the seat does not see.
    UnseenFits,
    /// How many own tiles can be played afterwards.
    Options,
    /// That as a share of the tiles left in hand.
    ShareOfOptions,
    /// 1 if none of them can.
    Stuck,
    /// The share of the unseen tiles that can be played afterwards.
    NextFits,
    /// The probability that the next seat cannot play if its tiles are drawn from the unseen ones with replacement.
    NextStuck,
}

const FEATURES: usize = Feature::NextStuck as usize + 1;

/// Kinds of position: the next seat holds up to 2, up to 4 or more tiles; tiles can be drawn, or not.
const KINDS: usize = 6;

fn kind(holds: usize, drawable: usize) -> usize {
    let few = match holds {
        ..=2 => 0,
        3 | 4 => 1,
        _ => 2,
    };
    few + if drawable == 0 { 3 } else { 0 }
}

/// The probability that a seat with `holds` tiles cannot play when a share `playable` of the unseen tiles can be played.
pub(crate) fn cannot_play(playable: f32, holds: usize) -> f32 {
    (0..holds).map(|_| 1.0 - playable).product()
}

/// The weights for one kind of position.
pub(crate) struct Weights {
    of: [f32; FEATURES],
    /// The sum of all terms that depend on the lay alone, by [`lay_index`].
    laid: [f32; 256],
}

/// The weights of a table for every kind of position.
pub(crate) struct WeightsByKind([Weights; KINDS]);

impl WeightsByKind {
    /// Where the next seat holds `holds` tiles and `drawable` tiles can be drawn.
    #[inline]
    pub(crate) fn of(&self, holds: usize, drawable: usize) -> &Weights {
        &self.0[kind(holds, drawable) % KINDS]
    }
}

impl Weights {
    fn new(set: Set, of: [f32; FEATURES]) -> Self {
        let mut weights = Self { of, laid: [0.0; 256] };
        let wild = Fits::for_set(set).wild();
        for tile in set.tiles() {
            let (low, high) = (tile.low(), tile.high());
            let kind = match (tile.pips(), wild.contains(tile)) {
                (0, _) => of[Feature::BlankDouble as usize],
                (_, true) => of[Feature::Matador as usize],
                _ if tile.double().is_some() || low == Pip::BLANK => of[Feature::Inflexible as usize],
                _ => 0.0,
            };
            let value = of[Feature::Pips as usize] * tile.pips() as f32 + kind;
            for (touching, end) in [(low, high), (high, low)] {
                let blank = if end == Pip::BLANK { of[Feature::BlankEnd as usize] } else { 0.0 };
                weights.laid[usize::from(lay_index(Lay::InLine { touching, end }))] = value + blank;
            }
            if let Some(matador) = Matador::new(tile) {
                let index = lay_index(Lay::Across(matador));
                weights.laid[usize::from(index)] = value + of[Feature::Across as usize];
            }
        }
        weights
    }

    // The terms of a play's value, shared by both implementations so that they agree to the bit.

    #[inline]
    fn of(&self, feature: Feature) -> f32 {
        self.of[feature as usize]
    }

    /// The terms that depend on the lay alone.
    #[inline]
    pub(crate) fn of_lay(&self, index: u8) -> f32 {
        self.laid[usize::from(index)]
    }

    /// The term for an end that these numbers of own and unseen tiles fit.
    #[inline]
    pub(crate) fn of_end(&self, own: f32, unseen: f32) -> f32 {
        self.of(Feature::OwnFits) * own + self.of(Feature::UnseenFits) * unseen
    }

    /// The term for each own tile that can be played afterwards, of `left` tiles in hand.
    #[inline]
    pub(crate) fn option(&self, left: usize) -> f32 {
        self.of(Feature::Options) + self.of(Feature::ShareOfOptions) / left.max(1) as f32
    }

    #[inline]
    pub(crate) fn of_options(&self, options: f32, option: f32) -> f32 {
        option * options + if options == 0.0 { self.of(Feature::Stuck) } else { 0.0 }
    }

    /// The terms for what the next seat is left with.
    #[inline]
    pub(crate) fn of_next(&self, playable: f32, stuck: f32) -> f32 {
        self.of(Feature::NextFits) * playable + self.of(Feature::NextStuck) * stuck
    }

    /// By rule set, then table.
    pub(crate) fn all(rules: &Rules) -> &'static [WeightsByKind; WeightTable::ALL.len()] {
        static ALL: LazyLock<Vec<[WeightsByKind; WeightTable::ALL.len()]>> = LazyLock::new(|| {
            let each = |name, set| WeightTable::ALL.map(|table| read(set, table.heading(name)));
            // Only matador is played with the larger sets.
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

/// Reads the table under a heading: a row for each feature, with its name and a number for each kind of position, or one for all.
fn read(set: Set, head: &str) -> WeightsByKind {
    let rows = include_str!("weights.txt").lines().skip_while(|line| *line != head).skip(1);
    let mut of = [[0.0; FEATURES]; KINDS];
    for (feature, row) in rows.take(FEATURES).enumerate() {
        let words = row.split_whitespace().skip(1);
        let numbers: Vec<f32> = words.filter_map(|word| word.parse().ok()).collect();
        for (of, number) in of.iter_mut().zip(numbers.iter().cycle()) {
            of[feature] = *number;
        }
    }
    WeightsByKind(of.map(|of| Weights::new(set, of)))
}

/// What all plays of a decision have in common.
pub(crate) struct WeightedEvaluation<'a> {
    position: &'a Position,
    weights: &'static Weights,
    hand: TileSet,
    unseen: TileSet,
    next_holds: usize,
}

impl<'a> WeightedEvaluation<'a> {
    #[inline]
    pub(crate) fn new(position: &'a Position, seat: Seat, table: WeightTable) -> Self {
        let rules = position.round.rules();
        let (hand, next_holds) =
            (position.round.hand(seat), position.round.hand(rules.seats.after(seat)).len());
        let weights = Weights::all(rules)[table as usize].of(next_holds, position.round.drawable());
        Self { position, weights, hand, unseen: position.outside.minus(hand), next_holds }
    }

    /// The value of a lead or play.
    #[inline]
    pub(crate) fn value(&self, action: Action) -> f32 {
        match action {
            Action::Play(arm, lay) => self.value_of_play(arm, lay),
            Action::Lead(double) => {
                let lay = Lay::InLine { touching: double.pip(), end: double.pip() };
                let new = fitting_after(self.position.fits, lay);
                self.value_with(lay, 0.0, new, new)
            }
            Action::Draw | Action::Pass | Action::Refuse => f32::NEG_INFINITY,
        }
    }

    #[inline]
    fn value_of_play(&self, arm: Arm, lay: Lay) -> f32 {
        let old = self.position.ends.on(arm);
        let before = self.weights.of_end(count(self.hand, old), count(self.unseen, old));
        let new = fitting_after(self.position.fits, lay);
        self.value_with(lay, before, new, self.position.ends.played(arm, new).playable())
    }

    /// The value of a lay on an end whose term was `before`. Its new end takes the tiles `new`; `playable` can be played next.
    #[inline]
    fn value_with(&self, lay: Lay, before: f32, new: TileSet, playable: TileSet) -> f32 {
        let weights = self.weights;
        let rest = self.hand.without(lay.tile());
        if rest.is_empty() {
            return f32::INFINITY; // it goes out
        }
        let next_fits = count(self.unseen, playable) / self.unseen.len().max(1) as f32;
        weights.of_lay(lay_index(lay)) - before
            + weights.of_end(count(rest, new), count(self.unseen, new))
            + weights.of_options(count(rest, playable), weights.option(rest.len()))
            + weights.of_next(next_fits, cannot_play(next_fits, self.next_holds))
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
    fn weight_tables_are_complete_for_every_rule_set() {
        for (name, table) in
            RulesName::ALL.into_iter().flat_map(|name| WeightTable::ALL.map(|each| (name, each)))
        {
            let text = include_str!("weights.txt");
            let rows: Vec<&str> =
                text.lines().skip_while(|line| *line != table.heading(name)).skip(1).take(FEATURES).collect();
            assert_eq!(rows.len(), FEATURES, "{name} {table:?}");
            for row in rows {
                let numbers = row.split_whitespace().skip(1).map(str::parse::<f32>);
                let numbers: Vec<f32> = numbers.collect::<Result<_, _>>().expect("numbers");
                assert!([1, KINDS].contains(&numbers.len()), "{name} {table:?}: {row}");
            }
        }
    }
}
