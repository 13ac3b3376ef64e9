//! The trained weights: what `examples/train_strong.rs` writes, made ready to play by.
//!
//! ```text
//! cargo run --release -p leyden-sample-bots --example train_strong > weights.txt && mv weights.txt sample-bots/strong/
//! ```
//!
//! That program starts from weights set by hand and has only seeded chance, so it makes the same file again, until the bot that it
//! trains is changed.

use std::sync::OnceLock;

use leyden_protocol::{RuleSet, RulesName, Set};

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

/// The weights of a rule set.
///
/// # Panics
/// If the file, which is a part of the program, is not what [`Weights`] reads.
pub fn weights(rules: RulesName, role: Role) -> Weights {
    let head = format!("[{rules} {}]\n", role.name());
    let table = TEXT.split_once(&head).map(|(_, table)| table.parse());
    match table {
        Some(Ok(weights)) => weights,
        Some(Err(wrong)) => panic!("{head}{wrong}"),
        None => panic!("{head} is missing"),
    }
}

/// The trained policy of a rule set.
pub(crate) fn trained(rules: &RuleSet, role: Role) -> &'static Policy {
    // With the larger sets only matador is played.
    static ALL: [OnceLock<[Policy; 2]>; RulesName::ALL.len() + 2] =
        [const { OnceLock::new() }; RulesName::ALL.len() + 2];
    let at = match rules.set {
        Set::DoubleSix => rules.name as usize,
        larger => RulesName::ALL.len() - 1 + larger as usize,
    };
    let both =
        ALL[at].get_or_init(|| Role::ALL.map(|role| Policy::new(rules.set, &weights(rules.name, role))));
    &both[role as usize]
}
