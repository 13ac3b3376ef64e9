//! How a competition stands: places, tables of points with crosstables, brackets.

use std::fmt::Write;

use leyden_arena::format::competition::{BracketMeeting, PointsLine, StageTable};
use leyden_arena::format::meeting::Decision;
use leyden_arena::format::{CompetitionTable, Met, better_wins, half_points};

use crate::report::grid::{grid, or_dash, short};

/// Returns its places and stages, the last stage first.
pub(super) fn competition(table: &CompetitionTable<String>) -> String {
    let mut text = String::new();
    for (number, stage) in table.stages.iter().enumerate().rev() {
        let over = if stage.over { "" } else { ", not over" };
        let _ = writeln!(text, "Stage {}: {}{over}", number + 1, stage.play.describe()); // writing to a String cannot fail
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
    let places = table.places.iter().map(|line| {
        let equal = if line.shared { "=" } else { "" };
        vec![format!("{}{equal}", line.place), short(&line.bot), format!("{}", line.stage + 1)]
    });
    let places = grid(&["place", "bot", "reached stage"], &[1], &places.collect::<Vec<_>>());
    format!(
        "{text}{state} (= is shared; they follow from the rules of the format, ratings below say how sure they are)\n{places}\n"
    )
}

/// A table of points with its crosstable.
fn points(stage: &StageTable<String>, lines: &[PointsLine<String>]) -> String {
    let columns = stage.columns(lines);
    let ties = stage.tie_breaks.iter().map(|tie| tie.heading());
    let columns = columns.iter().map(String::as_str);
    let header: Vec<&str> =
        ["place", "bot", "points"].into_iter().chain(columns).chain(ties).chain([""]).collect();
    let row = |line: &PointsLine<String>| {
        let equal = if line.shared { "=" } else { "" };
        let mut row = vec![format!("{}{equal}", line.place), short(&line.bot), half_points(line.half_points)];
        let cells = stage.cells(lines, &line.bot);
        row.extend(cells.iter().map(|met| met.as_ref().map_or_else(String::new, cell)));
        let ties = line.ties.iter().zip(&stage.tie_breaks);
        row.extend(ties.map(|(value, tie)| or_dash(*value, |value| tie.written(value))));
        row.push(if line.advances { "goes on".to_owned() } else { String::new() });
        row
    };
    grid(&header, &[1, header.len() - 1], &lines.iter().map(row).collect::<Vec<_>>())
}

/// The points of both, and in a Swiss the place of the opponent.
fn cell(met: &Met<'_, String>) -> String {
    let [own, other] = met.half_points.map(half_points);
    match (met.opponent, met.place) {
        (None, _) => format!("bye {own}"),
        (Some(_), Some(place)) => format!("{own}:{other} v {place}"),
        (Some(_), None) => format!("{own}:{other}"),
    }
}

/// The meetings of a bracket, a line for each.
fn bracket(stage: &StageTable<String>) -> String {
    let mut text = String::new();
    if !stage.bracket.is_empty() {
        let _ = writeln!(text, "{}", better_wins(stage.blocks));
    }
    for (name, round) in stage.rounds_of_bracket() {
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
                _ => "",
            };
            format!("{one} {points}:{others} {other}: {} goes on{by}", short(winner))
        }
        (None, _) => format!("{one} {points}:{others} {other}"),
    }
}
