//! What drawing this tile rather than another is worth, estimated from its features and without a playout.
//!
//! No matter who plays, each tile of the boneyard is equally likely to be drawn next. So any number that is known for every
//! tile before the draw has an exact chance term with mean 0: that of the drawn tile less the mean over the boneyard.
//! Here twelve such numbers are summed over a match. `tables/draws.txt` weights the sums; it was fitted to matches of
//! strong bots (`cargo run --release -p leyden-luck --example draws`).

use std::sync::LazyLock;

use leyden_protocol::{Arm, End, Pip, RulesName, Seat, Tile, TileSet, WinningScore};
use leyden_rules::Rules;

use crate::baseline::Baseline;
use crate::equity::EquityTable;
use crate::position::Position;

/// The features, in the order of the sums and of the rows of `tables/draws.txt`. All but the last two are in units of
/// what winning the round is worth, those two of what a pip in hand is worth.
pub const DRAW_FEATURES: [&str; 12] = [
    // 1 if the tile can be played at once; the same if the rival holds one or two tiles; and divided by the size of
    // the hand that it joins.
    "fits",
    "fits-late",
    "fits-per-tile",
    // The number of arms it fits.
    "arms",
    // Of the rest of the hand and of the rival's, the share that could be played if the tile were played where that
    // leaves the drawing seat best off; 0 if it fits nowhere.
    "own-after",
    "rival-after",
    // 1 for a matador other than 0-0; for 0-0; for another double or tile with a blank.
    "matador",
    "blank-double",
    "inflexible",
    // The share of the hand that fits one of its halves as an end: the half that more fit.
    "followers",
    // Its pips, and the same if it fits nowhere.
    "pips",
    "pips-stuck",
];

/// For each feature the sum over the draws of a match, less its expectation; positive is good for the first seat if the
/// feature is good for a hand.
pub type DrawSums = [f64; DRAW_FEATURES.len()];

/// What the round is worth to a seat at the scores before it, in results (a win of the match is 1).
#[derive(Clone, Copy)]
pub(crate) struct Stakes {
    /// Winning it rather than losing it.
    round: f64,
    /// One pip fewer in hand at its end.
    pip: f64,
}

impl Stakes {
    /// Of both seats.
    pub(crate) fn by_side(equity: &EquityTable, scores: [u32; 2], right: Seat) -> [Self; 2] {
        /// What a round usually adds, and how many pips a slope is taken over.
        const POINTS: u32 = 20;
        const PIPS: u32 = 10;
        let value =
            |first, second| equity.value(Baseline::Varied, [scores[0] + first, scores[1] + second], right);
        let (now, round) = (value(0, 0), (value(POINTS, 0) - value(0, POINTS)).abs());
        let added = [value(PIPS, 0), value(0, PIPS)].map(|value| (value - now).abs() / f64::from(PIPS));
        let [first, second] = added;
        // Pips in hand count for the rival, or against their holder.
        let pips = match equity.rules().better {
            WinningScore::Higher => [second, first],
            WinningScore::Lower => [first, second],
        };
        pips.map(|pip| Self { round, pip })
    }
}

/// What the match's draw of a tile adds to the sums.
pub(crate) fn chance_terms(position: &Position, seat: Seat, drawn: Tile, stakes: [Stakes; 2]) -> DrawSums {
    let round = &position.round;
    let before = BeforeDraw {
        position,
        hand: round.hand(seat),
        rival: round.hand(round.rules().seats.after(seat)),
        stakes: stakes[seat.index() % 2],
    };
    let mut terms = before.features(drawn);
    let boneyard = round.boneyard();
    for tile in boneyard {
        for (term, feature) in terms.iter_mut().zip(before.features(*tile)) {
            *term -= feature / boneyard.len() as f64;
        }
    }
    if seat == Seat::FIRST { terms } else { terms.map(|term| -term) }
}

/// A position in which a seat is about to draw.
struct BeforeDraw<'a> {
    position: &'a Position,
    hand: TileSet,
    rival: TileSet,
    stakes: Stakes,
}

impl BeforeDraw<'_> {
    fn features(&self, tile: Tile) -> DrawSums {
        let fits = self.position.fits;
        let is_wild = fits.wild().contains(tile);
        let is_inflexible = !is_wild && (tile.double().is_some() || tile.low() == Pip::BLANK);
        let (arms, best) = self.plays(tile);
        let fits_now = f64::from(u8::from(arms > 0));
        let (own_after, rival_after) = best.unwrap_or_default();
        let [low, high] = [tile.low(), tile.high()].map(|half| share(self.hand, fits.on(End::Pip(half))));
        let pips = f64::from(tile.pips());
        let Stakes { round, pip } = self.stakes;
        let yes = |is: bool| round * f64::from(u8::from(is));
        [
            round * fits_now,
            round * fits_now * f64::from(u8::from(self.rival.len() <= 2)),
            round * fits_now / (self.hand.len() + 1) as f64,
            round * f64::from(arms),
            round * own_after,
            round * rival_after,
            yes(is_wild && tile.pips() > 0),
            yes(tile.pips() == 0),
            yes(is_inflexible),
            round * low.max(high),
            pip * pips,
            pip * pips * (1.0 - fits_now),
        ]
    }

    /// The number of arms that a tile fits, and what its best play in line leaves: the shares of the hand and of the
    /// rival's that could be played then.
    fn plays(&self, tile: Tile) -> (u8, Option<(f64, f64)>) {
        let Position { round, fits, ends, .. } = self.position;
        let sum = round.rules().set.sum();
        let is_open = |arm: Arm| ends.waiting() == 0 || ends.waiting() >> arm.index() & 1 != 0;
        let (mut arms, mut best) = (0, None);
        for (arm, end) in round.arms().iter() {
            if !is_open(arm) || !fits.on(end).contains(tile) {
                continue;
            }
            arms += 1;
            for (touching, other) in [(tile.low(), tile.high()), (tile.high(), tile.low())] {
                let meets = |shown: Pip| shown.get() + touching.get() == sum;
                let touches = match end {
                    End::Pip(shown) => meets(shown),
                    End::Across(matador) => meets(matador.low()) || meets(matador.high()),
                };
                if touches || fits.wild().contains(tile) {
                    let new = fits.on(End::Pip(other));
                    let playable = ends.played(arm, new).playable();
                    let (own, rival) = (share(self.hand, playable), share(self.rival, playable));
                    if best.is_none_or(|(best_own, best_rival)| own - rival > best_own - best_rival) {
                        best = Some((own, rival));
                    }
                }
            }
        }
        (arms, best)
    }
}

/// How much of a hand is among these tiles, 0..=1.
fn share(hand: TileSet, tiles: TileSet) -> f64 {
    hand.intersection(tiles).len() as f64 / hand.len().max(1) as f64
}

/// The weighted sums: the luck of draws to the first seat.
pub(crate) fn weighted(rules: &Rules, sums: &DrawSums) -> f64 {
    static WEIGHTS: LazyLock<[DrawSums; 2]> = LazyLock::new(|| [1, 2].map(column));
    let weights = &WEIGHTS[usize::from(rules.name == RulesName::Matador)];
    weights.iter().zip(sums).map(|(weight, sum)| weight * sum).sum()
}

/// A column of `tables/draws.txt`: the name comes first, then the weight in Leyden and its variants, then in matador.
fn column(index: usize) -> DrawSums {
    let mut weights = DrawSums::default();
    for (weight, row) in weights.iter_mut().zip(include_str!("../tables/draws.txt").lines()) {
        let word = row.split_whitespace().nth(index);
        *weight = word.and_then(|word| word.parse().ok()).unwrap_or(0.0);
    }
    weights
}

#[cfg(test)]
mod tests {
    use leyden_protocol::Action;
    use leyden_rules::{Deck, Lead, Round};

    use super::*;
    use crate::dice::Dice;

    /// The claim that the luck of draws rests on: after every course of play, the terms of all tiles that may be drawn add up to 0.
    #[test]
    fn draw_terms_over_the_boneyard_sum_to_zero() {
        let mut dice = Dice::from_text("draws");
        for rules in RulesName::ALL.map(Rules::standard) {
            let equity = EquityTable::for_rules(&rules).expect("two seats");
            let stakes = Stakes::by_side(&equity, [37, 62], Seat::FIRST);
            let (mut draws, mut moved) = (0, false);
            while draws < 200 {
                let mut deck = Deck::in_order(rules.set);
                deck.shuffle(|bound| dice.below(bound));
                let Some(round) = Round::deal(&rules, &deck, Lead::Lowest) else { continue };
                let mut position = Position::new(&round);
                while let Some(seat) = position.round.to_act() {
                    let legal: Vec<Action> = position.round.legal().iter().collect();
                    let action = legal[dice.below(legal.len())];
                    if action == Action::Draw {
                        draws += 1;
                        let mut sums = DrawSums::default();
                        for tile in position.round.boneyard() {
                            let terms = chance_terms(&position, seat, *tile, stakes);
                            moved |= terms.iter().any(|term| term.abs() > 1e-3);
                            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
                        }
                        assert!(sums.iter().all(|sum| sum.abs() < 1e-12), "{}: {sums:?}", rules.name);
                    }
                    assert!(position.apply(action));
                }
            }
            assert!(moved, "{}: no tile was worth more than another", rules.name);
        }
    }

    #[test]
    fn every_feature_has_its_two_weights() {
        let rows: Vec<&str> = include_str!("../tables/draws.txt").lines().collect();
        let names: Vec<_> = rows.iter().filter_map(|row| row.split_whitespace().next()).collect();
        assert_eq!(names, DRAW_FEATURES);
        for row in rows {
            let weights = row.split_whitespace().skip(1).map(str::parse::<f64>);
            assert_eq!(weights.collect::<Result<Vec<_>, _>>().map(|weights| weights.len()), Ok(2), "{row}");
        }
    }
}
