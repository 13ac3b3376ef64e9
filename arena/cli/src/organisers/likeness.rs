//! `leyden likeness`: what the bots of a class have in common, for the teacher alone.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use leyden_arena::likeness::{self, LikePair, Likeness, SampleCopy};
use leyden_arena::report::column::Column;
use leyden_arena::roster::{self, UnusableBotError};
use leyden_language::numbers;
use leyden_model::words::counted;

use crate::exit::{Code, CommandError};
use crate::options::HtmlOptions;
use crate::report::grid::{grid, plain, short};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden likeness submissions                         a table
  leyden likeness submissions --html likeness.html    a page with the passages side by side

Likeness is a measure, not a verdict: read the passages before you say anything. Names, numbers, texts, comments and layout make \
no difference (winnowing over tokens, the method of MOSS). Text from a starter of `leyden new` or a sample bot is \
not counted, nor is text that more than ten bots and a third of all share. Bots made from a sample bot are listed separately. Only \
source files of up to 256 KB in common languages are read; nothing is run. The page is for the teacher: it shows everybody's source \
text.";

/// The most pairs in the table.
const LISTED: usize = 40;

/// Whose bots are compared.
#[derive(Args, Clone, Debug)]
pub(crate) struct LikenessOptions {
    /// A folder of bot folders or zip archives, or several bots
    #[arg(value_name = "BOT", required = true)]
    bots: Vec<String>,
    /// Write a page with the passages side by side
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
    /// Print one JSON document (`leyden schema likeness` describes it)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    page: HtmlOptions,
}

/// Compares the bots, and shows what they have in common.
pub(crate) fn run(request: &LikenessOptions) -> Result<Code, CommandError> {
    let page = request.page.file(request.html.as_deref())?;
    let found = roster::find_handed_in(&request.bots, &crate::program::leyden()?)?;
    for left_out in &found.left_out {
        crate::out::say(format_args!("left out: {}", plain(&left_out.to_string())));
    }
    if found.bots.is_empty() {
        let none = "there is no bot to compare";
        let is_hosts = found.left_out.iter().any(UnusableBotError::is_hosts);
        return Err(if is_hosts { CommandError::host_failed(none) } else { CommandError::missing(none) });
    }
    let likeness = likeness::compare(&found.bots);
    if request.json {
        crate::out::print_document(&likeness)?;
        return Ok(Code::Done);
    }
    crate::out::print(&likeness_text(&likeness))?;
    if let Some(page) = page {
        page.write(&leyden_web::likeness::page(&likeness, request.page.language()))?;
    }
    Ok(Code::Done)
}

fn likeness_text(likeness: &Likeness) -> String {
    let percent = |share: f64| numbers::percent(share, 0);
    let mut text = format!("{} compared\n", counted(likeness.bots.len() as u64, "bot", "bots"));
    if !likeness.unread.is_empty() {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(text, "too little text of their own to compare: {}", names(&likeness.unread));
    }
    if !likeness.clusters.is_empty() {
        text += "\nHalf or more of the shorter text in common:\n";
        for group in &likeness.clusters {
            let _ = writeln!(text, "  {}", names(group));
        }
    }
    if !likeness.pairs.is_empty() {
        let columns: [Column<'_, LikePair>; 5] = [
            Column::words("bot", |pair: &LikePair| short(&pair.first)),
            Column::number("% of it", move |pair: &LikePair| percent(pair.of_first)),
            Column::words("and bot", |pair: &LikePair| short(&pair.second)),
            Column::number("% of it", move |pair: &LikePair| percent(pair.of_second)),
            Column::words("longest passage", |pair: &LikePair| {
                let longest = pair.passages.first().map(|passage| &passage.first);
                longest.map_or_else(String::new, |lines| {
                    format!("{} {}–{}", plain(&lines.file), lines.from, lines.to)
                })
            }),
        ];
        let _ = write!(text, "\n{}", grid(&columns, likeness.pairs.iter().take(LISTED)));
        if likeness.pairs.len() > LISTED {
            let _ = writeln!(
                text,
                "and {} (--html, --json)",
                counted((likeness.pairs.len() - LISTED) as u64, "more pair", "more pairs")
            );
        }
    }
    if !likeness.samples.is_empty() {
        text += "\nMade from a sample bot:\n";
        for SampleCopy { bot, sample, share, own_lines, .. } in &likeness.samples {
            let lines = counted(*own_lines, "line is", "lines are");
            let _ =
                writeln!(text, "  {}: {} % of it is {sample}; {lines} its own", plain(bot), percent(*share));
        }
    }
    if likeness.pairs.is_empty() && likeness.samples.is_empty() {
        text += "nothing in common beyond what starters and the task itself explain\n";
    } else {
        text += "\nLikeness is a measure, not a verdict: read the passages (--html FILE).\n";
    }
    text
}

fn names(all: &[String]) -> String {
    all.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", ")
}
