//! `leyden new … --kit`: what a teacher needs beside the bot that students start from.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use leyden_arena::grade::{Rubric, USUAL};
use leyden_language::{Language, numbers, text::kit as text};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::exit::CommandError;

/// What a kit says about the bot that students start from.
pub(crate) struct Starter<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) lang: &'a str,
    /// The file to change.
    pub(crate) file: &'a str,
    pub(crate) needs: String,
    /// The Debian packages that build and run it.
    pub(crate) packages: &'a [&'a str],
    /// The step of a workflow that installs the arena.
    pub(crate) install: &'a str,
    /// The language of the handout and of the teacher's page.
    pub(crate) language: Language,
}

/// A file of the kit, by its name in it.
macro_rules! template {
    ($name:literal) => {
        include_str!(concat!("../../../templates/kit/", $name))
    };
}

const SETUP: &str = "setup.sh";
const RUN: &str = "run_autograder";
const RUBRIC: &str = "rubric.toml";
/// The file name of the program beside the scripts.
const PROGRAM: &str = "leyden";

/// Writes a kit into a new folder.
pub(crate) fn write(folder: &Path, starter: &Starter<'_>) -> Result<(), CommandError> {
    let program = crate::program::leyden()?;
    let rubric = Rubric::read(USUAL).map_err(CommandError::defect)?;
    let language = starter.language;
    let graded = graded(language, &rubric);
    let needs = language.say(text::ItNeeds { needs: &starter.needs });
    let (readme, handout) = match language {
        Language::English => (template!("readme.en.md"), template!("handout.en.md")),
        Language::German => (template!("readme.de.md"), template!("handout.de.md")),
        Language::French => (template!("readme.fr.md"), template!("handout.fr.md")),
    };
    let seed = leyden_model::random_hex::<16>().map_err(CommandError::from_system)?;
    let apt: Vec<String> = starter.packages.iter().map(|name| format!("{name:?}")).collect();
    let filled = |text: &str| {
        text.replace("@INSTALL@\n", starter.install)
            .replace("@STARTER@", &starter.folder.display().to_string())
            .replace("@LANGUAGE@", starter.lang)
            .replace("@FILE@", starter.file)
            .replace("@NEEDS@", &needs)
            .replace("@PACKAGES@", &starter.packages.join(" "))
            .replace("@APT@", &apt.join(", "))
            .replace("@SYSTEM@", &format!("{}, {}", std::env::consts::OS, std::env::consts::ARCH))
            .replace("@GRADED@", &graded)
            .replace("@SEED@", &seed)
    };
    let texts = [
        ("README.md", readme, 0o666),
        ("handout.md", handout, 0o666),
        (RUBRIC, USUAL, 0o666),
        ("gradescope/setup.sh", template!("setup.sh"), 0o777),
        ("gradescope/run_autograder", template!("run_autograder"), 0o777),
        ("classroom50/autograder.py", template!("autograder.py"), 0o666),
        ("classroom50/rubric.toml", USUAL, 0o666),
        ("github/classroom.yml", template!("classroom.yml"), 0o666),
        ("github/gate.yml", template!("gate.yml"), 0o666),
        ("github/tournament.yml", template!("tournament.yml"), 0o666),
    ];
    let written = || -> io::Result<()> {
        for part in ["gradescope", "classroom50", "github"] {
            fs::create_dir_all(folder.join(part))?;
        }
        for (name, text, mode) in texts {
            let mut made =
                fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(folder.join(name))?;
            made.write_all(filled(text).as_bytes())?;
        }
        fs::copy(&program, folder.join("classroom50").join(PROGRAM))?;
        archive(folder, &program)
    };
    written().map_err(|error| {
        CommandError::for_file(
            format_args!("cannot write the kit into {}: {error}", folder.display()),
            &error,
        )
    })
}

/// Packs the archive that Gradescope unpacks: everything at its top, scripts and program executable.
fn archive(folder: &Path, program: &Path) -> io::Result<()> {
    let mut archive = ZipWriter::new(File::create_new(folder.join("gradescope.zip"))?);
    let files = [
        (SETUP, folder.join("gradescope").join(SETUP), 0o755),
        (RUN, folder.join("gradescope").join(RUN), 0o755),
        (RUBRIC, folder.join(RUBRIC), 0o644),
        (PROGRAM, program.to_owned(), 0o755),
    ];
    for (name, path, mode) in files {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(1)) // a program compresses hardly better at higher levels, which take much longer
            .unix_permissions(mode);
        archive.start_file(name, options).map_err(io::Error::other)?;
        io::copy(&mut File::open(path)?, &mut archive)?;
    }
    archive.finish().map_err(io::Error::other)?.sync_all()
}

/// Returns a rubric in words.
fn graded(language: Language, rubric: &Rubric) -> String {
    let points = |points: f64| language.number(&points.to_string());
    let percent = |share: f64| numbers::percent(share, 0);
    let check = language.say(text::ForCheck { points: points(rubric.check) });
    let against = rubric.against.iter().map(|against| {
        language.say(text::ForScores {
            points: points(against.points),
            bot: &against.bot,
            full: percent(against.full_at),
            none: percent(against.none_at),
        })
    });
    std::iter::once(check).chain(against).collect::<Vec<_>>().join("\n")
}
