//! The trained weights: what `examples/train_strong.rs` writes, ready to play by.
//!
//! ```text
//! cargo run --release -p leyden-sample-bots --example train_strong > weights.txt && mv weights.txt sample-bots/strong/
//! ```
//!
//! That program starts from weights set by hand and uses only seeded randomness, so it makes the same file again until the bot that
//! it trains changes; then a test in it fails.

use std::sync::OnceLock;

use leyden_protocol::{RuleSet, RulesName, Set};

use super::duel::is_duel;
use super::features::Weights;
use super::policy::Policy;
use crate::ladder::weights_by_hand;

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

/// The weights that were trained for a rule set, between two seats with the double-six set.
///
/// # Panics
/// If the file, which is part of the program, cannot be read.
pub fn weights(rules: RulesName, role: Role) -> Weights {
    let head = format!("[{rules} {}]\n", role.name());
    let text = TEXT.split_once(&head).map(|(_, text)| text.parse());
    match text {
        Some(Ok(weights)) => weights,
        Some(Err(wrong)) => panic!("{head}{wrong}"),
        None => panic!("{head} is missing"),
    }
}

/// The weights for these rules. More seats and larger sets, which only `matador` allows, are played out by weights set by hand: weights
/// trained for them were no better, and worse between two seats with double-nine.
pub(super) fn weights_of(rules: &RuleSet, role: Role) -> Weights {
    if role == Role::Playout && !is_duel(rules) { weights_by_hand() } else { weights(rules.name, role) }
}

/// The policy for these rules.
pub(crate) fn trained(rules: &RuleSet, role: Role) -> &'static Policy {
    const COUNT: usize = RulesName::ALL.len();
    static DUELS: [OnceLock<[Policy; 2]>; COUNT] = [const { OnceLock::new() }; COUNT];
    static OTHERS: [OnceLock<[Policy; 2]>; Set::ALL.len()] = [const { OnceLock::new() }; Set::ALL.len()];
    let place = if is_duel(rules) { &DUELS[rules.name as usize] } else { &OTHERS[rules.set as usize] };
    let both = place.get_or_init(|| Role::ALL.map(|role| Policy::new(rules.set, &weights_of(rules, role))));
    &both[role as usize]
}
