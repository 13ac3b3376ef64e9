//! Tests of the library from outside, in one program.

mod in_process;
mod mutated;
#[path = "../mutation/mod.rs"]
mod mutation;
mod older_files;
