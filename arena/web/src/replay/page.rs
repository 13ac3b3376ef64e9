//! The document around a replay: everything that stays the same, and the script that does the rest.

use std::fmt::Write as _;

use leyden_language::{Language, Text, text::narrate, text::replay as text};
use leyden_model::MatchHeader;
use leyden_protocol::{Seats, is_hidden};
use leyden_rules::Rules;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use sha2::{Digest, Sha256};

use data_encoding::BASE64;
use leyden_arena::narrate::words::{aim, set_name};

use super::facts::ReplayContent;
use crate::tile;

const STYLE: &str = concat!(include_str!("../assets/look.css"), include_str!("../assets/replay.css"));
const SCRIPT: &str = concat!(include_str!("../assets/texts.js"), include_str!("../assets/replay.js"));

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

/// Returns JSON that is safe inside a script element: it cannot end the element, begin a comment or change the text
/// direction. The answers in it have the notes as bots wrote them; other texts by others are printable already.
fn embedded(facts: &impl Serialize) -> String {
    let json = serde_json::to_string(facts).unwrap_or_default(); // never fails: only texts, numbers, and maps with text keys
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&') || is_hidden(c) {
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
    Language::ALL.into_iter().any(|language| head.starts_with(&(beginning(language) + allowed)))
}

/// The text before the policy.
fn beginning(language: Language) -> String {
    format!(
        "<!DOCTYPE html><html lang=\"{language}\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" \
         content=\""
    )
}

pub(super) fn page(
    header: &MatchHeader,
    rules: &Rules,
    facts: &ReplayContent<'_>,
    home: Option<&str>,
    language: Language,
) -> String {
    let say = |text: &dyn Text| language.say(text);
    let title = say(&text::Title { names: facts.names.join(" – "), id: &header.id });
    let page = html! {
        (DOCTYPE)
        html lang=(language) {
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
                (top(home, language))
                main class={ "replay" @if rules.seats == Seats::TWO { " two" } } {
                    h1 class="visually-hidden" { (say(&text::ReplayOf { id: &header.id })) }
                    noscript { p class="card" { (say(&text::NeedsScripts)) } }
                    (stage(header, rules, facts, language))
                    (panel(header, rules, facts, language))
                }
                (help(language))
                script type="application/json" id="facts" { (PreEscaped(embedded(facts))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn top(home: Option<&str>, language: Language) -> Markup {
    let sign = html! { (tile::sign()) span { "Leyden Arena" } };
    html! {
        header class="topbar" {
            @if let Some(home) = home { a class="home" href=(home) { (sign) } } @else { span class="home" { (sign) } }
            div class="right" {
                span class="tag" { (language.say(text::OneFile)) }
                button id="theme" type="button" class="no-print" aria-label=(language.say(text::LightOrDark)) { "◐" }
            }
        }
    }
}

fn stage(header: &MatchHeader, rules: &Rules, facts: &ReplayContent<'_>, language: Language) -> Markup {
    let say = |text: &dyn Text| language.say(text);
    let (id, target, aim) = (&header.id, rules.target, aim(language, rules.better));
    html! {
        section class="stage" aria-label=(say(&narrate::TheTable)) {
            div class="scoreboard" {
                div class="rounds" {
                    ol id="deals" aria-label=(say(&text::Rounds)) {}
                    p class="muted small" { (say(&text::MatchLine { id, target, aim })) }
                }
            }
            div id="others" class="hands" {}
            div class="board felt" {
                svg id="table" role="img" aria-label=(say(&narrate::OnTheTable)) {}
                div class="board-foot" {
                    p class="legend" aria-hidden="true" {
                        span { span class="want" { "4" } " " (say(&text::NeedsNumber)) }
                        span { span class="want" { "★" } " " (say(&text::ClosedEnd)) }
                    }
                    p class="boneyard" {
                        (tile::hidden_picture())
                        span { b id="boneyard" {} " " (say(&text::InBoneyard)) }
                        @if rules.reserve > 0 { span { (say(&text::LastStay { reserve: rules.reserve })) } }
                    }
                }
            }
            div id="own" class="hands" {}
            p id="sentence" role="status" aria-live="polite" aria-atomic="true" {}
            div class="timeline no-print" {
                div id="odds" role="img" hidden {}
                div id="bars" aria-hidden="true" {}
                input id="slider" type="range" min="0" value="0" aria-label=(say(&text::MomentOfRound));
            }
            (controls(facts, language))
            div id="charts" class="no-print" hidden {}
        }
    }
}

fn controls(facts: &ReplayContent<'_>, language: Language) -> Markup {
    let say = |text: &dyn Text| language.say(text);
    let speeds = [("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×"), ("8", "8×")];
    html! {
        div class="controls no-print" {
            button id="first" type="button" title={ (say(&text::ToBeginning)) " (Home)" } aria-label=(say(&text::ToBeginning)) { "⇤" }
            button id="back" type="button" title={ (say(&text::StepBack)) " (←)" } aria-label=(say(&text::StepBack)) { "←" }
            button id="play" type="button" class="primary" { "▶ " (say(&text::Play)) }
            button id="step" type="button" title={ (say(&text::Step)) " (→)" } aria-label=(say(&text::Step)) { "→" }
            button id="last" type="button" title={ (say(&text::ToEnd)) " (End)" } aria-label=(say(&text::ToEnd)) { "⇥" }
            label { (say(&text::Speed)) " " select id="speed" {
                @for (value, name) in speeds { option value=(value) selected[value == "1"] { (name) } }
            } }
            span class="fill" {}
            @if facts.views.len() > 1 {
                label { (say(&text::Hands)) " " select id="view" {
                    @for (index, view) in facts.views.iter().enumerate() {
                        option value=(index) {
                            @match view.seat() {
                                Some(seat) => { (say(&text::AsSeen { name: &facts.names[seat.index()] })) }
                                None => (say(&text::AllOpen)),
                            }
                        }
                    }
                } }
            }
            button id="numbers" type="button" aria-pressed="false" { (say(&text::NumbersOnTiles)) }
            button id="link" type="button" title={ (say(&text::CopyLinkTitle)) " (c)" } { (say(&text::CopyLink)) }
        }
        p class="keys no-print" {
            @for (keys, what) in KEYS { span { @for key in keys { kbd { (shown_key(key, language)) } } " " (say(what)) } " " }
        }
    }
}

/// The keys and what they do.
const KEYS: [(&[&str], &(dyn Text + Sync)); 10] = [
    (&["←", "→"], &text::KeyStep),
    (&["Home", "End"], &text::KeyMatch),
    (&["space"], &text::KeyPlay),
    (&["[", "]"], &text::KeyRound),
    (&["f"], &text::KeyFault),
    (&["w"], &text::KeyMattered),
    (&["h"], &text::KeyHands),
    (&["n"], &text::KeyNumbers),
    (&["c"], &text::KeyLink),
    (&["?"], &text::KeyHelp),
];

fn help(language: Language) -> Markup {
    let say = |text: &dyn Text| language.say(text);
    let all: [(&[&str], &dyn Text); 12] = [
        (&["←", "→"], &text::AllStep),
        (&["↑", "↓"], &text::AllSame),
        (&["Home", "End"], &text::AllMatch),
        (&["space"], &text::AllPlay),
        (&["["], &text::AllRoundBack),
        (&["]"], &text::AllRoundOn),
        (&["f"], &text::AllFault),
        (&["w"], &text::AllMattered),
        (&["h"], &text::AllHands),
        (&["n"], &text::AllNumbers),
        (&["c"], &text::AllLink),
        (&["?"], &text::AllHelp),
    ];
    html! {
        dialog id="help" aria-labelledby="help-title" {
            h2 id="help-title" tabindex="-1" autofocus { (say(&text::Keys)) }
            dl {
                @for (keys, what) in all {
                    div { dt { @for key in keys { kbd { (shown_key(key, language)) } } } dd { (say(what)) } }
                }
            }
            form method="dialog" { button class="primary" { (say(&text::Close)) } }
        }
    }
}

/// Returns what a key is called on the page.
fn shown_key(key: &str, language: Language) -> String {
    if key == "space" { language.say(text::SpaceKey) } else { key.to_owned() }
}

fn panel(header: &MatchHeader, rules: &Rules, facts: &ReplayContent<'_>, language: Language) -> Markup {
    let say = |text: &dyn Text| language.say(text);
    let tabs: [(&str, &dyn Text); 3] =
        [("turns", &text::TabTurns), ("log", &text::TabLog), ("match", &text::TabFacts)];
    html! {
        aside class="panel card" aria-label=(say(&text::WhatWasSaid)) {
            div class="tabs no-print" role="group" aria-label=(say(&text::WhatIsListed)) {
                @for (name, title) in tabs {
                    button type="button" data-tab=(name) aria-pressed=(name == "turns") { (say(title)) }
                }
            }
            div class="lists" tabindex="0" role="region" aria-label=(say(&text::List)) {
                ol id="turns" {}
                div id="log" hidden {}
                (match_facts(header, rules, facts, language))
            }
            section id="messages" tabindex="0" aria-label=(say(&text::MessagesAndAnswers)) {}
        }
    }
}

fn match_facts(header: &MatchHeader, rules: &Rules, facts: &ReplayContent<'_>, language: Language) -> Markup {
    let say = |text: &dyn Text| language.say(text);
    let played = narrate::RulesTitle {
        rules: rules.name,
        set: set_name(language, rules.set),
        target: rules.target,
        aim: aim(language, rules.better),
    };
    // The command stands in the middle of the sentence, as code.
    let rebuilt = say(&text::LinesAreRebuilt { command: "\n" });
    let (before, after) = rebuilt.split_once('\n').unwrap_or((&rebuilt, ""));
    let seats = rules.seats.iter().map(|seat| (seat, &facts.names[seat.index()]));
    html! {
        div id="match" hidden {
            dl class="facts" {
                dt { (say(&text::FactMatch)) } dd class="mono" { (header.id) }
                dt { (say(&text::FactTournament)) } dd class="mono" { (header.tournament) }
                dt { (say(&text::FactDeals)) } dd { (say(&text::FactBlock { block: header.block, leg: header.leg })) }
                dt { (say(&text::FactRules)) } dd { (say(&played)) }
                dt { (say(&text::FactHands)) } dd { (say(&text::FactTiles { hand: rules.hand, reserve: rules.reserve })) }
                @for (seat, name) in seats { dt { (tile::mark(seat)) " " (say(&text::FactSeat { seat })) } dd { bdi { (name) } } }
            }
            dl class="facts" id="deal-facts" {}
            p class="muted small" {
                (before) code { "leyden verify" } (after)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_text_neither_ends_nor_turns_the_page() {
        let hostile = "</script><!--&\u{202e}\u{2066}";
        let json = embedded(&hostile);
        assert!(json.is_ascii() && !json.contains(['<', '>', '&']), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), hostile);
    }
}
