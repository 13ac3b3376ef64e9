//! The rules in five pictures, drawn like tables.

use leyden_language::{Language, text::play as text};
use leyden_protocol::{Arm, Double, Lay, Matador, Pip, Tile};
use leyden_rules::Rules;
use maud::{Markup, html};

use crate::drawing::{Window, draw};
use crate::tile::{self, DrawnTile};
use leyden_arena::narrate::words::aim;

/// Returns the five pictures.
pub(super) fn pictures(language: Language, rules: &Rules) -> Markup {
    let sum = rules.set.sum();
    let arms = rules.layout.arms();
    // Two arms that are opposite each other.
    let [up, down] = [arms[0], arms[arms.len() / 2]];
    let three = pip(3);
    let plain = (up, Lay::InLine { touching: pip(sum - 3), end: pip(1) });
    let across = Matador::new(Tile::new(pip(2), pip(sum - 2))).map(|matador| (down, Lay::Across(matador)));
    let blank = (up, Lay::InLine { touching: pip(sum - 3), end: Pip::BLANK });
    let wild = (up, Lay::InLine { touching: pip(1), end: pip(sum - 1) });
    let with_across: Vec<(Arm, Lay)> = std::iter::once(plain).chain(across).collect();
    let texts = [
        language.say(text::HalvesAddUp { sum, partner: sum - 3 }),
        language.say(text::MatadorsFit { matadors: matadors(rules) }),
        language.say(text::BlankTakes),
        language.say(text::Opening { shape: rules.layout, opening: rules.opening }),
        end(language, rules),
    ];
    let pictures = [
        laid(rules, three, &[plain]),
        laid(rules, three, &with_across),
        laid(rules, three, &[blank, wild]),
        laid(rules, three, &[]),
        hand(rules),
    ];
    html! {
        ol class="five" {
            @for (picture, text) in pictures.iter().zip(texts) { li { (picture) p { (text) } } }
        }
    }
}

fn pip(number: u8) -> Pip {
    Pip::new(number).unwrap_or(Pip::BLANK)
}

fn matadors(rules: &Rules) -> String {
    let all = rules.set.tiles();
    let wild: Vec<String> =
        all.iter().filter(|tile| tile.is_wild(rules.set)).map(|tile| tile.to_string()).collect();
    wild.join(", ")
}

fn laid(rules: &Rules, lead: Pip, plays: &[(Arm, Lay)]) -> Markup {
    let drawing = draw(rules.layout, rules.set, Double::new(lead), plays, Window::WIDE);
    let [left, top, width, height] = drawing.view;
    html! {
        svg class="felt" viewBox={ (left) " " (top) " " (width) " " (height) } aria-hidden="true" {
            @for (arm, (x, y)) in drawing.starts.iter().filter(|_| plays.is_empty()) {
                @let waits = !rules.opening.arms().is_empty() && !rules.opening.arms().contains(arm);
                g class={ "mark-of-end" @if waits { " waiting" } } transform={ "translate(" (x) " " (y) ")" } {
                    circle r="40" {}
                    text y="16" { (rules.set.sum() - lead.get()) }
                }
            }
            @for placed in &drawing.tiles {
                (tile::tile(&DrawnTile::placed(placed, None, rules.set)))
            }
        }
    }
}

fn hand(rules: &Rules) -> Markup {
    let tiles = [Tile::new(pip(0), pip(2)), Tile::new(pip(1), pip(5)), Tile::new(pip(6), pip(6))];
    html! {
        div class="felt few" aria-hidden="true" {
            @for tile in tiles { (tile::picture(&DrawnTile::upright(tile, rules.set))) }
            span {}
            @for _ in 0..3 { (tile::hidden_picture()) }
        }
    }
}

fn end(language: Language, rules: &Rules) -> String {
    [
        language.say(text::Drawing { drawing: rules.drawing, reserve: rules.reserve }),
        language.say(text::RoundEnd { scoring: rules.scoring }),
        language.say(text::MatchEnd { target: rules.target, aim: aim(language, rules.better) }),
    ]
    .join(" ")
}
