//! A recorded match, played to one of its bots again in a new process.

use leyden_arena::rerun::{Difference, RecordedMatch, block_on, rerun};
use leyden_arena::roster::Competitor;
use leyden_arena::run::Plan;
use leyden_model::MatchRecord;
use leyden_referee::Launch;

/// What the bot does now.
#[derive(Debug, PartialEq)]
pub(super) enum RepeatOutcome {
    Alike,
    Otherwise(Difference),
    /// This cannot be seen now.
    Unknown,
}

/// Plays a match of a run to one of its bots again.
pub(super) fn ask_again(record: &MatchRecord, bot: &Competitor, plan: &Plan) -> RepeatOutcome {
    let Some((seat, _)) = record.bots.iter().find(|(_, name)| **name == bot.name) else {
        return RepeatOutcome::Unknown;
    };
    let launch = Launch {
        launcher: plan.launcher.clone(),
        command: bot.command.clone(),
        rules: plan.rules,
        limits: plan.settings.limits,
        pondering: plan.settings.pondering,
        cores: plan.cores_per_match,
    };
    let recorded = RecordedMatch::new(record.clone(), Some(&plan.settings));
    match block_on(rerun(&recorded, &launch, seat, None, None)) {
        Ok(Ok(report)) => report.difference.map_or(RepeatOutcome::Alike, RepeatOutcome::Otherwise),
        _ => RepeatOutcome::Unknown,
    }
}
