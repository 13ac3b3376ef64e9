//! Lays out the tiles of a round on a table for people: positions are computed here once, and sent to the pages.
//!
//! The unit is half a tile, written in hundredths. The lead lies flat at the origin: N and S are its long sides, E and W its short
//! ends, and the arms start 0.3 away from it. A tile in line is 2 long and 1 wide, a tile across 1 long and 2 wide; the tile after one across is moved to the half that it
//! touches. A tile continues straight or bends to either side. It must stay inside the frame, at least 0.28 away from tiles that it
//! does not touch, out of the way of arms without tiles, and must not close another arm. Among the remaining spots, the cheapest
//! is chosen with a lookahead of two tiles: a bend costs 4 less 0.35 per unit of free run, and a spot without room for a later
//! bend costs 6. At most two arms make their first bend in the same sense. The whole round is known, so 72 frames are tried, and
//! the one with the largest drawing is used: no tile ever moves.

mod ends;
mod geometry;
mod open_round;
mod table;
#[cfg(test)]
mod tests;

use leyden_protocol::{Arm, Double, Lay, LayoutShape, Pip, Set};

use ends::EndMarks;
use geometry::Area;
pub use geometry::Spot;
pub use open_round::{OpenRound, draw_open};
use table::{LaidTiles, TileSpot};

/// The shape of the window that a drawing has to fill, as width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window(pub u32, pub u32);

impl Window {
    /// A table on a wide screen.
    pub const WIDE: Self = Self(195, 100);
    /// A table on a phone held upright.
    pub const TALL: Self = Self(80, 100);
}

/// A drawn round: the lead, then the other tiles in the order in which they were laid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDrawing {
    /// The used part of the table, in hundredths of half a tile: left, top, width, height.
    pub view: [i32; 4],
    pub tiles: Vec<PlacedTile>,
    /// The mark of each arm's end before its first tile, in the order N, E, S, W.
    pub starts: Vec<(Arm, Spot)>,
}

/// A tile with its spot on the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedTile {
    pub middle: Spot,
    /// The half at the top when the tile stands upright.
    pub first: Pip,
    pub second: Pip,
    /// Clockwise quarter turns.
    pub turns: u8,
    /// Its arm; `None` for the lead.
    pub arm: Option<Arm>,
    /// The mark of its arm's end until the arm's next tile is laid.
    pub end: Option<Spot>,
}

/// Draws a round as large as the window allows.
pub fn draw(
    shape: LayoutShape,
    set: Set,
    lead: Double,
    plays: &[(Arm, Lay)],
    window: Window,
) -> TableDrawing {
    let mut growth = 100;
    loop {
        let drawn =
            frames(plays.len(), window, growth).filter_map(|frame| drawn_in(frame, shape, set, plays));
        // The first of equally large ones.
        let best = drawn
            .map(|sketch| (sketch.scale(window), sketch))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        if let Some((_, sketch)) = best {
            return sketch.finish(lead, plays);
        }
        growth += growth / 4; // ends at the latest when every arm can run straight
    }
}

/// Returns the 72 frames to try: 8 sizes, each with the lead at 9 spots. `growth` is in percent.
fn frames(tiles: usize, Window(width, height): Window, growth: i32) -> impl Iterator<Item = Area> {
    let (width, height) = (f64::from(width), f64::from(height));
    let sizes = (0..8).map(move |step| {
        let room_for_one = 3.2 * 1.25_f64.powi(step);
        let area = (tiles.max(6) as f64) * room_for_one * f64::from(growth) / 100.0;
        let high = (area * height / width).sqrt() * 100.0;
        ((high * width / height) as i32, high as i32)
    });
    let shares = [50, 35, 65];
    sizes.flat_map(move |(width, height)| {
        let spots = shares.into_iter().flat_map(move |x| shares.into_iter().map(move |y| (x, y)));
        spots.map(move |(x, y)| {
            let (left, top) = (-width * x / 100, -height * y / 100);
            Area { left, top, right: left + width, bottom: top + height }
        })
    })
}

/// A round drawn in a frame.
struct Sketch {
    spots: Vec<TileSpot>,
    ends: EndMarks,
    used: Area,
}

impl Sketch {
    /// Returns the size of a unit in this window.
    fn scale(&self, Window(width, height): Window) -> f64 {
        let across = f64::from(width) / f64::from(self.used.width());
        across.min(f64::from(height) / f64::from(self.used.height()))
    }

    fn finish(self, lead: Double, plays: &[(Arm, Lay)]) -> TableDrawing {
        let Self { spots, ends, used } = self;
        let laid = plays.iter().zip(&spots).zip(&ends.after);
        let laid = laid.map(|((&(arm, lay), spot), end)| placed(arm, lay, spot, *end));
        TableDrawing {
            view: [used.left, used.top, used.width(), used.height()],
            tiles: std::iter::once(first(lead)).chain(laid).collect(),
            starts: ends.before,
        }
    }
}

/// Places the lead in the middle, flat.
fn first(lead: Double) -> PlacedTile {
    let lead = lead.pip();
    PlacedTile { middle: (0, 0), first: lead, second: lead, turns: 1, arm: None, end: None }
}

/// Places a tile of an arm.
fn placed(arm: Arm, lay: Lay, spot: &TileSpot, end: Option<Spot>) -> PlacedTile {
    let middle = spot.area.middle();
    let (first, second, turns) = match lay {
        Lay::InLine { touching, end } => (end, touching, spot.way.turns()),
        // Its lower half is to the left of the arm's direction.
        Lay::Across(matador) => (matador.low(), matador.high(), (spot.way.turns() + 3) % 4),
    };
    PlacedTile { middle: (middle.x, middle.y), first, second, turns, arm: Some(arm), end }
}

/// Draws a round in a frame; `None` if it has no room.
fn drawn_in(frame: Area, shape: LayoutShape, set: Set, plays: &[(Arm, Lay)]) -> Option<Sketch> {
    let of = |arm: Arm| plays.iter().filter(|play| play.0 == arm).map(|play| play.1).collect::<Vec<_>>();
    let arms = Arm::ALL.map(of);
    let mut table = LaidTiles::new(frame, set.sum(), shape, arms.each_ref().map(Vec::len));
    let starts: Vec<_> = Arm::ALL.into_iter().filter_map(|arm| Some((arm, table.tip(arm)?))).collect();
    let mut laid = [0; 4];
    let mut spots = Vec::with_capacity(plays.len());
    for &(arm, _) in plays {
        spots.push(table.lay(arm, &arms[arm.index()][laid[arm.index()]..])?);
        laid[arm.index()] += 1;
    }
    let ends = EndMarks::mark(table.tiles(), &starts, plays, &spots);
    let tiles = table.tiles().iter().copied().reduce(|all, tile| all.with(&tile))?;
    let used = ends.areas().fold(tiles, |all, end| all.with(&end)).grown(MARGIN);
    Some(Sketch { spots, ends, used })
}

/// The margin around the drawing.
const MARGIN: i32 = 40;
