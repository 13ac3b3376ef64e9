//! The stage of an event: what an audience is shown of matches that were played, at the pace of people.
//!
//! An organiser decides what is shown and what is revealed; nothing here waits for a bot or a run. The audience's page is built from a
//! [`StagedMatch`] up to the present moment, and from a snapshot of what is revealed: what is not, does not reach a browser.

mod command;
mod control;
mod decisive_moment;
mod moments;
mod page;
mod programme;
mod stage_file;
mod state;
#[cfg(test)]
mod tests;
mod winner;

pub(crate) use command::{ControlRequest, StageCommand};
pub(crate) use control::{ControlPage, control_document};
pub(crate) use moments::StagedMatch;
pub(crate) use page::{OpenMatch, StageScene, document, scene};
pub(crate) use programme::{ListedMatch, Programme, StagedRound};
pub(crate) use stage_file::StageFile;
pub use stage_file::StageFileError;
pub(crate) use state::{Shown, Stage, StageOrder, StageOrderError, StagedKey};

/// The stage's own style and scripts.
pub(crate) const STYLE: &str = include_str!("../assets/stage.css");
pub(crate) const SCRIPT: &str = include_str!("../assets/stage.js");
pub(crate) const CONTROL_SCRIPT: &str = include_str!("../assets/control.js");
