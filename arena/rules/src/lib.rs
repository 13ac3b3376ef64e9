//! The game of Leyden and its relatives: six rule sets as data, rounds and matches as pure state.
//!
//! No clock, no seed, no thread, no I/O. A [`Match`] is given a checked [`Deck`] for each deal and an [`Action`]
//! for each turn, and answers with what happened. Bots that look ahead use [`Round`] alone: it is `Copy`, and neither
//! counting ([`Legal::len`]), picking ([`Legal::nth`]) nor applying an action allocates.
//!
//! What the rules say is written for players in `arena/rules/README.md`.
//!
//! [`Action`]: leyden_protocol::Action
#![forbid(unsafe_code)]

mod deck;
mod fits;
mod layout;
mod legal;
mod matchplay;
mod round;
mod ruleset;
mod score;

pub use deck::{Deck, NotADeck};
pub use legal::{Legal, Plays};
pub use matchplay::{DealNumber, DealOutcome, Match, MatchFinish, REFUSED_DEALS, ROUND_LIMIT, RoundResult};
pub use round::information_set::InformationSet;
pub use round::{Contradiction, Illegal, Lead, Round, RoundOutcome};
pub use ruleset::{DEFAULT_TARGET, InvalidRules, Rules};
pub use score::{best, points};
