//! The words of the protocol from outside: what is read, what is written, and that the protocol page tells the truth.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the words touch no files and start no processes, their tests do"
)]

mod answer;
mod any;
mod forms;
mod messages;
mod notation;
mod readme;
mod schema;
mod turn_line;
