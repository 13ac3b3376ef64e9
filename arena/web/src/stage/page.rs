//! The audience's page: a frame that stays the same, and the parts of what is shown now.

use leyden_arena::format::competition::StageTable;
use leyden_arena::format::half_points;
use leyden_arena::narrate::Narrator;
use leyden_arena::narrate::words::score_line;
use leyden_language::Language;
use leyden_protocol::{Seat, Set, WinningScore};
use maud::{DOCTYPE, Markup, html};
use serde::Serialize;

use super::decisive;
use super::moments::{Moment, StagedMatch};
use super::state::{Shown, ShownMatch, Stage};
use super::winner::EventWinner;
use crate::document::head;
use crate::pages::{bracket_meeting, percent, time};
use crate::play::drawn_table;
use crate::replay::printable;
use crate::snapshot::{MatchSeen, Snapshot};
use crate::tile::{self, DrawnTile, is_wild};

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
    pub(crate) caption: String,
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
) -> StageScene {
    let (kind, parts) = match (&stage.shown, open, snapshot) {
        (Shown::Match(shown), Some(open), _) => ("match", match_parts(shown, open)),
        (Shown::Countdown { until_ms, round }, ..) => {
            ("text", vec![("screen", countdown(until_ms.saturating_sub(now_ms), round))])
        }
        (Shown::Standings, _, Some(snapshot)) => ("list", vec![("screen", standings(snapshot))]),
        (Shown::Winner, _, Some(snapshot)) if snapshot.progress.is_over => {
            ("text", vec![("screen", winner(snapshot))])
        }
        (_, _, snapshot) => {
            let name = snapshot.map_or("", |snapshot| &snapshot.name);
            ("text", vec![("screen", html! { (tile::sign()) h2 class="cut" { (name) } })])
        }
    };
    StageScene { kind, parts: parts.into_iter().map(|(id, part)| (id, part.into_string())).collect() }
}

fn match_parts(shown: &ShownMatch, open: &OpenMatch) -> Vec<(&'static str, Markup)> {
    let Some(moment) = open.staged.at(shown.at, shown.view) else { return Vec::new() };
    let last = moment.table.log.last();
    let is_over = shown.at == shown.of.last;
    let view = shown.view.map(|seat| html! { " · as " bdi { (moment.table.names[seat]) } " saw it" });
    let round = moment.table.table.round + 1;
    vec![
        ("caption", html! { (open.caption) ", its round " (round) @if let Some(view) = view { (view) } }),
        ("seats", seats(&moment)),
        ("table", html! { (drawn_table(&moment.table)) @if is_over { (verdict(open, &moment)) } }),
        (
            "sentence",
            html! {
                (last.map_or("", |(_, text)| text))
                @if let Some(us) = moment.took_us { span class="took" { " Thought for " (time(Language::English, us)) "." } }
            },
        ),
        ("odds", odds(&moment, shown.view)),
    ]
}

/// The seats with their hands.
fn seats(moment: &Moment) -> Markup {
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
                b class="score" { span class="visually-hidden" { "score " } (table.scores[seat]) }
                span class={ "tiles" (size(*count)) } role="img" aria-label={ "holds " (count) " tiles" } {
                    @match table.hands[seat] {
                        Some(hand) => { @for tile in hand {
                            (tile::picture(&DrawnTile { wild: is_wild(tile, table.rules.set), ..DrawnTile::upright(tile, table.rules.set) }))
                        } }
                        None => { @for _ in 0..*count { (tile::hidden_picture()) } }
                    }
                }
            }
        }
    }
}

/// The chance to win: of both, and its line so far.
fn odds(moment: &Moment, view: Option<Seat>) -> Markup {
    let Some(now) = moment.chances.last() else { return html! {} };
    let own = view.unwrap_or(Seat::FIRST);
    let Some((other, _)) = moment.table.names.iter().find(|(seat, _)| *seat != own) else { return html! {} };
    let step = 100.0 / moment.chances.len().max(WIDE) as f64;
    let point =
        |(index, chance): (usize, &f64)| format!("{:.2},{:.2} ", index as f64 * step, 100.0 - 100.0 * chance);
    let points: String = moment.chances.iter().enumerate().map(point).collect();
    let share = |seat: Seat, chance: f64| {
        html! {
            span class={ "share seat-" (seat) } { (tile::mark(seat)) " " b { (percent(Language::English, chance, 0)) } }
        }
    };
    html! {
        h2 { "Chance to win" }
        (share(own, *now))
        svg class={ "line seat-" (own) } viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" {
            line x1="0" x2="100" y1="50" y2="50" {}
            polyline points=(points) {}
        }
        (share(other, 1.0 - now))
    }
}

/// The winner of a match, by how much, and the moment that decided it.
fn verdict(open: &OpenMatch, moment: &Moment) -> Markup {
    let record = &open.staged.record;
    let narrator = Narrator::new(record.bots.map(|name| printable(name)), None, Language::English);
    let fault = record.fault.as_ref().map(|fault| narrator.lost_by_fault(fault.seat, fault.code));
    let margin = MatchSeen::from_record(&open.staged.key, record).margin();
    let decided = decisive::moment(record, open.better, open.staged.analysed.as_ref());
    html! {
        div class="verdict" {
            h2 { (narrator.winner(record.winner, fault.is_some())) }
            p {
                (score_line(&moment.table.table.scores))
                @if let Some(margin) = margin { ", by " (margin) }
                @if let Some(fault) = fault { ": " (fault) }
            }
            @if let Some(decided) = decided { p { (decided) } }
        }
    }
}

fn countdown(left_ms: u64, round: &str) -> Markup {
    let seconds = left_ms.div_ceil(1_000);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    html! {
        p { (round) " begins " @if left_ms > 0 { "in" } @else { "now" } }
        h2 class="clock" role="timer" {
            @if hours > 0 { (hours) ":" } (format!("{minutes:02}:{seconds:02}"))
        }
    }
}

fn standings(snapshot: &Snapshot) -> Markup {
    let stage = snapshot.standings.competition.as_ref().and_then(|table| table.stages.last());
    html! {
        h2 class="cut" { (snapshot.name) }
        @match stage {
            Some(stage) if stage.groups.is_empty() => { (bracket(stage)) }
            Some(stage) => { div class="groups" { @for group in &stage.groups {
                (lines(["Bot", "Points"], group.iter().map(|line| {
                    (line.place, printable(&line.bot), half_points(line.half_points))
                })))
            } } }
            None => { (lines(["Bot", "Score"], snapshot.standings.bots.iter().zip(&snapshot.ranking).map(|(line, bot)| {
                let bot = snapshot.bot(*bot);
                (line.place, bot.name.clone(), bot.results.score.map_or_else(|| "–".into(), |score| percent(Language::English, score, 1)))
            }))) }
        }
    }
}

fn lines(heads: [&str; 2], all: impl ExactSizeIterator<Item = (u32, String, String)>) -> Markup {
    let more = all.len().saturating_sub(BOTS);
    html! {
        div {
            table {
                thead { tr { th scope="col" { "Place" } @for head in heads { th scope="col" { (head) } } } }
                tbody { @for (place, name, number) in all.take(BOTS) {
                    tr { td { (place) } td { span class="cut" { (name) } } td { (number) } }
                } }
            }
            @if more > 0 { p class="muted" { "and " (more) " more" } }
        }
    }
}

/// The latest rounds of a bracket that fit.
fn bracket(stage: &StageTable<String>) -> Markup {
    let rounds = stage.rounds_of_bracket(Language::English);
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
                    ol { @for each in *meetings { (bracket_meeting(each, stage, Language::English)) } }
                }
            }
        }
    }
}

fn winner(snapshot: &Snapshot) -> Markup {
    let Some(EventWinner { names, margin, moment }) = EventWinner::from_snapshot(snapshot) else {
        return html! { h2 { "Nobody has won" } };
    };
    html! {
        p { (snapshot.name) }
        p { @if names.len() == 1 { "The winner is" } @else { "The first place is shared by" } }
        @for name in &names { h2 class="champion" { (name) } }
        @if let Some(margin) = margin { p { (margin) } }
        @if let Some(moment) = moment { p { (moment) } }
    }
}

/// The parts of a page that a scene fills.
pub(super) fn frame(scene: &StageScene) -> Markup {
    let part = |id: &str| {
        let found = scene.parts.iter().find(|(part, _)| *part == id);
        maud::PreEscaped(found.map_or("", |(_, part)| part.as_str()))
    };
    html! {
        p id="caption" { (part("caption")) }
        div id="seats" { (part("seats")) }
        section id="table" class="felt" aria-label="The table" { (part("table")) }
        p id="sentence" role="status" { (part("sentence")) }
        section id="odds" aria-label="Chance to win" { (part("odds")) }
        section id="screen" tabindex="0" aria-label="What is shown" { (part("screen")) }
    }
}

/// Builds the audience's page with what is shown now.
pub(crate) fn document(scene: &StageScene, name: &str) -> Markup {
    let body = html! {
        main class="on-stage" data-kind=(scene.kind) data-events="stage/events" {
            h1 class="visually-hidden" { "The stage of " (name) }
            (frame(scene))
        }
    };
    page(&format!("Stage · {name}"), "", "stage-page", &["stage.js"], &body)
}

/// Builds a document that loads these scripts.
pub(super) fn page(title: &str, root: &str, class: &str, scripts: &[&str], body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" class=(class) {
            (head(title, root, "stage.css", scripts, &html! {}))
            body {
                (tile::symbols(Set::DoubleTwelve))
                noscript { p class="card" { "Without scripts, this page shows what was on the stage when it was loaded." } }
                (body)
            }
        }
    }
}
