//! How a competition stands: places, tables of points, rounds, brackets.

use std::fmt::Write;

use leyden_arena::format::bracket::Side;
use leyden_arena::format::competition::{BracketMeeting, MeetingLine, PointsLine, StageTable};
use leyden_arena::format::meeting::Decision;
use leyden_arena::format::{CompetitionTable, Play, TieBreak};

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
        if matches!(stage.play, Play::Swiss { .. }) {
            text.push_str(&rounds(&stage.meetings));
        }
        text.push_str(&bracket(&stage.bracket));
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

fn points(stage: &StageTable<String>, lines: &[PointsLine<String>]) -> String {
    let names: Vec<&str> = stage.tie_breaks.iter().map(|tie| heading(*tie)).collect();
    let header = [&["place", "bot", "points"][..], &names, &[""]].concat();
    let rows: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            let equal = if line.shared { "=" } else { "" };
            let mut row =
                vec![format!("{}{equal}", line.place), short(&line.bot), halves(line.half_points as i64)];
            row.extend(
                line.ties
                    .iter()
                    .zip(&stage.tie_breaks)
                    .map(|(value, tie)| or_dash(*value, |value| shown(*tie, value))),
            );
            row.push(if line.advances { "goes on".to_owned() } else { String::new() });
            row
        })
        .collect();
    grid(&header, &[1, header.len() - 1], &rows)
}

/// The heading of a tie-break.
fn heading(tie: TieBreak) -> &'static str {
    match tie {
        TieBreak::DirectEncounter => "direct",
        TieBreak::BuchholzCut1 => "BH-C1",
        TieBreak::Buchholz => "BH",
        TieBreak::SonnebornBerger => "SB",
        TieBreak::Wins => "wins",
        TieBreak::Margin => "margin",
    }
}

/// The value of a tie-break in points.
fn shown(tie: TieBreak, value: i64) -> String {
    match tie {
        TieBreak::DirectEncounter | TieBreak::BuchholzCut1 | TieBreak::Buchholz => halves(value),
        TieBreak::SonnebornBerger => {
            let quarters = ["", "¼", "½", "¾"][value.rem_euclid(4) as usize];
            format!("{}{quarters}", value.div_euclid(4))
        }
        TieBreak::Wins => value.to_string(),
        TieBreak::Margin => format!("{value:+}"),
    }
}

/// Half points as points.
fn halves(value: i64) -> String {
    let half = if value.rem_euclid(2) == 1 { "½" } else { "" };
    match value.div_euclid(2) {
        0 if !half.is_empty() => half.to_owned(),
        whole => format!("{whole}{half}"),
    }
}

/// The meetings of a Swiss, a line for each round.
fn rounds(meetings: &[MeetingLine<String>]) -> String {
    let mut text = String::new();
    for round in meetings.chunk_by(|one, other| one.round == other.round) {
        let each = round.iter().map(|meeting| match &meeting.second {
            Some(second) => {
                let [one, other] = meeting.half_points.map(|points| halves(points as i64));
                format!("{} {one}:{other} {}", short(&meeting.first), short(second))
            }
            None => format!("{} has the bye", short(&meeting.first)),
        });
        let number = round.first().map_or(0, |meeting| meeting.round + 1);
        let _ = writeln!(text, "Round {number}: {}", each.collect::<Vec<_>>().join(" · "));
    }
    text
}

/// The meetings of a bracket, a line for each.
fn bracket(meetings: &[BracketMeeting<String>]) -> String {
    let mut text = String::new();
    let shown = meetings.iter().filter(|meeting| !meeting.void || meeting.winner.is_some());
    let shown: Vec<&BracketMeeting<String>> = shown.collect();
    for round in shown.chunk_by(|one, other| (one.side, one.round) == (other.side, other.round)) {
        let Some(first) = round.first() else { continue };
        let _ = writeln!(text, "{}", name_of_round(meetings, first));
        for meeting in round {
            let [one, other] =
                meeting.bots.each_ref().map(|bot| bot.as_deref().map_or("…".to_owned(), short));
            let [points, others] = meeting.half_points.map(|points| halves(points as i64));
            let line = match (&meeting.winner, meeting.void) {
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
            };
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

/// What a round of a bracket is called.
fn name_of_round(all: &[BracketMeeting<String>], of: &BracketMeeting<String>) -> String {
    let rounds = all.iter().filter(|meeting| meeting.side == of.side).map(|meeting| meeting.round + 1);
    let left = rounds.max().unwrap_or(0) - of.round;
    let doubled = all.iter().any(|meeting| meeting.side == Side::GrandFinal);
    match (of.side, left) {
        (Side::Winners, 1) if !doubled => "Final".to_owned(),
        (Side::Winners, 2) if !doubled => "Semi-finals".to_owned(),
        (Side::Winners, 3) if !doubled => "Quarter-finals".to_owned(),
        (Side::Winners, _) => format!("Round {}", of.round + 1),
        (Side::Losers, _) => format!("Second bracket, round {}", of.round + 1),
        (Side::ThirdPlace, _) => "For third place".to_owned(),
        (Side::GrandFinal, 1) => "Grand final, second meeting".to_owned(),
        (Side::GrandFinal, _) => "Grand final".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_shown_with_halves_and_quarters() {
        assert_eq!([0, 1, 2, 7].map(halves), ["0", "½", "1", "3½"].map(str::to_owned));
        assert_eq!(shown(TieBreak::SonnebornBerger, 11), "2¾");
        assert_eq!(shown(TieBreak::Margin, -3), "-3");
    }
}
