//! The document around a table: the parts that do not change.

use leyden_protocol::Set;
use leyden_rules::Rules;
use maud::{DOCTYPE, Markup, html};

use super::teach;
use crate::tile;
use leyden_table::LEVELS;

/// Builds the parts that stay the same while a table is in use.
pub(super) fn page(rules: &Rules) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Play · Leyden Arena" }
                link rel="icon" type="image/svg+xml" href="/assets/icon.svg";
                link rel="stylesheet" href="/assets/look.css";
                link rel="stylesheet" href="/assets/play.css";
                script src="/assets/play.js" defer {}
            }
            body {
                (tile::symbols(Set::DoubleTwelve))
                header class="topbar" {
                    span class="home" { (tile::sign()) span { "Leyden Arena" } }
                    div class="right" {
                        span class="tag" id="status" {}
                        button type="button" id="show-help" { "Rules and keys " kbd { "?" } }
                        button type="button" id="theme" aria-label="Light or dark" title="light or dark" { "◐" }
                    }
                }
                noscript { p class="card" { "The table needs scripts; use `leyden play --text` to play in the terminal." } }
                p id="trouble" class="card" role="alert" hidden {}
                main id="lobby" class="lobby" hidden { (lobby(rules)) }
                main id="play" class="play" hidden { (table()) }
                (help(rules))
            }
        }
    };
    page.into_string()
}

fn table() -> Markup {
    html! {
        h1 class="visually-hidden" { "A table" }
        section class="stage" aria-label="The table" {
            div id="others" class="others" {}
            div class="board felt" { div id="table" {} div id="boneyard" {} }
            p id="sentence" role="status" aria-live="polite" {}
            section id="result" class="result" aria-live="polite" {}
            section id="own" class="own card" aria-label="Your hand" {}
        }
        aside {
            section id="scores" class="card" aria-label="Scores" {}
            section id="coach" class="card" aria-label="Coach" {}
            section id="log" class="card" aria-label="What happened" {}
        }
    }
}

fn lobby(rules: &Rules) -> Markup {
    html! {
        h1 { "A match of " (rules.name) }
        section class="card" aria-label="Opponents" {
            h2 { "Who do you want to play against?" }
            p id="refused" class="muted" role="alert" {}
            ol class="levels" {
                @for (place, level) in LEVELS.iter().enumerate() {
                    li { button type="button" data-level=(place + 1) {
                        b { (place + 1) " · " (level.name) } span class="muted" { (level.plays) }
                    } }
                }
            }
        }
        section class="card" aria-label="Rules" { h2 { "The game in five pictures" } (teach::pictures(rules)) }
    }
}

/// The keys and what they do.
const KEYS: [(&[&str], &str); 11] = [
    (&["1", "…", "9"], "choose a tile"),
    (&["←", "→"], "choose an end; when watching bots: step"),
    (&["Enter"], "lay the tile there"),
    (&["I", "O", "X"], "a matador: low half touching, high half touching, across"),
    (&["D"], "draw a tile"),
    (&["R"], "refuse to lead"),
    (&["K"], "the coach"),
    (&["H"], "hints on or off; at first they are on in the first round"),
    (&["U"], "take back your last decision; practice from there"),
    (&["Escape"], "choose nothing"),
    (&["?"], "this page"),
];

fn help(rules: &Rules) -> Markup {
    html! {
        dialog id="help" aria-labelledby="help-title" {
            h2 id="help-title" tabindex="-1" autofocus { "The game in five pictures" }
            (teach::pictures(rules))
            h2 { "Keys" }
            dl { @for (keys, what) in KEYS { div { dt { @for key in keys { kbd { (key) } } } dd { (what) } } } }
            form method="dialog" { button class="primary" { "Close" } }
        }
        dialog id="sure" aria-labelledby="sure-title" {
            h2 id="sure-title" {}
            form method="dialog" class="acts row" {
                button value="no" { "No" }
                button value="yes" class="primary" { "Yes" }
            }
        }
    }
}
