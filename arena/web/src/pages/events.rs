//! The entrance to several events that one server shows.

use leyden_language::{Language, numbers, text::pages as text};
use maud::{DOCTYPE, Markup, html};

use super::frame::{tag, theme_button};
use super::words::counted;
use crate::document::head;
use crate::snapshot::Snapshot;
use crate::tile;

/// Lists the events that are served, each at `1/`, `2/` and so on. `None` is one whose file is still being read.
pub fn events(list: &[Option<&Snapshot>], language: Language) -> Markup {
    let title = language.say(text::Events);
    html! {
        (DOCTYPE)
        html lang=(language) {
            (head(&title, "1/", "pages.css", &["pages.js"], &html! { meta http-equiv="refresh" content="20"; }))
            body class="page" data-root="1/" {
                (tile::symbols(leyden_protocol::Set::default()))
                header class="topbar" {
                    a class="home" href="./" { (tile::sign()) span { "Leyden Arena" } }
                    div class="right" { (theme_button(language)) }
                }
                main id="main" {
                    h1 { (title) }
                    @for (event, at) in list.iter().zip(1..) {
                        section class="card" {
                            @match event {
                                Some(snapshot) => {
                                    h2 { a href={ (at) "/" } { (snapshot.name) } " " (tag(snapshot, language)) }
                                    p class="muted" {
                                        (snapshot.format[language]) " · " (counted!(language, text::CountBots, snapshot.bots.len() as u64)) " · "
                                        @if snapshot.progress.is_endless {
                                            (counted!(language, text::CountMatches, snapshot.progress.done))
                                        } @else {
                                            (counted!(language, text::DoneOf, snapshot.progress.planned, done: numbers::count(snapshot.progress.done)))
                                        }
                                    }
                                }
                                None => { h2 { a href={ (at) "/" } { (language.say(text::EventNumber { number: at as u32 })) } } p class="muted" { (language.say(text::BeingRead)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
