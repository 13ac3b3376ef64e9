//! Commands that play: `tournament`, `match`, `gate` and `play`, and what they show while they run and at the end.

pub(crate) mod against;
pub(crate) mod commit;
pub(crate) mod estimate;
pub(crate) mod events;
pub(crate) mod final_report;
pub(crate) mod gate;
mod git;
pub(crate) mod junit_fallback;
pub(crate) mod notices;
pub(crate) mod person;
pub(crate) mod progress;
pub(crate) mod resume_options;
pub(crate) mod serve;
pub(crate) mod signals;
pub(crate) mod tournament;
