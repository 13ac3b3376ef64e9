//! Tiles and the marks of seats as SVG, the same on every page. Knows neither rules nor matches.
//!
//! Half a tile is a square of 100 units. A page contains the [`symbols`] once, and tiles refer to them; `assets/look.css` has the
//! styles. A seat is shown by a shape as well as a colour.

use leyden_protocol::{Pip, Seat, Set, Tile};
use maud::{Markup, html};

use crate::drawing::PlacedTile;

/// Returns the symbols that tiles refer to: the halves of a set's tiles, with pips and as numbers, and the marks of the seats.
pub fn symbols(set: Set) -> Markup {
    html! {
        svg class="symbols" width="0" height="0" aria-hidden="true" focusable="false" {
            defs {
                @for pips in 0..=set.top().get() { (half(pips)) }
                @for (seat, shape) in SHAPES.iter().enumerate() {
                    path id={ "mark-" (seat) } d=(shape) {}
                }
                path id="star" d=(STAR) {}
            }
        }
    }
}

/// The marks of seats 0 to 7, each inside a square of 100 units around the origin.
const SHAPES: [&str; 8] = [
    "M-42 0a42 42 0 1 0 84 0a42 42 0 1 0-84 0Z",
    "M0-50L50 0L0 50L-50 0Z",
    "M-38-38H38V38H-38Z",
    "M0-46L48 38H-48Z",
    "M0 46L48-38H-48Z",
    "M-16-46H16V-16H46V16H16V46H-16V16H-46V-16H-16Z",
    "M-26-46L0-20L26-46L46-26L20 0L46 26L26 46L0 20L-26 46L-46 26L-20 0L-46-26Z",
    "M-48-20H48V20H-48Z",
];

/// A star, for ends where only a matador fits.
const STAR: &str = "M0-50L11.2-15.5H47.6L18.2 5.9L29.4 40.5L0 19.1L-29.4 40.5L-18.2 5.9L-47.6-15.5H-11.2Z";

/// Draws one half of an upright tile.
fn half(pips: u8) -> Markup {
    let radius = if pips > 6 { "8.5" } else { "10.5" };
    html! {
        g id={ "half-" (pips) } {
            g class="pips" {
                @for (x, y) in spots(pips) { circle cx=(x) cy=(y) r=(radius) {} }
            }
            text class="digits" y="20" { (pips) }
        }
    }
}

/// Returns the spots of the pips: up to three columns of up to four.
fn spots(pips: u8) -> Vec<(i32, i32)> {
    let columns = match pips {
        0 => [0, 0, 0],
        1 => [0, 1, 0],
        2 => return vec![(-26, -26), (26, 26)],
        3 => return vec![(-26, -26), (0, 0), (26, 26)],
        4 => [2, 0, 2],
        5 => [2, 1, 2],
        6 => [3, 0, 3],
        7 => [3, 1, 3],
        8 => [3, 2, 3],
        9 => [3, 3, 3],
        10 => [4, 2, 4],
        11 => [4, 3, 4],
        _ => [4, 4, 4],
    };
    let column = |(x, count): (i32, i32)| {
        let rows: &[i32] = match count {
            0 => &[],
            1 => &[0],
            2 if pips > 9 => &[-11, 11],
            2 => &[-26, 26],
            3 if pips > 9 => &[-22, 0, 22],
            3 => &[-29, 0, 29],
            _ => &[-33, -11, 11, 33],
        };
        rows.iter().map(move |&y| (x, y))
    };
    [-26, 0, 26].into_iter().zip(columns).flat_map(column).collect()
}

/// A tile with its spot on a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnTile {
    /// The half at the top when the tile stands upright.
    pub first: Pip,
    pub second: Pip,
    /// Clockwise quarter turns.
    pub turns: u8,
    /// The middle of the tile.
    pub x: i32,
    pub y: i32,
    /// Whether it is a wild tile.
    pub wild: bool,
    /// The seat that laid it.
    pub by: Option<Seat>,
}

impl DrawnTile {
    /// Creates a tile that stands upright at the origin, as in a hand.
    pub fn upright(tile: Tile, set: Set) -> Self {
        let (first, second) = (tile.low(), tile.high());
        Self { first, second, turns: 0, x: 0, y: 0, wild: tile.is_wild(set), by: None }
    }

    /// Creates a tile at its spot on a drawing.
    pub fn placed(placed: &PlacedTile, by: Option<Seat>, set: Set) -> Self {
        let PlacedTile { middle: (x, y), first, second, turns, .. } = *placed;
        Self { first, second, turns, x, y, wild: Tile::new(first, second).is_wild(set), by }
    }
}

/// Draws a tile in a drawing.
pub fn tile(face: &DrawnTile) -> Markup {
    let DrawnTile { first, second, turns, x, y, wild, by } = *face;
    html! {
        g class={ "tile turn-" (turns) @if wild { " wild" } @if let Some(seat) = by { " seat-" (seat) } }
            transform={ "translate(" (x) " " (y) ") rotate(" (i32::from(turns) * 90) ")" } {
            rect class="body" x="-48" y="-98" width="96" height="196" rx="14" {}
            rect class="edge" x="-40" y="-90" width="80" height="180" rx="8" {}
            path class="bar" d="M-34 0H34" {}
            use class="first" href={ "#half-" (first) } y="-50" {}
            use class="second" href={ "#half-" (second) } y="50" {}
            @if let Some(seat) = by { g class="by" { use href={ "#mark-" (seat) } {} } }
        }
    }
}

/// Draws an upright tile as its own picture.
pub fn picture(face: &DrawnTile) -> Markup {
    html! {
        svg class="one-tile" viewBox="-52 -102 104 204" role="img" aria-label={ (face.first) "-" (face.second) } {
            (tile(face))
        }
    }
}

/// Draws a hidden tile as its own picture.
pub fn hidden_picture() -> Markup {
    html! {
        svg class="one-tile" viewBox="-52 -102 104 204" aria-hidden="true" { (back()) }
    }
}

/// Draws the back of a tile.
pub fn back() -> Markup {
    html! {
        g class="tile back" {
            rect class="body" x="-48" y="-98" width="96" height="196" rx="14" {}
            path class="cross" d="M-30-80L30 80M30-80L-30 80" {}
        }
    }
}

/// Returns templates for scripts that draw tiles: `#a-tile`, `#a-back`.
pub fn templates() -> Markup {
    let face = DrawnTile {
        first: Pip::BLANK,
        second: Pip::BLANK,
        turns: 0,
        x: 0,
        y: 0,
        wild: false,
        by: Some(Seat::FIRST),
    };
    html! {
        template id="a-tile" { svg { (tile(&face)) } }
        template id="a-back" { (hidden_picture()) }
    }
}

/// Draws the mark of a seat, to stand next to a name.
pub fn mark(seat: Seat) -> Markup {
    html! {
        svg class={ "mark seat-" (seat) } viewBox="-52 -52 104 104" aria-hidden="true" focusable="false" {
            use href={ "#mark-" (seat) } {}
        }
    }
}

/// Draws the program's logo: the matador 3-4 lying on its side.
pub fn sign() -> Markup {
    let pips = |count: u8| Pip::new(count).unwrap_or(Pip::BLANK);
    let face = DrawnTile { first: pips(3), second: pips(4), turns: 1, x: 0, y: 0, wild: true, by: None };
    html! {
        svg class="sign" viewBox="-102 -52 204 104" aria-hidden="true" focusable="false" { (tile(&face)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pips_of_a_half_stay_inside_and_apart() {
        for pips in 0..=Pip::MAX.get() {
            let all = spots(pips);
            assert_eq!(all.len(), usize::from(pips));
            for (i, &(x, y)) in all.iter().enumerate() {
                assert!(x.abs() <= 40 && y.abs() <= 40, "{pips}: {x}, {y}");
                let apart = |&(u, v): &(i32, i32)| (u - x).pow(2) + (v - y).pow(2) >= 20 * 20;
                assert!(all[..i].iter().all(apart), "{pips}: {all:?}");
            }
            assert!(all.iter().all(|&(x, y)| all.contains(&(-x, -y))), "{pips}: {all:?}");
        }
    }

    #[test]
    fn page_has_every_half_of_its_set() {
        for set in Set::ALL {
            let page = symbols(set).into_string();
            let halves = page.matches("id=\"half-").count();
            assert_eq!(halves, usize::from(set.top().get()) + 1);
            assert_eq!(page.matches("id=\"mark-").count(), 8);
        }
    }
}
