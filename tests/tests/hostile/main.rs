//! Misbehaving bots, each a real process under the real arena: whatever they do costs exactly their own match.

mod bounds;
mod continued;
mod fair;
mod leftovers;
mod oddities;
mod overloaded;
mod table;
mod terminal;
mod verdicts;
