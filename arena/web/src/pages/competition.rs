//! The stages of a competition: tables of points with crosstables, brackets.

use leyden_arena::format::competition::{BracketMeeting, PointsLine, StageTable};
use leyden_arena::format::meeting::Decision;
use leyden_arena::format::{CompetitionTable, Met, better_wins, half_points};
use leyden_arena::report::points::{PointsColumns, PointsRow, rows};
use leyden_language::{Language, text::pages as text};
use maud::{Markup, html};

use crate::columns::{HtmlColumn, heads, row};
use crate::replay::printable;

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

/// A table of points with its crosstable.
fn points(stage: &StageTable<String>, lines: &[PointsLine<String>], language: Language) -> Markup {
    let PointsColumns { place, bot, points, met, ties, goes_on } =
        PointsColumns::new(stage, lines, language, printable);
    let bot = bot.map(|_, name| html! { span class="cut" title=(name) { (name) } });
    let mut columns: Vec<HtmlColumn<'_, PointsRow<'_>>> = vec![
        HtmlColumn::from_column(place, ["", "rank"]),
        HtmlColumn::from_column(bot, [""; 2]),
        HtmlColumn::from_column(points.map(|_, points| html! { b { (points) } }), [""; 2]),
    ];
    columns.extend(met.into_iter().enumerate().map(|(at, column)| {
        HtmlColumn::from_elements(&column.title, "", move |(_, met): &PointsRow<'_>| {
            cell(met[at].as_ref(), language)
        })
    }));
    columns.extend(ties.into_iter().map(|column| HtmlColumn::from_column(column, ["wide"; 2])));
    if lines.iter().any(|line| line.advances) {
        let tag = goes_on.map(|(line, _), text| {
            html! { @if line.advances { span class="tag good" { (text) } } }
        });
        columns.push(HtmlColumn::from_column(tag, [""; 2]));
    }
    html! {
        div class="scroll" {
            table class="crosstable" {
                (heads(&columns))
                tbody { @for line in &rows(stage, lines) { (row(&columns, line)) } }
            }
        }
    }
}

/// What a bot met, coloured by the result.
fn cell(met: Option<&Met<'_, String>>, language: Language) -> Markup {
    let Some(met) = met else { return html! { td {} } };
    let [own, other] = met.half_points;
    let how = match own.cmp(&other) {
        std::cmp::Ordering::Less => "lost",
        std::cmp::Ordering::Greater if met.opponent.is_some() => "won",
        _ => "",
    };
    html! {
        td class={ "number " (how) } title=[met.opponent] {
            (met.result(language))
            @if let Some(against) = met.against(language) { " " span class="muted" { (against) } }
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
                            Some(Decision::Points) | None => "",
                        } }
                    }
                }
            }
        }
    }
}
