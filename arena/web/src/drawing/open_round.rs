//! Draws a round that is still being played: tiles on the table no longer move, and the possible spots of the next tile are shown.
//!
//! Future tiles are unknown, so each tile is placed on its own, in a frame that grows if it has no room.

use leyden_protocol::{Arm, Double, Lay, LayoutShape, Set};

use super::ends::EndMarks;
use super::geometry::Area;
use super::table::{LaidTiles, TileSpot};
use super::{MARGIN, PlacedTile, TableDrawing, Window, draw, first, placed};

/// How many more tiles each arm is assumed to get, so that none is closed.
const COMING: usize = 8;

/// How often a frame grows before a tile counts as having no room.
const GROWTHS: usize = 24;

/// The initial area, in square half tiles.
const ROOM: f64 = 110.0;

/// The part of a round that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRound {
    pub drawing: TableDrawing,
    /// For each requested next play, the spot of its tile, if it has room.
    pub next: Vec<Option<PlacedTile>>,
}

/// Draws the plays so far, and the spot of each of `next`. The same plays always get the same spots, no matter what follows; only if
/// there is no room left, everything is placed again.
pub fn draw_open(
    (shape, set): (LayoutShape, Set),
    lead: Double,
    plays: &[(Arm, Lay)],
    next: &[(Arm, Lay)],
    window: Window,
) -> OpenRound {
    let Some((mut table, spots)) = laid(shape, set, plays, window) else {
        let drawing = draw(shape, set, lead, plays, window);
        return OpenRound { drawing, next: vec![None; next.len()] };
    };
    let starts = starts(shape, set, window);
    let ends = EndMarks::mark(table.tiles(), &starts, plays, &spots);
    let mut candidates = Vec::with_capacity(next.len());
    for &(arm, lay) in next {
        let mut tried = table.clone();
        let spot = put(&mut tried, arm, lay);
        if spot.is_some() {
            table.widen(tried.frame()); // must be visible, too
        }
        candidates.push(spot.map(|spot| placed(arm, lay, &spot, None)));
    }
    let Area { left, top, .. } = table.frame().grown(MARGIN);
    let frame = table.frame().grown(MARGIN);
    let tiles = plays.iter().zip(&spots).zip(&ends.after);
    let tiles = tiles.map(|((&(arm, lay), spot), end)| placed(arm, lay, spot, *end));
    let drawing = TableDrawing {
        view: [left, top, frame.width(), frame.height()],
        tiles: std::iter::once(first(lead)).chain(tiles).collect(),
        starts: ends.before,
    };
    OpenRound { drawing, next: candidates }
}

fn empty(shape: LayoutShape, set: Set, Window(width, height): Window) -> LaidTiles {
    let (width, height) = (f64::from(width), f64::from(height));
    let high = (ROOM * height / width).sqrt() * 100.0;
    let (x, y) = ((high * width / height / 2.0) as i32, (high / 2.0) as i32);
    LaidTiles::new(Area { left: -x, top: -y, right: x, bottom: y }, set.sum(), shape, [COMING; 4])
}

fn starts(
    shape: LayoutShape,
    set: Set,
    window: Window,
) -> Vec<(Arm, (super::geometry::Point, super::geometry::Direction))> {
    let table = empty(shape, set, window);
    Arm::ALL.into_iter().filter_map(|arm| Some((arm, table.tip(arm)?))).collect()
}

/// Lays the plays one after the other.
fn laid(
    shape: LayoutShape,
    set: Set,
    plays: &[(Arm, Lay)],
    window: Window,
) -> Option<(LaidTiles, Vec<TileSpot>)> {
    let mut table = empty(shape, set, window);
    let spots = plays.iter().map(|&(arm, lay)| put(&mut table, arm, lay)).collect::<Option<Vec<_>>>()?;
    Some((table, spots))
}

/// Lays a tile in the frame, enlarging it until there is room.
fn put(table: &mut LaidTiles, arm: Arm, lay: Lay) -> Option<TileSpot> {
    for _ in 0..GROWTHS {
        if let Some(spot) = table.lay(arm, &[lay]) {
            return Some(spot);
        }
        let frame = table.frame();
        let (x, y) = (frame.width() / 16, frame.height() / 16);
        let Area { left, top, right, bottom } = frame;
        table.widen(Area { left: left - x, top: top - y, right: right + x, bottom: bottom + y });
    }
    None
}
