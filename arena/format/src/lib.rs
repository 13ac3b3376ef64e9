//! Which matches a tournament consists of, round by round, in order; and for competitions of several stages the places that
//! follow from their results. Pure arithmetic: no clock, no I/O, no randomness, no floating point, and no list that grows with
//! the number of tables of a round-robin.
//!
//! ```text
//! Format ── Schedule ── StageRound ── Tables                   which matches there are, by rank and in the order of play
//!    └── Competition ── next round, CompetitionTable           what follows from results, in schedule order
//!           ├── swiss::pair          pairings, byes            criteria in their order as one number, the best matching
//!           ├── bracket::Bracket     knockout, double elimination
//!           ├── groups, designs      snake seeding; a few tables in balance
//!           └── ties::Table          points, tie-breaks, places
//! ```
//!
//! `arena/format/README.md` explains the formats for organisers, and says which of them finds the best bot.
#![forbid(unsafe_code)]

pub mod bracket;
pub mod competition;
mod crosstable;
pub mod designs;
mod dimensions;
mod done_matches;
mod format_text;
pub mod groups;
pub mod meeting;
mod order;
mod round;
mod schedule;
mod schedule_error;
pub mod swiss;
mod tables;
pub mod ties;
mod trf;

use leyden_language::{Language, text::tournament as text};
use leyden_model::BotIndex;
use leyden_protocol::Seats;
use serde::{Deserialize, Serialize};

pub use competition::{Competition, CompetitionTable, Play, Presence, Seeding, Stage};
pub use crosstable::{Crosstable, Winnings};
pub use dimensions::Dimensions;
pub use done_matches::DoneMatches;
pub use format_text::{Met, better_wins, half_points};
pub use round::{NewRound, StageRound};
pub use schedule::Schedule;
pub use schedule_error::ScheduleError;
pub use tables::Tables;
pub use ties::TieBreak;
pub use trf::{TrfError, trf};

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
    /// One or more stages, each with the best of the one before.
    Stages(Competition),
}

impl Format {
    /// The first round; the number of bots, seats and blocks must be possible.
    fn first(&self, size: Dimensions) -> Result<NewRound, ScheduleError> {
        let tables = match self {
            Self::RoundRobin | Self::Single => Tables::all(size)?,
            Self::Gauntlet { challengers } => Tables::with(size, challengers)?,
            Self::Stages(competition) => {
                competition.check(size.seats)?;
                if competition.seeds.len() != size.bots as usize {
                    let (seeds, bots) = (competition.seeds.len(), size.bots);
                    return Err(ScheduleError::Seeds { seeds, bots });
                }
                let none = competition::History { rounds: &[], results: &Crosstable::default(), complete: 0 };
                return competition.next(size.seats, &none)?.ok_or(ScheduleError::NoStage);
            }
        };
        Ok(NewRound { stage: 0, round: 0, extra: false, blocks: size.blocks, tables })
    }

    /// The number of matches in a pair: one for each seating, if the players forget a deal.
    pub fn legs(&self, seats: Seats) -> u32 {
        if *self == Self::Single { 1 } else { seats.count() as u32 }
    }

    /// Whether rounds depend on the results of those before.
    pub fn is_adaptive(&self) -> bool {
        self.competition().is_some()
    }

    /// The stages, if it has any.
    pub fn competition(&self) -> Option<&Competition> {
        if let Self::Stages(competition) = self { Some(competition) } else { None }
    }

    /// Whether there is always another round, as in a league.
    pub fn is_endless(&self) -> bool {
        let stages = self.competition().map(|competition| &competition.stages[..]).unwrap_or_default();
        stages.iter().any(|stage| stage.play == Play::League { batches: None })
    }

    /// Whether bots and blocks can be added to a tournament that has started, with every match that was played still in its
    /// schedule.
    pub fn can_grow(&self) -> bool {
        matches!(self, Self::RoundRobin | Self::Gauntlet { .. })
    }

    /// The format in a few words, with the names of its challengers.
    pub fn describe(&self, name: impl Fn(BotIndex) -> String, language: Language) -> String {
        match self {
            Self::RoundRobin => language.say(text::RoundRobin),
            Self::Single => language.say(text::SingleMatch),
            Self::Gauntlet { challengers } => {
                let names: Vec<String> = challengers.iter().map(|&bot| name(bot)).collect();
                language.say(text::Gauntlet { names: names.join(", ") })
            }
            Self::Stages(competition) => competition.describe(language),
        }
    }
}
