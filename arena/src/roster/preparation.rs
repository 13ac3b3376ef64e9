//! Makes a bot ready to run: builds or copies it, finds its program, and keeps it apart from the others. Runs no programs except
//! build commands.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use leyden_host::sandbox::SandboxLevel;
use leyden_host::{BotCommand, Build, BuildError, BuildLimits, Launcher, user_of_builds};

use super::archive::UnpackedFolder;
use super::bot_copy::{BotCopy, CopyError};
use super::competitor::Competitor;
use super::content::{self, ContentError};
use super::error::{BotCopyError, BotPreparationError, UnusableBotError};
use super::kept_build::KeptBuild;
use super::programs::locate;
use super::sandbox_reads::{Grants, HideReason};
use super::{build_hint, isolation, programs};

/// Where and how bots are built.
#[derive(Clone, Copy)]
pub struct Builder<'a> {
    /// Starts them, in their sandbox.
    pub launcher: &'a Launcher,
    pub limits: BuildLimits,
    /// Returns true if the build should stop.
    pub stopped: &'a dyn Fn() -> bool,
    /// The folder where builds are kept for the next run of the program.
    pub kept: Option<&'a Path>,
}

impl Competitor {
    /// Restricts the bot to the sandbox level, builds it, finds its program, and checks that this does not belong to another bot in
    /// `all`.
    ///
    /// For a command line, returns the folders of its files in which it cannot see the other files, and why.
    pub fn make_ready(
        &mut self,
        builder: Builder<'_>,
        grants: Grants<'_>,
        all: &[Self],
        private: &[PathBuf],
    ) -> Result<Vec<(PathBuf, HideReason)>, BotPreparationError> {
        let level = builder.launcher.level();
        let mut hidden = Vec::new();
        if self.is_in_process() {
            return Ok(hidden);
        }
        if level != SandboxLevel::None {
            self.admit(grants)?;
            hidden = self.show_folders_of_its_files(all, private, grants.sharing);
        }
        self.prepare(builder)?;
        self.owns_its_program(all)?;
        Ok(hidden)
    }

    /// Drops the build command: the bot plays as it is in its folder, and its hash covers all files there.
    pub fn leave_unbuilt(&mut self) -> Result<(), UnusableBotError> {
        let (Some(command), Some(folder)) = (self.build_words(), self.command.folder.clone()) else {
            return Ok(());
        };
        let name = || self.name.clone();
        if let Some(output) = self.lacks_output(&folder) {
            return Err(UnusableBotError::NotBuilt { name: name(), output, command });
        }
        self.hash = content::hash_folder(&folder, false).map_err(|error| {
            let (name, reason) = (name(), error.to_string());
            match (error.system(), &error) {
                (Some(_), _) => UnusableBotError::Unreadable { name, reason },
                (None, ContentError::Unreadable { source, .. })
                    if source.kind() == ErrorKind::PermissionDenied =>
                {
                    UnusableBotError::Closed { name, reason }
                }
                (None, _) => UnusableBotError::Uncounted { name, reason },
            }
        })?;
        self.build = None;
        Ok(())
    }

    /// Returns the first file or folder that the command names and the build makes, but which is missing or empty.
    fn lacks_output(&self, folder: &Path) -> Option<String> {
        let BotCommand { program, arguments, .. } = &self.command;
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

    /// Refuses a program that belongs to another bot. Call it on a [prepared](Self::prepare) bot.
    pub(super) fn owns_its_program(&self, bots: &[Self]) -> Result<(), UnusableBotError> {
        isolation::owner_of_program(self, bots).map_or(Ok(()), |owner| {
            let program = self.command.program.clone();
            Err(UnusableBotError::Foreign { name: self.name.clone(), program, owner: owner.name.clone() })
        })
    }

    /// Copies the bot, builds it if it has a build command, and finds its program. Its command can be run afterwards.
    pub fn prepare(&mut self, builder: Builder<'_>) -> Result<(), BotPreparationError> {
        if let Some(build) = self.build.clone() {
            self.build(build, builder)?;
        } else if !builder.launcher.is_at_terminal() {
            self.copy()?;
        }
        self.command.program = self.program(&self.command)?;
        match self.words.first().and_then(|called| programs::lacks_script(called, &self.command)) {
            Some(why) => Err(UnusableBotError::Unrunnable { name: self.name.clone(), why }.into()),
            None => Ok(()),
        }
    }

    /// Lets the bot play from a copy of the hashed files: its folder may change while it plays, and may contain other things, such
    /// as `.git` or the results, that the bot must not see. (With debugging, a bot plays from its own files.)
    fn copy(&mut self) -> Result<(), BotPreparationError> {
        let Some(folder) = self.command.folder.clone() else { return Ok(()) };
        let copied = || -> Result<_, CopyError> {
            let copy = BotCopy::without_build(&folder, &self.hash)?;
            Ok((copy.folder(), copy.settle()?))
        };
        // Resolved before the move: the program may lie outside the folder.
        self.command.program = self.program(&self.command)?;
        let unrunnable = |why| UnusableBotError::Unrunnable { name: self.name.clone(), why };
        let (copy, unpacked) = copied().map_err(|error| self.not_copied(error, unrunnable))?;
        self.play_from(&copy, unpacked);
        Ok(())
    }

    /// Returns why a copy failed: because of the system, or of what was handed in. `changed` makes the error of what changed since.
    fn not_copied(
        &self,
        error: CopyError,
        changed: impl FnOnce(String) -> UnusableBotError,
    ) -> BotPreparationError {
        match error {
            CopyError::LongPath(_) => {
                UnusableBotError::Unrunnable { name: self.name.clone(), why: error.to_string() }.into()
            }
            CopyError::Io(source) => {
                BotCopyError { bot: self.name.clone(), folder: std::env::temp_dir(), source }.into()
            }
            CopyError::Content(_) | CopyError::Changed => changed(error.to_string()).into(),
        }
    }

    /// Moves the bot to a copy of its folder, and adapts the paths in its command.
    fn play_from(&mut self, copy: &Path, unpacked: UnpackedFolder) {
        let Some(folder) = self.command.folder.replace(copy.to_owned()) else { return };
        let moved = |path: &Path| {
            let inside = path.strip_prefix(&folder).ok()?;
            let stays = inside.components().all(|part| part != Component::ParentDir);
            stays.then(|| copy.join(inside))
        };
        let BotCommand { program, arguments, .. } = &mut self.command;
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

    fn program(&self, command: &BotCommand) -> Result<PathBuf, UnusableBotError> {
        let folder = command.folder.as_deref();
        locate(&command.program, folder).ok_or_else(|| {
            let name = self.name.clone();
            match programs::why_not(&command.program, folder) {
                Some(why) => UnusableBotError::Unrunnable { name, why },
                None => UnusableBotError::Program {
                    name,
                    program: command.program.display().to_string(),
                    remedy: programs::remedy(command),
                },
            }
        })
    }

    /// Builds the bot in a copy of its folder, and lets it play from there.
    fn build(&mut self, mut command: BotCommand, builder: Builder<'_>) -> Result<(), BotPreparationError> {
        let (name, words) = (self.name.clone(), self.build_words().unwrap_or_default());
        let failed = |reason: String, printed: Vec<String>| {
            let (name, command) = (name.clone(), words.clone());
            UnusableBotError::Build { name, command, reason, printed }
        };
        let unbuilt =
            |reason: String| UnusableBotError::Unbuilt { name: name.clone(), command: words.clone(), reason };
        let Some(folder) = self.command.folder.clone() else { return Ok(()) };
        let user = user_of_builds(builder.launcher.level());
        command.reads.clone_from(&self.command.reads); // only the allowed ones
        let kept = self.kept_build(&command, builder);
        if let Some((copy, temporary)) = kept.as_ref().and_then(KeptBuild::copy) {
            self.play_from(&copy, UnpackedFolder::new(Arc::new(temporary)));
            return Ok(());
        }
        let bot_copy =
            BotCopy::new(&folder, &self.hash, user).map_err(|error| self.not_copied(error, unbuilt))?;
        command.folder = Some(bot_copy.folder());
        command.program = self.program(&command)?;
        let (path, home) = (bot_copy.path(), bot_copy.home());
        let Builder { launcher, limits, stopped, .. } = builder;
        let build = Build { command: &command, folder: &path, home: &home, limits, stopped };
        launcher.build(build).map_err(|failure| match failure {
            BuildError::Stopped => BotPreparationError::Interrupted { bot: name.clone() },
            BuildError::Host(reason) => unbuilt(reason).into(),
            BuildError::Failed { ref printed, .. }
            | BuildError::Timeout { ref printed, .. }
            | BuildError::Memory { ref printed, .. }
            | BuildError::Talkative { ref printed } => {
                let is_there = |folder: &str| bot_copy.folder().join(folder).exists();
                let hint = build_hint::missing_folder(&words, printed, is_there).unwrap_or_default();
                failed(format!("{failure}{hint}"), last_lines(printed)).into()
            }
            BuildError::TooMuch => failed(failure.to_string(), Vec::new()).into(),
        })?;
        let copy = bot_copy.folder();
        let settled = bot_copy.settle().map_err(|error| {
            if content::is_of_handed_in(&error) {
                failed(format!("what it wrote cannot be used: {error}"), Vec::new())
            } else {
                unbuilt(error.to_string())
            }
        })?;
        if let Some(Err(error)) = kept.map(|kept| kept.keep(&copy)) {
            tracing::warn!("the build of {name} is not kept: {error}");
        }
        self.play_from(&copy, settled);
        Ok(())
    }

    /// Where the build of this bot is kept, if its program is found before it is built.
    fn kept_build(&self, command: &BotCommand, builder: Builder<'_>) -> Option<KeptBuild> {
        let program = locate(&command.program, command.folder.as_deref())?;
        let folder = command.folder.as_deref()?;
        // The path of the bot's folder changes nothing.
        let program = program.strip_prefix(folder).map(Path::to_owned).unwrap_or(program);
        let command = BotCommand { program, ..command.clone() };
        let around = (builder.launcher.level(), builder.limits);
        Some(KeptBuild::new(builder.kept?, &self.hash, &command, around))
    }
}

/// Returns the last lines that a build printed.
fn last_lines(printed: &str) -> Vec<String> {
    let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
    lines.split_off(lines.len().saturating_sub(20))
}
