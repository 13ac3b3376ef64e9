//! A file that was taken for a bot: why it is none, and what to do. Runs no programs.

use std::path::{Path, PathBuf};

use super::manifest::has_manifest;
use super::plain_names::MANIFEST;
use super::{UnusableBotError, archive, content};
use crate::starter::{self, Template};

/// Interpreters of source text, by its file extension.
const SCRIPTS: [(&str, &str); 10] = [
    ("py", "python3"),
    ("js", "node"),
    ("mjs", "node"),
    ("ts", "node"),
    ("rb", "ruby"),
    ("pl", "perl"),
    ("lua", "lua"),
    ("php", "php"),
    ("sh", "sh"),
    ("java", "java"),
];

/// Programs that run scripts, by the beginnings of their names.
const INTERPRETERS: [&str; 12] =
    ["python", "pypy", "node", "deno", "bun", "java", "ruby", "perl", "lua", "php", "sh", "bash"];

/// Compilers that take `-o PROGRAM`, by the file extension of the source text.
const COMPILED: [(&str, &str); 5] =
    [("c", "cc"), ("cpp", "c++"), ("cc", "c++"), ("cxx", "c++"), ("rs", "rustc")];

/// Extensions of archives other than zip.
const ARCHIVES: [&str; 9] = ["tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "lzh"];

/// The kind of a file that was taken for a bot.
#[derive(Clone, Debug)]
pub(super) enum LoneFile {
    /// A file of the bot in this folder.
    Part(PathBuf),
    Zip,
    /// An archive other than zip.
    Archive,
    /// A file from a starter that handles the protocol, without the bot.
    OfStarter(&'static Template),
    /// Source text, with the lines of a `bot.toml` for it, and the command that runs it if it needs no build.
    Source {
        manifest: String,
        run: Option<String>,
    },
    /// A program that is not marked as executable.
    Program,
    Other,
}

impl LoneFile {
    pub(super) fn read(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new(""));
        let known =
            |all: &[(&str, &'static str)]| all.iter().find(|(end, _)| *end == ending).map(|(_, by)| *by);
        if archive::is_zip(path) {
            Self::Zip
        } else if ARCHIVES.contains(&&*ending) {
            Self::Archive
        } else if has_manifest(folder) {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            Self::Part(folder.to_owned())
        } else if let Some(template) = starter::for_other_file(&name) {
            Self::OfStarter(template)
        } else if let Some(by) = known(&SCRIPTS) {
            let manifest = format!("name = {stem:?}\ncommand = [{by:?}, {name:?}]");
            Self::Source { manifest, run: shlex::try_join([by, &path.to_string_lossy()]).ok() }
        } else if let Some(by) = known(&COMPILED) {
            let build = format!("build = [{by:?}, \"-O\", \"-o\", \"bot\", {name:?}]");
            Self::Source { manifest: format!("name = {stem:?}\n{build}\ncommand = [\"./bot\"]"), run: None }
        } else if content::looks_like_program(path) {
            Self::Program
        } else {
            Self::Other
        }
    }

    pub(super) fn is_archive(&self) -> bool {
        matches!(self, Self::Zip | Self::Archive)
    }

    /// Whether it is a program, or a part of one.
    pub(super) fn is_program(&self) -> bool {
        matches!(self, Self::Source { .. } | Self::Program | Self::OfStarter(_))
    }

    /// Says why it is not a bot, and what to do. `None` for a zip archive, and for a program, which only has to be made executable.
    pub(super) fn why_none(&self) -> Option<String> {
        Some(match self {
            Self::Part(folder) => {
                format!("it is one file of a bot: did you mean {}?", folder.display())
            }
            Self::Archive => "hand in a zip: other archives are not unpacked".to_owned(),
            Self::Source { manifest, .. } => format!(
                "expected a folder with a {MANIFEST}, but this is a file: create a folder with this file and a \
                 {MANIFEST}\nwith these lines:\n  {}",
                manifest.replace('\n', "\n  ")
            ),
            Self::OfStarter(template) => format!(
                "it is part of the starter in {}: hand in the whole folder, including {} and {MANIFEST}",
                template.language,
                template.first_file()
            ),
            Self::Program | Self::Zip => return None,
            Self::Other => format!(
                "it is not a bot, but a file that is not executable: expected a folder with a {MANIFEST}, or a zip archive of one"
            ),
        })
    }
}

/// The line of a manifest that compiles a program of the bot's own folder, if that has one file of source text.
pub(super) fn build_line(program: &Path, folder: Option<&Path>) -> Option<String> {
    let own = program.strip_prefix(folder?).unwrap_or(program);
    let own = own.strip_prefix(".").unwrap_or(own);
    if own.is_absolute() || own.components().count() != 1 || !program.to_string_lossy().contains('/') {
        return None;
    }
    let compiled = |path: &Path| {
        let ending = path.extension()?.to_str()?;
        let (_, by) = COMPILED.iter().find(|(end, _)| *end == ending)?;
        Some((*by, path.file_name()?.to_string_lossy().into_owned()))
    };
    let entries = folder?.read_dir().ok()?.flatten();
    let found: Vec<_> = entries.filter_map(|entry| compiled(&entry.path())).collect();
    let [(by, source)] = &found[..] else { return None };
    Some(format!("build = [{by:?}, \"-O\", \"-o\", {:?}, {source:?}]", own.to_string_lossy()))
}

/// Whether a program runs scripts, by its name, which may end with a version.
pub(super) fn is_interpreter(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&name)
}

/// Whether the extension of a file is that of source text that an interpreter runs.
pub(super) fn is_script(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    SCRIPTS.iter().any(|(end, _)| *end == ending)
}

impl UnusableBotError {
    /// Whether the entry is a file that is neither an archive nor source text nor a program.
    pub fn is_junk(&self) -> bool {
        let Self::Entry { entry, .. } = self else { return false };
        let (path, file) = (Path::new(entry), LoneFile::read(Path::new(entry)));
        path.is_file() && !file.is_archive() && !file.is_program()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn unbuilt_program_gets_a_build_line() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::write(at.join("mine.c"), "").unwrap();
        let line = |program: &str| build_line(Path::new(program), Some(at));
        assert_eq!(line("./bot").as_deref(), Some("build = [\"cc\", \"-O\", \"-o\", \"bot\", \"mine.c\"]"));
        assert_eq!(line(&at.join("bot").to_string_lossy()), line("./bot"));
        assert_eq!((line("bot"), line("/usr/bin/bot")), (None, None), "they are searched elsewhere");
    }

    #[test]
    fn each_kind_of_lone_file_gets_advice() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::create_dir(at.join("mine")).unwrap();
        for (file, text, says) in [
            (
                "ben.py",
                "print()",
                "a bot.toml\nwith these lines:\n  name = \"ben\"\n  command = [\"python3\", \"ben.py\"]",
            ),
            ("ben.c", "int", "build = [\"cc\", \"-O\", \"-o\", \"bot\", \"ben.c\"]\n  command = [\"./bot\"]"),
            ("ben.tar.gz", "", "hand in a zip"),
            ("ben.7z", "", "hand in a zip"),
            ("notes.txt", "hello", "not executable: expected a folder with a bot.toml"),
        ] {
            fs::write(at.join(file), text).unwrap();
            let said = LoneFile::read(&at.join(file)).why_none().unwrap();
            assert!(said.contains(says), "{file}: {said}");
        }
        fs::write(at.join("mine/bot.toml"), "").unwrap();
        fs::write(at.join("mine/bot.py"), "").unwrap();
        let said = LoneFile::read(&at.join("mine/bot.py")).why_none().unwrap();
        assert_eq!(said, format!("it is one file of a bot: did you mean {}?", at.join("mine").display()));
        fs::write(at.join("run"), "#!/bin/sh\n").unwrap();
        assert!(LoneFile::read(&at.join("run")).why_none().is_none());
        fs::write(at.join("ben.zip"), "").unwrap();
        let is_junk = |file| {
            let entry = at.join(file).display().to_string();
            UnusableBotError::Entry { entry, reason: String::new() }.is_junk()
        };
        assert_eq!(["ben.py", "ben.c", "mine", "run", "ben.zip", "ben.tar.gz"].map(is_junk), [false; 6]);
        assert!(is_junk("notes.txt"));
    }
}
