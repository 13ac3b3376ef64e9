//! Who competes: from what was typed on the command line to named bots with a command that can be run. Runs nothing but what
//! builds a bot.

mod apart;
mod archive;
mod build_hint;
mod content;
mod entries;
mod lone_file;
mod manifest;
mod names;
mod programs;
mod twins;
mod workplace;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use leyden_host::sandbox::{Level, system_files};
use leyden_host::{Build, BuildFailure, BuildLimits, Command, Launcher, user_of_builds};
use sha2::{Digest, Sha256};

use leyden_model::{BotEntry, hex};
use leyden_protocol::{RulesName, Seats};

pub use apart::{Exposed, keep_apart};
use archive::Unpacked;
pub use entries::IGNORE;
use entries::Submission;
use manifest::{MANIFEST, Manifest};
use names::tell_apart;
pub use names::{LONGEST_NAME, SameName, is_plain_name};
pub use programs::is_on_path;
use programs::{locate, on_path};
pub use twins::{Twins, twins};
use workplace::{NoWorkplace, Workplace};

/// A bot that competes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Competitor {
    /// The manifest's name, the builtin's name, or the command line; a second one of a name ends in `#2`.
    pub name: String,
    pub command: Command,
    /// The command as it was written.
    pub words: Vec<String>,
    /// SHA-256 of what the bot is made of: its folder, its file, or its command line.
    pub hash: String,
    pub author: Option<String>,
    pub language: Option<String>,
    pub supports: Supports,
    /// The folder or archive in which it was named or handed in, if it has one.
    pub handed_in: Option<String>,
    build: Option<Command>,
    /// What its folder lies in, if that is the arena's own: unpacked from an archive, or built in.
    unpacked: Option<Unpacked>,
}

/// What a bot says it can play: `rules` and `seats` of its manifest. What is not named there is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supports {
    pub rules: Vec<RulesName>,
    pub seats: Vec<Seats>,
}

impl Supports {
    pub fn rules(&self, name: RulesName) -> bool {
        self.rules.is_empty() || self.rules.contains(&name)
    }

    pub fn seats(&self, seats: Seats) -> bool {
        self.seats.is_empty() || self.seats.contains(&seats)
    }
}

/// What was typed is not a bot. Nothing was run.
#[derive(Debug, thiserror::Error)]
pub enum NotABot {
    #[error(
        "there is no bot {0:?}: expected a folder with a {MANIFEST}, an executable file, a quoted command line such as \
         \"python3 bot.py\", or builtin:NAME ({names})", names = builtin_names()
    )]
    Unknown(String),
    #[error("there is no builtin bot {0:?}; there are {names}", names = builtin_names())]
    UnknownBuiltin(String),
    #[error("{path} is not executable: make it so (chmod +x), or name the command line that runs it, in quotes", path = .0.display())]
    NotExecutable(PathBuf),
    #[error("{path}: {problem}", path = .path.display())]
    Manifest { path: PathBuf, problem: String },
    #[error("{path}: {reason}", path = .path.display())]
    Content { path: PathBuf, reason: String },
    #[error(
        "{folder} holds no bot: expected folders with a {MANIFEST}, or zip archives of such folders{rest}",
        folder = .folder.display(), rest = .entries.iter().flat_map(|entry| ["\n  ", entry]).collect::<String>()
    )]
    NoBots { folder: PathBuf, entries: Vec<String> },
    #[error(
        "{program:?} and {file:?} are two bots as they are typed: a command line stands in quotes, such as \"{program} {file}\""
    )]
    NoQuotes { program: String, file: String },
    #[error("the command line {0:?} has an open quote")]
    Quotes(String),
    #[error("cannot read {path}: {source}", path = .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

/// A bot that cannot be run here.
#[derive(Debug, thiserror::Error)]
pub enum Missing {
    /// An entry of a folder of submissions that is no bot.
    #[error("{entry}: {reason}")]
    Entry { entry: String, reason: String },
    #[error(
        "{name}: the program {program:?} is not there: install it, or correct the command in its {MANIFEST}"
    )]
    Program { name: String, program: String },
    #[error("{name} cannot be run: {why}")]
    Unrunnable { name: String, why: String },
    #[error(
        "{name} runs {program}, which belongs to {owner}: correct the command in its {MANIFEST}",
        program = .program.display()
    )]
    Foreign { name: String, program: PathBuf, owner: String },
    #[error("{name}: building it failed ({command}): {reason}")]
    Build { name: String, command: String, reason: String },
    #[error("{name}: it could not be built ({command}), which is no fault of its own: {reason}")]
    Unbuilt { name: String, command: String, reason: String },
    #[error(
        "{name}: {output} is not there, which its build command makes ({command}): build it in its folder, or let it be built \
         (without --no-build)"
    )]
    NotBuilt { name: String, output: String, command: String },
    #[error("{name}: {reason}")]
    Uncounted { name: String, reason: String },
    #[error(
        "{name}: {program} is {found} here, which bots in a sandbox do not see: install it under /usr; or let the bot's \
         {MANIFEST} ask for the folder it is in (read = [\"…\"]) and allow that with --allow-read; or choose --sandbox none",
        found = .found.display()
    )]
    OutOfReach { name: String, program: String, found: PathBuf },
    #[error(
        "{name} asks to read {path}, which nobody has allowed: start with --allow-read {path}, or leave the bot out",
        path = .path.display()
    )]
    NotAllowed { name: String, path: PathBuf },
    #[error(
        "{name} asks to read {path}, which is not there: correct read in its {MANIFEST} (a list of absolute paths)",
        path = .path.display()
    )]
    NothingToRead { name: String, path: PathBuf },
}

impl Missing {
    /// The bot that is missing, or the entry that is none.
    pub fn name(&self) -> &str {
        match self {
            Self::Entry { entry: name, .. }
            | Self::Program { name, .. }
            | Self::Unrunnable { name, .. }
            | Self::Foreign { name, .. }
            | Self::Build { name, .. }
            | Self::Unbuilt { name, .. }
            | Self::NotBuilt { name, .. }
            | Self::Uncounted { name, .. }
            | Self::OutOfReach { name, .. }
            | Self::NotAllowed { name, .. }
            | Self::NothingToRead { name, .. } => name,
        }
    }
}

fn builtin_names() -> String {
    leyden_sample_bots::names().join(", ")
}

/// The bots that were typed, in that order, and what of them is none.
#[derive(Debug, Default)]
pub struct Found {
    pub bots: Vec<Competitor>,
    /// Entries of folders of submissions that are no bots.
    pub left_out: Vec<Missing>,
    /// Those that had the name of another one.
    pub same_names: Vec<SameName>,
}

/// Finds the bots that were typed. A folder of bot folders, and of archives of them, stands for all of them, sorted by name.
/// Archives are unpacked into folders that go with the bots.
///
/// `leyden` is the path of the arena's own program, which is run for a builtin bot.
pub fn find(typed: &[String], leyden: &Path) -> Result<Found, NotABot> {
    let mut found = Found::default();
    if let Some((program, file)) = typed.windows(2).find_map(|two| programs::lacks_quotes(&two[0], &two[1])) {
        return Err(NotABot::NoQuotes { program, file });
    }
    for text in typed {
        let path = Path::new(text);
        if let Some(name) = text.strip_prefix("builtin:") {
            found.bots.push(builtin(name, leyden)?);
        } else if let Some(place) = path.is_dir().then(|| entries::nested(path)).flatten() {
            found.take(path, folder(&place, leyden));
        } else if path.is_dir() {
            submissions(path, leyden, &mut found)?;
        } else if archive::is_zip(path) {
            found.take_submission(entries::of_file(path), leyden);
        } else if path.is_file() {
            found.bots.push(file(text, path)?);
        } else {
            found.bots.push(command_line(text)?);
        }
    }
    found.same_names = tell_apart(&mut found.bots);
    Ok(found)
}

impl Found {
    /// Calls two versions of one bot by their folders.
    pub fn name_by_folder(&mut self) {
        let ([new, old], [same]) = (&mut self.bots[..], &self.same_names[..]) else { return };
        if names::by_folder(new, old, &same.name) {
            self.same_names.clear();
        }
    }

    /// Has bots with a build command play as they lie in their folders. One whose build has left nothing there is none.
    pub fn leave_unbuilt(&mut self) {
        for mut bot in std::mem::take(&mut self.bots) {
            match bot.leave_unbuilt() {
                Ok(()) => self.bots.push(bot),
                Err(missing) => self.left_out.push(missing),
            }
        }
    }

    /// Takes in a bot that was handed in, or the reason why it is none.
    fn take(&mut self, entry: &Path, bot: Result<Competitor, NotABot>) {
        match bot {
            Ok(bot) => self.bots.push(Competitor { handed_in: Some(shown(entry)), ..bot }),
            // Where it was unpacked helps nobody.
            Err(NotABot::Manifest { problem, .. }) => self.leave_out(entry, format!("bot.toml: {problem}")),
            Err(NotABot::Content { reason, .. }) => self.leave_out(entry, reason),
            Err(error) => self.leave_out(entry, error.to_string()),
        }
    }

    /// The same of what a folder was looked for in.
    fn take_submission(&mut self, Submission { path, folder: place }: Submission, leyden: &Path) {
        match place {
            Ok(place) => {
                let bot =
                    folder(&place.path, leyden).map(|bot| Competitor { unpacked: place.unpacked, ..bot });
                self.take(&path, bot);
            }
            Err(reason) => self.leave_out(&path, reason),
        }
    }

    fn leave_out(&mut self, entry: &Path, reason: String) {
        self.left_out.push(Missing::Entry { entry: shown(entry), reason });
    }
}

/// The path of what was handed in. Whoever hands something in chooses its name, but not what stands on a line of its own.
fn shown(entry: &Path) -> String {
    entry.to_string_lossy().replace(leyden_protocol::is_hidden, "\u{fffd}")
}

/// The bots of a folder of submissions; each other entry of it with the reason why it is none.
fn submissions(path: &Path, leyden: &Path, found: &mut Found) -> Result<(), NotABot> {
    let mut here = Found::default();
    for submission in entries::of_folder(path)? {
        here.take_submission(submission, leyden);
    }
    if here.bots.is_empty() {
        let entries = here.left_out.iter().map(ToString::to_string).collect();
        return Err(NotABot::NoBots { folder: path.to_owned(), entries });
    }
    found.bots.append(&mut here.bots);
    found.left_out.append(&mut here.left_out);
    Ok(())
}

fn builtin(text: &str, leyden: &Path) -> Result<Competitor, NotABot> {
    let words = split(text)?;
    let name = words.first().cloned().unwrap_or_default();
    if !leyden_sample_bots::names().contains(&name.as_str()) {
        return Err(NotABot::UnknownBuiltin(name));
    }
    let arguments = std::iter::once("bot".into()).chain(words.into_iter().map(OsString::from)).collect();
    let made_of = format!("{} {}", env!("CARGO_PKG_VERSION"), text);
    Ok(Competitor {
        name: text.to_owned(),
        command: Command { program: leyden.to_owned(), arguments, folder: None, reads: Vec::new() },
        words: vec![format!("builtin:{text}")],
        hash: hex(&Sha256::digest(made_of.as_bytes())),
        author: None,
        language: None,
        supports: Supports::default(),
        handed_in: None,
        build: None,
        unpacked: None,
    })
}

/// A bot by its manifest. The program `leyden` is the arena's own, which has the builtin bots in it.
fn folder(path: &Path, leyden: &Path) -> Result<Competitor, NotABot> {
    let manifest = Manifest::read(path)?;
    let folder =
        path.canonicalize().map_err(|source| NotABot::Unreadable { path: path.to_owned(), source })?;
    let hash = content::of_folder(&folder, manifest.build.is_some())
        .map_err(|error| NotABot::Content { path: path.to_owned(), reason: error.to_string() })?;
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
        handed_in: None,
        unpacked: None,
    })
}

fn file(text: &str, path: &Path) -> Result<Competitor, NotABot> {
    let unreadable = |source| NotABot::Unreadable { path: path.to_owned(), source };
    let mode = path.metadata().map_err(unreadable)?.permissions().mode();
    if mode & 0o111 == 0 {
        let file = lone_file::LoneFile::of(path);
        if let Some(mut reason) = file.why_none() {
            if let lone_file::LoneFile::Source { run: Some(run), .. } = &file {
                reason = format!("{reason}\nor name the command line that runs it, in quotes: {run:?}");
            }
            return Err(NotABot::Content { path: path.to_owned(), reason });
        }
        return Err(NotABot::NotExecutable(path.to_owned()));
    }
    Ok(Competitor {
        name: path.file_name().map_or(text.into(), |name| name.to_string_lossy().into_owned()),
        command: Command {
            program: path.canonicalize().map_err(unreadable)?,
            arguments: Vec::new(),
            folder: None,
            reads: Vec::new(),
        },
        words: vec![text.to_owned()],
        hash: hex(&content::of_file(path, content::MOST_BYTES)
            .map_err(|error| NotABot::Content { path: path.to_owned(), reason: error.to_string() })?
            .0),
        author: None,
        language: None,
        supports: Supports::default(),
        handed_in: None,
        build: None,
        unpacked: None,
    })
}

/// A command line: its first word must be a program, or what was typed is no bot at all.
fn command_line(text: &str) -> Result<Competitor, NotABot> {
    let words = split(text)?;
    let Some((program, arguments)) = words.split_first() else {
        return Err(NotABot::Unknown(text.to_owned()));
    };
    if arguments.is_empty() && locate(Path::new(program), None).is_none() {
        return Err(NotABot::Content { path: text.into(), reason: names::why_unknown(text) });
    }
    let mut hash = Sha256::new();
    for word in &words {
        hash.update(word.as_bytes());
        hash.update([0]);
        if let Ok((content, _)) = content::of_file(Path::new(word), content::MOST_BYTES) {
            hash.update(content);
        }
    }
    Ok(Competitor {
        name: text.to_owned(),
        command: Command {
            program: program.into(),
            arguments: arguments.iter().map(Into::into).collect(),
            folder: None,
            reads: Vec::new(),
        },
        hash: hex(&hash.finalize()),
        words,
        author: None,
        language: None,
        supports: Supports::default(),
        handed_in: None,
        build: None,
        unpacked: None,
    })
}

fn split(text: &str) -> Result<Vec<String>, NotABot> {
    shlex::split(text).ok_or_else(|| NotABot::Quotes(text.to_owned()))
}

/// Where and how bots are built.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    /// What starts them, with their sandbox.
    pub launcher: &'a Launcher,
    pub limits: BuildLimits,
}

impl Competitor {
    /// Makes it ready to be run at a level of the sandbox: fitted to it, built, its program found, and that no other one's
    /// of these.
    ///
    /// Of a bot that is a command line it tells the folders whose files it is not shown although it names one of them:
    /// `private` or another one's are in there, too.
    pub fn make_ready(
        &mut self,
        builder: Builder<'_>,
        allowed: &[PathBuf],
        all: &[Self],
        private: &[PathBuf],
    ) -> Result<Vec<PathBuf>, Missing> {
        let level = builder.launcher.level();
        let mut hidden = Vec::new();
        if level != Level::None {
            self.admit(allowed)?;
            hidden = self.show_folders_of_its_files(all, private);
        }
        self.prepare(builder)?;
        self.owns_its_program(all)?;
        Ok(hidden)
    }

    /// Lets a command line see what lies beside the files that it names, unless that is somebody's home or holds what is not
    /// for it. Returns the folders of which it sees these files alone.
    fn show_folders_of_its_files(&mut self, all: &[Self], private: &[PathBuf]) -> Vec<PathBuf> {
        if self.command.folder.is_some() {
            return Vec::new();
        }
        let folders = self.named_files().into_iter().filter_map(|file| Some(file.parent()?.to_owned()));
        let folders: BTreeSet<PathBuf> = folders.filter(|folder| !system_files::is_part(folder)).collect();
        let (shown, hidden): (Vec<_>, Vec<_>) =
            folders.into_iter().partition(|folder| !self.holds_others(folder, all, private));
        self.command.reads.extend(shown);
        hidden
    }

    /// Whether a folder is the organiser's home or has it in it, is everybody's, or has what is not for this bot.
    fn holds_others(&self, folder: &Path, all: &[Self], private: &[PathBuf]) -> bool {
        let home = std::env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
        // Everybody's folder, such as /tmp, is no more one's own than a home.
        if folder.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o1000 != 0) {
            return true;
        }
        let others = all.iter().filter(|other| other.name != self.name);
        let theirs =
            others.flat_map(|other| other.command.folder.clone().into_iter().chain(other.named_files()));
        theirs.chain(home).chain(private.iter().cloned()).any(|other| other.starts_with(folder))
    }

    /// The files that a command line names, in full. A builtin bot has none.
    fn named_files(&self) -> Vec<PathBuf> {
        if self.command.folder.is_some() || self.is_builtin() {
            return Vec::new();
        }
        let words = self.command.arguments.iter().map(Path::new).chain([self.command.program.as_path()]);
        words.filter(|word| word.is_file()).filter_map(|path| path.canonicalize().ok()).collect()
    }

    /// Fits the command to a sandbox, where only the system's programs are seen, the bot's own folder, and what it asks for
    /// and the organiser allows. To be called before [`prepare`](Self::prepare).
    fn admit(&mut self, allowed: &[PathBuf]) -> Result<(), Missing> {
        let name = || self.name.clone();
        if self.command.folder.is_none() {
            // The organiser typed the command himself, and there is no manifest to ask.
            self.command.reads = allowed.to_vec();
        }
        for path in &mut self.command.reads {
            let Some(real) = path.is_absolute().then(|| path.canonicalize().ok()).flatten() else {
                return Err(Missing::NothingToRead { name: name(), path: path.clone() });
            };
            let covers =
                |allowed: &PathBuf| allowed.canonicalize().is_ok_and(|allowed| real.starts_with(allowed));
            if !allowed.iter().any(covers) {
                return Err(Missing::NotAllowed { name: name(), path: path.clone() });
            }
            *path = real;
        }
        let program = &self.command.program;
        if program.components().count() > 1 {
            return Ok(()); // a file that is named as such is shown
        }
        if let Some(seen) = on_path(program, system_files::SEARCH.as_ref()) {
            self.command.program = seen;
            return Ok(());
        }
        let Some(found) = locate(program, None) else { return Ok(()) }; // missing altogether: preparing it will tell
        if !self.command.reads.iter().any(|path| found.starts_with(path)) {
            let program = program.display().to_string();
            return Err(Missing::OutOfReach { name: name(), program, found });
        }
        self.command.program = found;
        Ok(())
    }

    /// As the results file knows it.
    pub fn entry(&self) -> BotEntry {
        BotEntry {
            name: self.name.clone(),
            command: self.words.clone(),
            hash: self.hash.clone(),
            author: self.author.clone(),
            language: self.language.clone(),
            folder: self.handed_in.clone(),
        }
    }

    /// Whether it is part of this program.
    pub fn is_builtin(&self) -> bool {
        self.command.folder.is_none() && self.words.first().is_some_and(|word| word.starts_with("builtin:"))
    }

    /// Whether it has to be built before it can be run.
    pub fn has_build(&self) -> bool {
        self.build.is_some()
    }

    /// Its build command, as it would be typed.
    pub fn build_words(&self) -> Option<String> {
        let Command { program, arguments, .. } = self.build.as_ref()?;
        let words = std::iter::once(program.as_os_str()).chain(arguments.iter().map(AsRef::as_ref));
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        shlex::try_join(words.iter().map(String::as_str)).ok()
    }

    /// Forgets its build command: what lies in its folder plays, and all of it counts as what the bot is made of.
    pub fn leave_unbuilt(&mut self) -> Result<(), Missing> {
        let (Some(command), Some(folder)) = (self.build_words(), self.command.folder.clone()) else {
            return Ok(());
        };
        let name = || self.name.clone();
        if let Some(output) = self.lacks_output(&folder) {
            return Err(Missing::NotBuilt { name: name(), output, command });
        }
        self.hash = content::of_folder(&folder, false)
            .map_err(|error| Missing::Uncounted { name: name(), reason: error.to_string() })?;
        self.build = None;
        Ok(())
    }

    /// The first of the files and folders that its command names and a build makes which is not there, or is empty.
    fn lacks_output(&self, folder: &Path) -> Option<String> {
        let Command { program, arguments, .. } = &self.command;
        let program =
            Some(program.as_path()).filter(|path| path.is_relative() && path.components().count() > 1);
        let built = arguments.iter().map(Path::new).filter(|path| content::is_built(path));
        let mut outputs = program.into_iter().chain(built);
        let is_lacking = |output: &&Path| {
            let path = folder.join(output);
            !path.exists() || path.read_dir().is_ok_and(|mut entries| entries.next().is_none())
        };
        outputs.find(is_lacking).map(|output| output.display().to_string())
    }

    /// Refuses a program that another bot handed in. To be called of a bot that was [prepared](Self::prepare).
    fn owns_its_program(&self, bots: &[Self]) -> Result<(), Missing> {
        apart::owner_of_program(self, bots).map_or(Ok(()), |owner| {
            let program = self.command.program.clone();
            Err(Missing::Foreign { name: self.name.clone(), program, owner: owner.name.clone() })
        })
    }

    /// Builds the bot if it says how, and finds its program. Afterwards its command can be run.
    pub fn prepare(&mut self, builder: Builder<'_>) -> Result<(), Missing> {
        if let Some(build) = self.build.clone() {
            self.build(build, builder)?;
        } else if !builder.launcher.is_at_terminal() {
            self.keep_to_what_counts()?;
        }
        self.command.program = self.program(&self.command)?;
        Ok(())
    }

    /// Has it play from a copy if there is something in its folder by which it is not known, such as `.git`: it may not use
    /// that. (Who debugs a bot wants to see its own files.)
    fn keep_to_what_counts(&mut self) -> Result<(), Missing> {
        let Some(folder) = self.command.folder.clone() else { return Ok(()) };
        let copy = || -> Result<_, NoWorkplace> {
            let has_more = content::has_more(&folder)?;
            has_more.then(|| Workplace::without_build(&folder, &self.hash)).transpose()
        };
        let unrunnable = |why: String| Missing::Unrunnable { name: self.name.clone(), why };
        let Some(place) = copy().map_err(|error| unrunnable(error.to_string()))? else { return Ok(()) };
        let path = place.folder();
        let unpacked = place.settle().map_err(|error| unrunnable(error.to_string()))?;
        (self.command.folder, self.unpacked) = (Some(path), Some(unpacked));
        Ok(())
    }

    fn program(&self, command: &Command) -> Result<PathBuf, Missing> {
        let folder = command.folder.as_deref();
        locate(&command.program, folder).ok_or_else(|| {
            let name = self.name.clone();
            match programs::why_not(&command.program, folder) {
                Some(why) => Missing::Unrunnable { name, why },
                None => Missing::Program { name, program: command.program.display().to_string() },
            }
        })
    }

    /// Builds the bot in a copy of its folder, from which it plays then.
    fn build(&mut self, mut command: Command, builder: Builder<'_>) -> Result<(), Missing> {
        let (name, words) = (self.name.clone(), self.build_words().unwrap_or_default());
        let failed = |reason: String| Missing::Build { name: name.clone(), command: words.clone(), reason };
        let unbuilt =
            |reason: String| Missing::Unbuilt { name: name.clone(), command: words.clone(), reason };
        let Some(folder) = self.command.folder.clone() else { return Ok(()) };
        let user = user_of_builds(builder.launcher.level());
        let place = Workplace::of(&folder, &self.hash, user).map_err(|error| unbuilt(error.to_string()))?;
        command.folder = Some(place.folder());
        command.program = self.program(&command)?;
        command.reads.clone_from(&self.command.reads); // as far as they are allowed
        let (path, home) = (place.path(), place.home());
        let build = Build { command: &command, place: &path, home: &home, limits: builder.limits };
        builder.launcher.build(build).map_err(|failure| match failure {
            BuildFailure::Host(reason) => unbuilt(reason),
            BuildFailure::Failed { ref said, .. }
            | BuildFailure::Timeout { ref said, .. }
            | BuildFailure::Memory { ref said, .. }
            | BuildFailure::Talkative { ref said } => {
                let is_there = |folder: &str| place.folder().join(folder).exists();
                let hint = build_hint::missing_folder(&words, said, is_there).unwrap_or_default();
                failed(format!("{failure}{}{hint}", last_lines(said)))
            }
            BuildFailure::TooMuch => failed(failure.to_string()),
        })?;
        self.command.folder = Some(place.folder());
        self.unpacked = Some(place.settle().map_err(|error| unbuilt(error.to_string()))?);
        Ok(())
    }
}

/// The last of what a build said, a line each.
fn last_lines(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(20)..].iter().flat_map(|line| ["\n  ", line]).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn nothing_around() -> Launcher {
        Launcher::new("/leyden".into())
    }

    fn builder(launcher: &Launcher) -> Builder<'_> {
        Builder { launcher, limits: BuildLimits::default() }
    }

    fn bot_in(folder: &Path, manifest: &str) -> Result<Vec<Competitor>, Missing> {
        fs::write(folder.join(MANIFEST), manifest).unwrap();
        let mut found = find(&[folder.display().to_string()], Path::new("/leyden")).unwrap();
        found.left_out.pop().map_or(Ok(found.bots), Err)
    }

    #[test]
    fn a_folder_is_a_bot_by_its_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = "name = \"ann\"\ncommand = [\"sh\", \"-c\", \"exit 1\"]\nlanguage = \"sh\"\n";
        let bots = bot_in(folder.path(), manifest).unwrap();
        assert_eq!(bots.len(), 1);
        assert_eq!((bots[0].name.as_str(), bots[0].words.join(" ").as_str()), ("ann", "sh -c exit 1"));
        let mut bot = bots[0].clone();
        bot.prepare(builder(&nothing_around())).unwrap();
        assert!(bot.command.program.is_absolute());

        fs::write(folder.path().join("extra"), "x").unwrap();
        assert_ne!(bot_in(folder.path(), manifest).unwrap()[0].hash, bots[0].hash);
    }

    #[test]
    fn a_wrong_manifest_is_said_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        for (manifest, says) in [
            ("name = \"a\"\ncommand = [\"sh\"]\ncolour = 1\n", "unknown field `colour`"),
            ("name = \"a\"\n", "missing field `command`"),
            ("name = \"a\"\ncommand = []\n", "empty list"),
            ("name = \"\"\ncommand = [\"sh\"]\n", "not empty"),
            ("name = a\n", "line 1"),
        ] {
            let error = bot_in(folder.path(), manifest).unwrap_err().to_string();
            assert!(error.contains(says) && error.contains(MANIFEST), "{error}");
        }
    }

    #[test]
    fn a_folder_of_bots_stands_for_all_and_equal_names_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b", "a"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join(MANIFEST), "name = \"same\"\ncommand = [\"sh\"]\n")
                .unwrap();
        }
        let typed =
            [folder.path().display().to_string(), "builtin:random".to_owned(), "builtin:random".to_owned()];
        let names: Vec<_> =
            find(&typed, Path::new("/leyden")).unwrap().bots.into_iter().map(|bot| bot.name).collect();
        assert_eq!(names, ["same", "same#2", "random", "random#2"]);
    }

    #[test]
    fn every_submission_is_found_or_named_with_the_reason() {
        let place = tempfile::tempdir().unwrap();
        let class = place.path().join("class");
        let bot = |name: &str, manifest: &str| {
            let folder = class.join(name);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(MANIFEST), manifest).unwrap();
        };
        bot("ann", "name = \"ann\"\ncommand = [\"sh\"]\n");
        bot("bob/bob-main", "name = \"bob\"\ncommand = [\"sh\"]\n");
        bot("cy", "name = \"cy\",\ncommand = [\"sh\"]\n");
        fs::create_dir_all(class.join("dan/src")).unwrap();
        fs::write(class.join("dan/bot.toml.txt"), "").unwrap();
        fs::create_dir(class.join("eve")).unwrap();
        fs::write(class.join("fay.py"), "print()").unwrap();
        fs::write(class.join("gus.zip"), "no archive").unwrap();
        fs::create_dir(class.join("graded")).unwrap();
        fs::create_dir(class.join(".git")).unwrap();
        fs::write(class.join(IGNORE), "graded/\n").unwrap();

        let typed = [class.display().to_string()];
        let found = find(&typed, Path::new("/leyden")).unwrap();
        let names: Vec<&str> = found.bots.iter().map(|bot| bot.name.as_str()).collect();
        assert_eq!(names, ["ann", "bob"]);
        let said: Vec<String> = found.left_out.iter().map(ToString::to_string).collect();
        let expected = [
            ("cy", "line 1"),
            ("dan", "is bot.toml.txt meant?"),
            ("eve", "it is empty"),
            ("fay.py", "expected a folder"),
            ("gus.zip", "not a zip archive"),
        ];
        assert_eq!(said.len(), expected.len(), "{said:?}");
        for (said, (entry, reason)) in said.iter().zip(expected) {
            assert!(said.contains(&format!("/{entry}: ")) && said.contains(reason), "{said}");
        }
    }

    #[test]
    fn nobody_runs_the_program_of_another() {
        let place = tempfile::tempdir().unwrap();
        let bot = |name: &str, program: &str| {
            let folder = place.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("run"), "#!/bin/sh\n").unwrap();
            fs::set_permissions(folder.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
            let mut bot =
                bot_in(&folder, &format!("name = \"{name}\"\ncommand = [\"{program}\"]\n")).unwrap();
            bot[0].prepare(builder(&nothing_around())).unwrap();
            bot.remove(0)
        };
        let bots = [bot("victim", "./run"), bot("own", "./run"), bot("thief", "../victim/run")];
        let [victim, own, thief] = &bots;
        victim.owns_its_program(&bots).unwrap();
        own.owns_its_program(&bots).unwrap();
        let said = thief.owns_its_program(&bots).unwrap_err().to_string();
        assert!(said.contains("thief runs") && said.contains("belongs to victim"), "{said}");
    }

    #[test]
    fn what_is_no_bot_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("notes.txt");
        fs::write(&text, "hello").unwrap();
        for (typed, says) in [
            ("no-such-bot", "there is no bot"),
            ("builtin:nobody", "no builtin bot"),
            (folder.path().to_str().unwrap(), "holds no bot"),
            (text.to_str().unwrap(), "not executable"),
            ("python3 'bot.py", "open quote"),
        ] {
            let error = find(&[typed.to_owned()], Path::new("/leyden")).unwrap_err().to_string();
            assert!(error.contains(says), "{typed}: {error}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let mut bots =
            bot_in(folder.path(), "name = \"a\"\ncommand = [\"no-such-interpreter\", \"x\"]\n").unwrap();
        let error = bots[0].prepare(builder(&nothing_around())).unwrap_err();
        assert!(error.to_string().contains("no-such-interpreter"));
    }
}
