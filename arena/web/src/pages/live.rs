//! The matches in progress, move by move. The script draws them from the server's events.
use super::frame::{Page, Section, framed};
use super::parts::{finished_heading, finished_list, progress};
use super::{Delay, Site};
use crate::slots::{SLOTS, filled};
use crate::snapshot::Snapshot;
use leyden_language::{Language, text::pages as text};
use maud::{Markup, html};

/// The most tables on a page.
pub const TABLES: usize = 8;

/// Builds the page.
pub fn live(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    let title = Site::tables_title(snapshot, language);
    let body = html! {
        div class="headline" { h1 { (title) } }
        (progress(snapshot, language))
        @if site.is_live(snapshot) { (tables(snapshot, TABLES, language)) (delay_note(site, language)) }
        @else {
            @let standings = html! { a href="index.html" { (language.say(text::TheStandings)) } };
            section class="card" { p { (filled(&language.say(text::EverythingPlayed { standings: SLOTS[0] }), &[standings])) } }
        }
        section class="card" id="finished" {
            h2 { (finished_heading(snapshot, language)) }
            (finished_list(snapshot, site, 12, language))
        }
    };
    framed(&Page { snapshot, site, section: Section::Tables, title: &title, root: "", body, language })
}

/// Shows the tables, which the script fills.
pub(super) fn tables(snapshot: &Snapshot, tables: usize, language: Language) -> Markup {
    html! {
        section class="card" id="now" {
            div class="line" { h2 { (language.say(text::OnTheTables)) } @if tables < TABLES { a href="live.html" { (language.say(text::AllTables)) } } }
            div class="tables" data-tables=(tables) data-seats=(snapshot.rules.seats) {
                p class="muted waiting" { (language.say(text::NoTable)) noscript { " " (language.say(text::DrawingNeedsScripts)) } }
            }
        }
    }
}

fn delay_note(site: &Site, language: Language) -> Markup {
    html! {
        @if let Site::Server { delay, has_stage, .. } = site {
            @let when = match delay { _ if *has_stage => "stage", Delay::Pair => "pair", Delay::None => "played" };
            p class="muted when" { (language.say(text::TablesShown { when })) }
        }
    }
}
