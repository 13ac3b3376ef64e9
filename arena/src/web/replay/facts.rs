//! What the script of a replay plays.

use serde::Serialize;

use super::story::{Lines, ReplayView};
use super::table::DealDrawing;

/// What the script plays.
#[derive(Serialize)]
pub(super) struct ReplayContent<'a> {
    /// The bots' names, made printable.
    pub(super) names: Vec<String>,
    /// Where the tiles of each deal lie; what was played is open to all.
    pub(super) tables: Vec<DealDrawing>,
    /// The views that there are; the first is shown first.
    pub(super) views: &'a [ReplayView],
    /// The lines that bots were told.
    pub(super) lines: Lines,
}
