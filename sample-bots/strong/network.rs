//! What the weights of the model miss about how others choose: a small network, added to its values.
//!
//! The [policy](super::policy) counts tiles. What a search avoids, though, is to let the next seat lay its *heavy* tiles, and what it
//! keeps depends on which tiles they are. So each tile counts for itself here: whether it stays in the hand, is laid, or could be played
//! afterwards, from the own hand or by somebody else. One layer of hidden units, because what a tile is worth depends on the others. It
//! serves the belief of two seats in `matador` alone: there it was measured. `examples/train_strong.rs` makes `network.txt`.

use std::str::FromStr;
use std::sync::OnceLock;

use leyden_protocol::{Arm, Lay, RuleSet, RulesName, Seat, Set};
use leyden_rules::packed::{TILES, Tiles, bit, pack};
use leyden_rules::{Fits, Round};

use super::duel::is_duel;
use super::policy::PublicView;

/// How many hidden units there are.
pub const UNITS: usize = 16;

const SIZE: usize = Set::DoubleSix.size();
const COUNTS: [&str; 3] = ["own", "others", "drawable"];
const ROLES: [&str; 4] = ["kept", "laid", "playable", "fed"];
const KEPT: usize = 0;
const LAID: usize = 1;
const PLAYABLE: usize = 2;
const FED: usize = 3;

/// How many inputs there are: three numbers of tiles, then every tile in each of its roles.
pub const INPUTS: usize = COUNTS.len() + ROLES.len() * SIZE;

/// What each hidden unit gets from something.
pub type Units = [f32; UNITS];

#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// What every unit gets in any case.
    pub bias: Units,
    /// What each unit, if positive, adds to the value.
    pub output: Units,
    pub inputs: Box<[Units; INPUTS]>,
}

/// A network that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a line \"{name}\" with {UNITS} numbers, not {line:?}")]
pub struct BadNetwork {
    name: String,
    line: String,
}

impl Network {
    /// The one for these rules, where there is one.
    pub(crate) fn of(rules: &RuleSet) -> Option<&'static Self> {
        (is_duel(rules) && rules.name == RulesName::Matador).then(Self::trained)
    }

    /// The one that was trained.
    ///
    /// # Panics
    /// If the file, which is part of the program, cannot be read.
    pub fn trained() -> &'static Self {
        static TRAINED: OnceLock<Network> = OnceLock::new();
        TRAINED.get_or_init(|| match include_str!("network.txt").parse() {
            Ok(network) => network,
            Err(wrong) => panic!("network.txt: {wrong}"),
        })
    }

    /// The inputs of a play that are not 0, by their index.
    pub fn inputs_of(round: &Round, seat: Seat, seen: &PublicView, arm: Arm, lay: Lay) -> Vec<(usize, f32)> {
        let mut after = seen.layout;
        after.play(arm, lay);
        let playable = pack(after.playable(Fits::of_set(Set::DoubleSix)));
        let (hand, outside, laid) = (pack(round.hand(seat)), pack(seen.outside), bit(lay.tile()));
        let next = round.rules().seats.after(seat);
        let counts = scaled([round.hand(seat).len(), round.hand(next).len(), round.drawable()]);
        let kept = hand & !laid;
        let roles = [kept, laid, playable & kept, playable & outside & !hand];
        let tiles = roles.into_iter().enumerate();
        let tiles = tiles.flat_map(|(role, tiles)| each(tiles).map(move |tile| (input(role, tile), 1.0)));
        counts.into_iter().enumerate().chain(tiles).collect()
    }

    /// What the units get whatever is laid: with a hand, the number of tiles of the next seat, and of those to draw.
    #[inline]
    pub(super) fn hand(&self, hand: Tiles, next_holds: usize, drawable: usize) -> Units {
        let mut units = self.bias;
        let counts = scaled([hand.count_ones() as usize, next_holds, drawable]);
        for (count, gets) in counts.into_iter().zip(self.inputs.iter()) {
            units.iter_mut().zip(gets).for_each(|(unit, gets)| *unit += count * gets);
        }
        self.add(&mut units, KEPT, hand);
        units
    }

    /// The value of laying a tile from a hand, given what can be played afterwards from its rest, and by others.
    #[inline]
    pub(super) fn value(&self, hand: &Units, tile: usize, playable: Tiles, fed: Tiles) -> f32 {
        let mut units = *hand;
        let (kept, laid) = (&self.inputs[input(KEPT, tile)], &self.inputs[input(LAID, tile)]);
        for (unit, (kept, laid)) in units.iter_mut().zip(kept.iter().zip(laid)) {
            *unit += laid - kept;
        }
        self.add(&mut units, PLAYABLE, playable);
        self.add(&mut units, FED, fed);
        units.iter().zip(&self.output).map(|(unit, output)| unit.max(0.0) * output).sum()
    }

    #[inline]
    fn add(&self, units: &mut Units, role: usize, tiles: Tiles) {
        for tile in each(tiles) {
            units.iter_mut().zip(&self.inputs[input(role, tile)]).for_each(|(unit, gets)| *unit += gets);
        }
    }

    /// Each line's name and numbers.
    fn lines(&self) -> impl Iterator<Item = (String, &Units)> {
        names().zip([&self.bias, &self.output].into_iter().chain(self.inputs.iter()))
    }
}

#[inline]
fn input(role: usize, tile: usize) -> usize {
    COUNTS.len() + role * SIZE + tile % SIZE
}

/// Numbers of tiles, about 0 at the start of a round.
fn scaled(counts: [usize; COUNTS.len()]) -> [f32; COUNTS.len()] {
    counts.map(|count| count as f32 / 7.0 - 1.0)
}

/// The numbers of the tiles in a set.
#[inline]
fn each(mut tiles: Tiles) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let tile = tiles.trailing_zeros() as usize;
        tiles &= tiles.checked_sub(1)?;
        Some(tile)
    })
}

fn names() -> impl Iterator<Item = String> {
    let tiles =
        ROLES.into_iter().flat_map(|role| TILES.into_iter().map(move |tile| format!("{role} {tile}")));
    ["bias", "output"].into_iter().chain(COUNTS).map(str::to_owned).chain(tiles)
}

impl FromStr for Network {
    type Err = BadNetwork;

    /// One line per input, in order: its name, and what it gives to each unit.
    fn from_str(text: &str) -> Result<Self, BadNetwork> {
        let mut lines = text.lines();
        let read = |name: String| {
            let line = lines.next().unwrap_or_default();
            let numbers = line.strip_prefix(&name).unwrap_or_default().split_whitespace();
            let numbers: Vec<f32> = numbers.map_while(|word| word.parse().ok()).collect();
            Units::try_from(numbers).map_err(|_| BadNetwork { name, line: line.to_owned() })
        };
        let rows: Vec<Units> = names().map(read).collect::<Result<_, _>>()?;
        let mut inputs = Box::new([[0.0; UNITS]; INPUTS]);
        inputs.copy_from_slice(&rows[2..]);
        Ok(Self { bias: rows[0], output: rows[1], inputs })
    }
}

impl std::fmt::Display for Network {
    /// In the same format.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, numbers) in self.lines() {
            write!(f, "{name:<12}")?;
            for number in numbers {
                write!(f, " {number:>7.4}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{Action, HistoryAction};
    use leyden_rules::{DealNumber, Lead, Rules};

    use super::*;
    use crate::dice::Dice;
    use crate::strong::duel_policy::{Choice, NextSeat};
    use crate::strong::playout::Playout;
    use crate::table::shuffled;

    /// What is computed for a choice is the sum over the inputs, whatever the position.
    #[test]
    fn the_fast_value_is_that_of_the_inputs() {
        let rules = Rules::standard(RulesName::Matador);
        let network = Network::trained();
        let mut dice = Dice::seeded(1);
        let mut compared = 0;
        for seed in 0..30 {
            let deck = shuffled(&rules, seed, DealNumber { round: 0, redeal: 0 });
            let Some(round) = Round::deal(&rules, &deck, Lead::Highest) else { continue };
            let mut playout = Playout::new(&round, &[], crate::strong::policy::Policy::of(&rules));
            while let Some(seat) = playout.round().to_act() {
                let legal: Vec<Action> = playout.round().legal().iter().collect();
                for action in &legal {
                    if let &Action::Play(arm, lay) = action {
                        compare(network, &playout, seat, arm, lay);
                        compared += 1;
                    }
                }
                assert!(playout.apply(legal[dice.below(legal.len())]));
            }
        }
        assert!(compared > 500, "{compared}");
    }

    fn compare(network: &Network, playout: &Playout<'_>, seat: Seat, arm: Arm, lay: Lay) {
        let (round, seen) = (playout.round(), playout.public_view());
        let mut units = network.bias;
        for (input, amount) in Network::inputs_of(round, seat, seen, arm, lay) {
            units.iter_mut().zip(&network.inputs[input]).for_each(|(unit, gets)| *unit += amount * gets);
        }
        let wanted: f32 =
            units.iter().zip(&network.output).map(|(unit, output)| unit.max(0.0) * output).sum();
        let other = round.rules().seats.after(seat);
        let next = NextSeat { holds: round.hand(other).len(), lacks: 0 };
        let event = HistoryAction::Play(arm, lay);
        let choice = Choice::of(round.rules(), seen, event, next, round.drawable()).expect("a play");
        let policy = crate::strong::policy::Policy::of(round.rules());
        let taken = |network| {
            let mut value = None;
            choice.evaluate_plays(policy, network, pack(round.hand(seat)), |each, taken| {
                if taken {
                    value = Some(each);
                }
            });
            value.expect("it could be played")
        };
        let found = taken(Some(network)) - taken(None);
        assert!((found - wanted).abs() < 1e-3, "{lay:?}: {found} is not {wanted}");
    }

    #[test]
    fn a_network_reads_what_it_writes_and_nothing_else() {
        let text = Network::trained().to_string();
        assert_eq!(text.parse::<Network>().unwrap(), *Network::trained());
        let cut = text.replacen("kept 0-1", "kept 0-9", 1);
        assert!(cut.parse::<Network>().unwrap_err().to_string().contains("kept 0-1"));
    }
}
