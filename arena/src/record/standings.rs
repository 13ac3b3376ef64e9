//! Who stands where: counts of matches, points, faults and thinking times. Ratings are the statistics' business.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use leyden_protocol::{Better, FaultCode};
use schemars::JsonSchema;
use serde::Serialize;

use super::store::{BotSums, Results, Sign, StoreError};
use leyden_model::MatchRecord;

/// The standings of a tournament, the best score first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Standings {
    /// Which direction of a match's score is good; null when no match says it.
    pub better: Option<Better>,
    /// Matches counted.
    pub matches: u64,
    /// Matches that were declared void and are not counted.
    pub voided: u64,
    pub bots: Vec<Standing>,
}

/// One bot's part of the standings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Standing {
    /// From 1; equal scores share a place.
    pub place: u32,
    pub name: String,
    pub matches: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    /// Comparisons with each other bot at the table: won count 1, drawn ½; in percent. Null without a match.
    pub score_percent: Option<f64>,
    /// Its own points. These and the next two leave out matches that ended by a fault.
    pub points_for: u64,
    /// The points of the other bots at its tables.
    pub points_against: u64,
    /// How far it was ahead of another bot in a match, on average; positive is good whichever direction of score is.
    pub mean_margin: Option<f64>,
    /// Its own faults that cost a match, those kinds that there were.
    pub faults: BTreeMap<FaultCode, u64>,
    /// Its faults that were forgiven.
    pub strikes: u64,
    /// Decisions it was asked for.
    pub decisions: u64,
    /// Half of its decisions took no longer than this, in microseconds; known to 1.6 %, as the next.
    pub think_median_us: Option<u64>,
    /// 99 of 100 decisions took no longer than this, in microseconds.
    pub think_p99_us: Option<u64>,
}

impl Standings {
    /// The standings that a results file holds now, read from its sums.
    pub fn of_results(results: &Results) -> Result<Self, StoreError> {
        let mut sums: BTreeMap<_, _> = results.bot_sums()?.into_iter().collect();
        let bots = results.setup().bots.iter().zip(0..);
        let each = bots.map(|(bot, index)| {
            let index = leyden_model::BotIndex(index);
            (bot.name.clone(), sums.remove(&index).unwrap_or_default())
        });
        Ok(Self {
            better: Some(results.better()),
            matches: results.count()?,
            voided: results.voided_count()?,
            bots: ranked(each.collect()),
        })
    }
}

/// Standings counted record by record, as from an export. Bots stand in the order in which they first appear.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    better: Option<Better>,
    matches: u64,
    bots: Vec<(String, BotSums)>,
}

impl Counter {
    /// Counts a match. One whose rules cannot be played counts for nothing.
    pub fn add(&mut self, record: &MatchRecord) {
        let Ok(rules) = record.rules.rules() else { return };
        self.better = Some(rules.better);
        self.matches += 1;
        for (seat, name) in record.bots.iter() {
            let place = self.bots.iter().position(|(other, _)| other == name).unwrap_or_else(|| {
                self.bots.push((name.clone(), BotSums::default()));
                self.bots.len() - 1
            });
            self.bots[place].1.count(record, rules.better, seat, Sign::Plus);
        }
    }

    pub fn finish(self) -> Standings {
        Standings { better: self.better, matches: self.matches, voided: 0, bots: ranked(self.bots) }
    }
}

/// Sorted by score, then by margin; equal ones stay in the order in which they came.
fn ranked(bots: Vec<(String, BotSums)>) -> Vec<Standing> {
    let mut all: Vec<Standing> = bots.into_iter().map(|(name, sums)| standing(name, &sums)).collect();
    let descending = |a: Option<f64>, b: Option<f64>| b.partial_cmp(&a).unwrap_or(Ordering::Equal);
    all.sort_by(|a, b| {
        descending(a.score_percent, b.score_percent).then(descending(a.mean_margin, b.mean_margin))
    });
    for i in 0..all.len() {
        let shared = i > 0 && all[i].score_percent == all[i - 1].score_percent;
        all[i].place = if shared { all[i - 1].place } else { i as u32 + 1 };
    }
    all
}

fn standing(name: String, sums: &BotSums) -> Standing {
    let mean = |sum: i64, count: i64| (count > 0).then(|| sum as f64 / count as f64);
    let faults = FaultCode::ALL.into_iter().zip(sums.faults).filter(|&(_, count)| count > 0);
    Standing {
        place: 0,
        name,
        matches: sums.matches as u64,
        won: sums.won as u64,
        drawn: sums.drawn as u64,
        lost: sums.lost as u64,
        score_percent: mean(50 * sums.half_points, sums.comparisons),
        points_for: sums.points_for as u64,
        points_against: sums.points_against as u64,
        mean_margin: mean(sums.margin, sums.margins),
        faults: faults.map(|(code, count)| (code, count as u64)).collect(),
        strikes: sums.strikes as u64,
        decisions: sums.thinking.decisions(),
        think_median_us: sums.thinking.quantile(0.5),
        think_p99_us: sums.thinking.quantile(0.99),
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{PerSeat, Seat};

    use super::*;
    use crate::record::sample;
    use crate::record::store::Writer;
    use leyden_model::FaultRecord;

    /// A match between these two with these scores, the lower of which wins.
    fn played(bots: [&str; 2], scores: [u32; 2]) -> MatchRecord {
        let setup = sample::setup(2, 1);
        let mut record = sample::known(&setup).of(&setup.schedule().unwrap().nth(0).unwrap());
        record.bots = PerSeat::from_list(bots.map(str::to_owned).to_vec()).unwrap();
        record.scores = PerSeat::from_list(scores.to_vec()).unwrap();
        record.think_us = PerSeat::from_list(vec![vec![10, 20, 30], vec![]]).unwrap();
        record
    }

    #[test]
    fn standings_count_what_was_played() {
        let mut counter = Counter::default();
        counter.add(&played(["a", "b"], [40, 100]));
        counter.add(&played(["a", "b"], [104, 104]));
        counter.add(&played(["c", "a"], [100, 30]));
        let mut faulted = played(["a", "b"], [0, 99]);
        faulted.fault =
            Some(FaultRecord { seat: Seat::FIRST, code: FaultCode::Timeout, message: String::new() });
        counter.add(&faulted);
        let standings = counter.finish();
        assert_eq!((standings.better, standings.matches), (Some(Better::Lower), 4));
        let names: Vec<_> = standings.bots.iter().map(|bot| (bot.place, &*bot.name)).collect();
        assert_eq!(names, [(1, "a"), (2, "b"), (3, "c")]);
        let a = &standings.bots[0];
        assert_eq!((a.matches, a.won, a.drawn, a.lost, a.score_percent), (4, 2, 1, 1, Some(62.5)));
        assert_eq!((a.points_for, a.points_against), (174, 304));
        assert_eq!(a.mean_margin, Some(130.0 / 3.0));
        assert_eq!(a.faults.iter().collect::<Vec<_>>(), [(&FaultCode::Timeout, &1)]);
        assert_eq!((a.decisions, a.think_median_us, a.think_p99_us), (9, Some(20), Some(30)));
        let c = &standings.bots[2];
        assert_eq!((c.score_percent, c.mean_margin, c.think_median_us), (Some(0.0), Some(-70.0), Some(20)));
    }

    #[test]
    fn equal_scores_share_a_place() {
        let mut counter = Counter::default();
        counter.add(&played(["a", "b"], [50, 100]));
        counter.add(&played(["b", "a"], [50, 100]));
        counter.add(&played(["c", "a"], [100, 50]));
        counter.add(&played(["c", "b"], [100, 60]));
        let places: Vec<_> = counter.finish().bots.into_iter().map(|bot| (bot.place, bot.name)).collect();
        assert_eq!(places, [(1, "a".to_owned()), (1, "b".to_owned()), (3, "c".to_owned())]);
    }

    #[test]
    fn a_file_and_its_export_have_the_same_standings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.db");
        let setup = sample::setup(4, 5);
        let writer = Writer::create(&path, &setup).unwrap();
        let mut counter = Counter::default();
        for (fixture, record) in sample::matches(&setup) {
            counter.add(&record);
            writer.add(&fixture, record).unwrap();
        }
        writer.finish().unwrap();
        let standings = Standings::of_results(&Results::open(&path).unwrap()).unwrap();
        assert_eq!(standings, counter.finish());
        assert_eq!(serde_json::to_value(&standings).unwrap()["better"], "lower");
    }

    #[test]
    fn who_has_not_played_stands_last() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.db");
        let setup = sample::setup(3, 1);
        let writer = Writer::create(&path, &setup).unwrap();
        let (fixture, record) = sample::matches(&setup).next().unwrap();
        writer.add(&fixture, record).unwrap();
        writer.finish().unwrap();
        let standings = Standings::of_results(&Results::open(&path).unwrap()).unwrap();
        let last = standings.bots.last().unwrap();
        assert_eq!((&*last.name, last.place, last.matches, last.score_percent), ("bot-2", 3, 0, None));
    }
}
