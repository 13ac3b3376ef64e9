//! What a round adds to the scores, and who has won a match.

use leyden_protocol::{PerSeat, RuleSet, Scoring, Seat, WinningScore};

use crate::round::RoundOutcome;

/// What each seat adds to its score for a round that ended with these pips in the hands. A refused deal adds nothing.
pub fn points(rules: &RuleSet, outcome: RoundOutcome, pips: &PerSeat<u32>) -> PerSeat<u32> {
    let total: u32 = pips.as_slice().iter().sum();
    if outcome == RoundOutcome::Refused {
        return PerSeat::default_for(rules.seats);
    }
    match (rules.scoring, outcome.winner()) {
        (Scoring::OwnHand, _) => *pips,
        (_, None) => PerSeat::default_for(rules.seats),
        (Scoring::AllHands, Some(winner)) => only(rules, winner, total),
        // Whoever goes out holds nothing; in a blocked round the winner holds no more than anybody else: never below zero.
        (Scoring::Difference, Some(winner)) => only(rules, winner, total - 2 * pips[winner]),
    }
}

fn only(rules: &RuleSet, winner: Seat, points: u32) -> PerSeat<u32> {
    PerSeat::from_fn(rules.seats, |seat| if seat == winner { points } else { 0 })
}

/// The seat with the best score; nobody when two share it.
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
