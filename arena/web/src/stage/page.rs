//! The audience's page: a frame that stays the same, and the parts of what is shown now.

use leyden_arena::format::competition::StageTable;
use leyden_arena::format::half_points;
use leyden_arena::narrate::Narrator;
use leyden_arena::narrate::words::score_line;
use leyden_arena::record::final_scores;
use leyden_arena::report::column::Column;
use leyden_language::text::{narrate, tournament};
use leyden_language::{Language, PerLanguage, text::stage as text};
use leyden_protocol::{Seat, Set, WinningScore};
use maud::{DOCTYPE, Markup, html};
use serde::Serialize;

use super::decisive_moment;
use super::moments::{Moment, StagedMatch};
use super::programme::RoundName;
use super::state::{Shown, ShownMatch, Stage};
use super::winner::EventWinner;
use crate::columns::{HtmlColumn, heads, row};
use crate::document::head;
use crate::pages::{bracket_meeting, time};
use crate::play::drawn_table;
use crate::replay::printable;
use crate::slots::{SLOTS, filled};
use crate::snapshot::Snapshot;
use crate::tile::{self, DrawnTile};

/// How many bots, rounds of a bracket, and meetings of a round fit a projector.
const BOTS: usize = 12;
const ROUNDS: usize = 4;
const MEETINGS: usize = 8;

/// How many moments the line of chances has room for at first; it does not say how long the match will be.
const WIDE: usize = 60;

/// What a page shows now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct StageScene {
    /// Names what is shown, for the layout.
    pub(crate) kind: &'static str,
    pub(crate) parts: Vec<(&'static str, String)>,
}

/// A match that is open on the stage, and what it is called there.
pub(crate) struct OpenMatch {
    pub(crate) staged: StagedMatch,
    pub(crate) caption: PerLanguage<String>,
    pub(crate) better: WinningScore,
}

impl OpenMatch {
    pub(crate) fn names(&self) -> Vec<String> {
        self.staged.record.bots.as_slice().iter().map(|name| printable(name)).collect()
    }
}

/// Builds what the audience sees: of a match only what has happened up to the present moment, of the event only what is revealed.
pub(crate) fn scene(
    stage: &Stage,
    open: Option<&OpenMatch>,
    snapshot: Option<&Snapshot>,
    now_ms: u64,
    language: Language,
) -> StageScene {
    let (kind, parts) = match (&stage.shown, open, snapshot) {
        (Shown::Match(shown), Some(open), _) => ("match", match_parts(shown, open, language)),
        (Shown::Countdown { until_ms, round }, ..) => {
            ("text", vec![("screen", countdown(until_ms.saturating_sub(now_ms), *round, language))])
        }
        (Shown::Standings, _, Some(snapshot)) => ("list", vec![("screen", standings(snapshot, language))]),
        (Shown::Winner, _, Some(snapshot)) if snapshot.progress.is_over => {
            ("text", vec![("screen", winner(snapshot, language))])
        }
        (_, _, snapshot) => {
            let name = snapshot.map_or("", |snapshot| &snapshot.name);
            ("text", vec![("screen", html! { (tile::sign()) h2 class="cut" { (name) } })])
        }
    };
    StageScene { kind, parts: parts.into_iter().map(|(id, part)| (id, part.into_string())).collect() }
}

fn match_parts(shown: &ShownMatch, open: &OpenMatch, language: Language) -> Vec<(&'static str, Markup)> {
    let Some(moment) = open.staged.at(shown.at, shown.view, language) else { return Vec::new() };
    let last = moment.table.log.last();
    let is_over = shown.at == shown.of.last;
    let (caption, round) = (&open.caption[language], moment.table.table.round + 1);
    let caption = if let Some(seat) = shown.view {
        let said = text::ItsRoundAsSeen { caption, round, name: SLOTS[0] };
        filled(&language.say(said), &[html! { bdi { (moment.table.names[seat]) } }])
    } else {
        html! { (language.say(text::ItsRound { caption, round })) }
    };
    let thought = moment.took_us.map(|us| language.say(text::ThoughtFor { time: time(language, us) }));
    vec![
        ("caption", caption),
        ("seats", seats(&moment, language)),
        ("table", html! { (drawn_table(&moment.table)) @if is_over { (verdict(open, &moment, language)) } }),
        (
            "sentence",
            html! {
                (last.map_or("", |(_, text)| text))
                @if let Some(thought) = thought { span class="took" { " " (thought) } }
            },
        ),
        ("odds", odds(&moment, shown.view, language)),
    ]
}

/// The seats with their hands.
fn seats(moment: &Moment, language: Language) -> Markup {
    let table = &moment.table.table;
    let acting = table.asked.as_ref().map(|asked| asked.seat);
    let size = |count: u8| match count {
        0..=9 => "",
        10..=14 => " many",
        _ => " most",
    };
    html! {
        @for (seat, count) in table.counts.iter() {
            div class={ "seat seat-" (seat) @if acting == Some(seat) { " to-act" } } {
                span class="who" { (tile::mark(seat)) bdi class="name" { (moment.table.names[seat]) } }
                b class="score" { span class="visually-hidden" { (language.say(narrate::Score)) " " } (table.scores[seat]) }
                span class={ "tiles" (size(*count)) } role="img" aria-label=(language.say(text::HoldsTiles { count })) {
                    @match table.hands[seat] {
                        Some(hand) => { @for tile in hand {
                            (tile::picture(&DrawnTile::upright(tile, table.rules.set)))
                        } }
                        None => { @for _ in 0..*count { (tile::hidden_picture()) } }
                    }
                }
            }
        }
    }
}

/// The chance to win: of both, and its line so far.
fn odds(moment: &Moment, view: Option<Seat>, language: Language) -> Markup {
    let Some(now) = moment.chances.last() else { return html! {} };
    let own = view.unwrap_or(Seat::FIRST);
    let Some((other, _)) = moment.table.names.iter().find(|(seat, _)| *seat != own) else { return html! {} };
    let step = 100.0 / moment.chances.len().max(WIDE) as f64;
    let point =
        |(index, chance): (usize, &f64)| format!("{:.2},{:.2} ", index as f64 * step, 100.0 - 100.0 * chance);
    let points: String = moment.chances.iter().enumerate().map(point).collect();
    let share = |seat: Seat, chance: f64| {
        html! {
            span class={ "share seat-" (seat) } { (tile::mark(seat)) " " b { (language.percent(chance, 0)) } }
        }
    };
    html! {
        h2 { (language.say(text::ChanceToWin)) }
        (share(own, *now))
        svg class={ "line seat-" (own) } viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" {
            line x1="0" x2="100" y1="50" y2="50" {}
            polyline points=(points) {}
        }
        (share(other, 1.0 - now))
    }
}

/// The winner of a match, by how much, and the moment that decided it.
fn verdict(open: &OpenMatch, moment: &Moment, language: Language) -> Markup {
    let record = &open.staged.record;
    let narrator = Narrator::new(record.bots.map(|name| printable(name)), None, language);
    let fault = record.fault.as_ref().map(|fault| narrator.lost_by_fault(fault.seat, fault.code));
    let margin = final_scores(record, open.better).winning_margin().filter(|margin| *margin > 0);
    let decided = decisive_moment::moment(record, open.better, open.staged.analysed.as_ref(), language);
    let mut scores = score_line(&moment.table.table.scores);
    if let Some(margin) = margin {
        scores = language.say(text::ByMargin { scores, margin });
    }
    if let Some(fault) = &fault {
        scores = language.say(text::ByFault { scores, fault });
    }
    html! {
        div class="verdict" {
            h2 { (narrator.winner(record.winner, fault.is_some())) }
            p { (scores) }
            @if let Some(decided) = decided { p { (decided) } }
        }
    }
}

fn countdown(left_ms: u64, round: Option<RoundName>, language: Language) -> Markup {
    let round = round.map_or_else(|| language.say(text::TheEnd), |round| round.in_words(language));
    let seconds = left_ms.div_ceil(1_000);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    html! {
        p { (language.say(text::Begins { round, now: left_ms == 0 })) }
        h2 class="clock" role="timer" {
            @if hours > 0 { (hours) ":" } (format!("{minutes:02}:{seconds:02}"))
        }
    }
}

fn standings(snapshot: &Snapshot, language: Language) -> Markup {
    let [points, score] = [language.say(tournament::Points), language.say(tournament::Score)];
    let stage = snapshot.standings.competition.as_ref().and_then(|table| table.stages.last());
    html! {
        h2 class="cut" { (snapshot.name) }
        @match stage {
            Some(stage) if stage.groups.is_empty() => { (bracket(stage, language)) }
            Some(stage) => { div class="groups" { @for group in &stage.groups {
                (lines(&points, group.iter().map(|line| {
                    (line.place, printable(&line.bot), half_points(line.half_points))
                }), language))
            } } }
            None => { (lines(&score, snapshot.standings.bots.iter().zip(&snapshot.ranking).map(|(line, bot)| {
                let bot = snapshot.bot(*bot);
                (line.place, bot.name.clone(), bot.results.score.map_or_else(|| "–".into(), |score| language.percent(score, 1)))
            }), language)) }
        }
    }
}

/// Place, name and number of a bot: what can be read from afar of the standings, or of a table of points.
type Line = (u32, String, String);

fn lines(number: &str, all: impl ExactSizeIterator<Item = Line>, language: Language) -> Markup {
    let more = all.len().saturating_sub(BOTS);
    let columns: [Column<'_, Line, Markup>; 3] = [
        Column::words(language.say(tournament::Place), |(place, ..): &Line| html! { (place) }),
        Column::words(
            language.say(tournament::Bot),
            |(_, name, _): &Line| html! { span class="cut" { (name) } },
        ),
        Column::words(number, |(.., number): &Line| html! { (number) }),
    ];
    let columns = columns.map(|column| HtmlColumn::from_column(column, [""; 2]));
    html! {
        div {
            table { (heads(&columns)) tbody { @for line in all.take(BOTS) { (row(&columns, &line)) } } }
            @if more > 0 { p class="muted" { (language.say(text::AndMore { more })) } }
        }
    }
}

/// The latest rounds of a bracket that fit.
fn bracket(stage: &StageTable<String>, language: Language) -> Markup {
    let rounds = stage.rounds_of_bracket(language);
    let fit: Vec<_> = rounds.filter(|(_, meetings)| meetings.len() <= MEETINGS).collect();
    let is_known = |bots: &[Option<String>; 2]| bots.iter().any(Option::is_some);
    let known = fit.iter().rposition(|(_, all)| all.iter().any(|meeting| is_known(&meeting.bots)));
    let until = known.map_or(fit.len(), |known| (known + 2).min(fit.len()));
    let shown = &fit[until.saturating_sub(ROUNDS)..until];
    let is_small = shown.len() < ROUNDS && shown.iter().all(|(_, meetings)| meetings.len() <= MEETINGS / 2);
    html! {
        div class={ "bracket" @if is_small { " small" } } {
            @for (name, meetings) in shown {
                div class="round-of-bracket" {
                    h3 { (name) }
                    ol { @for each in *meetings { (bracket_meeting(each, stage, language)) } }
                }
            }
        }
    }
}

fn winner(snapshot: &Snapshot, language: Language) -> Markup {
    let Some(EventWinner { names, margin, moment }) = EventWinner::from_snapshot(snapshot, language) else {
        return html! { h2 { (language.say(text::NobodyWon)) } };
    };
    html! {
        p { (snapshot.name) }
        p { (language.say(text::TheWinnerIs { shared: names.len() > 1 })) }
        @for name in &names { h2 class="champion" { (name) } }
        @if let Some(margin) = margin { p { (margin) } }
        @if let Some(moment) = moment { p { (moment) } }
    }
}

/// The parts of a page that a scene fills.
pub(super) fn frame(scene: &StageScene, language: Language) -> Markup {
    let part = |id: &str| {
        let found = scene.parts.iter().find(|(part, _)| *part == id);
        maud::PreEscaped(found.map_or("", |(_, part)| part.as_str()))
    };
    html! {
        p id="caption" { (part("caption")) }
        div id="seats" { (part("seats")) }
        section id="table" class="felt" aria-label=(language.say(narrate::TheTable)) { (part("table")) }
        p id="sentence" role="status" { (part("sentence")) }
        section id="odds" aria-label=(language.say(text::ChanceToWin)) { (part("odds")) }
        section id="screen" tabindex="0" aria-label=(language.say(text::WhatIsShown)) { (part("screen")) }
    }
}

/// Builds the audience's page with what is shown now.
pub(crate) fn document(scene: &StageScene, name: &str, language: Language) -> Markup {
    let body = html! {
        main class="on-stage" data-kind=(scene.kind) data-events="stage/events" {
            h1 class="visually-hidden" { (language.say(text::StageOf { name })) }
            (frame(scene, language))
        }
    };
    let title = format!("{} · {name}", language.say(text::Title));
    page((&title, ""), "stage-page", &["stage.js"], &body, language)
}

/// Builds a document that loads these scripts.
pub(super) fn page(
    (title, root): (&str, &str),
    class: &str,
    scripts: &[&str],
    body: &Markup,
    language: Language,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(language) class=(class) {
            (head(title, root, "stage.css", scripts, &html! {}))
            body {
                (tile::symbols(Set::DoubleTwelve))
                noscript { p class="card" { (language.say(text::WithoutScripts)) } }
                (body)
            }
        }
    }
}
