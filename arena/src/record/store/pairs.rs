//! Results for statistics: the legs of each pair.

use std::collections::VecDeque;

use leyden_stats::FinalScores;

use super::error::StoreError;
use super::results::Results;
use super::{rows, schema};
use leyden_model::MatchKey;

/// The stored legs of one pair, in schedule order, which is the order of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairLegs {
    legs: Vec<(MatchKey, FinalScores)>,
    /// The number of legs that make a pair.
    all: u32,
}

impl PairLegs {
    /// Returns the legs that are stored, with their results.
    pub fn legs(&self) -> &[(MatchKey, FinalScores)] {
        &self.legs
    }

    /// Whether every leg is stored. Statistics count complete pairs.
    pub fn is_complete(&self) -> bool {
        self.legs.len() == self.all as usize
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
        let selected = format!("fault_seat, {}", schema::columns("score", seats));
        let read = |row: &rusqlite::Row<'_>| {
            let key = rows::read_key(row, 0, seats)?;
            Ok(key.zip(rows::read_final(row, columns, seats, better)?))
        };
        let page = self.results.page(self.after.as_ref(), &selected, read)?;
        self.more = !page.is_empty();
        for leg in page {
            let leg = leg.ok_or_else(|| self.results.damaged("an impossible match"))?;
            self.after = Some(leg.0);
            if self.results.known_key(Some(leg.0))?.is_some() {
                self.legs.push_back(leg);
            }
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
