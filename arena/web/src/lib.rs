//! HTML pages, made from projections of events and records. What a bot, a file or a person wrote is text in them, never markup.

pub mod chart;
mod columns;
mod document;
pub mod drawing;
pub mod feedback;
pub mod likeness;
pub mod pages;
pub mod play;
pub mod replay;
pub mod report;
#[cfg(test)]
mod same_texts;
pub mod series;
pub mod server;
mod slots;
pub mod snapshot;
mod stage;
pub mod tile;

/// The style sheet that all pages share.
pub const LOOK: &str = include_str!("assets/look.css");
