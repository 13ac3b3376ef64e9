//! A bot's page: its results against every other bot, its margins, thinking times, faults and matches.

use std::collections::BTreeMap;

use leyden_model::BotIndex;
use leyden_protocol::FaultCode;
use leyden_stats::{Comparison, Entrant, Interval, SeatedMatch, Strays};
use maud::{Markup, html};

use super::Site;
use super::frame::{Page, Section, framed};
use super::matches::{PER_PAGE, table};
use super::parts::{
    bot_link, fault_item, figures, interval, margins, matches_of, maybe_time, or_dash, origin, outcome,
    places, rating, record, scale, share, thinking,
};
use super::words::{count, of, percent, signed};
use crate::columns::{HtmlColumn, heads, row};
use crate::replay::printable;
use crate::snapshot::{FaultDetail, Snapshot};
use leyden_arena::report::{CircumstanceLine, CompletePairing, seated_match};

/// The most faults listed.
const FAULTS: usize = 20;

/// The number of faults of each kind that are shown with all details.
const TOLD: usize = 3;

/// The most bytes of a bot's standard error shown per fault.
const STDERR: usize = 2_000;

/// Builds the page; `None` if there is no such bot.
pub fn bot(snapshot: &Snapshot, site: &Site, bot: BotIndex) -> Option<Markup> {
    let seen = snapshot.bots.get(bot.index())?;
    let place = snapshot.ranking.iter().position(|each| *each == bot)?;
    let standing = snapshot.standings.bots.get(place)?;
    let body = html! {
        div class="headline" {
            div {
                h1 { (seen.name) }
                p class="facts" {
                    @if let Some(origin) = origin(seen) { (origin) " · " }
                    "place " b { (places(standing)) } " of " (snapshot.bots.len()) " · rating " (rating(standing)) " · "
                    (record(seen)) " in " (of(seen.results.matches, "match", "matches"))
                }
            }
            div class="own-interval" { (interval(scale(snapshot), standing, seen)) }
        }
        div class="columns" {
            div class="side" {
                section class="card flush" id="against" { h2 class="pad" { "Against every opponent" } (against(snapshot, bot)) }
                (against_rating(snapshot, bot))
                (faults(snapshot, site, bot))
                (latest(snapshot, site, bot))
            }
            div class="side" {
                section class="card" id="margins" { h2 { "Margins" } (margins(snapshot, bot)) (figures(seen)) }
                section class="card" id="thinking" {
                    h2 { "Thinking times" span class="muted plain" { " — " (of(seen.results.decisions, "decision", "decisions")) } }
                    (thinking(seen))
                    p class="muted" {
                        "half of them within " b { (maybe_time(seen.results.think_median_us)) } ", 99 % within "
                        b { (maybe_time(seen.results.think_p99_us)) }
                    }
                }
                (form(snapshot, bot))
            }
        }
    };
    Some(framed(&Page { snapshot, site, section: Section::Standings, title: &seen.name, root: "../", body }))
}

fn latest(snapshot: &Snapshot, site: &Site, bot: BotIndex) -> Markup {
    html! {
        section class="card flush" id="list" {
            div class="line pad" {
                h2 { "Latest matches" }
                @if matches!(site, Site::Server { .. }) {
                    a href={ "../matches.html?bot=" (bot.0) } { "all " (count(snapshot.bot(bot).results.matches)) " →" }
                }
            }
            (table(snapshot, site, "../", matches_of(snapshot, bot).map(|(seen, _)| seen).take(PER_PAGE)))
        }
    }
}

fn against(snapshot: &Snapshot, bot: BotIndex) -> Markup {
    let rivals = snapshot.ranking.iter().filter(|rival| **rival != bot);
    let score =
        |met: &CompletePairing, shown: &dyn Fn(f64) -> Markup| met.score().map(shown).unwrap_or_default();
    // Nothing is known about bots that have not met.
    let met = |rival: &BotIndex, shown: &dyn Fn(&CompletePairing) -> Markup| {
        let met = snapshot.meeting(bot, *rival);
        if met.matches() > 0 {
            shown(met)
        } else {
            html! { "–" }
        }
    };
    let number = ["right", "right number"];
    let columns: [HtmlColumn<'_, BotIndex>; 5] = [
        HtmlColumn::new("Bot", ["", ""], |rival: &BotIndex| bot_link(snapshot, "../", *rival)),
        HtmlColumn::new("Won–drawn–lost", number, |rival: &BotIndex| {
            met(rival, &|met| html! { (met.won) "–" (met.drawn) "–" (met.lost) })
        }),
        HtmlColumn::new("Score", number, |rival: &BotIndex| {
            met(rival, &|met| score(met, &|score| html! { (percent(score, 0)) }))
        }),
        HtmlColumn::new(
            html! { span class="visually-hidden" { "Score as a bar" } },
            ["wide", "wide"],
            |rival: &BotIndex| score(snapshot.meeting(bot, *rival), &share),
        ),
        HtmlColumn::new("Margin", number, |rival: &BotIndex| {
            met(rival, &|met| html! { (or_dash(met.mean_margin(), |margin| signed(margin, 1))) })
        }),
    ];
    html! {
        div class="scroll" {
            table class="against" {
                (heads(&columns))
                tbody { @for rival in rivals { (row(&columns, rival)) } }
            }
        }
    }
}

/// Lists where the bot strays from its rating, if there is a rating and a table of two.
fn against_rating(snapshot: &Snapshot, bot: BotIndex) -> Markup {
    let name = |bot: usize| {
        let place = snapshot.ranking.iter().position(|each| each.index() == bot);
        place.map_or_else(String::new, |place| snapshot.standings.bots[place].name.clone())
    };
    let names: Vec<String> = (0..snapshot.bots.len()).map(name).collect();
    let matches: Vec<SeatedMatch> = snapshot
        .matches
        .iter()
        .filter_map(|seen| {
            let bots = <[BotIndex; 2]>::try_from(seen.bots.as_slice().to_vec()).ok()?;
            Some(seated_match(seen.key.block, bots.map(|bot| Entrant(bot.0)), seen.winner, seen.led))
        })
        .collect();
    let told = snapshot.standings.circumstances_of(&names[bot.index()], &names, &matches);
    let number = ["right", "right number"];
    let columns: [HtmlColumn<'_, CircumstanceLine>; 5] = [
        HtmlColumn::new("Where", ["", ""], |line: &CircumstanceLine| html! { (printable(&line.in_words())) }),
        HtmlColumn::new(
            "Matches",
            ["right wide", "right number wide"],
            |line: &CircumstanceLine| html! { (count(line.matches)) },
        ),
        HtmlColumn::new("Score", number, |line: &CircumstanceLine| html! { (percent(line.score, 0)) }),
        HtmlColumn::new(
            "By its rating",
            number,
            |line: &CircumstanceLine| html! { (percent(line.expected, 0)) },
        ),
        HtmlColumn::new("Difference, 95 %", ["right", "right"], |line: &CircumstanceLine| {
            let tag = match line.strays {
                Some(Strays::Worse) => html! { span class="tag bad" { "worse" } " " },
                Some(Strays::Better) => html! { span class="tag good" { "better" } " " },
                None => html! {},
            };
            let range = line.excess.map(|Interval { low, high }| {
                format!("{} to {}", signed(100.0 * low, 1), signed(100.0 * high, 1))
            });
            html! { (tag) span class="number" { (range.unwrap_or_else(|| "–".to_owned())) } }
        }),
    ];
    html! {
        @if let Some(told) = &told {
            section class="card flush" id="by-rating" {
                h2 class="pad" { "Against its rating" }
                div class="scroll" {
                    table {
                        (heads(&columns))
                        tbody { @for line in &told.results { (row(&columns, line)) } }
                    }
                }
                p class="muted pad" { "The 95 % are for all lines together; they are known from 10 blocks on." }
            }
        }
    }
}

/// Shows how the last matches ended.
fn form(snapshot: &Snapshot, bot: BotIndex) -> Markup {
    let last: Vec<_> = matches_of(snapshot, bot).take(30).collect();
    html! {
        section class="card" id="form" {
            h2 { "The last " (of(last.len() as u64, "match", "matches")) }
            p class="form" {
                @for (seen, seat) in last.iter().rev() {
                    @let (class, letter) = match outcome(snapshot, seen, *seat) {
                        Comparison::Won => ("won", "W"),
                        Comparison::Drawn => ("drawn", "D"),
                        Comparison::Lost => ("lost", "L"),
                    };
                    span class=(class) { (letter) }
                }
            }
        }
    }
}

/// Shows the details of a fault, except the first line of the message, which is shown above, and the end of the bot's standard
/// error.
fn fault_details(FaultDetail { message, stderr }: &FaultDetail) -> Markup {
    let more = message.split_once('\n').map_or("", |(_, more)| more);
    let (said, is_cut) = last_lines(stderr);
    html! {
        @if !more.is_empty() { li class="stderr" { pre { (more) } } }
        @if !said.is_empty() {
            li class="stderr" { div { p class="muted" { "standard error" @if is_cut { ", its end" } } pre { (said) } } }
        }
    }
}

/// Returns the last lines of a text that fit on a page, and whether others were cut.
fn last_lines(text: &str) -> (&str, bool) {
    let whole = text.trim_end();
    let Some(cut) = whole.len().checked_sub(STDERR).filter(|cut| *cut > 0) else { return (whole, false) };
    let end = &whole[whole.ceil_char_boundary(cut)..];
    (end.split_once('\n').map_or(end, |(_, lines)| lines), true)
}

/// Lists the faults. Once it may be shown, the first few of each kind come with all details for the author.
fn faults(snapshot: &Snapshot, site: &Site, bot: BotIndex) -> Markup {
    let all: Vec<_> = snapshot.faults().filter(|(seen, fault)| seen.bots[fault.seat] == bot).collect();
    let mut kinds: BTreeMap<FaultCode, usize> = BTreeMap::new();
    let told = all.iter().take(FAULTS).map(|(seen, fault)| {
        let before = kinds.entry(fault.code).or_default();
        *before += 1;
        snapshot.told.get(&seen.id).filter(|_| *before <= TOLD)
    });
    let told: Vec<Option<&FaultDetail>> = told.collect();
    html! {
        @if !all.is_empty() {
            section class="card" id="faults" {
                h2 { "Faults" span class="muted plain" { " — " (of(all.len() as u64, "match", "matches")) " lost" } }
                @if !snapshot.progress.is_over {
                    p class="muted" { "The messages for its author, and its standard error, are shown once everything is played." }
                }
                ul class="look" {
                    @for ((seen, fault), told) in all.into_iter().zip(told) {
                        (fault_item(snapshot, site, "../", seen, fault))
                        @if let Some(told) = told { (fault_details(told)) }
                    }
                }
            }
        }
    }
}
