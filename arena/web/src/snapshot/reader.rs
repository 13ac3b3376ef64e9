//! Follows a results file and collects what may be seen of it. Only reads, and creates no files next to it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use leyden_language::{PerLanguage, text::pages as text};
use leyden_model::{BotIndex, LeftOut, MatchKey, MatchRecord, PairKey};
use leyden_protocol::WinningScore;

use super::record::nameless_record;
use super::{BotView, FaultDetail, MatchView, Progress, RevealedMatches, RoundSums, Snapshot, copies};
use crate::replay::{printable, printable_lines};
use leyden_arena::league::{Copies, PublicNames};
use leyden_arena::record::store::{Results, StoreError, StoredPlan, is_being_written, log_of};
use leyden_arena::report::{
    BotResults, CompletePairs, LuckReport, ReportError, RunningGate, Standings, luck,
};

/// How many matches are read before the file is closed for a moment.
const AT_ONCE: usize = 2_000;

/// How many messages about faults are kept for their authors.
const TEXTS: usize = 1_000;

/// The matches of a complete pair, leg by leg.
pub type PlayedPair = Vec<(MatchKey, MatchRecord)>;

/// What may be seen of a results file, updated step by step.
pub struct SnapshotReader {
    path: PathBuf,
    /// What the tournament is called, if not by the name of its file.
    title: Option<String>,
    stored_plan: StoredPlan,
    better: WinningScore,
    /// The pseudonyms of a league that hides names: what is shown has no others.
    names: Option<PublicNames>,
    /// Which versions of a league are copies.
    copies: Option<Copies>,
    /// The number of the last match that was read.
    last: i64,
    /// Stored matches that are not read yet.
    listed: UnreadMatches,
    /// The stored legs of incomplete pairs: not even their results are read.
    begun: BTreeMap<PairKey, BTreeSet<u32>>,
    voided: BTreeSet<PairKey>,
    pairs: CompletePairs,
    rounds: Vec<RoundSums>,
    matches: Vec<Arc<MatchView>>,
    fault_details: Arc<BTreeMap<String, FaultDetail>>,
    gate: Option<RunningGate>,
    /// Why a gate is not judged.
    not_judged: Option<String>,
    /// The report that `leyden luck` stored, if it covers all matches.
    luck: Option<LuckReport>,
    /// What a stage has revealed; `None` if there is no stage. Nothing else is read.
    revealed: Option<RevealedMatches>,
    /// The state of the file when it was last read.
    stamp: Option<Stamp>,
}

/// Sizes and times of a results file and its log: while they stay the same, so does the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp([Option<(u64, SystemTime)>; 2]);

impl Stamp {
    fn read(path: &Path) -> Self {
        let of = |path: &Path| {
            let found = std::fs::metadata(path).ok()?;
            Some((found.len(), found.modified().ok()?))
        };
        Self([of(path), of(&log_of(path))])
    }

    /// Whether any later write changes the stamp: file times have a limited resolution.
    fn is_settled(&self) -> bool {
        let is_old = |time: &SystemTime| time.elapsed().is_ok_and(|age| age.as_millis() >= 100);
        self.0.iter().flatten().all(|(_, time)| is_old(time))
    }
}

impl SnapshotReader {
    /// Opens a results file. Reads none of its matches yet.
    pub fn open(path: &Path) -> Result<Self, ReportError> {
        Results::inspect(path, |results| Self::from_results(results, path))?
    }

    fn from_results(results: &Results, path: &Path) -> Result<Self, ReportError> {
        let stored_plan = results.stored_plan().clone();
        let better = results.better();
        let rules = stored_plan.record_rules().rules()?;
        let gate = |terms| RunningGate::new(terms, &rules).map(|gate| gate.with_bots(&stored_plan.bots));
        let (gate, not_judged) = match stored_plan.gate.map(gate).transpose() {
            Ok(gate) => (gate, None),
            Err(why) => (None, Some(why.to_string())),
        };
        Ok(Self {
            path: path.to_owned(),
            title: None,
            names: names_of(path)?,
            copies: Copies::kept(path),
            better,
            last: 0,
            listed: UnreadMatches::default(),
            begun: BTreeMap::new(),
            voided: BTreeSet::new(),
            pairs: CompletePairs::new(&stored_plan, better)?,
            rounds: vec![RoundSums::default(); stored_plan.bots.len()],
            matches: Vec::new(),
            fault_details: Arc::default(),
            gate,
            not_judged,
            luck: None,
            revealed: None,
            stamp: None,
            stored_plan,
        })
    }

    /// Restricts everything to what a stage has revealed, and begins anew if that has changed. Returns whether it has.
    pub fn reveal(&mut self, revealed: &RevealedMatches) -> Result<bool, ReportError> {
        let is_new = self.revealed.as_ref() != Some(revealed);
        if is_new {
            *self = self.like_this(Self::open(&self.path)?);
            self.revealed = Some(revealed.clone());
        }
        Ok(is_new)
    }

    /// Returns another reader with the title of this one, and restricted in the same way.
    fn like_this(&self, other: Self) -> Self {
        Self { title: self.title.clone(), revealed: self.revealed.clone(), ..other }
    }

    /// Sets what the tournament is called.
    #[must_use]
    pub fn titled(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    /// Whether somebody plays the tournament now.
    pub fn is_playing(&self) -> bool {
        is_being_written(&self.path)
    }

    /// Reads what was stored since, and calls `played` with each pair that is now complete. Returns whether anything changed. What
    /// cannot be read now is read the next time.
    pub fn refresh(&mut self, mut played: impl FnMut(&PlayedPair)) -> Result<bool, ReportError> {
        let path = self.path.clone();
        let beside = (names_of(&path)?, Copies::kept(&path));
        let mut has_changed = beside != (self.names.take(), self.copies.take());
        (self.names, self.copies) = beside;
        let stamp = Stamp::read(&path);
        if self.stamp == Some(stamp) {
            return Ok(has_changed);
        }
        let mut more = true;
        while more {
            let found = Results::inspect(&path, |results| self.find(results))??;
            // Bots that have come since have pseudonyms by now.
            self.names = names_of(&path)?;
            more = found.more;
            has_changed |= self.take(found, &mut played)?;
        }
        self.stamp = Some(stamp).filter(Stamp::is_settled);
        Ok(has_changed)
    }

    /// Reads a part of what was stored since. Changes nothing, so it can be repeated.
    fn find(&self, results: &Results) -> Result<FileContents, ReportError> {
        if *results.stored_plan() != self.stored_plan {
            // The tournament was extended by bots or blocks.
            let restarted = Some(Box::new(self.like_this(Self::from_results(results, &self.path)?)));
            return Ok(FileContents { restarted, more: true, ..FileContents::default() });
        }
        let is_shown =
            |pair: &PairKey| self.revealed.as_ref().is_none_or(|revealed| revealed.has_pair(*pair));
        let listed = if self.listed.is_empty() {
            UnreadMatches { all: results.stored_since(self.last)?.into(), next: 0 }
        } else {
            self.listed.clone()
        };
        let (some, rest) = listed.some();
        let mut found = FileContents {
            restarted: None,
            legs: self.pairs.schedule().legs() as usize,
            voided: results.voided()?.iter().map(|voided| voided.key.pair()).filter(is_shown).collect(),
            last: self.last,
            begun: self.begun.clone(),
            luck: luck::kept(results)?,
            pairs: Vec::new(),
            more: !rest.is_empty(),
            listed: rest,
        };
        for (number, key) in some {
            found.last = *number;
            if is_shown(&key.pair()) {
                found.add(*key, results)?;
            }
        }
        Ok(found)
    }

    /// Applies what was found, and returns whether anything changed.
    fn take(
        &mut self,
        found: FileContents,
        played: &mut impl FnMut(&PlayedPair),
    ) -> Result<bool, ReportError> {
        if let Some(restarted) = found.restarted {
            *self = *restarted;
            return Ok(true);
        }
        let has_changed = !found.pairs.is_empty() || found.voided != self.voided || found.luck != self.luck;
        (self.voided, self.begun) = (found.voided, found.begun);
        (self.last, self.listed, self.luck) = (found.last, found.listed, found.luck);
        for legs in found.pairs {
            self.add(&legs)?;
            played(&self.public(legs));
        }
        // Only a stage shows a match before those from which its round follows.
        let are_all = self.revealed.is_none();
        let is_possible = found.more || self.pairs.add_rounds(are_all)? && self.has_known_begun();
        if !is_possible {
            let (path, what) = (self.path.clone(), "an impossible table".to_owned());
            return Err(StoreError::Damaged { path, what }.into());
        }
        Ok(has_changed)
    }

    /// Whether each incomplete pair of the known rounds is in its round.
    fn has_known_begun(&self) -> bool {
        let schedule = self.pairs.schedule();
        let is_later = |pair: &PairKey| pair.block >= schedule.blocks_end();
        self.begun.keys().all(|pair| is_later(pair) || schedule.rank(&pair.leg(0)).is_some())
    }

    /// A pair as everybody may see it.
    fn public(&self, legs: PlayedPair) -> PlayedPair {
        let Some(names) = &self.names else { return legs };
        let renamed = |(key, record): (MatchKey, MatchRecord)| {
            let bots = record.bots.map(|bot| names.public_name(bot));
            (key, nameless_record(record, bots))
        };
        legs.into_iter().map(renamed).collect()
    }

    fn add(&mut self, legs: &PlayedPair) -> Result<(), ReportError> {
        self.pairs.add(legs);
        for (key, record) in legs {
            for (seat, bot) in key.seating().iter() {
                self.rounds[bot.index()].add(record, seat);
            }
            self.matches.push(Arc::new(MatchView::from_record(key, record)));
            self.keep_fault(record);
        }
        // A void pair may still be played again, so the gate waits for it.
        if let Some(gate) = &mut self.gate {
            for (key, record) in legs {
                let rank = self.pairs.schedule().rank(key).unwrap_or_default();
                gate.take(rank, key, record.clone())
                    .map_err(leyden_arena::report::ImpossibleRecordsError::from)?;
            }
        }
        Ok(())
    }

    fn keep_fault(&mut self, record: &MatchRecord) {
        let Some(fault) = record.fault.as_ref().filter(|_| self.fault_details.len() < TEXTS) else { return };
        let stderr = record.stderr.as_ref().map_or_else(String::new, |said| said[fault.seat].clone());
        let (summary, others) = fault.details.summary_and_others();
        let [summary, others, stderr] = [summary, others, stderr].map(|text| printable_lines(&text));
        let fault_details = FaultDetail { summary, others, stderr };
        Arc::make_mut(&mut self.fault_details).insert(record.id.clone(), fault_details);
    }

    /// Whether bots are called by pseudonyms.
    pub fn hides_names(&self) -> bool {
        self.names.is_some()
    }

    /// Returns the number of matches read.
    pub fn matches(&self) -> u64 {
        self.pairs.matches()
    }

    /// Whether all planned matches are played.
    pub fn is_over(&self) -> bool {
        let is_decided = self.gate.as_ref().is_some_and(RunningGate::is_over);
        is_decided || self.pairs.matches() == self.pairs.schedule().matches()
    }

    /// Returns the id of the tournament.
    pub fn tournament(&self) -> String {
        self.stored_plan.tournament_seed().tournament_id()
    }

    /// Returns the tournament's stored plan.
    pub(super) fn stored_plan(&self) -> &StoredPlan {
        &self.stored_plan
    }

    /// Returns the keys of all matches read, by match id.
    pub fn keys(&self) -> BTreeMap<String, MatchKey> {
        self.matches.iter().map(|seen| (seen.id.clone(), seen.key)).collect()
    }

    /// Returns a snapshot. `rate` is the number of matches per second.
    pub fn snapshot(&self, rate: Option<f64>) -> Result<Snapshot, ReportError> {
        if let Some(names) = &self.names {
            return self.pseudonymous(names, rate);
        }
        // The report covers all matches, and changes name matches that were played since.
        let is_whole = self.revealed.is_none() || self.is_over();
        let mut snapshot =
            self.snapshot_of(&self.stored_plan, self.luck.clone().filter(|_| is_whole), rate)?;
        if !is_whole {
            snapshot.standings.changes.clear();
        }
        Ok(snapshot)
    }

    /// Like [`snapshot`](Self::snapshot), but with the bots as described by another stored plan.
    pub(super) fn snapshot_of(
        &self,
        stored_plan: &StoredPlan,
        luck: Option<LuckReport>,
        rate: Option<f64>,
    ) -> Result<Snapshot, ReportError> {
        let gathered = self.pairs.gathered(stored_plan, &self.voided)?.with_luck(luck);
        let mut standings = Standings::from_tally(&gathered, true)?;
        let indices: BTreeMap<&str, u32> =
            stored_plan.bots.iter().map(|bot| bot.name.as_str()).zip(0..).collect();
        let index = |name: &str| BotIndex(indices.get(name).copied().unwrap_or_default());
        let name = |bot: BotIndex| stored_plan.bots[bot.index()].name.clone();
        let (schedule, is_over) = (self.pairs.schedule(), self.is_over());
        for left_out in &mut standings.left_out {
            *left_out = seen_left_out(left_out, is_over);
        }
        let counted = |copies: &Copies| copies::counted(copies, &self.stored_plan, &gathered, index);
        Ok(Snapshot {
            name: self.name(),
            is_nameless: false,
            names: None,
            rules: stored_plan.record_rules(),
            better: self.better,
            format: PerLanguage::new(|language| match (&stored_plan.gate, &self.not_judged) {
                (None, _) => stored_plan.format.describe(name, language),
                (Some(_), None) => language.say(text::Gate),
                (Some(_), Some(why)) => language.say(text::GateNotJudged { why }),
            }),
            legs: schedule.legs(),
            blocks: stored_plan.blocks,
            seed: is_over.then(|| stored_plan.seed.clone()),
            bots: self.bots(stored_plan),
            ranking: standings.bots.iter().map(|bot| index(&bot.name)).collect(),
            copies: self.copies.as_ref().map(counted).transpose()?.unwrap_or_default(),
            meetings: self.pairs.meetings().to_vec(),
            standings,
            matches: self.matches.clone(),
            fault_details: if is_over { Arc::clone(&self.fault_details) } else { Arc::default() },
            progress: Progress {
                done: self.pairs.matches(),
                planned: schedule.matches(),
                is_endless: schedule.format().is_endless(),
                is_over,
                is_playing: self.is_playing(),
                rate,
            },
            gate: self.gate.as_ref().map(|gate| {
                let document = gate.document(stored_plan);
                Box::new(document)
            }),
        })
    }

    fn name(&self) -> String {
        let of_file =
            || self.path.file_stem().map_or_else(String::new, |stem| printable(&stem.to_string_lossy()));
        self.title.as_deref().map_or_else(of_file, printable)
    }

    fn bots(&self, stored_plan: &StoredPlan) -> Vec<BotView> {
        let each = stored_plan.bots.iter().zip(self.pairs.sums()).zip(&self.rounds);
        each.map(|((bot, sums), rounds)| BotView {
            name: printable(&bot.name),
            author: bot.author.as_deref().map(printable),
            language: bot.language.as_deref().map(printable),
            results: BotResults::from_sums(sums),
            rounds: *rounds,
            times: sums.thinking.times().collect(),
        })
        .collect()
    }
}

/// Matches in the order in which they were stored, each with its number; those before `next` were read. Listing them takes a pass
/// over the file, so it is done once for all that are there.
#[derive(Clone, Default)]
struct UnreadMatches {
    all: Arc<[(i64, MatchKey)]>,
    next: usize,
}

impl UnreadMatches {
    fn is_empty(&self) -> bool {
        self.next == self.all.len()
    }

    /// Returns the matches to read next, and the list without them.
    fn some(&self) -> (&[(i64, MatchKey)], Self) {
        let end = self.all.len().min(self.next + AT_ONCE);
        (&self.all[self.next..end], Self { all: Arc::clone(&self.all), next: end })
    }
}

/// What was found in a results file.
#[derive(Default)]
struct FileContents {
    /// A reader for the tournament that has replaced the one followed so far.
    restarted: Option<Box<SnapshotReader>>,
    /// The number of legs in a pair.
    legs: usize,
    voided: BTreeSet<PairKey>,
    last: i64,
    begun: BTreeMap<PairKey, BTreeSet<u32>>,
    listed: UnreadMatches,
    luck: Option<LuckReport>,
    /// The pairs that are complete now.
    pairs: Vec<PlayedPair>,
    more: bool,
}

impl FileContents {
    fn add(&mut self, key: MatchKey, results: &Results) -> Result<(), ReportError> {
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
            // One of them was void, and will be played again.
            *legs = stored.iter().map(|(key, _)| key.leg).collect();
        }
        Ok(())
    }
}

/// Returns the stored legs of a pair.
fn legs_of(results: &Results, pair: PairKey) -> Result<PlayedPair, ReportError> {
    let mut legs = Vec::new();
    for key in pair.legs() {
        if let Some(record) = results.record(&key)? {
            legs.push((key, record));
        }
    }
    Ok(legs)
}

/// The pseudonyms that hold for a results file.
fn names_of(results: &Path) -> Result<Option<PublicNames>, ReportError> {
    let unreadable = |source| StoreError::Io { path: PublicNames::file(results), doing: "read", source };
    Ok(PublicNames::read(results).map_err(unreadable)?)
}

/// Returns an entry that was handed in but does not play, without the organiser's folders. The reason is for its author, so it is
/// shown only at the end, like the messages about faults.
///
/// The folders are removed from text: what a build printed quotes them, too, and files of older versions hold only sentences.
fn seen_left_out(left_out: &LeftOut, is_over: bool) -> LeftOut {
    let path = Path::new(&left_out.entry);
    let name = path.file_name().map_or_else(|| left_out.entry.as_str().into(), |name| name.to_string_lossy());
    let around = path.parent().filter(|around| !around.as_os_str().is_empty());
    let around = around.map(|around| format!("{}/", around.display()));
    let seen = |text: &String| {
        printable_lines(&around.as_ref().map_or_else(|| text.clone(), |around| text.replace(around, "")))
    };
    LeftOut {
        entry: printable(&name),
        reason: if is_over { seen(&left_out.reason) } else { String::new() },
        printed: left_out.printed.iter().filter(|_| is_over).map(seen).collect(),
    }
}
