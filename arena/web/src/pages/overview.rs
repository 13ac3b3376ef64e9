//! The first page: standings, progress, problems, and head-to-head scores.

use leyden_language::text::tournament;
use leyden_language::{Language, numbers, text::pages as text};
use maud::{Markup, html};

use super::frame::{Page, Section, framed};
use super::gate::gate_card;
use super::parts::{
    bot_link, facts, fault_item, figures, finished_heading, finished_list, interval, interval_heading,
    margins, origin, progress, scale,
};
use super::standing_columns::{Row, StandingColumns};
use super::words::counted;
use super::{Site, competition, live, luck};
use crate::chart::{HeatMap, Scale, heat_map};
use crate::columns::{HtmlColumn, heads, row};
use crate::replay::printable;
use crate::slots::{SLOTS, filled};
use crate::snapshot::Snapshot;
use leyden_arena::report::change_in_words;
use leyden_arena::report::column::Column;
use leyden_arena::report::standing_columns::{ResultColumn, StandingColumn};

/// The most bots in the map on the first page.
const IN_MAP: usize = 24;

/// Builds the page.
pub fn overview(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    let title = language.say(text::Standings);
    let body = html! {
        div class="headline" {
            div { h1 { (snapshot.name) } (facts(snapshot, language)) }
            p class="actions no-print" {
                a class="button" href="standings.json" { "⬇ standings.json" }
                a class="button" href="standings.csv" { "⬇ standings.csv" }
                @if site.is_live(snapshot) { a class="button primary" href="screen.html" { "▶ " (language.say(text::Projector)) } }
            }
        }
        (progress(snapshot, language))
        @if let Some(gate) = &snapshot.gate { (gate_card(gate, language)) }
        div class="columns broad" {
            div class="side" {
                (competition::stages(snapshot.standings.competition.as_ref(), language))
                section class="card flush" id="standings" aria-label=(title) { (table(snapshot, language)) }
                (left_out(snapshot, language))
                (changes(snapshot, language))
                (luck::card(snapshot.standings.luck.as_ref(), 6, language))
                (map(snapshot, language))
            }
            div class="side" {
                @if site.is_live(snapshot) { (live::tables(snapshot, 2, language)) }
                (needs_a_look(snapshot, site, language))
                (just_finished(snapshot, site, language))
                (leader(snapshot, language))
            }
        }
    };
    framed(&Page { snapshot, site, section: Section::Standings, title: &title, root: "", body, language })
}

fn table(snapshot: &Snapshot, language: Language) -> Markup {
    let columns = columns(snapshot, language);
    let by = if snapshot.standings.competition.is_some() { "format" } else { "ratings" };
    let unit = if snapshot.standings.by_pairs { "pairs" } else { "blocks" };
    html! {
        div class="scroll" {
            table class="standings" {
                (heads(&columns))
                tbody {
                    @for (standing, bot) in snapshot.standings.bots.iter().zip(&snapshot.ranking) {
                        (row(&columns, &(standing, *bot)))
                    }
                }
            }
        }
        p class="note" {
            (language.say(text::PlacesNote { by })) " " (language.say(text::RangesNote { unit }))
            @if let Some(apart) = snapshot.standings.told_apart {
                " " (language.say(text::Forecast { low: language.decimal(apart.low, 0), high: language.decimal(apart.high, 0) }))
            }
            @if !snapshot.copies.is_empty() { " " (language.say(text::CopiesNote)) }
        }
    }
}

/// Lists what was handed in but does not play.
fn left_out(snapshot: &Snapshot, language: Language) -> Markup {
    let all = &snapshot.standings.left_out;
    html! {
        @if !all.is_empty() {
            section class="card" id="left-out" {
                h2 { (language.say(text::LeftOut)) }
                ul {
                    @for each in all {
                        li {
                            @if each.reason.is_empty() { b { (each.entry) } } @else { (each.reason) }
                            @if !each.printed.is_empty() { pre { (each.printed.join("\n")) } }
                        }
                    }
                }
            }
        }
    }
}

/// Lists what changed after the first match.
pub(super) fn changes(snapshot: &Snapshot, language: Language) -> Markup {
    let all = &snapshot.standings.changes;
    html! {
        @if !all.is_empty() {
            section class="card" id="changes" {
                h2 { (language.say(text::ChangedSince)) }
                ul { @for change in all { li { (printable(&change_in_words(change, language))) } } }
            }
        }
    }
}

fn axis(snapshot: &Snapshot, scale: Option<Scale>, language: Language) -> Markup {
    let heading = interval_heading(snapshot, language);
    html! {
        div class="axis-head" {
            @match scale {
                Some(scale) => {
                    span { (language.signed(scale.low, 0)) } span { (heading) } span { (language.signed(scale.high, 0)) }
                },
                None => { span { (heading) } },
            }
        }
    }
}

/// Says which place a bot has if copies count once, if that is another one, or which bot it is like.
fn counted_once(snapshot: &Snapshot, (standing, bot): &Row<'_>, language: Language) -> Option<Markup> {
    let counted = snapshot.copies.iter().find(|of| of.bot == *bot)?;
    let like =
        |like| filled(&language.say(text::LikeBot { bot: SLOTS[0] }), &[bold(&snapshot.bot(like).name)]);
    match (counted.rank, counted.like) {
        (Some(place), _) if place == standing.place as usize => None,
        (Some(place), _) => Some(html! { (language.say(text::PlaceOnce { place })) }),
        (None, Some(better)) => Some(like(better)),
        (None, None) => Some(html! { (language.say(text::LikeABetterOne)) }),
    }
}

fn columns<'a>(snapshot: &'a Snapshot, language: Language) -> [HtmlColumn<'a, Row<'a>>; 9] {
    let scale = scale(snapshot);
    let columns = StandingColumns(snapshot, language);
    let bots = Column::words(language.say(tournament::Bot), move |of: &Row<'a>| {
        html! {
            (bot_link(snapshot, "", of.1))
            @if let Some(origin) = origin(snapshot.bot(of.1)) { span class="origin" { (origin) } }
            @if let Some(once) = counted_once(snapshot, of, language) { span class="origin once" { (once) } }
        }
    });
    [
        columns.column(StandingColumn::Place, ["", "rank"]).explained(&language.say(text::PlaceTitle)),
        HtmlColumn::from_column(bots, ["", "bot"]),
        HtmlColumn::new(axis(snapshot, scale, language), ["wide", "wide"], move |(standing, _): &Row<'a>| {
            interval(scale, standing, language)
        }),
        columns.column(StandingColumn::Rating, ["", "rating"]),
        columns.won_and_lost(["wide"; 2]),
        columns.column(StandingColumn::Results(ResultColumn::Score), [""; 2]),
        columns.column(StandingColumn::Results(ResultColumn::Margin), ["wide"; 2]),
        columns
            .column(StandingColumn::Results(ResultColumn::Think99), ["wide"; 2])
            .explained(&language.say(text::Decisions99Title)),
        columns.column(StandingColumn::Results(ResultColumn::Faults), [""; 2]),
    ]
}

/// Lists the faults, and bots that the statistics cannot tell apart.
fn needs_a_look(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    let all = snapshot.faults().count() as u64;
    let level = level(snapshot, language);
    html! {
        section class="card" id="look" {
            div class="line" {
                h2 { (language.say(text::NeedsALook)) }
                @if all > 0 { a href="matches.html?only=faults" { (all_of_them(all, language)) } }
            }
            @if all == 0 && level.is_empty() && snapshot.standings.cycles.is_empty() && snapshot.standings.later_legs.is_empty() {
                p class="muted" { (language.say(text::NothingSoFar)) }
            }
            ul class="look" {
                @for (seen, fault) in snapshot.faults().take(5) { (fault_item(snapshot, site, "", seen, fault, language)) }
                @for note in notes(snapshot, language) { li { span class="tag" { "i" } div { p { (note) } } } }
                @for (one, other, score) in level {
                    li {
                        span class="tag" { "i" }
                        div { p {
                            (filled(
                                &language.say(text::Level { one: SLOTS[0], other: SLOTS[1], score: SLOTS[2] }),
                                &[bold(one), bold(other), html! { span class="muted" { (score) } }],
                            ))
                        } }
                    }
                }
            }
        }
    }
}

fn bold(name: &str) -> Markup {
    html! { b { (printable(name)) } }
}

fn all_of_them(number: u64, language: Language) -> String {
    language.say(text::AllOfThem { number: numbers::count(number) })
}

/// Says what is odd about bots, and about the field.
fn notes(snapshot: &Snapshot, language: Language) -> Vec<Markup> {
    let standings = &snapshot.standings;
    let later_legs = standings.later_legs.iter().map(|line| {
        let better_by = language.decimal(line.better_by, 3);
        let said = text::LaterLegs { bot: SLOTS[0], better_by, pairs: numbers::count(line.pairs) };
        filled(&language.say(said), &[bold(&line.bot)])
    });
    let cycles = standings.cycles.iter().take(2).map(|cycle| {
        let beats = language.say(text::Beats);
        let circle = html! {
            @for name in &cycle.circle { (bold(name)) " " (beats) " " }
            @if let Some(first) = cycle.circle.first() { (bold(first)) }
        };
        filled(&language.say(text::Circle { circle: SLOTS[0] }), &[circle])
    });
    let misfit = standings.misfit().map(|fit| {
        let elo = language.decimal(fit.astray_elo, 0);
        html! { (language.say(text::Unfitting { elo })) }
    });
    later_legs.chain(cycles).chain(misfit).collect()
}

/// Returns neighbours at the top whose matches against each other do not decide between them.
fn level(snapshot: &Snapshot, language: Language) -> Vec<(&str, &str, String)> {
    let lines = snapshot.standings.head_to_head.iter().flatten();
    let top: Vec<&str> = snapshot.standings.bots.iter().take(4).map(|bot| bot.name.as_str()).collect();
    let neighbours =
        |one: &str, other: &str| top.windows(2).any(|two| two == [one, other] || two == [other, one]);
    let level = lines.filter(|line| neighbours(&line.first, &line.second)).filter_map(|line| {
        let (score, interval) = (line.score?, line.score_interval?);
        let is_level = interval.low < 0.5 && interval.high > 0.5 && interval.high - interval.low < 0.4;
        let [score, low, high] = [score, interval.low, interval.high].map(|share| numbers::percent(share, 0));
        let said = language.say(text::LevelScore { score, low, high });
        is_level.then_some((line.first.as_str(), line.second.as_str(), said))
    });
    level.take(2).collect()
}

fn just_finished(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    html! {
        section class="card" id="finished" {
            div class="line" {
                h2 { (finished_heading(snapshot, language)) }
                a href="matches.html" { (all_of_them(snapshot.matches.len() as u64, language)) }
            }
            @if snapshot.matches.is_empty() {
                p class="muted" { (language.say(text::ShownOnceOver)) }
            }
            (finished_list(snapshot, site, 6, language))
        }
    }
}

/// Shows the head-to-head scores of the best bots.
pub(super) fn map(snapshot: &Snapshot, language: Language) -> Markup {
    let shown = snapshot.ranking.len().min(IN_MAP);
    let ranking = &snapshot.ranking[..shown];
    let names: Vec<&str> = ranking.iter().map(|bot| snapshot.bot(*bot).name.as_str()).collect();
    let links: Vec<String> = ranking.iter().map(|bot| format!("bots/{}.html", bot.0)).collect();
    let scores: Vec<Option<f64>> = ranking
        .iter()
        .flat_map(|row| ranking.iter().map(|column| snapshot.meeting(*row, *column).score.mean()))
        .collect();
    html! {
        section class="card" id="map" {
            div class="line" {
                h2 { (language.say(text::HeadToHead)) span class="muted plain" { " — " (language.say(text::RowPercent)) } }
                p class="legend" {
                    (legend(language))
                    @if snapshot.ranking.len() > shown {
                        " " a href="pairings.html" { (all_of_them(snapshot.ranking.len() as u64, language)) }
                    }
                }
            }
            div class="scroll" { (heat_map(&HeatMap { names: &names, scores: &scores, links: &links }, language)) }
        }
    }
}

/// Explains the colours of a map.
pub(super) fn legend(language: Language) -> Markup {
    html! {
        span class="swatch l8" {} (language.say(text::Loses)) " "
        span class="swatch w0" {} (language.say(text::Even)) " "
        span class="swatch w8" {} (language.say(text::Wins))
    }
}

/// Shows the leader's margins.
fn leader(snapshot: &Snapshot, language: Language) -> Markup {
    let Some(first) = snapshot.ranking.first() else { return html! {} };
    let bot = snapshot.bot(*first);
    html! {
        section class="card" id="leader" {
            h2 {
                (bot_link(snapshot, "", *first))
                span class="muted plain" { " — " (counted!(language, text::MarginsOf, bot.results.matches)) }
            }
            (margins(snapshot, *first, language))
            (figures(bot, language))
        }
    }
}
