//! Tests of the rules as players at a table see them, through the crate's public API alone.

mod dice;
mod ends;
mod examples;
mod golden;
mod laws;
mod layouts;
mod leads;
mod packed;
mod page;
mod perft;
mod script;
mod secrecy;
mod suppositions;
mod tables;
