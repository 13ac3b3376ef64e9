//! Bots on their way to another machine: what is sent, and how the same bot is restored there. Runs no programs.

use std::fs::{self, File};
use std::io::{self, Cursor, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use leyden_model::job::JobBot;
use serde::{Deserialize, Serialize};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::archive::{self, ArchiveError};
use super::content::{self, ContentError, is_executable};
use super::{BotLookupError, Competitor, UnusableBotError};

/// The form in which a bot is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "as", rename_all = "snake_case")]
pub enum PortableBot {
    /// Only its name or command line: the other machine has the rest.
    Words { words: Vec<String> },
    /// Its folder, as an archive. `as_is` if it plays without being built.
    Folder { as_is: bool },
    /// One executable file of this name, as an archive.
    File { name: String },
}

/// A bot that cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum SendBotError {
    #[error("{name} cannot be sent to another machine: {source}")]
    Content { name: String, source: ContentError },
    #[error("{name} cannot be sent to another machine: {} is a link, and an archive may not contain links", .path.display())]
    Link { name: String, path: PathBuf },
    #[error("{name} cannot be sent to another machine: the name of {} is not UTF-8", .path.display())]
    FileName { name: String, path: PathBuf },
}

impl SendBotError {
    /// Returns the system's error if a file could not be read; otherwise the cause is what the bot contains.
    pub fn system(&self) -> Option<&io::Error> {
        match self {
            Self::Content { source: ContentError::Unreadable { source, .. }, .. } => Some(source),
            Self::Content {
                source:
                    ContentError::Special(_)
                    | ContentError::Files
                    | ContentError::Bytes
                    | ContentError::LongPath(_),
                ..
            }
            | Self::Link { .. }
            | Self::FileName { .. } => None,
        }
    }
}

/// The bot that arrived is not the one that was sent, or cannot be restored here.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveBotError {
    #[error("the archive that arrived cannot be unpacked: {0}")]
    Damaged(String),
    #[error(transparent)]
    NotABot(#[from] BotLookupError),
    #[error("the hash of {name} here is {found}, expected {expected}: {hint}")]
    Changed { name: String, found: String, expected: String, hint: &'static str },
    #[error("it cannot be stored here: {0}")]
    Io(#[from] io::Error),
}

impl From<UnusableBotError> for ReceiveBotError {
    /// What was unpacked here can be read, unless the machine lacks something.
    fn from(error: UnusableBotError) -> Self {
        match error {
            UnusableBotError::Unreadable { .. } | UnusableBotError::Uncounted { .. } => {
                Self::Io(io::Error::other(error))
            }
            error => Self::Damaged(error.to_string()),
        }
    }
}

impl ReceiveBotError {
    /// Whether another attempt may succeed, because the machine lacked something. The archive's hash was verified on arrival.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Io(_) => true,
            // The folder is the arena's: nobody else closes or removes what is in it.
            Self::NotABot(BotLookupError::Unreadable { source, .. }) => !content::is_of_content(source),
            Self::NotABot(error) => error.system().is_some(),
            Self::Damaged(_) | Self::Changed { .. } => false,
        }
    }
}

impl Competitor {
    /// Returns the form in which this bot is sent, with the archive if there is one.
    pub fn pack(&self) -> Result<(PortableBot, Option<Vec<u8>>), SendBotError> {
        if let Some(folder) = self.counted() {
            let as_is = !self.has_build();
            return Ok((PortableBot::Folder { as_is }, Some(self.pack_folder(folder)?)));
        }
        let is_builtin = self.words.first().is_some_and(|word| word.starts_with("builtin:"));
        let path = &self.command.program;
        if is_builtin || !self.command.arguments.is_empty() || self.words.len() > 1 || !path.is_file() {
            return Ok((PortableBot::Words { words: self.words.clone() }, None));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        self.add(&mut zip, path, &name)?;
        Ok((PortableBot::File { name }, Some(self.finish(zip, path)?)))
    }

    fn pack_folder(&self, folder: &Path) -> Result<Vec<u8>, SendBotError> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let paths = content::paths(folder, self.has_build()).map_err(|error| self.unpackable(error))?;
        for path in paths {
            if path.is_symlink() {
                return Err(SendBotError::Link { name: self.name.clone(), path });
            }
            let Some(name) = path.strip_prefix(folder).unwrap_or(&path).to_str() else {
                return Err(SendBotError::FileName { name: self.name.clone(), path });
            };
            self.add(&mut zip, &path, name)?;
        }
        self.finish(zip, folder)
    }

    fn add(&self, zip: &mut ZipWriter<Cursor<Vec<u8>>>, path: &Path, name: &str) -> Result<(), SendBotError> {
        let unreadable = |source| self.unpackable(ContentError::Unreadable { path: path.to_owned(), source });
        let file = content::open_regular(path).map_err(unreadable)?;
        let mut file = file.ok_or_else(|| self.unpackable(ContentError::Special(path.to_owned())))?;
        let mut add = || -> io::Result<()> {
            let mode = if is_executable(file.metadata()?.permissions().mode()) { 0o755 } else { 0o644 };
            zip.start_file(name, SimpleFileOptions::default().unix_permissions(mode))?;
            io::copy(&mut file, zip).map(drop)
        };
        add().map_err(unreadable)
    }

    fn finish(&self, zip: ZipWriter<Cursor<Vec<u8>>>, path: &Path) -> Result<Vec<u8>, SendBotError> {
        zip.finish().map(Cursor::into_inner).map_err(|error| {
            self.unpackable(ContentError::Unreadable { path: path.to_owned(), source: error.into() })
        })
    }

    fn unpackable(&self, source: ContentError) -> SendBotError {
        SendBotError::Content { name: self.name.clone(), source }
    }

    /// Restores a bot that arrived, not yet built. Fails if its hash is not the expected one.
    pub fn unpack(
        expected: &JobBot,
        baggage: &PortableBot,
        archive: Option<&[u8]>,
        leyden: &Path,
    ) -> Result<Self, ReceiveBotError> {
        let folder = archive.map(unpacked).transpose()?;
        let (bot, hint) = match (baggage, folder) {
            (PortableBot::Folder { as_is }, Some(folder)) => {
                let mut bot = super::finder::folder(&folder.path(), leyden)?;
                if *as_is {
                    bot.leave_unbuilt()?;
                }
                (Self { unpacked: Some(folder), ..bot }, "its files have changed on the way")
            }
            (PortableBot::File { name }, Some(folder)) => {
                let path = folder.path().join(Path::new(name).file_name().unwrap_or_default());
                let bot = super::finder::file(name, &path)?;
                (Self { unpacked: Some(folder), ..bot }, "it has changed on the way")
            }
            (PortableBot::Words { words }, None) => match words.as_slice() {
                [word] if word.starts_with("builtin:") => (
                    super::finder::builtin(&word["builtin:".len()..], leyden)?,
                    "it is from another version of leyden",
                ),
                words => {
                    let line = shlex::try_join(words.iter().map(String::as_str));
                    let line = line.map_err(|error| ReceiveBotError::Damaged(error.to_string()))?;
                    let hint = "a command line is sent without the files that it names; a bot in a folder with a \
                                    bot.toml is sent whole";
                    (super::finder::command_line(&line)?, hint)
                }
            },
            _ => {
                return Err(ReceiveBotError::Damaged(
                    "an archive is missing, or there is one too many".to_owned(),
                ));
            }
        };
        if bot.hash != expected.hash {
            let (name, expected) = (expected.name.clone(), expected.hash.clone());
            return Err(ReceiveBotError::Changed { name, found: bot.hash, expected, hint });
        }
        Ok(Self { name: expected.name.clone(), ..bot })
    }
}

fn unpacked(bytes: &[u8]) -> Result<archive::UnpackedFolder, ReceiveBotError> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("bot.zip");
    File::create_new(&path)?.write_all(bytes)?;
    let unpacked = archive::unpack(&path, content::MOST_BYTES).map_err(|error| match error {
        ArchiveError::System(source) | ArchiveError::Content(ContentError::Unreadable { source, .. }) => {
            source.into()
        }
        other => ReceiveBotError::Damaged(other.to_string()),
    });
    fs::remove_file(&path)?;
    unpacked
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEYDEN: &str = "/leyden";

    fn arrives(bot: &Competitor) -> Result<Competitor, ReceiveBotError> {
        let expected = JobBot { name: "as it is called here".to_owned(), hash: bot.hash.clone() };
        let (baggage, archive) = bot.pack().unwrap();
        let sent = serde_json::to_string(&baggage).unwrap();
        Competitor::unpack(
            &expected,
            &serde_json::from_str(&sent).unwrap(),
            archive.as_deref(),
            Path::new(LEYDEN),
        )
    }

    fn found(typed: &Path) -> Competitor {
        super::super::find(&[typed.display().to_string()], Path::new(LEYDEN)).unwrap().bots.remove(0)
    }

    #[test]
    fn bot_arrives_as_it_was_sent() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("ann");
        fs::create_dir_all(folder.join("src")).unwrap();
        fs::write(folder.join("bot.toml"), "name = \"ann\"\ncommand = [\"./src/run\"]\n").unwrap();
        fs::write(folder.join("src/run"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(folder.join("src/run"), fs::Permissions::from_mode(0o755)).unwrap();
        let alone = temporary.path().join("alone");
        fs::copy(folder.join("src/run"), &alone).unwrap();
        for path in [&folder, &alone] {
            let bot = found(path);
            let there = arrives(&bot).unwrap();
            assert_eq!((&there.hash, there.name.as_str()), (&bot.hash, "as it is called here"));
        }
        let there = arrives(&found(&folder)).unwrap();
        let program = there.command.folder.clone().unwrap().join("src/run");
        assert_ne!(program, folder.join("src/run"));
        assert_eq!(program.metadata().unwrap().permissions().mode() & 0o777, 0o755);
        // A folder with a build command that plays without being built.
        fs::write(folder.join("bot.toml"), "name = \"ann\"\ncommand = [\"./src/run\"]\nbuild = [\"make\"]\n")
            .unwrap();
        let mut as_is = found(&folder);
        let built = arrives(&as_is).unwrap();
        assert!(built.has_build());
        as_is.leave_unbuilt().unwrap();
        let there = arrives(&as_is).unwrap();
        assert_eq!((&there.hash, there.has_build()), (&as_is.hash, false));
        let builtin = super::super::finder::builtin("careful", Path::new(LEYDEN)).unwrap();
        assert_eq!(arrives(&builtin).unwrap().command, builtin.command);
    }

    #[test]
    fn receiver_tries_again_where_its_machine_failed() {
        let (name, reason) = ("ann".to_owned(), "Too many open files".to_owned());
        for error in [
            UnusableBotError::Unreadable { name: name.clone(), reason: reason.clone() },
            UnusableBotError::Uncounted { name: name.clone(), reason },
        ] {
            assert!(ReceiveBotError::from(error).may_pass());
        }
        let (output, command) = ("build/bot".to_owned(), "make".to_owned());
        assert!(!ReceiveBotError::from(UnusableBotError::NotBuilt { name, output, command }).may_pass());
        for (kind, may_pass) in [
            (io::ErrorKind::NotFound, true),
            (io::ErrorKind::PermissionDenied, true),
            (io::ErrorKind::InvalidFilename, false),
        ] {
            let unreadable = BotLookupError::Unreadable { path: "ann".into(), source: kind.into() };
            assert_eq!(ReceiveBotError::from(unreadable).may_pass(), may_pass, "{kind}");
        }
    }

    #[test]
    fn bot_changed_in_transit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("bot.toml"), "name = \"ann\"\ncommand = [\"sh\"]\n").unwrap();
        let bot = found(folder.path());
        let (baggage, _) = bot.pack().unwrap();
        fs::write(folder.path().join("extra"), "x").unwrap();
        let (_, other) = bot.pack().unwrap();
        let expected = JobBot { name: "ann".to_owned(), hash: bot.hash.clone() };
        let unpack =
            |archive: Option<&[u8]>| Competitor::unpack(&expected, &baggage, archive, Path::new(LEYDEN));
        assert!(matches!(unpack(other.as_deref()), Err(ReceiveBotError::Changed { .. })));
        let damaged = unpack(Some(b"no archive")).unwrap_err();
        assert!(matches!(damaged, ReceiveBotError::Damaged(_)) && !damaged.may_pass());
        assert!(matches!(unpack(None), Err(ReceiveBotError::Damaged(_))));
        std::os::unix::fs::symlink("/etc/shadow", folder.path().join("link")).unwrap();
        let link = bot.pack().unwrap_err();
        assert!(matches!(link, SendBotError::Link { .. }) && link.system().is_none());
        fs::remove_dir_all(folder.path()).unwrap();
        let gone = bot.pack().unwrap_err();
        assert_eq!(gone.system().unwrap().kind(), io::ErrorKind::NotFound, "{gone}");
    }
}
