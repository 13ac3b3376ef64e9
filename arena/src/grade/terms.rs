//! What else grades depend on, apart from a bot's own files.

use std::path::PathBuf;

use crate::roster::Pseudonyms;
use leyden_model::{TimeLimits, hex};
use sha2::{Digest, Sha256};

use super::rubric::Rubric;
use crate::rerun::BotEnvironment;

/// How bots are graded.
#[derive(Clone, Debug)]
pub struct GradingOptions {
    pub rubric: Rubric,
    pub around: BotEnvironment,
    pub limits: TimeLimits,
    /// The folder that keeps the matches, one results file for each bot and part of the rubric; `None` keeps nothing.
    pub keep: Option<PathBuf>,
    /// Whether entries may be builtin bots, or contain or start this program.
    pub allow_builtins: bool,
}

impl GradingOptions {
    /// A hash of what else grades depend on, apart from a bot's files and the seed; `references` are the hashes of the rubric's bots.
    pub(super) fn terms(&self, references: &[String]) -> String {
        let Self { rubric, around, limits, .. } = self;
        let rubric = Rubric { seed: None, pseudonyms: Pseudonyms::default(), ..rubric.clone() };
        let (build, read, network) = (around.build_limits, &around.allow_read, &around.allow_network);
        let all = format!(
            "{} {rubric:?} {references:?} {limits:?} {:?} {:?} {build:?} {read:?} {network:?} {}",
            env!("CARGO_PKG_VERSION"),
            around.sandbox,
            around.limits,
            around.no_build
        );
        hex(&Sha256::digest(all.as_bytes()))
    }
}
