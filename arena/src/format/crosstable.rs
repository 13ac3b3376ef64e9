//! The part of the results that formats look at: the points of each bot at each table of each phase.

use std::collections::BTreeMap;

use leyden_model::{BotIndex, MatchKey, Table};
use leyden_protocol::MAX_SEATS;
use leyden_stats::FinalScores;

/// Half points by phase and table. The same matches give the same crosstable, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable {
    /// In the order of the table's bots.
    tables: BTreeMap<(u32, Table), [u64; MAX_SEATS]>,
}

impl Crosstable {
    /// Counts a match: against each other bot at the table a win is two half points, a draw one.
    pub fn count(&mut self, key: &MatchKey, end: &FinalScores) {
        let points = self.tables.entry((key.phase, key.table)).or_default();
        let seats = key.table.seats();
        for (place, &bot) in key.table.bots().iter().enumerate() {
            let Some(seat) = key.seat_of(bot) else { continue };
            for other in seats.iter().filter(|&other| other != seat) {
                points[place] += u64::from(end.compare(seat, other).half_points());
            }
        }
    }

    /// The tables of a phase, each with its bots' half points in the order of the table.
    pub fn phase(&self, number: u32) -> impl Iterator<Item = (Table, &[u64])> {
        let all = self.tables.iter().filter(move |((phase, _), _)| *phase == number);
        all.map(|((_, table), points)| (*table, &points[..table.bots().len()]))
    }

    /// The leader of each table of a phase: the bot with the most half points, the first if several are equal.
    pub fn ahead(&self, phase: u32) -> impl Iterator<Item = BotIndex> {
        self.phase(phase).filter_map(|(table, points)| {
            let most = points.iter().max()?;
            let place = points.iter().position(|points| points == most)?;
            table.bots().get(place).copied()
        })
    }

    /// The table of a phase in the format that exists for tests.
    #[cfg(test)]
    pub(super) fn ladder(&self, phase: u32, size: super::Dimensions) -> Option<Table> {
        let champion = match phase.checked_sub(1) {
            None => BotIndex(0),
            Some(before) => self.ahead(before).next()?,
        };
        let next = BotIndex(phase + 1);
        (next.0 < size.bots).then(|| Table::new(&[champion, next])).flatten()
    }
}
