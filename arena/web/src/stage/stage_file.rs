//! The stage's own file, beside the results: with it, a server that is started again goes on where it was.

use std::io;
use std::path::{Path, PathBuf};

use leyden_arena::whole_file;
use serde::{Deserialize, Serialize};

use super::state::Stage;

/// What is appended to the name of the results file.
const ENDING: &str = ".stage.json";

/// The longest file that is read.
const MOST_BYTES: u64 = 16 << 20;

/// Why a stage cannot be kept in a file.
#[derive(Debug, thiserror::Error)]
pub enum StageFileError {
    #[error("cannot read {0}, in which the stage is kept: {1}")]
    Read(PathBuf, io::Error),
    #[error("{0} does not hold a stage: {1}. Without it, nothing is revealed yet: remove it to begin anew")]
    Broken(PathBuf, String),
    #[error("{0} holds the stage of another tournament: remove it to begin anew")]
    OfAnother(PathBuf),
    #[error("the system gives no random numbers for the organiser's token: {0}")]
    Token(io::Error),
    #[error("cannot write {0}, in which the stage is kept: {1}")]
    Write(PathBuf, io::Error),
}

/// Where a stage is kept.
#[derive(Clone, Debug)]
pub(crate) struct StageFile {
    path: PathBuf,
    tournament: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StageFileContent {
    tournament: String,
    stage: Stage,
}

impl StageFile {
    /// The file beside these results of the tournament with this id.
    pub(crate) fn for_results(results: &Path, tournament: String) -> Self {
        let mut name = results.as_os_str().to_owned();
        name.push(ENDING);
        Self { path: name.into(), tournament }
    }

    /// Returns the stage that is kept, or an empty one; and writes it, so that a folder that cannot be written to is noticed now.
    pub(crate) fn open(&self) -> Result<Stage, StageFileError> {
        let stage = match std::fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Stage::default(),
            Err(error) => return Err(StageFileError::Read(self.path.clone(), error)),
            // Nobody waits for the writer of a pipe.
            Ok(file) if !file.is_file() => {
                return Err(StageFileError::Broken(self.path.clone(), "it is not a regular file".to_owned()));
            }
            Ok(file) => self.read(file.len())?,
        };
        self.keep(&stage)?;
        Ok(stage)
    }

    fn read(&self, bytes: u64) -> Result<Stage, StageFileError> {
        let broken = |what: String| StageFileError::Broken(self.path.clone(), what);
        if bytes > MOST_BYTES {
            return Err(broken(format!("it has {bytes} bytes")));
        }
        let text = std::fs::read(&self.path);
        let text = text.map_err(|error| StageFileError::Read(self.path.clone(), error))?;
        let kept: StageFileContent =
            serde_json::from_slice(&text).map_err(|error| broken(error.to_string()))?;
        if kept.tournament != self.tournament {
            return Err(StageFileError::OfAnother(self.path.clone()));
        }
        Ok(kept.stage)
    }

    /// Writes the stage: whole or not at all.
    pub(crate) fn keep(&self, stage: &Stage) -> Result<(), StageFileError> {
        let kept = StageFileContent { tournament: self.tournament.clone(), stage: stage.clone() };
        let write = || whole_file::replace(&self.path, &serde_json::to_vec(&kept)?);
        write().map_err(|error| StageFileError::Write(self.path.clone(), error))
    }
}
