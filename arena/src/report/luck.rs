//! Scores without luck, pairing by pairing: computed from records on all cores, and kept in the results file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use leyden_luck::{
    Deal, LUCK_VERSION, Luck, LuckEstimator, LuckReplayError, PLAYOUTS, UnsupportedRulesError,
};
use leyden_model::{MatchRecord, RULES_EDITION, RecordRules};
use leyden_protocol::{Seat, WinningScore};
use leyden_stats::{
    AdjustedScore, Entrant, FEWEST_FOR_SPREAD, FEWEST_TO_COMPARE, Holds, Interval, LEAST_GAIN, LuckEstimates,
    PairLuck, PairingLuck, Ratings, adjust, gains, half_width_of_mean,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{REPORT_VERSION, ReportError};
use crate::record::store::{Results, StoreError};

/// The output of `leyden luck --json`. The raw figures are the official ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Scores without luck")]
pub struct LuckReport {
    /// The version of this format: 1.
    pub v: u32,
    /// The version of the baseline, its tables and its random numbers: figures of different versions cannot be compared.
    pub luck_version: u32,
    /// The number of boneyard orders over which each decision was averaged.
    pub playouts: u32,
    /// The tournament's id: the first 16 hex digits of its seed commitment.
    pub tournament: String,
    pub rules: RecordRules,
    /// When intervals hold: once everything is played that was planned, or until then at any time. Those that hold at any time are
    /// wider.
    pub holds: Holds,
    /// The number of stored matches when this was computed.
    pub matches: u64,
    /// In schedule order: the pairings with at least two complete pairs.
    pub pairings: Vec<LuckPairing>,
    /// By bot; only for three or more bots that have played at least two blocks in which no pairing is missing, if the
    /// ratings converge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<LuckRating>,
    /// Why there are no figures, if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

/// Two bots over their complete pairs, seen from the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LuckPairing {
    pub bots: [String; 2],
    pub pairs: u64,
    /// As played.
    pub raw: MeanScore,
    /// With luck taken out: an unbiased estimate of the same mean. It may lie slightly outside 0..=1.
    pub adjusted: MeanScore,
    /// The variance of a pair's score without luck divided by the variance with it: 0.5 is worth twice as many matches.
    /// `null` if all pairs scored the same.
    pub variance_ratio: Option<f64>,
    /// 95 %; `null` below 20 pairs.
    pub variance_ratio_interval: Option<Interval>,
}

/// A bot's rating in Elo; the mean of the field is 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LuckRating {
    pub bot: String,
    /// As played.
    pub raw: RatingEstimate,
    /// From pairs with luck taken out: an estimate of the same number.
    pub adjusted: RatingEstimate,
}

/// A rating and the half-width of its 95 % interval, in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatingEstimate {
    pub elo: f64,
    pub half_width: f64,
}

/// The mean score of a match, 0..=1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeanScore {
    pub score: f64,
    /// The standard error of the mean.
    pub se: f64,
    /// The 95 % interval is the score ± this; `null` below 10 pairs, and if all scored alike.
    pub half_width: Option<f64>,
}

impl LuckPairing {
    fn new(bots: [String; 2], estimate: &AdjustedScore, holds: Holds) -> Self {
        let mean = |score, se: f64| {
            let is_known = estimate.pairs >= FEWEST_TO_COMPARE && se > 0.0;
            let half_width = is_known.then(|| half_width_of_mean(se, estimate.pairs, holds)).flatten();
            MeanScore { score, se, half_width }
        };
        Self {
            bots,
            pairs: estimate.pairs,
            raw: mean(estimate.raw, estimate.raw_se),
            adjusted: mean(estimate.adjusted, estimate.adjusted_se),
            variance_ratio: estimate.variance_ratio,
            variance_ratio_interval: estimate.ratio_interval(holds),
        }
    }

    /// How many times as many matches would have the same precision, with 95 %, whether that is worth showing or not.
    pub fn worth(&self) -> Option<Interval> {
        let Interval { low, high } = self.variance_ratio_interval?;
        Some(Interval { low: 1.0 / high, high: 1.0 / low })
    }

    /// [`worth`](Self::worth), if it is worth showing.
    pub fn gain(&self) -> Option<Interval> {
        self.worth().filter(|_| gains(self.variance_ratio, self.pairs))
    }
}

impl LuckReport {
    /// Whether the ratings without luck are certain enough, beside the others, to be worth showing.
    pub fn ratings_gain(&self) -> bool {
        let squares = |of: fn(&LuckRating) -> RatingEstimate| {
            self.ratings.iter().map(|rating| of(rating).half_width.powi(2)).sum::<f64>()
        };
        let (raw, adjusted) = (squares(|rating| rating.raw), squares(|rating| rating.adjusted));
        let is_known = self.pairings.iter().all(|pairing| pairing.pairs >= FEWEST_FOR_SPREAD);
        is_known && adjusted > 0.0 && raw >= adjusted * LEAST_GAIN
    }
}

/// The ratings of all bots, with and without luck.
fn ratings(pairings: &BTreeMap<[String; 2], Vec<PairLuck>>, holds: Holds) -> Option<Vec<LuckRating>> {
    let bots: BTreeSet<&String> = pairings.keys().flatten().collect();
    if bots.len() < 3 {
        return None;
    }
    let entrant = |bot: &String| Some(Entrant(bots.iter().position(|other| *other == bot)? as u32));
    let fit = |is_taken_out: bool| {
        let each = pairings.iter().map(|([first, second], pairs)| {
            let of = |pair: &PairLuck| {
                if is_taken_out { *pair } else { PairLuck { luck: LuckEstimates::default(), ..*pair } }
            };
            let pairs = pairs.iter().map(of).collect();
            Some(PairingLuck { first: entrant(first)?, second: entrant(second)?, pairs })
        });
        Ratings::without_luck(bots.len(), &each.collect::<Option<Vec<_>>>()?, holds).ok()?
    };
    let (raw, adjusted) = (fit(false)?, fit(true)?);
    let rating = |(index, bot): (u32, &&String)| {
        let of = |ratings: &Ratings| {
            let elo = ratings.elo(Entrant(index)).get();
            Some(RatingEstimate { elo, half_width: ratings.half_width(Entrant(index))? })
        };
        Some(LuckRating { bot: (*bot).clone(), raw: of(&raw)?, adjusted: of(&adjusted)? })
    };
    (0..).zip(&bots).map(rating).collect()
}

/// Why scores without luck are not available.
#[derive(Debug, thiserror::Error)]
pub enum LuckError {
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("match {id}: {why}; `leyden verify` says more")]
    Match { id: String, why: LuckReplayError },
    #[error(
        "match {id} was played by edition {edition} of the rules; this leyden plays edition {RULES_EDITION}: use the version \
         that played it"
    )]
    Edition { id: String, edition: u32 },
    #[error("a thread that computes luck failed")]
    BrokeDown,
}

/// A pair: the bot that sits first in its first leg, the other bot, the block, and the seed that both legs share.
type PairOf = ([String; 2], u32, String);

/// For each leg of a pair, the first bot's result, 0..=1, and its luck.
type Legs = BTreeMap<u32, (f64, LuckEstimates)>;

/// Computes luck record by record, on all cores. The result does not depend on the order of records or the number of threads.
pub struct LuckOf {
    common: Option<(String, RecordRules)>,
    matches: u64,
    threads: usize,
    workers: Option<Workers>,
    left_out: Option<UnsupportedRulesError>,
}

struct Workers {
    jobs: mpsc::SyncSender<MatchRecord>,
    running: Vec<thread::JoinHandle<Result<BTreeMap<PairOf, Legs>, LuckError>>>,
}

impl LuckOf {
    /// Creates one without matches.
    pub fn new(threads: usize) -> Self {
        Self { common: None, matches: 0, threads: threads.max(1), workers: None, left_out: None }
    }

    /// Adds a record; one of another tournament is rejected.
    pub fn add(&mut self, record: MatchRecord) -> Result<(), LuckError> {
        if record.rules_edition != RULES_EDITION {
            return Err(LuckError::Edition { id: record.id, edition: record.rules_edition });
        }
        if let Some((tournament, rules)) = &self.common {
            if (tournament, *rules) != (&record.tournament, record.rules) {
                return Err(ReportError::SeveralTournaments.into());
            }
        } else {
            self.begin(&record)?;
        }
        self.matches += 1;
        match &self.workers {
            // A worker that stopped reports its error at the end.
            Some(workers) => workers.jobs.send(record).or(Ok(())),
            None => Ok(()),
        }
    }

    /// Starts threads for the rules of the first record, if luck is supported for them.
    fn begin(&mut self, record: &MatchRecord) -> Result<(), LuckError> {
        self.common = Some((record.tournament.clone(), record.rules));
        let rules = record.rules.rules().map_err(ReportError::from)?;
        match LuckEstimator::for_rules(&rules) {
            Ok(estimator) => self.workers = Some(Workers::start(estimator, rules.better, self.threads)),
            Err(why) => self.left_out = Some(why),
        }
        Ok(())
    }

    /// The result over all records; `holds` says when its intervals shall hold.
    pub fn finish(self, holds: Holds) -> Result<LuckReport, LuckError> {
        let (tournament, rules) = self.common.ok_or(ReportError::NoMatch)?;
        let mut pairs: BTreeMap<PairOf, Legs> = BTreeMap::new();
        if let Some(Workers { jobs, running }) = self.workers {
            drop(jobs);
            for worker in running {
                for (pair, legs) in worker.join().map_err(|_| LuckError::BrokeDown)?? {
                    pairs.entry(pair).or_default().extend(legs);
                }
            }
        }
        let mut pairings: BTreeMap<[String; 2], Vec<PairLuck>> = BTreeMap::new();
        for ((bots, block, _), legs) in pairs {
            let of_bots = pairings.entry(bots).or_default();
            if let [(score, luck), (other_score, others)] = legs.into_values().collect::<Vec<_>>()[..] {
                let luck = std::array::from_fn(|baseline| f64::midpoint(luck[baseline], others[baseline]));
                of_bots.push(PairLuck { block, score: f64::midpoint(score, other_score), luck });
            }
        }
        let ratings = ratings(&pairings, holds).unwrap_or_default();
        let reported = pairings
            .into_iter()
            .filter_map(|(bots, pairs)| Some(LuckPairing::new(bots, &adjust(&pairs)?, holds)));
        Ok(LuckReport {
            v: REPORT_VERSION,
            luck_version: LUCK_VERSION,
            playouts: PLAYOUTS,
            tournament,
            rules,
            holds,
            matches: self.matches,
            pairings: reported.collect(),
            ratings,
            left_out: self.left_out.map(|why| why.to_string()),
        })
    }
}

impl Workers {
    fn start(estimator: LuckEstimator, better: WinningScore, threads: usize) -> Self {
        // Only a few records wait, because they are read faster than they are processed.
        let (jobs, queue) = mpsc::sync_channel::<MatchRecord>(2 * threads);
        let (estimator, queue) = (Arc::new(estimator), Arc::new(Mutex::new(queue)));
        let worker = || {
            let (estimator, queue) = (Arc::clone(&estimator), Arc::clone(&queue));
            thread::spawn(move || {
                let next = || queue.lock().ok().and_then(|queue| queue.recv().ok());
                let mut found: BTreeMap<PairOf, Legs> = BTreeMap::new();
                let mut failed = None;
                // The queue is drained even after a failure, so that nobody waits for space in it.
                while let Some(record) = next() {
                    if failed.is_none() {
                        failed = count(&estimator, &record, better, &mut found).err();
                    }
                }
                failed.map_or(Ok(found), Err)
            })
        };
        let running = (0..threads).map(|_| worker()).collect();
        Self { jobs, running }
    }
}

fn count(
    estimator: &LuckEstimator,
    record: &MatchRecord,
    better: WinningScore,
    found: &mut BTreeMap<PairOf, Legs>,
) -> Result<(), LuckError> {
    let luck = luck_of(estimator, record).map_err(|why| LuckError::Match { id: record.id.clone(), why })?;
    let end = crate::record::final_scores(record, better);
    let result = f64::from(end.result(Seat::FIRST).half_points()) / 2.0;
    let [one, other] = record.bots.as_slice() else { return Ok(()) };
    let turned = !record.leg.is_multiple_of(2);
    let (bots, leg) = if turned {
        ([other, one], (1.0 - result, luck.second_seat()))
    } else {
        ([one, other], (result, luck.first_seat))
    };
    let pair = (bots.map(Clone::clone), record.block, record.seed.to_string());
    found.entry(pair).or_default().insert(record.leg, leg);
    Ok(())
}

/// The luck of a match.
pub(super) fn luck_of(estimator: &LuckEstimator, record: &MatchRecord) -> Result<Luck, LuckReplayError> {
    let deals: Vec<Deal<'_>> =
        record.rounds.iter().map(|round| Deal { deck: &round.deck, actions: &round.actions }).collect();
    estimator.luck(&record.id, &deals)
}

/// The luck stored in a results file, if it is of this version and covers all stored matches.
pub fn kept(results: &Results) -> Result<Option<LuckReport>, StoreError> {
    let kept = results.kept_luck()?.and_then(|kept| serde_json::from_value::<LuckReport>(kept).ok());
    let count = results.count()?;
    Ok(kept.filter(|kept| {
        (kept.v, kept.luck_version, kept.playouts, kept.matches)
            == (REPORT_VERSION, LUCK_VERSION, PLAYOUTS, count)
    }))
}

/// Stores it in the results file from which it was computed. Fails if an arena is writing to the file.
pub fn keep(report: &LuckReport, path: &std::path::Path) -> Result<(), StoreError> {
    crate::record::store::keep_luck(path, &serde_json::json!(report))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;

    fn reported(
        records: impl IntoIterator<Item = MatchRecord>,
        threads: usize,
    ) -> Result<LuckReport, LuckError> {
        let mut luck = LuckOf::new(threads);
        for record in records {
            luck.add(record)?;
        }
        luck.finish(Holds::AtPlannedEnd)
    }

    #[test]
    fn luck_report_ignores_match_order_and_thread_count() {
        for (rules, seats, set) in sample::every_game() {
            let stored_plan = sample::stored_plan_of(rules, seats, set, seats + 1, 3);
            let records: Vec<MatchRecord> = sample::matches(&stored_plan).map(|(_, record)| record).collect();
            let there = reported(records.clone(), 1).unwrap();
            let back = reported(records.into_iter().rev(), 3).unwrap();
            assert_eq!(serde_json::to_string(&there).unwrap(), serde_json::to_string(&back).unwrap());
            if seats > 2 {
                assert!(there.pairings.is_empty() && there.left_out.unwrap().contains("two seats only"));
            } else {
                assert!(there.pairings.iter().all(|pairing| pairing.pairs == 3), "{there:?}");
                assert_eq!((there.pairings.len(), there.left_out), (3, None));
                let bots: Vec<&String> = there.ratings.iter().map(|rating| &rating.bot).collect();
                assert!(bots.len() == 3 && bots.is_sorted(), "{bots:?}");
                let sum = |of: fn(&LuckRating) -> f64| there.ratings.iter().map(of).sum::<f64>();
                assert!(
                    sum(|rating| rating.raw.elo).abs() < 1e-6
                        && sum(|rating| rating.adjusted.elo).abs() < 1e-6
                );
            }
        }
    }

    #[test]
    fn record_that_breaks_the_rules_is_named() {
        let stored_plan = sample::stored_plan(2, 1);
        let (_, mut record) = sample::matches(&stored_plan).next().unwrap();
        record.rounds[0].actions.pop();
        let id = record.id.clone();
        assert!(matches!(reported([record], 2), Err(LuckError::Match { id: named, .. }) if named == id));
    }

    #[test]
    fn kept_luck_report_expires_when_more_is_played() {
        let stored_plan = sample::stored_plan(2, 3);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.db");
        let all: Vec<_> = sample::matches(&stored_plan).collect();
        let (last, first) = all.split_last().unwrap();
        let add = |writer: &crate::record::store::Writer, (key, record): &(_, MatchRecord)| {
            writer.add(key, record.clone()).unwrap();
        };
        let writer = crate::record::store::Writer::create(&path, &stored_plan).unwrap();
        for one in first {
            add(&writer, one);
        }
        let report = reported(first.iter().map(|(_, record)| record.clone()), 1).unwrap();
        assert!(keep(&report, &path).is_err(), "somebody writes");
        writer.finish().unwrap();
        assert_eq!(kept(&Results::open(&path).unwrap()).unwrap(), None);
        keep(&report, &path).unwrap();
        assert_eq!(kept(&Results::open(&path).unwrap()).unwrap(), Some(report));
        let (writer, ..) =
            crate::record::store::Resumable::open(&path).unwrap().resume(&stored_plan).unwrap();
        add(&writer, last);
        writer.finish().unwrap();
        assert_eq!(kept(&Results::open(&path).unwrap()).unwrap(), None);
    }
}
