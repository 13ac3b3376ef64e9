//! The entries of a folder of submissions: each is a bot, or comes with the reason why not.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use rustix::io::Errno;

use super::BotLookupError;
use super::archive::{self, ArchiveError, UnpackedFolder};
use super::content::{self, MOST_BYTES};
use super::manifest::{self, has_manifest};
use super::plain_names::MANIFEST;
use super::single_file_hint::LoneFile;
use crate::starter;

/// The file in a folder of submissions that lists the entries that are not bots, one per line.
pub const IGNORE: &str = ".leydenignore";

/// The most levels of otherwise empty folders around a bot's folder. Unpacking often creates some.
const NESTED: usize = 4;

/// The most archives nested in each other with nothing else in them: course sites put submissions into archives of their own.
const PACKED: usize = 2;

/// Names that other programs leave in folders, apart from hidden files.
const LEFT_BY_OTHERS: [&str; 4] = ["__MACOSX", "Thumbs.db", "desktop.ini", "lost+found"];

/// An entry of a folder of submissions, or a folder that was typed.
#[derive(Debug)]
pub(super) struct Submission {
    /// The path of the entry, as it was handed in.
    pub(super) path: PathBuf,
    /// The folder with the manifest, or the reason why there is none.
    pub(super) folder: Result<BotFolder, BotLookupError>,
}

/// A folder with a manifest.
#[derive(Debug)]
pub(super) struct BotFolder {
    pub(super) path: PathBuf,
    /// The folder that it was unpacked into, if it came as an archive.
    pub(super) unpacked: Option<UnpackedFolder>,
}

/// Returns the entries of a folder of submissions, sorted by name, without hidden ones and those in [`IGNORE`]. Unpacks archives.
pub(super) fn from_folder(folder: &Path) -> Result<Vec<Submission>, BotLookupError> {
    let unreadable = |source| BotLookupError::Unreadable { path: folder.to_owned(), source };
    let ignored = ignored(folder)?;
    let mut submissions = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        if is_visible(&name) && !ignored.contains(&name) {
            let path = entry.path();
            submissions.push(Submission { folder: bot_folder(&path, MOST_BYTES), path });
        }
    }
    submissions.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(submissions)
}

/// Returns the paths of the entries of a folder of submissions, sorted, without hidden ones and those in [`IGNORE`].
pub fn entries_in(folder: &Path) -> Result<Vec<PathBuf>, BotLookupError> {
    let ignored = ignored(folder)?;
    let names = visible(folder).into_iter().filter(|name| !ignored.contains(name));
    let mut entries: Vec<PathBuf> = names.map(|name| folder.join(name)).collect();
    entries.sort();
    Ok(entries)
}

/// Whether an entry of a folder where bots are handed in can be one by its kind: a folder or a zip archive. It need not
/// hold a bot: one that its author has broken keeps its name. What is inside is for [`bot_folder`] to say.
pub(crate) fn can_be_bot(entry: &Path) -> bool {
    entry.is_dir() || archive::is_zip(entry)
}

/// Returns a lower bound on the number of bots and archives in a folder, without unpacking anything.
pub(super) fn at_least(folder: &Path) -> usize {
    if nested(folder).is_some() {
        return 1;
    }
    let ignored = ignored(folder).unwrap_or_default();
    let names = visible(folder).into_iter().filter(|name| !ignored.contains(name));
    names.map(|name| folder.join(name)).filter(|entry| holds_bot(entry) || is_closed(entry)).count()
}

/// Returns the names listed in the [`IGNORE`] file of a folder of submissions.
fn ignored(folder: &Path) -> Result<Vec<OsString>, BotLookupError> {
    let path = folder.join(IGNORE);
    let text = if path.is_symlink() {
        Err(io::Error::other("it is a link: put the list itself there"))
    } else {
        content::text(&path, manifest::MOST_BYTES)
    };
    // Lines that begin with # need no special case: no entry has such a name.
    match text {
        Ok(text) => Ok(text.lines().map(|line| OsString::from(line.trim().trim_end_matches('/'))).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(BotLookupError::Unreadable { path, source }),
    }
}

/// Returns a file that was handed in alone, or the only entry that a command names.
pub(super) fn from_file(path: &Path) -> Submission {
    from_limited_file(path, MOST_BYTES)
}

/// Does the same, but an archive may not unpack to more than that many bytes.
pub(super) fn from_limited_file(path: &Path, most: u64) -> Submission {
    Submission { path: path.to_owned(), folder: bot_folder(path, most) }
}

/// Finds the folder with a manifest: the entry itself, a folder within, or one in an archive.
fn bot_folder(path: &Path, most: u64) -> Result<BotFolder, BotLookupError> {
    let none = |reason: String| BotLookupError::content(path, reason);
    let mut bot = BotFolder { path: path.to_owned(), unpacked: None };
    for _ in 0..=PACKED {
        if bot.path.is_dir() {
            bot.path = bot_within(&bot.path)?;
        }
        if bot.path.is_dir() {
            return Ok(bot);
        }
        if !bot.path.exists() {
            return Err(none("a link to nothing".to_owned()));
        }
        if !archive::is_zip(&bot.path) {
            let is_program =
                || format!("expected a folder with a {MANIFEST}, or a zip archive of one; this is a file");
            return Err(none(LoneFile::read(&bot.path).why_none().unwrap_or_else(is_program)));
        }
        let unpacked = archive::unpack(&bot.path, most).map_err(|error| match error {
            ArchiveError::System(source) => BotLookupError::NotUnpacked(source),
            ArchiveError::Content(error) => BotLookupError::from_content(path, error),
            other => none(other.to_string()),
        })?;
        bot = BotFolder { path: unpacked.path(), unpacked: Some(unpacked) };
    }
    Err(none("it is an archive inside other archives: pack the bot's folder only once".to_owned()))
}

/// Finds the folder with a manifest, or an archive, within a folder that was handed in. Other documents in there don't matter.
fn bot_within(folder: &Path) -> Result<PathBuf, BotLookupError> {
    let mut folder = folder.to_owned();
    for _ in 0..NESTED {
        if has_manifest(&folder) {
            return Ok(folder);
        }
        let inside = only_work_in(&folder)?;
        if !inside.is_dir() {
            return Ok(inside);
        }
        folder = inside;
    }
    Err(why_none(&folder))
}

/// Returns the only folder or archive that can be the bot in a folder without a manifest, or the reason why there is none.
fn only_work_in(folder: &Path) -> Result<PathBuf, BotLookupError> {
    // The target of a link was not handed in.
    let mut entries: Vec<PathBuf> = entries_of(folder);
    entries.retain(|entry| !entry.is_symlink());
    entries.sort();
    let bots: Vec<&PathBuf> = entries.iter().filter(|entry| holds_bot(entry)).collect();
    let mut folders = entries.iter().filter(|entry| entry.is_dir());
    match (&bots[..], sources_in(&entries).next()) {
        ([only], None) => Ok((*only).clone()),
        ([], None) => match (folders.next(), folders.next()) {
            (Some(only), None) if near_manifest(folder).is_none() => Ok(only.clone()),
            _ => Err(why_none(folder)),
        },
        ([], Some(_)) => Err(why_none(folder)),
        (several, source) => {
            let all: Vec<&PathBuf> = several.iter().copied().chain(source).collect();
            let listed = listed(&all);
            let reason =
                format!("it contains {listed}, and only one of them can be the bot: hand in that one alone");
            Err(BotLookupError::content(folder, reason))
        }
    }
}

/// Whether this user may not read an entry, which may be a bot for all that is known.
fn is_closed(entry: &Path) -> bool {
    access(entry, Access::READ_OK) == Err(Errno::ACCESS)
}

/// Whether an entry beside others is the bot to open, by what it holds: an archive of any kind, or a folder that contains
/// only a bot or an archive. Stricter than [`can_be_bot`] with folders (of documents, say), and it includes archives that
/// are then refused. What a file is otherwise, [`LoneFile`] says.
fn holds_bot(entry: &Path) -> bool {
    if !entry.is_dir() {
        return LoneFile::read(entry).is_archive();
    }
    let inside = innermost(entry);
    has_manifest(&inside) || only_in(&inside).is_some_and(|only| LoneFile::read(&only).is_archive())
}

/// Returns the files that are source text or a program.
fn sources_in(entries: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    entries.iter().filter(|entry| entry.is_file() && LoneFile::read(entry).is_program())
}

/// Lists the first names, and the number of the others.
fn listed(entries: &[&PathBuf]) -> String {
    const LISTED: usize = 5;
    let names = entries.iter().filter_map(|entry| entry.file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    match names.len() {
        more if more > LISTED => format!("{} and {} more", names[..LISTED].join(", "), more - LISTED),
        _ => names.join(" and "),
    }
}

/// Returns the folder if it has a manifest, or the folder within if it contains nothing else, as after unpacking an archive.
pub(super) fn nested(folder: &Path) -> Option<PathBuf> {
    Some(innermost(folder)).filter(|folder| has_manifest(folder))
}

/// Descends to the first folder that has a manifest or contains anything but a single folder.
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

/// Returns the only thing in a folder; `None` for a link, whose target was not handed in.
fn only_in(folder: &Path) -> Option<PathBuf> {
    let [only] = &visible(folder)[..] else { return None };
    Some(folder.join(only)).filter(|only| !only.is_symlink())
}

fn visible(folder: &Path) -> Vec<OsString> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter(|name| is_visible(name)).collect()
}

fn entries_of(folder: &Path) -> Vec<PathBuf> {
    visible(folder).iter().map(|name| folder.join(name)).collect()
}

/// Whether a folder looks like a bot without its manifest: it has source text, and neither folders nor archives.
pub(super) fn lacks_manifest(folder: &Path) -> bool {
    let entries = entries_of(folder);
    sources_in(&entries).next().is_some() && !entries.iter().any(|entry| entry.is_dir() || holds_bot(entry))
}

/// Returns the lines of a manifest that fits these files: that of a starter, or one for the only source text.
fn manifest_for(files: &[PathBuf]) -> Option<String> {
    let names: Vec<_> = files.iter().filter_map(|file| file.file_name()?.to_str()).collect();
    if let Some(template) = starter::for_first_file(&names) {
        return Some(template.manifest().trim_end().to_owned());
    }
    let mut lines = files.iter().filter_map(|file| match LoneFile::read(file) {
        LoneFile::Source { manifest, .. } => Some(manifest),
        _ => None,
    });
    lines.next().filter(|_| lines.next().is_none())
}

/// Whether a file name counts: it is neither hidden nor left behind by another program.
pub(super) fn is_visible(name: &OsStr) -> bool {
    !name.as_encoded_bytes().starts_with(b".") && LEFT_BY_OTHERS.iter().all(|left| name != *left)
}

/// Returns the name of a file that is almost the manifest's.
fn near_manifest(folder: &Path) -> Option<OsString> {
    let is_near = |name: &OsString| name.to_string_lossy().to_lowercase().starts_with("bot.toml");
    visible(folder).into_iter().find(is_near)
}

/// Returns why a folder without a manifest is not a bot.
pub(super) fn why_none(folder: &Path) -> BotLookupError {
    match fs::read_dir(folder) {
        Ok(_) => BotLookupError::content(folder, hint(folder)),
        Err(source) => BotLookupError::Unreadable { path: folder.to_owned(), source },
    }
}

/// Says what a folder without a manifest lacks to be a bot, and what to do.
fn hint(folder: &Path) -> String {
    let shown = visible(folder);
    if let Some(near) = near_manifest(folder) {
        if near == MANIFEST {
            return format!("its {MANIFEST} is not a file");
        }
        return format!("it has no {MANIFEST}: did you mean {}? Rename it", near.to_string_lossy());
    }
    if shown.is_empty() {
        return "it is empty".to_owned();
    }
    let entries = entries_of(folder);
    let sources: Vec<PathBuf> = sources_in(&entries).cloned().collect();
    if let [only] = &sources[..]
        && let part @ LoneFile::OfStarter(_) = LoneFile::read(only)
    {
        return part.why_none().unwrap_or_default();
    }
    match manifest_for(&sources) {
        Some(lines) => {
            format!("it has no {MANIFEST}: add one\nwith lines such as\n  {}", lines.replace('\n', "\n  "))
        }
        None if sources.is_empty() && !entries.iter().any(|entry| entry.is_dir()) => {
            format!(
                "it contains no bot: expected a {MANIFEST} and a program, or a zip archive of a folder with these"
            )
        }
        None => format!(
            "it has no {MANIFEST}: add one, such as name = \"…\" and command = [\"python3\", \"bot.py\"]"
        ),
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
    fn sole_archive_is_opened_and_junk_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let entry = folder.path().join("Quinn Quast_12345_assignsubmission_file_");
        fs::create_dir(&entry).unwrap();
        zip(&entry.join("my bot.zip"), &[("bot/bot/bot.toml", b"x"), ("__MACOSX/._bot.toml", b"x")]);
        for junk in [".DS_Store", "Thumbs.db"] {
            fs::write(entry.join(junk), "").unwrap();
        }
        fs::create_dir(entry.join("__MACOSX")).unwrap();
        let found = bot_folder(&entry, MOST_BYTES).unwrap();
        assert!(found.path.ends_with("bot/bot") && found.path.join("bot.toml").is_file());
        assert!(found.unpacked.is_some());
        drop(found);

        // An archive of an archive, as course sites deliver it.
        let packed = fs::read(entry.join("my bot.zip")).unwrap();
        let twice = folder.path().join("twice.zip");
        zip(&twice, &[("Quinn_file_/my bot.zip", &packed)]);
        assert!(bot_folder(&twice, MOST_BYTES).unwrap().path.join("bot.toml").is_file());
        let again = fs::read(&twice).unwrap();
        let thrice = folder.path().join("thrice.zip");
        zip(&thrice, &[("a.zip", &again)]);
        assert!(bot_folder(&thrice, MOST_BYTES).unwrap_err().to_string().contains("inside other archives"));

        fs::write(entry.join("my bot.zip"), "none").unwrap();
        assert!(bot_folder(&entry, MOST_BYTES).unwrap_err().to_string().contains("not a zip archive"));
    }

    /// A bot is found no matter what else was uploaded with it; if there are several candidates, the error names them.
    #[test]
    fn bot_is_found_beside_other_files_unless_ambiguous() {
        let folder = tempfile::tempdir().unwrap();
        let all = [
            ("an archive and a report", &["hal.zip", "report.pdf"][..], Ok(())),
            ("a folder and a report", &["hal/bot.toml", "hal/bot.py", "report.pdf", "notes.txt"], Ok(())),
            ("a folder with an archive, and a report", &["hal/hal.zip", "report.pdf"], Ok(())),
            ("a report deep inside", &["a/report.pdf", "a/b/hal.zip"], Ok(())),
            ("two archives", &["v1.zip", "v2.zip"], Err("it contains v1.zip and v2.zip, and only one")),
            (
                "a folder and its archive",
                &["hal/bot.toml", "hal.zip"],
                Err("it contains hal and hal.zip, and"),
            ),
            ("two kinds", &["v1.zip", "v2.tar.gz"], Err("it contains v1.zip and v2.tar.gz, and only one")),
            (
                "source text and an archive",
                &["bot.py", "hal.zip"],
                Err("it contains hal.zip and bot.py, and"),
            ),
            ("many", &["a.zip", "b.zip", "c.zip", "d.zip", "e.zip", "f.zip"], Err("d.zip, e.zip and 1 more")),
            ("no zip", &["hal.tar.gz"], Err("hand in a zip: other archives are not unpacked")),
            ("no zip, and a report", &["hal.tgz", "report.pdf"], Err("hand in a zip")),
            ("a report alone", &["report.pdf"], Err("it contains no bot: expected a bot.toml")),
            ("nothing", &[".DS_Store"], Err("it is empty")),
            ("folders of source text", &["src/bot.py", "doc/report.pdf"], Err("it has no bot.toml: add one")),
        ];
        for (what, files, expected) in all {
            let entry = folder.path().join(what);
            for file in files {
                let path = entry.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                if path.extension().is_some_and(|kind| kind == "zip") {
                    zip(&path, &[("bot/bot.toml", b"x")]);
                } else {
                    fs::write(path, "x").unwrap();
                }
            }
            match (bot_folder(&entry, MOST_BYTES), expected) {
                (Ok(found), Ok(())) => assert!(found.path.join(MANIFEST).is_file(), "{what}"),
                (Err(said), Err(says)) => assert!(said.to_string().contains(says), "{what}: {said}"),
                (found, _) => panic!("{what}: {found:?}"),
            }
        }
    }

    /// The files of a starter, handed in without their folder.
    #[test]
    fn loose_files_get_a_fitting_manifest_hint() {
        for (files, says) in [
            (
                &["bot.py", "leyden.py"][..],
                "add one\nwith lines such as\n  name = \"my-bot\"\n  command = [\"python3\", \"bot.py\"]",
            ),
            (&["bot.c", "leyden.c", "leyden.h"], "-o build/bot bot.c leyden.c"),
            (&["ben.py", "weights.json"], "name = \"ben\"\n  command = [\"python3\", \"ben.py\"]"),
            (&["ben.py", "ann.py"], "it has no bot.toml: add one, such as name"),
            (
                &["leyden.py"],
                "it is part of the starter in Python: hand in the whole folder, including bot.py and bot.toml",
            ),
        ] {
            let entry = tempfile::tempdir().unwrap();
            for file in files {
                fs::write(entry.path().join(file), "").unwrap();
            }
            let said = bot_folder(entry.path(), MOST_BYTES).unwrap_err().to_string();
            assert!(said.contains(says), "{files:?}: {said}");
        }
    }

    #[test]
    fn archive_behind_a_link_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (bots, entry) = (folder.path().join("bots"), folder.path().join("entry"));
        fs::create_dir_all(&bots).unwrap();
        fs::create_dir(&entry).unwrap();
        zip(&bots.join("ann.zip"), &[("bot.toml", b"x")]);
        std::os::unix::fs::symlink(bots.join("ann.zip"), entry.join("mine.zip")).unwrap();
        assert!(bot_folder(&entry, MOST_BYTES).unwrap_err().to_string().contains("it contains no bot"));
    }

    #[test]
    fn list_is_a_small_file_and_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join(IGNORE);
        for target in [IGNORE, "/proc/self/mem"] {
            std::os::unix::fs::symlink(target, &list).unwrap();
            let error = entries_in(folder.path()).unwrap_err();
            assert!(error.system().is_none() && error.to_string().contains("it is a link"), "{error}");
            fs::remove_file(&list).unwrap();
        }
        File::create(&list).unwrap().set_len(1 << 20).unwrap();
        let error = entries_in(folder.path()).unwrap_err();
        assert!(error.system().is_none() && error.to_string().contains("more than 64 KiB"), "{error}");
    }
}
