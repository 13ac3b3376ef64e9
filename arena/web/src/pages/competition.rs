//! The stages of a competition: tables of points with crosstables, brackets.

use leyden_arena::format::competition::{BracketMeeting, PointsLine, StageTable};
use leyden_arena::format::meeting::Decision;
use leyden_arena::format::{CompetitionTable, Met, better_wins, half_points};
use leyden_language::text::tournament;
use leyden_language::{Language, text::pages as text};
use maud::{Markup, html};

use crate::columns::{HtmlColumn, heads, row};

/// Builds a card for each stage that has begun, the last one first and open.
pub(super) fn stages(table: Option<&CompetitionTable<String>>, language: Language) -> Markup {
    let stages = table.map_or(&[][..], |table| &table.stages);
    html! {
        @if !stages.is_empty() {
            div class="side" id="stages" {
                @for (number, stage) in stages.iter().enumerate().map(|(at, stage)| (at + 1, stage)).rev() { (card(number, stage, number == stages.len(), language)) }
            }
        }
    }
}

fn card(number: usize, stage: &StageTable<String>, is_open: bool, language: Language) -> Markup {
    html! {
        details class="card stage" id={ "stage-" (number) } open[is_open] {
            summary {
                h2 { (language.say(text::StageTitle { number, play: stage.play.describe(language) })) }
                @if !stage.over { span class="tag" { (language.say(text::NotOver)) } }
            }
            @if let Some(balance) = &stage.balance { p class="note" { (language.say(text::InABlock { balance: balance.describe(language) })) } }
            (bracket(stage, language))
            @for (group, lines) in (1..).zip(&stage.groups) {
                @if stage.groups.len() > 1 { h3 { (language.say(text::Group { group: group as u32 })) } }
                (points(stage, lines, language))
            }
            @if !stage.groups.is_empty() {
                p class="note" { (language.say(text::PointsNote)) }
            }
        }
    }
}

/// A line of points, and what its bot met in each column of the crosstable.
type Line<'a> = (&'a PointsLine<String>, Vec<Option<Met<'a, String>>>);

/// A table of points with its crosstable.
fn points(stage: &StageTable<String>, lines: &[PointsLine<String>], language: Language) -> Markup {
    let mut columns: Vec<HtmlColumn<'_, Line<'_>>> = vec![
        HtmlColumn::new(language.say(text::Place), ["right", "right rank"], |(line, _): &Line<'_>| {
            html! { (line.place) @if line.shared { "=" } }
        }),
        HtmlColumn::new(language.say(text::Bot), ["", ""], |(line, _): &Line<'_>| {
            html! { span class="cut" title=(line.bot) { (line.bot) } }
        }),
        HtmlColumn::new(language.say(text::Points), ["right", "right number"], |(line, _): &Line<'_>| {
            html! { b { (half_points(line.half_points)) } }
        }),
    ];
    columns.extend(stage.columns(lines, language).into_iter().enumerate().map(|(at, head)| {
        HtmlColumn::from_elements(head, "", move |(_, met): &Line<'_>| cell(met[at].as_ref(), language))
    }));
    columns.extend(stage.tie_breaks.iter().enumerate().map(|(at, tie)| {
        let classes = ["right wide", "right number wide"];
        HtmlColumn::new(tie.heading(language), classes, move |(line, _): &Line<'_>| {
            line.ties[at].map_or_else(|| "–".to_owned(), |value| tie.written(value))
        })
    }));
    if lines.iter().any(|line| line.advances) {
        columns.push(HtmlColumn::new(html! {}, ["", ""], |(line, _): &Line<'_>| {
            html! { @if line.advances { span class="tag good" { (language.say(text::GoesOn)) } } }
        }));
    }
    html! {
        div class="scroll" {
            table class="crosstable" {
                (heads(&columns))
                tbody { @for line in lines { (row(&columns, &(line, stage.cells(lines, &line.bot)))) } }
            }
        }
    }
}

/// The points of both, and in a Swiss the place of the opponent.
fn cell(met: Option<&Met<'_, String>>, language: Language) -> Markup {
    let Some(Met { opponent, place, half_points: [own, other] }) = met else { return html! { td {} } };
    let how = match own.cmp(other) {
        std::cmp::Ordering::Less => "lost",
        std::cmp::Ordering::Greater if opponent.is_some() => "won",
        _ => "",
    };
    html! {
        td class={ "number " (how) } title=[opponent] {
            @if opponent.is_none() { (language.say(text::ByePoints { points: half_points(*own) })) } @else { (half_points(*own)) ":" (half_points(*other)) }
            @if let Some(place) = place { " " span class="muted" { (language.say(tournament::LineColumn { line: place })) } }
        }
    }
}

/// A bracket, a column for each round.
fn bracket(stage: &StageTable<String>, language: Language) -> Markup {
    let rounds: Vec<(String, &[BracketMeeting<String>])> = stage.rounds_of_bracket(language).collect();
    let is_shown = |meetings: &[BracketMeeting<String>]| meetings.iter().any(|meeting| !meeting.void);
    html! {
        @if !rounds.is_empty() {
            @for side in rounds.chunk_by(|one, other| one.1[0].side == other.1[0].side) {
                div class="scroll" { div class="bracket" {
                    @for (name, meetings) in side.iter().filter(|(_, meetings)| is_shown(meetings)) {
                        div class="round" {
                            h3 { (name) }
                            ol { @for each in *meetings { (meeting(each, stage, language)) } }
                        }
                    }
                } }
            }
            p class="note" { (language.say(text::BracketNote)) " " (better_wins(stage.blocks, language)) }
        }
    }
}

pub(crate) fn meeting(
    meeting: &BracketMeeting<String>,
    stage: &StageTable<String>,
    language: Language,
) -> Markup {
    let seed = |bot: &String| stage.seeds.iter().position(|seed| seed == bot).map(|seed| seed + 1);
    let is_played = meeting.pairs > 0 || meeting.half_points != [0, 0];
    html! {
        li class=[meeting.void.then_some("void")] {
            @for (bot, points) in meeting.bots.iter().zip(meeting.half_points) {
                @let won = bot.is_some() && meeting.winner == *bot;
                div class={ "entrant" @if won { " won" } } {
                    span class="muted number" { @if let Some(seed) = bot.as_ref().and_then(seed) { (seed) } }
                    span class="cut" title=[bot.as_ref()] {
                        @match bot { Some(bot) => (bot), None if meeting.void => (language.say(text::Bye)), None => "…" }
                    }
                    span class="number" {
                        @if is_played && !meeting.void { (half_points(points)) }
                        @if won { @match meeting.decision {
                            Some(Decision::Margin) => " g",
                            Some(Decision::Seed) => " s",
                            _ => "",
                        } }
                    }
                }
            }
        }
    }
}
