//! What the bots of a run computed while it was not their turn, and which were stopped for it.

use std::collections::BTreeMap;

use leyden_model::MatchRecord;
use schemars::JsonSchema;
use serde::Serialize;

/// The mean, in microseconds per match, from which it is reported.
const MUCH: u64 = 1_000;

/// Sums over the matches of a run, by bot.
#[derive(Default)]
pub struct OffTurnSums(BTreeMap<String, Sum>);

#[derive(Default)]
struct Sum {
    matches: u64,
    used_us: u64,
    stopped: u64,
}

/// One bot's time off turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BotOffTurn {
    pub name: String,
    pub matches: u64,
    /// The processor time that it used while it was not its turn, in microseconds: the mean per match.
    pub mean_us: u64,
    /// In how many matches it was stopped because of that.
    pub stopped: u64,
}

impl OffTurnSums {
    /// Adds a match.
    pub fn note(&mut self, record: &MatchRecord) {
        for (seat, name) in record.bots.iter() {
            let sum = self.0.entry(name.clone()).or_default();
            sum.matches += 1;
            if let Some(host) = &record.host {
                sum.used_us += host.off_turn_us.as_ref().map_or(0, |used| used[seat]);
                sum.stopped += u64::from(host.stopped.contains(&seat));
            }
        }
    }

    /// The bots that are worth reporting.
    pub fn to_report(&self) -> Vec<BotOffTurn> {
        let bots = self.0.iter().map(|(name, sum)| BotOffTurn {
            name: name.clone(),
            matches: sum.matches,
            mean_us: sum.used_us / sum.matches.max(1),
            stopped: sum.stopped,
        });
        bots.filter(|bot| bot.stopped > 0 || bot.mean_us >= MUCH).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bot_quiet_off_turn_is_not_reported() {
        let sum = |used_us, stopped| Sum { matches: 4, used_us, stopped };
        let all = [("quiet", sum(3_999, 0)), ("busy", sum(50_000, 0)), ("greedy", sum(400, 1))];
        let off_turn = OffTurnSums(all.map(|(name, sum)| (name.to_owned(), sum)).into());
        let in_report = off_turn.to_report();
        let in_report: Vec<_> =
            in_report.iter().map(|bot| (bot.name.as_str(), bot.mean_us, bot.stopped)).collect();
        assert_eq!(in_report, [("busy", 12_500, 0), ("greedy", 100, 1)]);
    }
}
