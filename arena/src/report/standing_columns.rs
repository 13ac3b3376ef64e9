//! The columns of standings and of results: what each means, what it is called for people and for programs, and its
//! value with its unit.

use std::borrow::Cow;

use leyden_language::{Language, text::tournament as text};
use leyden_protocol::FaultCode;
use leyden_stats::{BlocksRange, Holds, ModelFreeResult};

use super::column::Column;
use super::figure::Figure;
use super::{BotResults, BotStanding, Rating};

/// A column of standings for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandingColumn {
    Place,
    Bot,
    Rating,
    HalfWidth,
    MeanScore,
    PairingsWon,
    Lottery,
    LotteryScore,
    Results(ResultColumn),
}

/// A column of what a bot won and lost, and of how it behaved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultColumn {
    Matches,
    Score,
    Won,
    Drawn,
    Lost,
    PointsFor,
    PointsAgainst,
    Margin,
    /// All faults, of any kind.
    Faults,
    Fault(FaultCode),
    Strikes,
    Decisions,
    ThinkMedian,
    Think99,
}

/// A column whose values have their units.
pub type FigureColumn<R> = Column<'static, R, Figure>;

impl StandingColumn {
    /// Returns the column. In English alone are the titles of columns that no page has.
    pub fn column(self, language: Language) -> FigureColumn<BotStanding> {
        match self {
            Self::Place => Column::number(language.say(text::Place), |bot: &BotStanding| {
                // There are no places before there are ratings.
                bot.rating.as_ref().map_or(Figure::Unknown, |rating| Figure::Place {
                    place: bot.place,
                    best: rating.rank.best,
                    worst: rating.rank.worst,
                })
            }),
            Self::Bot => {
                Column::words(language.say(text::Bot), |bot: &BotStanding| Figure::Name(bot.name.clone()))
            }
            Self::Rating => rated(language.say(text::Rating), |rating| Some(Figure::Elo(rating.elo.get()))),
            Self::HalfWidth => rated("± 95 %", |rating| rating.half_width.map(Figure::HalfWidth)),
            Self::MeanScore => unmodelled("mean score", |bot| bot.uniform_score),
            Self::PairingsWon => unmodelled("pairings won", |bot| bot.pairings_won),
            Self::Lottery => unmodelled("lottery", |bot| bot.lottery),
            Self::LotteryScore => unmodelled("against it", |bot| bot.lottery_score),
            Self::Results(column) => column.column(language).within(|bot: &BotStanding| &bot.results),
        }
    }
}

impl ResultColumn {
    /// Returns the column. In English alone are the titles of columns that no page has.
    pub fn column(self, language: Language) -> FigureColumn<BotResults> {
        match self {
            Self::Matches => count("matches", |bot| bot.matches),
            Self::Score => Column::share(language.say(text::Score), |bot: &BotResults| {
                bot.score.map_or(Figure::Unknown, Figure::Share)
            }),
            Self::Won => count("won", |bot| bot.won),
            Self::Drawn => count("drawn", |bot| bot.drawn),
            Self::Lost => count("lost", |bot| bot.lost),
            Self::PointsFor => Column::number("for", |bot: &BotResults| Figure::Points(bot.points_for)),
            Self::PointsAgainst => {
                Column::number("against", |bot: &BotResults| Figure::Points(bot.points_against))
            }
            Self::Margin => Column::number(language.say(text::Margin), |bot: &BotResults| {
                bot.mean_margin.map_or(Figure::Unknown, Figure::Margin)
            }),
            Self::Faults => count(language.say(text::Faults), |bot| bot.faults.values().sum()),
            Self::Fault(code) => count(code.as_str(), move |bot| bot.faults.get(&code).copied().unwrap_or(0)),
            Self::Strikes => count("strikes", |bot| bot.strikes),
            Self::Decisions => count("decisions", |bot| bot.decisions),
            Self::ThinkMedian => time("median", |bot| bot.think_median_us),
            Self::Think99 => time("99 %", |bot| bot.think_p99_us),
        }
    }
}

/// Returns these columns for a terminal or Markdown, names shown by `name`.
pub fn for_people<'a>(
    columns: &[StandingColumn],
    results: &[ResultColumn],
    name: impl Fn(&str) -> String + Copy + 'a,
) -> Vec<Column<'a, BotStanding>> {
    let all = columns.iter().copied().chain(results.iter().copied().map(StandingColumn::Results));
    let columns = all.map(|column| column.column(Language::English));
    columns.map(|column| column.map(move |_: &BotStanding, figure| figure.bare(name))).collect()
}

/// Returns the columns for programs of standings whose ranks and intervals hold then.
pub(super) fn for_programs<'a>(
    holds: Holds,
    shown: impl Fn(&Figure) -> String + Copy + 'a,
) -> Vec<Column<'a, BotStanding>> {
    let named = |column: StandingColumn, name: &'static str| column.column(Language::English).titled(name);
    let result = |column, name| named(StandingColumn::Results(column), name);
    let text = |text: &Option<String>| text.clone().map_or(Figure::Unknown, Figure::Name);
    let mut all = vec![
        named(StandingColumn::Place, "place"),
        named(StandingColumn::Bot, "bot"),
        Column::words("author", move |bot: &BotStanding| text(&bot.author)),
        Column::words("folder", move |bot: &BotStanding| text(&bot.folder)),
        named(StandingColumn::Rating, "elo"),
        named(StandingColumn::HalfWidth, "elo_half_width"),
        rated("rank_best", |rating| Some(Figure::Count(rating.rank.best.into()))),
        rated("rank_worst", |rating| Some(Figure::Count(rating.rank.worst.into()))),
        rated("rated_score", |rating| rating.score.map(Figure::Share)),
        result(ResultColumn::Matches, "matches"),
        result(ResultColumn::Won, "won"),
        result(ResultColumn::Drawn, "drawn"),
        result(ResultColumn::Lost, "lost"),
        result(ResultColumn::Score, "score"),
        result(ResultColumn::PointsFor, "points_for"),
        result(ResultColumn::PointsAgainst, "points_against"),
        result(ResultColumn::Margin, "mean_margin"),
    ];
    all.extend(FaultCode::ALL.map(|code| result(ResultColumn::Fault(code), code.as_str())));
    all.extend([
        result(ResultColumn::Strikes, "strikes"),
        result(ResultColumn::Decisions, "decisions"),
        result(ResultColumn::ThinkMedian, "think_median_us"),
        result(ResultColumn::Think99, "think_p99_us"),
        blocks("blocks_for_ten_elo_low", |range| range.low),
        blocks("blocks_for_ten_elo_high", |range| range.high),
        named(StandingColumn::MeanScore, "uniform_score"),
        named(StandingColumn::PairingsWon, "pairings_won"),
        named(StandingColumn::Lottery, "lottery"),
        named(StandingColumn::LotteryScore, "lottery_score"),
        Column::words("holds", move |_: &BotStanding| Figure::Name(holding(holds).to_owned())),
    ]);
    all.into_iter().map(|column| column.map(move |_: &BotStanding, figure| shown(&figure))).collect()
}

/// A value of a bot's rating, unknown before it has one.
fn rated(
    title: impl Into<Cow<'static, str>>,
    figure: impl Fn(&Rating) -> Option<Figure> + 'static,
) -> FigureColumn<BotStanding> {
    Column::number(title, move |bot: &BotStanding| {
        bot.rating.as_ref().and_then(&figure).unwrap_or(Figure::Unknown)
    })
}

/// A number in a bot's results.
fn count(
    title: impl Into<Cow<'static, str>>,
    number: impl Fn(&BotResults) -> u64 + 'static,
) -> FigureColumn<BotResults> {
    Column::number(title, move |bot: &BotResults| Figure::Count(number(bot)))
}

/// How long a bot thought.
fn time(title: &'static str, us: fn(&BotResults) -> Option<u64>) -> FigureColumn<BotResults> {
    Column::time(title, move |bot: &BotResults| us(bot).map_or(Figure::Unknown, Figure::Micros))
}

/// An end of the range of blocks that a rating needs.
fn blocks(name: &'static str, end: fn(&BlocksRange) -> u64) -> FigureColumn<BotStanding> {
    rated(name, move |rating| rating.blocks_for_ten_elo.as_ref().map(end).map(Figure::Count))
}

/// What a bot achieved without a model of its strength.
fn unmodelled(title: &'static str, share: fn(&ModelFreeResult) -> Option<f64>) -> FigureColumn<BotStanding> {
    Column::share(title, move |bot: &BotStanding| {
        bot.unmodelled.as_ref().and_then(share).map_or(Figure::Unknown, Figure::Share)
    })
}

/// When intervals hold, as programs read it.
pub(super) const fn holding(holds: Holds) -> &'static str {
    match holds {
        Holds::AtPlannedEnd => "at_planned_end",
        Holds::AtAnyTime => "at_any_time",
    }
}
