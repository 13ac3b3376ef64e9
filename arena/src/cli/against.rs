//! `leyden gate FOLDER --against REV`: the old version of a bot, taken from git. Changes nothing in the repository.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use leyden_host::Temporary;

use super::exit::Stop;

/// A version of a bot's folder as it was committed. The folder goes with it.
pub(super) struct OldVersion {
    /// The folder, as somebody would type it.
    pub(super) typed: String,
    /// What it is, in words.
    called: String,
    _folder: Temporary,
}

/// Takes a bot's folder as it was at a revision.
pub(super) fn checked_out(bot: &str, revision: &str) -> Result<OldVersion, Stop> {
    let place = Path::new(bot);
    if !place.is_dir() {
        return Err(Stop::usage(format!(
            "--against takes the old version from git: {bot} has to be a folder in a repository"
        )));
    }
    let known = |why: &str| format!("--against {revision}: {why}");
    let refused = |why: String| Stop::usage(known(&why));
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
    let folder = Temporary::readable().map_err(Stop::defect)?;
    // What tells the two versions apart in every table: the name that somebody gave it for good, if it has one that is a file's, too.
    // What HEAD or a branch means moves on, and who resumes the gate then types the same commit otherwise.
    let is_name = revision.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let tag = format!("refs/tags/{revision}");
    let label = if is_name && git(place, &["show-ref", "--verify", "--quiet", &tag])?.status.success() {
        format!("{revision}-{short}")
    } else {
        short.clone()
    };
    let into = folder.path().join(label);
    fs::create_dir(&into).map_err(Stop::defect)?;
    let tree = format!("{short}:{}", prefix.trim_end_matches('/'));
    let archive = folder.path().join("old.tar");
    let output = format!("--output={}", archive.display());
    let packed = git(Path::new(&top), &["archive", "--format=tar", &output, &tree])?;
    if !packed.status.success() {
        let prefix = prefix.trim_end_matches('/');
        return Err(Stop::missing(known(&format!(
            "the repository had no folder {prefix} then ({}); if the bot was called otherwise, check that out beside it (git worktree \
             add) and name both folders",
            said(&packed)
        ))));
    }
    let unpacked = Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&into).output();
    let unpacked = unpacked.map_err(|error| Stop::usage(known(&format!("tar cannot be run: {error}"))))?;
    if !unpacked.status.success() {
        return Err(Stop::usage(known(&said(&unpacked))));
    }
    let called = format!("{bot} as it was at {revision}");
    Ok(OldVersion { typed: into.display().to_string(), called, _folder: folder })
}

impl OldVersion {
    /// A message that names no folder which is gone when somebody reads it.
    pub(super) fn in_words(&self, stop: &Stop) -> Stop {
        Stop { message: stop.message.replace(&self.typed, &self.called), code: stop.code }
    }
}

fn git(place: &Path, words: &[&str]) -> Result<Output, Stop> {
    let mut git = Command::new("git");
    git.arg("-C").arg(place).args(words).stdin(Stdio::null());
    git.output().map_err(|error| Stop::usage(format!("--against needs git, which cannot be run: {error}")))
}

/// What was printed, or what git says against it.
fn text(output: Output) -> Result<String, String> {
    if !output.status.success() {
        return Err(said(&output));
    }
    let text = String::from_utf8(output.stdout).map_err(|_| "a path that is not UTF-8".to_owned())?;
    Ok(text.trim_end_matches('\n').to_owned())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned()
}
