//! What bots may use that are started outside of a tournament.

use std::path::PathBuf;

use clap::Args;
use leyden_host::sandbox::SandboxLevelChoice;

use super::Memory;

/// The sandbox of bots.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = super::heading::SANDBOX)]
pub(crate) struct SandboxOptions {
    /// How to confine each bot: auto, full, jail, restrict or none; auto is the best level that works on this machine
    /// [default: auto]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) sandbox: Option<SandboxLevelChoice>,
    /// Let bots whose bot.toml asks for it read this file or folder; can be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Let this bot use the network if its bot.toml asks for it (network = true); can be given several times
    #[arg(long, value_name = "BOT")]
    pub(crate) allow_network: Vec<String>,
    /// Memory for a bot in a sandbox, such as 512MB or 2GB [default: 512MB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Memory>,
}
