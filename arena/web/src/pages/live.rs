//! The matches in progress, move by move. The script draws them from the server's events.

use maud::{Markup, html};

use super::Site;
use super::frame::{Page, Section, framed};
use super::parts::{finished_list, progress};
use crate::snapshot::Snapshot;

/// The most tables on a page.
pub const TABLES: usize = 8;

/// Builds the page.
pub fn live(snapshot: &Snapshot, site: &Site) -> Markup {
    let body = html! {
        div class="headline" { h1 { (Site::tables_title(snapshot)) } }
        (progress(snapshot))
        @if site.is_live(snapshot) { (now(snapshot, TABLES)) (when(site)) }
        @else { section class="card" { p { "Everything is played: " a href="index.html" { "the standings" } "." } } }
        section class="card" id="finished" {
            h2 { @if snapshot.progress.is_over { "Last matches" } @else { "Just finished" } }
            (finished_list(snapshot, site, 12))
        }
    };
    framed(&Page {
        snapshot,
        site,
        section: Section::Tables,
        title: Site::tables_title(snapshot),
        root: "",
        body,
    })
}

/// Shows the tables, which the script fills.
pub(super) fn now(snapshot: &Snapshot, tables: usize) -> Markup {
    html! {
        section class="card" id="now" {
            div class="line" { h2 { "On the tables" } @if tables < TABLES { a href="live.html" { "all →" } } }
            div class="tables" data-tables=(tables) data-seats=(snapshot.rules.seats) {
                p class="muted waiting" { "No table yet." noscript { " Drawing them needs JavaScript." } }
            }
        }
    }
}

fn when(site: &Site) -> Markup {
    html! {
        @if let Site::Server { delay, .. } = site { p class="muted when" { (delay) } }
    }
}
