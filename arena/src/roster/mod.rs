//! Turns what was typed on the command line into named bots with a command to run. Runs no programs except build commands.

mod archive;
mod bot_copy;
mod build_hint;
mod competitor;
mod content;
mod entries;
mod error;
mod finder;
mod isolation;
mod kept_build;
mod manifest;
mod named_bot;
mod names;
mod own_program;
mod packed_text;
mod plain_names;
mod portable_bot;
mod preparation;
mod programs;
mod pseudonyms;
mod ready_bots;
mod same_files;
mod sandbox_reads;
mod single_file_hint;
mod source_file;
mod sources;

pub use bot_copy::CopyError;
pub use competitor::{Competitor, IN_PROCESS, Supports};
pub(crate) use content::open_regular;
pub use content::{ContentError, Files, latest};
pub(crate) use entries::can_be_bot;
pub use entries::{IGNORE, entries_in};
pub use error::{BotCopyError, BotLookupError, BotPreparationError, UnusableBotError};
pub use finder::{FoundBots, check_quotes, find, find_again, find_entry, find_handed_in, find_submission};
pub use isolation::{ExposedError, keep_apart};
pub use kept_build::sweep_builds;
pub use manifest::has_manifest;
pub use named_bot::{UnknownBotError, bot_index};
pub use names::SameName;
pub use plain_names::{LONGEST_NAME, is_plain_name};
pub use portable_bot::{PortableBot, ReceiveBotError, SendBotError};
pub use preparation::Builder;
pub use programs::is_on_path;
pub use pseudonyms::{PseudonymError, Pseudonyms};
pub use ready_bots::ReadyBots;
pub use same_files::{SameFiles, same_files};
pub use sandbox_reads::{Grants, HideReason, Sharing};
pub use source_file::{PackFileError, pack_alone};
pub use sources::{SourceText, sources};

#[cfg(test)]
mod tests;
