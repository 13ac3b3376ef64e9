//! Who competes: from what was typed on the command line to named bots with a command that can be run. Runs nothing but what
//! builds a bot.

mod archive;
mod content;
mod entries;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use leyden_host::Command;
use leyden_host::sandbox::system_files;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use leyden_model::{BotEntry, hex};
use leyden_protocol::{RulesName, Seats};

pub use entries::IGNORE;

/// The file that makes a folder a bot.
const MANIFEST: &str = "bot.toml";

/// The most that a manifest may hold.
const MANIFEST_BYTES: u64 = 64 << 10;

/// The longest name, in characters.
const NAME_LENGTH: usize = 100;

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
    build: Option<Command>,
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
    #[error(
        "{folder} holds no bot: expected folders with a {MANIFEST}, or zip archives of such folders{rest}",
        folder = .folder.display(), rest = .entries.iter().flat_map(|entry| ["\n  ", entry]).collect::<String>()
    )]
    NoBots { folder: PathBuf, entries: Vec<String> },
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
    #[error("{name}: building it failed ({command}): {reason}")]
    Build { name: String, command: String, reason: String },
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

/// A bot could read or run what belongs to another.
#[derive(Debug, thiserror::Error)]
pub enum Exposed {
    #[error(
        "{name} may read {path}, and {other} is in it: keep the folder of each bot apart from those of the others and from the \
         results (--results)",
        path = .path.display(), other = .other.display()
    )]
    Inside { name: String, path: PathBuf, other: PathBuf },
    #[error(
        "{folder}, the folder of {name}, is among the system's programs, which every bot can read: move it elsewhere",
        folder = .folder.display()
    )]
    System { name: String, folder: PathBuf },
    #[error(
        "{name} runs {program}, which belongs to {owner}: correct the command in its {MANIFEST}",
        program = .program.display()
    )]
    Program { name: String, program: PathBuf, owner: String },
}

impl Missing {
    /// The bot that is missing, or the entry that is none.
    pub fn name(&self) -> &str {
        match self {
            Self::Entry { entry: name, .. }
            | Self::Program { name, .. }
            | Self::Build { name, .. }
            | Self::OutOfReach { name, .. }
            | Self::NotAllowed { name, .. }
            | Self::NothingToRead { name, .. } => name,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    name: String,
    command: Vec<String>,
    build: Option<Vec<String>>,
    /// Absolute paths that the bot needs to read besides its folder and the system's programs.
    #[serde(default)]
    read: Vec<PathBuf>,
    author: Option<String>,
    language: Option<String>,
    /// The rule sets that it plays, and with how many seats; all if left out.
    #[serde(default)]
    rules: Vec<RulesName>,
    #[serde(default)]
    seats: Vec<Seats>,
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
}

/// Finds the bots that were typed. A folder of bot folders, and of archives of them, stands for all of them, sorted by name.
///
/// `leyden` is the path of the arena's own program, which is run for a builtin bot. Archives are unpacked into the user's
/// cache, by their content, and stay there.
pub fn find(typed: &[String], leyden: &Path) -> Result<Found, NotABot> {
    find_with(typed, leyden, &archive::cache())
}

fn find_with(typed: &[String], leyden: &Path, unpacked: &Path) -> Result<Found, NotABot> {
    let mut found = Found::default();
    for text in typed {
        let path = Path::new(text);
        if let Some(name) = text.strip_prefix("builtin:") {
            found.bots.push(builtin(name, leyden)?);
        } else if let Some(bot) = path.is_dir().then(|| entries::nested(path)).flatten() {
            found.bots.push(folder(&bot)?);
        } else if path.is_dir() {
            submissions(path, unpacked, &mut found)?;
        } else if path.is_file() {
            found.bots.push(file(text, path)?);
        } else {
            found.bots.push(command_line(text)?);
        }
    }
    tell_apart(&mut found.bots);
    Ok(found)
}

/// The bots of a folder of submissions; each other entry of it with the reason why it is none.
fn submissions(path: &Path, unpacked: &Path, found: &mut Found) -> Result<(), NotABot> {
    let mut entries = Vec::new();
    let before = found.bots.len();
    for submission in entries::of_folder(path, unpacked)? {
        let bot = match submission.folder {
            Ok(place) => folder(&place).map_err(|error| error.to_string()),
            Err(reason) => Err(reason),
        };
        match bot {
            Ok(bot) => found.bots.push(bot),
            Err(reason) => {
                entries.push(Missing::Entry { entry: submission.path.display().to_string(), reason });
            }
        }
    }
    if found.bots.len() == before {
        let entries = entries.iter().map(ToString::to_string).collect();
        return Err(NotABot::NoBots { folder: path.to_owned(), entries });
    }
    found.left_out.extend(entries);
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
        build: None,
    })
}

/// The text of a manifest, if it is a file of a reasonable size.
fn read_manifest(path: &Path) -> io::Result<String> {
    let file = content::open_regular(path)?.ok_or_else(|| io::Error::other("it is not a file"))?;
    let mut text = String::new();
    file.take(MANIFEST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MANIFEST_BYTES {
        return Err(io::Error::other(format!("it has more than {} KiB", MANIFEST_BYTES >> 10)));
    }
    Ok(text)
}

/// What is wrong with a name, or with a word of a command.
fn wrong_name(name: &str) -> Option<&'static str> {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        Some("the name must be a text of one line that is not empty")
    } else if name.chars().count() > NAME_LENGTH {
        Some("the name is too long: expected 100 characters at most")
    } else {
        None
    }
}

fn folder(path: &Path) -> Result<Competitor, NotABot> {
    let manifest_path = path.join(MANIFEST);
    let unreadable = |source| NotABot::Unreadable { path: manifest_path.clone(), source };
    let text = read_manifest(&manifest_path).map_err(unreadable)?;
    let wrong = |problem: String| NotABot::Manifest { path: manifest_path.clone(), problem };
    let manifest: Manifest = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if let Some(problem) = wrong_name(&manifest.name) {
        return Err(wrong(problem.to_owned()));
    }
    let words = manifest.command.iter().chain(manifest.build.iter().flatten());
    let length: usize = words.clone().map(|word| word.len() + 1).sum();
    if words.clone().any(|word| word.contains('\0')) || length as u64 > MANIFEST_BYTES / 2 {
        return Err(wrong("a command may hold no NUL, and no more than 32 KiB".to_owned()));
    }
    let folder = path.canonicalize().map_err(unreadable)?;
    let command = |words: &[String], what: &str| match words {
        [] => Err(wrong(format!("the {what} is an empty list: expected a program and its arguments"))),
        [program, arguments @ ..] => Ok(Command {
            program: program.into(),
            arguments: arguments.iter().map(Into::into).collect(),
            folder: Some(folder.clone()),
            reads: manifest.read.clone(),
        }),
    };
    Ok(Competitor {
        name: manifest.name,
        command: command(&manifest.command, "command")?,
        words: manifest.command,
        hash: content::of_folder(&folder, manifest.build.is_some())
            .map_err(|error| wrong(error.to_string()))?,
        author: manifest.author,
        language: manifest.language,
        supports: Supports { rules: manifest.rules, seats: manifest.seats },
        build: manifest.build.as_deref().map(|words| command(words, "build command")).transpose()?,
    })
}

fn file(text: &str, path: &Path) -> Result<Competitor, NotABot> {
    let unreadable = |source| NotABot::Unreadable { path: path.to_owned(), source };
    let mode = path.metadata().map_err(unreadable)?.permissions().mode();
    if mode & 0o111 == 0 {
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
            .map_err(|error| NotABot::Manifest { path: path.to_owned(), problem: error.to_string() })?
            .0),
        author: None,
        language: None,
        supports: Supports::default(),
        build: None,
    })
}

/// A command line: its first word must be a program, or what was typed is no bot at all.
fn command_line(text: &str) -> Result<Competitor, NotABot> {
    let words = split(text)?;
    let Some((program, arguments)) = words.split_first() else {
        return Err(NotABot::Unknown(text.to_owned()));
    };
    if arguments.is_empty() && locate(Path::new(program), None).is_none() {
        return Err(NotABot::Unknown(text.to_owned()));
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
        build: None,
    })
}

fn split(text: &str) -> Result<Vec<String>, NotABot> {
    shlex::split(text).ok_or_else(|| NotABot::Quotes(text.to_owned()))
}

/// The second bot of a name becomes `name#2`, the third `name#3`. Names that are only written differently are the same.
fn tell_apart(found: &mut [Competitor]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for bot in found {
        let count = seen.entry(looks_like(&bot.name)).or_insert(0);
        *count += 1;
        if *count > 1 {
            bot.name = format!("{}#{count}", bot.name);
        }
    }
}

/// What a name looks like: without what is not seen of it, and in the one form of what Unicode writes in several.
fn looks_like(name: &str) -> String {
    let is_seen = |c: &char| !matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}');
    name.nfkc().filter(is_seen).collect::<String>().trim().to_owned()
}

/// Where a program is: a path (relative to the folder) or a name on the search path.
fn locate(program: &Path, folder: Option<&Path>) -> Option<PathBuf> {
    if program.components().count() > 1 {
        let path = folder.map_or_else(|| program.to_owned(), |folder| folder.join(program));
        return path.canonicalize().ok().filter(|path| runnable(path));
    }
    on_path(program, &std::env::var_os("PATH")?)
}

fn on_path(program: &Path, search: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search).map(|place| place.join(program)).find(|path| runnable(path))
}

fn runnable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Sees to it that no bot may read another's folder, or one of these other places.
pub fn keep_apart(bots: &[Competitor], others: &[PathBuf]) -> Result<(), Exposed> {
    let others = || bots.iter().filter_map(|bot| bot.command.folder.as_ref()).chain(others);
    for bot in bots {
        let Command { folder, reads, .. } = &bot.command;
        for path in folder.iter().chain(reads) {
            let inside = |other: &&PathBuf| other.starts_with(path) && Some(*other) != folder.as_ref();
            if let Some(other) = others().find(inside) {
                return Err(Exposed::Inside {
                    name: bot.name.clone(),
                    path: path.clone(),
                    other: other.clone(),
                });
            }
        }
        if let Some(folder) = folder.as_ref().filter(|folder| system_files::is_part(folder)) {
            return Err(Exposed::System { name: bot.name.clone(), folder: folder.clone() });
        }
    }
    Ok(())
}

/// Sees to it that no bot's command runs a program that another one handed in.
pub fn owns_its_program(bots: &[Competitor]) -> Result<(), Exposed> {
    for bot in bots {
        let Command { folder: own, program, .. } = &bot.command;
        let folders =
            bots.iter().filter_map(|other| other.command.folder.as_ref().map(|folder| (other, folder)));
        let owner = folders
            .filter(|(_, folder)| program.starts_with(folder) && own.as_ref() != Some(folder))
            .find(|(_, folder)| own.as_ref().is_none_or(|own| !own.starts_with(folder)));
        if let (Some((owner, _)), true) = (owner, own.is_some()) {
            return Err(Exposed::Program {
                name: bot.name.clone(),
                program: program.clone(),
                owner: owner.name.clone(),
            });
        }
    }
    Ok(())
}

impl Competitor {
    /// Fits the command to a sandbox, where only the system's programs are seen, the bot's own folder, and what it asks for
    /// and the organiser allows. To be called before [`prepare`](Self::prepare).
    pub fn admit(&mut self, allowed: &[PathBuf]) -> Result<(), Missing> {
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
        }
    }

    /// Whether it has to be built before it can be run.
    pub fn has_build(&self) -> bool {
        self.build.is_some()
    }

    /// Builds the bot if it says how, and finds its program. Afterwards its command can be run.
    pub fn prepare(&mut self) -> Result<(), Missing> {
        if let Some(build) = self.build.clone() {
            self.build(&build)?;
        }
        self.command.program = self.program(&self.command)?;
        Ok(())
    }

    fn program(&self, command: &Command) -> Result<PathBuf, Missing> {
        locate(&command.program, command.folder.as_deref()).ok_or_else(|| Missing::Program {
            name: self.name.clone(),
            program: command.program.display().to_string(),
        })
    }

    fn build(&self, command: &Command) -> Result<(), Missing> {
        let failed = |reason: String| {
            let words = std::iter::once(command.program.as_os_str())
                .chain(command.arguments.iter().map(AsRef::as_ref));
            let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
            Missing::Build { name: self.name.clone(), command: words.join(" "), reason }
        };
        let mut process = std::process::Command::new(self.program(command)?);
        process.args(&command.arguments).stdin(std::process::Stdio::null());
        if let Some(folder) = &command.folder {
            process.current_dir(folder);
        }
        let output = process.output().map_err(|error| failed(error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().collect();
        let last = lines[lines.len().saturating_sub(20)..].join("\n  ");
        Err(failed(format!("{}\n  {last}", output.status)))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn bot_in(folder: &Path, manifest: &str) -> Result<Vec<Competitor>, NotABot> {
        fs::write(folder.join(MANIFEST), manifest).unwrap();
        find(&[folder.display().to_string()], Path::new("/leyden")).map(|found| found.bots)
    }

    #[test]
    fn a_folder_is_a_bot_by_its_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = "name = \"ann\"\ncommand = [\"sh\", \"-c\", \"exit 1\"]\nlanguage = \"sh\"\n";
        let bots = bot_in(folder.path(), manifest).unwrap();
        assert_eq!(bots.len(), 1);
        assert_eq!((bots[0].name.as_str(), bots[0].words.join(" ").as_str()), ("ann", "sh -c exit 1"));
        let mut bot = bots[0].clone();
        bot.prepare().unwrap();
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
        let found = find_with(&typed, Path::new("/leyden"), &place.path().join("unpacked")).unwrap();
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
    fn names_that_look_alike_are_told_apart() {
        for (one, other) in
            [("Zo\u{eb}", "Zoe\u{308}"), ("ann", "a\u{200b}nn"), ("x", "\u{202e}x"), ("fi", "\u{fb01}")]
        {
            assert_eq!(looks_like(one), looks_like(other));
        }
        assert_ne!(looks_like("ann"), looks_like("Ann"));
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
            bot[0].prepare().unwrap();
            bot.remove(0)
        };
        let (victim, own, thief) =
            (bot("victim", "./run"), bot("own", "./run"), bot("thief", "../victim/run"));
        owns_its_program(&[victim.clone(), own]).unwrap();
        let said = owns_its_program(&[victim, thief]).unwrap_err().to_string();
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
    fn a_program_that_is_not_there_and_a_failing_build_are_said() {
        let folder = tempfile::tempdir().unwrap();
        let mut bots =
            bot_in(folder.path(), "name = \"a\"\ncommand = [\"no-such-interpreter\", \"x\"]\n").unwrap();
        assert!(bots[0].prepare().unwrap_err().to_string().contains("no-such-interpreter"));
        let build =
            "name = \"a\"\ncommand = [\"sh\"]\nbuild = [\"sh\", \"-c\", \"echo broken >&2; exit 3\"]\n";
        let error = bot_in(folder.path(), build).unwrap()[0].prepare().unwrap_err().to_string();
        assert!(error.contains("broken") && error.contains("exit status: 3"), "{error}");
    }
}
