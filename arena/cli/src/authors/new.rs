//! `leyden new`: a bot that plays, to start from, in a language of your choice.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};
use leyden_arena::roster::{LONGEST_NAME, has_manifest, is_on_path, is_plain_name};
use leyden_arena::starter::{self, File, NAME, README, TEST, Template};
use leyden_model::words::plural;

use leyden_language::Language::English;

use crate::exit::{Code, CommandError};
use crate::options::LanguageOption;
use crate::organisers::kit::{self, Starter};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden new mine --lang python             a bot in the new folder mine
  leyden new mine --lang cpp --ci github    … with a workflow that checks it on every push
  leyden new . --ci github                  the workflow for the bot in this folder
  leyden new starter --lang java --kit kit  … for a class, with a teacher's kit
  leyden check mine                         is anything wrong with it?
  leyden match mine builtin:careful --blocks 50  how does it play?";

/// What is created, and where.
#[derive(Args, Clone, Debug)]
pub(crate) struct NewOptions {
    /// The folder to create; its name becomes the bot's. With --ci alone, the folder of an existing bot
    folder: PathBuf,
    /// The language
    #[arg(long, value_name = "LANGUAGE", value_enum, required_unless_present = "ci")]
    lang: Option<Language>,
    /// Also write the configuration of a CI service; without --lang nothing else, for an existing bot
    #[arg(long, value_name = "SERVICE", value_enum)]
    ci: Option<Service>,
    /// For teachers: also write a new folder with a handout, a page for you (both in the --language of your class), a rubric, autograders for Gradescope, Classroom 50 and GitHub
    /// Classroom, and workflows for GitHub Actions
    #[arg(long, value_name = "DIR", requires = "lang")]
    kit: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageOption,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Service {
    /// GitHub Actions
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    Python,
    Javascript,
    Typescript,
    Java,
    C,
    Cpp,
    Rust,
    Go,
    Csharp,
}

impl Language {
    fn template(self) -> &'static Template {
        match self {
            Self::Python => &starter::PYTHON,
            Self::Javascript => &starter::JAVASCRIPT,
            Self::Typescript => &starter::TYPESCRIPT,
            Self::Java => &starter::JAVA,
            Self::C => &starter::C,
            Self::Cpp => &starter::CPP,
            Self::Rust => &starter::RUST,
            Self::Go => &starter::GO,
            Self::Csharp => &starter::CSHARP,
        }
    }
}

/// Where GitHub looks for workflows.
const WORKFLOW_FILE: &str = ".github/workflows/bot.yml";
const WORKFLOW: &str = include_str!("../../../templates/shared/github.yml");
/// The step of a workflow that installs the arena.
const INSTALL: &str = include_str!("../../../templates/shared/install.yml");
const IGNORED: File = (".gitignore", "build/\n__pycache__/\nobj/\n*.db\n*.db-*\n");

/// Creates a bot.
pub(crate) fn run(request: &NewOptions) -> Result<Code, CommandError> {
    let folder = &request.folder;
    if request.language.typed().is_some() && request.kit.is_none() {
        return Err(CommandError::usage("--language is that of the kit's pages: it needs --kit DIR"));
    }
    let Some(language) = request.lang else { return add_workflow(folder) };
    let name = name_of(folder)?;
    for folder in [Some(folder), request.kit.as_ref()].into_iter().flatten() {
        is_free(folder)?;
    }
    if request.kit.as_ref().is_some_and(|kit| kit.starts_with(folder) || folder.starts_with(kit)) {
        return Err(CommandError::usage(
            "the kit is for the teacher: name a folder outside the one that students are given",
        ));
    }
    let workflow = request.ci.map(|Service::Github| Workflow::for_folder(folder)).transpose()?;
    let template = language.template();
    let missing = missing(language, template);
    let (first, _) = template.files[0];
    write_all(request, template, &name, missing.as_deref()).map_err(|error| {
        CommandError::for_file(
            format_args!("cannot write the bot into {}: {error}", folder.display()),
            &error,
        )
    })?;
    let (shown, typed) = (folder.display(), folder.to_string_lossy());
    let typed = shlex::try_quote(&typed).unwrap_or_default();
    let mut text = format!(
        "{shown} is a bot in {}. Change choose in {shown}/{first}; then\n  cd {typed}\n  leyden check .\n  leyden match . builtin:careful --blocks 50\n  leyden thinking    how it gets better, one idea at a time\n",
        template.language
    );
    if let Some(missing) = missing {
        let _ = writeln!(text, "It is untested on this machine: {missing}."); // writing to a String cannot fail
    }
    if let Some(workflow) = &workflow {
        workflow.write()?;
        text += &workflow.text();
    }
    if let Some(folder) = &request.kit {
        let (lang, packages) = (template.language, template.packages);
        let (folder_of_bot, install) = (&request.folder, INSTALL);
        let language = request.language.get();
        let needs = template.needs(language);
        kit::write(
            folder,
            &Starter { folder: folder_of_bot, lang, file: first, needs, packages, install, language },
        )?;
        let _ = writeln!(text, "The teacher's kit is in {0}: start with {0}/README.md.", folder.display());
    }
    crate::out::print(&text)
}

/// What a workflow needs in addition to itself.
const VARIABLES: &str =
    "It needs the repository variable LEYDEN_SOURCE or LEYDEN_WHEEL: its first lines explain them.";

/// Returns the workflow for a bot in this folder of its repository; `None` stands for its top.
fn workflow_in(folder: Option<&str>) -> String {
    // Any JSON string is valid YAML.
    let defaults = folder.map_or_else(String::new, |folder| {
        format!("    defaults:\n      run:\n        working-directory: {}\n", serde_json::json!(folder))
    });
    WORKFLOW.replace("@INSTALL@\n", INSTALL).replace("@DEFAULTS@\n", &defaults)
}

/// Writes the workflow for an existing bot, where GitHub reads it, and nothing else.
fn add_workflow(folder: &Path) -> Result<Code, CommandError> {
    if !has_manifest(folder) {
        return Err(CommandError::usage(format!(
            "{0} is not the folder of a bot, because it has no bot.toml: name one, or say with --lang in which language to create \
            a new bot there",
            folder.display()
        )));
    }
    let workflow = Workflow::for_folder(folder)?;
    workflow.write()?;
    crate::out::print(&workflow.text())
}

/// The workflow of a bot, at the path where GitHub reads it: at the top of the repository only.
struct Workflow {
    path: PathBuf,
    /// The bot's folder in the repository; `None`: its top.
    inside: Option<String>,
}

impl Workflow {
    /// Finds the path of a folder's workflow; the folder may not exist yet. Refuses to overwrite an existing workflow.
    fn for_folder(folder: &Path) -> Result<Self, CommandError> {
        let in_full = in_full(folder).map_err(|error| CommandError::unreadable(folder, &error))?;
        let top = in_full.ancestors().find(|above| above.join(".git").exists());
        let workflow = match top.filter(|top| *top != in_full) {
            // Without a repository yet the folder will be its top.
            None => Self { path: folder.join(WORKFLOW_FILE), inside: None },
            Some(top) => {
                let inside =
                    in_full.strip_prefix(top).unwrap_or(Path::new("")).to_string_lossy().into_owned();
                let name =
                    in_full.file_name().and_then(|name| name.to_str()).filter(|name| is_plain_name(name));
                let file = format!("{}.yml", name.unwrap_or("bot"));
                Self { path: top.join(WORKFLOW_FILE).with_file_name(file), inside: Some(inside) }
            }
        };
        if workflow.path.exists() { Err(workflow.is_there()) } else { Ok(workflow) }
    }

    fn is_there(&self) -> CommandError {
        CommandError::usage(format!(
            "{} already exists: remove or rename it first, so that nothing of yours is lost",
            self.path.display()
        ))
    }

    fn write(&self) -> Result<(), CommandError> {
        let written = fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))
            .and_then(|()| write(&self.path, &workflow_in(self.inside.as_deref()), 0o666));
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => self.is_there(),
            _ => {
                CommandError::for_file(format_args!("cannot write {}: {error}", self.path.display()), &error)
            }
        })
    }

    fn text(&self) -> String {
        format!(
            "{} has GitHub check the bot on every push, and gate it on every pull request. {VARIABLES}\n",
            self.path.display()
        )
    }
}

/// Returns the absolute path of a folder that may not exist yet.
fn in_full(folder: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(folder)?;
    let there = absolute.ancestors().find(|above| above.exists()).unwrap_or(Path::new("/"));
    let rest = absolute.strip_prefix(there).unwrap_or(Path::new(""));
    Ok(there.canonicalize()?.join(rest))
}

/// Refuses a folder that is not empty.
fn is_free(folder: &Path) -> Result<(), CommandError> {
    let is_taken = fs::read_dir(folder).map(|mut entries| entries.next().is_some());
    if is_taken.unwrap_or(folder.exists()) {
        return Err(CommandError::usage(format!(
            "{} is not empty: name a new folder, so that nothing of yours is lost",
            folder.display()
        )));
    }
    Ok(())
}

/// Returns the bot's name: that of its folder.
fn name_of(folder: &Path) -> Result<String, CommandError> {
    let in_full = std::path::absolute(folder).map_err(|error| CommandError::for_file(&error, &error))?;
    let name = in_full.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !is_plain_name(name) {
        return Err(CommandError::usage(format!(
            "{name:?} cannot be the name of a bot: choose a folder name of letters, digits, - and _, such as my-bot, with at most \
            {LONGEST_NAME} characters"
        )));
    }
    Ok(name.to_owned())
}

/// Returns what this machine lacks for the language.
fn missing(language: Language, template: &Template) -> Option<String> {
    let missing: Vec<&str> =
        template.programs.iter().copied().filter(|program| !is_on_path(program)).collect();
    if !missing.is_empty() {
        let are = plural(missing.len(), "is", "are");
        return Some(format!(
            "{} {are} not installed; it needs {}",
            missing.join(" and "),
            template.needs(English)
        ));
    }
    let is_old = language == Language::Typescript && !node_runs_typescript();
    is_old.then(|| {
        format!("the node that is installed does not run TypeScript; it needs {}", template.needs(English))
    })
}

/// Returns whether the installed node strips types by itself.
fn node_runs_typescript() -> bool {
    let script = "process.exit(process.features.typescript ? 0 : 1)";
    let asked =
        Command::new("node").args(["-e", script]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

fn write_all(request: &NewOptions, template: &Template, name: &str, missing: Option<&str>) -> io::Result<()> {
    let folder = &request.folder;
    fs::create_dir_all(folder)?;
    for (file, text) in template.files {
        write(&folder.join(file), &text.replace(NAME, name), 0o666)?;
    }
    let needs = match missing {
        None => format!("Needs {}, and nothing else.", template.needs(English)),
        Some(missing) => {
            format!(
                "Needs {}, and nothing else. Untested on the machine that created it: {missing}.",
                template.needs(English)
            )
        }
    };
    let readme =
        README.1.replace(NAME, name).replace("@FILE@", template.files[0].0).replace("@NEEDS@", &needs);
    write(&folder.join(README.0), &readme, 0o666)?;
    write(&folder.join(TEST.0), TEST.1, 0o777)?;
    write(&folder.join(IGNORED.0), IGNORED.1, 0o666)?;
    Ok(())
}

fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(text.as_bytes())
}
