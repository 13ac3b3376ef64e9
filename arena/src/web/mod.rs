//! Pages: projections of events and records, as HTML. What a bot, a file or a person wrote is text in them, never markup.

pub mod chart;
pub mod drawing;
pub mod pages;
pub mod play;
pub mod replay;
pub mod report;
pub mod server;
pub mod snapshot;
pub mod tile;

/// The look that every page shares.
pub const LOOK: &str = include_str!("assets/look.css");
