//! The stages of a competition: tables of points, rounds of a Swiss, brackets.

use leyden_arena::format::bracket::Side;
use leyden_arena::format::competition::{BracketMeeting, MeetingLine, PointsLine, StageTable};
use leyden_arena::format::{CompetitionTable, Play};
use maud::{Markup, html};

/// Builds a card for each stage that has begun, the last one first.
pub(super) fn stages(table: Option<&CompetitionTable<String>>) -> Markup {
    let stages = table.map_or(&[][..], |table| &table.stages);
    html! {
        @for (number, stage) in stages.iter().enumerate().rev() {
            section class="card" {
                h2 {
                    "Stage " (number + 1) ": " (stage.play.describe())
                    @if !stage.over { span class="muted plain" { " — not over" } }
                }
                @for (group, lines) in (1..).zip(&stage.groups) {
                    @if stage.groups.len() > 1 { h3 { "Group " (group) } }
                    (points(stage, lines))
                }
                @for round in rounds(stage) { (swiss_round(round)) }
                (bracket(&stage.bracket))
            }
        }
    }
}

/// The rounds of a Swiss.
fn rounds(stage: &StageTable<String>) -> impl Iterator<Item = &[MeetingLine<String>]> {
    let is_swiss = matches!(stage.play, Play::Swiss { .. });
    stage.meetings.chunk_by(|one, other| one.round == other.round).filter(move |_| is_swiss)
}

fn points(stage: &StageTable<String>, lines: &[PointsLine<String>]) -> Markup {
    html! {
        div class="scroll" {
            table {
                thead { tr {
                    th class="right" scope="col" { "Place" }
                    th scope="col" { "Bot" }
                    th class="right" scope="col" { "Points" }
                    @for tie in &stage.tie_breaks { th class="right wide" scope="col" { (tie.as_str()) } }
                    th scope="col" { "" }
                } }
                tbody { @for line in lines { tr {
                    td class="right" { (line.place) @if line.shared { "=" } }
                    td { (line.bot) }
                    td class="right number" { (halves(line.half_points)) }
                    @for value in &line.ties { td class="right number wide" { @if let Some(value) = value { (value) } @else { "–" } } }
                    td class="muted" { @if line.advances { "goes on" } }
                } } }
            }
        }
        p class="note" {
            "= is a shared place. Tie-breaks in this order; they count half points, Sonneborn–Berger quarter points."
        }
    }
}

fn swiss_round(meetings: &[MeetingLine<String>]) -> Markup {
    html! {
        h3 { "Round " (meetings.first().map_or(0, |meeting| meeting.round + 1)) }
        ul class="plain-list" { @for meeting in meetings { li {
            (meeting.first)
            @if let Some(second) = &meeting.second {
                " " span class="number" { (halves(meeting.half_points[0])) ":" (halves(meeting.half_points[1])) } " " (second)
            } @else {
                span class="muted" { " has the bye" }
            }
        } } }
    }
}

fn bracket(meetings: &[BracketMeeting<String>]) -> Markup {
    let rounds = meetings.chunk_by(|one, other| (one.side, one.round) == (other.side, other.round));
    html! {
        @for round in rounds.filter(|round| round.iter().any(|meeting| !meeting.void)) {
            @if let Some(first) = round.first() { h3 { (side(first.side)) " " (first.round + 1) } }
            ul class="plain-list" { @for meeting in round.iter().filter(|meeting| !meeting.void) { li {
                @for (place, bot) in meeting.bots.iter().enumerate() {
                    @if place > 0 {
                        " " span class="number" { (halves(meeting.half_points[0])) ":" (halves(meeting.half_points[1])) } " "
                    }
                    @match bot {
                        Some(bot) if meeting.winner.as_ref() == Some(bot) => strong { (bot) },
                        Some(bot) => (bot),
                        None => span class="muted" { "…" },
                    }
                }
            } } }
        }
    }
}

const fn side(side: Side) -> &'static str {
    match side {
        Side::Winners => "Round",
        Side::Losers => "Second bracket, round",
        Side::ThirdPlace => "For third place, meeting",
        Side::GrandFinal => "Grand final, meeting",
    }
}

/// Half points as points.
fn halves(points: u64) -> String {
    let half = if points % 2 == 1 { "½" } else { "" };
    if points == 1 { half.to_owned() } else { format!("{}{half}", points / 2) }
}
