//! The rounds of a tournament as the stage reveals them, and the matches of one of them: for the organiser, who chooses.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use leyden_arena::format::half_points;
use leyden_arena::record::store::Results;
use leyden_arena::report::ReportError;
use leyden_language::{Language, text::stage as text};
use leyden_model::{BotIndex, MatchKey, PairKey};
use leyden_protocol::WinningScore;
use serde::{Deserialize, Serialize};

use super::decisive_moment::ahead_since;
use crate::replay::printable;
use crate::snapshot::{MatchView, RevealedMatches};

/// The most matches of a round that are listed.
const MOST: usize = 2_000;

/// What is revealed at once: a round of a competition, or a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StagedRound {
    pub(crate) name: RoundName,
    pub(crate) blocks: Range<u32>,
}

/// What a round is called; all numbers are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum RoundName {
    Block {
        block: u32,
    },
    Round {
        /// Its stage, if there are several.
        stage: Option<u32>,
        round: u32,
        /// Whether it has further pairs of level meetings.
        is_extra: bool,
    },
}

impl RoundName {
    pub(crate) fn in_words(self, language: Language) -> String {
        match self {
            Self::Block { block } => language.say(text::Block { block }),
            Self::Round { stage, round, is_extra } => {
                let round = match stage {
                    Some(stage) => language.say(text::RoundOfStage { stage, round }),
                    None => language.say(text::Round { round }),
                };
                if is_extra { language.say(text::FurtherPairs { round }) } else { round }
            }
        }
    }
}

/// A round with its matches.
pub(crate) struct Programme {
    pub(crate) round: StagedRound,
    /// Whether every match is stored, or void.
    pub(crate) is_played: bool,
    pub(crate) matches: Vec<ListedMatch>,
    better: WinningScore,
}

/// A match that can be shown.
pub(crate) struct ListedMatch {
    pub(crate) seen: Arc<MatchView>,
    /// In seat order.
    pub(crate) names: Vec<String>,
    /// After how many of its rounds the winner was ahead for good.
    pub(crate) ahead_since: Option<(usize, usize)>,
}

impl StagedRound {
    /// The rounds that are known from the stored matches.
    pub(crate) fn all(results: &Results) -> Result<Vec<Self>, ReportError> {
        let schedule = results.schedule()?;
        if !results.stored_plan().format.is_adaptive() {
            let block =
                |block: u32| Self { name: RoundName::Block { block: block + 1 }, blocks: block..block + 1 };
            return Ok((0..schedule.blocks_end()).map(block).collect());
        }
        let several = schedule.format().competition().is_some_and(|all| all.stages.len() > 1);
        let named = |round: &leyden_arena::format::StageRound| Self {
            name: RoundName::Round {
                stage: several.then(|| round.stage() + 1),
                round: round.round() + 1,
                is_extra: round.is_extra(),
            },
            blocks: round.blocks_end() - round.blocks()..round.blocks_end(),
        };
        Ok(schedule.rounds().iter().map(named).collect())
    }
}

impl Programme {
    pub(crate) fn read(results: &Results, round: StagedRound) -> Result<Self, ReportError> {
        let (schedule, stored_plan) = (results.schedule()?, results.stored_plan());
        let voided: BTreeSet<PairKey> = results.voided()?.iter().map(|voided| voided.key.pair()).collect();
        let name = |bot: &BotIndex| printable(&stored_plan.bots[bot.index()].name);
        let (mut matches, mut is_played) = (Vec::new(), true);
        for key in round.blocks.clone().filter_map(|block| keys(&schedule, block)).flatten() {
            match results.record(&key)? {
                Some(record) if matches.len() < MOST => matches.push(ListedMatch {
                    seen: Arc::new(MatchView::from_record(&key, &record)),
                    names: key.seating().as_slice().iter().map(name).collect(),
                    ahead_since: ahead_since(&record, results.better()),
                }),
                Some(_) => {}
                None => is_played &= voided.contains(&key.pair()),
            }
        }
        Ok(Self { round, is_played, matches, better: results.better() })
    }

    pub(crate) fn find(&self, id: &str) -> Option<&ListedMatch> {
        self.matches.iter().find(|listed| listed.seen.id == id)
    }

    /// The match with the smallest margin, of several the one that was decided latest.
    pub(crate) fn closest(&self) -> Option<&ListedMatch> {
        self.matches.iter().filter(|listed| listed.seen.fault.is_none()).min_by_key(|listed| {
            let late = listed.ahead_since.map_or(0, |(since, rounds)| 1_000 * since / rounds.max(1));
            (self.margin(listed), std::cmp::Reverse(late))
        })
    }

    /// The match that was decided in the latest part of its rounds, of several the one with the smallest margin.
    pub(crate) fn latest(&self) -> Option<&ListedMatch> {
        let decided = self.matches.iter().filter(|listed| listed.seen.fault.is_none());
        decided.max_by_key(|listed| {
            let late = listed.ahead_since.map_or(0, |(since, rounds)| 1_000 * since / rounds.max(1));
            (late, std::cmp::Reverse(self.margin(listed)))
        })
    }

    fn margin(&self, listed: &ListedMatch) -> Option<u32> {
        listed.seen.final_scores(self.better).winning_margin()
    }

    /// What a match of this round is called on the stage: with its number in the meeting, and the points of those that are revealed.
    pub(crate) fn caption(&self, key: &MatchKey, revealed: &RevealedMatches, language: Language) -> String {
        let round = self.round.name.in_words(language);
        let meeting: Vec<_> = self.meeting(key).collect();
        let Some(at) =
            meeting.iter().position(|listed| listed.seen.key == *key).filter(|_| meeting.len() > 1)
        else {
            return round;
        };
        let mut points = BTreeMap::new();
        for listed in meeting.iter().take(at).filter(|listed| revealed.has(&listed.seen.key)) {
            listed.seen.add_half_points(self.better, &mut points);
        }
        let of_bot = |bot: &BotIndex| half_points(points.get(bot).copied().unwrap_or(0));
        let (at, of) = (at + 1, meeting.len());
        if points.is_empty() {
            return language.say(text::MatchOf { round, at, of });
        }
        let points = key.seating().map(of_bot).as_slice().join(" : ");
        language.say(text::MatchOfSoFar { round, points, at, of })
    }

    /// All matches of the meeting to which a match belongs, in order.
    pub(crate) fn meeting(&self, of: &MatchKey) -> impl Iterator<Item = &ListedMatch> {
        let table = of.table;
        self.matches.iter().filter(move |listed| listed.seen.key.table == table)
    }
}

/// The matches of a block.
fn keys(
    schedule: &leyden_arena::format::Schedule,
    block: u32,
) -> Option<impl Iterator<Item = MatchKey> + use<'_>> {
    let round = schedule.round(block)?;
    let first = u64::from(block + round.blocks() - round.blocks_end()) * round.matches_per_block();
    Some((first..first + round.matches_per_block()).filter_map(move |rank| round.nth(rank)))
}
