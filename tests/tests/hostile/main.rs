//! Misbehaving bots, each a real process under the real arena: all that they do costs exactly their own match.

mod bounds;
mod continuation;
mod fair_time;
mod honest_bots;
mod leftovers;
mod overload;
mod table;
mod terminal;
mod verdicts;
