//! Results for statistics: how two bots at a table fared against each other over the legs of one pair.

use std::collections::VecDeque;

use leyden_protocol::Seat;
use leyden_stats::{FinalScores, Margin, Score};

use super::error::StoreError;
use super::results::Results;
use super::{rows, schema};
use leyden_model::{BotIndex, MatchKey, PairKey};

/// Two bots of one pair over all its legs, seen from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCell {
    pub pair: PairKey,
    /// The bot that comes first on the command line.
    pub first: BotIndex,
    pub second: BotIndex,
    pub score: Score,
    pub margin: Margin,
    /// Whether every leg of the pair is stored. Statistics count complete pairs.
    pub complete: bool,
}

/// The stored legs of one pair, in schedule order, which is the order of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairLegs {
    legs: Vec<(MatchKey, FinalScores)>,
    /// The number of legs that make a pair.
    all: u32,
}

impl PairLegs {
    pub fn legs(&self) -> &[(MatchKey, FinalScores)] {
        &self.legs
    }

    /// How each two bots at the table fared.
    pub fn cells(&self) -> Vec<PairCell> {
        cells_of(&self.legs, self.all)
    }
}

/// The pairs of a results file, streamed in schedule order.
pub struct Pairs<'a> {
    results: &'a Results,
    /// Legs that were read and not returned yet; the last pair may be incomplete while there are `more`.
    legs: VecDeque<(MatchKey, FinalScores)>,
    after: Option<MatchKey>,
    more: bool,
}

impl<'a> Pairs<'a> {
    /// Every pair with at least one stored leg.
    pub fn from_results(results: &'a Results) -> Self {
        Self { results, legs: VecDeque::new(), after: None, more: true }
    }

    /// The next pair, once all of its stored legs are read.
    fn advance(&mut self) -> Result<Option<PairLegs>, StoreError> {
        loop {
            let first = self.legs.front().map(|(first, _)| first.pair());
            let split = first.and_then(|pair| self.legs.iter().position(|(other, _)| other.pair() != pair));
            match split {
                Some(count) => return Ok(Some(self.pair(count))),
                None if self.more => self.read()?,
                None if self.legs.is_empty() => return Ok(None),
                None => return Ok(Some(self.pair(self.legs.len()))),
            }
        }
    }

    /// Takes the first legs as one pair.
    fn pair(&mut self, count: usize) -> PairLegs {
        let stored_plan = self.results.stored_plan();
        let all = stored_plan.format.legs(stored_plan.settings.seats);
        PairLegs { legs: self.legs.drain(..count).collect(), all }
    }

    fn read(&mut self) -> Result<(), StoreError> {
        let seats = self.results.stored_plan().settings.seats;
        let (columns, better) = (schema::key_length(seats), self.results.better());
        let wanted = format!("fault_seat, {}", schema::columns("score", seats));
        let read = |row: &rusqlite::Row<'_>| {
            let key = rows::read_key(row, 0, seats)?;
            Ok(key.zip(rows::read_final(row, columns, seats, better)?))
        };
        let page = self.results.page(self.after.as_ref(), &wanted, read)?;
        self.more = !page.is_empty();
        for leg in page {
            let leg = leg.ok_or_else(|| self.results.damaged("an impossible match"))?;
            self.results.known_key(Some(leg.0))?;
            self.after = Some(leg.0);
            self.legs.push_back(leg);
        }
        Ok(())
    }
}

impl Iterator for Pairs<'_> {
    type Item = Result<PairLegs, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().inspect_err(|_| (self.more, self.legs) = (false, VecDeque::new())).transpose()
    }
}

/// The cells of the stored legs of one pair, which has `all` legs.
fn cells_of(legs: &[(MatchKey, FinalScores)], all: u32) -> Vec<PairCell> {
    let Some((first, _)) = legs.first() else { return Vec::new() };
    let (pair, seats) = (first.pair(), first.table.seats());
    let empty = |first, second| PairCell {
        pair,
        first,
        second,
        score: Score::default(),
        margin: Margin::default(),
        complete: legs.len() == all as usize,
    };
    let bots = pair.table.bots();
    let each = bots.iter().enumerate().flat_map(|(i, &one)| bots[i + 1..].iter().map(move |&two| (one, two)));
    let mut cells: Vec<PairCell> = each.map(|(one, two)| empty(one, two)).collect();
    for (key, end) in legs {
        for (one, two) in pairings(seats.iter().map(|seat| (key.seat(seat), seat))) {
            let cell = cells.iter_mut().find(|cell| (cell.first, cell.second) == (one.0, two.0));
            let Some(cell) = cell else { continue };
            cell.score.count(end.compare(one.1, two.1));
            cell.margin.count(end.margin(one.1, two.1));
        }
    }
    cells
}

/// Each two seats with their bots, ordered by the bots' places on the command line.
fn pairings(
    seats: impl Iterator<Item = (BotIndex, Seat)> + Clone,
) -> impl Iterator<Item = ((BotIndex, Seat), (BotIndex, Seat))> {
    let second = seats.clone();
    seats.flat_map(move |one| {
        second.clone().filter(move |other| one.0 < other.0).map(move |other| (one, other))
    })
}
