//! Tests of the rules as a table of players would see them, through the public names of the crate alone.

mod golden;
mod perft;
