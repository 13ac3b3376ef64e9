//! Sample bots for Leyden Arena, from one that plays anything to one that plays well.
//!
//! Each bot has its own folder, as a competitor would hand it in, with a `bot.toml`, a program and the strategy:
//!
//! | bot | how it plays |
//! |---|---|
//! | [`random`] | any legal action |
//! | [`greedy`] | its heaviest tile |
//! | [`careful`] | keeps matadors and its own options, starves the others; `--blunder 25` makes a quarter of its answers random |
//! | [`montecarlo`] | plays out deals that fit what it has seen; `--playouts 500` sets how many per decision |
//! | [`ladder`] | `--level 1` to `--level 8`: each with more ideas than the one below, from any tile to nearly `strong` |
//! | [`strong`] | weighs those deals by what the others did, and plays them out by a trained policy; `--think 50ms` sets how long |
//!
//! `STRENGTH.md` measures how strong they are; `THINKING.md` explains how they think.
//!
//! The bots share the conversation with the arena ([`play`]). Tests and benchmarks call a [`Strategy`] directly
//! ([`strategy`]) and play whole matches in one process ([`table`]).
#![forbid(unsafe_code)]

pub mod arithmetic;
mod conversation;
pub mod dice;
mod evaluation;
mod reading;
mod roster;
mod sources;
mod strategy;
pub mod table;

#[path = "../careful/strategy.rs"]
pub mod careful;
#[path = "../greedy/strategy.rs"]
pub mod greedy;
#[path = "../ladder/strategy.rs"]
pub mod ladder;
#[path = "../montecarlo/strategy.rs"]
pub mod montecarlo;
#[path = "../random/strategy.rs"]
pub mod random;
#[path = "../strong/strategy.rs"]
pub mod strong;

pub use conversation::{ConversationError, converse};
pub use roster::{BotError, ChoiceError, names, play, run, strategy};
pub use sources::SOURCES;
pub use strategy::Strategy;
