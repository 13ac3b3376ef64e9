//! Whether a competition can be played, and how long it is about.

use leyden_language::Language;
use leyden_protocol::Seats;

use super::{Competition, Play, Stage};
use crate::designs::{self, Balance};
use crate::schedule_error::ScheduleError;

impl Competition {
    /// Checks that every stage can be played by as many bots as it will have.
    pub fn check(&self, seats: Seats) -> Result<(), ScheduleError> {
        let last = self.stages.len().saturating_sub(1);
        if self.stages.is_empty() {
            return Err(ScheduleError::NoStage);
        }
        if self.is_league() && last > 0 {
            return Err(ScheduleError::LeagueAlone);
        }
        for (number, (stage, bots)) in self.field_sizes().enumerate() {
            stage.check(bots, seats)?;
            match (stage.advance, number == last) {
                (None, true) => {}
                (Some(_), true) => return Err(ScheduleError::NowhereToAdvance),
                (None, false) => return Err(ScheduleError::NobodyAdvances { stage: number as u32 + 1 }),
                (Some(best), false) => {
                    if best > bots || best < seats.count() as u32 {
                        let stage = number as u32 + 1;
                        return Err(ScheduleError::Advance { stage, best, bots, seats });
                    }
                }
            }
        }
        Ok(())
    }

    /// The number of matches in all stages together, if no meeting is level and, where meetings may end early, all are played
    /// in full. A double elimination is counted with one grand final.
    pub fn expected_matches(&self, seats: Seats) -> u64 {
        self.stage_matches(seats).into_iter().sum()
    }

    /// The same for each stage.
    pub fn stage_matches(&self, seats: Seats) -> Vec<u64> {
        let legs = seats.count() as u64;
        let matches =
            |(stage, bots): (&Stage, u32)| stage.play.meetings(bots, seats) * u64::from(stage.blocks) * legs;
        self.field_sizes().map(matches).collect()
    }

    /// How even the tables of each stage are that does not play all there could be.
    pub fn balances(&self, seats: Seats) -> Vec<Balance> {
        let of_stage = |(stage, bots): (&Stage, u32)| {
            let Play::Tables { tables } = stage.play else { return None };
            Some(designs::balance(bots, &designs::tables(bots, seats.count(), tables as usize)))
        };
        self.field_sizes().filter_map(of_stage).collect()
    }
}

impl Stage {
    fn check(&self, bots: u32, seats: Seats) -> Result<(), ScheduleError> {
        if self.blocks == 0 {
            return Err(ScheduleError::NoBlocks);
        }
        if self.play.needs_two_seats() && seats != Seats::TWO {
            let stage = self.play.describe(Language::English);
            return Err(ScheduleError::TwoSeatsOnly { stage, seats });
        }
        if (bots as usize) < seats.count() {
            return Err(ScheduleError::TooFewBots { bots: bots as usize, seats });
        }
        self.play.check(bots, self.advance, seats)
    }
}
