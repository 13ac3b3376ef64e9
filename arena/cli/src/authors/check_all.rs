//! `leyden check FOLDER`: all entries of a class, in one table.

use leyden_arena::CancellationToken;
use leyden_arena::check::{self, CheckReport, CheckRequest, FindingOutcome};
use leyden_arena::report::column::Column;
use leyden_arena::rerun::{ReadyBot, ReadyBotError};
use leyden_arena::roster::{Competitor, FoundBots};
use leyden_model::TimeLimits;

use crate::exit::{Code, CommandError};
use crate::options::TournamentOptions;
use crate::play::signals;
use crate::report::grid::{grid, plain, short};

/// Checks every entry, and prints a line for each. What cannot be run has failed.
pub(super) fn table(
    found: FoundBots,
    around: &TournamentOptions,
    request: &dyn Fn(TimeLimits) -> CheckRequest,
    limits: TimeLimits,
) -> Result<Code, CommandError> {
    let stop = CancellationToken::new();
    signals::stop_on_signals(&stop)?;
    let environment = around.bot_environment(&stop)?;
    let (mut rows, mut all_passed) = (Vec::new(), true);
    let count = found.bots.len();
    for (number, bot) in found.bots.into_iter().enumerate() {
        if stop.is_cancelled() {
            return Err(CommandError::interrupted("interrupted: not every bot was checked"));
        }
        crate::out::say(format_args!("checking {} ({} of {count})", plain(&bot.name), number + 1));
        let (name, handed_in) = (short(&bot.name), handed_in(&bot));
        let report = match ReadyBot::new(bot, &environment, &mut |_| ()) {
            Ok(ready) => check::check(&ready, &CheckRequest { stop: stop.clone(), ..request(limits) })?,
            Err(ReadyBotError::Missing(missing)) => {
                all_passed = false;
                rows.push(Entry { name, handed_in, result: Err(missing.to_string()) });
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        all_passed &= report.passed;
        rows.push(Entry { name, handed_in, result: Ok(report) });
    }
    for missing in &found.left_out {
        all_passed = false;
        let (name, why) = (short(missing.name()), missing.to_string());
        rows.push(Entry { name, handed_in: String::new(), result: Err(why) });
    }
    crate::out::print(&grid(&columns(), &rows))?;
    Ok(if all_passed { Code::Done } else { Code::No })
}

fn handed_in(bot: &Competitor) -> String {
    bot.handed_in.as_deref().map(plain).unwrap_or_default()
}

/// What was handed in, and its report, or why it cannot be run.
struct Entry {
    name: String,
    handed_in: String,
    result: Result<CheckReport, String>,
}

fn columns() -> [Column<'static, Entry>; 7] {
    let count = |entry: &Entry, outcome: FindingOutcome| {
        let Ok(report) = &entry.result else { return String::new() };
        report.findings.iter().filter(|finding| finding.outcome == outcome).count().to_string()
    };
    [
        Column::words("bot", |entry: &Entry| entry.name.clone()),
        Column::words("submitted as", |entry: &Entry| entry.handed_in.clone()),
        Column::words("", |entry: &Entry| verdict(entry).to_owned()),
        Column::number("passed", move |entry: &Entry| count(entry, FindingOutcome::Passed)),
        Column::number("failed", move |entry: &Entry| count(entry, FindingOutcome::Failed)),
        Column::number("notes", move |entry: &Entry| count(entry, FindingOutcome::Noted)),
        Column::words("first failure", |entry: &Entry| match &entry.result {
            Ok(report) => first_failure(report),
            Err(why) => first_line(why),
        }),
    ]
}

fn verdict(entry: &Entry) -> &'static str {
    match &entry.result {
        Err(_) => "cannot be run",
        Ok(report) if report.overload.is_some() => "not all checked",
        Ok(report) if report.passed => "ready",
        Ok(_) => "not ready",
    }
}

fn first_failure(report: &CheckReport) -> String {
    let failure = report.findings.iter().find(|finding| finding.outcome == FindingOutcome::Failed);
    failure
        .map_or_else(String::new, |finding| first_line(&format!("{}: {}", finding.name, finding.problem())))
}

/// Shortens a text to the width of a column.
fn first_line(text: &str) -> String {
    let line: String = plain(text.lines().next().unwrap_or_default());
    if line.chars().count() <= 70 { line } else { line.chars().take(69).chain(['…']).collect() }
}
