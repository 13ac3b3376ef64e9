//! Misbehaving bots, each a real process under the real arena: all that they do costs exactly their own match.

mod bounds;
mod continued;
mod fair;
mod honest_bots;
mod leftovers;
mod overloaded;
mod table;
mod terminal;
mod verdicts;
