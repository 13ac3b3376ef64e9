//! What the weights of the model miss about how others choose: a small network, added to its values.
//!
//! The [policy](super::policy) counts tiles. What a search avoids, though, is to let the next seat lay its *heavy* tiles, and what it
//! keeps depends on which tiles they are. So each tile counts for itself here: whether it stays in the hand, is laid, or could be played
//! afterwards, from the same hand or by somebody else. One layer of hidden units, because what a tile is worth depends on the others. It
//! serves the belief of two seats in `matador` alone: there it was measured. `examples/train_strong.rs` makes `network.txt`.

use std::str::FromStr;
use std::sync::OnceLock;

use leyden_protocol::{Arm, Lay, RuleSet, RulesName, Seat, Set};
use leyden_rules::packed::{ROOM, TILES, Tiles, bit, is_packable, pack};
use leyden_rules::{Fits, Round};

use super::policy::PublicView;

/// How many hidden units there are.
pub const UNITS: usize = 64;

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
    /// What each of the [`INPUTS`] gives to them.
    pub inputs: Vec<Units>,
}

/// A network that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a line \"{name}\" with {UNITS} numbers, not {line:?}")]
pub struct NetworkError {
    name: String,
    line: String,
}

impl Network {
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
        let playable = pack(after.playable(Fits::for_set(Set::DoubleSix)));
        let (hand, outside, laid) = (pack(round.hand(seat)), pack(seen.outside), bit(lay.tile()));
        let next = round.rules().seats.after(seat);
        let counts = scaled([round.hand(seat).len(), round.hand(next).len(), round.drawable()]);
        let kept = hand & !laid;
        let roles = [kept, laid, playable & kept, playable & outside & !hand];
        let tiles = roles.into_iter().enumerate();
        let tiles = tiles.flat_map(|(role, tiles)| each(tiles).map(move |tile| (input(role, tile), 1.0)));
        counts.into_iter().enumerate().chain(tiles).collect()
    }

    /// Each line's name and numbers.
    fn lines(&self) -> impl Iterator<Item = (String, &Units)> {
        names().zip([&self.bias, &self.output].into_iter().chain(self.inputs.iter()))
    }
}

/// What each hidden unit gets from something, as a multiple of 1 / [`ONE`].
pub(super) type Sums = [i16; UNITS];

/// What 1 is in whole numbers. So they reach to 32; the sums of a unit stay below 5.
const ONE: f32 = 1024.0;

/// The same in whole numbers, for the belief, which asks for tens of thousands of values at each decision: a processor adds eight of
/// them at once, and what plays have in common is added up only once.
pub(crate) struct WholeNetwork {
    output: Sums,
    /// What the units get in any case, by the number of tiles in the hand, in the next one, and to draw.
    holds: [Sums; ROOM],
    next_holds: [Sums; ROOM],
    drawable: [Sums; ROOM],
    /// For each tile, what they get if it is in the hand; what changes if it is laid; what they get if others may play it afterwards;
    /// and what changes if that is in this hand.
    kept: [Sums; ROOM],
    laid: [Sums; ROOM],
    fed: [Sums; ROOM],
    own: [Sums; ROOM],
}

impl WholeNetwork {
    /// The one for these rules, where there is one.
    pub(crate) fn for_rules(rules: &RuleSet) -> Option<&'static Self> {
        static TRAINED: OnceLock<WholeNetwork> = OnceLock::new();
        let has_one = is_packable(rules) && rules.name == RulesName::Matador;
        has_one.then(|| TRAINED.get_or_init(|| Self::new(Network::trained())))
    }

    fn new(network: &Network) -> Self {
        let inputs = &network.inputs;
        let counts = |which: usize, bias: &Units| {
            std::array::from_fn(|count| {
                let [amount, ..] = scaled([count; COUNTS.len()]);
                whole(|unit| bias[unit] + amount * inputs[which][unit])
            })
        };
        // Of the numbers below ROOM some are not tiles.
        let tiles = |role: usize, less: Option<usize>| {
            std::array::from_fn(|tile| {
                let less = less.map(|role| &inputs[input(role, tile)]);
                whole(|unit| inputs[input(role, tile)][unit] - less.map_or(0.0, |less| less[unit]))
            })
        };
        let nothing = [0.0; UNITS];
        Self {
            output: whole(|unit| network.output[unit]),
            holds: counts(0, &network.bias),
            next_holds: counts(1, &nothing),
            drawable: counts(2, &nothing),
            kept: tiles(KEPT, None),
            laid: tiles(LAID, Some(KEPT)),
            fed: tiles(FED, None),
            own: tiles(PLAYABLE, Some(FED)),
        }
    }

    /// What the units get if the next seat holds this many tiles, and this many may be drawn.
    pub(super) fn public(&self, next_holds: usize, drawable: usize) -> Sums {
        sum(self.next_holds[next_holds % ROOM], &self.drawable[drawable % ROOM])
    }

    /// What they get if others may play these tiles.
    pub(super) fn fed(&self, tiles: Tiles) -> Sums {
        each(tiles).fold([0; UNITS], |units, tile| sum(units, &self.fed[tile % ROOM]))
    }

    /// What they get for every choice, with a hand.
    #[inline]
    pub(super) fn hand(&self, public: &Sums, hand: Tiles) -> Sums {
        let units = sum(*public, &self.holds[hand.count_ones() as usize % ROOM]);
        each(hand).fold(units, |units, tile| sum(units, &self.kept[tile % ROOM]))
    }

    /// The value of laying a tile from a hand after which some tiles of that hand, and what others hold, can be played. `fed` is for
    /// all tiles that can be played afterwards, in any hand.
    #[inline]
    pub(super) fn value(&self, hand: &Sums, tile: usize, playable_in_hand: Tiles, fed: &Sums) -> f32 {
        let rest = playable_in_hand & !(1 << tile);
        let units = sum(sum(*hand, fed), &self.laid[tile % ROOM]);
        let mut units = each(rest).fold(units, |units, tile| sum(units, &self.own[tile % ROOM]));
        if rest != playable_in_hand {
            // Nobody plays the tile that was laid.
            let fed = &self.fed[tile % ROOM];
            units.iter_mut().zip(fed).for_each(|(unit, fed)| *unit = unit.saturating_sub(*fed));
        }
        let values = units.iter().zip(&self.output);
        let value: i32 = values.map(|(unit, output)| i32::from((*unit).max(0)) * i32::from(*output)).sum();
        value as f32 / (ONE * ONE)
    }
}

#[inline]
fn sum(mut units: Sums, more: &Sums) -> Sums {
    units.iter_mut().zip(more).for_each(|(unit, more)| *unit = unit.saturating_add(*more));
    units
}

fn whole(unit: impl Fn(usize) -> f32) -> Sums {
    std::array::from_fn(|each| (unit(each) * ONE).round() as i16)
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
    type Err = NetworkError;

    /// One line per input, in order: its name, and what it gives to each unit.
    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let mut lines = text.lines();
        let read = |name: String| {
            let line = lines.next().unwrap_or_default();
            let numbers = line.strip_prefix(&name).unwrap_or_default().split_whitespace();
            let numbers: Vec<f32> = numbers.map_while(|word| word.parse().ok()).collect();
            Units::try_from(numbers).map_err(|_| NetworkError { name, line: line.to_owned() })
        };
        let mut rows: Vec<Units> = names().map(read).collect::<Result<_, _>>()?;
        let inputs = rows.split_off(2);
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

    /// What is computed for a choice is the sum over the inputs, in every position.
    #[test]
    fn fast_value_is_that_of_the_inputs() {
        let rules = Rules::standard(RulesName::Matador);
        let network = Network::trained();
        let mut dice = Dice::seeded(1);
        let mut compared = 0;
        for seed in 0..30 {
            let deck = shuffled(&rules, seed, DealNumber { round: 0, redeal: 0 });
            let Some(round) = Round::deal(&rules, &deck, Lead::Highest) else { continue };
            let mut playout = Playout::new(&round, &[], crate::strong::policy::Policy::for_rules(&rules));
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
        let expected: f32 =
            units.iter().zip(&network.output).map(|(unit, output)| unit.max(0.0) * output).sum();
        let other = round.rules().seats.after(seat);
        let next = NextSeat { holds: round.hand(other).len(), lacks: 0 };
        let event = HistoryAction::Play(arm, lay);
        let policy = crate::strong::policy::Policy::for_rules(round.rules());
        let taken = |network| {
            let choice =
                Choice::new(round.rules(), seen, event, next, round.drawable(), network).expect("a play");
            let mut value = None;
            choice.evaluate_plays(policy, pack(round.hand(seat)), |each, taken| {
                if taken {
                    value = Some(each);
                }
            });
            value.expect("it could be played")
        };
        let found = taken(WholeNetwork::for_rules(round.rules())) - taken(None);
        assert!((found - expected).abs() < 0.02, "{lay:?}: {found} is not {expected}");
    }

    #[test]
    fn network_round_trips_and_refuses_a_renamed_input() {
        let text = Network::trained().to_string();
        assert_eq!(text.parse::<Network>().unwrap(), *Network::trained());
        let cut = text.replacen("kept 0-1", "kept 0-9", 1);
        assert!(cut.parse::<Network>().unwrap_err().to_string().contains("kept 0-1"));
    }
}
