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

/// A column of standings.
pub struct StandingColumn {
    /// What programs call it, if it is for them: the header of its field in CSV.
    pub name: Option<&'static str>,
    /// What people call it, if it is for them: its title in a table.
    pub title: Option<&'static str>,
    figure: Box<dyn Fn(&BotStanding) -> Figure>,
}

impl StandingColumn {
    /// Returns the value of a bot.
    pub fn figure(&self, bot: &BotStanding) -> Figure {
        (self.figure)(bot)
    }
}

/// Returns the columns for people whose titles are listed, in the order in which standings have them.
pub fn for_people<'a>(
    titles: &'a [&'a str],
    shown: impl Fn(&Figure) -> String + Copy + 'a,
) -> Vec<Column<'a, BotStanding>> {
    let column = |column: StandingColumn| {
        let title = column.title.filter(|title| titles.contains(title))?;
        let cell = move |bot: &BotStanding| shown(&column.figure(bot));
        Some(if title == BOT { Column::words(title, cell) } else { Column::number(title, cell) })
    };
    columns().into_iter().filter_map(column).collect()
}

/// Returns the columns for programs of standings whose ranks and intervals hold then.
pub(super) fn for_programs<'a>(
    holds: Holds,
    shown: impl Fn(&Figure) -> String + Copy + 'a,
) -> Vec<Column<'a, BotStanding>> {
    let column = |column: StandingColumn| {
        let name = column.name?;
        Some(Column::words(name, move |bot: &BotStanding| shown(&column.figure(bot))))
    };
    let holds = both(Some("holds"), None, move |_| Figure::Name(holding(holds).to_owned()));
    columns().into_iter().chain([holds]).filter_map(column).collect()
}

const BOT: &str = "bot";

/// Returns all columns, in order.
fn columns() -> Vec<StandingColumn> {
    let mut all = rating_columns();
    all.extend(result_columns());
    all.extend(FaultCode::ALL.into_iter().map(|code| {
        both(Some(code.as_str()), None, move |bot| {
            Figure::Count(bot.results.faults.get(&code).copied().unwrap_or(0))
        })
    }));
    all.push(both(None, Some("faults"), |bot| Figure::Count(bot.results.faults.values().sum())));
    all.extend(conduct_columns());
    all
}

fn both(
    name: Option<&'static str>,
    title: Option<&'static str>,
    figure: impl Fn(&BotStanding) -> Figure + 'static,
) -> StandingColumn {
    StandingColumn { name, title, figure: Box::new(figure) }
}

/// A value of a bot's rating, unknown before it has one.
fn rated(bot: &BotStanding, figure: impl Fn(&Rating) -> Option<Figure>) -> Figure {
    bot.rating.as_ref().and_then(figure).unwrap_or(Figure::Unknown)
}

fn rating_columns() -> Vec<StandingColumn> {
    let text = |text: &Option<String>| text.clone().map_or(Figure::Unknown, Figure::Name);
    vec![
        both(None, Some("place"), |bot| {
            rated(bot, |rating| {
                let (best, worst) = (rating.rank.best, rating.rank.worst);
                Some(Figure::Place { place: bot.place, best, worst })
            })
        }),
        // There are no places before there are ratings.
        both(Some("place"), None, |bot| rated(bot, |_| Some(Figure::Count(bot.place.into())))),
        both(Some("bot"), Some(BOT), |bot| Figure::Name(bot.name.clone())),
        both(Some("author"), None, move |bot| text(&bot.author)),
        both(Some("folder"), None, move |bot| text(&bot.folder)),
        both(Some("elo"), Some("rating"), |bot| rated(bot, |rating| Some(Figure::Elo(rating.elo.get())))),
        both(Some("elo_half_width"), Some("± 95 %"), |bot| {
            rated(bot, |rating| rating.half_width.map(Figure::Elo))
        }),
        both(Some("rank_best"), None, |bot| {
            rated(bot, |rating| Some(Figure::Count(rating.rank.best.into())))
        }),
        both(Some("rank_worst"), None, |bot| {
            rated(bot, |rating| Some(Figure::Count(rating.rank.worst.into())))
        }),
        both(Some("rated_score"), None, |bot| rated(bot, |rating| rating.score.map(Figure::Share))),
    ]
}

/// A value of a bot's results.
fn result(
    name: &'static str,
    title: Option<&'static str>,
    figure: impl Fn(&BotResults) -> Option<Figure> + 'static,
) -> StandingColumn {
    both(Some(name), title, move |bot| figure(&bot.results).unwrap_or(Figure::Unknown))
}

fn result_columns() -> Vec<StandingColumn> {
    vec![
        result("matches", None, |bot| Some(Figure::Count(bot.matches))),
        both(None, Some("score %"), |bot| bot.results.score.map_or(Figure::Unknown, Figure::Share)),
        result("won", Some("won"), |bot| Some(Figure::Count(bot.won))),
        result("drawn", Some("drawn"), |bot| Some(Figure::Count(bot.drawn))),
        result("lost", Some("lost"), |bot| Some(Figure::Count(bot.lost))),
        result("score", None, |bot| bot.score.map(Figure::Share)),
        result("points_for", Some("for"), |bot| Some(Figure::Points(bot.points_for))),
        result("points_against", Some("against"), |bot| Some(Figure::Points(bot.points_against))),
        result("mean_margin", Some("margin"), |bot| bot.mean_margin.map(Figure::Margin)),
    ]
}

fn conduct_columns() -> Vec<StandingColumn> {
    vec![
        result("strikes", None, |bot| Some(Figure::Count(bot.strikes))),
        result("decisions", None, |bot| Some(Figure::Count(bot.decisions))),
        result("think_median_us", None, |bot| bot.think_median_us.map(Figure::Micros)),
        result("think_p99_us", None, |bot| bot.think_p99_us.map(Figure::Micros)),
        blocks("blocks_for_ten_elo_low", |range| range.low),
        blocks("blocks_for_ten_elo_high", |range| range.high),
        share("uniform_score", |bot| bot.uniform_score),
        share("pairings_won", |bot| bot.pairings_won),
        share("lottery", |bot| bot.lottery),
        share("lottery_score", |bot| bot.lottery_score),
    ]
}

/// An end of the range of blocks that a rating needs.
fn blocks(name: &'static str, end: fn(&BlocksRange) -> u64) -> StandingColumn {
    both(Some(name), None, move |bot| {
        rated(bot, |rating| rating.blocks_for_ten_elo.as_ref().map(end).map(Figure::Count))
    })
}

/// What a bot achieved without a model of its strength.
fn share(name: &'static str, value: fn(&Unmodelled) -> Option<f64>) -> StandingColumn {
    both(Some(name), None, move |bot| {
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
