//! What defines a tournament: agreed before the first match, stored in the results file, and compared when it is resumed.

use std::fmt;
use std::path::PathBuf;

use super::difference::{self, PlanDifference, PlanPart};
use super::error::StoreError;
use super::shape::MOST_BOTS;
use crate::roster::{Competitor, Files};
use crate::run::{GateTerms, Plan, named_values};
use leyden_format::{Competition, Format, Schedule};
use leyden_language::Language;
use leyden_model::words::counted;
use leyden_model::{
    BotEntry, BotIndex, ChangeKind, LeftOut, RecordRules, Settings, TournamentChange, TournamentSeed,
};

/// A whole tournament as data: settings, seed and bots, and how many blocks are planned.
#[derive(Clone, PartialEq)]
pub struct StoredPlan {
    pub settings: Settings,
    /// The seed text, from which every deal follows.
    pub seed: String,
    /// In command-line order; names differ.
    pub bots: Vec<BotEntry>,
    /// Entries that were named or handed in but do not play.
    pub left_out: Vec<LeftOut>,
    /// What changed after the tournament had started, oldest first.
    pub changes: Vec<TournamentChange>,
    /// How many blocks are planned.
    pub blocks: u32,
    /// Who plays whom.
    pub format: Format,
    /// What is tested, if this is a gate: then its blocks are the maximum number of pairs.
    pub gate: Option<GateTerms>,
    /// For each bot of a gate, in order, its files: used to say which ones have changed.
    pub files: Vec<Files>,
    /// The folder where the tournament started, to which the folders of bots are relative; `None` if it is not known, as in
    /// older files.
    pub begun_in: Option<PathBuf>,
}

impl StoredPlan {
    /// A plan as data.
    pub fn from_plan(plan: &Plan) -> Self {
        let of_gate = plan.gate.is_some().then_some(&plan.bots);
        Self {
            settings: plan.settings.clone(),
            seed: plan.seed.clone(),
            bots: plan.bots.iter().map(Competitor::entry).collect(),
            left_out: plan.left_out.clone(),
            changes: Vec::new(),
            blocks: plan.blocks,
            format: plan.format.clone(),
            gate: plan.gate,
            files: of_gate.into_iter().flatten().map(Competitor::files).collect(),
            begun_in: std::env::current_dir().ok(),
        }
    }

    /// The schedule of all planned matches, or why there can be none.
    pub fn schedule(&self) -> Result<Schedule, StoreError> {
        let format = self.format.clone();
        Ok(Schedule::new(format, self.bots.len(), self.settings.seats, self.blocks)?)
    }

    /// Takes over the entries that were left out before, unless they play now: they need not be named again on resume.
    pub fn keep_left_out(&mut self, before: &Self) {
        let is_known = |was: &LeftOut| {
            let plays = |bot: &BotEntry| bot.name == was.entry || bot.folder.as_ref() == Some(&was.entry);
            self.left_out.iter().any(|now| now.entry == was.entry) || self.bots.iter().any(plays)
        };
        let kept: Vec<LeftOut> = before.left_out.iter().filter(|was| !is_known(was)).cloned().collect();
        self.left_out.extend(kept);
    }

    /// The names of the bots that were withdrawn.
    pub fn withdrawn(&self) -> impl Iterator<Item = &str> {
        self.changes.iter().filter_map(|change| match &change.what {
            ChangeKind::Withdrawn { bot, .. } => Some(bot.as_str()),
            _ => None,
        })
    }

    /// Returns the seed that the seed text gives.
    pub fn tournament_seed(&self) -> TournamentSeed {
        TournamentSeed::from_text(&self.seed)
    }

    /// Returns the rules as records name them.
    pub fn record_rules(&self) -> RecordRules {
        let Settings { rules, seats, set, target, .. } = self.settings;
        RecordRules { name: rules, seats, set, target }
    }

    /// Rejects plans that no tournament can have.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.bots.len() > MOST_BOTS {
            return Err(StoreError::ManyBots { bots: self.bots.len() });
        }
        self.schedule()?;
        let mut names: Vec<&str> = self.bots.iter().map(|bot| &*bot.name).collect();
        names.sort_unstable();
        match names.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(StoreError::SameName { name: two[0].to_owned() }),
            None => Ok(()),
        }
    }

    /// The differences that keep this tournament from being resumed as `now`: none if it only adds bots or changes the number
    /// of blocks. `begun` is the number of blocks with at least one played match: these must be kept.
    pub fn differences(&self, now: &Self, begun: u32) -> Vec<PlanDifference> {
        let mut all = Vec::new();
        if !self.are_same_kind(now, &mut all) {
            return all; // all other differences follow from this one
        }
        let format = |stored_plan: &Self| {
            stored_plan.format.describe(
                |bot| stored_plan.bots.get(bot.index()).map_or("?", |bot| &bot.name).to_owned(),
                Language::English,
            )
        };
        if format(self) != format(now) {
            all.push(PlanDifference::new(PlanPart::Format, &format(self), &format(now)));
        }
        if let (Some(file), Some(now)) = (self.format.competition(), now.format.competition())
            && all.is_empty()
            && (file.seeding, &file.stages) != (now.seeding, &now.stages)
        {
            let json =
                |competition: &Competition| serde_json::json!([competition.seeding, competition.stages]);
            all.push(PlanDifference::new(PlanPart::Format, &json(file), &json(now)));
        }
        self.settings_differ(now, &mut all);
        if self.seed != now.seed {
            let commitment = |stored_plan: &Self| {
                format!("one committed to as {}", stored_plan.tournament_seed().commitment())
            };
            all.push(PlanDifference::new(PlanPart::Seed, &commitment(self), &commitment(now)));
        }
        if now.blocks < begun.min(self.blocks) && self.gate.is_none() {
            let fewer = format!(
                "{} ({} played matches and cannot be removed)",
                now.blocks,
                counted(begun, "block has", "blocks have")
            );
            all.push(PlanDifference::new(PlanPart::Blocks, &self.blocks, &fewer));
        }
        self.bots_differ(now, &mut all);
        let is_resized = (self.blocks, self.bots.len()) != (now.blocks, now.bots.len());
        if all.is_empty() && is_resized && !self.may_become(now) {
            let count = |stored_plan: &Self| {
                let bots = counted(stored_plan.bots.len() as u64, "bot", "bots");
                format!("{bots}, {}", counted(stored_plan.blocks, "block", "blocks"))
            };
            all.push(PlanDifference::new(PlanPart::Size, &count(self), &count(now)));
        }
        all
    }

    /// Whether every match that was played is still one of the larger tournament.
    fn may_become(&self, now: &Self) -> bool {
        let Some(competition) = now.format.competition() else { return self.format.can_grow() };
        let joins = |bot: BotIndex| competition.presence.iter().any(|there| there.bot == bot);
        self.blocks == now.blocks && (self.bots.len() as u32..now.bots.len() as u32).map(BotIndex).all(joins)
    }

    /// Whether both are gates, or neither is. Adds what differs between their tests.
    fn are_same_kind(&self, now: &Self, all: &mut Vec<PlanDifference>) -> bool {
        let kind = difference::for_kind(self.gate.is_some(), now.gate.is_some());
        let is_same = kind.is_none();
        all.extend(kind);
        if let (Some(file), Some(now)) = (&self.gate, &now.gate) {
            let differing = file.differences(now).into_iter();
            all.extend(differing.map(|(name, file, now)| {
                PlanDifference::new(PlanPart::Option(name.to_string()), &file, &now)
            }));
        }
        is_same
    }

    fn settings_differ(&self, now: &Self, all: &mut Vec<PlanDifference>) {
        let (file, now) = (named_values(&self.settings), named_values(&now.settings));
        for (name, value) in &file {
            let other = now.iter().find(|(other, _)| other == name).map(|(_, value)| value);
            if other != Some(value) {
                let other = other.map_or_else(|| "nothing".to_owned(), ToString::to_string);
                all.push(PlanDifference::new(PlanPart::Option(name.clone()), value, &other));
            }
        }
        // Files of earlier versions lack it.
        let is_new = |name: &str| name != "memory" && file.iter().all(|(other, _)| other != name);
        for (name, value) in now.iter().filter(|(name, _)| is_new(name)) {
            all.push(PlanDifference::new(PlanPart::Option(name.clone()), &"nothing", value));
        }
    }

    /// The changes that resuming as `now` makes, with these bots replaced. `after` is the number of matches played so far,
    /// and `seed_known` whether that is all of them.
    pub(super) fn changes_to(
        &self,
        now: &Self,
        replaced: &[BotIndex],
        (after, seed_known): (u64, bool),
    ) -> Vec<TournamentChange> {
        let name = |bot: &BotEntry| bot.name.clone();
        let replaced = replaced.iter().filter_map(|bot| self.bots.get(bot.index()));
        let mut whats: Vec<ChangeKind> =
            replaced.map(|bot| ChangeKind::Replaced { bot: name(bot) }).collect();
        let joined = now.bots.iter().skip(self.bots.len());
        whats.extend(joined.map(|bot| ChangeKind::Joined { bot: name(bot) }));
        if self.blocks != now.blocks && self.gate.is_none() {
            whats.push(ChangeKind::Blocks { from: self.blocks, to: now.blocks });
        }
        whats.into_iter().map(|what| TournamentChange { after, seed_known, what }).collect()
    }

    /// Compares bots by name, because indices shift if one is missing.
    fn bots_differ(&self, now: &Self, all: &mut Vec<PlanDifference>) {
        if self.gate.is_some()
            && let ([new, old], [other_new, other_old]) = (&self.bots[..], &now.bots[..])
            && new.hash != old.hash
            && (&new.hash, &old.hash) == (&other_old.hash, &other_new.hash)
        {
            let order = format!("{} against {}", new.name, old.name);
            all.push(PlanDifference::new(PlanPart::Order, &order, &"the other way round"));
            return;
        }
        let of = |stored_plan: &Self, name: &str| stored_plan.bots.iter().position(|bot| bot.name == name);
        let is_missing = |bot: &BotEntry| of(now, &bot.name).is_none();
        let bot = |name: &str| PlanPart::Bot(name.to_owned());
        for missing in self.bots.iter().filter(|bot| is_missing(bot)) {
            all.push(PlanDifference::new(
                bot(&missing.name),
                &missing.folder.as_deref().unwrap_or("it plays"),
                &GONE,
            ));
        }
        if self.bots.iter().any(is_missing) {
            for joins in now.bots.iter().filter(|bot| of(self, &bot.name).is_none()) {
                all.push(PlanDifference::new(bot(&joins.name), &"not there", &JOINS));
            }
        }
        let stay = self.bots.iter().filter_map(|bot| Some((bot, &now.bots[of(now, &bot.name)?])));
        for (bot, other) in stay {
            if other.command != bot.command {
                let (file, now) = (bot.command.join(" "), other.command.join(" "));
                all.push(PlanDifference::new(PlanPart::Command(bot.name.clone()), &file, &now));
            }
            if other.hash != bot.hash {
                let files = |stored_plan: &Self| stored_plan.files.get(of(stored_plan, &bot.name)?).cloned();
                let files = [files(self), files(now)].map(Option::unwrap_or_default);
                all.push(PlanDifference::for_content((bot, other), &files));
            }
        }
        let has_moved = |(index, bot): &(usize, &BotEntry)| of(now, &bot.name) != Some(*index);
        if !self.bots.iter().any(is_missing)
            && let Some((index, bot)) = self.bots.iter().enumerate().find(has_moved)
        {
            let other =
                format!("{} (old bots keep their order, new ones come after them)", now.bots[index].name);
            all.push(PlanDifference::new(PlanPart::Number(index + 1), &bot.name, &other));
        }
    }
}

/// The message about a bot that has played and is not named any more.
const GONE: &str = "missing, although it has played (--allow-missing is only for bots that have not). Put its folder or archive back \
    under its old name, or remove it with all its matches: `leyden withdraw`";

/// The message about a new bot while others are missing.
const JOINS: &str = "new: if it is a missing bot under another name, give it its old name; otherwise add it once the missing bots \
    are back";

impl fmt::Debug for StoredPlan {
    /// Shows the seed's commitment, never the seed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredPlan")
            .field("settings", &self.settings)
            .field("seed", &self.tournament_seed())
            .field("bots", &self.bots)
            .field("left_out", &self.left_out)
            .field("changes", &self.changes)
            .field("blocks", &self.blocks)
            .field("format", &self.format)
            .field("gate", &self.gate)
            .field("files", &self.files)
            .field("begun_in", &self.begun_in)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;
    use leyden_stats::{Hypotheses, NormalisedElo, SprtPlan};

    fn lines(file: &StoredPlan, now: &StoredPlan) -> Vec<String> {
        file.differences(now, file.blocks).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn more_bots_and_more_blocks_are_no_difference() {
        let file = sample::stored_plan(3, 2);
        assert_eq!(lines(&file, &file), [""; 0]);
        assert_eq!(lines(&file, &sample::stored_plan(5, 7)), [""; 0]);
        let mut renamed = file.clone();
        renamed.bots[0].author = Some("somebody".to_owned());
        assert_eq!(lines(&file, &renamed), [""; 0]);
    }

    #[test]
    fn memory_must_match_where_the_file_states_it() {
        let older = sample::stored_plan(3, 2);
        let of = |memory| {
            let mut stored_plan = older.clone();
            stored_plan.settings.memory = Some(memory);
            stored_plan
        };
        assert_eq!(lines(&older, &of(1)), [""; 0]);
        assert_eq!(lines(&of(1), &of(1)), [""; 0]);
        assert_eq!(lines(&of(1), &of(2)), ["memory: in the file 1, now 2"]);
        assert_eq!(lines(&of(1), &older), ["memory: in the file 1, now nothing"]);
    }

    #[test]
    fn each_difference_is_named_with_both_sides() {
        let file = sample::stored_plan(3, 2);
        let mut now = sample::stored_plan(2, 1);
        now.settings.target = 200;
        now.settings.limits.turn_ms = 5;
        now.bots[0].hash = "other".to_owned();
        now.bots[0].command = vec!["python3".to_owned(), "bot.py".to_owned()];
        now.bots[1].name = "new".to_owned();
        assert_eq!(
            lines(&file, &now),
            [
                "limits.turn_ms: in the file 1000, now 5",
                "target: in the file 100, now 200",
                "blocks: in the file 2, now 1 (2 blocks have played matches and cannot be removed)",
                &format!("bot bot-1: in the file it plays, now {GONE}"),
                &format!("bot bot-2: in the file it plays, now {GONE}"),
                &format!("bot new: in the file not there, now {JOINS}"),
                "command of bot-0: in the file builtin:bot-0, now python3 bot.py",
                "content of bot-0: its files are not those that played (SHA-256 hash-0… in the file, now other…)",
            ]
        );
    }

    #[test]
    fn bot_that_is_gone_shifts_no_other() {
        let file = sample::stored_plan(4, 2);
        let mut now = file.clone();
        now.bots.remove(1);
        assert_eq!(lines(&file, &now), [format!("bot bot-1: in the file it plays, now {GONE}")]);
        let mut now = file.clone();
        now.bots.swap(1, 2);
        let kept = "(old bots keep their order, new ones come after them)";
        assert_eq!(lines(&file, &now), [format!("bot 2: in the file bot-1, now bot-2 {kept}")]);
    }

    #[test]
    fn gate_resumes_only_as_the_same_gate() {
        let may_fault = |h1, pairs, max_faults| {
            let hypotheses =
                Hypotheses::Normalised { h0: NormalisedElo::new(0.0), h1: NormalisedElo::new(h1) };
            Some(GateTerms {
                plan: SprtPlan::new(hypotheses, 0.05, 0.1, pairs).unwrap(),
                max_faults,
                timed: false,
            })
        };
        let plan = |h1, pairs| may_fault(h1, pairs, Some(1));
        let file = StoredPlan { gate: plan(20.0, 500), ..sample::stored_plan(2, 500) };
        assert_eq!(lines(&file, &file), [""; 0]);
        let now = StoredPlan { gate: plan(60.5, 50), ..sample::stored_plan(2, 50) };
        assert_eq!(
            lines(&file, &now),
            [
                "elo1: in the file 20, now 60.5",
                "max-pairs: in the file 500, now 50 (pairs can be added, not removed: give at least as many)"
            ]
        );
        let luck = leyden_stats::LuckTerms { version: 1, playouts: 64 };
        let terms = |terms: GateTerms| GateTerms { plan: terms.plan.with_luck(luck), ..terms };
        let without = StoredPlan { gate: plan(20.0, 500).map(terms), ..sample::stored_plan(2, 500) };
        assert_eq!(lines(&file, &without), ["luck: in the file not taken out, now version 1, 64 playouts"]);
        assert_eq!(lines(&without, &without), [""; 0]);
        assert_eq!(
            lines(&file, &StoredPlan { gate: plan(20.0, 900), ..sample::stored_plan(2, 900) }),
            [""; 0]
        );
        let lenient = StoredPlan { gate: may_fault(20.0, 500, Some(2)), ..file.clone() };
        assert_eq!(lines(&file, &lenient), [""; 0]);
        assert_eq!(lines(&lenient, &file), ["max-faults: in the file 2, now 1"]);
        let older = StoredPlan { gate: may_fault(20.0, 500, None), ..file.clone() };
        assert_eq!(lines(&older, &file), [""; 0], "it does not say");
        let tournament = sample::stored_plan(2, 7);
        let kinds = ["a gate (leyden gate)", "a tournament or match (leyden tournament, leyden match)"];
        let line = |[file, now]: [&str; 2]| [format!("kind: in the file {file}, now {now}")];
        assert_eq!(lines(&file, &tournament), line(kinds));
        assert_eq!(lines(&tournament, &file), line([kinds[1], kinds[0]]));
    }

    #[test]
    fn differing_seed_is_reported_without_showing_either() {
        let file = sample::stored_plan(2, 1);
        let mut now = file.clone();
        now.seed = "guessed".to_owned();
        let text = lines(&file, &now).join("\n") + &format!("{file:?}{now:?}");
        assert!(text.starts_with("seed: in the file one committed to as "), "{text}");
        assert!(!text.contains("guessed") && !text.contains(&file.seed), "{text}");
    }

    #[test]
    fn two_bots_of_one_name_are_refused() {
        let mut stored_plan = sample::stored_plan(3, 2);
        stored_plan.bots[2].name = stored_plan.bots[0].name.clone();
        assert!(matches!(stored_plan.check(), Err(StoreError::SameName { name }) if name == "bot-0"));
    }
}
