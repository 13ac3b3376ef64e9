//! Bots for a table with a person: found, built and confined as for a plan, but nothing is scheduled.

use std::path::PathBuf;

use leyden_host::Launcher;
use leyden_host::preflight::{self, ChosenLevel};
use leyden_model::Settings;
use leyden_referee::Launch;
use leyden_rules::Rules;

use super::choices::{all_there, find, foreign_bots, prepare, settings};
use super::options::Options;
use super::plan::{Notice, PlanError};
use super::seed::seed;
use crate::roster::{Competitor, FoundBots};

/// Bots that are ready to be started, and the settings of the match.
#[derive(Clone, Debug)]
pub struct Opponents {
    pub settings: Settings,
    pub rules: Rules,
    /// The seed text, from which every deal follows.
    pub seed: String,
    /// In the order in which they were named.
    pub bots: Vec<Competitor>,
    launcher: Launcher,
}

impl Opponents {
    /// Does what [`Plan::make`](super::Plan::make) does, for a match at whose table `others` sit beside the bots.
    pub fn make(
        options: &Options,
        others: usize,
        private: &[PathBuf],
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, PlanError> {
        let FoundBots { bots: found, left_out, same_names } = find(options, &[])?;
        for same in same_names {
            notify(Notice::SameName(same));
        }
        let left_out = all_there(left_out, options)?;
        let (mut settings, rules) = settings(options, found.len() + others)?;
        let ChosenLevel { sandbox, missing } =
            preflight::choose(&options.leyden, options.settings.sandbox, options.sandbox_limits())?;
        notify(Notice::Sandbox { level: sandbox.level(), missing, foreign_bots: foreign_bots(&found) });
        settings.sandbox = sandbox.level();
        let launcher = Launcher::new(options.leyden.clone()).with_sandbox(sandbox);
        let (bots, _) = prepare(&found, left_out, options, &launcher, private, notify)?;
        Ok(Self { settings, rules, seed: seed(options.seed.as_deref(), None)?, bots, launcher })
    }

    /// How a bot is started.
    pub fn launch(&self, bot: &Competitor) -> Launch {
        Launch {
            launcher: self.launcher.clone(),
            command: bot.command.clone(),
            rules: self.rules,
            limits: self.settings.limits,
            pondering: self.settings.pondering,
            cores: 1,
        }
    }
}
