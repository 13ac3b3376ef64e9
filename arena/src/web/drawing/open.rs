//! A round that is still being played: nothing that lies moves any more, and where the next tile could lie is worked out.
//!
//! What will be laid is not known, so each tile is placed for itself in a frame that grows when it has no room left.

use leyden_protocol::{Arm, Double, Lay, LayoutShape, Set};

use super::ends::EndMarks;
use super::geometry::Area;
use super::table::{LaidTiles, TilePlace};
use super::{MARGIN, Placed, TableDrawing, Window, draw, first, placed};

/// How many tiles each arm is expected to get still: none is closed meanwhile.
const COMING: usize = 8;

/// How often a frame grows before a tile is believed to have no room.
const GROWTHS: usize = 24;

/// The room at the beginning, in square half tiles.
const ROOM: f64 = 110.0;

/// A round as far as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRound {
    pub drawing: TableDrawing,
    /// For each of the next plays that were asked about where its tile would lie, if it has room.
    pub next: Vec<Option<Placed>>,
}

/// Draws what was played, and where each of `next` would lie. The same plays are always at the same places, whatever
/// follows; only where a round has no room any more it is drawn anew.
pub fn draw_open(
    (shape, set): (LayoutShape, Set),
    lead: Double,
    plays: &[(Arm, Lay)],
    next: &[(Arm, Lay)],
    window: Window,
) -> OpenRound {
    let Some((mut table, places)) = laid(shape, set, plays, window) else {
        let drawing = draw(shape, set, lead, plays, window);
        return OpenRound { drawing, next: vec![None; next.len()] };
    };
    let starts = starts(shape, set, window);
    let ends = EndMarks::mark(table.tiles(), &starts, plays, &places);
    let mut candidates = Vec::with_capacity(next.len());
    for &(arm, lay) in next {
        let mut tried = table.clone();
        let place = put(&mut tried, arm, lay);
        if place.is_some() {
            table.widen(tried.frame()); // seen as well
        }
        candidates.push(place.map(|place| placed(arm, lay, &place, None)));
    }
    let Area { left, top, .. } = table.frame().grown(MARGIN);
    let frame = table.frame().grown(MARGIN);
    let tiles = plays.iter().zip(&places).zip(&ends.after);
    let tiles = tiles.map(|((&(arm, lay), place), end)| placed(arm, lay, place, *end));
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

/// Lays what was played, one after the other.
fn laid(
    shape: LayoutShape,
    set: Set,
    plays: &[(Arm, Lay)],
    window: Window,
) -> Option<(LaidTiles, Vec<TilePlace>)> {
    let mut table = empty(shape, set, window);
    let places = plays.iter().map(|&(arm, lay)| put(&mut table, arm, lay)).collect::<Option<Vec<_>>>()?;
    Some((table, places))
}

/// Lays a tile in the frame, or in the next larger one that has room for it.
fn put(table: &mut LaidTiles, arm: Arm, lay: Lay) -> Option<TilePlace> {
    for _ in 0..GROWTHS {
        if let Some(place) = table.lay(arm, &[lay]) {
            return Some(place);
        }
        let frame = table.frame();
        let (x, y) = (frame.width() / 16, frame.height() / 16);
        let Area { left, top, right, bottom } = frame;
        table.widen(Area { left: left - x, top: top - y, right: right + x, bottom: bottom + y });
    }
    None
}
