//! Tests the protocol from outside: what is parsed, what is written, and that the protocol page is true.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the protocol touches no files and starts no processes, its tests do"
)]

mod answer;
mod forms;
mod messages;
mod mistakes;
mod notation;
mod note;
mod printed_values;
mod readme;
mod schema;
mod strategies;
mod turn_line;
