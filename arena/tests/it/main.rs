//! Tests of the library from outside, in one program.

mod in_process_players;
#[path = "../mutation/mod.rs"]
mod mutation;
mod mutations;
mod older_files;
