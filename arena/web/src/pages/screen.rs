//! A view for a projector: everything on one screen, without controls. A large field is shown in parts, one after the other.

use leyden_language::{Language, text::pages as text};
use leyden_model::BotIndex;
use maud::{Markup, html};

use super::frame::document;
use super::overview::map;
use super::parts::{
    faults, finished_heading, finished_list, interval, interval_heading, or_dash, places, progress, rating,
    record, scale,
};
use super::{Site, live};
use crate::columns::{HtmlColumn, heads, row};
use crate::snapshot::Snapshot;
use crate::tile;
use leyden_arena::report::BotStanding;

/// The number of bots that fit.
const BOTS: usize = 15;

/// The most bots for which the head-to-head map fits below them.
const WITH_MAP: usize = 8;

/// The number of recent matches on the page; only those that fit are visible.
const FINISHED: usize = 16;

/// Builds the page.
pub fn screen(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    // Two tables side by side leave room for the names of many seats.
    let tables = if snapshot.rules.seats.count() > 3 { 2 } else { 4 };
    let body = html! {
        (tile::symbols(snapshot.rules.set))
        main id="main" {
            h1 { (tile::sign()) " " span class="cut" { (snapshot.name) } }
            (progress(snapshot, language))
            div class="columns" {
                div class="side" {
                    section class="card flush" id="standings" { (standings(snapshot, language)) }
                    @if snapshot.bots.len() <= WITH_MAP { (map(snapshot, language)) }
                }
                div class="side" {
                    @if site.is_live(snapshot) { (live::now(snapshot, tables, language)) }
                    section class="card" id="finished" {
                        h2 { (finished_heading(snapshot, language)) }
                        (finished_list(snapshot, site, FINISHED, language))
                    }
                }
            }
        }
    };
    document(snapshot, (&language.say(text::Projector), "", site), "screen", &body, language)
}

/// Shows the standings in parts that fit, which the script shows in turn.
fn standings(snapshot: &Snapshot, language: Language) -> Markup {
    let columns = columns(snapshot, language);
    let all: Vec<_> = snapshot.standings.bots.iter().zip(&snapshot.ranking).collect();
    html! {
        table class="standings" {
            (heads(&columns))
            @for (index, part) in all.chunks(BOTS).enumerate() {
                tbody class="part" hidden[index > 0] {
                    @for (standing, bot) in part { (row(&columns, &(*standing, **bot))) }
                    @if all.len() > BOTS {
                        @let first = index * BOTS + 1;
                        @let last = first + part.len() - 1;
                        tr { td class="note" colspan=(columns.len()) { (language.say(text::PartOf { first, last, all: all.len() })) } }
                    }
                }
            }
        }
    }
}

type Row<'a> = (&'a BotStanding, BotIndex);

fn columns<'a>(snapshot: &'a Snapshot, language: Language) -> [HtmlColumn<'a, Row<'a>>; 7] {
    let scale = scale(snapshot);
    let number = ["right", "right number"];
    [
        HtmlColumn::new(
            language.say(text::Place),
            ["right", "right number rank"],
            |(standing, _): &Row<'_>| places(standing),
        ),
        HtmlColumn::new(language.say(text::Bot), ["", "bot"], |(_, bot): &Row<'a>| {
            snapshot.bot(*bot).name.clone()
        }),
        HtmlColumn::new(interval_heading(snapshot, language), ["", ""], move |(standing, bot): &Row<'a>| {
            interval(scale, standing, snapshot.bot(*bot))
        }),
        HtmlColumn::new(language.say(text::Rating), number, move |(standing, _): &Row<'a>| {
            rating(standing, language)
        }),
        HtmlColumn::new(language.say(text::WonLost), number, |(_, bot): &Row<'a>| record(snapshot.bot(*bot))),
        HtmlColumn::new(language.say(text::Score), number, move |(_, bot): &Row<'a>| {
            or_dash(snapshot.bot(*bot).results.score, |score| language.percent(score, 1))
        }),
        HtmlColumn::new(language.say(text::Faults), ["", ""], move |(_, bot): &Row<'a>| {
            faults(snapshot.bot(*bot), language)
        }),
    ]
}
