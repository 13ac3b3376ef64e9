//! `leyden report`: a tournament as a folder to publish.

use std::path::Path;

use leyden_model::words::counted;
use leyden_web::report::{Names, publish, update};

use crate::exit::{Code, CommandError};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden report results.db --out report
  leyden report results.db --out wall --public  for everyone: it does not say who plays
  leyden report week3.db --out wall --public --update  each week, in the same place";

/// Writes the folder, and says where to start.
pub(crate) fn run(file: &Path, out: &Path, public: bool, is_update: bool) -> Result<Code, CommandError> {
    let names = if public { Names::Hidden } else { Names::Shown };
    let published = if is_update { update(file, out, names)? } else { publish(file, out, names)? };
    crate::out::print(&format!("{}\n", out.join("index.html").display()))?;
    let matches = counted(published.replays, "match", "matches");
    crate::out::say(format_args!("{} files, {matches} to look at", published.files));
    if public {
        crate::out::say(format_args!(
            "bots are named by their ranks. The seed and the records are left out, because they reveal who is who"
        ));
    }
    if !published.is_over {
        crate::out::say(format_args!(
            "not everything has been played: the report has complete pairs only, without the seed and the records"
        ));
    }
    Ok(Code::Done)
}
