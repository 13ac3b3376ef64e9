//! Why something is not a bot, or cannot run here, each with what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use leyden_model::LeftOut;

use super::content::{self, ContentError};
use super::plain_names::MANIFEST;

/// Something that was typed is not a bot.
#[derive(Debug, thiserror::Error)]
pub enum BotLookupError {
    #[error(
        "there is no bot {0:?}: expected a folder with a {MANIFEST}, an executable file, a quoted command line such as \
         \"python3 bot.py\", or builtin:NAME ({names})", names = builtin_names()
    )]
    Unknown(String),
    #[error("there is no builtin bot {0:?}; there are {names}", names = builtin_names())]
    UnknownBuiltin(String),
    #[error(
        "{path} is not executable: make it so (chmod +x), or give the command line that runs it, in quotes",
        path = .0.display()
    )]
    NotExecutable(PathBuf),
    #[error("{path}: {problem}", path = .path.display())]
    Manifest { path: PathBuf, problem: String },
    #[error("{path}: {reason}", path = .path.display())]
    Content { path: PathBuf, reason: String },
    #[error(
        "{folder} contains no bot: expected folders with a {MANIFEST}, or zip archives of such folders{rest}",
        folder = .folder.display(), rest = .entries.iter().flat_map(|entry| ["\n  ", entry]).collect::<String>()
    )]
    NoBots { folder: PathBuf, entries: Vec<String> },
    #[error(
        "{program:?} and {file:?} count as two bots: put a command line in quotes, such as \"{program} {file}\""
    )]
    NoQuotes { program: String, file: String },
    #[error("the command line {0:?} has an open quote")]
    Quotes(String),
    #[error("cannot read {path}: {source}", path = .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// Said of an entry, which is named beside.
    #[error("it cannot be unpacked: {0}")]
    NotUnpacked(io::Error),
}

impl BotLookupError {
    pub(super) fn content(path: &Path, reason: impl Into<String>) -> Self {
        Self::Content { path: path.to_owned(), reason: reason.into() }
    }

    /// What was found at this path cannot be used.
    pub(super) fn from_content(path: &Path, error: ContentError) -> Self {
        match error {
            ContentError::Unreadable { path, source } => Self::Unreadable { path, source },
            ContentError::Special(_)
            | ContentError::Files
            | ContentError::Bytes
            | ContentError::LongPath(_) => Self::content(path, error.to_string()),
        }
    }

    /// Returns the system's error if the machine lacks something to read or unpack what is there; otherwise the cause is what
    /// is there.
    pub fn system(&self) -> Option<&io::Error> {
        match self {
            Self::Unreadable { source, .. } => Some(source).filter(|error| !content::is_of_handed_in(error)),
            Self::NotUnpacked(source) => Some(source),
            Self::Unknown(_)
            | Self::UnknownBuiltin(_)
            | Self::NotExecutable(_)
            | Self::Manifest { .. }
            | Self::Content { .. }
            | Self::NoBots { .. }
            | Self::NoQuotes { .. }
            | Self::Quotes(_) => None,
        }
    }
}

/// A bot that cannot run here.
#[derive(Clone, Debug, thiserror::Error)]
pub enum UnusableBotError {
    /// An entry of a folder of submissions that is not a bot.
    #[error("{entry}: {reason}")]
    Entry { entry: String, reason: String },
    /// The machine lacks something to read or unpack it. Not the bot's fault.
    #[error("{name}: {reason}")]
    Unreadable { name: String, reason: String },
    /// This user may not read a file in its folder: the mistake of its author, or of the person who copied it here.
    #[error("{name}: {reason}")]
    Closed { name: String, reason: String },
    #[error("{name}: the program {program:?} does not exist: {remedy}")]
    Program { name: String, program: String, remedy: String },
    #[error("{name} cannot be run: {why}")]
    Unrunnable { name: String, why: String },
    #[error(
        "{name} runs {program}, which belongs to {owner}: correct the command in its {MANIFEST}",
        program = .program.display()
    )]
    Foreign { name: String, program: PathBuf, owner: String },
    #[error(
        "{name}: the build failed ({command}): {reason}{output}",
        output = .printed.iter().flat_map(|line| ["\n  ", line]).collect::<String>()
    )]
    Build {
        name: String,
        command: String,
        reason: String,
        /// The last lines that it printed.
        printed: Vec<String>,
    },
    #[error("{name}: it could not be built ({command}), through no fault of its own: {reason}")]
    Unbuilt { name: String, command: String, reason: String },
    #[error(
        "{name}: {output} is missing, which its build command makes ({command}): build it in its folder, or have it built \
         (without --no-build)"
    )]
    NotBuilt { name: String, output: String, command: String },
    #[error("{name}: {reason}")]
    Uncounted { name: String, reason: String },
    #[error(
        "{name}: {program} is {found} here, which bots in a sandbox cannot see: {}install it under /usr; or let the bot's \
         {MANIFEST} ask for its folder (read = [\"…\"]) and allow that with --allow-read; or choose --sandbox none",
        if *.has_python3 { "write python3 instead; or " } else { "" },
        found = .found.display()
    )]
    OutOfReach {
        name: String,
        program: String,
        found: PathBuf,
        /// Whether it is `python`, and `python3` can be seen.
        has_python3: bool,
    },
    #[error(
        "{name} asks to read {path}, which is not allowed: add --allow-read {path}, or leave the bot out",
        path = .path.display()
    )]
    NotAllowed { name: String, path: PathBuf },
    #[error(
        "{name} asks for the network, which is not allowed: add --allow-network {}, which gives it to this bot alone, or leave the \
         bot out",
        shlex::try_quote(.name).unwrap_or_default()
    )]
    NetworkNotAllowed { name: String },
    #[error(
        "{name} asks to read {path}, which does not exist: correct read in its {MANIFEST} (a list of absolute paths)",
        path = .path.display()
    )]
    NothingToRead { name: String, path: PathBuf },
}

/// Why a bot could not be made ready to run.
#[derive(Debug, thiserror::Error)]
pub enum BotPreparationError {
    #[error(transparent)]
    Missing(#[from] UnusableBotError),
    /// The run was interrupted during the build. Never the bot's fault.
    #[error("interrupted while {bot} was being built: the build was stopped, and no match was started")]
    Interrupted { bot: String },
    #[error(transparent)]
    NotCopied(#[from] BotCopyError),
}

/// The system has no room for a copy of a bot. Not the bot's fault.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot copy {bot} to {}, the folder for temporary files: {source}. Make room there, or set TMPDIR to \
     another folder",
    folder.display()
)]
pub struct BotCopyError {
    pub bot: String,
    pub folder: PathBuf,
    pub source: io::Error,
}

impl UnusableBotError {
    /// Returns the name of the bot, or the entry.
    pub fn name(&self) -> &str {
        match self {
            Self::Entry { entry: name, .. }
            | Self::Unreadable { name, .. }
            | Self::Closed { name, .. }
            | Self::Program { name, .. }
            | Self::Unrunnable { name, .. }
            | Self::Foreign { name, .. }
            | Self::Build { name, .. }
            | Self::Unbuilt { name, .. }
            | Self::NotBuilt { name, .. }
            | Self::Uncounted { name, .. }
            | Self::OutOfReach { name, .. }
            | Self::NotAllowed { name, .. }
            | Self::NetworkNotAllowed { name }
            | Self::NothingToRead { name, .. } => name,
        }
    }

    /// Returns why, without the entry, for readers who see that beside it.
    pub fn reason(&self) -> String {
        match self {
            Self::Entry { reason, .. } | Self::Unreadable { reason, .. } | Self::Closed { reason, .. } => {
                reason.clone()
            }
            other => other.to_string(),
        }
    }

    /// Whether the host failed, through no fault of the bot.
    pub fn is_hosts(&self) -> bool {
        matches!(self, Self::Unreadable { .. } | Self::Unbuilt { .. })
    }

    /// Whether the bot may be sound, so that this must cost its author no points.
    pub fn may_be_sound(&self) -> bool {
        self.is_hosts() || matches!(self, Self::Closed { .. })
    }

    /// Returns what is stored of the bot if it is left out.
    pub fn left_out(&self) -> LeftOut {
        let (entry, mut error) = (self.name().to_owned(), self.clone());
        let printed =
            if let Self::Build { printed, .. } = &mut error { std::mem::take(printed) } else { Vec::new() };
        LeftOut { entry, reason: error.to_string(), printed }
    }
}

fn builtin_names() -> String {
    leyden_sample_bots::names().join(", ")
}
