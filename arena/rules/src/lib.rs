//! The game of Leyden and its relatives: six rule sets as data, rounds and matches as pure state.
//!
//! No clock, no seed, no thread, no I/O. A [`Match`] takes a checked [`Deck`] for each deal and an [`Action`] for each
//! turn, and returns what happened. Bots that look ahead use [`Round`] alone: it is `Copy`, and counting
//! ([`LegalActions::len`]), indexing ([`LegalActions::nth`]) and applying actions never allocate. For millions of playouts there is a
//! smaller one between two seats, [`packed::PackedRound`].
//!
//! `arena/rules/README.md` explains the rules to players.
//!
//! [`Action`]: leyden_protocol::Action
#![forbid(unsafe_code)]

mod deck;
mod fits;
mod layout;
mod legal_actions;
mod matchplay;
pub mod packed;
mod round;
mod ruleset;
mod score;

pub use deck::{Deck, DeckError};
pub use fits::Fits;
pub use legal_actions::{LegalActions, Plays};
pub use matchplay::{DealNumber, DealOutcome, Match, MatchFinish, REFUSED_DEALS, ROUND_LIMIT, RoundResult};
pub use round::information_set::InformationSet;
pub use round::{IllegalActionError, Lead, Round, RoundOutcome, SuppositionError};
pub use ruleset::{DEFAULT_TARGET, Rules, RulesError};
pub use score::{best, points};
