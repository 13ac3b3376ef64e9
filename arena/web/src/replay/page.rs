//! The document around a replay: everything that stays the same, and the script that does the rest.

use std::fmt::Write as _;

use leyden_model::MatchHeader;
use leyden_protocol::Seats;
use leyden_rules::Rules;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use data_encoding::BASE64;
use leyden_arena::narrate::words::aim;

use super::facts::ReplayContent;
use crate::tile;

const STYLE: &str = concat!(include_str!("../assets/look.css"), include_str!("../assets/replay.css"));
const SCRIPT: &str = include_str!("../assets/replay.js");

/// Returns the document's security policy: only its own style and script are allowed. A server that sends it must allow at least
/// this.
pub fn security_policy() -> String {
    let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)));
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

/// Returns the policy as an HTTP header, with the part that is allowed only there.
pub(crate) fn header_policy() -> String {
    format!("{}; frame-ancestors 'none'", security_policy())
}

/// Returns JSON that is safe inside a script element: it cannot end the element, begin a comment or change the text direction.
fn embedded(facts: &ReplayContent<'_>) -> String {
    let json = serde_json::to_string(facts).unwrap_or_default(); // never fails: only texts, numbers, and maps with text keys
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&') || is_directing(c) {
            // These characters occur only in texts. Writing to a String never fails.
            let _ = write!(text, "\\u{:04x}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text
}

/// Whether a text begins like a replay: with a policy that allows an inline style. Other pages of the arena load theirs.
pub fn is_replay(head: &str) -> bool {
    let policy = security_policy();
    let allowed = policy.split_inclusive("'sha256-").next().unwrap_or(&policy);
    head.starts_with(&format!("{}{allowed}", beginning()))
}

/// The text before the policy.
fn beginning() -> &'static str {
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\""
}

pub(super) fn page(
    header: &MatchHeader,
    rules: &Rules,
    facts: &ReplayContent<'_>,
    home: Option<&str>,
) -> String {
    let title = format!("{} · match {}", facts.names.join(" – "), header.id);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(security_policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (tile::symbols(rules.set))
                (tile::templates())
                (top(home))
                main class={ "replay" @if rules.seats == Seats::TWO { " two" } } {
                    h1 class="visually-hidden" { "Replay of match " (header.id) }
                    noscript { p class="card" { "A replay needs scripts; this file contains its own and makes no requests." } }
                    (stage(header, rules, facts))
                    (panel(header, rules, facts))
                }
                (help())
                script type="application/json" id="facts" { (PreEscaped(embedded(facts))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn top(home: Option<&str>) -> Markup {
    let sign = html! { (tile::sign()) span { "Leyden Arena" } };
    html! {
        header class="topbar" {
            @if let Some(home) = home { a class="home" href=(home) { (sign) } } @else { span class="home" { (sign) } }
            div class="right" {
                span class="tag" { "replay · one file, works offline" }
                button id="theme" type="button" class="no-print" aria-label="Light or dark" { "◐" }
            }
        }
    }
}

fn stage(header: &MatchHeader, rules: &Rules, facts: &ReplayContent<'_>) -> Markup {
    let better = aim(leyden_language::Language::English, rules.better);
    html! {
        section class="stage" aria-label="The table" {
            div class="scoreboard" {
                div class="rounds" {
                    ol id="deals" aria-label="Rounds" {}
                    p class="muted small" { "match " (header.id) " · to " (rules.target) " points, " (better) }
                }
            }
            div id="others" class="hands" {}
            div class="board felt" {
                svg id="table" role="img" aria-label="The tiles on the table" {}
                div class="board-foot" {
                    p class="legend" aria-hidden="true" {
                        span { span class="want" { "4" } " needs this number" }
                        span { span class="want" { "★" } " closed: matadors only" }
                    }
                    p class="boneyard" {
                        (tile::hidden_picture())
                        span { b id="boneyard" {} " in the boneyard" }
                        @if rules.reserve > 0 { span { "the last " (rules.reserve) " stay" } }
                    }
                }
            }
            div id="own" class="hands" {}
            p id="sentence" role="status" aria-live="polite" aria-atomic="true" {}
            div class="timeline no-print" {
                div id="odds" role="img" hidden {}
                div id="bars" aria-hidden="true" {}
                input id="slider" type="range" min="0" value="0" aria-label="Moment of the round";
            }
            (controls(facts))
        }
    }
}

fn controls(facts: &ReplayContent<'_>) -> Markup {
    let speeds = [("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×"), ("8", "8×")];
    html! {
        div class="controls no-print" {
            button id="first" type="button" title="Beginning of the match (Home)" aria-label="Beginning of the match" { "⇤" }
            button id="back" type="button" title="Step back (←)" aria-label="Step back" { "←" }
            button id="play" type="button" class="primary" { "▶ Play" }
            button id="step" type="button" title="Step (→)" aria-label="Step" { "→" }
            button id="last" type="button" title="End of the match (End)" aria-label="End of the match" { "⇥" }
            label { "Speed " select id="speed" {
                @for (value, name) in speeds { option value=(value) selected[value == "1"] { (name) } }
            } }
            span class="fill" {}
            @if facts.views.len() > 1 {
                label { "Hands " select id="view" {
                    @for (place, view) in facts.views.iter().enumerate() {
                        option value=(place) {
                            @match view.seat() {
                                Some(seat) => { "as " (facts.names[seat.index()]) " saw it" }
                                None => "all open",
                            }
                        }
                    }
                } }
            }
            button id="numbers" type="button" aria-pressed="false" { "123 on tiles" }
            button id="link" type="button" title="Copy a link to this moment (c)" { "Copy link" }
        }
        p class="keys no-print" {
            @for (keys, what) in KEYS { span { @for key in keys { kbd { (key) } } " " (what) } " " }
        }
    }
}

/// The keys and what they do.
const KEYS: [(&[&str], &str); 10] = [
    (&["←", "→"], "step"),
    (&["Home", "End"], "match"),
    (&["space"], "play"),
    (&["[", "]"], "round"),
    (&["f"], "next fault"),
    (&["w"], "next turn that mattered"),
    (&["h"], "hands"),
    (&["n"], "numbers"),
    (&["c"], "copy link"),
    (&["?"], "all keys"),
];

fn help() -> Markup {
    let all = [
        (&["←", "→"][..], "one moment back or forward"),
        (&["↑", "↓"], "the same"),
        (&["Home", "End"], "the beginning and the end of the match"),
        (&["space"], "play or pause"),
        (&["["], "the beginning of this round, then of the previous one"),
        (&["]"], "the next round"),
        (&["f"], "the next fault or strike"),
        (
            &["w"],
            "the next turn that mattered: a blunder, or a swing of the chance to win (in an analysed match)",
        ),
        (&["h"], "whose hands are shown: all, or one seat's view"),
        (&["n"], "numbers instead of pips"),
        (&["c"], "copy a link to this moment"),
        (&["?"], "this list"),
    ];
    html! {
        dialog id="help" aria-labelledby="help-title" {
            h2 id="help-title" tabindex="-1" autofocus { "Keys" }
            dl {
                @for (keys, what) in all {
                    div { dt { @for key in keys { kbd { (key) } } } dd { (what) } }
                }
            }
            form method="dialog" { button class="primary" { "Close" } }
        }
    }
}

fn panel(header: &MatchHeader, rules: &Rules, facts: &ReplayContent<'_>) -> Markup {
    html! {
        aside class="panel card" aria-label="What was said" {
            div class="tabs no-print" role="group" aria-label="What is listed" {
                @for (name, title) in [("turns", "Turns"), ("log", "Bot log"), ("match", "Facts")] {
                    button type="button" data-tab=(name) aria-pressed=(name == "turns") { (title) }
                }
            }
            div class="lists" tabindex="0" role="region" aria-label="List" {
                ol id="turns" {}
                div id="log" hidden {}
                (match_facts(header, rules, facts))
            }
            section id="told" tabindex="0" aria-label="Messages and answers" {}
        }
    }
}

fn match_facts(header: &MatchHeader, rules: &Rules, facts: &ReplayContent<'_>) -> Markup {
    let seats = rules.seats.iter().map(|seat| (seat, &facts.names[seat.index()]));
    html! {
        div id="match" hidden {
            dl class="facts" {
                dt { "match" } dd class="mono" { (header.id) }
                dt { "tournament" } dd class="mono" { (header.tournament) }
                dt { "deals" } dd { "block " (header.block) ", leg " (header.leg) }
                dt { "rules" } dd { (rules.name) " with " (rules.set) ", to " (rules.target) " points, " (aim(leyden_language::Language::English, rules.better)) }
                dt { "hands" } dd { (rules.hand) " tiles each, " (rules.reserve) " tiles stay in the boneyard" }
                @for (seat, name) in seats { dt { (tile::mark(seat)) " seat " (seat) } dd { bdi { (name) } } }
            }
            dl class="facts" id="deal-facts" {}
            p class="muted small" {
                "Lines are rebuilt from the record: a bot's messages are complete except for the clock, and an answer is written "
                "in its shortest form. " code { "leyden verify" } " checks every deal and action."
            }
        }
    }
}

/// Whether a character changes the text direction of its surroundings.
const fn is_directing(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
