//! Who competes: from what was typed on the command line to named bots with a command that can be run. Runs nothing but what
//! builds a bot.

mod apart;
mod archive;
mod build_hint;
mod content;
mod entries;
mod lone_file;
mod manifest;
mod missing;
mod names;
mod programs;
mod reach;
mod same_files;
mod travel;
mod workplace;

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use leyden_host::sandbox::Level;
use leyden_host::{Build, BuildFailure, BuildLimits, Command, Launcher, user_of_builds};
use sha2::{Digest, Sha256};

use leyden_model::{BotEntry, hex};
use leyden_protocol::{RulesName, Seats};

pub use crate::toml_error::likely;
pub use apart::{Exposed, keep_apart};
use archive::Unpacked;
pub use content::{Files, latest};
pub use entries::IGNORE;
use entries::Submission;
use manifest::Manifest;
pub use missing::{Missing, NotABot, NotReady};
use names::tell_apart;
pub use names::{LONGEST_NAME, SameName, is_plain_name};
pub use programs::is_on_path;
use programs::locate;
pub use reach::WhyHidden;
pub use same_files::{SameFiles, same_files};
pub use travel::{Baggage, CannotTravel, NotArrived};
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
    /// Of a bot that was built: its folder as it was handed in, which stays as long as the bot does.
    before_build: Option<(PathBuf, Option<Unpacked>)>,
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
    find_again(typed, leyden, &[])
}

/// The same where some are known from before: of several that came with one name, those keep theirs who lie where they lay.
pub fn find_again(typed: &[String], leyden: &Path, known: &[BotEntry]) -> Result<Found, NotABot> {
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
    found.same_names = tell_apart(&mut found.bots, known);
    Ok(found)
}

/// The same of what a class has handed in, as a shell writes `submissions/*` out: a folder without a bot and a file that is none
/// are left out with the reason, like the entries of a folder that is typed itself.
pub fn find_handed_in(typed: &[String], leyden: &Path) -> Result<Found, NotABot> {
    let (entries, bots): (Vec<_>, Vec<_>) = typed.iter().cloned().partition(|text| holds_no_bot(text));
    let mut found = if bots.is_empty() { Found::default() } else { find(&bots, leyden)? };
    for entry in entries {
        found.take_submission(entries::of_file(Path::new(&entry)), leyden);
    }
    Ok(found)
}

/// Whether it is a folder that no bot is in, or a file that is neither a program nor an archive.
fn holds_no_bot(text: &str) -> bool {
    let path = Path::new(text);
    let is_program = || path.metadata().is_ok_and(|of| of.permissions().mode() & 0o111 != 0);
    if path.is_dir() {
        entries::at_least(path) == 0
    } else {
        path.is_file() && !archive::is_zip(path) && !is_program()
    }
}

/// How many bots these words stand for at least, found out without unpacking or reading one.
pub fn at_least(typed: &[String]) -> usize {
    let of = |text: &String| if Path::new(text).is_dir() { entries::at_least(Path::new(text)) } else { 1 };
    typed.iter().map(of).sum()
}

impl Found {
    /// Calls two versions of one bot by their folders.
    pub fn name_by_folder(&mut self) {
        let ([new, old], [same]) = (&mut self.bots[..], &self.same_names[..]) else { return };
        if names::by_folder(new, old, &same.name) {
            self.same_names.clear();
        }
    }

    /// Calls two versions of one bot what they were called before, the new one and the old one, wherever they lie now: what they are
    /// made of tells whether they are the same.
    pub fn name_as(&mut self, known: &[BotEntry]) {
        if let ([new, old], [was_new, was_old]) = (&mut self.bots[..], known) {
            new.name.clone_from(&was_new.name);
            old.name.clone_from(&was_old.name);
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

/// The path of what was handed in, from where the arena runs if it lies there. Whoever hands something in chooses its name, but not
/// what stands on a line of its own.
fn shown(entry: &Path) -> String {
    let here = std::env::current_dir().ok();
    let inside = here.as_deref().and_then(|here| entry.strip_prefix(here).ok());
    let entry = inside.filter(|inside| !inside.as_os_str().is_empty()).unwrap_or(entry);
    entry.to_string_lossy().replace(leyden_protocol::is_hidden, "\u{fffd}")
}

/// The bots of a folder of submissions; each other entry of it with the reason why it is none.
fn submissions(path: &Path, leyden: &Path, found: &mut Found) -> Result<(), NotABot> {
    let mut here = Found::default();
    for submission in entries::of_folder(path)? {
        here.take_submission(submission, leyden);
    }
    if here.bots.is_empty() {
        if let Some(lines) = entries::manifest_for(path) {
            return Err(NotABot::NoManifest { folder: path.to_owned(), lines });
        }
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
        command: Command {
            program: leyden.to_owned(),
            arguments,
            folder: None,
            reads: Vec::new(),
            lists: Vec::new(),
        },
        words: vec![format!("builtin:{text}")],
        hash: hex(&Sha256::digest(made_of.as_bytes())),
        author: None,
        language: None,
        supports: Supports::default(),
        handed_in: None,
        build: None,
        unpacked: None,
        before_build: None,
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
        before_build: None,
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
            lists: Vec::new(),
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
        before_build: None,
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
            lists: Vec::new(),
        },
        hash: hex(&hash.finalize()),
        words,
        author: None,
        language: None,
        supports: Supports::default(),
        handed_in: None,
        build: None,
        unpacked: None,
        before_build: None,
    })
}

fn split(text: &str) -> Result<Vec<String>, NotABot> {
    if text.len() > manifest::LONGEST_COMMAND {
        let start: String = text.chars().take(40).collect();
        let reason = format!("a command line of {} bytes: expected no more than 32 KiB", text.len());
        return Err(NotABot::Content { path: format!("{start}…").into(), reason });
    }
    shlex::split(text).ok_or_else(|| NotABot::Quotes(text.to_owned()))
}

/// Where and how bots are built.
#[derive(Clone, Copy)]
pub struct Builder<'a> {
    /// What starts them, with their sandbox.
    pub launcher: &'a Launcher,
    pub limits: BuildLimits,
    /// Says whether a build is not wanted any more.
    pub halted: &'a dyn Fn() -> bool,
}

impl Competitor {
    /// Makes it ready to be run at a level of the sandbox: fitted to it, built, its program found, and that no other one's
    /// of these.
    ///
    /// Of a bot that is a command line it tells the folders whose files it is not shown although it names one of them,
    /// and why.
    pub fn make_ready(
        &mut self,
        builder: Builder<'_>,
        allowed: &[PathBuf],
        all: &[Self],
        private: &[PathBuf],
    ) -> Result<Vec<(PathBuf, WhyHidden)>, NotReady> {
        let level = builder.launcher.level();
        let mut hidden = Vec::new();
        if level != Level::None {
            self.admit(allowed)?;
            hidden = self.show_folders_of_its_files(all, private);
        }
        self.prepare(builder, private)?;
        self.owns_its_program(all)?;
        Ok(hidden)
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

    /// The files that it is made of; none of what is no folder.
    pub fn files(&self) -> Files {
        let was_built_in = self.before_build.as_ref().map(|(folder, _)| folder);
        let folder = was_built_in.or(self.command.folder.as_ref());
        folder.map(|folder| content::files(folder, self.has_build())).unwrap_or_default()
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
    ///
    /// The files that are private are not for the bot, and may come to lie in its folder.
    pub fn prepare(&mut self, builder: Builder<'_>, private: &[PathBuf]) -> Result<(), NotReady> {
        if let Some(build) = self.build.clone() {
            self.build(build, builder)?;
        } else if !builder.launcher.is_at_terminal() {
            self.keep_to_what_counts(private)?;
        }
        self.command.program = self.program(&self.command)?;
        Ok(())
    }

    /// Has it play from a copy if there is something in its folder by which it is not known, such as `.git`, or will be, such as
    /// the results: it may not use that. (Who debugs a bot wants to see its own files.)
    fn keep_to_what_counts(&mut self, private: &[PathBuf]) -> Result<(), Missing> {
        let Some(folder) = self.command.folder.clone() else { return Ok(()) };
        let copy = || -> Result<_, NoWorkplace> {
            let is_in_folder = |file: &PathBuf| file.starts_with(&folder);
            let has_more = content::has_more(&folder)? || private.iter().any(is_in_folder);
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
    fn build(&mut self, mut command: Command, builder: Builder<'_>) -> Result<(), NotReady> {
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
        let Builder { launcher, limits, halted } = builder;
        let build = Build { command: &command, place: &path, home: &home, limits, halted };
        launcher.build(build).map_err(|failure| match failure {
            BuildFailure::Halted => NotReady::Interrupted { bot: name.clone() },
            BuildFailure::Host(reason) => unbuilt(reason).into(),
            BuildFailure::Failed { ref said, .. }
            | BuildFailure::Timeout { ref said, .. }
            | BuildFailure::Memory { ref said, .. }
            | BuildFailure::Talkative { ref said } => {
                let is_there = |folder: &str| place.folder().join(folder).exists();
                let hint = build_hint::missing_folder(&words, said, is_there).unwrap_or_default();
                failed(format!("{failure}{}{hint}", last_lines(said))).into()
            }
            BuildFailure::TooMuch => failed(failure.to_string()).into(),
        })?;
        self.command.folder = Some(place.folder());
        self.before_build = Some((folder, self.unpacked.take()));
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
mod tests;
