//! Finds the bots that were typed: folders, archives, folders of these, programs, command lines, builtin bots. Runs no programs.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use leyden_host::{BotCommand, Temporary};
use leyden_model::{BotEntry, hex};
use sha2::{Digest, Sha256};

use super::competitor::{Competitor, IN_PROCESS, Supports, shown};
use super::entries::{self, Submission};
use super::manifest::{self, Manifest};
use super::names::{self, SameName, tell_apart};
use super::programs::{self, is_runnable, locate};
use super::{BotLookupError, UnusableBotError, archive, content, own_program, single_file_hint};

/// The bots that were typed, in that order, and what was left out.
#[derive(Debug, Default)]
pub struct FoundBots {
    pub bots: Vec<Competitor>,
    /// Entries of folders of submissions that are not bots.
    pub left_out: Vec<UnusableBotError>,
    /// Bots that got another name because theirs was taken.
    pub same_names: Vec<SameName>,
}

/// Finds the bots that were typed. A folder of bot folders and archives stands for all of them, sorted by name. Archives are
/// unpacked into folders that live as long as the bots.
///
/// `leyden` is the path of this program, which runs the builtin bots.
///
/// ```no_run
/// use leyden_arena::roster;
///
/// let typed = ["submissions", "builtin:greedy"].map(str::to_owned);
/// let found = roster::find(&typed, "target/release/leyden".as_ref())?;
/// for bot in &found.bots {
///     println!("{} {}", bot.name, bot.hash);
/// }
/// for unusable in &found.left_out {
///     println!("left out: {unusable}");
/// }
/// # Ok::<(), roster::BotLookupError>(())
/// ```
pub fn find(typed: &[String], leyden: &Path) -> Result<FoundBots, BotLookupError> {
    find_again(typed, leyden, &[])
}

/// Like [`find`], but of several bots with the same name, those that are in the same folder as in `known` keep their names.
pub fn find_again(typed: &[String], leyden: &Path, known: &[BotEntry]) -> Result<FoundBots, BotLookupError> {
    check_quotes(typed)?;
    let mut found = FoundBots::default();
    for text in typed {
        found.take_typed(text, leyden)?;
    }
    found.same_names = tell_apart(&mut found.bots, known);
    Ok(found)
}

/// Like [`find`], but for the submissions of a class, as a shell expands `submissions/*`: a folder without a bot, and a file that
/// is not a bot, are left out with the reason, like the entries of a folder that was typed.
pub fn find_handed_in(typed: &[String], leyden: &Path) -> Result<FoundBots, BotLookupError> {
    check_quotes(typed)?;
    let mut found = FoundBots::default();
    for text in typed {
        let path = Path::new(text);
        if path.is_dir() || path.is_file() && !is_runnable(path) {
            found.take_entry(path, leyden, typed.len() == 1)?;
        } else {
            found.take_typed(text, leyden)?;
        }
    }
    found.same_names = tell_apart(&mut found.bots, &[]);
    Ok(found)
}

/// Finds the bot of an entry of a folder where bots are handed in, or the reason why there is none. Nothing is taken from the name:
/// only a folder or an archive is a bot, and a link is none, because its target was not handed in. An archive may unpack to `most` bytes.
pub fn find_entry(path: &Path, leyden: &Path, most: u64) -> FoundBots {
    let mut found = FoundBots::default();
    if path.is_symlink() {
        found.leave_out(
            path,
            "it is a link, whose target was not handed in: put the bot itself here".to_owned(),
        );
    } else {
        found.take_submission(entries::from_limited_file(path, most), leyden);
    }
    found
}

/// Like [`find`], but for one submission in a folder: finds one bot, or the reason why there is none.
pub fn find_submission(typed: &str, leyden: &Path) -> Result<FoundBots, BotLookupError> {
    let path = Path::new(typed);
    if !path.is_dir() {
        return find(&[typed.to_owned()], leyden);
    }
    let mut found = FoundBots::default();
    found.take_submission(entries::from_file(path), leyden);
    Ok(found)
}

/// Refuses a command line that was typed without quotes, so that it looks like an interpreter and a file.
pub fn check_quotes(typed: &[String]) -> Result<(), BotLookupError> {
    let lacking = typed.windows(2).find_map(|two| programs::lacks_quotes(&two[0], &two[1]));
    lacking.map_or(Ok(()), |(program, file)| Err(BotLookupError::NoQuotes { program, file }))
}

impl FoundBots {
    /// Names two versions of the same bot after their folders.
    pub fn name_by_folder(&mut self) {
        let ([new, old], [same]) = (&mut self.bots[..], &self.same_names[..]) else { return };
        if names::by_folder(new, old, &same.name) {
            self.same_names.clear();
        }
    }

    /// Gives two versions of the same bot, the new one and the old one, the names in `known`. Their folders don't matter: their
    /// hashes show whether they are the same.
    pub fn name_as(&mut self, known: &[BotEntry]) {
        if let ([new, old], [was_new, was_old]) = (&mut self.bots[..], known) {
            new.name.clone_from(&was_new.name);
            old.name.clone_from(&was_old.name);
            self.same_names.clear();
        }
    }

    /// Leaves out entries that are a builtin bot, or that bring or call this program. Bots that the organiser names as builtin ones
    /// stay.
    pub fn refuse_builtins(&mut self, leyden: &Path) {
        for bot in std::mem::take(&mut self.bots) {
            let entry = bot.handed_in.clone();
            match entry.and_then(|entry| Some((entry, own_program::why(&bot, leyden)?))) {
                None => self.bots.push(bot),
                Some((entry, why)) => {
                    let reason =
                        format!("{why}, so it is no work of its author (--allow-builtins lets it play)");
                    self.left_out.push(UnusableBotError::Entry { entry, reason });
                }
            }
        }
    }

    /// Lets bots with a build command play as they are in their folders. Leaves out those whose build output is missing.
    pub fn leave_unbuilt(&mut self) {
        for mut bot in std::mem::take(&mut self.bots) {
            match bot.leave_unbuilt() {
                Ok(()) => self.bots.push(bot),
                Err(missing) => self.left_out.push(missing),
            }
        }
    }

    /// Adds the bots that one word stands for.
    fn take_typed(&mut self, text: &str, leyden: &Path) -> Result<(), BotLookupError> {
        let path = Path::new(text);
        if let Some(name) = text.strip_prefix("builtin:") {
            self.bots.push(builtin(name, leyden)?);
        } else if let Some(name) = text.strip_prefix(IN_PROCESS) {
            self.bots.push(in_process(name, text));
        } else if let Some(inside) = path.is_dir().then(|| entries::nested(path)).flatten() {
            self.take(path, folder(&inside, leyden));
        } else if path.is_dir() {
            self.append(submissions(path, leyden)?);
        } else if archive::is_zip(path) {
            self.take_submission(entries::from_file(path), leyden);
        } else if path.is_file() {
            self.bots.push(file(text, path)?);
        } else {
            self.bots.push(command_line(text)?);
        }
        Ok(())
    }

    /// Adds what was handed in: a bot, or the bots of a folder; or leaves it out, unless it is the only thing that was typed and
    /// its list of entries cannot be read.
    fn take_entry(&mut self, path: &Path, leyden: &Path, is_only: bool) -> Result<(), BotLookupError> {
        let entry = entries::from_file(path);
        let within = entries::at_least(path);
        if entry.folder.is_err() && within > 0 {
            match Self::from_submissions(path, leyden) {
                // A folder with several entries is a class, even if none is a bot; one with a single bad entry is one
                // submission.
                Ok(here) if !here.bots.is_empty() || within > 1 => {
                    self.append(here);
                    return Ok(());
                }
                Ok(_) => {}
                Err(error) if is_only => return Err(error),
                Err(error) => {
                    self.left_out.push(match unusable(path, error) {
                        // It would cost every bot of a class its points.
                        UnusableBotError::Entry { entry: name, reason } if within > 1 => {
                            UnusableBotError::Unreadable { name, reason }
                        }
                        unusable => unusable,
                    });
                    return Ok(());
                }
            }
        }
        self.take_submission(entry, leyden);
        Ok(())
    }

    /// Finds the bots among the entries of a folder of submissions.
    fn from_submissions(path: &Path, leyden: &Path) -> Result<Self, BotLookupError> {
        let mut here = Self::default();
        for submission in entries::from_folder(path)? {
            here.take_submission(submission, leyden);
        }
        Ok(here)
    }

    fn append(&mut self, mut more: Self) {
        self.bots.append(&mut more.bots);
        self.left_out.append(&mut more.left_out);
    }

    /// Adds a submitted bot, or the reason why it is none.
    fn take(&mut self, entry: &Path, bot: Result<Competitor, BotLookupError>) {
        match bot {
            Ok(bot) => self.bots.push(Competitor { handed_in: Some(shown(entry)), ..bot }),
            Err(error) => self.left_out.push(unusable(entry, error)),
        }
    }

    /// Adds the bot of a submission, or the reason why it is none.
    fn take_submission(&mut self, Submission { path, folder: bot_folder }: Submission, leyden: &Path) {
        let bot = bot_folder.and_then(|found| {
            folder(&found.path, leyden).map(|bot| Competitor { unpacked: found.unpacked, ..bot })
        });
        self.take(&path, bot);
    }

    fn leave_out(&mut self, entry: &Path, reason: String) {
        self.left_out.push(UnusableBotError::Entry { entry: shown(entry), reason });
    }
}

/// Returns why an entry is left out.
pub(super) fn unusable(entry: &Path, error: BotLookupError) -> UnusableBotError {
    let is_hosts = error.system().is_some();
    // What an archive unpacks to has no permissions of its own, and a folder such as lost+found is nobody's bot.
    let is_closed = matches!(&error, BotLookupError::Unreadable { path, source }
            if source.kind() == ErrorKind::PermissionDenied && (entry.is_dir() || path == entry))
        && entry.file_name().is_none_or(entries::is_visible);
    // The path in the temporary folder would not help the reader, and is another one at each try.
    let reason = match error {
        BotLookupError::Manifest { problem, .. } => format!("bot.toml: {problem}"),
        BotLookupError::Content { reason, .. } => reason,
        BotLookupError::Unreadable { path, source } => {
            format!("cannot read {}: {source}", path_within(entry, &path).display())
        }
        error => error.to_string(),
    };
    let name = shown(entry);
    match (is_hosts, is_closed) {
        (true, _) => UnusableBotError::Unreadable { name, reason },
        (false, true) => UnusableBotError::Closed { name, reason },
        (false, false) => UnusableBotError::Entry { entry: name, reason },
    }
}

/// Returns a path in an entry, or in a folder that it was unpacked into, as seen from there; `it` for the whole.
pub(super) fn path_within<'a>(entry: &Path, path: &'a Path) -> &'a Path {
    let is_temporary =
        |above: &&Path| above.parent().and_then(Path::file_name).is_some_and(Temporary::is_name);
    let in_entry = path.strip_prefix(entry).ok();
    let inside = in_entry
        .or_else(|| path.strip_prefix(entry.canonicalize().ok()?).ok())
        .or_else(|| path.strip_prefix(path.ancestors().find(is_temporary)?).ok())
        .unwrap_or(path);
    if inside.as_os_str().is_empty() { Path::new("it") } else { inside }
}

/// Returns the bots of a folder of submissions, and for each other entry the reason why it is none.
fn submissions(path: &Path, leyden: &Path) -> Result<FoundBots, BotLookupError> {
    let here = FoundBots::from_submissions(path, leyden)?;
    let may_be_sound = !here.left_out.is_empty() && here.left_out.iter().all(UnusableBotError::may_be_sound);
    if here.bots.is_empty() && !may_be_sound {
        if entries::lacks_manifest(path) || here.left_out.is_empty() {
            return Err(entries::why_none(path));
        }
        let entries = here.left_out.iter().map(ToString::to_string).collect();
        return Err(BotLookupError::NoBots { folder: path.to_owned(), entries });
    }
    Ok(here)
}

pub(super) fn builtin(text: &str, leyden: &Path) -> Result<Competitor, BotLookupError> {
    let words = split(text)?;
    let name = words.first().cloned().unwrap_or_default();
    if !leyden_sample_bots::names().contains(&name.as_str()) {
        return Err(BotLookupError::UnknownBuiltin(name));
    }
    let arguments = std::iter::once("bot".into()).chain(words.into_iter().map(OsString::from)).collect();
    let made_of = format!("{} {}", env!("CARGO_PKG_VERSION"), text);
    let hash = hex(&Sha256::digest(made_of.as_bytes()));
    Ok(lone(text.to_owned(), leyden.to_owned(), arguments, vec![format!("builtin:{text}")], hash))
}

/// Returns a player without a process. Its name is all that is known of it.
fn in_process(name: &str, text: &str) -> Competitor {
    let hash = hex(&Sha256::digest(text.as_bytes()));
    lone(name.to_owned(), PathBuf::new(), Vec::new(), vec![text.to_owned()], hash)
}

/// Reads the bot in a folder from its manifest. `leyden` is the path of this program, which contains the builtin bots.
pub(super) fn folder(path: &Path, leyden: &Path) -> Result<Competitor, BotLookupError> {
    let manifest = Manifest::read(path)?;
    let folder =
        path.canonicalize().map_err(|source| BotLookupError::Unreadable { path: path.to_owned(), source })?;
    let hash = content::hash_folder(&folder, manifest.build.is_some())
        .map_err(|error| BotLookupError::from_content(path, error))?;
    let mut command = manifest.command.command(&folder, &manifest.read);
    if command.program == Path::new("leyden") {
        leyden.clone_into(&mut command.program);
    }
    Ok(Competitor {
        name: manifest.name,
        command,
        build: manifest.build.map(|words| words.command(&folder, &manifest.read)),
        words: manifest.command.into_list(),
        hash,
        author: manifest.author,
        language: manifest.language,
        supports: Supports { rules: manifest.rules, seats: manifest.seats },
        wants_network: manifest.network,
        handed_in: None,
        unpacked: None,
        original: None,
    })
}

pub(super) fn file(text: &str, path: &Path) -> Result<Competitor, BotLookupError> {
    let unreadable = |source| BotLookupError::Unreadable { path: path.to_owned(), source };
    if !is_runnable(path) {
        let file = single_file_hint::LoneFile::read(path);
        let says_what_runs_it =
            matches!(&file, single_file_hint::LoneFile::Source { .. }) && content::looks_like_program(path);
        if let Some(mut reason) = file.why_none().filter(|_| !says_what_runs_it) {
            if let single_file_hint::LoneFile::Source { run: Some(run), .. } = &file {
                reason = format!("{reason}\nor give the command line that runs it, in quotes: {run:?}");
            }
            return Err(BotLookupError::content(path, reason));
        }
        return Err(BotLookupError::NotExecutable(path.to_owned()));
    }
    let hash = hash_of_file(path).map_err(|error| BotLookupError::from_content(path, error))?;
    let name = path.file_name().map_or(text.into(), |name| name.to_string_lossy().into_owned());
    let program = path.canonicalize().map_err(unreadable)?;
    Ok(lone(name, program, Vec::new(), vec![text.to_owned()], hash))
}

/// Parses a command line. A single word must be a program.
pub(super) fn command_line(text: &str) -> Result<Competitor, BotLookupError> {
    let words = split(text)?;
    let Some((program, arguments)) = words.split_first() else {
        return Err(BotLookupError::Unknown(text.to_owned()));
    };
    if arguments.is_empty() && locate(Path::new(program), None).is_none() {
        return Err(BotLookupError::content(Path::new(text), names::why_unknown(text)));
    }
    let arguments = arguments.iter().map(Into::into).collect();
    let (program, hash) = (program.into(), hash_of_line(&words));
    Ok(lone(text.to_owned(), program, arguments, words, hash))
}

/// Hashes a command line: its words, and the contents of the files that they name.
fn hash_of_line(words: &[String]) -> String {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word.as_bytes());
        hash.update([0]);
        if let Ok((content, _)) = content::digest_file(Path::new(word), content::MOST_BYTES) {
            hash.update(content);
        }
    }
    hex(&hash.finalize())
}

/// Hashes a program that is a bot by itself.
fn hash_of_file(path: &Path) -> Result<String, content::ContentError> {
    content::digest_file(path, content::MOST_BYTES).map(|(hash, _)| hex(&hash))
}

impl Competitor {
    /// Whether a bot without a folder (so without a copy) has changed since it was found.
    pub fn has_changed(&self) -> bool {
        let is_as_it_was = || {
            hash_of_line(&self.words) == self.hash
                || hash_of_file(&self.command.program).is_ok_and(|hash| hash == self.hash)
        };
        self.command.folder.is_none() && !self.is_builtin() && !is_as_it_was()
    }
}

/// Creates a bot that is only a program: there is no folder with details about it.
fn lone(
    name: String,
    program: PathBuf,
    arguments: Vec<OsString>,
    words: Vec<String>,
    hash: String,
) -> Competitor {
    Competitor {
        name,
        command: BotCommand {
            program,
            arguments,
            folder: None,
            reads: Vec::new(),
            lists: Vec::new(),
            network: false,
        },
        words,
        hash,
        author: None,
        language: None,
        supports: Supports::default(),
        wants_network: false,
        handed_in: None,
        build: None,
        unpacked: None,
        original: None,
    }
}

fn split(text: &str) -> Result<Vec<String>, BotLookupError> {
    if text.len() > manifest::LONGEST_COMMAND {
        let start: String = text.chars().take(40).collect();
        let reason = format!("a command line of {} bytes: expected at most 32 KiB", text.len());
        return Err(BotLookupError::content(Path::new(&format!("{start}…")), reason));
    }
    shlex::split(text).ok_or_else(|| BotLookupError::Quotes(text.to_owned()))
}
