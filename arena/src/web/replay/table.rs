//! Where the tiles of a deal lie, for the script: who has laid which, and where the ends of the arms are marked.

use std::collections::BTreeMap;

use leyden_protocol::{Arm, Double, HistoryAction, HistoryEntry, Lay, Seat};
use leyden_rules::Rules;
use serde::Serialize;

use crate::web::drawing::{self, Spot, Window};
use crate::web::tile::is_wild;

/// A deal, drawn for two shapes of window; nothing where nobody has led.
#[derive(Default, Serialize)]
pub(super) struct DealDrawing {
    wide: Option<DrawnTable>,
    tall: Option<DrawnTable>,
}

#[derive(Serialize)]
struct DrawnTable {
    view: [i32; 4],
    tiles: Vec<ScriptTile>,
    /// Where the ends of arms are marked that nobody has started.
    starts: BTreeMap<&'static str, Spot>,
}

#[derive(Serialize)]
struct ScriptTile {
    x: i32,
    y: i32,
    /// Quarter turns clockwise.
    turns: u8,
    first: u8,
    second: u8,
    by: Seat,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    wild: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    arm: Option<&'static str>,
    /// Where the end of its arm is marked after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Spot>,
}

/// Draws what was laid in a deal.
pub(super) fn draw(rules: &Rules, actions: &[HistoryEntry]) -> DealDrawing {
    let mut lead: Option<(Seat, Double)> = None;
    let mut plays: Vec<(Arm, Lay)> = Vec::new();
    let mut by = Vec::new();
    for &HistoryEntry { seat, event } in actions {
        match event {
            HistoryAction::Lead(double) => lead = Some((seat, double)),
            HistoryAction::Play(arm, lay) => {
                plays.push((arm, lay));
                by.push(seat);
            }
            HistoryAction::Draw(_) | HistoryAction::Pass | HistoryAction::Refuse => {}
        }
    }
    let Some((leader, lead)) = lead else { return DealDrawing::default() };
    by.insert(0, leader);
    let table = |window| {
        let drawing = drawing::draw(rules.layout, rules.set, lead, &plays, window);
        let tiles = drawing.tiles.iter().zip(&by).map(|(placed, &by)| ScriptTile {
            x: placed.middle.0,
            y: placed.middle.1,
            turns: placed.turns,
            first: placed.first.get(),
            second: placed.second.get(),
            by,
            wild: is_wild(leyden_protocol::Tile::new(placed.first, placed.second), rules.set),
            arm: placed.arm.map(Arm::letter),
            end: placed.end,
        });
        let starts = drawing.starts.iter().map(|(arm, spot)| (arm.letter(), *spot));
        Some(DrawnTable { view: drawing.view, tiles: tiles.collect(), starts: starts.collect() })
    };
    DealDrawing { wide: table(Window::WIDE), tall: table(Window::TALL) }
}
