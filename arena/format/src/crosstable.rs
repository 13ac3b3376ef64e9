//! The part of the results that formats look at: what each bot has won at each table of each round.

use std::collections::BTreeMap;

use leyden_model::{BotIndex, MatchKey, Table};
use leyden_protocol::MAX_SEATS;
use leyden_stats::{Comparison, FinalScores};

/// What a bot has won at a table, over all its matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Winnings {
    /// Against each other bot a win is two, a draw one.
    pub half_points: u64,
    /// Matches won against all others.
    pub wins: u64,
    /// By how many game points it was ahead of the others, without matches that ended by a fault.
    pub margin: i64,
}

/// What was won by round and table. The same matches give the same crosstable, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable {
    /// In the order of the table's bots.
    tables: BTreeMap<(u32, Table), [Winnings; MAX_SEATS]>,
}

impl Crosstable {
    /// Counts a match of a round of the schedule.
    pub(super) fn count(&mut self, round: u32, key: &MatchKey, end: &FinalScores) {
        let all = self.tables.entry((round, key.table)).or_default();
        let seats = key.table.seats();
        for (won, &bot) in all.iter_mut().zip(key.table.bots()) {
            let Some(seat) = key.seat_of(bot) else { continue };
            for other in seats.iter().filter(|&other| other != seat) {
                won.half_points += u64::from(end.compare(seat, other).half_points());
                won.margin += end.margin(seat, other).unwrap_or(0);
            }
            won.wins += u64::from(end.result(seat) == Comparison::Won);
        }
    }

    /// What was won at each table of two in a round.
    pub(super) fn pairs(&self, round: u32) -> impl Iterator<Item = ([BotIndex; 2], [Winnings; 2])> {
        let of_round = self.tables.iter().filter(move |((number, _), _)| *number == round);
        of_round.filter_map(|((_, table), won)| Some((table.bots().try_into().ok()?, [won[0], won[1]])))
    }

    /// What a bot has won at a table in a round.
    pub fn won(&self, round: u32, table: &Table, bot: BotIndex) -> Winnings {
        let index = table.bots().iter().position(|&other| other == bot);
        let all = self.tables.get(&(round, *table));
        all.zip(index).map_or(Winnings::default(), |(all, index)| all[index])
    }
}
