//! Results as statistics want them: how two bots of a table fared against each other over the legs of one pair.

use std::collections::VecDeque;

use leyden_protocol::Seat;
use leyden_stats::{FinalScores, Margin, Score};

use super::error::StoreError;
use super::results::Results;
use super::{rows, schema};
use leyden_model::{BotIndex, MatchKey, PairKey};

/// Two bots of one pair, all its legs together, seen from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCell {
    pub pair: PairKey,
    /// The one that comes first on the command line.
    pub first: BotIndex,
    pub second: BotIndex,
    pub score: Score,
    pub margin: Margin,
    /// Whether every leg of the pair is there. Statistics count complete pairs.
    pub complete: bool,
}

/// The legs of one pair that are there, in the order of the schedule, which is the order of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairLegs {
    legs: Vec<(MatchKey, FinalScores)>,
    /// How many make a pair.
    all: u32,
}

impl PairLegs {
    pub fn legs(&self) -> &[(MatchKey, FinalScores)] {
        &self.legs
    }

    /// How each two bots of the table fared.
    pub fn cells(&self) -> Vec<PairCell> {
        cells_of(&self.legs, self.all)
    }
}

/// The pairs of a results file, streamed in the order of the schedule.
pub struct Pairs<'a> {
    results: &'a Results,
    /// Legs read and not yet given out; the last pair's may be incomplete while `more` come.
    legs: VecDeque<(MatchKey, FinalScores)>,
    after: Option<MatchKey>,
    more: bool,
}

impl<'a> Pairs<'a> {
    /// Every pair of which there is a leg.
    pub fn of(results: &'a Results) -> Self {
        Self { results, legs: VecDeque::new(), after: None, more: true }
    }

    /// The next pair, as soon as all of it is read.
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

    /// The first legs, as one pair.
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
            let leg = leg.ok_or_else(|| self.results.damaged("a match that cannot be"))?;
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

/// The cells of those legs that are there of one pair's `all`.
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

/// Each two seats with their bots, the bot that comes first on the command line first.
fn pairings(
    seats: impl Iterator<Item = (BotIndex, Seat)> + Clone,
) -> impl Iterator<Item = ((BotIndex, Seat), (BotIndex, Seat))> {
    let second = seats.clone();
    seats.flat_map(move |one| {
        second.clone().filter(move |other| one.0 < other.0).map(move |other| (one, other))
    })
}
