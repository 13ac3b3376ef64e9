//! A view for a projector: everything on one screen, without controls. A large field is shown in parts, one after the other.

use leyden_language::{Language, text::pages as text};
use maud::{Markup, html};

use super::frame::document;
use super::overview::map;
use super::parts::{finished_heading, finished_list, progress};
use super::standing_columns::{Row, StandingColumns};
use super::{Site, live};
use crate::columns::{HtmlColumn, heads, row};
use crate::snapshot::Snapshot;
use crate::tile;
use leyden_arena::report::standing_columns::{ResultColumn, StandingColumn};

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
                    @if site.is_live(snapshot) { (live::tables(snapshot, tables, language)) }
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

fn columns(snapshot: &Snapshot, language: Language) -> [HtmlColumn<'_, Row<'_>>; 7] {
    let columns = StandingColumns(snapshot, language);
    [
        columns.column(StandingColumn::Place, ["", "rank"]),
        columns.column(StandingColumn::Bot, ["", "bot"]),
        columns.intervals([""; 2]),
        columns.column(StandingColumn::Rating, ["", "rating"]),
        columns.won_and_lost([""; 2]),
        columns.column(StandingColumn::Results(ResultColumn::Score), [""; 2]),
        columns.column(StandingColumn::Results(ResultColumn::Faults), [""; 2]),
    ]
}
