//! A seat as it is typed.

use leyden_protocol::Seat;

use crate::exit::CommandError;

/// Converts a typed number to a seat.
pub(crate) fn seat_number(seat: usize) -> Result<Seat, CommandError> {
    Seat::new(seat).ok_or_else(|| {
        CommandError::usage(format!("seats are counted from 0 to 7, so there is no seat {seat}"))
    })
}
