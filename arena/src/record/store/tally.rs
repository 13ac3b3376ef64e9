//! What one match adds to the sums: what standings and cross tables are read from.

use std::cmp::Ordering;

use leyden_protocol::{Better, FaultCode, PerSeat, Seat};

use super::thinking::Thinking;
use leyden_model::MatchRecord;

/// How a match ended for one of two seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Lost,
    Drawn,
    Won,
}

impl Outcome {
    /// In half points: 0, 1 or 2.
    pub const fn half_points(self) -> u64 {
        self as u64
    }
}

/// All that counts of a match: the scores it ended with and whose fault ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Final {
    pub(crate) scores: PerSeat<u32>,
    pub(crate) fault: Option<Seat>,
    pub(crate) better: Better,
}

impl Final {
    pub(crate) fn of(record: &MatchRecord, better: Better) -> Self {
        Self { scores: record.scores, fault: record.fault.as_ref().map(|fault| fault.seat), better }
    }

    /// By how many points `seat` was ahead of `other`, whichever direction of score is good. Means nothing after a
    /// fault.
    pub(crate) fn margin(&self, seat: Seat, other: Seat) -> i64 {
        let ahead = i64::from(self.scores[seat]) - i64::from(self.scores[other]);
        match self.better {
            Better::Higher => ahead,
            Better::Lower => -ahead,
        }
    }

    /// How the match ended for `seat` against `other`. Who faulted has lost to each other seat; at a table of three or
    /// more the others then drew.
    pub(crate) fn against(&self, seat: Seat, other: Seat) -> Outcome {
        match self.fault {
            Some(fault) if fault == seat => Outcome::Lost,
            Some(fault) if fault == other => Outcome::Won,
            Some(_) => Outcome::Drawn,
            None => match self.margin(seat, other).cmp(&0) {
                Ordering::Less => Outcome::Lost,
                Ordering::Equal => Outcome::Drawn,
                Ordering::Greater => Outcome::Won,
            },
        }
    }

    /// How the match ended for a seat: won against all others, drawn with the best of them, or lost.
    pub(crate) fn outcome(&self, seat: Seat) -> Outcome {
        self.others(seat).map(|other| self.against(seat, other)).min().unwrap_or(Outcome::Drawn)
    }

    fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        self.scores.seats().iter().filter(move |&other| other != seat)
    }
}

/// Sums over the matches of one bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotSums {
    pub matches: i64,
    pub won: i64,
    pub drawn: i64,
    pub lost: i64,
    /// Comparisons with one other bot: one a match at a table of two.
    pub comparisons: i64,
    /// What those brought: 2 for each won, 1 for each drawn.
    pub half_points: i64,
    /// Its own points, over the matches that ended without a fault, as the next four.
    pub points_for: i64,
    /// Those of the others at the table together.
    pub points_against: i64,
    /// How far it was ahead of each other bot, summed.
    pub margin: i64,
    /// Over how many comparisons.
    pub margins: i64,
    pub strikes: i64,
    /// Its own faults, in the order of [`FaultCode::ALL`].
    pub faults: [i64; FaultCode::ALL.len()],
    pub thinking: Thinking,
}

impl BotSums {
    /// Adds what a match was for one of its seats, or takes it back.
    pub(crate) fn count(&mut self, record: &MatchRecord, better: Better, seat: Seat, sign: Sign) {
        let by = sign.factor();
        let end = Final::of(record, better);
        self.matches += by;
        *match end.outcome(seat) {
            Outcome::Won => &mut self.won,
            Outcome::Drawn => &mut self.drawn,
            Outcome::Lost => &mut self.lost,
        } += by;
        for other in end.others(seat) {
            self.comparisons += by;
            self.half_points += by * end.against(seat, other).half_points() as i64;
            if record.fault.is_none() {
                self.points_against += by * i64::from(record.scores[other]);
                self.margin += by * end.margin(seat, other);
                self.margins += by;
            }
        }
        match &record.fault {
            None => self.points_for += by * i64::from(record.scores[seat]),
            Some(fault) if fault.seat == seat => self.faults[fault_place(fault.code)] += by,
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

fn fault_place(code: FaultCode) -> usize {
    FaultCode::ALL.iter().position(|&each| each == code).unwrap_or_default()
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

/// Sums over the matches in which two bots met, seen from the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairingSums {
    pub matches: i64,
    pub won: i64,
    pub drawn: i64,
    pub lost: i64,
    /// Points of the first and of the second, over the matches that ended without a fault.
    pub points_for: i64,
    pub points_against: i64,
    pub margin: i64,
    pub margins: i64,
}

impl PairingSums {
    pub(crate) fn count(
        &mut self,
        record: &MatchRecord,
        better: Better,
        (seat, other): (Seat, Seat),
        sign: Sign,
    ) {
        let by = sign.factor();
        let end = Final::of(record, better);
        self.matches += by;
        *match end.against(seat, other) {
            Outcome::Won => &mut self.won,
            Outcome::Drawn => &mut self.drawn,
            Outcome::Lost => &mut self.lost,
        } += by;
        if record.fault.is_none() {
            self.points_for += by * i64::from(record.scores[seat]);
            self.points_against += by * i64::from(record.scores[other]);
            self.margin += by * end.margin(seat, other);
            self.margins += by;
        }
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{RulesName, Set};

    use super::*;
    use crate::record::sample;
    use leyden_model::FaultRecord;

    fn seat(index: usize) -> Seat {
        Seat::new(index).unwrap()
    }

    fn three(scores: [u32; 3], faulted: Option<usize>) -> MatchRecord {
        let setup = sample::setup_of(RulesName::Matador, 3, Set::DoubleSix, 3, 1);
        let mut record = sample::known(&setup).of(&setup.schedule().unwrap().nth(0).unwrap());
        record.scores = PerSeat::from_list(scores.to_vec()).unwrap();
        record.fault =
            faulted.map(|s| FaultRecord { seat: seat(s), code: FaultCode::Timeout, message: String::new() });
        record
    }

    fn outcomes(record: &MatchRecord, better: Better) -> Vec<Outcome> {
        record.bots.seats().iter().map(|seat| Final::of(record, better).outcome(seat)).collect()
    }

    #[test]
    fn the_best_wins_the_equally_best_draw_the_others_lose() {
        use Outcome::{Drawn, Lost, Won};
        assert_eq!(outcomes(&three([5, 9, 7], None), Better::Higher), [Lost, Won, Lost]);
        assert_eq!(outcomes(&three([5, 9, 7], None), Better::Lower), [Won, Lost, Lost]);
        assert_eq!(outcomes(&three([9, 9, 7], None), Better::Higher), [Drawn, Drawn, Lost]);
        assert_eq!(outcomes(&three([9, 9, 7], Some(1)), Better::Higher), [Drawn, Lost, Drawn]);
    }

    #[test]
    fn a_faulted_match_counts_as_lost_and_leaves_margins_alone() {
        let record = three([5, 9, 7], Some(2));
        let mut sums = BotSums::default();
        sums.count(&record, Better::Higher, seat(2), Sign::Plus);
        assert_eq!((sums.lost, sums.comparisons, sums.half_points, sums.margins), (1, 2, 0, 0));
        assert_eq!(sums.faults[fault_place(FaultCode::Timeout)], 1);
        let mut other = BotSums::default();
        other.count(&record, Better::Higher, seat(0), Sign::Plus);
        assert_eq!((other.drawn, other.half_points, other.faults), (1, 3, [0; 8]));
    }

    #[test]
    fn counting_and_taking_back_leaves_nothing() {
        let setup = sample::setup(3, 1);
        for (_, record) in sample::matches(&setup).chain(sample::faulted(&setup)) {
            let (mut bot, mut pairing) = (BotSums::default(), PairingSums::default());
            for sign in [Sign::Plus, Sign::Minus] {
                bot.count(&record, Better::Lower, seat(1), sign);
                pairing.count(&record, Better::Lower, (seat(0), seat(1)), sign);
            }
            assert_eq!(bot.thinking.decisions(), 0);
            bot.thinking = Thinking::default();
            assert_eq!((bot, pairing), (BotSums::default(), PairingSums::default()));
        }
    }

    #[test]
    fn two_seats_of_a_pairing_mirror_each_other() {
        for (_, record) in sample::matches(&sample::setup(2, 20)) {
            let (mut one, mut two) = (PairingSums::default(), PairingSums::default());
            one.count(&record, Better::Lower, (seat(0), seat(1)), Sign::Plus);
            two.count(&record, Better::Lower, (seat(1), seat(0)), Sign::Plus);
            assert_eq!((one.won, one.margin), (two.lost, -two.margin));
            assert_eq!(one.won == 1, record.winner == Some(seat(0)));
        }
    }
}
