//! A view for a projector: everything on one screen, nothing to press.

use maud::{Markup, html};

use super::frame::document;
use super::overview::{finished_list, map};
use super::parts::{faults, interval, places, progress, rating, record, scale};
use super::words::percent;
use super::{Site, live};
use crate::web::snapshot::Snapshot;
use crate::web::tile;

/// How many bots fit.
const BOTS: usize = 14;

/// How many there may be for who beats whom to fit below them.
const WITH_MAP: usize = 8;

/// The page.
pub fn screen(snapshot: &Snapshot, site: &Site) -> Markup {
    let scale = scale(snapshot);
    let shown = snapshot.standings.bots.iter().zip(&snapshot.ranking).take(BOTS);
    let rest = snapshot.bots.len().saturating_sub(BOTS);
    let body = html! {
        (tile::symbols(snapshot.rules.set))
        main id="main" {
            h1 { (tile::sign()) " " (snapshot.name) }
            (progress(snapshot))
            div class="columns" {
                div class="side" { section class="card flush" id="standings" {
                    table class="standings" {
                        thead { tr {
                            th class="right" scope="col" { "Rank" } th scope="col" { "Bot" }
                            th scope="col" { "Rating, 95 % interval" } th class="right" scope="col" { "Rating" }
                            th class="right" scope="col" { "Won–lost" } th class="right" scope="col" { "Score" }
                            th scope="col" { "Faults" }
                        } }
                        tbody {
                            @for (standing, bot) in shown {
                                @let seen = snapshot.bot(*bot);
                                tr {
                                    td class="right number rank" { (places(standing)) }
                                    td class="bot" { (seen.name) }
                                    td { (interval(scale, standing, seen)) }
                                    td class="right number" { (rating(standing)) }
                                    td class="right number" { (record(seen)) }
                                    td class="right number" {
                                        @if let Some(score) = seen.results.score { (percent(score, 1)) } @else { "–" }
                                    }
                                    td { (faults(seen)) }
                                }
                            }
                        }
                    }
                    @if rest > 0 { p class="note" { "and " (rest) " more" } }
                }
                @if snapshot.bots.len() <= WITH_MAP { (map(snapshot)) } }
                div class="side" {
                    @if site.is_live(snapshot) { (live::now(snapshot, 4)) }
                    section class="card" id="finished" {
                        h2 { @if snapshot.progress.is_over { "Last matches" } @else { "Just finished" } }
                        (finished_list(snapshot, site, 7))
                    }
                }
            }
        }
    };
    document(snapshot, ("Projector", "", site), "screen", &body)
}
