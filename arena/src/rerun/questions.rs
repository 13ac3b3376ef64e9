//! Where a seat was asked in a recorded match.

use leyden_model::{TurnRef, position};
use leyden_protocol::Seat;

use super::{RecordedMatch, RerunError};

impl RecordedMatch {
    /// Why a place of the match is no question to a seat, with the nearest ones that are; `None` if it is one.
    pub fn why_not_asked(&self, seat: Seat, place: TurnRef) -> Result<Option<String>, RerunError> {
        self.seated(seat)?;
        let there = position(self.record(), place)
            .map_err(|source| RerunError::NoPosition { id: self.id(), source })?;
        let places: Vec<TurnRef> = self.script()?.of_seat(seat).iter().map(|line| line.place).collect();
        let (before, behind) = places.split_at(places.partition_point(|&asked| asked < place));
        if behind.first() == Some(&place) {
            return Ok(None);
        }
        let why = if there.seat == seat {
            "only one action was legal, which the arena plays by itself".to_owned()
        } else {
            format!("it was the turn of seat {}", there.seat)
        };
        let near = match (before.last(), behind.first()) {
            (Some(before), Some(behind)) => format!("seat {seat} was asked at {before} and at {behind}"),
            (Some(only), None) => format!("seat {seat} was asked for the last time at {only}"),
            (None, Some(only)) => format!("seat {seat} was asked for the first time at {only}"),
            (None, None) => format!("seat {seat} was asked nothing in this match"),
        };
        Ok(Some(format!("{why}; {near}")))
    }
}
