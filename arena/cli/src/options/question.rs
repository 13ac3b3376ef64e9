//! A question of a recorded match, as it is typed.

use std::str::FromStr;

use leyden_model::{MatchRecord, Question, TurnRef, questions};
use leyden_protocol::Seat;

use crate::exit::CommandError;

/// A turn as the record counts it; or the id of a turn, which is what the bot and fault messages call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuestionChoice {
    TurnRef(TurnRef),
    Turn(u64),
}

impl FromStr for QuestionChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(turn) = text.parse() {
            return Ok(Self::Turn(turn));
        }
        let turn_ref = text.parse().map(Self::TurnRef);
        turn_ref.map_err(|error| format!("{error}; or the id of a turn, as given with faults, such as 42"))
    }
}

impl QuestionChoice {
    /// Finds it in the record. A turn id is looked up among the turns of these seats; without any, among those of the seat
    /// at fault, and without a fault among all.
    pub(crate) fn turn_ref(self, record: &MatchRecord, seats: &[Seat]) -> Result<TurnRef, CommandError> {
        let turn = match self {
            Self::TurnRef(turn_ref) => return Ok(turn_ref),
            Self::Turn(turn) => turn,
        };
        let at_fault: Vec<Seat> = record.fault.iter().map(|fault| fault.seat).collect();
        let seats = if seats.is_empty() { &at_fault[..] } else { seats };
        let all = questions(record).map_err(CommandError::usage)?;
        let of_seats = |asked: &&Question| seats.is_empty() || seats.contains(&asked.seat);
        let these: Vec<&Question> = all.iter().filter(of_seats).collect();
        let found: Vec<&Question> = these.iter().copied().filter(|asked| asked.turn == turn).collect();
        match found[..] {
            [only] => Ok(only.turn_ref),
            [] => {
                let last = these.iter().map(|asked| asked.turn).max().unwrap_or_default();
                Err(CommandError::usage(format!("there is no turn {turn}: the last one is turn {last}")))
            }
            _ => {
                let each = |asked: &&Question| format!("--turn {} (seat {})", asked.turn_ref, asked.seat);
                let each: Vec<String> = found.iter().map(each).collect();
                Err(CommandError::usage(format!(
                    "several seats have a turn {turn}: choose one with --seat, or {}",
                    each.join(" or ")
                )))
            }
        }
    }
}
