//! How what a format says is written, for every reader alike: points, tie-breaks, rounds of a bracket, crosstables.

use leyden_language::{Language, numbers, text::tournament as text};
use leyden_stats::meeting_win_chance;

use crate::bracket::Side;
use crate::competition::{BracketMeeting, PointsLine, StageTable};
use crate::meeting::EXTRA_PAIRS;
use crate::ties::TieBreak;

/// Half points as points.
///
/// ```
/// assert_eq!([0, 1, 7].map(leyden_format::half_points), ["0", "½", "3½"]);
/// ```
pub fn half_points(value: u64) -> String {
    let half = if value % 2 == 1 { "½" } else { "" };
    match value / 2 {
        0 if !half.is_empty() => half.to_owned(),
        whole => format!("{whole}{half}"),
    }
}

/// How likely the better of two bots is to win a meeting of a bracket.
pub fn better_wins(pairs: u32, language: Language) -> String {
    let chance = |wins: f64| numbers::percent(meeting_win_chance(wins, pairs, EXTRA_PAIRS), 0);
    let [first, second, third] = [0.55, 0.6, 0.7].map(chance);
    language.say(text::BetterWins { pairs, first, second, third })
}

impl TieBreak {
    /// Its name in the heading of a table.
    pub fn heading(self, language: Language) -> String {
        let tie = match self {
            Self::DirectEncounter => "direct",
            Self::BuchholzCut1 => "cut",
            Self::Buchholz => "buchholz",
            Self::SonnebornBerger => "sonneborn",
            Self::Wins => "wins",
            Self::Margin => "margin",
        };
        language.say(text::TieBreak { tie })
    }

    /// Its value in points, matches won or game points.
    pub fn written(self, value: i64) -> String {
        match self {
            Self::DirectEncounter | Self::BuchholzCut1 | Self::Buchholz => half_points(value.unsigned_abs()),
            Self::SonnebornBerger => {
                let quarters = ["", "¼", "½", "¾"][value.rem_euclid(4) as usize];
                format!("{}{quarters}", value.div_euclid(4))
            }
            Self::Wins => value.to_string(),
            Self::Margin => numbers::signed(value as f64, 0),
        }
    }
}

/// A meeting as one of its bots sees it: a cell of a crosstable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met<'a, B> {
    /// `None` for a bye.
    pub opponent: Option<&'a B>,
    /// The opponent's place in the table, if the column does not say it.
    pub place: Option<u32>,
    /// Its own half points, and those of the opponent.
    pub half_points: [u64; 2],
}

impl<B> Met<'_, B> {
    /// The points of both, or those of a bye.
    pub fn result(&self, language: Language) -> String {
        let [points, others] = self.half_points.map(half_points);
        match self.opponent {
            None => language.say(text::ByePoints { points }),
            Some(_) => format!("{points}:{others}"),
        }
    }

    /// The place of the opponent, if the column does not say it.
    pub fn against(&self, language: Language) -> Option<String> {
        self.place.map(|line| language.say(text::LineColumn { line }))
    }
}

impl<B: PartialEq> StageTable<B> {
    /// The columns of a crosstable: one for each round if they are drawn one after the other, otherwise one for each line; none if
    /// its meetings are not known.
    pub fn columns(&self, lines: &[PointsLine<B>], language: Language) -> Vec<String> {
        let columns = 1..=self.number_of_columns(lines);
        if self.is_by_rounds() {
            columns.map(|round| language.say(text::RoundColumn { round })).collect()
        } else {
            columns.map(|line| language.say(text::LineColumn { line })).collect()
        }
    }

    fn is_by_rounds(&self) -> bool {
        self.play.open_rounds().is_some()
    }

    fn number_of_columns(&self, lines: &[PointsLine<B>]) -> usize {
        let rounds = self.meetings.iter().map(|meeting| meeting.round as usize + 1).max();
        rounds.map_or(0, |rounds| if self.is_by_rounds() { rounds } else { lines.len() })
    }

    /// A line of the crosstable: what a bot met in each column.
    pub fn cells<'a>(&'a self, lines: &[PointsLine<B>], bot: &B) -> Vec<Option<Met<'a, B>>> {
        let mut cells: Vec<Option<Met<'a, B>>> = (0..self.number_of_columns(lines)).map(|_| None).collect();
        let is_by_rounds = self.is_by_rounds();
        for meeting in &self.meetings {
            let [first, second] = meeting.half_points;
            let (opponent, half_points) = if meeting.first == *bot {
                (meeting.second.as_ref(), [first, second])
            } else if meeting.second.as_ref() == Some(bot) {
                (Some(&meeting.first), [second, first])
            } else {
                continue;
            };
            let line = opponent.and_then(|opponent| lines.iter().position(|line| line.bot == *opponent));
            let column = if is_by_rounds { Some(meeting.round as usize) } else { line };
            let place = line.filter(|_| is_by_rounds).map(|line| lines[line].place);
            if let Some(cell) = column.and_then(|column| cells.get_mut(column)) {
                *cell = Some(Met { opponent, place, half_points });
            }
        }
        cells
    }

    /// The rounds of its bracket, each with its name and its meetings, in the order in which they are played on each side.
    pub fn rounds_of_bracket(
        &self,
        language: Language,
    ) -> impl Iterator<Item = (String, &[BracketMeeting<B>])> {
        let rounds = self.bracket.chunk_by(|one, other| (one.side, one.round) == (other.side, other.round));
        rounds.filter_map(move |round| Some((self.name_of_round(round.first()?, language), round)))
    }

    /// What a round of its bracket is called.
    fn name_of_round(&self, of: &BracketMeeting<B>, language: Language) -> String {
        let rounds =
            self.bracket.iter().filter(|meeting| meeting.side == of.side).map(|meeting| meeting.round + 1);
        let left = rounds.max().unwrap_or(0) - of.round;
        let is_doubled = self.bracket.iter().any(|meeting| meeting.side == Side::GrandFinal);
        match (of.side, left) {
            (Side::Winners, 1) if !is_doubled => language.say(text::Final),
            (Side::Winners, 2) if !is_doubled => language.say(text::SemiFinals),
            (Side::Winners, 3) if !is_doubled => language.say(text::QuarterFinals),
            (Side::Winners, _) => language.say(text::BracketRound { round: of.round + 1 }),
            (Side::Losers, _) => language.say(text::LosersRound { round: of.round + 1 }),
            (Side::ThirdPlace, _) => language.say(text::ForThirdPlace),
            (Side::GrandFinal, left) => language.say(text::GrandFinal { second: left == 1 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_with_halves_and_quarters() {
        assert_eq!([0, 1, 2, 7].map(half_points), ["0", "½", "1", "3½"].map(str::to_owned));
        assert_eq!(TieBreak::SonnebornBerger.written(11), "2¾");
        assert_eq!(TieBreak::Margin.written(-3), "-3");
    }

    #[test]
    fn cells_of_crosstables_name_byes_and_places() {
        let met = |opponent, place| Met { opponent, place, half_points: [3, 1] };
        let written = |met: Met<'_, &str>| (met.result(Language::English), met.against(Language::English));
        assert_eq!(written(met(Some(&"ann"), Some(3))), ("1½:½".to_owned(), Some("v 3".to_owned())));
        assert_eq!(written(met(None, None)), ("bye 1½".to_owned(), None));
    }
}
