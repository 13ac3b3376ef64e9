//! The questions to a seat in a recorded match.

use leyden_model::{TurnRef, position};
use leyden_protocol::Seat;

use super::{RecordedMatch, RerunError};

impl RecordedMatch {
    /// Says why a seat was not asked at this turn, with the nearest ones at which it was; `None` if it was asked.
    pub fn why_not_asked(&self, seat: Seat, turn_ref: TurnRef) -> Result<Option<String>, RerunError> {
        self.seated(seat)?;
        let there = position(self.record(), turn_ref)
            .map_err(|source| RerunError::NoPosition { id: self.id(), source })?;
        let turn_refs: Vec<TurnRef> = self.script()?.of_seat(seat).iter().map(|line| line.turn_ref).collect();
        let (before, behind) = turn_refs.split_at(turn_refs.partition_point(|&asked| asked < turn_ref));
        if behind.first() == Some(&turn_ref) {
            return Ok(None);
        }
        let why = if there.seat == seat {
            "only one action was legal, and the arena plays it without asking".to_owned()
        } else {
            format!("it was seat {}'s turn", there.seat)
        };
        let near = match (before.last(), behind.first()) {
            (Some(before), Some(behind)) => format!("seat {seat} was asked at {before} and at {behind}"),
            (Some(only), None) => format!("seat {seat} was last asked at {only}"),
            (None, Some(only)) => format!("seat {seat} was first asked at {only}"),
            (None, None) => format!("seat {seat} was never asked in this match"),
        };
        Ok(Some(format!("{why}; {near}")))
    }
}
