//! `leyden report`: a tournament as a folder to publish.

use std::io::ErrorKind;
use std::path::Path;

use leyden_arena::web::report::{PublishError, publish};

use super::exit::{Code, Stop};

/// Writes the folder, and says where to begin.
pub(super) fn run(file: &Path, out: &Path) -> Result<Code, Stop> {
    let published = publish(file, out)?;
    super::print(&format!("{}\n", out.join("index.html").display()))?;
    let matches = if published.replays == 1 { "match" } else { "matches" };
    super::say(format_args!("{} files, {} {matches} to look at", published.files, published.replays));
    if !published.is_over {
        super::say(format_args!(
            "not everything is played: the report has complete pairs only, without the seed and the records"
        ));
    }
    Ok(Code::Done)
}

impl From<PublishError> for Stop {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Report(error) => error.into(),
            PublishError::Write { error: ref source, .. } if source.kind() == ErrorKind::StorageFull => {
                Self { code: Code::HostFailed, message: error.to_string() }
            }
            PublishError::Exists(_) | PublishError::NoName(_) | PublishError::Write { .. } => {
                Self::usage(error)
            }
        }
    }
}
