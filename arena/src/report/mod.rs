//! Reports as values: the results of matches from a results file, from an export, or while they are played.
//!
//! The same records give the same document, byte by byte, except for thinking times: these are in fields that end in `_us`.
//! Display text here is only that of tables, of what changed, and of reasons. Nothing here prints.

pub mod brackets;
mod change;
mod circumstances;
pub mod column;
mod complete_pairs;
mod counts;
pub mod csv;
mod error;
mod export_tally;
mod fairness;
mod faults;
pub mod figure;
mod forecast;
mod gate;
mod later_legs;
pub mod luck;
mod machine;
mod matches;
mod off_turn;
mod pair_luck;
mod pair_sums;
pub mod points;
mod results;
mod running_gate;
mod series;
pub mod standing_columns;
mod standings;
mod tournament_comparison;
mod tournament_tally;
mod verification;
mod version;
mod versus;
mod workers;

pub use brackets::BracketsDocument;
pub use change::change_in_words;
pub use circumstances::{BotCircumstances, CircumstanceLine, SharedCircumstance, first_lead, seated_match};
pub use complete_pairs::{CompletePairing, CompletePairs};
pub use counts::{BlockCounts, MatchCounts, PairCounts};
pub use error::{GateRecordError, ImpossibleRecordsError, PairLuckError, ReportError};
pub use export_tally::ExportTally;
pub use fairness::{Fairness, FairnessOf};
pub use faults::{FaultKind, Faults, LocatedFault, typed};
pub use forecast::{ObservedPairs, ObservedPairsError, PlannedGate, TestForecast};
pub use gate::{GateAnswer, GateDocument, GateFault, GateSide, GateStop};
pub use later_legs::LaterLegsLine;
pub use luck::{LuckPairing, LuckRating, LuckReport};
pub use machine::{BotLimits, LevelReport, MachineReport, Program};
pub use matches::{FaultLine, MatchLine, MatchList, MatchOrder, sort_matches};
pub use off_turn::{BotOffTurn, OffTurnSums};
pub use pair_luck::LUCK_TERMS;
pub use results::BotResults;
pub use running_gate::RunningGate;
pub use series::{Series, SeriesBot, SeriesChange};
pub use standings::{
    Anchor, AnchorError, BotStanding, Circle, FieldFit, PairingLine, Rating, RatingVerdict, SMALL_FIELD,
    Standings, StrayPairing,
};
pub use tournament_comparison::{
    BotChange, BotChangeKind, CompareError, ComparedStanding, TournamentComparison,
};
pub use tournament_tally::{BotOrder, TournamentTally};
pub use verification::{Discrepancy, SeedCheck, Verification};
pub use version::REPORT_VERSION;
pub use versus::{Side, Versus};
pub use workers::{WorkerLine, WorkerState, WorkersReport};
