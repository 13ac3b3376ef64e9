//! Pages: projections of events and records, as HTML. What a bot, a file or a person wrote is text in them, never markup.

pub mod drawing;
pub mod replay;
pub mod tile;

/// The look that every page shares.
pub const LOOK: &str = include_str!("assets/look.css");
