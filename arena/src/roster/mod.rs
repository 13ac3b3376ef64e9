//! Who competes: from what was typed on the command line to named bots with a command that can be run. Runs nothing but what
//! builds a bot.

mod apart;
mod archive;
mod build_hint;
mod content;
mod entries;
mod found;
mod lone_file;
mod manifest;
mod meant;
mod missing;
mod names;
mod programs;
mod reach;
mod same_files;
mod travel;
mod workplace;

use std::path::{Component, Path, PathBuf};

use leyden_host::sandbox::Level;
use leyden_host::{Build, BuildFailure, BuildLimits, Command, Launcher, user_of_builds};

use leyden_model::BotEntry;
use leyden_protocol::{RulesName, Seats};

pub use apart::{Exposed, keep_apart};
use archive::Unpacked;
pub use content::{Files, latest};
pub use entries::IGNORE;
pub use found::{Found, at_least, find, find_again, find_handed_in};
pub use meant::{UnknownBot, meant};
pub use missing::{Missing, NotABot, NotCopied, NotReady};
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
    /// Of a bot that plays from a copy: its folder as it was handed in, which stays as long as the bot does.
    original: Option<(PathBuf, Option<Unpacked>)>,
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

/// The path of what was handed in, from where the arena runs if it lies there. Whoever hands something in chooses its name, but not
/// what stands on a line of its own.
fn shown(entry: &Path) -> String {
    let here = std::env::current_dir().ok();
    let inside = here.as_deref().and_then(|here| entry.strip_prefix(here).ok());
    let entry = inside.filter(|inside| !inside.as_os_str().is_empty()).unwrap_or(entry);
    entry.to_string_lossy().replace(leyden_protocol::is_hidden, "\u{fffd}")
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
        self.prepare(builder)?;
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
        self.counted().map(|folder| content::files(folder, self.has_build())).unwrap_or_default()
    }

    /// Its folder as it was handed in, wherever it plays from.
    pub fn handed_in_folder(&self) -> Option<&Path> {
        self.original
            .as_ref()
            .map(|(folder, _)| folder)
            .or(self.command.folder.as_ref())
            .map(PathBuf::as_path)
    }

    /// Whether the copy that it plays from, unbuilt, is no longer what was copied: it has written there, which no sandbox lets it.
    pub fn has_written(&self) -> bool {
        let copy = self.command.folder.as_ref().filter(|_| self.original.is_some() && !self.has_build());
        copy.is_some_and(|copy| content::of_folder(copy, false).is_ok_and(|hash| hash != self.hash))
    }

    /// Its folder and the one that it plays from; none if it has no folder.
    fn folders(&self) -> Vec<&Path> {
        self.handed_in_folder().into_iter().chain(self.command.folder.as_deref()).collect()
    }

    /// The folder that holds what it is known by: a build adds to its copy.
    fn counted(&self) -> Option<&Path> {
        if self.has_build() { self.handed_in_folder() } else { self.command.folder.as_deref() }
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

    /// Copies the bot, builds it if it says how, and finds its program. Afterwards its command can be run.
    pub fn prepare(&mut self, builder: Builder<'_>) -> Result<(), NotReady> {
        if let Some(build) = self.build.clone() {
            self.build(build, builder)?;
        } else if !builder.launcher.is_at_terminal() {
            self.copy()?;
        }
        self.command.program = self.program(&self.command)?;
        Ok(())
    }

    /// Has it play from a copy of what it is known by: somebody may change its folder while it plays, and what else lies there, such
    /// as `.git` or the results, is not for the bot. (Who debugs a bot wants to see its own files.)
    fn copy(&mut self) -> Result<(), NotReady> {
        let Some(folder) = self.command.folder.clone() else { return Ok(()) };
        let copied = || -> Result<_, NoWorkplace> {
            let place = Workplace::without_build(&folder, &self.hash)?;
            Ok((place.folder(), place.settle()?))
        };
        // It may lie elsewhere, as seen from the folder.
        self.command.program = self.program(&self.command)?;
        let unrunnable = |why| Missing::Unrunnable { name: self.name.clone(), why };
        let (copy, unpacked) = copied().map_err(|error| self.not_copied(error, unrunnable))?;
        self.play_from(&copy, unpacked);
        Ok(())
    }

    /// What stands in the way of a copy: the system, or what was handed in.
    fn not_copied(&self, error: NoWorkplace, of_bot: impl FnOnce(String) -> Missing) -> NotReady {
        match error {
            NoWorkplace::Io(source) => {
                NotCopied { bot: self.name.clone(), place: std::env::temp_dir(), source }.into()
            }
            NoWorkplace::Content(_) | NoWorkplace::Changed => of_bot(error.to_string()).into(),
        }
    }

    /// Moves it into a copy of its folder. Where its command names the folder, it names the copy then.
    fn play_from(&mut self, copy: &Path, unpacked: Unpacked) {
        let Some(folder) = self.command.folder.replace(copy.to_owned()) else { return };
        let moved = |path: &Path| {
            let inside = path.strip_prefix(&folder).ok()?;
            let stays = inside.components().all(|part| part != Component::ParentDir);
            stays.then(|| copy.join(inside))
        };
        let Command { program, arguments, .. } = &mut self.command;
        if let Some(path) = moved(program) {
            *program = path;
        }
        for argument in arguments {
            if let Some(path) = moved(Path::new(argument)) {
                *argument = path.into_os_string();
            }
        }
        self.original = Some((folder, self.unpacked.replace(unpacked)));
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
        let place =
            Workplace::of(&folder, &self.hash, user).map_err(|error| self.not_copied(error, unbuilt))?;
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
        let copy = place.folder();
        self.play_from(&copy, place.settle().map_err(|error| unbuilt(error.to_string()))?);
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
