//! Follows a results file and takes in what may be seen of it. Reads only, and leaves nothing beside the file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use leyden_model::{BotIndex, LeftOut, MatchKey, MatchRecord, PairKey};
use leyden_protocol::WinningScore;

use super::{BotSeen, FaultDetail, MatchFault, MatchSeen, Progress, RoundSums, Snapshot};
use crate::format::Schedule;
use crate::record::store::{Results, StoredPlan, log_of};
use crate::report::{BotResults, CompletePairs, LuckReport, ReportError, RunningGate, Standings, luck};
use crate::web::replay::{printable, printable_lines};

/// How many matches are taken in while the file is held open.
const AT_ONCE: usize = 2_000;

/// How many faults' texts are kept for their authors.
const TEXTS: usize = 1_000;

/// A pair that was completed: its matches, leg by leg.
pub type PairPlayed = Vec<(MatchKey, MatchRecord)>;

/// What of a results file may be seen, brought up to date step by step.
pub struct SnapshotReader {
    path: PathBuf,
    stored_plan: StoredPlan,
    schedule: Schedule,
    better: WinningScore,
    /// The number of the last match that was looked at.
    last: i64,
    /// Matches that are stored and were not looked at when they were listed.
    listed: Listed,
    /// The legs that are there of pairs that are not complete: not even their results are read.
    begun: BTreeMap<PairKey, BTreeSet<u32>>,
    voided: BTreeSet<PairKey>,
    pairs: CompletePairs,
    rounds: Vec<RoundSums>,
    matches: Vec<Arc<MatchSeen>>,
    told: Arc<BTreeMap<String, FaultDetail>>,
    trial: Option<RunningGate>,
    /// Why there is no trial of a gate.
    not_judged: Option<String>,
    /// What `leyden luck` has kept, if it is of all matches.
    luck: Option<LuckReport>,
    /// How the file looked when it was read last.
    stamp: Option<Stamp>,
}

/// Sizes and times of a results file and of its log: as long as they are the same, so is what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp([Option<(u64, SystemTime)>; 2]);

impl Stamp {
    fn of(path: &Path) -> Self {
        let of = |path: &Path| {
            let found = std::fs::metadata(path).ok()?;
            Some((found.len(), found.modified().ok()?))
        };
        Self([of(path), of(&log_of(path))])
    }

    /// Whether whatever is written from now on changes it: clocks of files go in steps.
    fn is_settled(&self) -> bool {
        let is_old = |time: &SystemTime| time.elapsed().is_ok_and(|age| age.as_millis() >= 100);
        self.0.iter().flatten().all(|(_, time)| is_old(time))
    }
}

impl SnapshotReader {
    /// Opens a results file; nothing of its matches is taken in yet.
    pub fn open(path: &Path) -> Result<Self, ReportError> {
        Results::look(path, |results| Self::of(results, path))?
    }

    fn of(results: &Results, path: &Path) -> Result<Self, ReportError> {
        let stored_plan = results.stored_plan().clone();
        let (bots, better) = (stored_plan.bots.len(), results.better());
        let rules = stored_plan.record_rules().rules()?;
        let trial = |terms| RunningGate::new(terms, &rules).map(|trial| trial.of_bots(&stored_plan.bots));
        let (trial, not_judged) = match stored_plan.gate.map(trial).transpose() {
            Ok(trial) => (trial, None),
            Err(why) => (None, Some(why.to_string())),
        };
        Ok(Self {
            path: path.to_owned(),
            schedule: stored_plan.schedule()?,
            better,
            last: 0,
            listed: Listed::default(),
            begun: BTreeMap::new(),
            voided: BTreeSet::new(),
            pairs: CompletePairs::new(bots, better),
            rounds: vec![RoundSums::default(); bots],
            matches: Vec::new(),
            told: Arc::default(),
            trial,
            not_judged,
            luck: None,
            stamp: None,
            stored_plan,
        })
    }

    /// Takes in what was stored since, and calls `played` with each pair that is complete now. Says whether anything has
    /// changed. What cannot be read stays to be read the next time.
    pub fn refresh(&mut self, mut played: impl FnMut(&PairPlayed)) -> Result<bool, ReportError> {
        let path = self.path.clone();
        let stamp = Stamp::of(&path);
        if self.stamp == Some(stamp) {
            return Ok(false);
        }
        let (mut has_changed, mut more) = (false, true);
        while more {
            let found = Results::look(&path, |results| self.find(results))??;
            more = found.more;
            has_changed |= self.take(found, &mut played)?;
        }
        self.stamp = Some(stamp).filter(Stamp::is_settled);
        Ok(has_changed)
    }

    /// Reads a part of what was stored since. Changes nothing: it may be called again for the same.
    fn find(&self, results: &Results) -> Result<Found, ReportError> {
        if *results.stored_plan() != self.stored_plan {
            // It goes on with more bots or blocks.
            let anew = Some(Box::new(Self::of(results, &self.path)?));
            return Ok(Found { anew, more: true, ..Found::default() });
        }
        let schedule = if self.stored_plan.format.is_adaptive() { Some(results.done()?.0) } else { None };
        let listed = if self.listed.is_empty() {
            Listed { all: results.stored_since(self.last)?.into(), next: 0 }
        } else {
            self.listed.clone()
        };
        let (some, rest) = listed.some();
        let mut found = Found {
            anew: None,
            legs: schedule.as_ref().unwrap_or(&self.schedule).legs() as usize,
            schedule,
            voided: results.voided()?.iter().map(|voided| voided.key.pair()).collect(),
            last: self.last,
            begun: self.begun.clone(),
            luck: luck::kept(results)?,
            pairs: Vec::new(),
            more: !rest.is_empty(),
            listed: rest,
        };
        for (number, key) in some {
            found.add(*number, *key, results)?;
        }
        Ok(found)
    }

    /// Takes in what was found, and says whether anything has changed.
    fn take(&mut self, found: Found, played: &mut impl FnMut(&PairPlayed)) -> Result<bool, ReportError> {
        if let Some(anew) = found.anew {
            *self = *anew;
            return Ok(true);
        }
        let has_changed = !found.pairs.is_empty() || found.voided != self.voided || found.luck != self.luck;
        if let Some(schedule) = found.schedule {
            self.schedule = schedule;
        }
        (self.voided, self.begun) = (found.voided, found.begun);
        (self.last, self.listed, self.luck) = (found.last, found.listed, found.luck);
        for legs in found.pairs {
            self.add(&legs)?;
            played(&legs);
        }
        Ok(has_changed)
    }

    fn add(&mut self, legs: &PairPlayed) -> Result<(), ReportError> {
        self.pairs.add(legs);
        for (key, record) in legs {
            for (seat, bot) in key.seating().iter() {
                self.rounds[bot.index()].add(record, seat);
            }
            self.matches.push(Arc::new(seen(key, record)));
            self.keep_told(record);
        }
        // A void pair may still be played again: it is waited for.
        if let Some(trial) = &mut self.trial {
            for (key, record) in legs {
                let rank = self.schedule.rank(key).unwrap_or_default();
                trial.take(rank, key, record.clone()).map_err(crate::report::ReportDefect::from)?;
            }
        }
        Ok(())
    }

    fn keep_told(&mut self, record: &MatchRecord) {
        let Some(fault) = record.fault.as_ref().filter(|_| self.told.len() < TEXTS) else { return };
        let stderr = record.stderr.as_ref().map_or_else(String::new, |said| said[fault.seat].clone());
        let told = FaultDetail { message: printable_lines(&fault.message), stderr: printable_lines(&stderr) };
        Arc::make_mut(&mut self.told).insert(record.id.clone(), told);
    }

    /// How many matches are taken in.
    pub fn matches(&self) -> u64 {
        self.pairs.matches()
    }

    /// Whether everything that is wanted is played.
    pub fn is_over(&self) -> bool {
        let is_decided = self.trial.as_ref().is_some_and(RunningGate::is_over);
        is_decided || self.pairs.matches() == self.schedule.matches()
    }

    /// The tournament as its results file has it.
    pub(super) fn stored_plan(&self) -> &StoredPlan {
        &self.stored_plan
    }

    /// The places of all matches that are taken in, by their ids.
    pub fn keys(&self) -> BTreeMap<String, MatchKey> {
        self.matches.iter().map(|seen| (seen.id.clone(), seen.key)).collect()
    }

    /// The moment as values; `rate` is how many matches are played in a second.
    pub fn snapshot(&self, rate: Option<f64>) -> Result<Snapshot, ReportError> {
        self.snapshot_of(&self.stored_plan, self.luck.clone(), rate)
    }

    /// The same with what a stored plan says of the bots, and nothing else of them.
    pub(super) fn snapshot_of(
        &self,
        stored_plan: &StoredPlan,
        luck: Option<LuckReport>,
        rate: Option<f64>,
    ) -> Result<Snapshot, ReportError> {
        let mut gathered = self.pairs.gathered(stored_plan, &self.schedule, &self.voided)?;
        gathered.luck = luck;
        let mut standings = Standings::of(&gathered, true)?;
        let places: BTreeMap<&str, u32> =
            stored_plan.bots.iter().map(|bot| bot.name.as_str()).zip(0..).collect();
        let place = |name: &str| BotIndex(places.get(name).copied().unwrap_or_default());
        let name = |bot: BotIndex| stored_plan.bots[bot.index()].name.clone();
        let is_over = self.is_over();
        let done = self.pairs.matches();
        for left_out in &mut standings.left_out {
            *left_out = seen_left_out(left_out, is_over);
        }
        Ok(Snapshot {
            name: self.path.file_stem().map_or_else(String::new, |stem| printable(&stem.to_string_lossy())),
            is_nameless: false,
            rules: stored_plan.record_rules(),
            better: self.better,
            format: match (&stored_plan.gate, &self.not_judged) {
                (None, _) => stored_plan.format.describe(name),
                (Some(_), None) => "gate".to_owned(),
                (Some(_), Some(why)) => format!("gate ({why})"),
            },
            legs: self.schedule.legs(),
            blocks: stored_plan.blocks,
            seed: is_over.then(|| stored_plan.seed.clone()),
            bots: self.bots(stored_plan),
            ranking: standings.bots.iter().map(|bot| place(&bot.name)).collect(),
            meetings: self.pairs.meetings().to_vec(),
            standings,
            matches: self.matches.clone(),
            told: if is_over { Arc::clone(&self.told) } else { Arc::default() },
            progress: Progress { done, wanted: self.schedule.matches(), is_over, rate },
            gate: self.trial.as_ref().map(|trial| {
                let document = trial.document(stored_plan);
                Box::new(document)
            }),
        })
    }

    fn bots(&self, stored_plan: &StoredPlan) -> Vec<BotSeen> {
        let each = stored_plan.bots.iter().zip(self.pairs.sums()).zip(&self.rounds);
        each.map(|((bot, sums), rounds)| BotSeen {
            name: printable(&bot.name),
            author: bot.author.as_deref().map(printable),
            language: bot.language.as_deref().map(printable),
            results: BotResults::of(sums),
            rounds: *rounds,
            times: sums.thinking.times().collect(),
        })
        .collect()
    }
}

/// Matches in the order in which they were stored, each with its number; those before `next` were looked at. To list them
/// takes a pass over the file, so it is done once for all that is there.
#[derive(Clone, Default)]
struct Listed {
    all: Arc<[(i64, MatchKey)]>,
    next: usize,
}

impl Listed {
    fn is_empty(&self) -> bool {
        self.next == self.all.len()
    }

    /// Those that are looked at next, and the list without them.
    fn some(&self) -> (&[(i64, MatchKey)], Self) {
        let end = self.all.len().min(self.next + AT_ONCE);
        (&self.all[self.next..end], Self { all: Arc::clone(&self.all), next: end })
    }
}

/// What was found in a results file.
#[derive(Default)]
struct Found {
    /// It is not the tournament that was followed so far: this one is.
    anew: Option<Box<SnapshotReader>>,
    /// The schedule, where it depends on results.
    schedule: Option<Schedule>,
    /// How many a pair has.
    legs: usize,
    voided: BTreeSet<PairKey>,
    last: i64,
    begun: BTreeMap<PairKey, BTreeSet<u32>>,
    listed: Listed,
    luck: Option<LuckReport>,
    /// The pairs that are complete now.
    pairs: Vec<PairPlayed>,
    more: bool,
}

impl Found {
    fn add(&mut self, number: i64, key: MatchKey, results: &Results) -> Result<(), ReportError> {
        self.last = number;
        let pair = key.pair();
        let legs = self.begun.entry(pair).or_default();
        legs.insert(key.leg);
        if legs.len() < self.legs {
            return Ok(());
        }
        let stored = legs_of(results, pair)?;
        if stored.len() == self.legs {
            self.begun.remove(&pair);
            self.pairs.push(stored);
        } else {
            // One of them was void, and is played again.
            *legs = stored.iter().map(|(key, _)| key.leg).collect();
        }
        Ok(())
    }
}

/// The legs of a pair that are there.
fn legs_of(results: &Results, pair: PairKey) -> Result<PairPlayed, ReportError> {
    let mut legs = Vec::new();
    for key in pair.legs() {
        if let Some(record) = results.record(&key)? {
            legs.push((key, record));
        }
    }
    Ok(legs)
}

/// What was handed in and does not play, without the organiser's folders; why is for its author, as is what faults tell.
fn seen_left_out(left_out: &LeftOut, is_over: bool) -> LeftOut {
    let path = Path::new(&left_out.entry);
    let name = path.file_name().map_or_else(|| left_out.entry.as_str().into(), |name| name.to_string_lossy());
    let around = path.parent().filter(|around| !around.as_os_str().is_empty());
    let reason = around.map_or_else(
        || left_out.reason.clone(),
        |around| left_out.reason.replace(&format!("{}/", around.display()), ""),
    );
    LeftOut {
        entry: printable(&name),
        reason: if is_over { printable_lines(&reason) } else { String::new() },
    }
}

fn seen(key: &MatchKey, record: &MatchRecord) -> MatchSeen {
    let moment = record.rounds.len().checked_sub(1).map(|last| (last, record.rounds[last].actions.len()));
    let times = record.think_us.as_slice().iter().flatten();
    MatchSeen {
        key: *key,
        id: record.id.clone(),
        bots: key.seating(),
        scores: record.scores,
        winner: record.winner,
        end: record.end,
        fault: record.fault.as_ref().map(|fault| MatchFault { seat: fault.seat, code: fault.code, moment }),
        rounds: record.rounds.len() as u32,
        actions: record.rounds.iter().map(|round| round.actions.len() as u32).sum(),
        longest_us: times.copied().max().unwrap_or(0),
    }
}
