//! The spots of the tiles of a deal, for the script: which seat laid which, and the marks at the ends of the arms.

use std::collections::BTreeMap;

use leyden_model::Layout;
use leyden_protocol::{Arm, HistoryEntry, Seat};
use leyden_rules::Rules;
use serde::Serialize;

use crate::drawing::{self, Spot, Window};

/// A deal, drawn for two shapes of window; `None` if there was no lead.
#[derive(Default, Serialize)]
pub(super) struct DealDrawing {
    wide: Option<DrawnTable>,
    tall: Option<DrawnTable>,
}

#[derive(Serialize)]
struct DrawnTable {
    view: [i32; 4],
    tiles: Vec<ScriptTile>,
    /// The marks of arms without tiles.
    starts: BTreeMap<&'static str, Spot>,
}

#[derive(Serialize)]
struct ScriptTile {
    x: i32,
    y: i32,
    /// Clockwise quarter turns.
    turns: u8,
    first: u8,
    second: u8,
    by: Seat,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    wild: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    arm: Option<&'static str>,
    /// The mark of its arm's end after this tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Spot>,
}

/// Draws the tiles that were laid in a deal.
pub(super) fn draw(rules: &Rules, actions: &[HistoryEntry]) -> DealDrawing {
    let Some(Layout { lead, plays, by, .. }) = Layout::from_history(rules, actions) else {
        return DealDrawing::default();
    };
    let table = |window| {
        let drawing = drawing::draw(rules.layout, rules.set, lead, &plays, window);
        let tiles = drawing.tiles.iter().zip(&by).map(|(placed, &by)| ScriptTile {
            x: placed.middle.0,
            y: placed.middle.1,
            turns: placed.turns,
            first: placed.first.get(),
            second: placed.second.get(),
            by,
            wild: leyden_protocol::Tile::new(placed.first, placed.second).is_wild(rules.set),
            arm: placed.arm.map(Arm::letter),
            end: placed.end,
        });
        let starts = drawing.starts.iter().map(|(arm, spot)| (arm.letter(), *spot));
        Some(DrawnTable { view: drawing.view, tiles: tiles.collect(), starts: starts.collect() })
    };
    DealDrawing { wide: table(Window::WIDE), tall: table(Window::TALL) }
}
