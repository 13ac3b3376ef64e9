//! How the bots of a stage meet. A new format is a new variant here, an arm in `progress.rs`, which says what computes its state,
//! and an option of the program.

use leyden_language::{Language, text::tournament as text};
use leyden_protocol::Seats;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bracket::{Bracket, Side};
use crate::schedule_error::ScheduleError;
use crate::swiss::MOST_IN_SWISS;

/// How the bots of a stage meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "format", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Play {
    /// Every table meets.
    RoundRobin,
    /// That many tables of a balanced choice meet.
    Tables { tables: u32 },
    /// In each round bots with about the same points meet; none meets another twice.
    Swiss { rounds: u32 },
    /// Every table of each group meets.
    Groups { groups: u32 },
    /// Who loses a meeting is out.
    Knockout {
        /// Whether a meeting ends as soon as a lead cannot be made up.
        #[serde(default)]
        best_of: bool,
        /// Whether the losers of the semi-finals meet.
        #[serde(default)]
        third_place: bool,
    },
    /// Who loses two meetings is out.
    DoubleElimination {
        #[serde(default)]
        best_of: bool,
    },
    /// In each round, a batch, those meet whose meeting says most about the order; bots come and go. Its order is that of the
    /// ratings.
    League {
        /// After how many batches it is over; it goes on without end if there is no number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        batches: Option<u32>,
    },
}

impl Play {
    /// Whether its meetings are of two bots by nature.
    pub(super) const fn needs_two_seats(self) -> bool {
        match self {
            Self::RoundRobin | Self::Tables { .. } | Self::Groups { .. } => false,
            Self::Swiss { .. }
            | Self::Knockout { .. }
            | Self::DoubleElimination { .. }
            | Self::League { .. } => true,
        }
    }

    /// If each round is drawn anew among all bots, which may then come and go between rounds: how many there are, `u32::MAX`
    /// without end. A crosstable then has a column for each.
    pub(crate) fn open_rounds(self) -> Option<u32> {
        match self {
            Self::Swiss { rounds } => Some(rounds),
            Self::League { batches } => Some(batches.unwrap_or(u32::MAX)),
            Self::RoundRobin
            | Self::Tables { .. }
            | Self::Groups { .. }
            | Self::Knockout { .. }
            | Self::DoubleElimination { .. } => None,
        }
    }

    /// Whether its meetings are listed in a crosstable.
    pub(super) const fn has_crosstable(self) -> bool {
        match self {
            Self::Swiss { .. } | Self::Groups { .. } => true,
            Self::RoundRobin
            | Self::Tables { .. }
            | Self::Knockout { .. }
            | Self::DoubleElimination { .. }
            | Self::League { .. } => false,
        }
    }

    /// The stage in a few words.
    pub fn describe(self, language: Language) -> String {
        match self {
            Self::RoundRobin => language.say(text::RoundRobin),
            Self::Tables { tables } => language.say(text::TablesInBalance { tables }),
            Self::Swiss { rounds } => language.say(text::Swiss { rounds }),
            Self::Groups { groups } => language.say(text::Groups { groups }),
            Self::Knockout { third_place, .. } => language.say(text::Knockout { third_place }),
            Self::DoubleElimination { .. } => language.say(text::DoubleElimination),
            Self::League { batches: None } => language.say(text::League),
            Self::League { batches: Some(batches) } => language.say(text::LeagueOf { batches }),
        }
    }

    /// Checks that it can be played by that many bots; the best go on.
    pub(super) fn check(self, bots: u32, advance: Option<u32>, seats: Seats) -> Result<(), ScheduleError> {
        match self {
            Self::Swiss { rounds: 0 } | Self::League { batches: Some(0) } => Err(ScheduleError::NoRounds),
            Self::Swiss { .. } if bots as usize > MOST_IN_SWISS => Err(ScheduleError::LargeSwiss { bots }),
            Self::Groups { groups } if groups == 0 || bots / groups < seats.count() as u32 => {
                Err(ScheduleError::SmallGroups { groups, bots, seats })
            }
            Self::Groups { groups } if advance.is_some_and(|best| !best.is_multiple_of(groups)) => {
                Err(ScheduleError::UnequalGroups { groups, best: advance.unwrap_or(0) })
            }
            Self::Groups { groups } if advance.is_some_and(|best| best / groups > bots / groups) => {
                Err(ScheduleError::SmallGroups { groups, bots, seats })
            }
            Self::Tables { tables } if tables == 0 || u64::from(tables) > subsets(bots.into(), seats) => {
                Err(ScheduleError::NoSuchTables { tables, bots, seats, all: subsets(bots.into(), seats) })
            }
            Self::RoundRobin
            | Self::Tables { .. }
            | Self::Swiss { .. }
            | Self::Groups { .. }
            | Self::Knockout { .. }
            | Self::DoubleElimination { .. }
            | Self::League { .. } => Ok(()),
        }
    }

    /// How many meetings it has.
    pub(super) fn meetings(self, bots: u32, seats: Seats) -> u64 {
        let n = u64::from(bots);
        match self {
            Self::RoundRobin => subsets(n, seats),
            Self::Tables { tables } => tables.into(),
            Self::Swiss { rounds } => n / 2 * u64::from(rounds),
            Self::Groups { groups } => {
                let groups = u64::from(groups);
                let larger = n % groups;
                larger * subsets(n / groups + 1, seats) + (groups - larger) * subsets(n / groups, seats)
            }
            Self::Knockout { third_place, .. } => {
                let bracket = Bracket::knockout(bots as usize, third_place);
                n - 1 + u64::from(bracket.rounds(Side::ThirdPlace))
            }
            Self::DoubleElimination { .. } => 2 * n - 2,
            Self::League { batches } => (n - 1) * u64::from(batches.unwrap_or(0)),
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
