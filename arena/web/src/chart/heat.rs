//! Head-to-head scores as a square of colours: a small field with a number in each cell, a large one as a texture.

use std::fmt::Write;

use leyden_language::{Language, numbers, text::pages as text};
use maud::{Markup, PreEscaped, html};

use crate::slots::{SLOTS, pieces};

/// The number of colours on each side of an even score.
pub const STEPS: i32 = 10;

const HEIGHT: f64 = 21.0;

/// Returns the width of a cell: those of a large field are just wide enough for their numbers.
fn cell_width(bots: usize) -> f64 {
    if bots > 24 { 27.0 } else { 48.0 }
}

/// The slope of the column names, in degrees.
const SLOPE: f64 = 38.0;

/// Names from the best to the worst, and each bot's score against each other one, 0..=1.
pub struct HeatMap<'a> {
    pub names: &'a [&'a str],
    /// Row by row: the score of the row's bot against the column's bot.
    pub scores: &'a [Option<f64>],
    /// The link target of each name.
    pub links: &'a [String],
}

impl HeatMap<'_> {
    fn score(&self, row: usize, column: usize) -> Option<f64> {
        self.scores.get(row * self.names.len() + column).copied().flatten()
    }
}

/// Returns how far a score is from even, −10..=10.
pub fn step(score: f64) -> i32 {
    ((score - 0.5) * 2.0 * f64::from(STEPS)).round().clamp(-10.0, 10.0) as i32
}

/// Returns the class of a colour: `w3` wins, `l3` loses, `w0` is even.
fn class(step: i32) -> String {
    if step < 0 { format!("l{}", -step) } else { format!("w{step}") }
}

/// Draws the map with names and numbers, in percent of the points.
pub fn heat_map(map: &HeatMap<'_>, language: Language) -> Markup {
    let n = map.names.len();
    // The cells of a small field may be larger.
    let wide = if n <= 12 { 1.5 } else { 1.0 };
    let breadth_of_cell = cell_width(n);
    // A phone shows the map of a few bots as a whole, and a larger one at a readable size.
    let class = match n {
        0..=5 => "heat",
        6..=12 => "heat some",
        _ => "heat many",
    };
    let longest = f64::from(map.names.iter().map(|name| breadth(&shown(name))).max().unwrap_or(0));
    let left = longest + 14.0;
    let top = longest * SLOPE.to_radians().sin() + 18.0;
    let right = longest * SLOPE.to_radians().cos();
    let (width, height) = (
        left + n as f64 * breadth_of_cell + (right - breadth_of_cell * 0.6).max(8.0),
        top + n as f64 * HEIGHT + 4.0,
    );
    // Said once: there may be hundreds of cells.
    let pieces_of_title = language.say(text::HeatCell { row: SLOTS[0], column: SLOTS[1], score: SLOTS[2] });
    let pieces_of_title = pieces(&pieces_of_title);
    html! {
        svg class=(class) viewBox={ "0 0 " (width.round()) " " (height.round()) } width=((width * wide).round())
            role="group" aria-label=(language.say(text::HeatPercent)) {
            @for (column, name) in map.names.iter().enumerate() {
                @let x = left + (column as f64 + 0.4) * breadth_of_cell;
                text class="column" transform={ "translate(" (x.round()) " " ((top - 6.0).round()) ") rotate(" (-SLOPE) ")" } {
                    (shown(name))
                }
            }
            @for (row, name) in map.names.iter().enumerate() {
                @let y = top + row as f64 * HEIGHT;
                a href=(map.links.get(row).map_or("#", String::as_str)) {
                    text class="row" x=((left - 8.0).round()) y=((y + 14.5).round()) text-anchor="end" { (shown(name)) }
                }
                @for column in 0..n { (cell(map, (row, column), (left + column as f64 * breadth_of_cell, y), &pieces_of_title)) }
            }
        }
    }
}

fn cell(
    map: &HeatMap<'_>,
    (row, column): (usize, usize),
    (x, y): (f64, f64),
    pieces_of_title: &[(&str, Option<usize>)],
) -> Markup {
    let (score, wide) = (map.score(row, column), cell_width(map.names.len()));
    let (x, y) = (x.round(), y.round());
    let class = match score {
        _ if row == column => "own".to_owned(),
        Some(score) => class(step(score)),
        None => "none".to_owned(),
    };
    html! {
        rect class=(class) x=(x + 1.0) y=(y + 1.0) width=(wide - 2.0) height=(HEIGHT - 2.0) rx="3" {
            @if let Some(score) = score {
                @let values = [map.names[row], map.names[column], &numbers::percent(score, 0)];
                title { @for (words, slot) in pieces_of_title { (words) @if let Some(value) = slot.and_then(|slot| values.get(slot)) { (value) } } }
            }
        }
        @if let Some(score) = score.filter(|_| row != column) {
            text class={ "cell" @if step(score).abs() >= 8 { " on" } } x=(x + wide / 2.0) y=(y + 14.5)
                text-anchor="middle" { (numbers::percent(score, 0)) }
        }
    }
}

/// Draws the map of a field of any size, one unit per cell, with one path per colour.
pub fn texture(map: &HeatMap<'_>, language: Language) -> Markup {
    let n = map.names.len();
    let mut paths = vec![String::new(); (2 * STEPS + 1) as usize];
    for row in 0..n {
        for column in (0..n).filter(|column| *column != row) {
            if let Some(score) = map.score(row, column) {
                let path = &mut paths[(step(score) + STEPS) as usize];
                let _ = write!(path, "M{column} {row}h1v1h-1z"); // writing to a String never fails
            }
        }
    }
    let all = paths.iter().zip(-STEPS..).filter(|(path, _)| !path.is_empty());
    html! {
        svg class="texture" viewBox={ "0 0 " (n) " " (n) } shape-rendering="crispEdges" role="img"
            aria-label=(language.say(text::Heat)) {
            @for (path, step) in all { path class=(class(step)) d=(PreEscaped(path)) {} }
        }
    }
}

/// Shortens a name to fit at the side.
fn shown(name: &str) -> String {
    if name.chars().count() <= 22 {
        return name.to_owned();
    }
    name.chars().take(21).chain(['…']).collect()
}

/// Returns an upper bound on the width of a name, in pixels at a font size of 12: the font is unknown here.
fn breadth(name: &str) -> u32 {
    let letter = |c: char| match c {
        'W' | 'M' | 'm' | 'w' | '@' | '%' | '\u{1100}'.. => 13,
        'A'..='Z' => 10,
        _ => 8,
    };
    name.chars().map(letter).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_losing_to_winning() {
        assert_eq!([0.0, 0.25, 0.5, 0.52, 0.75, 1.0].map(step), [-10, -5, 0, 0, 5, 10]);
        assert_eq!([-3, 0, 4].map(class), ["l3", "w0", "w4"]);
    }

    #[test]
    fn heat_map_escapes_names_and_draws_cells_once() {
        let names = ["<b>&", "b"];
        let links = ["x".to_owned(), "y".to_owned()];
        let map = HeatMap { names: &names, scores: &[None, Some(0.8), Some(0.2), None], links: &links };
        let drawn = heat_map(&map, Language::English).into_string();
        assert!(!drawn.contains("<b>") && drawn.contains("&lt;b&gt;&amp;"), "{drawn}");
        assert!(drawn.contains(">80<") && drawn.contains(">20<"), "{drawn}");
        let drawn = texture(&map, Language::English).into_string();
        assert_eq!(drawn.matches("h1v1h-1z").count(), 2);
        assert!(drawn.contains("class=\"w6\"") && drawn.contains("class=\"l6\""), "{drawn}");
    }
}
