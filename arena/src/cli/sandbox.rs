//! What can be typed about a sandbox, and what is told of it.

use clap::Args;
use leyden_host::preflight::NotHeld;
use leyden_host::sandbox::Level;
use leyden_host::{BuildLimits, ResourceLimits};

use super::args::Span;
use super::memory::Memory;

/// The limits with the memory that was typed.
pub(super) fn limits(memory: Option<Memory>) -> ResourceLimits {
    let default = ResourceLimits::default();
    ResourceLimits { memory: memory.map_or(default.memory, Memory::bytes), ..default }
}

/// Which sandbox was found. What is missing for a better one matters where bots of several people play: of his own bot everybody
/// knows what it does.
pub(super) fn told(level: Level, missing: Option<&NotHeld>, strangers: usize) -> String {
    match missing {
        None => format!("sandbox: {level}"),
        Some(NotHeld { level: next, reason, remedy }) if strangers > 1 => {
            format!("sandbox: {level}; missing for {next}: {reason}; to get it: {remedy}")
        }
        Some(NotHeld { level: next, .. }) => {
            format!("sandbox: {level} (leyden doctor says what {next} would need)")
        }
    }
}

/// What the build command of a bot may use.
#[derive(Args, Clone, Copy, Debug, Default)]
#[allow(clippy::struct_field_names, reason = "they are called as they are typed")]
pub(crate) struct BuildOptions {
    /// Memory for each process of a build in a sandbox [default: 2GB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) build_memory: Option<Memory>,
    /// Time for a build [default: 5m]
    #[arg(long, value_name = "DUR")]
    pub(crate) build_time: Option<Span>,
    /// Let builds use the network
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) build_network: Option<bool>,
    /// Build nothing: play what lies in the bot's folder
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) no_build: Option<bool>,
}

impl BuildOptions {
    pub(crate) fn limits(&self) -> BuildLimits {
        let default = BuildLimits::default();
        BuildLimits {
            memory: self.build_memory.map_or(default.memory, Memory::bytes),
            time: self.build_time.map_or(default.time, Span::duration),
            network: self.build_network.unwrap_or(default.network),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_line_is_for_those_whom_it_concerns() {
        let missing = NotHeld { level: Level::Full, reason: "no group".to_owned(), remedy: "ask".to_owned() };
        let line = |strangers| told(Level::Jail, Some(&missing), strangers);
        assert_eq!(line(2), "sandbox: jail; missing for full: no group; to get it: ask");
        assert_eq!(line(1), "sandbox: jail (leyden doctor says what full would need)");
        assert_eq!(told(Level::Full, None, 9), "sandbox: full");
    }
}
