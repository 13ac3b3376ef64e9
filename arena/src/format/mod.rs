//! Which matches a tournament consists of, phase by phase, in order. Pure arithmetic: no clock, no I/O, and no list that
//! grows with the number of tables.

mod crosstable;
mod dimensions;
mod done;
mod no_schedule;
mod phase;
mod schedule;
mod tables;

use leyden_model::BotIndex;
use leyden_protocol::Seats;
use serde::{Deserialize, Serialize};

pub use crosstable::Crosstable;
pub use dimensions::Dimensions;
pub use done::Done;
pub use no_schedule::NoSchedule;
pub use phase::TournamentPhase;
pub use schedule::Schedule;
pub use tables::Tables;

/// Who plays whom. A new format is a new variant that answers the questions below.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "snake_case", deny_unknown_fields)]
pub enum Format {
    /// All tables of the bots meet once a block.
    #[default]
    RoundRobin,
    /// All tables with at least one of these bots meet once a block; the others do not meet among themselves.
    Gauntlet {
        /// Ascending.
        challengers: Vec<BotIndex>,
    },
    /// All bots sit down once, in their order. For a match with a person, who would know the deals in a second leg.
    Single,
    /// A format for tests that depends on results: bots 0 and 1 meet, then the winner meets the next bot, and so on.
    #[cfg(test)]
    Ladder,
    /// A ladder at the end of which bots 0 and 1 meet again.
    #[cfg(test)]
    LadderWithRematch,
}

impl Format {
    /// Returns the tables of phase `number`, from 0; `None` after the last phase. `so_far` must hold every match of the phases
    /// before; the order in which they ended does not matter. A table may meet in several phases: [`Schedule`] numbers the
    /// blocks so that it gets new deals.
    ///
    /// # Errors
    /// If the bots cannot be scheduled like this.
    #[cfg_attr(
        not(test),
        expect(unused_variables, reason = "only the format for tests has to wait for results yet")
    )]
    pub fn tables(
        &self,
        number: u32,
        size: Dimensions,
        so_far: &Crosstable,
    ) -> Result<Option<Tables>, NoSchedule> {
        Ok(match (self, number) {
            (Self::RoundRobin | Self::Single, 0) => Some(Tables::all(size)?),
            (Self::Gauntlet { challengers }, 0) => Some(Tables::with(size, challengers)?),
            #[cfg(test)]
            (Self::LadderWithRematch, _) if number == size.bots - 1 => {
                leyden_model::Table::new(&[BotIndex(0), BotIndex(1)]).map(|table| Tables::listed(vec![table]))
            }
            #[cfg(test)]
            (Self::Ladder | Self::LadderWithRematch, _) => {
                so_far.ladder(number, size).map(|table| Tables::listed(vec![table]))
            }
            _ => None,
        })
    }

    /// The number of matches in a pair: one for each seating, if the players forget a deal.
    pub fn legs(&self, seats: Seats) -> u32 {
        if *self == Self::Single { 1 } else { seats.count() as u32 }
    }

    /// Whether a phase depends on the results of the phases before.
    pub fn is_adaptive(&self) -> bool {
        match self {
            Self::RoundRobin | Self::Gauntlet { .. } | Self::Single => false,
            #[cfg(test)]
            Self::Ladder | Self::LadderWithRematch => true,
        }
    }

    /// Whether bots and blocks can be added to a tournament that has started, with every match that was played still in its
    /// schedule.
    pub fn can_grow(&self) -> bool {
        !self.is_adaptive() && *self != Self::Single
    }

    /// The format in a few words, with the names of its challengers.
    pub fn describe(&self, name: impl Fn(BotIndex) -> String) -> String {
        match self {
            Self::RoundRobin => "a round-robin".to_owned(),
            Self::Single => "a single match".to_owned(),
            Self::Gauntlet { challengers } => {
                let names: Vec<String> = challengers.iter().map(|&bot| name(bot)).collect();
                format!("a gauntlet of {}", names.join(", "))
            }
            #[cfg(test)]
            Self::Ladder => "a ladder".to_owned(),
            #[cfg(test)]
            Self::LadderWithRematch => "a ladder with a rematch".to_owned(),
        }
    }
}
