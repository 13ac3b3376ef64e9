//! What a folder of submissions holds: each entry is a bot, or there is a reason why not.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::NotABot;
use super::archive::{self, Unpacked};
use super::manifest::MANIFEST;

/// The file in a folder of submissions that names those of its entries which are none, a line each.
pub const IGNORE: &str = ".leydenignore";

/// How deep a bot's folder may be hidden in folders that hold nothing else, as unpacking often makes them.
const NESTED: usize = 4;

/// One entry of a folder of submissions, or a folder that was typed.
#[derive(Debug)]
pub(super) struct Submission {
    /// As it was handed in: the entry's path.
    pub(super) path: PathBuf,
    /// The folder with the manifest in it, or the reason why there is none.
    pub(super) folder: Result<BotFolder, String>,
}

/// A folder with a manifest in it.
#[derive(Debug)]
pub(super) struct BotFolder {
    pub(super) path: PathBuf,
    /// What it lies in, if it came as an archive.
    pub(super) unpacked: Option<Unpacked>,
}

/// Every entry of a folder of submissions, sorted by name. Hidden ones are none, nor is what the folder's own list names.
/// Archives are unpacked.
pub(super) fn of_folder(folder: &Path) -> Result<Vec<Submission>, NotABot> {
    let unreadable = |source| NotABot::Unreadable { path: folder.to_owned(), source };
    // A line that begins with # names an entry that nobody has.
    let ignored = match fs::read_to_string(folder.join(IGNORE)) {
        Ok(text) => text.lines().map(|line| OsString::from(line.trim().trim_end_matches('/'))).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(NotABot::Unreadable { path: folder.join(IGNORE), source }),
    };
    let mut submissions = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        let is_passing = name.as_encoded_bytes().starts_with(b".") || name == "__MACOSX";
        if !is_passing && !ignored.contains(&name) {
            let path = entry.path();
            submissions.push(Submission { folder: bot_folder(&path), path });
        }
    }
    submissions.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(submissions)
}

/// The folder with a manifest that an entry is, or has in it, or is an archive of.
fn bot_folder(path: &Path) -> Result<BotFolder, String> {
    let is_archive = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
    if path.is_dir() {
        let path = nested(path).ok_or_else(|| why_none(path))?;
        return Ok(BotFolder { path, unpacked: None });
    }
    if is_archive {
        let unpacked = archive::unpack(path).map_err(|error| error.to_string())?;
        let path = nested(&unpacked.path()).ok_or_else(|| why_none(&unpacked.path()))?;
        return Ok(BotFolder { path, unpacked: Some(unpacked) });
    }
    if !path.exists() {
        return Err("a link that leads nowhere".to_owned());
    }
    Err(format!("expected a folder with a {MANIFEST}, or a zip archive of one; this is a file"))
}

/// The folder itself, or the one in it if it holds nothing else, as unpacking an archive into a folder makes them.
pub(super) fn nested(folder: &Path) -> Option<PathBuf> {
    let mut folder = folder.to_owned();
    for _ in 0..NESTED {
        let manifest = folder.join(MANIFEST);
        if manifest.is_file() && !manifest.is_symlink() {
            return Some(folder);
        }
        let shown = visible(&folder);
        let [only] = &shown[..] else { return None };
        folder = folder.join(only);
        if folder.is_symlink() {
            return None; // what it leads to was not handed in
        }
    }
    None
}

fn visible(folder: &Path) -> Vec<OsString> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter(|name| !name.as_encoded_bytes().starts_with(b".") && name != "__MACOSX").collect()
}

/// Why a folder without a manifest is no bot, with what to do.
fn why_none(folder: &Path) -> String {
    if let Err(error) = fs::read_dir(folder) {
        return format!("it cannot be read: {error}");
    }
    let shown = visible(folder);
    let near = shown.iter().find(|name| name.to_string_lossy().to_lowercase().starts_with("bot.toml"));
    match near {
        Some(near) if near == MANIFEST => format!("its {MANIFEST} is not a file"),
        Some(near) => format!("it has no {MANIFEST}: is {} meant? Rename it", near.to_string_lossy()),
        None if shown.is_empty() => "it is empty".to_owned(),
        None => format!(
            "it has no {MANIFEST}: add one, such as name = \"…\" and command = [\"python3\", \"bot.py\"]"
        ),
    }
}
