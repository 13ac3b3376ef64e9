//! A bot typed without quotes: a command line, or a builtin bot with its options, must be a single quoted argument.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use leyden_arena::roster::check_quotes;

use crate::exit::CommandError;
use crate::report::grid::plain;

/// The options of the builtin bots.
const OF_BOTS: [&str; 4] = ["--blunder", "--level", "--playouts", "--think"];

/// Returns an error if words that the command does not accept are parts of a bot.
pub(crate) fn lacks_quotes(words: &[OsString], error: &clap::Error) -> Option<CommandError> {
    let unknown = &misplaced(error)?;
    let words: Option<Vec<String>> =
        words.iter().skip(2).map(|word| word.to_str().map(str::to_owned)).collect();
    let words = words?;
    if let Err(error) = check_quotes(&words) {
        return Some(CommandError::missing(error));
    }
    if !OF_BOTS.contains(&unknown.as_str()) {
        return None; // a typo, which clap explains better
    }
    let behind = words.iter().position(|word| word.split('=').next() == Some(unknown))?;
    let bot = behind.checked_sub(1).filter(|&bot| words[bot].starts_with("builtin:"))?;
    // Words after the bot belong to it up to the value of the option.
    let value = words.get(behind + 1).filter(|word| !words[behind].contains('=') && !word.starts_with('-'));
    let whole = words[bot..=behind + usize::from(value.is_some())].join(" ");
    Some(CommandError::missing(format!(
        "{unknown} follows {}: quote a bot together with its options, such as \"{}\"",
        plain(&words[bot]),
        plain(&whole)
    )))
}

/// Returns the word that the command does not accept there.
fn misplaced(error: &clap::Error) -> Option<String> {
    let named = |kind| match error.get(kind)? {
        ContextValue::String(named) => Some(named.clone()),
        ContextValue::Strings(all) => all.first().cloned(),
        _ => None,
    };
    let invalid = named(ContextKind::InvalidArg)?;
    match error.kind() {
        ErrorKind::UnknownArgument => Some(invalid),
        // An option of the command that follows a place where no bot may be named.
        ErrorKind::ArgumentConflict if invalid.contains("BOT") => {
            named(ContextKind::PriorArg)?.split(' ').next().map(str::to_owned)
        }
        _ => None,
    }
}
