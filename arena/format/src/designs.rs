//! A few tables of three to eight seats instead of all there could be: everybody sits down about equally often, and with
//! everybody else about equally often.

use std::collections::BTreeSet;

use leyden_language::{Language, text::tournament as text};
use leyden_model::{BotIndex, Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Up to this many tables, seats are exchanged as long as that makes meetings more even.
const IMPROVED: usize = 400;

/// How even a choice of tables is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Balance {
    /// The fewest and the most tables of a bot.
    pub tables: [u32; 2],
    /// At how many tables two bots meet, at least and at most.
    pub meetings: [u32; 2],
}

impl Balance {
    /// How even they are, in words.
    pub fn describe(&self, language: Language) -> String {
        let between = |[from, to]: [u32; 2]| {
            if from == to { from.to_string() } else { language.say(text::FromTo { from, to }) }
        };
        language.say(text::Balance { tables: between(self.tables), meetings: between(self.meetings) })
    }
}

/// Chooses tables of `seats` out of the bots `0..bots`; in the order of play. There must be more possible tables than are asked
/// for. The same numbers give the same tables.
pub fn tables(bots: u32, seats: usize, count: usize) -> Vec<Table> {
    let mut design = Design::new(bots as usize);
    let mut seen = BTreeSet::new();
    while design.tables.len() < count {
        let Some(table) = design.next(seats, &seen) else { break };
        seen.insert(table.clone());
        design.add(table);
    }
    if count <= IMPROVED {
        design.improve();
        design.spread();
    }
    let table =
        |bots: &Vec<usize>| Table::new(&bots.iter().map(|&bot| BotIndex(bot as u32)).collect::<Vec<_>>());
    design.tables.iter().filter_map(table).collect()
}

/// How even these tables are.
pub fn balance(bots: u32, tables: &[Table]) -> Balance {
    let mut design = Design::new(bots as usize);
    for table in tables {
        design.add(table.bots().iter().map(|bot| bot.index()).collect());
    }
    let n = design.bots;
    let bounds = |counts: &mut dyn Iterator<Item = u32>| {
        let counts: Vec<u32> = counts.collect();
        [counts.iter().min().copied().unwrap_or(0), counts.iter().max().copied().unwrap_or(0)]
    };
    let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| one * n + other));
    Balance {
        tables: bounds(&mut design.sits.iter().copied()),
        meetings: bounds(&mut pairs.map(|at| design.met[at])),
    }
}

struct Design {
    bots: usize,
    /// Each ascending.
    tables: Vec<Vec<usize>>,
    /// How many tables each bot has.
    sits: Vec<u32>,
    /// How often two bots meet, row by row.
    met: Vec<u32>,
}

impl Design {
    fn new(bots: usize) -> Self {
        Self { bots, tables: Vec::new(), sits: vec![0; bots], met: vec![0; bots * bots] }
    }

    fn met(&self, one: usize, other: usize) -> u32 {
        self.met[one * self.bots + other]
    }

    /// Another table: seat by seat the bot with the fewest tables, then with the fewest meetings with those who sit there.
    fn next(&self, seats: usize, seen: &BTreeSet<Vec<usize>>) -> Option<Vec<usize>> {
        // If the best one is there already, the first seat is taken by the next bot, and so on.
        let mut firsts: Vec<usize> = (0..self.bots).collect();
        firsts.sort_by_key(|&bot| self.sits[bot]);
        for first in firsts {
            let mut table = vec![first];
            while table.len() < seats {
                let free = (0..self.bots).filter(|bot| !table.contains(bot));
                let again = |bot: usize| {
                    let mut whole = table.clone();
                    whole.push(bot);
                    whole.sort_unstable();
                    whole.len() == seats && seen.contains(&whole)
                };
                let meetings =
                    |bot: usize| table.iter().map(|&other| self.met(bot, other).pow(2)).sum::<u32>();
                let best = free.min_by_key(|&bot| (again(bot), self.sits[bot], meetings(bot), bot))?;
                table.push(best);
            }
            table.sort_unstable();
            if !seen.contains(&table) {
                return Some(table);
            }
        }
        None
    }

    fn add(&mut self, table: Vec<usize>) {
        self.count(&table, 1);
        for &bot in &table {
            self.sits[bot] += 1;
        }
        self.tables.push(table);
    }

    fn count(&mut self, table: &[usize], by: i32) {
        for &one in table {
            for &other in table.iter().filter(|&&other| other != one) {
                let met = &mut self.met[one * self.bots + other];
                *met = met.saturating_add_signed(by);
            }
        }
    }

    /// Exchanges two bots of two tables as long as that makes the squares of the meetings add up to less.
    fn improve(&mut self) {
        let mut improved = true;
        while improved {
            improved = false;
            for one in 0..self.tables.len() {
                for other in one + 1..self.tables.len() {
                    while self.exchange(one, other) {
                        improved = true;
                    }
                }
            }
        }
    }

    /// Puts the tables into an order in which no bot is far ahead: next comes the one whose bots have played least.
    fn spread(&mut self) {
        let mut played = vec![0_u32; self.bots];
        for at in 0..self.tables.len() {
            let counts = |index: &usize| {
                let counts = self.tables[*index].iter().map(|&bot| played[bot]);
                (counts.clone().max(), counts.sum::<u32>())
            };
            let next = (at..self.tables.len()).min_by_key(counts).unwrap_or(at);
            self.tables.swap(at, next);
            self.tables[at].iter().for_each(|&bot| played[bot] += 1);
        }
    }

    fn exchange(&mut self, one: usize, other: usize) -> bool {
        let (left, right) = (self.tables[one].clone(), self.tables[other].clone());
        for &goes in left.iter().filter(|bot| !right.contains(bot)) {
            for &comes in right.iter().filter(|bot| !left.contains(bot)) {
                let with = |table: &[usize], out: usize, bot: usize| {
                    table.iter().filter(|&&at| at != out).map(|&at| i64::from(self.met(bot, at))).sum::<i64>()
                };
                // Each new meeting makes a square grow by 2m + 1, each lost one shrink by 2m − 1.
                let rest = left.len() as i64 - 1;
                let grow = with(&left, goes, comes) + with(&right, comes, goes) + rest * 2;
                let shrink = with(&left, goes, goes) + with(&right, comes, comes);
                if grow >= shrink {
                    continue;
                }
                let swapped = |table: &[usize], out: usize, bot: usize| {
                    let mut table: Vec<usize> =
                        table.iter().map(|&at| if at == out { bot } else { at }).collect();
                    table.sort_unstable();
                    table
                };
                let new = [swapped(&left, goes, comes), swapped(&right, comes, goes)];
                if new.iter().any(|table| self.tables.contains(table)) {
                    continue;
                }
                self.count(&left, -1);
                self.count(&right, -1);
                for (at, table) in [one, other].into_iter().zip(new) {
                    self.count(&table, 1);
                    self.tables[at] = table;
                }
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_sits_and_meets_about_equally_often() {
        let two = [
            (6, 3, 4),
            (7, 3, 7),
            (9, 3, 12),
            (12, 4, 9),
            (13, 4, 13),
            (16, 4, 20),
            (20, 4, 25),
            (48, 4, 96),
        ];
        for ((bots, seats, count), uneven) in
            two.map(|design| (design, 2)).into_iter().chain([((20, 8, 30), 4)])
        {
            let all = tables(bots, seats, count);
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), count, "{bots} {seats}");
            let balance = balance(bots, &all);
            let [fewest, most] = balance.tables;
            assert!(most - fewest <= 1, "{bots} {seats} {count}: {balance:?}");
            let [rarely, often] = balance.meetings;
            assert!(often - rarely <= uneven, "{bots} {seats} {count}: {balance:?}");
        }
    }

    #[test]
    fn nearly_complete_design_repeats_no_table() {
        let all = tables(6, 3, 19);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 19);
    }
}
