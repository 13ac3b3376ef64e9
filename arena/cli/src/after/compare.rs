//! `leyden compare`: a tournament compared with an earlier one.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use leyden_arena::record::store::Results;
use leyden_arena::report::column::Column;
use leyden_arena::report::{BotChange, BotChangeKind, ComparedStanding, Series, TournamentComparison};
use leyden_language::numbers::{fixed, signed};
use leyden_model::shared_name;
use leyden_model::words::counted;
use leyden_stats::Holds;

use crate::exit::{Code, CommandError};
use crate::options::HtmlOptions;
use crate::report::grid::{grid, or_dash, percent, plain, short};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden compare last-week.db this-week.db
  leyden compare week1.db week2.db week3.db --html weeks.html   the course of each bot

Bots are matched by name; a bot whose name is new, or has a number that distinguishes it from others (starter#2), by the \
folder that it was submitted as. Ratings are relative to the \
mean of a field, so the earlier ones are all shifted by the amount that gives the unchanged bots \
the same mean in both. A rating has moved if the change is larger than its ±: with 95 % confidence this is true of all bots of the \
table together. ± holds the errors of both tournaments and of the shift, so one reference bot makes it wide. Tournaments with the same \
seed are compared deal by deal.";

/// The tournaments to compare.
#[derive(Args, Clone, Debug)]
pub(crate) struct CompareOptions {
    /// Results files, the earliest first: each is compared with the next one
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// Write a page with the rating of each bot from tournament to tournament
    #[arg(long, value_name = "PAGE", conflicts_with = "json")]
    html: Option<PathBuf>,
    #[command(flatten)]
    page: HtmlOptions,
    /// Print a JSON document for each file and the next one (`leyden schema compare` describes it)
    #[arg(long)]
    json: bool,
}

/// Compares each with the next one and prints the result.
pub(crate) fn run(request: &CompareOptions) -> Result<Code, CommandError> {
    let page = request.page.file(request.html.as_deref())?;
    let results = request.files.iter().map(|file| Results::open(file));
    let series = Series::new(&results.collect::<Result<Vec<_>, _>>()?)?;
    let name = |file: &PathBuf| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names: Vec<String> = request.files.iter().map(name).collect();
    for (step, two) in series.steps.iter().zip(names.windows(2)) {
        if request.json {
            crate::out::print_document(step)?;
            continue;
        }
        if series.steps.len() > 1 {
            crate::out::print(&format!("{} → {}\n", plain(&two[0]), plain(&two[1])))?;
        }
        crate::out::print(&compared_text(step))?;
    }
    if let Some(page) = page {
        page.write(&leyden_web::series::page(&series, &names, request.page.language()))?;
    }
    Ok(Code::Done)
}

fn compared_text(compared: &TournamentComparison) -> String {
    let mut text = grid(&columns(), &compared.bots);
    let same: Vec<String> = compared.same.iter().map(|name| plain(name)).collect();
    let note = match &same[..] {
        [] => "No bot is the same in both, so ratings cannot be compared.".to_owned(),
        few @ ([_] | [_, _] | [_, _, _]) => {
            format!("Ratings are aligned by the bots that are the same in both: {}.", few.join(", "))
        }
        many => format!("Ratings are aligned by the {} bots that are the same in both.", many.len()),
    };
    let _ = writeln!(text, "\n{note}"); // writing to a String cannot fail
    if let Some(shift) = compared.shift {
        let _ = writeln!(
            text,
            "The earlier ratings are shifted by {}, so that these bots have the same mean in both.",
            signed(shift, 0)
        );
    }
    if compared.shared_blocks > 0 {
        let blocks = counted(compared.shared_blocks, "block of both was", "blocks of both were");
        let _ = writeln!(text, "{blocks} played on the same deals.");
    }
    if compared.holds == Holds::AtAnyTime {
        text.push_str("± holds at any time, however often you look, and is wider for that.\n");
    }
    for (which, matches) in ["earlier", "later"].into_iter().zip(compared.matches) {
        if let Some(planned) = matches.planned.filter(|planned| *planned > matches.played) {
            let played = matches.played;
            let _ = writeln!(
                text,
                "The {which} tournament is not finished ({played} of {planned} matches): its ratings may still change."
            );
        }
    }
    text
}

fn columns() -> [Column<'static, BotChange>; 11] {
    type Standing = Option<ComparedStanding>;
    let elo = |stood: &Standing| or_dash(stood.as_ref().and_then(|stood| stood.elo), |elo| fixed(elo, 0));
    let score = |stood: &Standing| or_dash(stood.as_ref().and_then(|stood| stood.score), percent);
    let faults = |stood: &Standing| or_dash(stood.as_ref(), |stood| stood.faults.to_string());
    [
        Column::words("bot", name),
        Column::words("", |bot: &BotChange| {
            let change = match bot.change {
                BotChangeKind::Same => "",
                BotChangeKind::Changed => "changed",
                BotChangeKind::Joined => "joined",
                BotChangeKind::Left => "left",
            };
            change.to_owned()
        }),
        Column::number("place", places),
        Column::number("rating", move |bot: &BotChange| elo(&bot.after)),
        Column::number("was", move |bot: &BotChange| elo(&bot.before)),
        Column::number("change", |bot: &BotChange| or_dash(bot.moved, |moved| signed(moved, 0))),
        Column::number("± 95 %", |bot: &BotChange| or_dash(bot.half_width, |half| fixed(half, 0))),
        Column::share("score", move |bot: &BotChange| score(&bot.after)),
        Column::number("was", move |bot: &BotChange| score(&bot.before)),
        Column::number("faults", move |bot: &BotChange| faults(&bot.after)),
        Column::number("was", move |bot: &BotChange| faults(&bot.before)),
    ]
}

fn name(bot: &BotChange) -> String {
    let was_called = bot.was_called.as_ref().map(|was| format!(" (was {})", short(was)));
    // A number does not say whose bot it is.
    let folder = bot.folder.as_ref().filter(|_| shared_name(&bot.name).is_some() || bot.was_called.is_some());
    let folder = folder.map(|folder| format!(" in {}", plain(folder)));
    short(&bot.name) + &was_called.unwrap_or_default() + &folder.unwrap_or_default()
}

fn places(bot: &BotChange) -> String {
    let place = |stood: &Option<ComparedStanding>| stood.as_ref().and_then(|stood| stood.place);
    match (place(&bot.before), place(&bot.after)) {
        (Some(was), Some(is)) if was != is => format!("{was} → {is}"),
        (_, Some(only)) | (Some(only), None) => only.to_string(),
        (None, None) => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_shows_numbered_bots_folder_and_missing_place() {
        let stood =
            |place| ComparedStanding { place, elo: None, half_width: None, score: Some(0.5), faults: 0 };
        let line = |was, now| BotChange {
            name: "starter#2".to_owned(),
            was_called: None,
            folder: Some("class/bob".to_owned()),
            change: BotChangeKind::Same,
            before: Some(stood(was)),
            after: Some(stood(now)),
            moved: None,
            half_width: None,
        };
        let compared_text = |was, now| columns().map(|column| column.cell(&line(was, now)))[..3].to_vec();
        assert_eq!(compared_text(None, None), ["starter#2 in class/bob", "", "–"]);
        assert_eq!(compared_text(Some(2), None)[2], "2");
        assert_eq!(compared_text(Some(2), Some(1))[2], "2 → 1");
    }
}
