//! `leyden gate FOLDER --against REV`: the old version of a bot, taken from git. Changes nothing in the repository.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use leyden_arena::roster::Missing;
use leyden_arena::run::PlanError;
use leyden_arena::tournament::OpenError;
use leyden_host::Temporary;

use super::exit::CommandError;
use super::out::quoted;

/// A version of a bot's folder as it was committed. The folder goes with it.
pub(super) struct OldVersion {
    /// The folder, as somebody would type it.
    pub(super) typed: String,
    /// What it is, as git would be asked for it: `v1:bots/mine`.
    pub(super) place: String,
    /// The same for a results file, by its commit unless that has a tag: what a branch or HEAD stands for moves on.
    pub(super) kept_as: String,
    /// Which commit the new version is of, as far as git knows it.
    pub(super) candidate: String,
    /// How the folder may stand in a message.
    shown: Vec<String>,
    _folder: Temporary,
}

/// Takes a bot's folder as it was at a revision.
pub(super) fn checked_out(bot: &str, revision: &str) -> Result<OldVersion, CommandError> {
    if revision.is_empty() {
        return Err(CommandError::usage(
            "--against is empty, as where a variable is not set: it takes a commit, tag or branch",
        ));
    }
    let place = Path::new(bot);
    if !place.is_dir() {
        return Err(CommandError::usage(format!(
            "--against takes the old version from git: {bot} has to be a folder in a repository"
        )));
    }
    let known = |why: &str| format!("--against {revision}: {why}");
    let refused = |why: String| CommandError::usage(known(&why));
    // In a folder below, an archive is of that folder within the tree.
    let top = text(git(place, &["rev-parse", "--show-toplevel"])?).map_err(refused)?;
    let prefix = text(git(place, &["rev-parse", "--show-prefix"])?).map_err(refused)?;
    let commit = format!("{revision}^{{commit}}");
    let short = text(git(place, &["rev-parse", "--verify", "--short", "--end-of-options", &commit])?);
    let short = short.map_err(|_| {
        let is_shallow = git(place, &["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said.stdout == b"true\n");
        let all = if is_shallow {
            "; this clone is a shallow one: fetch the rest (git fetch --unshallow; in GitHub Actions fetch-depth: 0)"
        } else {
            ": git log --oneline lists them"
        };
        refused(format!("git knows no such commit here{all}"))
    })?;
    let folder = Temporary::readable().map_err(CommandError::no_temporary)?;
    // What tells the two versions apart in every table: the name that somebody gave it for good, if it has one that is a file's, too.
    // What HEAD or a branch means moves on, and who resumes the gate then types the same commit otherwise.
    let is_name = revision.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let tag = format!("refs/tags/{revision}");
    let is_tag = is_name && git(place, &["show-ref", "--verify", "--quiet", &tag])?.status.success();
    let label = if is_tag { format!("{revision}-{short}") } else { short.clone() };
    let into = folder.path().join(label);
    fs::create_dir(&into).map_err(CommandError::of_system)?;
    let tree = format!("{short}:{}", prefix.trim_end_matches('/'));
    let archive = folder.path().join("old.tar");
    let output = format!("--output={}", archive.display());
    let packed = git(Path::new(&top), &["archive", "--format=tar", &output, &tree])?;
    if !packed.status.success() {
        let prefix = prefix.trim_end_matches('/');
        return Err(CommandError::missing(known(&format!(
            "the repository had no folder {prefix} then ({}); if the bot was called otherwise, check that out beside it (git worktree \
             add) and name both folders",
            said(&packed)
        ))));
    }
    let unpacked = Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&into).output();
    let unpacked =
        unpacked.map_err(|error| CommandError::usage(known(&format!("tar cannot be run: {error}"))))?;
    if !unpacked.status.success() {
        return Err(CommandError::usage(known(&said(&unpacked))));
    }
    let prefix = Some(prefix.trim_end_matches('/')).filter(|prefix| !prefix.is_empty()).unwrap_or(".");
    let [place, kept_as] =
        [revision, if is_tag { revision } else { &short }].map(|revision| format!("{revision}:{prefix}"));
    let candidate = working_tree(Path::new(bot))?;
    Ok(OldVersion { candidate, ..OldVersion::in_folder(&into, [place, kept_as], folder) })
}

impl OldVersion {
    fn in_folder(into: &Path, [place, kept_as]: [String; 2], folder: Temporary) -> Self {
        let typed = into.display().to_string();
        let in_full = into.canonicalize().unwrap_or_else(|_| into.to_owned());
        // What lies below where leyden runs is told from there.
        let here = std::env::current_dir().ok();
        let below = here.and_then(|here| Some(into.strip_prefix(here).ok()?.display().to_string()));
        let below = below.filter(|below| !below.is_empty());
        let shown = [Some(in_full.display().to_string()), Some(typed.clone()), below];
        let candidate = String::new();
        Self {
            typed,
            place,
            kept_as,
            candidate,
            shown: shown.into_iter().flatten().collect(),
            _folder: folder,
        }
    }

    /// A message that names no folder which is gone when somebody reads it.
    pub(super) fn in_words(&self, stop: &CommandError) -> CommandError {
        let told = |message: String, shown: &String| message.replace(shown, &self.place);
        CommandError { message: self.shown.iter().fold(stop.message.clone(), told), code: stop.code }
    }
}

/// What to type where the old version was not named as one takes it from git: nothing if that is not why no gate could be begun.
pub(super) fn hint(error: &OpenError, named: &[String]) -> String {
    let is_folder = |bot: &String| Path::new(bot).is_dir();
    let has = |bot: &str, revision: &str| {
        let commit = format!("{revision}^{{commit}}");
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        git(Path::new(bot), &words).is_ok_and(|said| said.status.success())
    };
    let typed = |bot: &str| quoted(bot.as_ref());
    match (error, named) {
        (OpenError::Plan(PlanError::NotTwo(1)), [bot]) if is_folder(bot) && has(bot, "HEAD") => {
            format!(
                "\nto play it against itself as it was committed: leyden gate {} --against HEAD",
                typed(bot)
            )
        }
        (OpenError::Plan(PlanError::Missing { missing, .. }), [_])
            if missing.iter().any(|missing| matches!(missing, Missing::NotBuilt { .. })) =>
        {
            "\nThe old version is what git holds: what its build makes is there only if that was committed. Leave --no-build out."
                .to_owned()
        }
        (OpenError::Plan(PlanError::NotABot(_)), [bot, revision])
            if is_folder(bot) && !Path::new(revision).exists() && has(bot, revision) =>
        {
            format!(
                "\n{revision} is a revision in git; to play against what was committed there: leyden gate {} --against {}",
                typed(bot),
                typed(revision)
            )
        }
        _ => String::new(),
    }
}

fn git(place: &Path, words: &[&str]) -> Result<Output, CommandError> {
    let mut git = Command::new("git");
    git.arg("-C").arg(place).args(words).stdin(Stdio::null());
    git.output()
        .map_err(|error| CommandError::usage(format!("--against needs git, which cannot be run: {error}")))
}

/// What was printed, or what git says against it.
fn text(output: Output) -> Result<String, String> {
    if !output.status.success() {
        return Err(said(&output));
    }
    let text = String::from_utf8(output.stdout).map_err(|_| "a path that is not UTF-8".to_owned())?;
    Ok(text.trim_end_matches('\n').to_owned())
}

/// What git complains of, and the command by which it may be told to go on.
fn said(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let complaint = said.lines().next().unwrap_or_default();
    match said.lines().map(str::trim).find(|line| line.starts_with("git config ")) {
        Some(remedy) => format!("{complaint}; if that is meant: {remedy}"),
        None => complaint.to_owned(),
    }
}

/// The commit that a folder is of, and whether it has changed since.
fn working_tree(folder: &Path) -> Result<String, CommandError> {
    let Ok(commit) = text(git(folder, &["rev-parse", "--verify", "--short", "HEAD"])?) else {
        return Ok("not committed".to_owned());
    };
    let changes = git(folder, &["status", "--porcelain", "--", "."])?.stdout;
    Ok(if changes.is_empty() { commit } else { format!("{commit} with changes that are not committed") })
}
