//! Goes through the stages of a competition with the results so far.

use leyden_model::BotIndex;
use leyden_protocol::Seats;

use super::standing::{CompetitionTable, PlaceLine};
use super::state::{History, StageState};
use super::{Competition, Play, bracket_stage, league_stage, points_stage};
use crate::bracket::Bracket;
use crate::groups::bracket_seeds;
use crate::round::NewRound;
use crate::schedule_error::ScheduleError;

impl Competition {
    /// What is played next; every match so far must be counted. `None` once everything is played.
    pub fn next(&self, seats: Seats, so_far: &History) -> Result<Option<NewRound>, ScheduleError> {
        Ok(self.progress(seats, so_far)?.pop().and_then(|state| state.next))
    }

    /// How it stands.
    pub fn table(&self, seats: Seats, so_far: &History) -> Result<CompetitionTable, ScheduleError> {
        let reached = self.progress(seats, so_far)?;
        let over = reached.len() == self.stages.len() && reached.last().is_some_and(|state| state.table.over);
        // Stages that have not begun have nothing to show, but their bots are those who went on.
        let has_begun =
            |(number, _): &(u32, &StageState)| *number == 0 || !so_far.of_stage(*number).0.is_empty();
        let begun: Vec<(u32, &StageState)> = (0..).zip(&reached).filter(has_begun).collect();
        let mut lines: Vec<PlaceLine> = Vec::new();
        for &(stage, state) in begun.iter().rev() {
            for level in &state.levels {
                let is_new = |bot: &&BotIndex| lines.iter().all(|line| line.bot != **bot);
                let new: Vec<BotIndex> = level.iter().filter(is_new).copied().collect();
                let (place, shared) = (lines.len() as u32 + 1, new.len() > 1);
                lines.extend(new.into_iter().map(|bot| PlaceLine { place, shared, bot, stage }));
            }
        }
        let tables = begun.iter().map(|(_, state)| state.table.clone()).collect();
        Ok(CompetitionTable { over, places: lines, stages: tables })
    }

    /// The state of each stage, up to the first that is not over.
    fn progress(&self, seats: Seats, so_far: &History) -> Result<Vec<StageState>, ScheduleError> {
        let mut seeds = self.seeds.clone();
        let mut states = Vec::new();
        for (number, stage) in (0..).zip(&self.stages) {
            let presence = if number == 0 { &self.presence[..] } else { &[] };
            let numbered = (number, stage);
            let mut state = match stage.play {
                Play::RoundRobin | Play::Tables { .. } | Play::Swiss { .. } | Play::Groups { .. } => {
                    points_stage::state(numbered, &seeds, presence, seats, so_far)?
                }
                Play::Knockout { best_of, third_place } => {
                    let bracket = Bracket::knockout(seeds.len(), third_place);
                    bracket_stage::state(numbered, (&bracket, best_of), &seeds, so_far)
                }
                Play::DoubleElimination { best_of } => {
                    let bracket = Bracket::double_elimination(seeds.len());
                    bracket_stage::state(numbered, (&bracket, best_of), &seeds, so_far)
                }
                Play::League { .. } => league_stage::state(numbered, &seeds, presence, seats, so_far)?,
            };
            let over = state.table.over;
            if let Some(best) = stage.advance {
                seeds = advancing(&state, best as usize);
                if over {
                    for line in state.table.groups.iter_mut().flatten() {
                        line.advances = seeds.contains(&line.bot);
                    }
                }
            }
            states.push(state);
            if !over {
                break;
            }
        }
        Ok(states)
    }
}

/// The seeds of the next stage.
fn advancing(state: &StageState, best: usize) -> Vec<BotIndex> {
    let stays = |bot: &&BotIndex| !state.left.contains(bot);
    let from_each = best / state.ranked.len().max(1);
    let best_of = |group: &Vec<BotIndex>| group.iter().filter(stays).take(from_each).copied().collect();
    let groups: Vec<Vec<BotIndex>> = state.ranked.iter().map(best_of).collect();
    match &groups[..] {
        [one] => one.clone(),
        _ => bracket_seeds(&groups),
    }
}
