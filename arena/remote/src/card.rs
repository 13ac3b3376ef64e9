//! What a worker reports about itself.

use leyden_host::ResourceLimits;
use leyden_host::platform;
use leyden_host::preflight::{self, TrialOutcome};
use leyden_host::sandbox::SandboxLevel;
use serde::{Deserialize, Serialize};

use super::speed;
use leyden_arena::roster::is_on_path;

/// Programs that bots often need.
const INTERPRETERS: [&str; 9] = ["python3", "node", "java", "ruby", "perl", "lua", "cc", "c++", "cargo"];

/// The most matches at once that a worker may claim to play.
const MOST_SLOTS: usize = 1024;

/// What decides whether a worker is used, and what is shown about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerCard {
    /// The version of leyden.
    pub version: String,
    /// How many matches it plays at once.
    pub slots: usize,
    /// On how many cores it plays.
    pub cores: usize,
    /// Units of a fixed piece of work per second, in hundredths.
    pub speed: u32,
    /// The sandbox levels that hold there, the strictest first.
    pub levels: Vec<SandboxLevel>,
    /// The names of the interpreters and compilers that bots can use there.
    pub interpreters: Vec<String>,
    /// How many matches it is playing.
    pub playing: usize,
    /// The tournament that these matches belong to.
    pub tournament: Option<String>,
    /// The machine's load average over the last minute.
    pub load: f32,
}

impl WorkerCard {
    /// Describes this machine: tries every sandbox level, and measures the speed.
    pub fn for_this_machine(leyden: &std::path::Path, slots: usize) -> Self {
        let held = preflight::examine(leyden, ResourceLimits::default());
        let holds = |outcome: &TrialOutcome| !matches!(outcome, TrialOutcome::Failed { .. });
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            slots,
            cores: platform::allowed_cores().len(),
            speed: speed::measure(),
            levels: held.iter().filter(|it| holds(&it.outcome)).map(|it| it.level).collect(),
            interpreters: INTERPRETERS
                .iter()
                .filter(|name| is_on_path(name))
                .map(|&name| name.to_owned())
                .collect(),
            playing: 0,
            tournament: None,
            load: 0.0,
        }
    }

    /// Returns the card with the current activity.
    pub(super) fn with_activity(&self, playing: usize, tournament: Option<String>) -> Self {
        let said = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = said.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or_default();
        Self { playing, tournament, load, ..self.clone() }
    }

    /// Returns how many jobs this worker may play at once for a run at this sandbox level, and its speed in hundredths of `here`,
    /// the director's speed. Fails with the reason if it may play none. If `here` is `None`, all machines count as equally fast.
    pub(super) fn admit(&self, level: SandboxLevel, here: Option<u32>) -> Result<(usize, u32), String> {
        let ours = env!("CARGO_PKG_VERSION");
        if self.version != ours {
            return Err(format!("it runs leyden {}, not {ours}", self.version));
        }
        if !self.levels.contains(&level) {
            return Err(format!(
                "the sandbox level {level} does not hold there (run leyden doctor to see what is missing)"
            ));
        }
        let speed = here.map_or(speed::SAME, |here| speed::relative(self.speed, here));
        if !speed::RANGE.contains(&speed) {
            return Err(format!(
                "it is {}.{:02} times as fast as this machine, but results are comparable only from 0.5 to 2 times \
                 (if the machines are of the same kind, but were busy when measured: --equal-speed)",
                speed / 100,
                speed % 100
            ));
        }
        Ok((self.slots.clamp(1, MOST_SLOTS), speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worker_with_other_conditions_is_not_used() {
        let card = WorkerCard {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            slots: 3,
            cores: 4,
            speed: 1000,
            levels: vec![SandboxLevel::Restrict, SandboxLevel::None],
            interpreters: Vec::new(),
            playing: 0,
            tournament: None,
            load: 0.0,
        };
        assert_eq!(card.admit(SandboxLevel::Restrict, Some(900)), Ok((3, 110)));
        let many = WorkerCard { slots: usize::MAX, ..card.clone() };
        assert_eq!(many.admit(SandboxLevel::None, Some(1000)), Ok((MOST_SLOTS, 100)));
        assert!(card.admit(SandboxLevel::Jail, Some(1000)).unwrap_err().contains("jail does not hold"));
        assert!(card.admit(SandboxLevel::None, Some(2500)).unwrap_err().contains("0.40 times as fast"));
        assert_eq!(card.admit(SandboxLevel::None, None), Ok((3, 100)));
        let old = WorkerCard { version: "0.0.1".to_owned(), ..card };
        assert!(old.admit(SandboxLevel::None, None).unwrap_err().contains("leyden 0.0.1"));
    }
}
