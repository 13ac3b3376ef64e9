//! The source text of a bot, as it was handed in. Reads only regular files of a limited size.

use std::path::Path;

use super::Competitor;
use super::content;

/// The longest file that is read, and the most files of a bot.
const LONGEST: usize = 256 << 10;
const MOST: usize = 200;

/// A file of a bot that is text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Its path in the bot's folder.
    pub file: String,
    pub text: String,
}

/// Returns the texts in a bot's folder, without what its build makes; none if it has no folder.
pub fn sources(bot: &Competitor) -> Vec<SourceText> {
    let Some(folder) = bot.handed_in_folder() else { return Vec::new() };
    let paths = content::paths(folder, true).unwrap_or_default();
    let read = |path: &std::path::PathBuf| {
        let inside: &Path = path.strip_prefix(folder).ok()?;
        let file = inside.to_string_lossy().replace(leyden_protocol::is_hidden, "\u{fffd}");
        (!path.is_symlink())
            .then(|| content::text(path, LONGEST).ok())
            .flatten()
            .map(|text| SourceText { file, text })
    };
    paths.iter().filter_map(read).take(MOST).collect()
}
