//! What an author does after a lost match in which nothing went wrong: step through the worst loss, and read on.

use std::collections::BTreeMap;
use std::path::Path;

use leyden_arena::report::Versus;
use leyden_model::MatchRecord;
use leyden_model::words::counted;

use crate::report::grid::plain;

/// The worst loss of each bot: by how many points, and the id of the match.
#[derive(Default)]
pub(crate) struct WorstLosses(BTreeMap<String, (u32, String)>);

impl WorstLosses {
    /// Counts a match of two that ended without a fault.
    pub(crate) fn note(&mut self, record: &MatchRecord) {
        let (None, Some(winner), 2) = (&record.fault, record.winner, record.bots.seats().count()) else {
            return;
        };
        let loser = record.bots.seats().after(winner);
        let margin = record.scores[winner].abs_diff(record.scores[loser]);
        let worst = self.0.entry(record.bots[loser].clone()).or_default();
        if margin > worst.0 {
            *worst = (margin, record.id.clone());
        }
    }

    /// What the author of the first bot does next, if that bot lost more than it won, and none of it by a fault.
    pub(crate) fn next_command(&self, versus: &Versus, file: &Path) -> Option<String> {
        let [own, _] = &versus.bots;
        let (results, (margin, id)) = (&own.results, self.0.get(&own.name)?);
        let is_clean = results.faults.values().sum::<u64>() == 0;
        (is_clean && results.lost > results.won).then(|| {
            format!(
                "{} lost {}, the worst by {}. Step through that match:\n  leyden replay {} {id} --html worst.html\n\
                 How bots get better, one idea at a time: leyden thinking",
                plain(&own.name),
                counted(results.lost, "match", "matches"),
                counted(*margin, "point", "points"),
                crate::out::quoted(file.as_os_str()),
            )
        })
    }
}
