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
    let unknown = || Stop::usage(known("git knows no such commit, or the bot is in no repository"));
    let commit = format!("{revision}^{{commit}}");
    let words = ["rev-parse", "--verify", "--quiet", "--short", "--end-of-options", &commit];
    let short = text(git(place, &words)?).ok_or_else(unknown)?;
    // In a folder below, an archive is of that folder within the tree.
    let top = text(git(place, &["rev-parse", "--show-toplevel"])?).ok_or_else(unknown)?;
    let prefix = text(git(place, &["rev-parse", "--show-prefix"])?).ok_or_else(unknown)?;
    let folder = Temporary::readable().map_err(Stop::defect)?;
    let into = folder.path().join(&short);
    fs::create_dir(&into).map_err(Stop::defect)?;
    let tree = format!("{short}:{}", prefix.trim_end_matches('/'));
    let archive = folder.path().join("old.tar");
    let output = format!("--output={}", archive.display());
    let packed = git(Path::new(&top), &["archive", "--format=tar", &output, &tree])?;
    if !packed.status.success() {
        return Err(Stop::missing(known(&format!("the bot was not there yet: {}", said(&packed)))));
    }
    let unpacked = Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&into).output();
    let unpacked = unpacked.map_err(|error| Stop::usage(known(&format!("tar cannot be run: {error}"))))?;
    if !unpacked.status.success() {
        return Err(Stop::usage(known(&said(&unpacked))));
    }
    Ok(OldVersion { typed: into.display().to_string(), _folder: folder })
}

fn git(place: &Path, words: &[&str]) -> Result<Output, Stop> {
    let mut git = Command::new("git");
    git.arg("-C").arg(place).args(words).stdin(Stdio::null());
    git.output().map_err(|error| Stop::usage(format!("--against needs git, which cannot be run: {error}")))
}

/// What was printed, if it went well.
fn text(output: Output) -> Option<String> {
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end_matches('\n').to_owned())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned()
}
