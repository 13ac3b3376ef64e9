//! How a competition stands: tables of points, brackets, places.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Decision, Play, Side, TieBreak};
use crate::designs::Balance;
use leyden_model::BotIndex;

/// How a competition stands. Bots are named by their indices, or by their names after [`named`](Self::named).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompetitionTable<B = BotIndex> {
    /// Whether every stage is over.
    pub over: bool,
    /// All bots, best first, as the rules of the stages place them by now: those of the last stage that has begun come first.
    pub places: Vec<PlaceLine<B>>,
    /// The stages that have begun.
    pub stages: Vec<StageTable<B>>,
}

/// The place of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlaceLine<B = BotIndex> {
    /// From 1.
    pub place: u32,
    /// Whether other bots have the same place.
    pub shared: bool,
    pub bot: B,
    /// The last stage that it reached, from 0.
    pub stage: u32,
}

/// A stage that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StageTable<B = BotIndex> {
    /// How its bots meet.
    pub play: Play,
    /// The number of pairs of a meeting.
    pub blocks: u32,
    /// Whether all of it is played.
    pub over: bool,
    /// Its bots, best seed first.
    pub seeds: Vec<B>,
    /// What decides between equal points, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<TieBreak>,
    /// A table for each group; one if it has no groups, none for a bracket.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<PointsLine<B>>>,
    /// How even the choice is, if not every table is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<Balance>,
    /// The meetings of a Swiss, and those of groups of two seats, in the order in which they were drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meetings: Vec<MeetingLine<B>>,
    /// Every meeting of the bracket, also those whose bots are not known yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bracket: Vec<BracketMeeting<B>>,
}

/// A bot in a table of points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PointsLine<B = BotIndex> {
    /// From 1, in its group.
    pub place: u32,
    /// Whether other bots of the group have the same place.
    pub shared: bool,
    pub bot: B,
    /// In half points.
    pub half_points: u64,
    /// The value of each tie-break: half points, of Sonneborn–Berger quarter points; `null` for a direct encounter that was not
    /// looked at.
    pub ties: Vec<Option<i64>>,
    /// Whether it goes on to the next stage.
    pub advances: bool,
}

/// A meeting of a round, or a bye.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MeetingLine<B = BotIndex> {
    /// From 0.
    pub round: u32,
    pub first: B,
    /// `null` for a bye.
    pub second: Option<B>,
    /// Of the first and the second; of the matches that were played.
    pub half_points: [u64; 2],
}

/// A meeting of a bracket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BracketMeeting<B = BotIndex> {
    pub side: Side,
    /// Which round of its side, from 0.
    pub round: u32,
    /// Which meeting of its round, from 0.
    pub number: u32,
    /// The bot from the upper part first; `null` as long as it is not known, and if there is none.
    pub bots: [Option<B>; 2],
    /// Whether it is not played: because one has no opponent, or because it is not needed.
    pub void: bool,
    /// The number of pairs played.
    pub pairs: u32,
    /// What each bot has won in the pairs played.
    pub half_points: [u64; 2],
    /// The winner, or the bot that goes on without an opponent.
    pub winner: Option<B>,
    /// How it was decided.
    pub decision: Option<Decision>,
}

impl<B> CompetitionTable<B> {
    /// The same with bots named in another way.
    pub fn named<T>(self, name: impl Fn(B) -> T) -> CompetitionTable<T> {
        let place = |line: PlaceLine<B>| PlaceLine {
            place: line.place,
            shared: line.shared,
            bot: name(line.bot),
            stage: line.stage,
        };
        CompetitionTable {
            over: self.over,
            places: self.places.into_iter().map(place).collect(),
            stages: self.stages.into_iter().map(|stage| stage.named(&name)).collect(),
        }
    }
}

impl<B> StageTable<B> {
    fn named<T>(self, name: &impl Fn(B) -> T) -> StageTable<T> {
        let points = |line: PointsLine<B>| PointsLine {
            place: line.place,
            shared: line.shared,
            bot: name(line.bot),
            half_points: line.half_points,
            ties: line.ties,
            advances: line.advances,
        };
        let meeting = |line: MeetingLine<B>| MeetingLine {
            round: line.round,
            first: name(line.first),
            second: line.second.map(name),
            half_points: line.half_points,
        };
        let bracket = |line: BracketMeeting<B>| BracketMeeting {
            side: line.side,
            round: line.round,
            number: line.number,
            bots: line.bots.map(|bot| bot.map(name)),
            void: line.void,
            pairs: line.pairs,
            half_points: line.half_points,
            winner: line.winner.map(name),
            decision: line.decision,
        };
        StageTable {
            play: self.play,
            blocks: self.blocks,
            over: self.over,
            seeds: self.seeds.into_iter().map(name).collect(),
            tie_breaks: self.tie_breaks,
            groups: self.groups.into_iter().map(|group| group.into_iter().map(points).collect()).collect(),
            balance: self.balance,
            meetings: self.meetings.into_iter().map(meeting).collect(),
            bracket: self.bracket.into_iter().map(bracket).collect(),
        }
    }
}
