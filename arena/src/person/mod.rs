//! A table that people sit at, or look at: bots as processes beside a seat whose answers come from outside, or bots alone
//! that wait to be told to go on. One match, by the same referee, kept in a results file like any other. Shows nothing itself.
//!
//! Whoever sits there is told what [`Projection`](leyden_model::projection) lets a seat know, and the [`Turn`](leyden_protocol::Turn) that a bot
//! would be sent; the coach gets that turn and nothing else. Nobody hurries a person; bots have their limits.
//!
//! A step back begins a practice match: everybody's answers up to that moment are given again, bots as fresh processes
//! that are asked all of it once more, and nothing of it is stored. What was given up is not stored either.

mod bot;
pub mod coach;
mod levels;
mod log;
mod messages;
mod seat;
mod session;
mod table;
pub mod words;

pub use levels::{LEVELS, OpponentLevel};
pub use messages::{FromPerson, RestartReason, SessionEnd, ToPerson};
pub use session::Session;
pub use table::{PERSON, ReadyTable};
