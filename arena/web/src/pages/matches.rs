//! The list of matches, searched and sorted by the server, or by the script in a published folder.

use std::fmt::Write;

use leyden_model::BotIndex;
use leyden_protocol::MatchEnding;
use maud::{Markup, html};

use super::Site;
use super::finding::{Filter, Query, RatingsByBot, Sort};
use super::frame::{Page, Section, framed};
use super::parts::{bot_link, match_link};
use super::words::{count, of, signed, time};
use crate::columns::{HtmlColumn, heads, row};
use crate::snapshot::{MatchSeen, Snapshot};

/// The number of matches per page.
pub const PER_PAGE: usize = 50;

/// Builds the page.
pub fn matches(snapshot: &Snapshot, site: &Site, query: &Query) -> Markup {
    let body = html! {
        div class="headline" { h1 { "Matches" } p class="actions no-print" {
            @if matches!(site, Site::Folder { .. }) { a class="button" href="matches.csv" { "⬇ matches.csv" } }
        } }
        @match site {
            Site::Server { .. } => { (found(snapshot, site, query)) },
            Site::Folder { .. } => { (searched_here(snapshot, site)) },
        }
    };
    framed(&Page { snapshot, site, section: Section::Matches, title: "Matches", root: "", body })
}

/// Shows what the server found.
fn found(snapshot: &Snapshot, site: &Site, query: &Query) -> Markup {
    let all = query.find(snapshot);
    let pages = all.len().div_ceil(PER_PAGE).max(1);
    let page = query.page.min(pages - 1);
    let shown = all.iter().skip(page * PER_PAGE).take(PER_PAGE).copied();
    html! {
        (form(snapshot, query))
        section id="list" class="card flush" {
            p class="note" { (of(all.len() as u64, "match", "matches")) @if !snapshot.progress.is_over {
                ", each shown once its pair is complete" } }
            (table(snapshot, site, "", shown))
            (pager(query, page, pages))
        }
    }
}

fn form(snapshot: &Snapshot, query: &Query) -> Markup {
    let name = |bot: BotIndex| snapshot.bots.get(bot.index()).map_or("?", |bot| bot.name.as_str());
    html! {
        form class="find no-print" method="get" action="matches.html" role="search" {
            @if let Some(bot) = query.bot {
                input type="hidden" name="bot" value=(bot.0);
                @if let Some(rival) = query.rival { input type="hidden" name="rival" value=(rival.0); }
                p {
                    b { (name(bot)) } @if let Some(rival) = query.rival { " against " b { (name(rival)) } }
                    " · " a href="matches.html" { "all bots" }
                }
            }
            input type="search" name="q" value=(query.text) placeholder="a bot's name, or a match's id"
                aria-label="a bot's name, or a match's id" maxlength="200";
            select name="only" aria-label="which" {
                @for each in Filter::ALL {
                    option value=(each.word()) selected[each == query.only] { (each.word()) }
                }
            }
            select name="sort" aria-label="order" {
                @for each in Sort::ALL { option value=(each.word()) selected[each == query.sort] { (each.label()) } }
            }
            button type="submit" { "Show" }
        }
    }
}

fn pager(query: &Query, page: usize, pages: usize) -> Markup {
    let link = |page: usize| {
        let mut address = format!("matches.html?only={}&sort={}", query.only.word(), query.sort.word());
        for (name, bot) in [("bot", query.bot), ("rival", query.rival)] {
            if let Some(bot) = bot {
                let _ = write!(address, "&{name}={}", bot.0); // writing to a String never fails
            }
        }
        if !query.text.is_empty() {
            let _ = write!(address, "&q={}", encoded(&query.text));
        }
        address + &format!("&page={}", page + 1)
    };
    html! {
        @if pages > 1 {
            nav class="pager no-print" aria-label="Pages of the list" {
                @if page > 0 { a href=(link(0)) { "⏮" } a href=(link(page - 1)) rel="prev" { "← before" } }
                span class="number" { "page " (count(page as u64 + 1)) " of " (count(pages as u64)) }
                @if page + 1 < pages { a href=(link(page + 1)) rel="next" { "next →" } a href=(link(pages - 1)) { "⏭" } }
            }
        }
    }
}

/// Encodes a text as a part of an address.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// Shows matches as rows of a table.
pub(super) fn table<'a>(
    snapshot: &Snapshot,
    site: &Site,
    root: &str,
    shown: impl Iterator<Item = &'a MatchSeen>,
) -> Markup {
    let columns = columns(snapshot, site, root);
    html! {
        div class="scroll" {
            table class="matches" {
                (heads(&columns))
                tbody { @for seen in shown { (row(&columns, seen)) } }
            }
        }
    }
}

fn columns<'a>(snapshot: &'a Snapshot, site: &'a Site, root: &'a str) -> [HtmlColumn<'a, MatchSeen>; 7] {
    let ratings = RatingsByBot::from_snapshot(snapshot);
    let number = ["right wide", "right number wide"];
    [
        HtmlColumn::new("Match", ["", "mono"], move |seen: &MatchSeen| {
            match_link(site, root, seen, &seen.id[..seen.id.len().min(8)])
        }),
        HtmlColumn::new("Bots and scores, by seat", ["", "seats"], move |seen: &MatchSeen| {
            html! {
                @for (seat, bot) in seen.bots.iter() {
                    span class={ "seat" @if seen.winner == Some(seat) { " won" } } {
                        (bot_link(snapshot, root, *bot)) " " span class="number" { (seen.scores[seat]) }
                    }
                }
            }
        }),
        HtmlColumn::new("Rounds", number, |seen: &MatchSeen| seen.rounds),
        HtmlColumn::new("Actions", number, |seen: &MatchSeen| count(u64::from(seen.actions))),
        HtmlColumn::new(
            html! { span title="how much higher the loser was rated" { "Upset" } },
            number,
            move |seen: &MatchSeen| {
                let upset = ratings.upset(seen).filter(|upset| *upset > 0);
                html! { @if let Some(upset) = upset { (signed(upset as f64 / 10.0, 0)) } }
            },
        ),
        HtmlColumn::new("Longest decision", number, |seen: &MatchSeen| time(seen.longest_us)),
        HtmlColumn::new("End", ["", ""], move |seen: &MatchSeen| {
            html! {
                @match seen.fault {
                    Some(fault) => { span class="tag bad" {
                        "✖ " (fault.code) " of " span class="cut" { (snapshot.bot(seen.bots[fault.seat]).name) }
                    } },
                    None if seen.winner.is_none() => { span class="tag" { "drawn" } },
                    None => { span class="muted" { (end(seen)) } },
                }
            }
        }),
    ]
}

/// Says how a match without a fault ended.
fn end(seen: &MatchSeen) -> &'static str {
    if seen.end == MatchEnding::RoundLimit { "round limit" } else { "played out" }
}

/// Shows the list that the script fills from `assets/matches.js`; without scripts, its first page.
fn searched_here(snapshot: &Snapshot, site: &Site) -> Markup {
    let latest = Query::default().find(snapshot);
    let total = latest.len() as u64;
    html! {
        form class="find no-print" id="find" hidden {
            input type="search" name="q" placeholder="a bot's name, or a match's id"
                aria-label="a bot's name, or a match's id";
            select name="only" aria-label="which" {
                @for each in Filter::ALL { option value=(each.word()) { (each.word()) } }
            }
            select name="sort" aria-label="order" {
                @for each in Sort::ALL { option value=(each.word()) { (each.label()) } }
            }
        }
        section id="list" class="card flush" data-per-page=(PER_PAGE) {
            p class="note" { (of(total, "match", "matches")) noscript { ": the latest. " a href="matches.csv" { "All of them" } " as a table; searching needs JavaScript." } }
            (table(snapshot, site, "", latest.into_iter().take(PER_PAGE)))
            nav class="pager no-print" hidden aria-label="Pages of the list" {
                button type="button" class="small" value="first" { "⏮" }
                button type="button" class="small" value="before" { "← before" }
                span class="number" {}
                button type="button" class="small" value="next" { "next →" }
                button type="button" class="small" value="last" { "⏭" }
            }
        }
        script src="assets/matches.js" defer {}
        script src="assets/matches-list.js" defer {}
    }
}

/// Returns all matches as a script, for the list in a published folder.
pub fn rows(snapshot: &Snapshot, site: &Site) -> String {
    let ratings = RatingsByBot::from_snapshot(snapshot);
    let bots: Vec<&str> = snapshot.bots.iter().map(|bot| bot.name.as_str()).collect();
    let mut order: Vec<usize> = (0..snapshot.matches.len()).collect();
    order.sort_by_key(|place| snapshot.matches[*place].key);
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(rank, place)| ranks[*place] = rank);
    let rows: Vec<serde_json::Value> = snapshot
        .matches
        .iter()
        .zip(ranks)
        .map(|(seen, rank)| {
            let seats: Vec<u32> = seen.bots.as_slice().iter().map(|bot| bot.0).collect();
            serde_json::json!([
                seen.id,
                seats,
                seen.scores,
                seen.winner,
                seen.rounds,
                seen.actions,
                ratings.upset(seen),
                seen.longest_us,
                seen.margin(),
                seen.fault.map(|fault| (fault.seat, fault.code)),
                site.replay(seen),
                rank,
                end(seen),
            ])
        })
        .collect();
    // A separate script file, so no tag can end it; `<` is escaped anyway, in case it is embedded in a page.
    let text = serde_json::json!({ "bots": bots, "matches": rows }).to_string().replace('<', "\\u003c");
    format!("window.leydenMatches = {text};\n")
}
