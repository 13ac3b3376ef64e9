//! `leyden report`: a tournament as a folder to publish.

use std::path::Path;

use leyden_arena::web::report::{Names, publish};

use super::exit::{Code, CommandError};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden report results.db --out report
  leyden report results.db --out wall --public  for everybody to see: it does not say who plays";

/// Writes the folder, and says where to begin.
pub(super) fn run(file: &Path, out: &Path, public: bool) -> Result<Code, CommandError> {
    let names = if public { Names::Hidden } else { Names::Shown };
    let published = publish(file, out, names)?;
    super::print(&format!("{}\n", out.join("index.html").display()))?;
    let matches = if published.replays == 1 { "match" } else { "matches" };
    super::say(format_args!("{} files, {} {matches} to look at", published.files, published.replays));
    if public {
        super::say(format_args!(
            "bots are called by their places. The seed and the records are not there: whoever has them can tell who is who"
        ));
    }
    if !published.is_over {
        super::say(format_args!(
            "not everything is played: the report has complete pairs only, without the seed and the records"
        ));
    }
    Ok(Code::Done)
}
