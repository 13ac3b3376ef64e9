//! The tiles on the table, drawn in text: the lead lies flat in the middle, with the arms N and S at its long sides and E and W
//! at its short ends; matadors lying across are shown as such. It draws the tiles as they were played and knows no rules.
//!
//! An arm runs straight from the lead while there is room, then winds through its own quarter so that no two arms ever
//! meet: east's above its right, north's to the left above, west's below its left, south's to the right below.

use std::collections::BTreeMap;

use leyden_model::Layout;
use leyden_protocol::{Arm, Double, Lay, LayoutShape, Pip};

/// How many tiles the north and south arms run straight before they turn aside.
const UPRIGHT: usize = 2;

/// The distance between the middles of two winding lines of tiles.
const PITCH: i32 = 3;

/// The tiles on the table, in the order in which they were played.
#[derive(Clone, Debug)]
pub struct TextLayout {
    shape: LayoutShape,
    lead: Double,
    arms: [Vec<Lay>; 4],
}

impl TextLayout {
    fn new(shape: LayoutShape, lead: Double) -> Self {
        Self { shape, lead, arms: Default::default() }
    }

    /// Returns the picture of a layout.
    pub fn from_layout(shape: LayoutShape, layout: &Layout) -> Self {
        let mut picture = Self::new(shape, layout.lead);
        for (arm, lay) in &layout.plays {
            picture.play(*arm, *lay);
        }
        picture
    }

    /// Lays a tile at the end of an arm.
    fn play(&mut self, arm: Arm, lay: Lay) {
        self.arms[arm.index()].push(lay);
    }

    /// The picture as lines of at most `width` columns, but at least 40. A letter marks the end of every arm that has been
    /// started.
    pub fn draw(&self, width: usize) -> Vec<String> {
        self.draw_lettered(width, |arm| !self.arms[arm.index()].is_empty())
    }

    /// The same with letters at the given arms.
    pub fn draw_lettered(&self, width: usize, lettered: impl Fn(Arm) -> bool) -> Vec<String> {
        let half = (width.max(40) / 2) as i32 - 1;
        let mut canvas = Canvas::default();
        let lead = lead(self.lead.pip());
        let right = lead[0].chars().count() as i32 / 2;
        let left = -right;
        canvas.block(left, -1, &lead);
        let aside = match self.shape {
            LayoutShape::Spinner => 3,
            LayoutShape::Line => -half,
        };
        for arm in Arm::ALL {
            let mut lays = self.arms[arm.index()].iter();
            let mut pen = match arm {
                Arm::E => Pen { x: right + 1, y: 0, step: 1, rise: -1, inner: aside, outer: half },
                Arm::W => Pen { x: left - 1, y: 0, step: -1, rise: 1, inner: -aside, outer: -half },
                Arm::N => Pen { x: 0, y: -2, step: -1, rise: -1, inner: 0, outer: -half },
                Arm::S => Pen { x: 0, y: 2, step: 1, rise: 1, inner: 0, outer: half },
            };
            if matches!(arm, Arm::N | Arm::S) {
                for lay in lays.by_ref().take(UPRIGHT) {
                    pen.lay_upright(&mut canvas, *lay);
                }
                if lays.len() > 0 {
                    pen.turn_aside(&mut canvas);
                }
            }
            let bent = lays.len() > 0 || matches!(arm, Arm::E | Arm::W);
            for lay in lays {
                pen.lay(&mut canvas, *lay);
            }
            if lettered(arm) {
                pen.sign(&mut canvas, arm, bent);
            }
        }
        canvas.lines()
    }
}

/// Where the next tile of an arm goes.
struct Pen {
    /// The next free column in the direction of `step`, or the column of an upright arm.
    x: i32,
    /// The middle of the line; for an upright arm the next free line.
    y: i32,
    /// Along the line: to the right or to the left.
    step: i32,
    /// From line to line: up or down.
    rise: i32,
    /// The columns where lines turn, near the middle and near the edge.
    inner: i32,
    outer: i32,
}

impl Pen {
    /// Lays a tile of an arm that runs up or down.
    fn lay_upright(&mut self, canvas: &mut Canvas, lay: Lay) {
        let block = match lay {
            Lay::Across(matador) => vec![flat(matador.low(), matador.high())],
            Lay::InLine { touching, end } if self.rise < 0 => upright(end, touching, UPRIGHT_FRAME).into(),
            Lay::InLine { touching, end } => upright(touching, end, UPRIGHT_FRAME).into(),
        };
        let height = block.len() as i32;
        let top = if self.rise < 0 { self.y - height + 1 } else { self.y };
        canvas.block(self.x - block[0].chars().count() as i32 / 2, top, &block);
        self.y += self.rise * height;
    }

    /// Bends an upright arm into a line.
    fn turn_aside(&mut self, canvas: &mut Canvas) {
        canvas.put(self.x, self.y, '│');
        self.y += self.rise;
        canvas.put(self.x, self.y, corner(-self.step, -self.rise));
        self.x += self.step;
    }

    /// Lays a tile along the line, or in the next line if there is no room left.
    fn lay(&mut self, canvas: &mut Canvas, lay: Lay) {
        let (block, top) = match lay {
            Lay::Across(matador) => (upright(matador.low(), matador.high(), UPRIGHT_FRAME).into(), -1),
            Lay::InLine { touching, end } if self.step > 0 => (vec![flat(touching, end)], 0),
            Lay::InLine { touching, end } => (vec![flat(end, touching)], 0),
        };
        let width = block[0].chars().count() as i32;
        // One column is reserved for the turn.
        let edge = if (self.outer > 0) == (self.step > 0) { self.outer } else { self.inner };
        if (edge - self.x) * self.step < width {
            self.turn(canvas);
        }
        let left = if self.step > 0 { self.x } else { self.x - width + 1 };
        canvas.block(left, self.y + top, &block);
        self.x += self.step * width;
    }

    fn turn(&mut self, canvas: &mut Canvas) {
        canvas.put(self.x, self.y, corner(self.step, self.rise));
        for between in 1..PITCH {
            canvas.put(self.x, self.y + between * self.rise, '│');
        }
        self.y += PITCH * self.rise;
        canvas.put(self.x, self.y, corner(self.step, -self.rise));
        self.step = -self.step;
        self.x += self.step;
    }

    /// Writes the name of the arm at its end.
    fn sign(&self, canvas: &mut Canvas, arm: Arm, along: bool) {
        let name = arm.letter().chars().next().unwrap_or(' ');
        let x = if along { self.x + self.step } else { self.x };
        canvas.put(x, self.y, name);
    }
}

/// The corner between a line that arrives along `step` and one that leaves along `rise`.
const fn corner(step: i32, rise: i32) -> char {
    match (step > 0, rise > 0) {
        (true, true) => '╮',
        (true, false) => '╯',
        (false, true) => '╭',
        (false, false) => '╰',
    }
}

const UPRIGHT_FRAME: [char; 4] = ['│', '├', '─', '┤'];

/// A tile lying along the line.
fn flat(left: Pip, right: Pip) -> String {
    format!("[{left}|{right}]")
}

/// A tile standing upright, three lines high.
fn upright(top: Pip, bottom: Pip, [side, left, line, right]: [char; 4]) -> [String; 3] {
    let width = top.to_string().len().max(bottom.to_string().len());
    let half = |pip: Pip| format!("{side}{pip:>width$}{side}", pip = pip.to_string());
    [half(top), format!("{left}{}{right}", line.to_string().repeat(width)), half(bottom)]
}

/// The lead, three lines high and of an odd width: it lies flat, its two long sides up and down.
fn lead(pip: Pip) -> [String; 3] {
    let pip = pip.to_string();
    let side = "═".repeat(pip.len() + 2);
    [format!("╔{side}╤{side}╗"), format!("║ {pip} │ {pip} ║"), format!("╚{side}╧{side}╝")]
}

/// Characters by line and column; both may be negative.
#[derive(Default)]
struct Canvas(BTreeMap<i32, BTreeMap<i32, char>>);

impl Canvas {
    fn put(&mut self, x: i32, y: i32, character: char) {
        self.0.entry(y).or_default().insert(x, character);
    }

    fn block(&mut self, left: i32, top: i32, lines: &[String]) {
        for (line, y) in lines.iter().zip(top..) {
            for (character, x) in line.chars().zip(left..) {
                self.put(x, y, character);
            }
        }
    }

    /// The lines without the empty columns on the left.
    fn lines(&self) -> Vec<String> {
        let left = self.0.values().filter_map(|line| line.keys().next()).min().copied().unwrap_or(0);
        let (Some((&top, _)), Some((&bottom, _))) = (self.0.first_key_value(), self.0.last_key_value())
        else {
            return Vec::new();
        };
        let line = |y: i32| {
            let mut text = String::new();
            for (&x, &character) in self.0.get(&y).into_iter().flatten() {
                let blanks = (x - left) as usize - text.chars().count();
                text.extend(std::iter::repeat_n(' ', blanks));
                text.push(character);
            }
            text
        };
        (top..=bottom).map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{Action, Set};

    use super::*;

    fn drawn(shape: LayoutShape, lead: u8, plays: &str, width: usize) -> String {
        let mut layout = TextLayout::new(shape, Double::new(Pip::new(lead).unwrap()));
        for text in plays.split_whitespace() {
            let Action::Play(arm, lay) = text.parse().unwrap() else { panic!("{text}") };
            layout.play(arm, lay);
        }
        layout.draw(width).join("\n")
    }

    #[test]
    fn four_arms_lie_around_the_spinner() {
        let plays = "N:4-1 S:2|5 E:4-6 W:4-2 N:6-1 S:5-3 E:1|6 E:1-2 N:3|4 W:5-6 W:2|5";
        let expected = [
            "                │3│",
            "              N ├─┤╮",
            "                │4││",
            "                  │1│",
            "                  ├─┤",
            "                  │6│",
            "                  │1│",
            "                  ├─┤",
            "                  │4│",
            "  │2│          ╔═══╤═══╗     │1│",
            "W ├─┤[6|5][2|4]║ 3 │ 3 ║[4|6]├─┤[1|2] E",
            "  │5│          ╚═══╧═══╝     │6│",
            "                 [2|5]",
            "                  │5│",
            "                  ├─┤",
            "                  │3│",
            "                   S",
        ];
        let picture = drawn(LayoutShape::Spinner, 3, plays, 80);
        assert_eq!(picture, expected.join("\n"), "\n{picture}");
    }

    #[test]
    fn line_winds_where_the_page_ends() {
        let plays = "E:6-1 E:5-2 E:3|4 E:3-3 W:6-6 W:1|6 W:5-0 W:0-0 W:2|5 W:2-4 E:4-0 E:2-1";
        let expected = [
            "                   E [1|2][0|4][3|3]╮",
            "                                    │",
            "      │1│     ╔═══╤═══╗          │3││",
            "╭[0|5]├─┤[6|6]║ 6 │ 6 ║[6|1][5|2]├─┤╯",
            "│     │6│     ╚═══╧═══╝          │4│",
            "│     │2│",
            "╰[0|0]├─┤[2|4] W",
            "      │5│",
        ];
        let picture = drawn(LayoutShape::Line, 6, plays, 40);
        assert_eq!(picture, expected.join("\n"), "\n{picture}");
    }

    #[test]
    fn lead_lies_alone() {
        assert_eq!(drawn(LayoutShape::Spinner, 1, "", 80), "╔═══╤═══╗\n║ 1 │ 1 ║\n╚═══╧═══╝");
    }

    #[test]
    fn letters_stand_at_the_chosen_arms() {
        let mut layout = TextLayout::new(LayoutShape::Spinner, Double::new(Pip::new(3).unwrap()));
        let picture =
            |layout: &TextLayout, letters: &[Arm]| layout.draw_lettered(80, |arm| letters.contains(&arm));
        assert_eq!(
            picture(&layout, &Arm::ALL),
            ["      N", "  ╔═══╤═══╗", "W ║ 3 │ 3 ║ E", "  ╚═══╧═══╝", "      S"]
        );
        layout.play(Arm::E, Lay::InLine { touching: Pip::new(4).unwrap(), end: Pip::BLANK });
        assert_eq!(picture(&layout, &[Arm::N]), ["    N", "╔═══╤═══╗", "║ 3 │ 3 ║[4|0]", "╚═══╧═══╝"]);
    }

    /// Wherever arms wind, no tile covers another: every half that was played can be counted in the picture.
    #[test]
    fn arm_covers_no_other() {
        for shape in [LayoutShape::Spinner, LayoutShape::Line] {
            let arms = shape.arms();
            for width in [40, 60, 80, 100] {
                for set in Set::ALL {
                    let mut layout = TextLayout::new(shape, Double::new(Pip::BLANK));
                    let mut laid = 2;
                    for (tile, i) in set.tiles().iter().zip(0..) {
                        let arm = arms[(i * i / 3) % arms.len()];
                        let lay = match leyden_protocol::Matador::new(tile) {
                            Some(matador) if i % 2 == 0 => Lay::Across(matador),
                            _ => Lay::InLine { touching: tile.low(), end: tile.high() },
                        };
                        layout.play(arm, lay);
                        laid += 2;
                    }
                    let lines = layout.draw(width);
                    let text = lines.join("\n");
                    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).count();
                    assert_eq!(numbers, laid, "{set}, {width} columns:\n{text}");
                    let widest = lines.iter().map(|line| line.chars().count()).max().unwrap();
                    assert!(widest <= width, "{widest} columns:\n{text}");
                }
            }
        }
    }
}
