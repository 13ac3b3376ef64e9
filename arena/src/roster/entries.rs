//! What a folder of submissions holds: each entry is a bot, or there is a reason why not.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::NotABot;
use super::archive::{self, Unpacked};
use super::lone_file::LoneFile;
use super::plain_names::MANIFEST;
use crate::starter;

/// The file in a folder of submissions that names those of its entries which are none, a line each.
pub const IGNORE: &str = ".leydenignore";

/// How deep a bot's folder may be hidden in folders that hold nothing else, as unpacking often makes them.
const NESTED: usize = 4;

/// How many archives may lie one in another, with nothing beside them: courses' sites pack and put things into folders.
const PACKED: usize = 2;

/// What other programs leave in folders, apart from hidden files.
const LEFT_BY_OTHERS: [&str; 3] = ["__MACOSX", "Thumbs.db", "desktop.ini"];

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
    let ignored = ignored(folder)?;
    let mut submissions = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        if is_visible(&name) && !ignored.contains(&name) {
            let path = entry.path();
            submissions.push(Submission { folder: bot_folder(&path), path });
        }
    }
    submissions.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(submissions)
}

/// How many entries of a folder are bots or archives, as far as that can be told without unpacking any: there may be more.
pub(super) fn at_least(folder: &Path) -> usize {
    if nested(folder).is_some() {
        return 1;
    }
    let ignored = ignored(folder).unwrap_or_default();
    let names = visible(folder).into_iter().filter(|name| !ignored.contains(name));
    let is_one = |path: &PathBuf| if path.is_dir() { nested(path).is_some() } else { archive::is_zip(path) };
    names.map(|name| folder.join(name)).filter(is_one).count()
}

/// What the list of a folder of submissions says that is no bot.
fn ignored(folder: &Path) -> Result<Vec<OsString>, NotABot> {
    // A line that begins with # names an entry that nobody has.
    match fs::read_to_string(folder.join(IGNORE)) {
        Ok(text) => Ok(text.lines().map(|line| OsString::from(line.trim().trim_end_matches('/'))).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(NotABot::Unreadable { path: folder.join(IGNORE), source }),
    }
}

/// A file that was handed in by itself, or the only entry that a command names.
pub(super) fn of_file(path: &Path) -> Submission {
    Submission { path: path.to_owned(), folder: bot_folder(path) }
}

/// The folder with a manifest that an entry is, or has in it, or is an archive of.
fn bot_folder(path: &Path) -> Result<BotFolder, String> {
    let mut bot = BotFolder { path: path.to_owned(), unpacked: None };
    for _ in 0..=PACKED {
        if bot.path.is_dir() {
            bot.path = innermost(&bot.path);
            if has_manifest(&bot.path) {
                return Ok(bot);
            }
            bot.path = packed_in(&bot.path)?;
        }
        if !bot.path.exists() {
            return Err("a link that leads nowhere".to_owned());
        }
        if !archive::is_zip(&bot.path) {
            let is_program =
                || format!("expected a folder with a {MANIFEST}, or a zip archive of one; this is a file");
            return Err(LoneFile::of(&bot.path).why_none().unwrap_or_else(is_program));
        }
        let unpacked = archive::unpack(&bot.path).map_err(|error| error.to_string())?;
        bot = BotFolder { path: unpacked.path(), unpacked: Some(unpacked) };
    }
    Err("it is an archive within archives: pack the bot's folder once".to_owned())
}

/// The archive in a folder that holds no bot besides: a report, say, that was handed in with it.
fn packed_in(folder: &Path) -> Result<PathBuf, String> {
    let beside = visible(folder);
    let is_bots = |name: &&OsString| {
        let path = folder.join(name);
        !path.is_symlink() && archive::is_zip(&path)
    };
    let archives: Vec<&OsString> = beside.iter().filter(is_bots).collect();
    let is_work = |name: &OsString| {
        let path = folder.join(name);
        path.is_dir() || matches!(LoneFile::of(&path), LoneFile::Source { .. } | LoneFile::Program)
    };
    match archives[..] {
        [only] if !beside.iter().any(is_work) => Ok(folder.join(only)),
        [one, other, ..] => Err(format!(
            "it has no {MANIFEST}, and more than one archive ({}, {}): hand in one",
            one.to_string_lossy(),
            other.to_string_lossy()
        )),
        _ => Err(why_none(folder)),
    }
}

/// The folder itself, or the one in it if it holds nothing else, as unpacking an archive into a folder makes them.
pub(super) fn nested(folder: &Path) -> Option<PathBuf> {
    Some(innermost(folder)).filter(|folder| has_manifest(folder))
}

fn has_manifest(folder: &Path) -> bool {
    let manifest = folder.join(MANIFEST);
    manifest.is_file() && !manifest.is_symlink()
}

/// The first folder on the way in that has a manifest, or something else than one folder.
fn innermost(folder: &Path) -> PathBuf {
    let mut folder = folder.to_owned();
    for _ in 1..NESTED {
        match only_in(&folder).filter(|only| only.is_dir()) {
            Some(only) if !has_manifest(&folder) => folder = only,
            _ => break,
        }
    }
    folder
}

/// What a folder holds if it holds one thing. What a link leads to was not handed in.
fn only_in(folder: &Path) -> Option<PathBuf> {
    let [only] = &visible(folder)[..] else { return None };
    Some(folder.join(only)).filter(|only| !only.is_symlink())
}

fn visible(folder: &Path) -> Vec<OsString> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter(|name| is_visible(name)).collect()
}

/// The lines of a manifest that a folder lacks which looks like a bot's own: it holds the files that `leyden new` writes, or files of
/// which one alone is source text.
pub(super) fn manifest_for(folder: &Path) -> Option<String> {
    if let Some(manifest) = starter::manifest_beside(|name| folder.join(name).is_file()) {
        return Some(manifest.trim_end().to_owned());
    }
    let files: Vec<PathBuf> = visible(folder).iter().map(|name| folder.join(name)).collect();
    if files.iter().any(|file| file.is_dir() || archive::is_zip(file)) {
        return None;
    }
    let mut sources = files.iter().filter_map(|file| match LoneFile::of(file) {
        LoneFile::Source { manifest, .. } => Some(manifest),
        _ => None,
    });
    sources.next().filter(|_| sources.next().is_none())
}

/// Whether a name is one that people give.
fn is_visible(name: &OsStr) -> bool {
    !name.as_encoded_bytes().starts_with(b".") && LEFT_BY_OTHERS.iter().all(|left| name != *left)
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
        None => {
            let packed = shown.iter().find(|name| LoneFile::of(&folder.join(name)) == LoneFile::Archive);
            match (packed, manifest_for(folder)) {
                (Some(packed), _) => format!(
                    "it has no {MANIFEST}, and {} is not unpacked: hand in a zip",
                    packed.to_string_lossy()
                ),
                (None, Some(lines)) => {
                    format!(
                        "it has no {MANIFEST}: put one into it, such as\n  {}",
                        lines.replace('\n', "\n  ")
                    )
                }
                (None, None) => format!(
                    "it has no {MANIFEST}: add one, such as name = \"…\" and command = [\"python3\", \"bot.py\"]"
                ),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn zip(file: &Path, entries: &[(&str, &[u8])]) {
        let mut zip = ZipWriter::new(File::create(file).unwrap());
        for (name, content) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap();
    }

    #[test]
    fn an_archive_alone_in_a_folder_is_looked_into_and_junk_beside_it_does_not_count() {
        let place = tempfile::tempdir().unwrap();
        let entry = place.path().join("Quinn Quast_12345_assignsubmission_file_");
        fs::create_dir(&entry).unwrap();
        zip(&entry.join("my bot.zip"), &[("bot/bot/bot.toml", b"x"), ("__MACOSX/._bot.toml", b"x")]);
        for junk in [".DS_Store", "Thumbs.db"] {
            fs::write(entry.join(junk), "").unwrap();
        }
        fs::create_dir(entry.join("__MACOSX")).unwrap();
        let found = bot_folder(&entry).unwrap();
        assert!(found.path.ends_with("bot/bot") && found.path.join("bot.toml").is_file());
        assert!(found.unpacked.is_some());
        drop(found);

        // Packed as it came from the course's site.
        let packed = fs::read(entry.join("my bot.zip")).unwrap();
        let twice = place.path().join("twice.zip");
        zip(&twice, &[("Quinn_file_/my bot.zip", &packed)]);
        assert!(bot_folder(&twice).unwrap().path.join("bot.toml").is_file());
        let again = fs::read(&twice).unwrap();
        let thrice = place.path().join("thrice.zip");
        zip(&thrice, &[("a.zip", &again)]);
        assert!(bot_folder(&thrice).unwrap_err().contains("archive within archives"));

        // What belongs to no bot may lie beside it, but not what may be one.
        fs::write(entry.join("report.pdf"), "").unwrap();
        assert!(bot_folder(&entry).unwrap().path.join("bot.toml").is_file());
        fs::write(entry.join("bot.py"), "").unwrap();
        assert!(bot_folder(&entry).unwrap_err().contains("it has no bot.toml"));
        fs::remove_file(entry.join("bot.py")).unwrap();
        fs::copy(entry.join("my bot.zip"), entry.join("v2.zip")).unwrap();
        let said = bot_folder(&entry).unwrap_err();
        assert!(said.contains("more than one archive") && said.contains("v2.zip"), "{said}");
        fs::remove_file(entry.join("v2.zip")).unwrap();
        fs::write(entry.join("my bot.zip"), "none").unwrap();
        assert!(bot_folder(&entry).unwrap_err().contains("not a zip archive"));
    }

    #[test]
    fn a_folder_without_a_manifest_is_told_what_it_lacks() {
        let place = tempfile::tempdir().unwrap();
        let at = place.path();
        assert_eq!(bot_folder(at).unwrap_err(), "it is empty");
        fs::write(at.join("bot.tar.gz"), "").unwrap();
        fs::write(at.join("report.pdf"), "").unwrap();
        assert!(bot_folder(at).unwrap_err().contains("bot.tar.gz is not unpacked: hand in a zip"));
        fs::remove_file(at.join("bot.tar.gz")).unwrap();
        // The file beside a starter's is no bot by itself.
        for file in ["leyden.c", "leyden.h", "bot.c"] {
            fs::write(at.join(file), "").unwrap();
        }
        let said = bot_folder(at).unwrap_err();
        assert!(said.contains("put one into it") && said.contains("leyden.c"), "{said}");
    }

    #[test]
    fn what_a_link_leads_to_was_not_handed_in() {
        let place = tempfile::tempdir().unwrap();
        let (bots, entry) = (place.path().join("bots"), place.path().join("entry"));
        fs::create_dir_all(&bots).unwrap();
        fs::create_dir(&entry).unwrap();
        zip(&bots.join("ann.zip"), &[("bot.toml", b"x")]);
        std::os::unix::fs::symlink(bots.join("ann.zip"), entry.join("mine.zip")).unwrap();
        assert!(bot_folder(&entry).is_err());
    }
}
