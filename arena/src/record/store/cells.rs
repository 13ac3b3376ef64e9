//! Results as statistics want them: how two bots of a table fared against each other over the legs of one block.

use std::collections::VecDeque;

use leyden_protocol::Better;

use super::tally::{Final, Outcome};
use super::{Results, StoreError, rows, schema, sums};
use leyden_model::{BotIndex, MatchKey, Table};

/// Two bots of one table in one block, all its legs together, seen from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub block: u32,
    pub table: Table,
    /// The one that comes first on the command line.
    pub first: BotIndex,
    pub second: BotIndex,
    pub won: u16,
    pub drawn: u16,
    pub lost: u16,
    /// How far the first was ahead, over the legs that ended without a fault; positive is good for it.
    pub margin: i64,
    /// How many legs those are.
    pub margins: u32,
    /// Whether every leg of the pair is there. Statistics count complete pairs.
    pub complete: bool,
}

impl Cell {
    /// 2 for each won, 1 for each drawn: 0 to 4 for a complete pair at a table of two.
    pub const fn half_points(&self) -> u32 {
        2 * self.won as u32 + self.drawn as u32
    }
}

/// The cells of a results file, streamed in the order of the schedule.
pub struct Cells<'a> {
    results: &'a Results,
    better: Better,
    /// Legs read and not yet summed; the last table's may be incomplete while `more` come.
    legs: VecDeque<(MatchKey, Final)>,
    after: Option<MatchKey>,
    more: bool,
    ready: VecDeque<Cell>,
}

impl<'a> Cells<'a> {
    pub(super) fn new(results: &'a Results, better: Better) -> Self {
        Self { results, better, legs: VecDeque::new(), after: None, more: true, ready: VecDeque::new() }
    }

    fn advance(&mut self) -> Result<bool, StoreError> {
        let split = self.legs.front().and_then(|(first, _)| {
            let pair = |fixture: &MatchKey| (fixture.block, fixture.table);
            self.legs.iter().position(|(other, _)| pair(other) != pair(first))
        });
        let count = match split {
            Some(count) => count,
            None if self.more => {
                self.read()?;
                return Ok(true);
            }
            None => self.legs.len(),
        };
        let legs: Vec<_> = self.legs.drain(..count).collect();
        self.ready.extend(cells_of(&legs));
        Ok(count > 0)
    }

    fn read(&mut self) -> Result<(), StoreError> {
        let seats = self.results.setup().settings.seats;
        let (key, better) = (seats.count() + 2, self.better);
        let wanted = format!("fault_seat, {}", schema::columns("score", seats));
        let read = |row: &rusqlite::Row<'_>| {
            let fixture = rows::read_key(row, 0, seats)?;
            Ok(fixture.zip(rows::read_final(row, key, seats, better)?))
        };
        let page = self.results.page(self.after.as_ref(), &wanted, read)?;
        self.more = !page.is_empty();
        for leg in page {
            let leg = leg.ok_or_else(|| self.results.damaged("a match that cannot be"))?;
            self.after = Some(leg.0);
            self.legs.push_back(leg);
        }
        Ok(())
    }
}

impl Iterator for Cells<'_> {
    type Item = Result<Cell, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(cell) = self.ready.pop_front() {
                return Some(Ok(cell));
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    (self.more, self.legs) = (false, VecDeque::new());
                    return Some(Err(error));
                }
            }
        }
    }
}

/// The cells of one table's legs in one block.
fn cells_of(legs: &[(MatchKey, Final)]) -> Vec<Cell> {
    let Some((MatchKey { block, table, .. }, _)) = legs.first() else { return Vec::new() };
    let seats = table.seats();
    let empty = |first, second| Cell {
        block: *block,
        table: *table,
        first,
        second,
        won: 0,
        drawn: 0,
        lost: 0,
        margin: 0,
        margins: 0,
        complete: legs.len() == seats.count(),
    };
    let bots = table.bots();
    let each = bots.iter().enumerate().flat_map(|(i, &one)| bots[i + 1..].iter().map(move |&two| (one, two)));
    let mut cells: Vec<Cell> = each.map(|(one, two)| empty(one, two)).collect();
    for (fixture, end) in legs {
        for (one, two) in sums::pairs(seats.iter().map(|seat| (fixture.seat(seat), seat))) {
            let cell = cells.iter_mut().find(|cell| (cell.first, cell.second) == (one.0, two.0));
            let Some(cell) = cell else { continue };
            match end.against(one.1, two.1) {
                Outcome::Won => cell.won += 1,
                Outcome::Drawn => cell.drawn += 1,
                Outcome::Lost => cell.lost += 1,
            }
            if end.fault.is_none() {
                cell.margin += end.margin(one.1, two.1);
                cell.margins += 1;
            }
        }
    }
    cells
}
