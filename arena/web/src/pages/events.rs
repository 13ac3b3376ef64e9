//! The entrance to several events that one server shows.

use maud::{DOCTYPE, Markup, html};

use super::frame::{tag, theme_button};
use super::words::of;
use crate::document::head;
use crate::snapshot::Snapshot;
use crate::tile;

/// Lists the events that are served, each at `1/`, `2/` and so on. `None` is one whose file is still being read.
pub fn events(list: &[Option<&Snapshot>]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head("Events", "1/", "pages.css", &["pages.js"], &html! { meta http-equiv="refresh" content="20"; }))
            body class="page" data-root="1/" {
                (tile::symbols(leyden_protocol::Set::default()))
                header class="topbar" {
                    a class="home" href="./" { (tile::sign()) span { "Leyden Arena" } }
                    div class="right" { (theme_button()) }
                }
                main id="main" {
                    h1 { "Events" }
                    @for (event, at) in list.iter().zip(1..) {
                        section class="card" {
                            @match event {
                                Some(snapshot) => {
                                    h2 { a href={ (at) "/" } { (snapshot.name) } " " (tag(snapshot)) }
                                    p class="muted" {
                                        (snapshot.format) " · " (of(snapshot.bots.len() as u64, "bot", "bots")) " · "
                                        @if snapshot.progress.is_endless {
                                            (of(snapshot.progress.done, "match", "matches"))
                                        } @else {
                                            (snapshot.progress.done) " of " (of(snapshot.progress.wanted, "match", "matches"))
                                        }
                                    }
                                }
                                None => { h2 { a href={ (at) "/" } { "Event " (at) } } p class="muted" { "being read" } }
                            }
                        }
                    }
                }
            }
        }
    }
}
