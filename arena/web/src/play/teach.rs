//! The rules in five pictures, drawn like tables.

use leyden_protocol::{Arm, Double, Drawing, Lay, LayoutShape, Matador, Opening, Pip, Scoring, Tile};
use leyden_rules::Rules;
use maud::{Markup, html};

use crate::drawing::{Window, draw};
use crate::tile::{self, DrawnTile, is_wild};
use leyden_arena::narrate::words::aim;

/// Returns the five pictures.
pub(super) fn pictures(rules: &Rules) -> Markup {
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
    let pictures = [
        (laid(rules, three, &[plain]), format!("Touching halves add up to {sum}: 3 and {}.", sum - 3)),
        (
            laid(rules, three, &with_across),
            format!(
                "{} are matadors, and fit any end. All except 0-0 may also lie across: then either half can be touched.",
                matadors(rules)
            ),
        ),
        (laid(rules, three, &[blank, wild]), "Only a matador can touch a blank.".to_owned()),
        (laid(rules, three, &[]), opening(rules)),
        (hand(rules), end(rules)),
    ];
    html! {
        ol class="five" {
            @for (picture, text) in pictures { li { (picture) p { (text) } } }
        }
    }
}

fn pip(number: u8) -> Pip {
    Pip::new(number).unwrap_or(Pip::BLANK)
}

fn matadors(rules: &Rules) -> String {
    let all = rules.set.tiles();
    let wild: Vec<String> =
        all.iter().filter(|tile| is_wild(*tile, rules.set)).map(|tile| tile.to_string()).collect();
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
                @let wild = is_wild(Tile::new(placed.first, placed.second), rules.set);
                (tile::tile(&DrawnTile { first: placed.first, second: placed.second, turns: placed.turns, x: placed.middle.0, y: placed.middle.1, wild, by: None }))
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

fn opening(rules: &Rules) -> String {
    let arms = match (rules.layout, rules.opening) {
        (LayoutShape::Line, _) => "A double is led and lies in line; the line grows at both ends.",
        (_, Opening::Sides) => {
            "A double is led and lies flat. The first two plays go on its two long sides, above and below; then its two \
             short ends are open, too."
        }
        (_, Opening::Cross) => {
            "A double is led and lies flat. The first four plays go on its two long sides and its two short ends, one each; \
             then all four are open."
        }
        (_, Opening::None) => {
            "A double is led and lies flat. Its two long sides and its two short ends are open at once."
        }
    };
    arms.to_owned()
}

fn end(rules: &Rules) -> String {
    let draw = match rules.drawing {
        Drawing::Any => {
            format!(
                "You may draw as often as you like, and must draw while nothing fits; the last {} tiles stay.",
                rules.reserve
            )
        }
        Drawing::One => "When nothing fits, draw one tile, and pass if it does not fit either.".to_owned(),
    };
    let points = match rules.scoring {
        Scoring::OwnHand => "each adds the pips left in hand",
        Scoring::AllHands => "the lighter hand adds the pips of all",
        Scoring::Difference => "the lightest hand adds the pips of the others, less its own",
    };
    format!(
        "{draw} When a hand is empty, or nobody can play, {points}. To {}: {}.",
        rules.target,
        aim(leyden_language::Language::English, rules.better)
    )
}
