//! The options that a results file holds.

use std::path::PathBuf;

use leyden_host::sandbox::SandboxLevelChoice;
use leyden_model::BotIndex;

use crate::record::store::StoredPlan;
use crate::report::typed;
use crate::run::{FormatChoice, Options, RunKind, StagesChoice};
use leyden_format::{Competition, Format, Seeding};

/// The options that resume a tournament, match or gate as it is, with all bots that were not withdrawn, as seen from the
/// current folder. What a results file does not hold, such as the number of matches at once, is as in [`Options::new`]. There
/// are no bots if one of them cannot be named, such as the old version of a gate that came from git.
pub fn options_to_resume(stored: &StoredPlan, leyden: impl Into<PathBuf>) -> Options {
    let kind = match stored.gate {
        Some(terms) => RunKind::Gate(terms),
        None => RunKind::Tournament { format: format(stored) },
    };
    Options {
        kind,
        settings: stored.settings.clone().with(Some(stored.settings.seats), SandboxLevelChoice::Auto),
        blocks: stored.blocks,
        ..Options::new(leyden, bots(stored))
    }
}

/// The bots as they can be named, without the withdrawn ones, which play no more.
fn bots(stored: &StoredPlan) -> Vec<String> {
    let withdrawn: Vec<&str> = stored.withdrawn().collect();
    let bots = stored.bots_from_here();
    let play = bots.iter().filter(|bot| !withdrawn.contains(&&*bot.name));
    play.map(typed).collect::<Option<Vec<String>>>().unwrap_or_default()
}

/// The format with the names of its bots.
fn format(stored: &StoredPlan) -> FormatChoice {
    let names = |bots: &[BotIndex]| -> Vec<String> {
        bots.iter().filter_map(|bot| Some(stored.bots.get(bot.index())?.name.clone())).collect()
    };
    match &stored.format {
        Format::RoundRobin | Format::Single => FormatChoice::RoundRobin,
        Format::Gauntlet { challengers } => FormatChoice::Gauntlet(names(challengers)),
        Format::Stages(Competition { seeding, seeds, stages, .. }) => {
            let rated = if *seeding == Seeding::Rating { names(seeds) } else { Vec::new() };
            FormatChoice::Stages(StagesChoice { seeding: *seeding, rated, stages: stages.clone() })
        }
    }
}
