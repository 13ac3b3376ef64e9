//! Builds that are kept from one run of the program to the next, so that what has not changed is not built again.
//!
//! A build is kept under a key of what it was made from, where that can be known: the bot's files, its build command
//! and the program that this starts, the sandbox, this program's version, the system, and the variables that choose tools. A build
//! under another key is never used. What cannot be known is what else a build command runs: a new compiler behind the same `make`
//! makes no other key, unless the system's release changes with it.
//!
//! What a build has made may know where that was: then it is not kept, because it would be used elsewhere. Files from which a compiler
//! continues are not looked into, because a bot does not need them.
//!
//! A kept build is copied before it is used, and the copy is compared with the digest that was written when it was kept. What
//! differs is removed, and built again.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use leyden_host::sandbox::SandboxLevel;
use leyden_host::{BotCommand, BuildLimits, Temporary, remove_closed};
use leyden_model::hex;
use memchr::memmem::Finder;
use sha2::{Digest, Sha256};

use super::content::{self, ContentError, MOST_BYTES, MOST_FILES, is_executable};

/// The variables that choose the tools of a build.
const CHOOSING: [&str; 9] = [
    "PATH",
    "HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "JAVA_HOME",
    "GOROOT",
    "DOTNET_ROOT",
];

/// Folders in which compilers leave what they continue from.
const CONTINUED: [&str; 2] = ["target", "obj"];

/// The longest file that is searched, in bytes. A build with a longer one is not kept.
const SEARCHED: u64 = 256 << 20;

/// What beside the bot's folder a kept build has: its digest.
const DIGEST: &str = "digest";
const BOT: &str = "bot";

/// The folder of kept builds of one bot.
pub(super) struct KeptBuild {
    path: PathBuf,
}

impl KeptBuild {
    /// The folder for a build of the bot with this hash; `command` has the full path of the program that builds.
    pub(super) fn new(
        folder: &Path,
        hash: &str,
        command: &BotCommand,
        (level, limits): (SandboxLevel, BuildLimits),
    ) -> Self {
        let mut key = Sha256::new();
        let mut add = |part: &[u8]| {
            key.update((part.len() as u64).to_be_bytes());
            key.update(part);
        };
        for part in [env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, &level.to_string()] {
            add(part.as_bytes());
        }
        add(&fs::read("/etc/os-release").unwrap_or_default());
        for name in CHOOSING {
            add(std::env::var_os(name).unwrap_or_default().as_bytes());
        }
        add(hash.as_bytes());
        add(&[u8::from(limits.network)]);
        add(command.program.as_os_str().as_bytes());
        if let Ok(meta) = command.program.metadata() {
            add(&[meta.len(), meta.mtime() as u64].map(u64::to_be_bytes).concat());
        }
        for argument in &command.arguments {
            add(argument.as_bytes());
        }
        for read in &command.reads {
            add(read.as_os_str().as_bytes());
        }
        Self { path: folder.join(format!("{}-{}", short(hash), short(&hex(&key.finalize())))) }
    }

    /// A copy of the kept build, if there is one and it is as it was kept.
    pub(super) fn copy(&self) -> Option<(PathBuf, Temporary)> {
        let digest = fs::read_to_string(self.path.join(DIGEST)).ok()?;
        let copied = || -> Result<_, ContentError> {
            let temporary = Temporary::readable().map_err(|source| unreadable(&self.path, source))?;
            let copy = temporary.path().join(BOT);
            copy_all(&self.path.join(BOT), &copy)?;
            Ok((digest_of(&copy)? == digest, copy, temporary))
        };
        if let Ok((true, copy, temporary)) = copied() {
            return Some((copy, temporary));
        }
        let _ = remove_closed(&self.path); // built again, it is kept again
        None
    }

    /// Keeps what was built in this folder, unless it contains the folder's name. Either all of it is there afterwards, or nothing.
    pub(super) fn keep(&self, built: &Path) -> Result<(), ContentError> {
        if knows_its_path(built)? {
            return Ok(());
        }
        let failed = |source| unreadable(&self.path, source);
        let above = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(above).map_err(failed)?;
        let draft = tempfile::Builder::new().prefix(".leyden-").tempdir_in(above).map_err(failed)?;
        let copy = draft.path().join(BOT);
        copy_all(built, &copy)?;
        fs::write(draft.path().join(DIGEST), digest_of(&copy)?).map_err(failed)?;
        match fs::rename(draft.path(), &self.path) {
            Ok(()) => drop(draft.keep()), // it has moved
            // Another bot with the same files was faster.
            Err(_) if self.path.is_dir() => {}
            Err(error) => return Err(failed(error)),
        }
        Ok(())
    }
}

/// Removes kept builds of other bots than those with these hashes, and what a kill has left.
pub fn sweep_builds(folder: &Path, hashes: &[&str]) -> io::Result<()> {
    let known: Vec<&str> = hashes.iter().map(|hash| short(hash)).collect();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name();
        let of = name.to_str().and_then(|name| name.split_once('-')).map(|(of, _)| of);
        if !of.is_some_and(|of| known.contains(&of)) {
            remove_closed(&folder.join(name))?;
        }
    }
    Ok(())
}

fn short(hash: &str) -> &str {
    hash.get(..32).unwrap_or(hash)
}

fn unreadable(path: &Path, source: io::Error) -> ContentError {
    ContentError::Unreadable { path: path.to_owned(), source }
}

/// Everything below a folder, each folder before its contents, sorted. Links are not followed.
fn all_below(folder: &Path, found: &mut Vec<(PathBuf, fs::Metadata)>) -> Result<(), ContentError> {
    let failed = |source| unreadable(folder, source);
    let mut inside = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        inside.push(entry.map_err(failed)?.path());
    }
    inside.sort();
    for path in inside {
        let meta = path.symlink_metadata().map_err(|source| unreadable(&path, source))?;
        if found.len() >= MOST_FILES {
            return Err(ContentError::Files);
        }
        let is_folder = meta.is_dir();
        found.push((path.clone(), meta));
        if is_folder {
            all_below(&path, found)?;
        }
    }
    Ok(())
}

/// Whether a file or link contains the name of the temporary folder around this one, which no other has.
fn knows_its_path(built: &Path) -> Result<bool, ContentError> {
    let around = built.ancestors().filter_map(Path::file_name).find(|name| Temporary::is_name(name));
    let Some(around) = around else { return Ok(true) };
    let name = Finder::new(around.as_bytes());
    let mut all = Vec::new();
    all_below(built, &mut all)?;
    for (path, meta) in &all {
        let failed = |source| unreadable(path, source);
        let is_program = is_executable(meta.mode());
        let inside = path.strip_prefix(built).unwrap_or(path);
        let is_left = CONTINUED.iter().any(|folder| inside.starts_with(folder)) && !is_program;
        let holds = if meta.is_symlink() {
            name.find(fs::read_link(path).map_err(failed)?.as_os_str().as_bytes()).is_some()
        } else if meta.is_file() && !is_left {
            meta.len() > SEARCHED || name.find(&fs::read(path).map_err(failed)?).is_some()
        } else {
            false
        };
        if holds {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The SHA-256, in hex, of all paths, modes, contents and targets of links.
fn digest_of(folder: &Path) -> Result<String, ContentError> {
    let mut all = Vec::new();
    all_below(folder, &mut all)?;
    let (mut hash, mut left) = (Sha256::new(), MOST_BYTES);
    for (path, meta) in &all {
        let name = path.strip_prefix(folder).unwrap_or(path).as_os_str().as_bytes();
        hash.update((name.len() as u64).to_be_bytes());
        hash.update(name);
        hash.update((meta.mode() & 0o170_777).to_be_bytes());
        if meta.is_symlink() {
            let target = fs::read_link(path).map_err(|source| unreadable(path, source))?;
            hash.update(Sha256::digest(target.as_os_str().as_bytes()));
        } else if !meta.is_dir() {
            let (content, bytes) = content::digest_file(path, left)?;
            left -= bytes;
            hash.update(content);
        }
    }
    Ok(hex(&hash.finalize()))
}

/// Copies folders, regular files and links, with their modes.
fn copy_all(from: &Path, to: &Path) -> Result<(), ContentError> {
    let mut all = Vec::new();
    all_below(from, &mut all)?;
    let failed = |source| unreadable(to, source);
    fs::create_dir(to).map_err(failed)?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    let mut left = MOST_BYTES;
    for (path, meta) in &all {
        let failed = |source| unreadable(path, source);
        let copy = to.join(path.strip_prefix(from).unwrap_or(path));
        if meta.is_symlink() {
            symlink(fs::read_link(path).map_err(failed)?, &copy).map_err(failed)?;
            continue;
        }
        if meta.is_dir() {
            fs::create_dir(&copy).map_err(failed)?;
        } else {
            let file = content::open_regular(path).map_err(failed)?;
            let mut file = file.ok_or_else(|| ContentError::Special(path.clone()))?;
            let mut out = File::create_new(&copy).map_err(failed)?;
            let written = io::copy(&mut io::Read::take(&mut file, left + 1), &mut out).map_err(failed)?;
            left = left.checked_sub(written).ok_or(ContentError::Bytes)?;
        }
        fs::set_permissions(&copy, fs::Permissions::from_mode(meta.mode() & 0o777)).map_err(failed)?;
    }
    Ok(())
}
