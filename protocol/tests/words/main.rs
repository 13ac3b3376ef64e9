//! The words of the protocol from outside: what is read, what is written, and that the protocol page tells the truth.

mod answer;
mod any;
mod forms;
mod messages;
mod readme;
mod schema;
mod turn_line;
