//! Compares the seats of one match: the only place that turns final scores and a fault into wins, draws and losses.

use std::cmp::Ordering;

use leyden_protocol::{PerSeat, Seat, WinningScore};
use serde::{Deserialize, Serialize};

/// The result of one seat against another in one match, in ascending order: at a table of two the result of the match, at a
/// larger one a paired comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    Lost,
    Drawn,
    Won,
}

impl Comparison {
    /// In half points: 0, 1 or 2.
    pub const fn half_points(self) -> u8 {
        self as u8
    }
}

/// What counts of a match: its final scores, and who lost it by a fault.
///
/// ```
/// use leyden_protocol::{PerSeat, Seat, WinningScore};
/// use leyden_stats::{FinalScores, Score};
///
/// let [one, two] = [Seat::FIRST, Seat::new(1).expect("there are eight")];
/// let leg = |scores: [u32; 2]| FinalScores {
///     scores: PerSeat::from_list(scores.to_vec()).expect("two seats"),
///     fault: None,
///     better: WinningScore::Lower,
/// };
/// // The first bot sits in seat 0 of the first leg, and in seat 1 of the second.
/// let legs = [leg([40, 102]).compare(one, two), leg([101, 60]).compare(two, one)];
/// assert_eq!(Score::from_legs(&legs), Score::new(2, 0, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinalScores {
    pub scores: PerSeat<u32>,
    /// The seat whose fault ended the match.
    pub fault: Option<Seat>,
    /// Whether high or low scores are good.
    pub better: WinningScore,
}

impl FinalScores {
    /// Compares `seat` with `other`. The seat that faulted has lost to each other seat; the others drew.
    pub fn compare(&self, seat: Seat, other: Seat) -> Comparison {
        match self.fault {
            Some(fault) if fault == seat => Comparison::Lost,
            Some(fault) if fault == other => Comparison::Won,
            Some(_) => Comparison::Drawn,
            None => match self.ahead(seat, other).cmp(&0) {
                Ordering::Less => Comparison::Lost,
                Ordering::Equal => Comparison::Drawn,
                Ordering::Greater => Comparison::Won,
            },
        }
    }

    /// By how many game points `seat` was ahead of `other`; positive is good, whether high or low scores are. `None` after a
    /// fault.
    pub fn margin(&self, seat: Seat, other: Seat) -> Option<i64> {
        self.fault.is_none().then(|| self.ahead(seat, other))
    }

    /// By how many game points the best seat was ahead of the next one: 0 if several are best. `None` after a fault.
    pub fn winning_margin(&self) -> Option<u32> {
        let lead = |seat| self.others(seat).filter_map(|other| self.margin(seat, other)).min();
        let widest = self.scores.seats().iter().filter_map(lead).max()?;
        Some(widest.unsigned_abs() as u32)
    }

    /// The result of the match for a seat, the worst of its comparisons: won against all others, drawn with the best of them,
    /// or lost.
    pub fn result(&self, seat: Seat) -> Comparison {
        self.others(seat).map(|other| self.compare(seat, other)).min().unwrap_or(Comparison::Drawn)
    }

    /// The other seats of the table.
    pub fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        self.scores.seats().iter().filter(move |&other| other != seat)
    }

    fn ahead(&self, seat: Seat, other: Seat) -> i64 {
        let higher = i64::from(self.scores[seat]) - i64::from(self.scores[other]);
        match self.better {
            WinningScore::Higher => higher,
            WinningScore::Lower => -higher,
        }
    }
}

#[cfg(test)]
mod tests {
    use Comparison::{Drawn, Lost, Won};

    use super::*;

    fn seat(index: usize) -> Seat {
        Seat::new(index).expect("a seat of three")
    }

    fn three(scores: [u32; 3], fault: Option<usize>, better: WinningScore) -> FinalScores {
        let scores = PerSeat::from_list(scores.to_vec()).expect("three seats");
        FinalScores { scores, fault: fault.map(seat), better }
    }

    fn results(end: FinalScores) -> Vec<Comparison> {
        end.scores.seats().iter().map(|seat| end.result(seat)).collect()
    }

    #[test]
    fn sole_best_wins_joint_best_draw_others_lose() {
        assert_eq!(results(three([5, 9, 7], None, WinningScore::Higher)), [Lost, Won, Lost]);
        assert_eq!(results(three([5, 9, 7], None, WinningScore::Lower)), [Won, Lost, Lost]);
        assert_eq!(results(three([9, 9, 7], None, WinningScore::Higher)), [Drawn, Drawn, Lost]);
        assert_eq!(results(three([9, 9, 7], Some(1), WinningScore::Higher)), [Drawn, Lost, Drawn]);
    }

    #[test]
    fn margin_follows_winning_score_and_faults_have_none() {
        assert_eq!(three([5, 9, 7], None, WinningScore::Higher).margin(seat(0), seat(1)), Some(-4));
        assert_eq!(three([5, 9, 7], None, WinningScore::Lower).margin(seat(0), seat(1)), Some(4));
        assert_eq!(three([5, 9, 7], Some(2), WinningScore::Higher).margin(seat(0), seat(1)), None);
    }

    #[test]
    fn winning_margin_is_zero_without_a_single_best() {
        let margin = |scores, better| three(scores, None, better).winning_margin();
        for (scores, high, low) in [([5, 9, 6], 3, 1), ([9, 9, 7], 0, 2), ([4, 4, 4], 0, 0)] {
            assert_eq!(margin(scores, WinningScore::Higher), Some(high), "{scores:?}");
            assert_eq!(margin(scores, WinningScore::Lower), Some(low), "{scores:?}");
        }
        assert_eq!(three([5, 9, 6], Some(2), WinningScore::Higher).winning_margin(), None);
    }

    #[test]
    fn comparison_sides_add_up_to_one_point() {
        for fault in [None, Some(0), Some(1), Some(2)] {
            for scores in [[5, 9, 7], [9, 9, 0], [1, 1, 1]] {
                let end = three(scores, fault, WinningScore::Higher);
                for (one, other) in [(0, 1), (1, 2), (2, 0)].map(|(one, other)| (seat(one), seat(other))) {
                    let (there, back) = (end.compare(one, other), end.compare(other, one));
                    assert_eq!(there.half_points() + back.half_points(), 2);
                }
            }
        }
    }
}
