//! What `leyden new` writes: the files of a bot to start from, for each language, and whether they have been changed since.
//! Knows nothing about bots, and reads and writes no files.

use leyden_language::{Language, text::kit::Needs};
use std::path::Path;

/// A file of a template, by its name in the bot's folder.
pub type File = (&'static str, &'static str);

/// The placeholder for the bot's name in the templates.
pub const NAME: &str = "my-bot";

/// Files in a bot's folder that do not play, so that changing them does not count: the manifest, texts, tests, workflows, and the
/// rubric that students are graded by.
const BESIDE: [&str; 7] = [MANIFEST, "README.md", "test", ".gitignore", ".github", "cases", "rubric.toml"];

const MANIFEST: &str = "bot.toml";

/// How much longer a file may be than its template, because of the bot's name in it.
const ROOM: usize = 400;

/// A file in the folder `templates`.
macro_rules! template {
    ($folder:literal, $name:literal) => {
        ($name, include_str!(concat!("../templates/", $folder, "/", $name)))
    };
}

/// A template for a bot in one language.
#[derive(Debug)]
pub struct Template {
    /// The name of the language.
    pub language: &'static str,
    /// The file to change comes first.
    pub files: &'static [File],
    /// The programs that it needs, and what installs them.
    pub programs: &'static [&'static str],
    key: &'static str,
    /// The Debian packages that install them.
    pub packages: &'static [&'static str],
}

impl Template {
    /// Says what it needs: "Python 3.8 or later".
    pub fn needs(&self, language: Language) -> String {
        language.say(Needs { lang: self.key })
    }

    /// Returns the file to change.
    pub fn first_file(&self) -> &'static str {
        self.files[0].0
    }

    /// Returns the text of its manifest.
    pub fn manifest(&self) -> &'static str {
        self.files.iter().find(|(file, _)| *file == MANIFEST).map_or("", |(_, text)| text)
    }
}

/// The script that checks the bot and lets it play; in every bot.
pub const TEST: File = template!("shared", "test");
/// The page for the bot's author; in every bot, too.
pub const README: File = template!("shared", "README.md");

/// All templates.
pub static ALL: [&Template; 9] = [&PYTHON, &JAVASCRIPT, &TYPESCRIPT, &JAVA, &C, &CPP, &RUST, &GO, &CSHARP];

/// Returns the template that a bot was made from, if nothing that plays has been changed except the bot's name. `files` are the
/// paths in its folder, and `read` returns the text of a file if it is at most this long.
pub fn unchanged_template(
    files: &[&Path],
    read: &dyn Fn(&Path, usize) -> Option<String>,
) -> Option<&'static Template> {
    let plays = |file: &&&Path| !BESIDE.iter().any(|beside| file.starts_with(beside));
    let playing: Vec<&Path> = files.iter().filter(plays).copied().collect();
    ALL.into_iter().find(|template| {
        let mut own = template.files.iter().filter(|(name, _)| *name != MANIFEST);
        own.clone().count() == playing.len()
            && own.all(|(name, text)| {
                let path = Path::new(name);
                playing.contains(&path)
                    && read(path, text.len() + ROOM).is_some_and(|found| is_as_written(&found, text))
            })
    })
}

/// Returns the template whose file to change is among these names.
pub fn for_first_file(names: &[&str]) -> Option<&'static Template> {
    ALL.into_iter().find(|template| names.contains(&template.first_file()))
}

/// Returns the template in which a file of this name speaks with the arena, and is not the one to change.
pub fn for_other_file(name: &str) -> Option<&'static Template> {
    let is_its = |template: &&Template| template.files.iter().any(|(file, _)| *file == name);
    let speaks = name.split_once('.').is_some_and(|(stem, _)| stem.eq_ignore_ascii_case("leyden"));
    ALL.into_iter().filter(|_| speaks).find(is_its)
}

/// Returns whether a file equals its template, with any bot's name in it.
fn is_as_written(found: &str, template: &str) -> bool {
    let Some((before, after)) = template.split_once(NAME) else { return found == template };
    let name = found.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    name.is_some_and(|name| !name.contains(['"', '\n']))
}

/// The template in Python.
pub static PYTHON: Template = Template {
    language: "Python",
    files: &[
        template!("python", "bot.py"),
        template!("python", "leyden.py"),
        template!("python", "bot.toml"),
    ],
    programs: &["python3"],
    key: "python",
    packages: &["python3"],
};

/// The template in JavaScript, for Node.
pub static JAVASCRIPT: Template = Template {
    language: "JavaScript",
    files: &[
        template!("javascript", "bot.js"),
        template!("javascript", "leyden.js"),
        template!("javascript", "bot.toml"),
    ],
    programs: &["node"],
    key: "javascript",
    packages: &["nodejs"],
};

/// The template in TypeScript, which Node runs as it is.
pub static TYPESCRIPT: Template = Template {
    language: "TypeScript",
    files: &[
        template!("typescript", "bot.ts"),
        template!("typescript", "leyden.ts"),
        template!("typescript", "package.json"),
        template!("typescript", "bot.toml"),
    ],
    programs: &["node"],
    key: "typescript",
    packages: &["nodejs"],
};

/// The template in Java.
pub static JAVA: Template = Template {
    language: "Java",
    files: &[template!("java", "Bot.java"), template!("java", "Leyden.java"), template!("java", "bot.toml")],
    programs: &["javac", "java"],
    key: "java",
    packages: &["default-jdk-headless"],
};

/// The template in C.
pub static C: Template = Template {
    language: "C",
    files: &[
        template!("c", "bot.c"),
        template!("c", "leyden.h"),
        template!("c", "leyden.c"),
        template!("c", "bot.toml"),
    ],
    programs: &["cc"],
    key: "c",
    packages: &["gcc", "libc6-dev"],
};

/// The template in C++.
pub static CPP: Template = Template {
    language: "C++",
    files: &[template!("cpp", "bot.cpp"), template!("cpp", "leyden.hpp"), template!("cpp", "bot.toml")],
    programs: &["c++"],
    key: "cpp",
    packages: &["g++"],
};

/// The template in Rust, which `rustc` alone compiles.
pub static RUST: Template = Template {
    language: "Rust",
    files: &[template!("rust", "bot.rs"), template!("rust", "leyden.rs"), template!("rust", "bot.toml")],
    programs: &["rustc"],
    key: "rust",
    packages: &["rustc"],
};

/// The template in Go.
pub static GO: Template = Template {
    language: "Go",
    files: &[
        template!("go", "bot.go"),
        template!("go", "leyden.go"),
        template!("go", "go.mod"),
        template!("go", "bot.toml"),
    ],
    programs: &["go"],
    key: "go",
    packages: &["golang-go"],
};

/// The template in C#.
pub static CSHARP: Template = Template {
    language: "C#",
    files: &[
        template!("csharp", "Bot.cs"),
        template!("csharp", "Leyden.cs"),
        template!("csharp", "bot.csproj"),
        template!("csharp", "bot.toml"),
    ],
    programs: &["dotnet"],
    key: "csharp",
    packages: &["dotnet-sdk-8.0"],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of a template, as a bot of this name has them.
    fn written(template: &Template, name: &str) -> Vec<(&'static str, String)> {
        let files = template.files.iter().chain([&TEST, &README]);
        files.map(|(file, text)| (*file, text.replace(NAME, name))).collect()
    }

    fn recognised(files: &[(&str, String)]) -> Option<&'static str> {
        let paths: Vec<&Path> = files.iter().map(|(file, _)| Path::new(*file)).collect();
        let read = |path: &Path, most: usize| {
            let (_, text) = files.iter().find(|(file, _)| Path::new(*file) == path)?;
            (text.len() <= most).then(|| text.clone())
        };
        unchanged_template(&paths, &read).map(|template| template.language)
    }

    #[test]
    fn starter_is_recognised_until_its_playing_files_change() {
        for template in ALL {
            let mut files = written(template, "ann-2");
            assert_eq!(recognised(&files), Some(template.language));
            let manifest = files.iter().position(|(file, _)| *file == MANIFEST).unwrap();
            files[manifest].1.push_str("seats = [2]\n");
            files.push((".github/workflows/bot.yml", "on: push".to_owned()));
            files.push(("cases/one.json", "{}".to_owned()));
            files.push(("rubric.toml", "check = 40".to_owned()));
            assert_eq!(recognised(&files), Some(template.language), "none of this plays");
            for index in (0..files.len())
                .filter(|&index| template.files.iter().any(|(file, _)| *file == files[index].0))
            {
                let mut changed = files.clone();
                changed[index].1.push('\n');
                assert_eq!(recognised(&changed).is_some(), index == manifest, "{}", files[index].0);
                changed.remove(index);
                assert_eq!(recognised(&changed).is_some(), index == manifest, "{}", files[index].0);
            }
            files.push(("better.py", "print(1)".to_owned()));
            assert_eq!(recognised(&files), None);
        }
        assert_eq!(recognised(&[]), None);
    }

    #[test]
    fn name_hides_no_code() {
        let template = "play(\"my-bot\", choose)\n";
        assert!(is_as_written("play(\"x y\", choose)\n", template));
        assert!(!is_as_written("play(\"x\", mine or \"\", choose)\n", template));
        assert!(!is_as_written("play(\"x\", choose)", template));
    }
}
