//! How a competition stands: places, tables of points with crosstables, brackets.

use std::fmt::Write;

use leyden_arena::format::competition::{BracketMeeting, PlaceLine, PointsLine, StageTable};
use leyden_arena::format::meeting::Decision;
use leyden_arena::format::{CompetitionTable, better_wins, half_points};
use leyden_arena::report::column::Column;
use leyden_arena::report::points::{PointsColumns, rows};
use leyden_arena::report::{BotStanding, RatingVerdict};
use leyden_language::Language;

use crate::report::grid::{grid, short};

/// Returns its places and stages, the last stage first.
pub(super) fn competition(table: &CompetitionTable<String>, bots: &[BotStanding]) -> String {
    let mut text = String::new();
    for (number, stage) in table.stages.iter().enumerate().rev() {
        let over = if stage.over { "" } else { ", not over" };
        let _ = writeln!(text, "Stage {}: {}{over}", number + 1, stage.play.describe(Language::English)); // writing to a String cannot fail
        if let Some(balance) = &stage.balance {
            let _ = writeln!(text, "In a block {}.", balance.describe(Language::English));
        }
        for (group, lines) in (1..).zip(&stage.groups) {
            if stage.groups.len() > 1 {
                let _ = writeln!(text, "Group {group}");
            }
            text.push_str(&points(stage, lines));
        }
        text.push_str(&bracket(stage));
        text.push('\n');
    }
    let state = if table.over { "Final places" } else { "Places by now" };
    let before_next = |line: &PlaceLine<String>| {
        let bot = bots.iter().find(|bot| bot.name == line.bot);
        match bot.and_then(|bot| bot.before_next) {
            Some(RatingVerdict::Sure) => "sure",
            Some(RatingVerdict::Open) => "open",
            Some(RatingVerdict::Reversed) => "reversed",
            None => "",
        }
    };
    let places = [
        Column::number("place", |line: &PlaceLine<String>| placed(line.place, line.shared)),
        Column::words("bot", |line: &PlaceLine<String>| short(&line.bot)),
        Column::number("reached stage", |line: &PlaceLine<String>| (line.stage + 1).to_string()),
        Column::words("before the next", |line: &PlaceLine<String>| before_next(line).to_owned()),
    ];
    let places = grid(&places, &table.places);
    format!(
        "{text}{state} by the rules of the format (= is shared). The last column compares a bot with the next one by\n\
         the ratings below: open if the difference may be chance, reversed if they say the opposite\n{places}\n"
    )
}

/// A table of points with its crosstable.
fn points(stage: &StageTable<String>, lines: &[PointsLine<String>]) -> String {
    let PointsColumns { place, bot, points, met, ties, goes_on } =
        PointsColumns::new(stage, lines, Language::English, short);
    let columns = [place, bot, points].into_iter().chain(met).chain(ties).chain([goes_on]);
    grid(&columns.collect::<Vec<_>>(), &rows(stage, lines))
}

/// A place, marked if it is shared.
fn placed(place: u32, shared: bool) -> String {
    format!("{place}{}", if shared { "=" } else { "" })
}

/// The meetings of a bracket, a line for each.
fn bracket(stage: &StageTable<String>) -> String {
    let mut text = String::new();
    if !stage.bracket.is_empty() {
        let _ = writeln!(text, "{}", better_wins(stage.blocks, Language::English));
    }
    for (name, round) in stage.rounds_of_bracket(Language::English) {
        let shown = round.iter().filter(|meeting| !meeting.void || meeting.winner.is_some());
        let lines: Vec<String> = shown.map(meeting).collect();
        if !lines.is_empty() {
            let _ = writeln!(text, "{name}\n  {}", lines.join("\n  "));
        }
    }
    text
}

fn meeting(meeting: &BracketMeeting<String>) -> String {
    let [one, other] = meeting.bots.each_ref().map(|bot| bot.as_deref().map_or("…".to_owned(), short));
    let [points, others] = meeting.half_points.map(half_points);
    match (&meeting.winner, meeting.void) {
        (Some(winner), true) => format!("{} has a bye", short(winner)),
        (Some(winner), false) => {
            let by = match meeting.decision {
                Some(Decision::Margin) => ", level, by game points",
                Some(Decision::Seed) => ", level, as the better seed",
                Some(Decision::Points) | None => "",
            };
            format!("{one} {points}:{others} {other}: {} goes on{by}", short(winner))
        }
        (None, _) => format!("{one} {points}:{others} {other}"),
    }
}
