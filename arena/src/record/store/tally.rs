//! What one match adds to the sums, from which standings are computed.

use leyden_protocol::{FaultCode, Seat, WinningScore};
use leyden_stats::Comparison;

use super::thinking_times::ThinkingTimes;
use leyden_model::MatchRecord;

/// Sums over the matches of one bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotSums {
    pub matches: i64,
    pub won: i64,
    pub drawn: i64,
    pub lost: i64,
    /// Comparisons with one other bot: one a match at a table of two.
    pub comparisons: i64,
    /// Half points from those: 2 for each win, 1 for each draw.
    pub half_points: i64,
    /// Its own points over the matches without a fault, like the next four.
    pub points_for: i64,
    /// The points of all others at the table together.
    pub points_against: i64,
    /// The margins over each other bot, summed.
    pub margin: i64,
    /// The number of comparisons in `margin`.
    pub margin_count: i64,
    pub strikes: i64,
    /// Its own faults, in the order of [`FaultCode::ALL`].
    pub faults: [i64; FaultCode::ALL.len()],
    pub thinking: ThinkingTimes,
}

/// More than any count ever is, and small enough to be added up.
const MOST: u64 = 1 << 50;

impl BotSums {
    /// Whether these can be the sums of a bot at all.
    pub(super) fn are_possible(&self) -> bool {
        let counts = [self.matches, self.won, self.drawn, self.lost, self.comparisons, self.half_points];
        let more = [self.points_for, self.points_against, self.margin_count, self.strikes];
        let mut counts = counts.into_iter().chain(more).chain(self.faults);
        counts.all(|count| (0..=MOST as i64).contains(&count))
            && self.margin.unsigned_abs() <= MOST
            && self.thinking.is_possible(MOST)
            && self.won + self.drawn + self.lost == self.matches
            && self.half_points <= 2 * self.comparisons
            && self.margin_count <= self.comparisons
    }

    /// Adds a match, seen from one of its seats.
    pub fn add(&mut self, record: &MatchRecord, better: WinningScore, seat: Seat) {
        self.count(record, better, seat, Sign::Plus);
    }

    /// Adds a match, seen from one of its seats, or takes it back.
    pub(crate) fn count(&mut self, record: &MatchRecord, better: WinningScore, seat: Seat, sign: Sign) {
        let by = sign.factor();
        let end = crate::record::final_scores(record, better);
        self.matches += by;
        *match end.result(seat) {
            Comparison::Won => &mut self.won,
            Comparison::Drawn => &mut self.drawn,
            Comparison::Lost => &mut self.lost,
        } += by;
        for other in end.others(seat) {
            self.comparisons += by;
            self.half_points += by * i64::from(end.compare(seat, other).half_points());
            if let Some(margin) = end.margin(seat, other) {
                self.points_against += by * i64::from(record.scores[other]);
                self.margin += by * margin;
                self.margin_count += by;
            }
        }
        match &record.fault {
            None => self.points_for += by * i64::from(record.scores[seat]),
            Some(fault) if fault.seat == seat => self.faults[fault_index(fault.code)] += by,
            Some(_) => {}
        }
        self.strikes += by * record.strikes.iter().filter(|strike| strike.seat == seat).count() as i64;
        for &us in &record.think_us[seat] {
            match sign {
                Sign::Plus => self.thinking.add(us),
                Sign::Minus => self.thinking.remove(us),
            }
        }
    }
}

/// The number of a code in [`FaultCode::ALL`], by which sums of faults are stored.
fn fault_index(code: FaultCode) -> usize {
    code as usize
}

/// Whether a match is counted or taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    const fn factor(self) -> i64 {
        match self {
            Self::Plus => 1,
            Self::Minus => -1,
        }
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{PerSeat, RulesName, Set};

    use super::*;
    use crate::record::sample;
    use leyden_model::{FaultDetails, FaultRecord};

    fn seat(index: usize) -> Seat {
        Seat::new(index).unwrap()
    }

    fn three(scores: [u32; 3], faulted: Option<usize>) -> MatchRecord {
        let stored_plan = sample::stored_plan_of(RulesName::Matador, 3, Set::DoubleSix, 3, 1);
        let mut record =
            sample::record_template(&stored_plan).for_match(&stored_plan.schedule().unwrap().nth(0).unwrap());
        record.scores = PerSeat::from_list(scores.to_vec()).unwrap();
        record.fault = faulted.map(|s| FaultRecord {
            seat: seat(s),
            code: FaultCode::Timeout,
            details: FaultDetails::default(),
        });
        record
    }

    #[test]
    fn fault_codes_are_stored_by_list_number() {
        for (number, &code) in FaultCode::ALL.iter().enumerate() {
            assert_eq!(fault_index(code), number, "{code}");
        }
    }

    #[test]
    fn faulted_match_counts_as_lost_without_a_margin() {
        let record = three([5, 9, 7], Some(2));
        let mut sums = BotSums::default();
        sums.count(&record, WinningScore::Higher, seat(2), Sign::Plus);
        assert_eq!((sums.lost, sums.comparisons, sums.half_points, sums.margin_count), (1, 2, 0, 0));
        assert_eq!(sums.faults[fault_index(FaultCode::Timeout)], 1);
        let mut other = BotSums::default();
        other.count(&record, WinningScore::Higher, seat(0), Sign::Plus);
        assert_eq!((other.drawn, other.half_points, other.faults), (1, 3, [0; FaultCode::ALL.len()]));
    }

    #[test]
    fn counting_and_taking_back_leaves_nothing() {
        let stored_plan = sample::stored_plan(3, 1);
        for (_, record) in sample::matches(&stored_plan).chain(sample::faulted(&stored_plan)) {
            let mut bot = BotSums::default();
            for sign in [Sign::Plus, Sign::Minus] {
                bot.count(&record, WinningScore::Lower, seat(1), sign);
            }
            assert_eq!(bot.thinking.decisions(), 0);
            bot.thinking = ThinkingTimes::default();
            assert_eq!(bot, BotSums::default());
        }
    }
}
