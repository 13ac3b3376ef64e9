//! The frame of every page: its head, and the navigation bar at the top.

use maud::{DOCTYPE, Markup, html};

use super::Site;
use crate::document::head;
use crate::snapshot::Snapshot;
use crate::tile;

/// The pages linked in the navigation bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Standings,
    Matches,
    Pairings,
    Tables,
    Verify,
}

/// A page without its frame.
pub(super) struct Page<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) site: &'a Site,
    pub(super) section: Section,
    pub(super) title: &'a str,
    /// The path from the page's folder to the root: empty, or `../`.
    pub(super) root: &'static str,
    pub(super) body: Markup,
}

/// Builds the whole document.
pub(super) fn framed(page: &Page<'_>) -> Markup {
    let Page { snapshot, site, section, title, root, body } = page;
    let sections: &[(Section, &str, &str)] = match site {
        Site::Server { .. } => &[
            (Section::Standings, "index.html", "Standings"),
            (Section::Matches, "matches.html", "Matches"),
            (Section::Pairings, "pairings.html", "Pairings"),
            (Section::Tables, "live.html", Site::tables_title(snapshot)),
        ],
        Site::Folder { .. } => &[
            (Section::Standings, "index.html", "Standings"),
            (Section::Matches, "matches.html", "Matches"),
            (Section::Pairings, "pairings.html", "Pairings"),
            (Section::Verify, "verify.html", "Verify"),
        ],
    };
    document(
        snapshot,
        (title, root, site),
        "page",
        &html! {
            (tile::symbols(snapshot.rules.set))
            a class="skip" href="#main" { "Skip to content" }
            header class="topbar" {
                a class="home" href={ (root) "index.html" } { (tile::sign()) span { "Leyden Arena" } }
                nav aria-label="Pages" {
                    @if site.is_one_of_several() { a href={ (root) "../" } { "Events" } }
                    @if site.has_stage() { a href={ (root) "stage" } { "Stage" } }
                    @for (each, file, name) in sections {
                        a href={ (root) (file) } aria-current=[(each == section).then_some("page")] { (name) }
                    }
                }
                div class="right" {
                    (state(snapshot, site))
                    (theme_button())
                }
            }
            main id="main" { (body) }
        },
    )
}

/// Builds a document with its head.
pub(super) fn document(
    snapshot: &Snapshot,
    (title, root, site): (&str, &str, &Site),
    class: &str,
    body: &Markup,
) -> Markup {
    let events = site.is_live(snapshot).then(|| format!("{root}events"));
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(&format!("{title} · {}", snapshot.name), root, "pages.css", &["pages.js"], &html! {}))
            body class=(class) data-events=[events] data-root=(root) { (body) }
        }
    }
}

/// The button for a light or dark page. The script shows it.
pub(super) fn theme_button() -> Markup {
    html! {
        button class="theme" type="button" hidden aria-label="light or dark" title="light or dark" { "◐" }
    }
}

/// Shows whether the tournament is running. The script shows how old the page is.
pub(super) fn state(snapshot: &Snapshot, site: &Site) -> Markup {
    html! {
        span class="state" id="state" {
            @if site.is_live(snapshot) && snapshot.progress.is_playing {
                span class="dot" aria-hidden="true" {}
                span class="live-text" { "unfinished" }
            } @else {
                (tag(snapshot))
            }
        }
    }
}

/// Says whether everything is played.
pub(super) fn tag(snapshot: &Snapshot) -> Markup {
    html! {
        @if snapshot.progress.is_over {
            span class="tag good" { "final" }
        } @else if snapshot.progress.is_playing {
            span class="tag" { "being played" }
        } @else {
            span class="tag warn" { "unfinished" }
        }
    }
}
