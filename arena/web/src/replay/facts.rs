//! The data for the script of a replay.

use std::collections::BTreeMap;

use serde::Serialize;

use super::story::{Lines, ReplayView};
use super::table::DealDrawing;

/// The data for the script.
#[derive(Serialize)]
pub(super) struct ReplayContent<'a> {
    /// The bots' names, made printable.
    pub(super) names: Vec<String>,
    /// The spots of the tiles in each deal. Laid tiles are public.
    pub(super) tables: Vec<DealDrawing>,
    /// The available views; the first one is shown first.
    pub(super) views: &'a [ReplayView],
    /// The lines that bots were sent.
    pub(super) lines: Lines,
    /// The texts that the script shows, by name, with the names of values in braces.
    pub(super) texts: BTreeMap<&'static str, String>,
}
