//! A seat as it is typed.

use leyden_protocol::Seat;

use crate::cli::exit::Stop;

/// The seat of this number.
pub(crate) fn seat_number(seat: usize) -> Result<Seat, Stop> {
    Seat::new(seat)
        .ok_or_else(|| Stop::usage(format!("seats are counted from 0 to 7, so there is no seat {seat}")))
}
