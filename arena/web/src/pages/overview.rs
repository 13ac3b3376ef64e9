//! The first page: standings, progress, problems, and head-to-head scores.

use leyden_model::BotIndex;
use maud::{Markup, html};

use super::frame::{Page, Section, framed};
use super::gate::gate_card;
use super::parts::{
    bot_link, facts, fault_item, faults, figures, finished_list, interval, interval_heading, margins,
    maybe_time, or_dash, origin, places, progress, rating, record, scale,
};
use super::words::{count, of, percent, signed};
use super::{Site, competition, live, luck};
use crate::chart::{HeatMap, Scale, heat_map};
use crate::columns::{HtmlColumn, heads, row};
use crate::replay::printable;
use crate::snapshot::Snapshot;
use leyden_arena::report::BotStanding;

/// The most bots in the map on the first page.
const IN_MAP: usize = 24;

/// Builds the page.
pub fn overview(snapshot: &Snapshot, site: &Site) -> Markup {
    let body = html! {
        div class="headline" {
            div { h1 { (snapshot.name) } (facts(snapshot)) }
            p class="actions no-print" {
                a class="button" href="standings.json" { "⬇ standings.json" }
                a class="button" href="standings.csv" { "⬇ standings.csv" }
                @if site.is_live(snapshot) { a class="button primary" href="screen.html" { "▶ Projector" } }
            }
        }
        (progress(snapshot))
        @if let Some(gate) = &snapshot.gate { (gate_card(gate)) }
        div class="columns broad" {
            div class="side" {
                (competition::stages(snapshot.standings.competition.as_ref()))
                section class="card flush" id="standings" aria-label="Standings" { (table(snapshot)) }
                (left_out(snapshot))
                (changes(snapshot))
                (luck::card(snapshot.standings.luck.as_ref(), 6))
                (map(snapshot))
            }
            div class="side" {
                @if site.is_live(snapshot) { (live::now(snapshot, 2)) }
                (needs_a_look(snapshot, site))
                (just_finished(snapshot, site))
                (leader(snapshot))
            }
        }
    };
    framed(&Page { snapshot, site, section: Section::Standings, title: "Standings", root: "", body })
}

fn table(snapshot: &Snapshot) -> Markup {
    let columns = columns(snapshot);
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
            @if snapshot.standings.competition.is_some() {
                "Places follow from the rules of the format: those of its last stage first. ≈ means that the ratings cannot tell a bot from the \
                 next one, ⇅ that they say the opposite. "
            } @else {
                "Places follow the ratings, and equal ratings share one. "
            }
            "A range like 1–2 below a place means that it is not decided: \
             the bot may hold any of these places, and after few blocks much is undecided. Ratings are in Elo, 0 is the mean \
             of the field; they are computed from complete " (if snapshot.standings.by_pairs { "pairs" } else { "blocks" }) ". Margin is the mean lead in game points; positive is good. Only \
             matches of complete pairs count." (forecast(snapshot))
        }
    }
}

/// Says what these blocks tell apart.
fn forecast(snapshot: &Snapshot) -> Markup {
    html! {
        @if let Some(apart) = snapshot.standings.told_apart {
            " So many blocks tell neighbours apart, in 80 % of cases, that differ by "
            (format!("{:.0} to {:.0}", apart.low, apart.high)) " Elo or more."
        }
    }
}

/// Lists what was handed in but does not play.
fn left_out(snapshot: &Snapshot) -> Markup {
    let all = &snapshot.standings.left_out;
    html! {
        @if !all.is_empty() {
            section class="card" id="left-out" {
                h2 { "Left out" }
                ul {
                    @for each in all {
                        li { b { (each.entry) } @if !each.reason.is_empty() { ": " (each.reason) } }
                    }
                }
            }
        }
    }
}

/// Lists what changed after the first match.
pub(super) fn changes(snapshot: &Snapshot) -> Markup {
    let all = &snapshot.standings.changes;
    html! {
        @if !all.is_empty() {
            section class="card" id="changes" {
                h2 { "Changed since the start" }
                ul { @for change in all { li { (printable(&change.to_string())) } } }
            }
        }
    }
}

fn axis(snapshot: &Snapshot, scale: Option<Scale>) -> Markup {
    let heading = interval_heading(snapshot);
    html! {
        div class="axis-head" {
            @match scale {
                Some(scale) => {
                    span { (signed(scale.low, 0)) } span { (heading) } span { (signed(scale.high, 0)) }
                },
                None => { span { (heading) } },
            }
        }
    }
}

/// A bot and its place among the others.
type Row<'a> = (&'a BotStanding, BotIndex);

fn columns<'a>(snapshot: &'a Snapshot) -> [HtmlColumn<'a, Row<'a>>; 9] {
    let scale = scale(snapshot);
    let number = ["right wide", "right number wide"];
    [
        HtmlColumn::new(
            html! { span title="Below it: the places it may hold; with 95 % no place of the table is wrong" { "Place" } },
            ["right", "right number rank"],
            |(standing, _): &Row<'_>| places(standing),
        ),
        HtmlColumn::new("Bot", ["", "bot"], |(_, bot): &Row<'a>| {
            html! {
                (bot_link(snapshot, "", *bot))
                @if let Some(origin) = origin(snapshot.bot(*bot)) { span class="origin" { (origin) } }
            }
        }),
        HtmlColumn::new(axis(snapshot, scale), ["wide", "wide"], move |(standing, bot): &Row<'a>| {
            interval(scale, standing, snapshot.bot(*bot))
        }),
        HtmlColumn::new("Rating", ["right", "right number rating"], |(standing, _): &Row<'a>| {
            rating(standing)
        }),
        HtmlColumn::new("Won–lost", number, |(_, bot): &Row<'a>| record(snapshot.bot(*bot))),
        HtmlColumn::new("Score", ["right", "right number"], |(_, bot): &Row<'a>| {
            or_dash(snapshot.bot(*bot).results.score, |score| percent(score, 1))
        }),
        HtmlColumn::new("Margin", number, |(_, bot): &Row<'a>| {
            or_dash(snapshot.bot(*bot).results.mean_margin, |margin| signed(margin, 1))
        }),
        HtmlColumn::new(
            html! { span title="99 % of its decisions took no longer" { "99 % of decisions" } },
            number,
            |(_, bot): &Row<'a>| maybe_time(snapshot.bot(*bot).results.think_p99_us),
        ),
        HtmlColumn::new("Faults", ["", ""], |(_, bot): &Row<'a>| faults(snapshot.bot(*bot))),
    ]
}

/// Lists the faults, and bots that the statistics cannot tell apart.
fn needs_a_look(snapshot: &Snapshot, site: &Site) -> Markup {
    let all = snapshot.faults().count() as u64;
    let level = level(snapshot);
    html! {
        section class="card" id="look" {
            div class="line" {
                h2 { "Needs a look" }
                @if all > 0 { a href="matches.html?only=faults" { "all " (count(all)) " →" } }
            }
            @if all == 0 && level.is_empty() && snapshot.standings.cycles.is_empty() && snapshot.standings.later_legs.is_empty() {
                p class="muted" { "Nothing so far: no match was lost by a fault." }
            }
            ul class="look" {
                @for (seen, fault) in snapshot.faults().take(5) { (fault_item(snapshot, site, "", seen, fault)) }
                @for line in &snapshot.standings.later_legs {
                    li {
                        span class="tag" { "i" }
                        div {
                            p {
                                b { (printable(&line.bot)) }
                                " does better in later legs of a pair than in earlier ones, with the same deals, by "
                                (format!("{:.3}", line.better_by)) " points a match over " (count(line.pairs))
                                " pairs: check whether it recognises the deals"
                            }
                        }
                    }
                }
                @for cycle in snapshot.standings.cycles.iter().take(2) {
                    li {
                        span class="tag" { "i" }
                        div {
                            p {
                                "A circle, each step significant at 5 % over all pairings together: "
                                @for name in &cycle.circle { b { (printable(name)) } " beats " }
                                @if let Some(first) = cycle.circle.first() { b { (printable(first)) } }
                            }
                        }
                    }
                }
                @if let Some(fit) = snapshot.standings.unfitting() {
                    li {
                        span class="tag" { "i" }
                        div {
                            p {
                                "Ratings do not describe this field: pairings stray by about " (format!("{:.0}", fit.astray_elo))
                                " Elo from what one number for each bot allows"
                            }
                        }
                    }
                }
                @for (one, other, text) in level {
                    li {
                        span class="tag" { "i" }
                        div {
                            p { b { (printable(one)) } " and " b { (printable(other)) } " are not told apart by their matches against each other " span class="muted" { (text) } }
                        }
                    }
                }
            }
        }
    }
}

/// Returns neighbours at the top whose matches against each other do not decide between them.
fn level(snapshot: &Snapshot) -> Vec<(&str, &str, String)> {
    let lines = snapshot.standings.head_to_head.iter().flatten();
    let top: Vec<&str> = snapshot.standings.bots.iter().take(4).map(|bot| bot.name.as_str()).collect();
    let neighbours =
        |one: &str, other: &str| top.windows(2).any(|two| two == [one, other] || two == [other, one]);
    let level = lines.filter(|line| neighbours(&line.first, &line.second)).filter_map(|line| {
        let (score, interval) = (line.score?, line.score_interval?);
        let is_level = interval.low < 0.5 && interval.high > 0.5 && interval.high - interval.low < 0.4;
        let text =
            format!("({:.0} %, {:.0}–{:.0})", score * 100.0, interval.low * 100.0, interval.high * 100.0);
        is_level.then_some((line.first.as_str(), line.second.as_str(), text))
    });
    level.take(2).collect()
}

fn just_finished(snapshot: &Snapshot, site: &Site) -> Markup {
    html! {
        section class="card" id="finished" {
            div class="line" {
                h2 { @if snapshot.progress.is_over { "Last matches" } @else { "Just finished" } }
                a href="matches.html" { "all " (count(snapshot.matches.len() as u64)) " →" }
            }
            @if snapshot.matches.is_empty() {
                p class="muted" { "A match is shown once all matches of its pair are over." }
            }
            (finished_list(snapshot, site, 6))
        }
    }
}

/// Shows the head-to-head scores of the best bots.
pub(super) fn map(snapshot: &Snapshot) -> Markup {
    let shown = snapshot.ranking.len().min(IN_MAP);
    let ranking = &snapshot.ranking[..shown];
    let names: Vec<&str> = ranking.iter().map(|bot| snapshot.bot(*bot).name.as_str()).collect();
    let links: Vec<String> = ranking.iter().map(|bot| format!("bots/{}.html", bot.0)).collect();
    let scores: Vec<Option<f64>> = ranking
        .iter()
        .flat_map(|row| ranking.iter().map(|column| snapshot.meeting(*row, *column).score()))
        .collect();
    html! {
        section class="card" id="map" {
            div class="line" {
                h2 { "Head to head" span class="muted plain" { " — the row's share of the points against the column, in percent" } }
                p class="legend" {
                    span class="swatch l8" {} "loses " span class="swatch w0" {} "even " span class="swatch w8" {} "wins"
                    @if snapshot.ranking.len() > shown {
                        " " a href="pairings.html" { "all " (count(snapshot.ranking.len() as u64)) " →" }
                    }
                }
            }
            div class="scroll" { (heat_map(&HeatMap { names: &names, scores: &scores, links: &links })) }
        }
    }
}

/// Shows the leader's margins.
fn leader(snapshot: &Snapshot) -> Markup {
    let Some(first) = snapshot.ranking.first() else { return html! {} };
    let bot = snapshot.bot(*first);
    html! {
        section class="card" id="leader" {
            h2 {
                (bot_link(snapshot, "", *first))
                span class="muted plain" { " — margins, " (of(bot.results.matches, "match", "matches")) }
            }
            (margins(snapshot, *first))
            (figures(bot))
        }
    }
}
