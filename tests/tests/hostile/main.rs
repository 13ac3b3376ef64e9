//! Misbehaving bots, each a real process under the real arena: whatever they do costs exactly their own match.

mod bounds;
mod fair;
mod leftovers;
mod oddities;
mod overloaded;
mod ran;
mod table;
mod terminal;
mod verdicts;
