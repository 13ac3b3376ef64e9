//! The trained weights: what `examples/train_strong.rs` writes, ready to play by.
//!
//! ```text
//! cargo run --release -p leyden-sample-bots --example train_strong > weights.txt && mv weights.txt sample-bots/strong/
//! ```
//!
//! That program starts from weights set by hand and uses only seeded randomness, so it makes the same file again until the bot that
//! it trains changes; then a test in it fails.

use leyden_protocol::{RuleSet, RulesName, Seats, Set};
use leyden_rules::{DEFAULT_TARGET, Rules};

use super::features::Weights;

const TEXT: &str = include_str!("weights.txt");

/// What a policy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Role {
    /// Playing rounds to their end, as well as possible without search.
    Playout,
    /// Estimating how likely a play of another seat was; it is fitted to the choices of bots that search.
    Model,
}

impl Role {
    pub const ALL: [Self; 2] = [Self::Playout, Self::Model];

    /// The name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Playout => "playout",
            Self::Model => "model",
        }
    }
}

/// What weights are trained for: each rule set in its standard form; and `matador`, the only one to allow them, with more seats and
/// with the larger sets.
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
        let mut index = 0;
        while index < RulesName::ALL.len() {
            all[index] = Self::Standard(RulesName::ALL[index]);
            index += 1;
        }
        all[index] = Self::MoreSeats;
        all[index + 1] = Self::DoubleNine;
        all
    };

    /// The variant whose weights are used with these rules.
    pub fn for_rules(rules: &RuleSet) -> Self {
        match rules.set {
            Set::DoubleSix if rules.seats == Seats::TWO => Self::Standard(rules.name),
            Set::DoubleSix => Self::MoreSeats,
            Set::DoubleNine => Self::DoubleNine,
            Set::DoubleTwelve => Self::DoubleTwelve,
        }
    }

    /// The rules that its weights are trained with.
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

    /// The name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard(name) => name.as_str(),
            Self::MoreSeats => "matador-more-seats",
            Self::DoubleNine => "matador-double-nine",
            Self::DoubleTwelve => "matador-double-twelve",
        }
    }
}

/// The weights of a variant.
///
/// # Panics
/// If the file, which is part of the program, cannot be read.
pub fn weights(variant: Variant, role: Role) -> Weights {
    let head = format!("[{} {}]\n", variant.name(), role.name());
    let text = TEXT.split_once(&head).map(|(_, text)| text.parse());
    match text {
        Some(Ok(weights)) => weights,
        Some(Err(wrong)) => panic!("{head}{wrong}"),
        None => panic!("{head} is missing"),
    }
}
