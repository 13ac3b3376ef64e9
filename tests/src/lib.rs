//! What the end-to-end tests share: the arena's program as a child process, and a look at what is left behind.

pub mod arena;
pub mod marked;
