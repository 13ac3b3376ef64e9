//! The entrance to several events that one server shows.

use maud::{DOCTYPE, Markup, html};

use super::frame::tag;
use super::words::of;
use crate::snapshot::Snapshot;
use crate::tile;

/// Lists the events that are served, each at `1/`, `2/` and so on. `None` is one whose file is still being read.
pub fn events(list: &[Option<&Snapshot>]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="refresh" content="20";
                title { "Events · Leyden Arena" }
                link rel="icon" type="image/svg+xml" href="1/assets/icon.svg";
                link rel="stylesheet" href="1/assets/look.css";
                link rel="stylesheet" href="1/assets/pages.css";
            }
            body class="page" data-root="1/" {
                (tile::symbols(leyden_protocol::Set::default()))
                header class="topbar" { a class="home" href="./" { (tile::sign()) span { "Leyden Arena" } } }
                main id="main" {
                    h1 { "Events" }
                    @for (event, at) in list.iter().zip(1..) {
                        section class="card" {
                            @match event {
                                Some(snapshot) => {
                                    h2 { a href={ (at) "/" } { (snapshot.name) } " " (tag(snapshot)) }
                                    p class="muted" {
                                        (snapshot.format) " · " (of(snapshot.bots.len() as u64, "bot", "bots")) " · "
                                        (snapshot.progress.done) " of " (of(snapshot.progress.wanted, "match", "matches"))
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
