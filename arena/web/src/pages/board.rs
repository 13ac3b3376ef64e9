//! A table as pages draw it: its content after each event that an audience sees.
//!
//! Positions come from [`draw`]; pages only add the tiles.

use leyden_arena::narrate::Narrator;
use leyden_language::PerLanguage;
use leyden_model::TableState;
use leyden_model::projection::ShownEvent;
use leyden_protocol::{Action, Arm, Lay, PerSeat, Seat, Seats};
use maud::Markup;
use serde::Serialize;

use crate::drawing::{TableDrawing, Window, draw};
use crate::replay::printable;
use crate::tile::{DrawnTile, tile};

/// The players and tiles at a table.
#[derive(Clone, Debug)]
pub struct Board {
    id: String,
    narrators: PerLanguage<Narrator>,
    bots: PerSeat<String>,
    /// The table, once the match has started and its rules are known.
    table: Option<TableState>,
    /// All plays of the round, if they are known: then no tile ever moves.
    ahead: Option<Vec<(Arm, Lay)>>,
    drawing: Option<TableDrawing>,
    tiles: Vec<String>,
    said: PerLanguage<String>,
}

/// The changes that a page has to make.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Changes {
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<[i32; 4]>,
    /// All tiles, as SVG.
    #[serde(skip_serializing_if = "Option::is_none")]
    tiles: Option<Vec<String>>,
    /// A tile to add, as SVG.
    #[serde(skip_serializing_if = "Option::is_none")]
    tile: Option<String>,
    scores: Vec<u32>,
    /// How many tiles each seat holds.
    held: Vec<u8>,
    to_act: Option<Seat>,
    said: PerLanguage<String>,
}

/// The content of a table, with its number.
#[derive(Debug, Serialize)]
pub struct BoardState<'a> {
    table: usize,
    #[serde(rename = "match")]
    id: &'a str,
    bots: &'a PerSeat<String>,
    scores: PerSeat<u32>,
    held: PerSeat<u8>,
    to_act: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<[i32; 4]>,
    tiles: &'a [String],
    said: &'a PerLanguage<String>,
}

impl Default for Board {
    fn default() -> Self {
        let bots: PerSeat<String> = PerSeat::default_for(Seats::TWO);
        Self {
            id: String::new(),
            narrators: narrators(&bots),
            bots,
            table: None,
            ahead: None,
            drawing: None,
            tiles: Vec::new(),
            said: PerLanguage::default(),
        }
    }
}

impl Board {
    /// Applies the next event and returns the changes. `ahead` has all plays of a new round, if they are known.
    pub fn take(&mut self, shown: &ShownEvent, ahead: Option<&[(Arm, Lay)]>) -> Changes {
        if let ShownEvent::Started { id, rules, bots } = shown {
            let (id, bots) = (id.clone(), bots.map(|name| printable(name)));
            let table = rules.rules().ok().map(|rules| TableState::new(&rules));
            *self = Self { id, narrators: narrators(&bots), bots, table, ..Self::default() };
        }
        if let Some(table) = &mut self.table {
            table.take(shown);
        }
        match shown {
            ShownEvent::Started { .. } | ShownEvent::Asked { .. } => {}
            ShownEvent::Dealt { round, redeal, .. } => {
                (self.drawing, self.tiles) = (None, Vec::new());
                self.ahead = ahead.map(<[_]>::to_vec);
                self.said = PerLanguage::new(|language| self.narrators[language].dealt(*round, *redeal));
                return Changes { tiles: Some(Vec::new()), ..self.changes() };
            }
            ShownEvent::Struck { seat, code, .. } => {
                self.said = PerLanguage::new(|language| self.narrators[language].strike(*seat, *code));
            }
            ShownEvent::Acted { entry, .. } => {
                self.said = PerLanguage::new(|language| self.narrators[language].act(*entry));
                if Action::from(entry.event).tile().is_some() {
                    let view = self.draw_ahead();
                    let tile = self.next_tile(entry.seat);
                    self.tiles.extend(tile.clone());
                    return Changes { view, tile, ..self.changes() };
                }
            }
            ShownEvent::Settled { .. } => {
                self.said = PerLanguage::new(|language| {
                    self.narrators[language].round_over(shown).unwrap_or_default()
                });
            }
            ShownEvent::Ended { winner, fault, .. } => {
                self.said = PerLanguage::new(|language| match fault {
                    Some((seat, code)) => self.narrators[language].lost_by_fault(*seat, *code),
                    None => self.narrators[language].winner(*winner, false),
                });
            }
        }
        self.changes()
    }

    /// Draws a round whose plays are known. Returns its frame if it is new.
    fn draw_ahead(&mut self) -> Option<[i32; 4]> {
        let (None, Some(table), Some(ahead)) = (&self.drawing, &self.table, &self.ahead) else {
            return None;
        };
        let (rules, lead) = (&table.rules, table.layout.as_ref()?.lead);
        let drawing = draw(rules.layout, rules.set, lead, ahead, Window::WIDE);
        let view = drawing.view;
        self.drawing = Some(drawing);
        Some(view)
    }

    /// Returns the next tile as SVG, if the whole round is drawn already.
    fn next_tile(&self, by: Seat) -> Option<String> {
        self.ahead.as_ref()?;
        let placed = self.drawing.as_ref()?.tiles.get(self.tiles.len())?;
        let set = self.table.as_ref()?.rules.set;
        Some(tile(&DrawnTile::placed(placed, Some(by), set)).into_string())
    }

    /// Draws the tiles so far, if the plays of the round are not known.
    pub fn redraw(&mut self) {
        let (Some(table), None) = (&self.table, &self.ahead) else { return };
        let Some(layout) = &table.layout else { return };
        let rules = &table.rules;
        let drawing = draw(rules.layout, rules.set, layout.lead, &layout.plays, Window::WIDE);
        let tiles = drawing.tiles.iter().zip(&layout.by);
        let drawn = tiles.map(|(placed, by)| tile(&DrawnTile::placed(placed, Some(*by), rules.set)));
        self.tiles = drawn.map(Markup::into_string).collect();
        self.drawing = Some(drawing);
    }

    fn scores(&self) -> PerSeat<u32> {
        let none = || PerSeat::default_for(self.bots.seats());
        self.table.as_ref().map_or_else(none, |table| table.scores)
    }

    fn held(&self) -> PerSeat<u8> {
        let none = || PerSeat::default_for(self.bots.seats());
        self.table.as_ref().map_or_else(none, |table| table.counts)
    }

    fn to_act(&self) -> Option<Seat> {
        self.table.as_ref()?.asked.as_ref().map(|asked| asked.seat)
    }

    fn changes(&self) -> Changes {
        Changes {
            scores: self.scores().as_slice().to_vec(),
            held: self.held().as_slice().to_vec(),
            to_act: self.to_act(),
            said: self.said.clone(),
            ..Changes::default()
        }
    }

    /// Returns the whole content, as the table with this number.
    pub fn state(&self, table: usize) -> BoardState<'_> {
        BoardState {
            table,
            id: &self.id,
            bots: &self.bots,
            scores: self.scores(),
            held: self.held(),
            to_act: self.to_act(),
            view: self.drawing.as_ref().map(|drawing| drawing.view),
            tiles: &self.tiles,
            said: &self.said,
        }
    }
}

fn narrators(bots: &PerSeat<String>) -> PerLanguage<Narrator> {
    PerLanguage::new(|language| Narrator::new(bots.clone(), None, language))
}

#[cfg(test)]
mod tests {
    use leyden_arena::record::sample;
    use leyden_language::Language;
    use leyden_model::projection::{Audience, Projection};
    use leyden_model::replayed;

    use super::*;

    #[test]
    fn board_says_how_each_round_ends() {
        let (_, record) = sample::matches(&sample::stored_plan(2, 1)).next().unwrap();
        let narrator = Narrator::new(record.bots.map(|name| printable(name)), None, Language::German);
        let (mut board, mut projection) = (Board::default(), Projection::new(Audience::Spectator));
        let mut rounds = 0;
        for shown in replayed(&record).unwrap().iter().filter_map(|event| projection.show(event)) {
            board.take(&shown, None);
            if let Some(over) = narrator.round_over(&shown) {
                assert_eq!(board.said[Language::German], over);
                rounds += 1;
            }
        }
        assert!(rounds > 0);
    }
}
