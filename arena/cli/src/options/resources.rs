//! Options for memory and time of bots and their builds.

use clap::Args;
use leyden_host::{BuildLimits, ResourceLimits};

use super::memory::Memory;
use super::span::Span;

/// Returns the limits with the memory that was typed.
pub(crate) fn resource_limits(memory: Option<Memory>) -> ResourceLimits {
    let default = ResourceLimits::default();
    ResourceLimits { memory: memory.map_or(default.memory, Memory::bytes), ..default }
}

/// What the build command of a bot may use.
#[derive(Args, Clone, Copy, Debug, Default)]
#[allow(clippy::struct_field_names, reason = "they are named as they are typed")]
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
    /// Build nothing: play what is in the bot's folder
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
