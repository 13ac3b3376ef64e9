//! The columns of standings: what each means, what it is called for people and for programs, and its value with its unit.

use leyden_protocol::FaultCode;
use leyden_stats::{BlocksRange, Holds, Unmodelled};

use super::column::Column;
use super::{BotResults, BotStanding, Rating};

/// A value in standings, with its unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// Not known, or not yet.
    Unknown,
    Name(String),
    Count(u64),
    /// A sum of game points.
    Points(i64),
    /// Its place, and the best and the worst that it may hold.
    Place {
        place: u32,
        best: u32,
        worst: u32,
    },
    /// A rating, or the half width of its interval.
    Elo(f64),
    /// Of one.
    Share(f64),
    /// A mean of game points; positive is good.
    Margin(f64),
    /// A time in microseconds.
    Micros(u64),
}

/// A column of standings for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandingColumn {
    Place,
    Bot,
    Rating,
    HalfWidth,
    Score,
    Won,
    Drawn,
    Lost,
    PointsFor,
    PointsAgainst,
    Margin,
    Faults,
}

type FigureColumn = Column<'static, BotStanding, Figure>;

impl StandingColumn {
    fn column(self) -> FigureColumn {
        match self {
            Self::Place => Column::number("place", |bot: &BotStanding| {
                // There are no places before there are ratings.
                bot.rating.as_ref().map_or(Figure::Unknown, |rating| Figure::Place {
                    place: bot.place,
                    best: rating.rank.best,
                    worst: rating.rank.worst,
                })
            }),
            Self::Bot => Column::words("bot", |bot: &BotStanding| Figure::Name(bot.name.clone())),
            Self::Rating => rated("rating", |rating| Some(Figure::Elo(rating.elo.get()))),
            Self::HalfWidth => rated("± 95 %", |rating| rating.half_width.map(Figure::Elo)),
            Self::Score => result("score %", |bot| bot.score.map(Figure::Share)),
            Self::Won => result("won", |bot| Some(Figure::Count(bot.won))),
            Self::Drawn => result("drawn", |bot| Some(Figure::Count(bot.drawn))),
            Self::Lost => result("lost", |bot| Some(Figure::Count(bot.lost))),
            Self::PointsFor => result("for", |bot| Some(Figure::Points(bot.points_for))),
            Self::PointsAgainst => result("against", |bot| Some(Figure::Points(bot.points_against))),
            Self::Margin => result("margin", |bot| bot.mean_margin.map(Figure::Margin)),
            Self::Faults => result("faults", |bot| Some(Figure::Count(bot.faults.values().sum()))),
        }
    }

    /// The same column as programs call it.
    fn named(self, name: &'static str) -> FigureColumn {
        let mut column = self.column();
        column.title = name.into();
        column
    }
}

/// Returns these columns.
pub fn for_people<'a>(
    columns: &[StandingColumn],
    shown: impl Fn(&Figure) -> String + Copy + 'a,
) -> Vec<Column<'a, BotStanding>> {
    columns.iter().map(|column| column.column().map(shown)).collect()
}

/// Returns the columns for programs of standings whose ranks and intervals hold then.
pub(super) fn for_programs<'a>(
    holds: Holds,
    shown: impl Fn(&Figure) -> String + Copy + 'a,
) -> Vec<Column<'a, BotStanding>> {
    let mut all = rating_columns();
    all.extend(result_columns());
    all.extend(FaultCode::ALL.into_iter().map(|code| {
        result(code.as_str(), move |bot| Some(Figure::Count(bot.faults.get(&code).copied().unwrap_or(0))))
    }));
    all.extend(conduct_columns());
    all.push(Column::words("holds", move |_: &BotStanding| Figure::Name(holding(holds).to_owned())));
    all.into_iter().map(|column| column.map(shown)).collect()
}

/// A value of a bot's rating, unknown before it has one.
fn rated(title: &'static str, figure: impl Fn(&Rating) -> Option<Figure> + 'static) -> FigureColumn {
    Column::number(title, move |bot: &BotStanding| {
        bot.rating.as_ref().and_then(&figure).unwrap_or(Figure::Unknown)
    })
}

fn rating_columns() -> Vec<FigureColumn> {
    let text = |text: &Option<String>| text.clone().map_or(Figure::Unknown, Figure::Name);
    vec![
        StandingColumn::Place.named("place"),
        StandingColumn::Bot.named("bot"),
        Column::words("author", move |bot: &BotStanding| text(&bot.author)),
        Column::words("folder", move |bot: &BotStanding| text(&bot.folder)),
        StandingColumn::Rating.named("elo"),
        StandingColumn::HalfWidth.named("elo_half_width"),
        rated("rank_best", |rating| Some(Figure::Count(rating.rank.best.into()))),
        rated("rank_worst", |rating| Some(Figure::Count(rating.rank.worst.into()))),
        rated("rated_score", |rating| rating.score.map(Figure::Share)),
    ]
}

/// A value of a bot's results.
fn result(title: &'static str, figure: impl Fn(&BotResults) -> Option<Figure> + 'static) -> FigureColumn {
    Column::number(title, move |bot: &BotStanding| figure(&bot.results).unwrap_or(Figure::Unknown))
}

fn result_columns() -> Vec<FigureColumn> {
    vec![
        result("matches", |bot| Some(Figure::Count(bot.matches))),
        StandingColumn::Won.named("won"),
        StandingColumn::Drawn.named("drawn"),
        StandingColumn::Lost.named("lost"),
        StandingColumn::Score.named("score"),
        StandingColumn::PointsFor.named("points_for"),
        StandingColumn::PointsAgainst.named("points_against"),
        StandingColumn::Margin.named("mean_margin"),
    ]
}

fn conduct_columns() -> Vec<FigureColumn> {
    vec![
        result("strikes", |bot| Some(Figure::Count(bot.strikes))),
        result("decisions", |bot| Some(Figure::Count(bot.decisions))),
        result("think_median_us", |bot| bot.think_median_us.map(Figure::Micros)),
        result("think_p99_us", |bot| bot.think_p99_us.map(Figure::Micros)),
        blocks("blocks_for_ten_elo_low", |range| range.low),
        blocks("blocks_for_ten_elo_high", |range| range.high),
        share("uniform_score", |bot| bot.uniform_score),
        share("pairings_won", |bot| bot.pairings_won),
        share("lottery", |bot| bot.lottery),
        share("lottery_score", |bot| bot.lottery_score),
    ]
}

/// An end of the range of blocks that a rating needs.
fn blocks(name: &'static str, end: fn(&BlocksRange) -> u64) -> FigureColumn {
    rated(name, move |rating| rating.blocks_for_ten_elo.as_ref().map(end).map(Figure::Count))
}

/// What a bot achieved without a model of its strength.
fn share(name: &'static str, value: fn(&Unmodelled) -> Option<f64>) -> FigureColumn {
    Column::number(name, move |bot: &BotStanding| {
        bot.unmodelled.as_ref().and_then(value).map_or(Figure::Unknown, Figure::Share)
    })
}

/// When intervals hold, as programs read it.
pub(super) const fn holding(holds: Holds) -> &'static str {
    match holds {
        Holds::AtPlannedEnd => "at_planned_end",
        Holds::AtAnyTime => "at_any_time",
    }
}
