//! `leyden report`: a tournament as a folder to publish.

use std::path::PathBuf;

use clap::Args;
use leyden_model::words::counted;
use leyden_web::report::{Names, publish, update};

use crate::exit::{Code, CommandError};
use crate::options::LanguageOption;
use crate::organisers::grade::rubric_at;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden report results.db --out report
  leyden report results.db --out wall --public  for everyone: it does not say who plays
  leyden report week3.db --out wall --public --update  each week, to the same folder
  leyden report week3.db --out wall --update --pseudonyms rubric.toml  for a class: students know their own pseudonym";

/// What is published, where.
#[derive(Args, Clone, Debug)]
pub(crate) struct Report {
    /// A results file; if it is not finished, only what a spectator may know is written
    file: PathBuf,
    /// A new folder, or with --update that of an earlier report
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace the report in this folder, as a whole: readers see the old one or the new one
    #[arg(long)]
    update: bool,
    /// Hide who plays: bots are named by their ranks, and there are no authors, no output of bots or errors, no seed and no
    /// records
    #[arg(long)]
    public: bool,
    /// The same, but bots have the pseudonyms from the table `pseudonyms` of this rubric
    #[arg(long, value_name = "RUBRIC", conflicts_with = "public")]
    pseudonyms: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageOption,
}

/// Writes the folder, and says where to start.
pub(crate) fn run(request: &Report) -> Result<Code, CommandError> {
    let Report { file, out, update: is_update, public, pseudonyms, language } = request;
    let language = language.get();
    let rubric = pseudonyms.as_deref().map(rubric_at).transpose()?;
    let names = match &rubric {
        Some(rubric) => Names::Pseudonyms(&rubric.pseudonyms),
        None if *public => Names::Hidden,
        None => Names::Shown,
    };
    let published =
        if *is_update { update(file, out, names, language)? } else { publish(file, out, names, language)? };
    crate::out::print(&format!("{}\n", out.join("index.html").display()))?;
    let files = counted(published.files as u64, "file", "files");
    let matches = counted(published.replays, "match", "matches");
    crate::out::say(format_args!("{files}, {matches} to look at"));
    if names != Names::Shown {
        let called = if *public { "bots are named by their ranks" } else { "bots have their pseudonyms" };
        crate::out::say(format_args!(
            "{called}. The seed and the records are left out, because they reveal who is who"
        ));
    }
    if !published.is_over {
        crate::out::say(format_args!(
            "not everything has been played: the report has complete pairs only, without the seed and the records"
        ));
    }
    Ok(Code::Done)
}
