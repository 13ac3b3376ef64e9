//! Several tournaments one after the other, such as those of the weeks of a course: how each bot has fared from one to the next.

use std::collections::BTreeMap;

use leyden_stats::Holds;

use super::tournament_comparison::{
    BotChange, BotChangeKind, CompareError, ComparedStanding, TournamentComparison,
};
use crate::record::store::Results;

/// Tournaments in order, and the bots that played in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Each with the next one.
    pub steps: Vec<TournamentComparison>,
    /// The bots of the last tournament in its order, then those that left, the latest first.
    pub bots: Vec<SeriesBot>,
}

/// A bot in each tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesBot {
    /// Its name where it played last.
    pub name: String,
    /// Its standing in each tournament; `None` where it did not play. Ratings are on the scale of the last tournament; without bots that
    /// stayed the same from one to the next there is no such scale before, and no rating.
    pub stood: Vec<Option<ComparedStanding>>,
    /// How it came into each tournament but the first.
    pub changes: Vec<Option<SeriesChange>>,
}

/// A bot from one tournament to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesChange {
    pub change: BotChangeKind,
    /// By how much its rating has moved, as in [`BotChange`].
    pub moved: Option<f64>,
    /// With 95 % confidence the intervals `moved` ± this of all bots hold together; `None` with too few blocks.
    pub half_width: Option<f64>,
}

impl Series {
    /// Compares each tournament with the next one. At least two are expected.
    pub fn new(results: &[Results]) -> Result<Self, CompareError> {
        let steps = results.windows(2).map(|two| TournamentComparison::new(&two[0], &two[1]));
        let steps = steps.collect::<Result<Vec<TournamentComparison>, CompareError>>()?;
        let mut series = Self { steps: Vec::new(), bots: Vec::new() };
        let (last, mut shift) = (steps.len(), Some(0.0));
        let mut rows: BTreeMap<String, usize> = BTreeMap::new();
        for bot in steps.last().iter().flat_map(|step| &step.bots).filter(|bot| bot.after.is_some()) {
            rows.insert(bot.name.clone(), series.row(&bot.name, last));
        }
        for (nth, step) in steps.iter().enumerate().rev() {
            let mut earlier = BTreeMap::new();
            for bot in &step.bots {
                let known = rows.get(&bot.name).copied().filter(|_| bot.after.is_some());
                let row = known.unwrap_or_else(|| series.row(&bot.name, last));
                let entry = &mut series.bots[row];
                entry.stood[nth + 1] = bot.after.as_ref().map(|stood| shifted(stood, shift));
                // The earlier rating is on the later scale, if there is one.
                let to_last = step.shift.and(shift);
                entry.stood[nth] = bot.before.as_ref().map(|stood| shifted(stood, to_last));
                entry.changes[nth] = bot.after.as_ref().map(|_| change(bot));
                if bot.before.is_some() {
                    earlier.insert(bot.was_called.as_ref().unwrap_or(&bot.name).clone(), row);
                }
            }
            rows = earlier;
            shift = step.shift.zip(shift).map(|(own, later)| own + later);
        }
        series.steps = steps;
        Ok(series)
    }

    /// When the intervals of changes hold: those of one step together.
    pub fn holds(&self) -> Holds {
        let any_time = self.steps.iter().any(|step| step.holds == Holds::AtAnyTime);
        if any_time { Holds::AtAnyTime } else { Holds::AtPlannedEnd }
    }

    /// Adds a bot, and returns its index.
    fn row(&mut self, name: &str, steps: usize) -> usize {
        let (stood, changes) = (vec![None; steps + 1], vec![None; steps]);
        self.bots.push(SeriesBot { name: name.to_owned(), stood, changes });
        self.bots.len() - 1
    }
}

fn shifted(stood: &ComparedStanding, shift: Option<f64>) -> ComparedStanding {
    ComparedStanding { elo: stood.elo.zip(shift).map(|(elo, shift)| elo + shift), ..stood.clone() }
}

fn change(bot: &BotChange) -> SeriesChange {
    SeriesChange { change: bot.change, moved: bot.moved, half_width: bot.half_width }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;
    use crate::record::store::Writer;

    #[test]
    fn series_ratings_are_on_the_last_scale() {
        let folder = tempfile::tempdir().unwrap();
        let results = |name: &str, bots: usize| {
            let stored_plan = sample::stored_plan(bots, 12);
            let path = folder.path().join(name);
            let writer = Writer::create(&path, &stored_plan).unwrap();
            for (key, record) in sample::matches(&stored_plan) {
                writer.add(&key, record).unwrap();
            }
            writer.finish().unwrap();
            Results::open(&path).unwrap()
        };
        let all = [results("a", 4), results("b", 3), results("c", 4)];
        let series = Series::new(&all).unwrap();
        let whole = TournamentComparison::new(&all[0], &all[2]).unwrap();
        for bot in &series.bots {
            let [first, middle, last] = &bot.stood[..] else { panic!() };
            // The bot that was away in between stands in a row of its own before and after.
            assert_eq!(first.is_some() && last.is_some(), middle.is_some(), "{bot:?}");
            let Some((first, last)) = first.as_ref().zip(last.as_ref()) else { continue };
            assert!((first.elo.unwrap() - last.elo.unwrap()).abs() < 1e-6, "the same results: {bot:?}");
            assert_eq!(first.place, last.place);
        }
        assert_eq!(series.bots.len(), whole.bots.len() + 1);
        let direct = TournamentComparison::new(&all[1], &all[2]).unwrap();
        let one = series.bots.iter().find(|bot| bot.name == direct.bots[0].name).unwrap();
        assert_eq!(one.stood[1], direct.bots[0].before);
        assert_eq!(one.stood[2], direct.bots[0].after);
    }
}
