//! What a seat gets: points of a round, or the result of a match.

use std::str::FromStr;

use leyden_protocol::{PerSeat, Seat, WinningScore};

/// What rewards count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewardKind {
    /// At the end of each round, in pips: how much better for the seat its points were than the mean of the others'. All
    /// rewards of a round add up to 0.
    Points,
    /// At the end of a match: 1 for its winner, -1 for the others, 0 for all if nobody won.
    Match,
}

/// A name that no kind of reward has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no reward {0:?}; there are points and match")]
pub struct UnknownRewardError(pub String);

impl FromStr for RewardKind {
    type Err = UnknownRewardError;

    fn from_str(text: &str) -> Result<Self, UnknownRewardError> {
        match text {
            "points" => Ok(Self::Points),
            "match" => Ok(Self::Match),
            _ => Err(UnknownRewardError(text.to_owned())),
        }
    }
}

/// Returns the advantage of each seat in the points of a round, in pips.
pub(crate) fn advantage(better: WinningScore, points: &PerSeat<u32>) -> PerSeat<f32> {
    let (sum, others) = (points.as_slice().iter().sum::<u32>() as f32, (points.as_slice().len() - 1) as f32);
    let sign = match better {
        WinningScore::Lower => -1.0,
        WinningScore::Higher => 1.0,
    };
    points.map(|&own| sign * (own as f32 - (sum - own as f32) / others))
}

/// Returns the result of a match for each seat.
pub(crate) fn result(scores: &PerSeat<u32>, winner: Option<Seat>) -> PerSeat<f32> {
    PerSeat::from_fn(scores.seats(), |seat| match winner {
        None => 0.0,
        Some(winner) if winner == seat => 1.0,
        Some(_) => -1.0,
    })
}
