//! Turns what was typed on the command line into named bots with a command to run. Runs no programs except build commands.

mod apart;
mod archive;
mod bot_copy;
mod build_hint;
mod competitor;
mod content;
mod entries;
mod found;
mod lone_file;
mod manifest;
mod meant;
mod missing;
mod names;
mod own_program;
mod plain_names;
mod programs;
mod reach;
mod ready;
mod same_files;
mod sources;
mod travel;

pub use apart::{ExposedError, keep_apart};
pub use competitor::{Competitor, IN_PROCESS, Supports};
pub use content::{Files, latest};
pub use entries::IGNORE;
pub use found::{Found, check_quotes, find, find_again, find_handed_in, find_submission};
pub use meant::{UnknownBotError, meant};
pub use missing::{BotCopyError, Missing, NotABotError, NotReadyError};
pub use names::SameName;
pub use plain_names::{LONGEST_NAME, is_plain_name};
pub use programs::is_on_path;
pub use reach::{Grants, Sharing, WhyHidden};
pub use ready::Builder;
pub use same_files::{SameFiles, same_files};
pub use sources::{SourceText, sources};
pub use travel::{PortableBot, ReceiveBotError, SendBotError};

#[cfg(test)]
mod tests;
