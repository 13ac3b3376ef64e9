//! Commands that play: `tournament`, `match`, `gate` and `play`, and what they show while they run and at the end.

pub(crate) mod commit;
pub(crate) mod estimate;
pub(crate) mod events;
pub(crate) mod final_report;
pub(crate) mod gate;
mod git;
pub(crate) mod git_version;
pub(crate) mod junit_fallback;
pub(crate) mod known_runs;
pub(crate) mod notices;
pub(crate) mod person;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod repeatability;
mod rerun_match;
pub(crate) mod resume_options;
pub(crate) mod serve;
pub(crate) mod signals;
pub(crate) mod tournament;
pub(crate) mod worker_sample;
pub(crate) mod worst_loss;
