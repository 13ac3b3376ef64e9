//! The document around a table: the parts that do not change.

use leyden_language::{Language, Text, text::narrate, text::play as text, text::replay};
use leyden_protocol::Set;
use leyden_rules::Rules;
use maud::{DOCTYPE, Markup, html};

use super::lesson;
use crate::tile;
use leyden_table::LEVELS;

/// Builds the parts that stay the same while a table is in use.
pub(super) fn page(language: Language, rules: &Rules) -> String {
    let say = |text: &dyn Text| language.say(text);
    let page = html! {
        (DOCTYPE)
        html lang=(language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (say(&text::Title)) }
                link rel="icon" type="image/svg+xml" href="/assets/icon.svg";
                link rel="stylesheet" href="/assets/look.css";
                link rel="stylesheet" href="/assets/play.css";
                script src="/assets/play.js" defer {}
            }
            body data-texts=(script_texts(language)) {
                (tile::symbols(Set::DoubleTwelve))
                header class="topbar" {
                    span class="home" { (tile::sign()) span { "Leyden Arena" } }
                    div class="right" {
                        span class="tag" id="status" {}
                        button type="button" id="show-help" { (say(&text::RulesAndKeys)) " " kbd { "?" } }
                        button type="button" id="theme" aria-label=(say(&replay::LightOrDark)) title=(say(&replay::LightOrDark)) { "◐" }
                    }
                }
                noscript { p class="card" { (say(&text::NeedsScripts)) } }
                p id="trouble" class="card" role="alert" hidden {}
                main id="lobby" class="lobby" hidden { (lobby(language, rules)) }
                main id="play" class="play" hidden { (table(language)) }
                (help(language, rules))
            }
        }
    };
    page.into_string()
}

fn table(language: Language) -> Markup {
    let say = |text: &dyn Text| language.say(text);
    html! {
        h1 class="visually-hidden" { (say(&text::ATable)) }
        section class="stage" aria-label=(say(&narrate::TheTable)) {
            div id="others" class="others" {}
            div class="board felt" { div id="table" {} div id="boneyard" {} }
            p id="sentence" role="status" aria-live="polite" {}
            section id="result" class="result" aria-live="polite" {}
            section id="own" class="own card" aria-label=(say(&text::YourHand)) {}
        }
        aside {
            section id="scores" class="card" aria-label=(say(&text::Scores)) {}
            section id="coach" class="card" aria-label=(say(&text::Coach)) {}
            section id="log" class="card" aria-label=(say(&text::WhatHappened)) {}
        }
    }
}

fn lobby(language: Language, rules: &Rules) -> Markup {
    let say = |text: &dyn Text| language.say(text);
    html! {
        h1 { (say(&text::MatchByRules { rules: rules.name })) }
        section class="card" aria-label=(say(&text::Opponents)) {
            h2 { (say(&text::WhoAgainst)) }
            p id="refused" class="muted" role="alert" {}
            ol class="levels" {
                @for level in &LEVELS {
                    li { button type="button" data-level=(level.number) {
                        b { (level.number) " · " (level.name(language)) } span class="muted" { (level.plays(language)) }
                    } }
                }
            }
        }
        section class="card" aria-label=(say(&text::Rules)) { h2 { (say(&text::FivePictures)) } (lesson::pictures(language, rules)) }
    }
}

/// The keys and what they do.
const KEYS: [(&[&str], &(dyn Text + Sync)); 11] = [
    (&["1", "…", "9"], &text::KeyTile),
    (&["←", "→"], &text::KeyEnd),
    (&["Enter"], &text::KeyLay),
    (&["I", "O", "X"], &text::KeyMatador),
    (&["D"], &narrate::Draw),
    (&["R"], &narrate::Refuse),
    (&["K"], &text::KeyCoach),
    (&["H"], &text::KeyHints),
    (&["U"], &text::KeyUndo),
    (&["Escape"], &text::KeyNothing),
    (&["?"], &text::KeyHelp),
];

fn help(language: Language, rules: &Rules) -> Markup {
    let say = |text: &dyn Text| language.say(text);
    html! {
        dialog id="help" aria-labelledby="help-title" {
            h2 id="help-title" tabindex="-1" autofocus { (say(&text::FivePictures)) }
            (lesson::pictures(language, rules))
            h2 { (say(&replay::Keys)) }
            dl { @for (keys, what) in KEYS { div { dt { @for key in keys { kbd { (key) } } } dd { (say(what)) } } } }
            form method="dialog" { button class="primary" { (say(&replay::Close)) } }
        }
        dialog id="sure" aria-labelledby="sure-title" {
            h2 id="sure-title" {}
            form method="dialog" class="acts row" {
                button value="no" { (say(&text::No)) }
                button value="yes" class="primary" { (say(&text::Yes)) }
            }
        }
    }
}

/// Returns the texts of the script, as JSON, with names in braces where it puts values.
fn script_texts(language: Language) -> String {
    let tile = "{tile}";
    serde_json::json!({
        "choose": language.say(text::ChooseATile),
        "where": language.say(text::AtWhichEnd { tile }),
        "how": language.say(text::HowToLie { tile }),
        "enter": language.say(text::PressEnter { tile }),
        "gone": language.say(text::NoAnswer),
        "undo": language.say(text::TakeBackReally),
        "resign": language.say(text::GiveUpReally),
    })
    .to_string()
}
