//! Estimates how long a match takes from timed matches: the mean, its error, and whether it is known well enough.
//!
//! The time depends on who plays: a bot that thinks long or hangs slows every match that it plays in. So the time of a match
//! is modelled as the sum of the shares of its bots, which are fitted by least squares. Then it does not matter if some bots
//! were seen more often than others, and differences between bots do not add to the error.

use std::time::Duration;

use leyden_model::{BotIndex, Table};

use leyden_format::Schedule;

/// In how many matches each bot should be seen.
const MATCHES_OF_EACH: u32 = 4;

/// The number of pairs from which there is an estimate, and by which they must outnumber the bots before shares are fitted.
const FEWEST: usize = 8;

/// The standard error, relative to the mean, up to which the mean is known well enough.
const WELL: f64 = 0.1;

/// How much time may be spent on tables that were not seen yet, even if the mean is known without them.
const FOR_EVERY_TABLE: Duration = Duration::from_secs(2);

/// The number of passes when fitting the shares. A few would do.
const SWEEPS: usize = 50;

/// A pair that was timed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimedPair {
    pub(super) table: Table,
    /// How long one of its matches took, on average.
    pub(super) seconds: f64,
}

/// The numbers of a plan on which the estimate depends.
#[derive(Clone, Debug)]
pub(super) struct PlanSize {
    /// How many tables each bot sits at.
    tables_of: Vec<u64>,
    tables: u64,
    blocks: u64,
    legs: u32,
}

/// The mean time of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MatchTime {
    pub(super) mean: f64,
    /// The standard error of the mean.
    pub(super) error: f64,
}

impl PlanSize {
    pub(super) fn from_schedule(schedule: &Schedule) -> Self {
        let bots = || (0..schedule.bots() as u32).map(BotIndex);
        // A bot at a table meets each of the others there in every leg.
        let times_met = u64::from(schedule.legs()) * (schedule.seats().count() as u64 - 1);
        let met = |bot| bots().map(|other| schedule.meetings(bot, other)).sum::<u64>();
        Self {
            tables_of: bots().map(|bot| met(bot) / times_met).collect(),
            tables: schedule.tables(),
            blocks: schedule.blocks().into(),
            legs: schedule.legs(),
        }
    }

    pub(super) fn pairs(&self) -> u64 {
        self.tables * self.blocks
    }

    /// The number of matches in a pair.
    pub(super) fn legs(&self) -> u32 {
        self.legs
    }

    /// How many matches are played one after the other if `slots` are played at once.
    pub(super) fn matches_in_a_slot(&self, slots: usize) -> u64 {
        self.pairs().div_ceil(slots as u64) * u64::from(self.legs)
    }

    /// In how many pairs each bot should be seen, if it plays that many: more than one, because the time may depend on the
    /// table.
    pub(super) fn pairs_of_each(&self) -> u32 {
        MATCHES_OF_EACH.div_ceil(self.legs).max(2)
    }

    /// The bots that were seen too rarely.
    pub(super) fn rarely_seen(&self, timed: &[TimedPair]) -> Vec<BotIndex> {
        let mut seen = vec![0; self.tables_of.len()];
        timed.iter().flat_map(|pair| pair.table.bots()).for_each(|bot| seen[bot.index()] += 1);
        let wanted = |tables: u64| (tables * self.blocks).min(self.pairs_of_each().into());
        let is_rare = |bot: &BotIndex| seen[bot.index()] < wanted(self.tables_of[bot.index()]);
        (0..seen.len() as u32).map(BotIndex).filter(is_rare).collect()
    }

    /// Whether these pairs, timed over `so_far`, are enough to stop. Tables only come a second time once all were seen.
    pub(super) fn is_enough(&self, timed: &[TimedPair], so_far: Duration) -> bool {
        let count = timed.len() as u64;
        let every_table = count >= self.tables || so_far >= FOR_EVERY_TABLE;
        count >= self.pairs()
            || count >= FEWEST as u64
                && every_table
                && self.rarely_seen(timed).is_empty()
                && MatchTime::from_timed(timed, self).is_some_and(MatchTime::is_known)
    }
}

impl MatchTime {
    /// The estimate from these pairs; `None` if there are none.
    pub(super) fn from_timed(timed: &[TimedPair], plan: &PlanSize) -> Option<Self> {
        let count = timed.len() as f64;
        let bots = plan.tables_of.len();
        let average = timed.iter().map(|pair| pair.seconds).sum::<f64>() / count;
        if timed.is_empty() {
            return None;
        }
        let shares = shares(timed, bots, average);
        let all =
            shares.iter().zip(&plan.tables_of).map(|(share, tables)| share * *tables as f64).sum::<f64>();
        let mean = (all / plan.tables as f64).max(0.0);
        let is_fitted = timed.len() >= bots + FEWEST;
        let squares = |expected: &dyn Fn(&TimedPair) -> f64| -> f64 {
            timed.iter().map(|pair| (pair.seconds - expected(pair)).powi(2)).sum()
        };
        let variance = match timed.len() {
            1 => average.powi(2), // the error is unknown: take it to be as large as the mean
            _ if is_fitted => squares(&|pair| together(&shares, &pair.table)) / (count - bots as f64),
            _ => squares(&|_| average) / (count - 1.0),
        };
        let not_seen = (1.0 - count / plan.pairs() as f64).max(0.0);
        Some(Self { mean, error: (variance / count * not_seen).sqrt() })
    }

    /// Whether the mean is known well enough.
    pub(super) fn is_known(self) -> bool {
        self.error <= WELL * self.mean
    }

    /// The factor by which the mean may be too short or too long: two standard errors.
    pub(super) fn factor(self) -> f64 {
        if self.mean > 0.0 { 1.0 + 2.0 * self.error / self.mean } else { 1.0 }
    }
}

/// How long a match at a table lasts according to the shares of its bots.
fn together(shares: &[f64], table: &Table) -> f64 {
    table.bots().iter().map(|bot| shares[bot.index()]).sum()
}

/// Each bot's share in the time of a match. Bots that were not seen get the share of an average match of `mean` seconds.
fn shares(timed: &[TimedPair], bots: usize, mean: f64) -> Vec<f64> {
    let mut pairs_of = vec![Vec::new(); bots];
    for pair in timed {
        pair.table.bots().iter().for_each(|bot| pairs_of[bot.index()].push(pair));
    }
    let seats = timed.first().map_or(1, |pair| pair.table.bots().len());
    let mut shares = vec![mean / seats as f64; bots];
    // Each share in turn becomes what the others leave unexplained, which converges to the least squares.
    for _ in 0..SWEEPS {
        for (bot, pairs) in pairs_of.iter().enumerate().filter(|(_, pairs)| !pairs.is_empty()) {
            let left = pairs.iter().map(|pair| pair.seconds - together(&shares, &pair.table)).sum::<f64>();
            shares[bot] += left / pairs.len() as f64;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use leyden_protocol::Seats;

    use super::*;
    use leyden_format::Format;

    const SOON: Duration = Duration::from_millis(10);

    fn extent(bots: usize, blocks: u32) -> PlanSize {
        PlanSize::from_schedule(&Schedule::round_robin(bots, Seats::TWO, blocks).unwrap())
    }

    /// The pairs of these tables, each with the time that `seconds` returns.
    fn timed(
        tables: impl IntoIterator<Item = [u32; 2]>,
        seconds: impl Fn([u32; 2]) -> f64,
    ) -> Vec<TimedPair> {
        let table = |bots: [u32; 2]| Table::new(&bots.map(BotIndex)).unwrap();
        tables.into_iter().map(|bots| TimedPair { table: table(bots), seconds: seconds(bots) }).collect()
    }

    fn all(bots: u32) -> impl Iterator<Item = [u32; 2]> + Clone {
        (0..bots).flat_map(move |one| (one + 1..bots).map(move |other| [one, other]))
    }

    /// Bot 0 hangs: its matches take 4 s, all others 0.1 s.
    fn hangs(bots: [u32; 2]) -> f64 {
        if bots[0] == 0 { 4.0 } else { 0.1 }
    }

    /// The time varies, independently of the bots.
    fn varies(bots: [u32; 2]) -> f64 {
        [0.5, 1.0, 1.5][(bots[0] * 5 + bots[1] * 7) as usize % 3]
    }

    #[test]
    fn a_bot_that_hangs_counts_by_its_matches_in_the_plan_however_often_it_was_seen() {
        // It sits at 8 of the 36 tables.
        let expected = (8.0 * 4.0 + 28.0 * 0.1) / 36.0;
        let often = timed(all(9).filter(|bots| bots[0] == 0 || bots[0] + 1 == bots[1]), hangs);
        let rarely = timed(all(9).filter(|bots| bots[0] > 0 || bots[1] < 3), hangs);
        for timed in [&often, &rarely] {
            let time = MatchTime::from_timed(timed, &extent(9, 100)).unwrap();
            assert!((time.mean / expected - 1.0).abs() < 0.01, "{time:?}, not {expected}");
        }
        let plain =
            |timed: &[TimedPair]| timed.iter().map(|pair| pair.seconds).sum::<f64>() / timed.len() as f64;
        assert!(plain(&often) > 1.5 * expected && plain(&rarely) < 0.7 * expected);
        // Though times differ forty-fold they are known, because they depend on who plays.
        assert!(extent(9, 100).is_enough(&timed(all(9), hangs), SOON));
    }

    #[test]
    fn a_gauntlet_has_the_shares_of_its_tables() {
        let format = Format::Gauntlet { challengers: vec![BotIndex(0)] };
        let gauntlet = PlanSize::from_schedule(&Schedule::new(format, 9, Seats::TWO, 10).unwrap());
        assert_eq!((gauntlet.tables_of.clone(), gauntlet.pairs()), ([&[8][..], &[1; 8]].concat(), 80));
        let time = MatchTime::from_timed(&timed((1..9).map(|other| [0, other]), hangs), &gauntlet).unwrap();
        assert!((time.mean - 4.0).abs() < 1e-6, "{time:?}");
        let three = Schedule::round_robin(5, Seats::new(3).unwrap(), 1).unwrap();
        assert_eq!(PlanSize::from_schedule(&three).tables_of, [6; 5]);
    }

    #[test]
    fn it_goes_on_until_every_bot_and_if_there_is_time_every_table_was_seen() {
        let plan = extent(9, 100);
        let but_bot_8 = all(9).filter(|bots| bots[1] < 8);
        assert!(!plan.is_enough(&timed(but_bot_8.clone(), |_| 1.0), Duration::from_secs(30)));
        assert_eq!(plan.rarely_seen(&timed(but_bot_8, |_| 1.0)), [BotIndex(8)]);
        let half = timed(all(9).filter(|bots| (bots[0] + bots[1]) % 2 == 0), |_| 1.0);
        assert!(!plan.is_enough(&half, SOON));
        assert!(plan.is_enough(&half, FOR_EVERY_TABLE));
        assert!(plan.is_enough(&timed(all(9), |_| 1.0), SOON));
        // 100 bots have 4950 tables, which is too many to see all.
        let cycle = (0..99).map(|bot| [bot, bot + 1]).chain([[0, 99]]);
        assert!(!extent(100, 1).is_enough(&timed(cycle.clone(), |_| 1.0), SOON));
        assert!(extent(100, 1).is_enough(&timed(cycle, |_| 1.0), FOR_EVERY_TABLE));
    }

    #[test]
    fn it_goes_on_until_the_mean_is_known() {
        let plan = extent(9, 100);
        let once = timed(all(9), varies);
        let time = MatchTime::from_timed(&once, &plan).unwrap();
        assert!((0.05..0.15).contains(&(time.error / time.mean)), "{time:?}");
        // A few pairs are enough only by luck, and twice the error takes four times the pairs.
        let two = extent(2, 1_000);
        let seen = |count: usize, other: f64| {
            let pair = |nth| timed([[0, 1]], |_| if nth % 2 == 0 { 1.0 } else { other })[0];
            (0..count).map(pair).collect::<Vec<_>>()
        };
        assert!(!two.is_enough(&seen(4, 9.0), FOR_EVERY_TABLE));
        let enough =
            |other| (2..1_000).find(|count| two.is_enough(&seen(*count, other), FOR_EVERY_TABLE)).unwrap();
        assert!(enough(1.0) >= FEWEST && enough(1.5) < 20, "{} {}", enough(1.0), enough(1.5));
        assert!((55..75).contains(&enough(9.0)), "{}", enough(9.0));
    }

    #[test]
    fn what_was_played_whole_is_known() {
        let plan = extent(2, 3);
        let whole = timed([[0, 1]; 3], |_| 2.0);
        assert!(plan.is_enough(&whole, SOON) && !plan.is_enough(&whole[..2], SOON));
        let time = MatchTime::from_timed(&whole, &plan).unwrap();
        assert!((time.mean - 2.0).abs() < 1e-9 && time.error < 1e-9, "{time:?}");
        // One pair says little, and no pair says nothing.
        let one = MatchTime::from_timed(&whole[..1], &extent(2, 1_000)).unwrap();
        assert!(!one.is_known() && (2.9..3.1).contains(&one.factor()), "{one:?}");
        assert_eq!(MatchTime::from_timed(&[], &plan), None);
    }
}
