//! A competition of one or more stages: what is played next, and the places, from the results so far.
//!
//! Everything follows from the stages, the seeds, and how the matches of complete rounds ended, in schedule order: these
//! are enough to compute the same pairings, byes and places again.

mod bracket_stage;
mod check;
mod league_stage;
mod play;
mod points_stage;
mod progress;
mod standing;
mod state;

use leyden_language::{Language, text::tournament as text};
use leyden_model::BotIndex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bracket::Side;
use super::meeting::Decision;
use super::ties::TieBreak;
pub use play::Play;
pub use standing::{BracketMeeting, CompetitionTable, MeetingLine, PlaceLine, PointsLine, StageTable};
pub use state::History;

/// Several stages in a row, each with the best of the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Competition {
    pub seeding: Seeding,
    /// All bots, best seed first: their pairing numbers.
    pub seeds: Vec<BotIndex>,
    /// Bots that came late or left a Swiss or a league.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presence: Vec<Presence>,
    pub stages: Vec<Stage>,
}

/// Where the seeds of the first stage come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// The order in which the bots were named.
    #[default]
    List,
    /// The ratings of an earlier tournament.
    Rating,
    /// Drawn from the tournament's seed: by the match seed of each bot's name, lowest first.
    Draw,
}

/// Rounds of the first stage, a Swiss or a league, in which a bot plays; one that came back has several, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Presence {
    pub bot: BotIndex,
    /// The first round in which it can be paired, from 0.
    pub from: u32,
    /// The first round in which it is not paired any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u32>,
}

/// A stage of a competition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    pub play: Play,
    /// The number of pairs of a meeting.
    pub blocks: u32,
    /// How many bots go on to the next stage; from groups, equally many from each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advance: Option<u32>,
    /// What decides between bots with the same points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<TieBreak>,
}

impl Competition {
    /// The stages in a few words.
    pub fn describe(&self, language: Language) -> String {
        self.stages.iter().rfold(String::new(), |next, stage| {
            let described = stage.play.describe(language);
            match stage.advance {
                Some(best) => language.say(text::StageThen { stage: described, best, next }),
                None => described,
            }
        })
    }

    /// Whether it is a league: then it has one stage, and its order is that of the ratings.
    pub fn is_league(&self) -> bool {
        self.stages.iter().any(|stage| matches!(stage.play, Play::League { .. }))
    }

    /// Whether a bot has left the first stage, and has not come back.
    pub fn has_left(&self, bot: BotIndex) -> bool {
        self.presence.iter().rfind(|there| there.bot == bot).is_some_and(|last| last.until.is_some())
    }

    /// Notes that a bot plays from this round of the first stage on, for the first time or again.
    pub fn join(&mut self, bot: BotIndex, from: u32) {
        self.presence.push(Presence { bot, from, until: None });
    }

    /// Notes that a bot does not play from this round of the first stage on.
    pub fn leave(&mut self, bot: BotIndex, until: u32) {
        match self.presence.iter_mut().rfind(|there| there.bot == bot) {
            Some(there) => there.until = Some(until),
            None => self.presence.push(Presence { bot, from: 0, until: Some(until) }),
        }
    }

    /// The number of bots that play in a round of the first stage.
    pub fn present(&self, round: u32) -> usize {
        self.seeds.iter().filter(|bot| self.is_there(**bot, round)).count()
    }

    /// Whether a bot plays in a round of the first stage.
    pub fn is_there(&self, bot: BotIndex, round: u32) -> bool {
        is_there(&self.presence, bot, round)
    }

    /// How many bots each stage has.
    pub fn field_sizes(&self) -> impl Iterator<Item = (&Stage, u32)> {
        let first = self.seeds.len() as u32;
        let later = self.stages.iter().map(|stage| stage.advance.unwrap_or(0));
        self.stages.iter().zip(std::iter::once(first).chain(later))
    }
}

/// Whether a bot plays in a round of the first stage.
fn is_there(presence: &[Presence], bot: BotIndex, round: u32) -> bool {
    let mut of_bot = presence.iter().filter(|presence| presence.bot == bot).peekable();
    let is_within = |there: &Presence| there.from <= round && there.until.is_none_or(|until| round < until);
    of_bot.peek().is_none() || of_bot.any(is_within)
}

#[cfg(test)]
mod tests;
