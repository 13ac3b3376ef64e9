//! The frame of every page: its head, and the navigation bar at the top.

use leyden_language::{Language, text::pages as text};
use maud::{DOCTYPE, Markup, html};

use super::{Site, script_texts};
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
    pub(super) language: Language,
}

/// Builds the whole document.
pub(super) fn framed(page: &Page<'_>) -> Markup {
    let Page { snapshot, site, section, title, root, body, language } = page;
    let last = match site {
        Site::Server { .. } => (Section::Tables, "live.html", Site::tables_title(snapshot, *language)),
        Site::Folder { .. } => (Section::Verify, "verify.html", language.say(text::Verify)),
    };
    let sections = [
        (Section::Standings, "index.html", language.say(text::Standings)),
        (Section::Matches, "matches.html", language.say(text::Matches)),
        (Section::Pairings, "pairings.html", language.say(text::Pairings)),
        last,
    ];
    document(
        snapshot,
        (title, root, site),
        "page",
        &html! {
            (tile::symbols(snapshot.rules.set))
            a class="skip" href="#main" { (language.say(text::Skip)) }
            header class="topbar" {
                a class="home" href={ (root) "index.html" } { (tile::sign()) span { "Leyden Arena" } }
                nav aria-label=(language.say(text::Navigation)) {
                    @if site.is_one_of_several() { a href={ (root) "../" } { (language.say(text::Events)) } }
                    @if site.has_stage() { a href={ (root) "stage" } { (language.say(text::Stage)) } }
                    @for (each, file, name) in &sections {
                        a href={ (root) (file) } aria-current=[(each == section).then_some("page")] { (name) }
                    }
                }
                div class="right" {
                    (state(snapshot, site, *language))
                    (theme_button(*language))
                }
            }
            main id="main" { (body) }
        },
        *language,
    )
}

/// Builds a document with its head.
pub(super) fn document(
    snapshot: &Snapshot,
    (title, root, site): (&str, &str, &Site),
    class: &str,
    body: &Markup,
    language: Language,
) -> Markup {
    let events = site.is_live(snapshot).then(|| format!("{root}events"));
    let texts = serde_json::json!(script_texts::for_pages(language));
    html! {
        (DOCTYPE)
        html lang=(language) {
            (head(&format!("{title} · {}", snapshot.name), root, "pages.css", &["pages.js"], &html! {}))
            body class=(class) data-events=[events] data-root=(root) data-texts=(texts) { (body) }
        }
    }
}

/// The button for a light or dark page. The script shows it.
pub(super) fn theme_button(language: Language) -> Markup {
    let label = language.say(text::LightOrDark);
    html! {
        button class="theme" type="button" hidden aria-label=(label) title=(label) { "◐" }
    }
}

/// Shows whether the tournament is running. The script shows how old the page is.
pub(super) fn state(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    html! {
        span class="state" id="state" {
            @if site.is_live(snapshot) && snapshot.progress.is_playing {
                span class="dot" aria-hidden="true" {}
                span class="live-text" { (language.say(text::Unfinished)) }
            } @else {
                (tag(snapshot, language))
            }
        }
    }
}

/// Says whether everything is played.
pub(super) fn tag(snapshot: &Snapshot, language: Language) -> Markup {
    html! {
        @if snapshot.progress.is_over {
            span class="tag good" { (language.say(text::IsFinal)) }
        } @else if snapshot.progress.is_playing {
            span class="tag" { (language.say(text::BeingPlayed)) }
        } @else {
            span class="tag warn" { (language.say(text::Unfinished)) }
        }
    }
}
