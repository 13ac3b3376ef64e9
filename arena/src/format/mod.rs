//! Which matches a tournament consists of, in which order.

mod schedule;

pub use schedule::{NoSchedule, Schedule};
