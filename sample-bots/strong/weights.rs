//! The trained weights: what `examples/train_strong.rs` writes, made ready to play by.
//!
//! ```text
//! cargo run --release -p leyden-sample-bots --example train_strong > weights.txt && mv weights.txt sample-bots/strong/
//! ```
//!
//! That program starts from weights set by hand and has only seeded chance, so it makes the same file again until the bot that it
//! trains is changed; then a test of it fails.

use std::sync::OnceLock;

use leyden_protocol::{RuleSet, RulesName, Seats, Set};
use leyden_rules::{DEFAULT_TARGET, Rules};

use super::features::Weights;
use super::policy::Policy;

const TEXT: &str = include_str!("weights.txt");

/// What a policy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Role {
    /// To play rounds to their end, as well as a glance allows.
    Playout,
    /// To tell how likely a play of another seat was; it is fitted to what a search chose.
    Model,
}

impl Role {
    pub const ALL: [Self; 2] = [Self::Playout, Self::Model];

    /// As it stands in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Playout => "playout",
            Self::Model => "model",
        }
    }
}

/// The tables that weights are trained for: each rule set as it is usually played, and `matador`, the only one that allows them,
/// with more seats and with the larger sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Standard(RulesName),
    MoreSeats,
    DoubleNine,
    DoubleTwelve,
}

impl Variant {
    /// In the order of the file.
    pub const ALL: [Self; RulesName::ALL.len() + 3] = {
        let mut all = [Self::DoubleTwelve; RulesName::ALL.len() + 3];
        let mut place = 0;
        while place < RulesName::ALL.len() {
            all[place] = Self::Standard(RulesName::ALL[place]);
            place += 1;
        }
        all[place] = Self::MoreSeats;
        all[place + 1] = Self::DoubleNine;
        all
    };

    /// The one whose weights are used with these rules.
    pub fn of(rules: &RuleSet) -> Self {
        match rules.set {
            Set::DoubleSix if rules.seats == Seats::TWO => Self::Standard(rules.name),
            Set::DoubleSix => Self::MoreSeats,
            Set::DoubleNine => Self::DoubleNine,
            Set::DoubleTwelve => Self::DoubleTwelve,
        }
    }

    /// The rules that its weights are trained by.
    ///
    /// # Panics
    /// If the rules crate did not allow them.
    pub fn rules(self) -> Rules {
        let (seats, set) = match self {
            Self::Standard(name) => return Rules::standard(name),
            Self::MoreSeats => (4, Set::DoubleSix),
            Self::DoubleNine => (3, Set::DoubleNine),
            Self::DoubleTwelve => (3, Set::DoubleTwelve),
        };
        let seats = Seats::new(seats).expect("2 to 8 seats");
        Rules::new(RulesName::Matador, seats, set, DEFAULT_TARGET).expect("a table of matador")
    }

    /// As it stands in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard(name) => name.as_str(),
            Self::MoreSeats => "matador-more-seats",
            Self::DoubleNine => "matador-double-nine",
            Self::DoubleTwelve => "matador-double-twelve",
        }
    }
}

/// The weights for a table.
///
/// # Panics
/// If the file, which is a part of the program, is not what [`Weights`] reads.
pub fn weights(variant: Variant, role: Role) -> Weights {
    let head = format!("[{} {}]\n", variant.name(), role.name());
    let text = TEXT.split_once(&head).map(|(_, text)| text.parse());
    match text {
        Some(Ok(weights)) => weights,
        Some(Err(wrong)) => panic!("{head}{wrong}"),
        None => panic!("{head} is missing"),
    }
}

/// The trained policy for these rules.
pub(crate) fn trained(rules: &RuleSet, role: Role) -> &'static Policy {
    static ALL: [OnceLock<[Policy; 2]>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];
    let variant = Variant::of(rules);
    let place = Variant::ALL.iter().position(|&each| each == variant).unwrap_or_default();
    let both =
        ALL[place].get_or_init(|| Role::ALL.map(|role| Policy::new(rules.set, &weights(variant, role))));
    &both[role as usize]
}
