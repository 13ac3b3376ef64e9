//! Where a bot does worse or better than its rating says: against whom, in which seat, with or without the lead, in which game.

use leyden_language::{Language, text::tournament as text};
use leyden_model::MatchRecord;
use leyden_protocol::{HistoryAction, Seat};
use leyden_stats::{Circumstance, Elo, Entrant, Holds, Interval, SeatedMatch, Strays, circumstances};
use schemars::JsonSchema;
use serde::Serialize;

use super::column::Column;
use super::figure::Figure;

/// A bot's results in all its circumstances.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BotCircumstances {
    pub bot: String,
    /// Against each opponent, in each seat, without and with the lead of the first round, and in each game if there are several.
    /// Intervals hold for all of them together.
    pub results: Vec<CircumstanceLine>,
}

/// A bot's results in one circumstance.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CircumstanceLine {
    pub circumstance: SharedCircumstance,
    pub matches: u64,
    /// Mean score of a match as played, 0..=1.
    pub score: f64,
    /// The same as its rating has it, with what seat and lead are worth to all bots.
    pub expected: f64,
    /// The score less the expected one, with 95 % for all lines of the bot together; null below ten blocks, and if all came out alike.
    pub excess: Option<Interval>,
    /// Whether it certainly does worse or better than its rating says; null if that may be chance.
    pub strays: Option<Strays>,
}

/// What the matches of a line have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SharedCircumstance {
    /// They are against this bot.
    Against { rival: String },
    /// The bot sat in this seat.
    InSeat { seat: Seat },
    /// Another bot led the first round.
    WithoutLead,
    /// It led the first round.
    WithLead,
    /// They are of this game, where matches of several are looked at.
    InGame { game: String },
}

impl BotCircumstances {
    /// The results of a bot among `matches`, those of all bots, which are numbered like `rated`: their names and ratings. `games` are
    /// what their games are called.
    pub(super) fn new(
        bot: &str,
        rated: &[(String, Elo)],
        games: &[String],
        matches: &[SeatedMatch],
        holds: Holds,
    ) -> Option<Self> {
        let own = Entrant(rated.iter().position(|(name, _)| name == bot)? as u32);
        let results = circumstances(own, matches, &|bot| rated[bot.0 as usize].1, holds);
        let line = |result: &leyden_stats::CircumstanceResult| {
            let circumstance = match result.circumstance {
                Circumstance::Against(rival) => {
                    SharedCircumstance::Against { rival: rated[rival.0 as usize].0.clone() }
                }
                Circumstance::InSeat(seat) => SharedCircumstance::InSeat { seat },
                Circumstance::InGame(game) => {
                    SharedCircumstance::InGame { game: games.get(game as usize).cloned().unwrap_or_default() }
                }
                Circumstance::WithLead => SharedCircumstance::WithLead,
                Circumstance::WithoutLead => SharedCircumstance::WithoutLead,
            };
            CircumstanceLine {
                circumstance,
                matches: result.matches,
                score: result.score,
                expected: result.expected,
                excess: result.excess,
                strays: result.strays(),
            }
        };
        Some(Self { bot: bot.to_owned(), results: results.iter().map(line).collect() })
    }
}

impl CircumstanceLine {
    /// The columns of a table of lines: circumstance, matches, score, score by its rating, difference.
    pub fn columns(language: Language) -> [Column<'static, Self, Figure>; 5] {
        [
            Column::words(language.say(text::Where), move |line: &Self| {
                Figure::Name(line.in_words(language))
            }),
            Column::number(language.say(text::Matches), |line: &Self| Figure::Count(line.matches)),
            Column::share(language.say(text::Score), |line: &Self| Figure::Share(line.score)),
            Column::share(language.say(text::ByRating), |line: &Self| Figure::Share(line.expected)),
            Column::number(language.say(text::Difference), |line: &Self| {
                line.excess.map_or(Figure::Unknown, Figure::Excess)
            }),
        ]
    }

    /// The circumstance in words.
    pub fn in_words(&self, language: Language) -> String {
        match &self.circumstance {
            SharedCircumstance::Against { rival } => language.say(text::Against { rival }),
            SharedCircumstance::InSeat { seat } => language.say(text::InSeat { seat }),
            SharedCircumstance::InGame { game } => language.say(text::InGame { game }),
            SharedCircumstance::WithLead => language.say(text::Lead { own: true }),
            SharedCircumstance::WithoutLead => language.say(text::Lead { own: false }),
        }
    }
}

/// Returns the seat that led the first round of a match.
pub fn first_lead(record: &MatchRecord) -> Option<Seat> {
    let actions = record.rounds.iter().filter(|deal| deal.round == 0).flat_map(|deal| &deal.actions);
    actions.into_iter().find(|entry| matches!(entry.event, HistoryAction::Lead(_))).map(|entry| entry.seat)
}

/// Returns a match of the first game at a table of two, its bots by their numbers.
pub fn seated_match(block: u32, bots: [Entrant; 2], winner: Option<Seat>, led: Option<Seat>) -> SeatedMatch {
    let points = winner.map_or(0.5, |winner| f64::from(u8::from(winner == Seat::FIRST)));
    SeatedMatch { game: 0, block, bots, points, led }
}
