//! `leyden gate FOLDER --against REV`: the old version of a bot, taken from git. Changes nothing in the repository.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use leyden_arena::roster::UnusableBotError;
use leyden_arena::run::PlanError;
use leyden_arena::tournament::OpenError;
use leyden_host::Temporary;

use crate::exit::CommandError;
use crate::out::quoted;

/// A version of a bot's folder as it was committed, unpacked into a temporary folder that is removed on drop.
pub(crate) struct OldVersion {
    /// The folder, as a user would type it.
    pub(crate) typed: String,
    /// Its name in git: `v1:bots/mine`.
    pub(crate) name_in_git: String,
    /// The same for a results file: by commit unless the revision is a tag, because a branch or HEAD moves.
    pub(crate) kept_as: String,
    /// The commit that the new version is based on, if git knows it.
    pub(crate) candidate: String,
    /// The forms in which the folder's path may appear in a message.
    shown: Vec<String>,
    _folder: Temporary,
}

/// Takes a bot's folder as it was at a revision.
pub(crate) fn checked_out(bot: &str, revision: &str) -> Result<OldVersion, CommandError> {
    if revision.is_empty() {
        return Err(CommandError::usage(
            "--against is empty (an unset variable?): expected a commit, tag or branch",
        ));
    }
    let bot_folder = Path::new(bot);
    if !bot_folder.is_dir() {
        return Err(CommandError::usage(format!(
            "--against takes the old version from git: {bot} must be a folder in a repository"
        )));
    }
    let known = |why: &str| format!("--against {revision}: {why}");
    let refused = |why: String| CommandError::usage(known(&why));
    // In a subfolder, `git archive` needs the path of that subfolder within the tree.
    let top = text(git(bot_folder, &["rev-parse", "--show-toplevel"])?).map_err(refused)?;
    let prefix = text(git(bot_folder, &["rev-parse", "--show-prefix"])?).map_err(refused)?;
    let commit = format!("{revision}^{{commit}}");
    let short = text(git(bot_folder, &["rev-parse", "--verify", "--short", "--end-of-options", &commit])?);
    let short = short.map_err(|_| {
        let is_shallow = git(bot_folder, &["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said.stdout == b"true\n");
        let all = if is_shallow {
            "; this is a shallow clone: fetch the rest (git fetch --unshallow; in GitHub Actions fetch-depth: 0)"
        } else {
            ": git log --oneline lists them"
        };
        refused(format!("git knows no such commit here{all}"))
    })?;
    let folder = Temporary::readable().map_err(CommandError::no_temporary)?;
    // The label that distinguishes the two versions in every table. A tag that is a valid file name stays with its version; HEAD or
    // a branch moves, so that resuming a gate would find another commit under it.
    let is_name = revision.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let tag = format!("refs/tags/{revision}");
    let is_tag = is_name && git(bot_folder, &["show-ref", "--verify", "--quiet", &tag])?.status.success();
    let label = if is_tag { format!("{revision}-{short}") } else { short.clone() };
    let into = folder.path().join(label);
    fs::create_dir(&into).map_err(CommandError::from_system)?;
    let tree = format!("{short}:{}", prefix.trim_end_matches('/'));
    let archive = folder.path().join("old.tar");
    let output = format!("--output={}", archive.display());
    let packed = git(Path::new(&top), &["archive", "--format=tar", &output, &tree])?;
    if !packed.status.success() {
        let prefix = prefix.trim_end_matches('/');
        return Err(CommandError::missing(known(&format!(
            "the repository had no folder {prefix} then ({}); if the bot had another name, check it out beside this one \
             (git worktree add) and name both folders",
            error_text(&packed)
        ))));
    }
    let unpacked = Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&into).output();
    let unpacked = unpacked
        .map_err(|error| CommandError::for_file(known(&format!("tar cannot be run: {error}")), &error))?;
    if !unpacked.status.success() {
        return Err(CommandError::host_failed(known(&error_text(&unpacked))));
    }
    let prefix = Some(prefix.trim_end_matches('/')).filter(|prefix| !prefix.is_empty()).unwrap_or(".");
    let [name_in_git, kept_as] =
        [revision, if is_tag { revision } else { &short }].map(|revision| format!("{revision}:{prefix}"));
    let candidate = working_tree(Path::new(bot))?;
    Ok(OldVersion { candidate, ..OldVersion::in_folder(&into, [name_in_git, kept_as], folder) })
}

impl OldVersion {
    fn in_folder(into: &Path, [name_in_git, kept_as]: [String; 2], folder: Temporary) -> Self {
        let typed = into.display().to_string();
        let in_full = into.canonicalize().unwrap_or_else(|_| into.to_owned());
        // A folder below the current one may be shown by its relative path.
        let here = std::env::current_dir().ok();
        let below = here.and_then(|here| Some(into.strip_prefix(here).ok()?.display().to_string()));
        let below = below.filter(|below| !below.is_empty());
        let shown = [Some(in_full.display().to_string()), Some(typed.clone()), below];
        let candidate = String::new();
        Self {
            typed,
            name_in_git,
            kept_as,
            candidate,
            shown: shown.into_iter().flatten().collect(),
            _folder: folder,
        }
    }

    /// Rewrites a message so that it does not name the temporary folder, which is gone by the time it is read. Every error of a plan may
    /// name it, also in what the system or a build says, so it is replaced in the text.
    pub(crate) fn in_words(&self, stop: &CommandError) -> CommandError {
        let renamed = |message: String, shown: &String| message.replace(shown, &self.name_in_git);
        CommandError { message: self.shown.iter().fold(stop.message.clone(), renamed), code: stop.code }
    }
}

/// Returns the command to type if the old version was named in a way that `--against` should be used for; empty if the error has
/// another cause.
pub(crate) fn hint(error: &OpenError, named: &[String]) -> String {
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
            if missing.iter().any(|missing| matches!(missing, UnusableBotError::NotBuilt { .. })) =>
        {
            "\nThe old version holds what is in git: what its build makes is missing unless it was committed. Leave --no-build out."
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

fn git(folder: &Path, words: &[&str]) -> Result<Output, CommandError> {
    super::git::git(folder, words).map_err(|error| {
        CommandError::for_file(format_args!("--against needs git, which cannot be run: {error}"), &error)
    })
}

/// Returns what git printed, or its error message.
fn text(output: Output) -> Result<String, String> {
    if !output.status.success() {
        return Err(error_text(&output));
    }
    let text = String::from_utf8(output.stdout).map_err(|_| "a path that is not UTF-8".to_owned())?;
    Ok(text.trim_end_matches('\n').to_owned())
}

/// Returns git's error message, with the command that it suggests, if any.
fn error_text(output: &Output) -> String {
    let printed = String::from_utf8_lossy(&output.stderr);
    let complaint = printed.lines().next().unwrap_or_default();
    match printed.lines().map(str::trim).find(|line| line.starts_with("git config ")) {
        Some(remedy) => format!("{complaint}; to allow it: {remedy}"),
        None => complaint.to_owned(),
    }
}

/// Returns the commit that a folder is based on, and whether it has uncommitted changes.
fn working_tree(folder: &Path) -> Result<String, CommandError> {
    let Ok(commit) = text(git(folder, &["rev-parse", "--verify", "--short", "HEAD"])?) else {
        return Ok("not committed".to_owned());
    };
    let changes = git(folder, &["status", "--porcelain", "--ignore-submodules=all", "--", "."])?.stdout;
    Ok(if changes.is_empty() { commit } else { format!("{commit} with changes that are not committed") })
}
