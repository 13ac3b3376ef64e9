//! The page of several tournaments in a row, such as the weeks of a course: one file, without scripts. Its table has a
//! column for each tournament; that of `leyden compare` says more about two of them.

use leyden_arena::report::column::Column;
use leyden_arena::report::{BotChangeKind, ComparedStanding, Series, SeriesBot, SeriesChange};
use leyden_language::numbers::plus_minus;
use leyden_language::text::tournament;
use leyden_language::{Language, text::series as text};
use leyden_stats::Holds;
use maud::{Markup, html};

use crate::columns::{HtmlColumn, heads, row};
use crate::document::single_file;
use crate::replay::printable;

const STYLE: &str = "main { display: grid; gap: 16px; max-width: 1500px; margin: 0 auto; padding: 20px; }
.wide { overflow-x: auto; } table { border-collapse: collapse; } th, td { padding: 6px 10px; text-align: right; white-space: nowrap; }
td { border-top: 1px solid var(--line); } th.bot, td.bot { position: sticky; left: 0; text-align: left; background: var(--surface); }
td.bot { max-width: 16rem; overflow: hidden; text-overflow: ellipsis; }
.course { display: block; width: 160px; height: 44px; } .course line { stroke: var(--line-strong); } .course .zero { stroke-dasharray: 3 4; }
.course polyline { fill: none; stroke: var(--accent); stroke-width: 2; } .course circle { fill: var(--accent); }
@media (max-width: 500px) { td.bot { max-width: 8rem; } }";

/// The sizes of the drawing of a course.
const WIDTH: f64 = 160.0;
const HEIGHT: f64 = 44.0;
const MARGIN: f64 = 6.0;

/// Builds the page. `names` are those of the tournaments.
pub fn page(series: &Series, names: &[String], language: Language) -> String {
    let scale = Scale::from_series(series);
    let bots = Column::words(language.say(tournament::Bot), |bot: &SeriesBot| {
        html! { bdi { (printable(&bot.name)) } }
    });
    let mut columns = vec![
        HtmlColumn::from_column(bots, ["bot"; 2]),
        HtmlColumn::new(language.say(text::Ratings), ["", ""], |bot: &SeriesBot| scale.course(bot, language)),
    ];
    for (nth, name) in names.iter().enumerate() {
        let cell = move |bot: &SeriesBot| standing(bot.stood.get(nth).and_then(Option::as_ref), language);
        columns.push(HtmlColumn::new(printable(name), ["", ""], cell));
    }
    let last = |bot: &SeriesBot| change(bot.changes.last().and_then(Option::as_ref), language);
    columns.push(HtmlColumn::new(language.say(text::LastChange), ["", ""], last));
    let end = |name: Option<&String>| printable(name.map_or("", String::as_str));
    let title = language.say(text::Title { first: end(names.first()), last: end(names.last()) });
    let body = html! {
        h1 { (language.say(text::Headline { tournaments: names.len() })) }
        section class="card wide" {
            table { (heads(&columns)) tbody { @for bot in &series.bots { (row(&columns, bot)) } } }
        }
        (explained(series, language))
    };
    single_file(&title, STYLE, &body, language)
}

fn explained(series: &Series, language: Language) -> Markup {
    let any_time = if series.holds() == Holds::AtAnyTime { "yes" } else { "no" };
    html! {
        section class="card" {
            p { (language.say(text::Scale)) }
            p { (language.say(text::Moved { any_time })) }
        }
    }
}

fn standing(stood: Option<&ComparedStanding>, language: Language) -> Markup {
    let Some(stood) = stood else { return html! { "–" } };
    html! {
        @match stood.elo { Some(elo) => (language.signed(elo, 0)), None => "–" }
        @if let Some(place) = stood.place { span class="muted" { " (" (place) ")" } }
    }
}

fn change(change: Option<&SeriesChange>, language: Language) -> Markup {
    let in_words = |change: &BotChangeKind| {
        let change = match change {
            BotChangeKind::Joined => "joined",
            BotChangeKind::Changed => "changed",
            BotChangeKind::Left => "gone",
            BotChangeKind::Same => return String::new(),
        };
        language.say(text::Change { change })
    };
    let Some(SeriesChange { change, moved, half_width }) = change else {
        return html! { (in_words(&BotChangeKind::Left)) };
    };
    html! {
        @if let Some(moved) = moved {
            (plus_minus(language.signed(*moved, 0), half_width.map(|half| language.decimal(half, 0)))) " "
        }
        span class="muted" { (in_words(change)) }
    }
}

/// The ratings that drawings reach from and to.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn from_series(series: &Series) -> Self {
        let stood = series.bots.iter().flat_map(|bot| bot.stood.iter().flatten());
        let reach = |(low, high): (f64, f64), elo: f64| (low.min(elo), high.max(elo));
        // Wide intervals are cut off: they would make all courses flat.
        let (low, high) = stood.filter_map(|stood| stood.elo).fold((-1.0, 1.0), reach);
        Self { low, high }
    }

    fn y(&self, elo: f64) -> f64 {
        HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (elo - self.low) / (self.high - self.low)
    }

    /// Draws the ratings of a bot, the mean of the last field dashed.
    fn course(&self, bot: &SeriesBot, language: Language) -> Markup {
        let steps = bot.stood.len().saturating_sub(1).max(1) as f64;
        let x = |nth: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * nth as f64 / steps;
        let rated = bot.stood.iter().enumerate();
        let rated =
            rated.filter_map(|(nth, stood)| Some((x(nth), stood.as_ref()?.elo?, stood.as_ref()?.half_width)));
        let rated: Vec<(f64, f64, Option<f64>)> = rated.collect();
        let points: Vec<String> =
            rated.iter().map(|(x, elo, _)| format!("{x:.1},{:.1}", self.y(*elo))).collect();
        html! {
            svg class="course" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(language.say(text::RatingsOfIt)) {
                line class="zero" x1="0" x2=(WIDTH) y1=(self.y(0.0)) y2=(self.y(0.0)) {}
                @for (x, elo, half) in &rated {
                    @if let Some(half) = half { line x1=(x) x2=(x) y1=(self.y(elo - half)) y2=(self.y(elo + half)) {} }
                }
                polyline points=(points.join(" ")) {}
                @for (x, elo, _) in &rated { circle cx=(x) cy=(self.y(*elo)) r="3" {} }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_of_about_zero_has_no_sign() {
        let shown = |elo| {
            let stood = ComparedStanding { place: Some(2), elo, half_width: None, score: None, faults: 0 };
            standing(Some(&stood), Language::English).into_string()
        };
        let place = "<span class=\"muted\"> (2)</span>";
        assert_eq!(shown(Some(-0.4)), format!("0{place}"));
        assert_eq!(shown(Some(-12.6)), format!("−13{place}"));
    }
}
