//! What a stage is computed from, and its state.

use leyden_model::BotIndex;

use super::standing::StageTable;
use crate::crosstable::Crosstable;
use crate::round::{NewRound, StageRound};

/// The rounds so far, and what was won in them.
#[derive(Clone, Copy, Debug)]
pub struct History<'a> {
    pub rounds: &'a [StageRound],
    pub results: &'a Crosstable,
    /// How many of the rounds are complete, from the first on: only these decide anything.
    pub complete: usize,
}

impl<'a> History<'a> {
    /// The rounds of a stage, and how many of them are complete.
    pub(super) fn of_stage(&self, stage: u32) -> (&'a [StageRound], usize) {
        let first = self.rounds.partition_point(|round| round.stage() < stage);
        let end = self.rounds.partition_point(|round| round.stage() <= stage);
        (&self.rounds[first..end], self.complete.saturating_sub(first).min(end - first))
    }
}

/// The state of a stage.
pub(super) struct StageState {
    /// What is played next in it; `None` if it is over, or if a round is not complete.
    pub(super) next: Option<NewRound>,
    pub(super) table: StageTable,
    /// The bots of each group, best first; those who share a place are in the order of their seeds.
    pub(super) ranked: Vec<Vec<BotIndex>>,
    /// The bots of each place, best first.
    pub(super) levels: Vec<Vec<BotIndex>>,
    /// Bots that have left: they don't go on.
    pub(super) left: Vec<BotIndex>,
}
