//! The list of matches, searched and sorted by the server, or by the script in a published folder.

use std::fmt::Write;

use leyden_language::text::pages;
use leyden_language::{Language, numbers, text::matches as text};
use leyden_model::BotIndex;
use leyden_protocol::MatchEnding;
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::frame::{Page, Section, framed};
use super::parts::{bot_link, match_link};
use super::query::{Filter, Query, RatingsByBot, Sort};
use super::words::{counted, time};
use super::{Site, script_texts};
use crate::columns::{HtmlColumn, cells, heads, row};
use crate::slots::{SLOTS, filled};
use crate::snapshot::{MatchView, Snapshot};

/// The number of matches per page.
pub const PER_PAGE: usize = 50;

/// Builds the page.
pub fn matches(snapshot: &Snapshot, site: &Site, query: &Query, language: Language) -> Markup {
    let title = language.say(pages::Matches);
    let body = html! {
        div class="headline" { h1 { (title) } p class="actions no-print" {
            @if matches!(site, Site::Folder { .. }) { a class="button" href="matches.csv" { "⬇ matches.csv" } }
        } }
        @match site {
            Site::Server { .. } => { (found(snapshot, site, query, language)) },
            Site::Folder { .. } => { (searched_here(snapshot, site, language)) },
        }
    };
    framed(&Page { snapshot, site, section: Section::Matches, title: &title, root: "", body, language })
}

/// Shows what the server found.
fn found(snapshot: &Snapshot, site: &Site, query: &Query, language: Language) -> Markup {
    let all = query.find(snapshot);
    let pages = all.len().div_ceil(PER_PAGE).max(1);
    let page = query.page.min(pages - 1);
    let shown = all.iter().skip(page * PER_PAGE).take(PER_PAGE).copied();
    html! {
        (form(snapshot, query, language))
        section id="list" class="card flush" {
            p class="note" {
                @if snapshot.progress.is_over { (counted!(language, pages::CountMatches, all.len() as u64)) }
                @else { (counted!(language, text::ShownWhenComplete, all.len() as u64)) }
            }
            (table(snapshot, site, "", shown, language))
            (pager(query, page, pages, language))
        }
    }
}

fn form(snapshot: &Snapshot, query: &Query, language: Language) -> Markup {
    let name = |bot: BotIndex| snapshot.bots.get(bot.index()).map_or("?", |bot| bot.name.as_str());
    html! {
        form class="find no-print" method="get" action="matches.html" role="search" {
            @if let Some(bot) = query.bot {
                input type="hidden" name="bot" value=(bot.0);
                @if let Some(rival) = query.rival { input type="hidden" name="rival" value=(rival.0); }
                p { (for_bots(name(bot), query.rival.map(name), language)) }
            }
            (search_fields(query, language))
            button type="submit" { (language.say(text::Show)) }
        }
    }
}

fn for_bots(bot: &str, rival: Option<&str>, language: Language) -> Markup {
    let [slot, of_rival, all, ..] = SLOTS;
    let said = match rival {
        Some(_) => language.say(text::OfThese { bot: slot, rival: of_rival, all }),
        None => language.say(text::OfThis { bot: slot, all }),
    };
    let link = html! { a href="matches.html" { (language.say(text::AllBots)) } };
    filled(&said, &[html! { b { (bot) } }, html! { b { (rival.unwrap_or_default()) } }, link])
}

/// The fields of both forms.
fn search_fields(query: &Query, language: Language) -> Markup {
    let hint = language.say(text::SearchHint);
    html! {
        input type="search" name="q" value=(query.text) placeholder=(hint) aria-label=(hint) maxlength="200";
        select name="only" aria-label=(language.say(text::Which)) {
            @for each in Filter::ALL {
                option value=(each.word()) selected[each == query.only] { (each.label(language)) }
            }
        }
        select name="sort" aria-label=(language.say(text::Order)) {
            @for each in Sort::ALL {
                option value=(each.word()) selected[each == query.sort] { (each.label(language)) }
            }
        }
    }
}

fn pager(query: &Query, page: usize, pages: usize, language: Language) -> Markup {
    let link = |page: usize| {
        let mut address = format!("matches.html?only={}&sort={}", query.only.word(), query.sort.word());
        for (name, bot) in [("bot", query.bot), ("rival", query.rival)] {
            if let Some(bot) = bot {
                let _ = write!(address, "&{name}={}", bot.0); // writing to a String never fails
            }
        }
        if !query.text.is_empty() {
            let _ = write!(address, "&q={}", utf8_percent_encode(&query.text, NON_ALPHANUMERIC));
        }
        address + &format!("&page={}", page + 1)
    };
    let shown = text::PageOf { page: numbers::count(page as u64 + 1), pages: numbers::count(pages as u64) };
    html! {
        @if pages > 1 {
            nav class="pager no-print" aria-label=(language.say(text::PagesOfList)) {
                @if page > 0 { a href=(link(0)) { "⏮" } a href=(link(page - 1)) rel="prev" { (language.say(text::Before)) } }
                span class="number" { (language.say(shown)) }
                @if page + 1 < pages { a href=(link(page + 1)) rel="next" { (language.say(text::Next)) } a href=(link(pages - 1)) { "⏭" } }
            }
        }
    }
}

/// Shows matches as rows of a table.
pub(super) fn table<'a>(
    snapshot: &Snapshot,
    site: &Site,
    root: &str,
    shown: impl Iterator<Item = &'a MatchView>,
    language: Language,
) -> Markup {
    let columns = columns(snapshot, site, root, language);
    html! {
        div class="scroll" {
            table class="matches" {
                (heads(&columns))
                tbody { @for seen in shown { (row(&columns, seen)) } }
            }
        }
    }
}

/// Other columns than in `leyden matches`, whose rows are records: it lists legs by their seats, for replays.
fn columns<'a>(
    snapshot: &'a Snapshot,
    site: &'a Site,
    root: &'a str,
    language: Language,
) -> [HtmlColumn<'a, MatchView>; 7] {
    let ratings = RatingsByBot::from_snapshot(snapshot);
    let number = ["right wide", "right number wide"];
    [
        HtmlColumn::new(language.say(text::Match), ["", "mono"], move |seen: &MatchView| {
            match_link(site, root, seen, &seen.id[..seen.id.len().min(8)])
        }),
        HtmlColumn::new(language.say(text::BotsAndScores), ["", "seats"], move |seen: &MatchView| {
            bots_and_scores(snapshot, root, seen)
        }),
        HtmlColumn::new(language.say(text::Rounds), number, |seen: &MatchView| seen.rounds),
        HtmlColumn::new(language.say(text::Actions), number, |seen: &MatchView| {
            numbers::count(u64::from(seen.actions))
        }),
        HtmlColumn::new(
            html! { span title=(language.say(text::UpsetTitle)) { (language.say(text::Upset)) } },
            number,
            move |seen: &MatchView| {
                let upset = ratings.upset(seen).filter(|upset| *upset > 0);
                html! { @if let Some(upset) = upset { (language.signed(upset as f64 / 10.0, 0)) } }
            },
        ),
        HtmlColumn::new(language.say(text::LongestDecision), number, move |seen: &MatchView| {
            time(language, seen.longest_us)
        }),
        HtmlColumn::new(language.say(text::End), ["", ""], move |seen: &MatchView| {
            html! {
                @match seen.fault {
                    Some(fault) => { span class="tag bad" {
                        (filled(
                            &language.say(text::FaultOf { code: fault.code.as_str(), name: SLOTS[0] }),
                            &[html! { span class="cut" { (snapshot.bot(seen.bots[fault.seat]).name) } }],
                        ))
                    } },
                    None if seen.winner.is_none() => { span class="tag" { (language.say(text::Drawn)) } },
                    None => { span class="muted" { (end(seen, language)) } },
                }
            }
        }),
    ]
}

/// Lists the bots of a match with their scores, by seat.
pub(super) fn bots_and_scores(snapshot: &Snapshot, root: &str, seen: &MatchView) -> Markup {
    html! {
        @for (seat, bot) in seen.bots.iter() {
            span class={ "seat" @if seen.winner == Some(seat) { " won" } } {
                (bot_link(snapshot, root, *bot)) " " span class="number" { (seen.scores[seat]) }
            }
        }
    }
}

/// Says how a match without a fault ended.
fn end(seen: &MatchView, language: Language) -> String {
    let by = if seen.end == MatchEnding::RoundLimit { "limit" } else { "play" };
    language.say(text::Ended { by })
}

/// Shows the list that the script fills from `assets/matches-list.js`; without scripts, its first page.
fn searched_here(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    let latest = Query::default().find(snapshot);
    let total = latest.len() as u64;
    let latest_only = language.say(text::LatestWithoutScripts { all: SLOTS[0] });
    let all = html! { a href="matches.csv" { (language.say(text::AllOfThem)) } };
    html! {
        form class="find no-print" id="find" hidden {
            (search_fields(&Query::default(), language))
        }
        section id="list" class="card flush" data-per-page=(PER_PAGE) {
            p class="note" { (counted!(language, pages::CountMatches, total)) noscript { (filled(&latest_only, &[all])) } }
            (table(snapshot, site, "", latest.into_iter().take(PER_PAGE), language))
            nav class="pager no-print" hidden aria-label=(language.say(text::PagesOfList)) {
                button type="button" class="small" value="first" { "⏮" }
                button type="button" class="small" value="before" { (language.say(text::Before)) }
                span class="number" {}
                button type="button" class="small" value="next" { (language.say(text::Next)) }
                button type="button" class="small" value="last" { "⏭" }
            }
        }
        script src="assets/matches.js" defer {}
        script src="assets/matches-list.js" defer {}
    }
}

/// Returns all matches as a script, for the list in a published folder.
pub fn rows(snapshot: &Snapshot, site: &Site, language: Language) -> String {
    let ratings = RatingsByBot::from_snapshot(snapshot);
    let columns = columns(snapshot, site, "", language);
    // The script makes the first two: finished, they would repeat names of bots in every row.
    let (_, finished) = columns.split_at(2);
    let bots: Vec<&str> = snapshot.bots.iter().map(|bot| bot.name.as_str()).collect();
    let mut order: Vec<usize> = (0..snapshot.matches.len()).collect();
    order.sort_by_key(|index| snapshot.matches[*index].key);
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(rank, index)| ranks[*index] = rank);
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
                seen.actions,
                ratings.upset(seen),
                seen.longest_us,
                seen.final_scores(snapshot.better).winning_margin(),
                seen.fault.is_some(),
                site.replay(seen),
                rank,
                cells(finished, seen).into_string(),
            ])
        })
        .collect();
    // A separate script file, so no tag can end it; `<` is escaped anyway, in case it is embedded in a page.
    let texts = script_texts::for_list(language);
    let text = serde_json::json!({ "bots": bots, "matches": rows, "texts": texts })
        .to_string()
        .replace('<', "\\u003c");
    format!("window.leydenMatches = {text};\n")
}
