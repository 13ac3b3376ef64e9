//! A table as pages draw it: its content after each event that an audience sees.
//!
//! Positions come from [`draw`]; pages only add the tiles.

use leyden_model::projection::ShownEvent;
use leyden_protocol::{Arm, Double, HistoryAction, HistoryEntry, Lay, PerSeat, Seat, Seats, Tile};
use leyden_rules::Rules;
use maud::Markup;
use serde::Serialize;

use crate::drawing::{Placed, TableDrawing, Window, draw};
use crate::replay::printable;
use crate::tile::{DrawnTile, is_wild, tile};

/// The players and tiles at a table.
#[derive(Clone, Debug)]
pub struct Board {
    id: String,
    rules: Option<Rules>,
    bots: PerSeat<String>,
    scores: PerSeat<u32>,
    held: PerSeat<u8>,
    to_act: Option<Seat>,
    lead: Option<Double>,
    plays: Vec<(Arm, Lay)>,
    /// The seat that laid each tile.
    by: Vec<Seat>,
    /// All plays of the round, if they are known: then no tile ever moves.
    ahead: Option<Vec<(Arm, Lay)>>,
    drawing: Option<TableDrawing>,
    tiles: Vec<String>,
    said: String,
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
    said: String,
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
    said: &'a str,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            id: String::new(),
            rules: None,
            bots: PerSeat::default_for(Seats::TWO),
            scores: PerSeat::default_for(Seats::TWO),
            held: PerSeat::default_for(Seats::TWO),
            to_act: None,
            lead: None,
            plays: Vec::new(),
            by: Vec::new(),
            ahead: None,
            drawing: None,
            tiles: Vec::new(),
            said: String::new(),
        }
    }
}

impl Board {
    /// Applies the next event and returns the changes. `ahead` has all plays of a new round, if they are known.
    pub fn take(&mut self, shown: &ShownEvent, ahead: Option<&[(Arm, Lay)]>) -> Changes {
        match shown {
            ShownEvent::Started { id, rules, bots } => {
                let scores = PerSeat::default_for(bots.seats());
                let (id, rules, bots) = (id.clone(), rules.rules().ok(), bots.map(|name| printable(name)));
                let held = PerSeat::default_for(bots.seats());
                *self = Self { id, rules, bots, scores, held, ..Self::default() };
            }
            ShownEvent::Dealt { counts, round, .. } => {
                (self.held, self.to_act, self.lead, self.drawing) = (*counts, None, None, None);
                (self.plays, self.by, self.tiles) = (Vec::new(), Vec::new(), Vec::new());
                self.ahead = ahead.map(<[_]>::to_vec);
                self.said = format!("round {}", round + 1);
                return Changes { tiles: Some(Vec::new()), ..self.changes() };
            }
            ShownEvent::Asked { seat, .. } => self.to_act = Some(*seat),
            ShownEvent::Struck { seat, code, .. } => {
                self.said = format!("{}: {code}, a strike", self.bots[*seat]);
            }
            ShownEvent::Acted { entry, .. } => return self.acted(*entry),
            ShownEvent::Settled { scores, .. } => {
                (self.scores, self.to_act) = (*scores, None);
                "the round is over".clone_into(&mut self.said);
            }
            ShownEvent::Ended { scores, winner, fault, .. } => {
                (self.scores, self.to_act) = (*scores, None);
                self.said = match (fault, winner) {
                    (Some((seat, code)), _) => format!("{} lost by a fault: {code}", self.bots[*seat]),
                    (None, Some(winner)) => format!("{} wins", self.bots[*winner]),
                    (None, None) => "a draw".to_owned(),
                };
            }
        }
        self.changes()
    }

    fn acted(&mut self, HistoryEntry { seat, event }: HistoryEntry) -> Changes {
        self.to_act = None;
        let name = &self.bots[seat];
        self.said = match event {
            HistoryAction::Lead(double) => format!("{name} leads {}", double.tile()),
            HistoryAction::Play(_, lay) => format!("{name} plays {}", lay.tile()),
            HistoryAction::Draw(Some(tile)) => format!("{name} draws {tile}"),
            HistoryAction::Draw(None) => format!("{name} draws"),
            HistoryAction::Pass => format!("{name} passes"),
            HistoryAction::Refuse => format!("{name} refuses to lead"),
        };
        let held = &mut self.held[seat];
        match event {
            HistoryAction::Lead(_) | HistoryAction::Play(..) => *held = held.saturating_sub(1),
            HistoryAction::Draw(_) => *held = held.saturating_add(1),
            HistoryAction::Pass | HistoryAction::Refuse => {}
        }
        match event {
            HistoryAction::Lead(double) => self.lead = Some(double),
            HistoryAction::Play(arm, lay) => self.plays.push((arm, lay)),
            _ => return self.changes(),
        }
        self.by.push(seat);
        let view = self.draw_ahead();
        let tile = self.next_tile(seat);
        self.tiles.extend(tile.clone());
        Changes { view, tile, ..self.changes() }
    }

    /// Draws a round whose plays are known. Returns its frame if it is new.
    fn draw_ahead(&mut self) -> Option<[i32; 4]> {
        let (None, Some(lead), Some(rules), Some(ahead)) =
            (&self.drawing, self.lead, self.rules, &self.ahead)
        else {
            return None;
        };
        let drawing = draw(rules.layout, rules.set, lead, ahead, Window::WIDE);
        let view = drawing.view;
        self.drawing = Some(drawing);
        Some(view)
    }

    /// Returns the next tile as SVG, if the whole round is drawn already.
    fn next_tile(&self, by: Seat) -> Option<String> {
        self.ahead.as_ref()?;
        let placed = self.drawing.as_ref()?.tiles.get(self.tiles.len())?;
        Some(laid(placed, by, &self.rules?).into_string())
    }

    /// Draws the tiles so far, if the plays of the round are not known.
    pub fn redraw(&mut self) {
        let (Some(lead), Some(rules), None) = (self.lead, self.rules, &self.ahead) else { return };
        let drawing = draw(rules.layout, rules.set, lead, &self.plays, Window::WIDE);
        let tiles = drawing.tiles.iter().zip(&self.by);
        self.tiles = tiles.map(|(placed, seat)| laid(placed, *seat, &rules).into_string()).collect();
        self.drawing = Some(drawing);
    }

    fn changes(&self) -> Changes {
        Changes {
            scores: self.scores.as_slice().to_vec(),
            held: self.held.as_slice().to_vec(),
            to_act: self.to_act,
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
            scores: self.scores,
            held: self.held,
            to_act: self.to_act,
            view: self.drawing.as_ref().map(|drawing| drawing.view),
            tiles: &self.tiles,
            said: &self.said,
        }
    }
}

/// Draws a tile as SVG.
pub(super) fn laid(placed: &Placed, by: Seat, rules: &Rules) -> Markup {
    let Placed { middle: (x, y), first, second, turns, .. } = *placed;
    let wild = is_wild(Tile::new(first, second), rules.set);
    tile(&DrawnTile { first, second, turns, x, y, wild, by: Some(by) })
}
