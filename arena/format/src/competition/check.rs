//! Whether a competition can be played, and how long it is about.

use leyden_protocol::Seats;

use super::{Competition, Play, Stage};
use crate::bracket::{Bracket, Side};
use crate::designs::{self, Balance};
use crate::no_schedule::NoSchedule;
use crate::swiss::MOST_IN_SWISS;

impl Competition {
    /// Checks that every stage can be played by as many bots as it will have.
    pub fn check(&self, seats: Seats) -> Result<(), NoSchedule> {
        let last = self.stages.len().saturating_sub(1);
        if self.stages.is_empty() {
            return Err(NoSchedule::NoStage);
        }
        for (number, (stage, bots)) in self.field_sizes().enumerate() {
            stage.check(bots, seats)?;
            match (stage.advance, number == last) {
                (None, true) => {}
                (Some(_), true) => return Err(NoSchedule::NowhereToAdvance),
                (None, false) => return Err(NoSchedule::NobodyAdvances { stage: number as u32 + 1 }),
                (Some(best), false) => {
                    if best > bots || best < seats.count() as u32 {
                        let stage = number as u32 + 1;
                        return Err(NoSchedule::Advance { stage, best, bots, seats });
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
            |(stage, bots): (&Stage, u32)| stage.meetings(bots, seats) * u64::from(stage.blocks) * legs;
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
    fn check(&self, bots: u32, seats: Seats) -> Result<(), NoSchedule> {
        if self.blocks == 0 {
            return Err(NoSchedule::NoBlocks);
        }
        if self.play.needs_two_seats() && seats != Seats::TWO {
            return Err(NoSchedule::TwoSeatsOnly { format: self.play.name(), seats });
        }
        if (bots as usize) < seats.count() {
            return Err(NoSchedule::TooFewBots { bots: bots as usize, seats });
        }
        match self.play {
            Play::Swiss { rounds: 0 } => Err(NoSchedule::NoRounds),
            Play::Swiss { .. } if bots as usize > MOST_IN_SWISS => Err(NoSchedule::LargeSwiss { bots }),
            Play::Groups { groups } if groups == 0 || bots / groups < seats.count() as u32 => {
                Err(NoSchedule::SmallGroups { groups, bots, seats })
            }
            Play::Groups { groups } if self.advance.is_some_and(|best| !best.is_multiple_of(groups)) => {
                Err(NoSchedule::UnequalGroups { groups, best: self.advance.unwrap_or(0) })
            }
            Play::Groups { groups } if self.advance.is_some_and(|best| best / groups > bots / groups) => {
                Err(NoSchedule::SmallGroups { groups, bots, seats })
            }
            Play::Tables { tables } if tables == 0 || u64::from(tables) > subsets(bots.into(), seats) => {
                Err(NoSchedule::NoSuchTables { tables, bots, seats, all: subsets(bots.into(), seats) })
            }
            _ => Ok(()),
        }
    }

    /// How many meetings it has.
    fn meetings(&self, bots: u32, seats: Seats) -> u64 {
        let n = u64::from(bots);
        match self.play {
            Play::RoundRobin => subsets(n, seats),
            Play::Tables { tables } => tables.into(),
            Play::Swiss { rounds } => n / 2 * u64::from(rounds),
            Play::Groups { groups } => {
                let groups = u64::from(groups);
                let larger = n % groups;
                larger * subsets(n / groups + 1, seats) + (groups - larger) * subsets(n / groups, seats)
            }
            Play::Knockout { third_place, .. } => {
                let bracket = Bracket::knockout(bots as usize, third_place);
                n - 1 + u64::from(bracket.rounds(Side::ThirdPlace))
            }
            Play::DoubleElimination { .. } => 2 * n - 2,
        }
    }
}

/// The number of tables of that many bots.
fn subsets(bots: u64, seats: Seats) -> u64 {
    let k = seats.count() as u64;
    if bots < k {
        return 0;
    }
    let count = (0..k)
        .try_fold(1_u128, |count, i| Some(count.checked_mul(u128::from(bots - i))? / u128::from(i + 1)));
    count.and_then(|count| u64::try_from(count).ok()).unwrap_or(u64::MAX)
}
