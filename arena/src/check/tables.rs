//! The tables at which a bot is checked: every rule set that it supports, few seats and many, every set of tiles.

use leyden_model::{MatchHeader, RecordRules, TimeLimits, TournamentSeed};
use leyden_protocol::{RulesName, Seats, Set};
use leyden_referee::MatchSpec;
use leyden_rules::{DEFAULT_TARGET, Rules};

use super::report::TableRestriction;
use crate::roster::Supports;

/// The score that ends a match here, after a round or two. One match is played to the usual target.
const TARGET: u32 = 20;

/// The seed text of all matches here: the same for every bot, every time.
const SEED: &str = "leyden check";

/// In this order each table differs most from the ones before: a slow bot may not get to all of them.
const TABLES: [(RulesName, usize, u8); 11] = [
    (RulesName::Leyden, 2, 6),
    (RulesName::Matador, 8, 12),
    (RulesName::Leiden, 2, 6),
    (RulesName::Matador, 2, 6),
    (RulesName::LeydenCross, 2, 6),
    (RulesName::LeydenFree, 2, 6),
    (RulesName::Senst, 2, 6),
    (RulesName::Matador, 6, 9),
    (RulesName::Matador, 3, 6),
    (RulesName::Matador, 4, 6),
    (RulesName::Matador, 5, 12),
];

/// A table, with its name in reports and commands.
#[derive(Clone, Debug)]
pub(super) struct CheckTable {
    pub(super) name: String,
    pub(super) rules: Rules,
}

/// The tables that a bot says it can play at.
pub(super) fn tables(supports: &Supports) -> Vec<CheckTable> {
    let mut all = Vec::new();
    for (name, seats, top) in TABLES {
        let (Some(seats), Some(set)) = (Seats::new(seats), Set::from_top(top)) else { continue };
        let Ok(rules) = Rules::new(name, seats, set, TARGET) else { continue };
        if supports.rules(name) && supports.seats(seats) {
            let name = match name {
                RulesName::Matador => format!("matador-{seats}-{top}"),
                other => other.to_string(),
            };
            all.push(CheckTable { name, rules });
        }
    }
    all
}

/// Says how a `bot.toml` could keep a bot to the tables where it did well, if it did at some and failed at others: by their rule
/// sets or by their numbers of seats: by the one that leaves more of them.
pub(super) fn plays_only(met: &[(CheckTable, bool)]) -> Option<TableRestriction> {
    let good = || met.iter().filter(|(_, went_well)| *went_well).map(|(table, _)| &table.rules);
    let bad = || met.iter().filter(|(_, went_well)| !*went_well).map(|(table, _)| &table.rules);
    let fails_at = met.iter().filter(|(_, went_well)| !*went_well).map(|(table, _)| table.name.clone());
    let fails_at: Vec<String> = fails_at.collect();
    let mut rules: Vec<RulesName> = RulesName::ALL.into();
    rules.retain(|name| good().any(|good| good.name == *name) && bad().all(|bad| bad.name != *name));
    let mut seats: Vec<Seats> = good().map(|good| good.seats).collect();
    seats.sort();
    seats.dedup();
    seats.retain(|seats| bad().all(|bad| bad.seats != *seats));
    let left_by_rules = good().filter(|good| rules.contains(&good.name)).count();
    let left_by_seats = good().filter(|good| seats.contains(&good.seats)).count();
    if fails_at.is_empty() || left_by_rules.max(left_by_seats) == 0 {
        return None;
    }
    Some(if left_by_seats > left_by_rules {
        TableRestriction { fails_at, rules: Vec::new(), seats }
    } else {
        TableRestriction { fails_at, rules, seats: Vec::new() }
    })
}

impl CheckTable {
    /// The name of the finding about the whole match at this table.
    pub(super) fn game(&self) -> String {
        format!("game-{}", self.name)
    }

    /// The same table with the usual target; `None` if such rules cannot be played.
    pub(super) fn to_usual_target(&self) -> Option<Self> {
        let rules = &self.rules;
        let rules = Rules::new(rules.name, rules.seats, rules.set, DEFAULT_TARGET).ok()?;
        Some(Self { name: self.name.clone(), rules })
    }

    /// Match `number` at this table, the same every time.
    pub(super) fn spec(&self, number: u32, limits: TimeLimits) -> MatchSpec {
        let rules = RecordRules::from(&self.rules);
        let seed = TournamentSeed::from_text(SEED).match_seed(&[&self.name], number);
        let names: Vec<String> = rules.seats.iter().map(|seat| format!("seat {seat}")).collect();
        let header = MatchHeader::new("leyden check".to_owned(), seed, rules, (number, 0), &names);
        MatchSpec { header, rules: self.rules, limits, strikes: 0, show_names: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line for a bot that fails at the tables that are so.
    fn line(is_bad: impl Fn(&Rules) -> bool) -> Option<String> {
        let all = tables(&Supports::default());
        let met: Vec<_> = all.into_iter().map(|table| (table.clone(), !is_bad(&table.rules))).collect();
        plays_only(&met).map(|only| only.line())
    }

    #[test]
    fn manifest_line_keeps_the_most_tables_that_passed() {
        let one = line(|rules| rules.name != RulesName::Leyden);
        assert_eq!(one.as_deref(), Some("rules = [\"leyden\"]"));
        let two = line(|rules| rules.seats.count() > 2);
        assert_eq!(two.as_deref(), Some("seats = [2]"));
        let no_matador = line(|rules| rules.name == RulesName::Matador);
        assert!(no_matador.is_some_and(|line| line.contains("\"senst\"") && !line.contains("matador")));
        assert_eq!((line(|_| true), line(|_| false)), (None, None));
    }

    #[test]
    fn tables_cover_exactly_the_supported_rules_and_seats() {
        let all = tables(&Supports::default());
        assert_eq!(all.len(), TABLES.len(), "all of them can be played");
        for name in RulesName::ALL {
            assert!(all.iter().any(|table| table.rules.name == name), "{name}");
        }
        assert!(all.iter().any(|table| table.rules.seats.count() == 8));
        let some = Supports { rules: vec![RulesName::Matador], seats: vec![Seats::TWO] };
        let names: Vec<_> = tables(&some).into_iter().map(|table| table.name).collect();
        assert_eq!(names, ["matador-2-6"]);
        for table in all {
            let whole = table.to_usual_target().expect(&table.name);
            assert_eq!((whole.rules.target, whole.rules.name), (DEFAULT_TARGET, table.rules.name));
        }
    }
}
