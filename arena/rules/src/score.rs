//! The points of a round, and the winner of a match.

use leyden_protocol::{PerSeat, RuleSet, Scoring, Seat, WinningScore};

use crate::round::RoundOutcome;

/// Returns the points of each seat for a round that ended with these pips in the hands. A refused deal scores zero.
pub fn points(rules: &RuleSet, outcome: RoundOutcome, pips: &PerSeat<u32>) -> PerSeat<u32> {
    let total: u32 = pips.as_slice().iter().sum();
    if outcome == RoundOutcome::Refused {
        return PerSeat::default_for(rules.seats);
    }
    match (rules.scoring, outcome.winner()) {
        (Scoring::OwnHand, _) => *pips,
        (_, None) => PerSeat::default_for(rules.seats),
        (Scoring::AllHands, Some(winner)) => only(rules, winner, total),
        // A player who goes out holds nothing, and in a blocked round the winner holds least, so this is never
        // negative.
        (Scoring::Difference, Some(winner)) => only(rules, winner, total - 2 * pips[winner]),
    }
}

fn only(rules: &RuleSet, winner: Seat, points: u32) -> PerSeat<u32> {
    PerSeat::from_fn(rules.seats, |seat| if seat == winner { points } else { 0 })
}

/// Returns the seat with the best score; `None` if two share it.
pub fn best(better: WinningScore, scores: &PerSeat<u32>) -> Option<Seat> {
    let all = scores.as_slice().iter().copied();
    let best = match better {
        WinningScore::Lower => all.min(),
        WinningScore::Higher => all.max(),
    };
    let mut seats = scores.iter().filter(|&(_, &score)| Some(score) == best).map(|(seat, _)| seat);
    let first = seats.next();
    if seats.next().is_none() { first } else { None }
}
