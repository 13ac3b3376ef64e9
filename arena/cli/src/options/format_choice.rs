//! The format that the options of a tournament choose.

use leyden_arena::format::{Play, Seeding, Stage};
use leyden_arena::run::{FormatChoice, StagesChoice};

use super::stage::{FormatName, StageOptions};
use super::tournament::TournamentOptions;
use crate::exit::CommandError;

/// The format that the options choose; `None` if they choose none. `rated` are the bots of an earlier tournament, best first.
pub(crate) fn format(
    options: &TournamentOptions,
    rated: Vec<String>,
) -> Result<Option<FormatChoice>, CommandError> {
    let stages = &options.stage;
    let is_gauntlet =
        stages.iter().all(|stage| stage.format.is_none_or(|format| format == FormatName::Gauntlet));
    if !options.gauntlet.is_empty() {
        if !is_gauntlet {
            return Err(CommandError::usage(
                "--gauntlet is a format of its own: leave it or the other one out",
            ));
        }
        return Ok(Some(FormatChoice::Gauntlet(options.gauntlet.clone())));
    }
    let [first, ..] = &stages[..] else {
        return match options.seeding {
            None | Some(Seeding::List) => Ok(None),
            Some(_) => {
                Err(CommandError::usage("seeds matter to a --format with stages, such as --format swiss"))
            }
        };
    };
    if stages.len() == 1
        && *first == (StageOptions { format: Some(FormatName::RoundRobin), ..<_>::default() })
    {
        return Ok(Some(FormatChoice::RoundRobin));
    }
    let mut all = Vec::new();
    for stage in stages {
        all.push(stage.stage(options.blocks)?);
    }
    // A stage from which bots go on is followed by a knockout, unless something else follows.
    if let Some(last) = stages.last().filter(|last| last.advance.is_some()) {
        all.push(Stage {
            play: Play::Knockout { best_of: last.best_of.is_some(), third_place: last.third_place },
            blocks: last.best_of.or(options.blocks).unwrap_or(1),
            advance: None,
            tie_breaks: Vec::new(),
        });
    }
    let seeding = options.seeding.unwrap_or_default();
    if seeding == Seeding::Rating && rated.is_empty() {
        return Err(CommandError::usage(
            "seeding by rating needs --ratings FILE, the results of an earlier tournament",
        ));
    }
    Ok(Some(FormatChoice::Stages(StagesChoice { seeding, rated, stages: all })))
}
