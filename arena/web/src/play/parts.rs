//! The changing parts of the page, as HTML, built only from the [`PlayState`].

use leyden_arena::narrate::hint;
use leyden_arena::narrate::words::{aim, arm_name, end_name, named, taken_by};
use leyden_language::text::{narrate, play as text, replay};
use leyden_model::Layout;
use leyden_protocol::{Action, Arm, Lay, Phase, Seat, Tile, TileSet, Turn};
use leyden_table::coach::WeighedAction;
use maud::{Markup, html};

use super::state::{PageParts, PlayState};
use crate::columns::{HtmlColumn, cells, heads, row};
use crate::drawing::{OpenRound, PlacedTile, Spot, Window, draw_open};
use crate::replay::needed_numbers;
use crate::tile::{self, DrawnTile};

/// Builds all parts of the page.
pub(super) fn parts(state: &PlayState, can_go_on: bool) -> PageParts {
    let all = [
        ("others", others(state)),
        ("table", table(state)),
        ("boneyard", boneyard(state)),
        ("sentence", sentence(state)),
        ("own", own(state)),
        ("scores", scores(state)),
        ("coach", coach(state)),
        ("log", log(state)),
        ("status", status(state)),
        ("result", result(state, can_go_on)),
    ];
    all.into_iter().map(|(id, part)| (id, part.into_string())).collect()
}

fn status(state: &PlayState) -> Markup {
    let text = match (state.own, state.rated) {
        (None, _) => state.text(text::LookingOn),
        (Some(_), true) => state.text(text::MatchCounts),
        (Some(_), false) => state.text(text::Practice),
    };
    html! { (text) }
}

/// Shows the other seats in playing order; all seats if nobody plays here.
fn others(state: &PlayState) -> Markup {
    let mut seats: Vec<Seat> = state.table.rules.seats.iter().collect();
    if let Some(own) = state.own {
        seats.rotate_left(own.index());
        seats.remove(0);
    }
    html! {
        @for seat in seats {
            div class={ "player seat-" (seat) } {
                (tile::mark(seat)) bdi class="name" { (state.names[seat]) }
                span class="tiles" {
                    @match state.table.hands[seat] {
                        Some(hand) => { @for tile in hand { (tile::picture(&DrawnTile::upright(tile, state.table.rules.set))) } }
                        None => { @for _ in 0..state.table.counts[seat] { (tile::hidden_picture()) } }
                    }
                }
                span class="muted" { (state.text(narrate::Tiles { count: state.table.counts[seat] })) }
                span class="score" title=(state.text(narrate::Score)) { (state.table.scores[seat]) }
            }
        }
    }
}

/// Draws the table, for a wide window and for a tall one.
pub(crate) fn table(state: &PlayState) -> Markup {
    let Some(layout) = &state.table.layout else { return leading(state) };
    let next: Vec<(Arm, Lay)> =
        state.turn.iter().flat_map(|turn| turn.legal.iter().copied()).filter_map(play).collect();
    let shape = (state.table.rules.layout, state.table.rules.set);
    let drawn = |window| draw_open(shape, layout.lead, &layout.plays, &next, window);
    html! {
        (picture(state, layout, &drawn(Window::WIDE), &next, "wide"))
        (picture(state, layout, &drawn(Window::TALL), &next, "tall"))
    }
}

fn play(action: Action) -> Option<(Arm, Lay)> {
    match action {
        Action::Play(arm, lay) => Some((arm, lay)),
        _ => None,
    }
}

fn picture(
    state: &PlayState,
    layout: &Layout,
    round: &OpenRound,
    next: &[(Arm, Lay)],
    shape: &str,
) -> Markup {
    let [left, top, width, height] = round.drawing.view;
    let before = state.laid_before;
    html! {
        svg class={ "round " (shape) } viewBox={ (left) " " (top) " " (width) " " (height) } role="group"
            aria-label=(state.text(narrate::OnTheTable)) {
            @for (index, (placed, by)) in round.drawing.tiles.iter().zip(&layout.by).enumerate() {
                g class=[(index >= before && state.own.is_some()).then_some("new")] {
                    (tile::tile(&DrawnTile::placed(placed, Some(*by), state.table.rules.set)))
                }
            }
            (ends(state, layout, round))
            @for (&(arm, lay), placed) in next.iter().zip(&round.next) {
                @if let Some(placed) = placed { (spot(state, arm, lay, placed)) }
            }
        }
    }
}

/// Marks what each arm takes, at the spot of its next tile.
fn ends(state: &PlayState, layout: &Layout, round: &OpenRound) -> Markup {
    let spot_of = |arm: Arm| -> Option<Spot> {
        let last = round.drawing.tiles.iter().rev().find(|placed| placed.arm == Some(arm));
        let start = || round.drawing.starts.iter().find(|(at, _)| *at == arm).map(|(_, spot)| *spot);
        last.map_or_else(start, |placed| placed.end)
    };
    let language = state.language();
    html! {
        @for (arm, end) in layout.arms().iter() {
            @if let Some((x, y)) = spot_of(arm) {
                @let text = needed_numbers(end, state.table.rules.set);
                @let end_shows = text::EndShows {
                    arm: arm_name(language, arm),
                    end: end_name(language, end),
                    taken: taken_by(language, end, state.table.rules.set),
                };
                g class={ "mark-of-end" @if !layout.is_open(arm) { " waiting" } } transform={ "translate(" (x) " " (y) ")" }
                    role="img" aria-label=(language.say(end_shows)) {
                    circle r="40" {}
                    @if text == "★" { use href="#star" transform="scale(.46)" {} }
                    @else { text class=[(text.len() > 2).then_some("long")] y=(if text.len() > 2 { 11 } else { 16 }) { (text) } }
                }
            }
        }
    }
}

/// Draws a spot where a tile can be laid; it is shown once the tile is chosen.
fn spot(state: &PlayState, arm: Arm, lay: Lay, placed: &PlacedTile) -> Markup {
    let (x, y) = placed.middle;
    let action = Action::Play(arm, lay);
    html! {
        g class="spot" role="button" tabindex="-1" data-arm=(arm.letter()) data-tile=(lay.tile()) data-lay=(action)
            aria-label=(named(state.language(), action))
            transform={ "translate(" (x) " " (y) ") rotate(" (i32::from(placed.turns) * 90) ")" } {
            rect x="-48" y="-98" width="96" height="196" rx="14" {}
        }
    }
}

/// Draws the table before the first tile, with the spot of the lead.
fn leading(state: &PlayState) -> Markup {
    let leads: Vec<Action> = state
        .turn
        .iter()
        .flat_map(|turn| turn.legal.iter().copied())
        .filter(|action| matches!(action, Action::Lead(_)))
        .collect();
    html! {
        svg class="round" viewBox="-500 -250 1000 500" role="group" aria-label=(state.text(text::TableEmpty)) {
            @if leads.is_empty() { text class="empty" { (state.text(narrate::NothingLaid)) } }
            @for action in leads {
                @if let Some(tile) = action.tile() {
                    g class="spot" role="button" tabindex="-1" data-arm="lead" data-tile=(tile) data-lay=(action) aria-label=(named(state.language(), action)) {
                        rect x="-98" y="-48" width="196" height="96" rx="14" {}
                    }
                }
            }
        }
    }
}

fn boneyard(state: &PlayState) -> Markup {
    let reserve = state.table.rules.reserve;
    let drawable = state.table.boneyard.saturating_sub(reserve);
    let can_draw = state.turn.as_ref().is_some_and(|turn| turn.legal.contains(&Action::Draw));
    html! {
        button type="button" class="pile" data-act="draw" disabled[!can_draw] {
            (tile::hidden_picture())
            span class="visually-hidden" { (state.text(text::DrawATile)) ": " }
            span {
                b { (state.text(text::InBoneyard { boneyard: state.table.boneyard })) } br;
                span { (state.text(text::CanBeDrawn { drawable })) }
            }
        }
    }
}

fn sentence(state: &PlayState) -> Markup {
    let last = state.log.last().map(|(_, text)| text.as_str()).unwrap_or_default();
    html! {
        @match (&state.turn, &state.result) {
            (_, Some(_)) => {}
            (Some(turn), None) => {
                b { (state.text(text::YourTurn)) " " }
                @if state.has_hints() { (hint(state.language(), &state.table.rules, turn)) } @else { (last) }
            }
            (None, None) if state.waits => { (last) span class="press-step" { " " (state.text(text::PressStep)) } }
            (None, None) => { (last) }
        }
    }
}

/// Shows the person's hand and what can be done.
fn own(state: &PlayState) -> Markup {
    let Some(seat) = state.own else { return watching(state) };
    let hand = state.table.hands[seat].unwrap_or(TileSet::EMPTY);
    html! {
        div class={ "me seat-" (seat) } {
            p { (tile::mark(seat)) b { (state.name(seat)) } span class="score" title=(state.text(narrate::Score)) { (state.table.scores[seat]) } }
            p class="muted small" { (state.text(text::TilesAndPips { count: hand.len(), pips: hand.pips() })) }
        }
        div class="hand-tiles" role="group" aria-label=(state.text(text::YourHand)) {
            @for (index, tile) in hand.iter().enumerate() {
                @let fits = state.turn.as_ref().map(|turn| fits(state, turn, tile));
                button type="button" data-tile=(tile) aria-pressed="false" disabled[fits.as_ref().is_none_or(String::is_empty)] {
                    (tile::picture(&DrawnTile::upright(tile, state.table.rules.set)))
                    @if index < 9 { kbd aria-hidden="true" { (index + 1) } }
                    @if let Some(fits) = &fits { small { @if fits.is_empty() { (state.text(text::NoFit)) } @else { (fits) } } }
                }
            }
        }
        @if let Some(turn) = &state.turn { (choices(state, turn)) }
    }
}

/// Says where a tile can go; empty if nowhere.
fn fits(state: &PlayState, turn: &Turn<'_>, tile: Tile) -> String {
    let mut spots: Vec<String> = Vec::new();
    for action in turn.legal.iter().filter(|action| action.tile() == Some(tile)) {
        let spot = match action {
            Action::Play(arm, _) => state.text(narrate::Side { arm }),
            _ => state.text(text::AsLead),
        };
        if !spots.contains(&spot) {
            spots.push(spot);
        }
    }
    let arms = turn.arms.iter().count();
    if arms > 2 && spots.len() == arms { state.text(text::AnyEnd) } else { spots.join(", ") }
}

/// Shows every legal action as a button; those of tiles appear once their tile is chosen.
fn choices(state: &PlayState, turn: &Turn<'_>) -> Markup {
    html! {
        div class="choices" id="choices" {
            p class="which muted" { (state.text(text::ChooseATile)) }
            @for action in turn.legal.iter() {
                @if let Some(tile) = action.tile() {
                    button type="button" class="choice" hidden data-tile=(tile) data-arm=(arm_of(*action)) data-act=(action)
                        data-key=(key_of(*action)) { (action_text(state, *action)) " " kbd hidden { (key_of(*action)) } }
                }
            }
        }
        div class="acts" {
            @if turn.legal.contains(&Action::Draw) {
                button type="button" data-act="draw" { (state.text(text::DrawATile)) " " kbd { "D" } }
            }
            @if turn.legal.contains(&Action::Refuse) {
                button type="button" data-act="refuse" { (state.text(text::RefuseToLead)) " " kbd { "R" } }
            }
            @if turn.phase == Phase::Lead { p class="muted small" { (state.text(text::YouLead)) } }
        }
    }
}

fn arm_of(action: Action) -> &'static str {
    match action {
        Action::Play(arm, _) => arm.letter(),
        _ => "lead",
    }
}

/// Returns the key that lays a tile this way.
fn key_of(action: Action) -> &'static str {
    match action {
        Action::Play(_, Lay::Across(_)) => "X",
        Action::Play(_, Lay::InLine { touching, end }) if touching > end => "O",
        _ => "I",
    }
}

fn action_text(state: &PlayState, action: Action) -> String {
    let language = state.language();
    match action {
        Action::Play(arm, Lay::InLine { touching, end }) => {
            state.text(text::InLineSo { arm: arm_name(language, arm), touching, end })
        }
        Action::Play(arm, Lay::Across(matador)) => {
            let (low, high) = (matador.low(), matador.high());
            state.text(text::AcrossSo { arm: arm_name(language, arm), low, high })
        }
        other => named(language, other),
    }
}

fn watching(state: &PlayState) -> Markup {
    html! {
        div class="acts row" {
            button type="button" class="primary" data-say="step" disabled[!state.waits] { (state.text(text::Step)) " " kbd { "→" } }
            button type="button" id="run" aria-pressed="false" { (state.text(replay::Play)) " " kbd { (state.text(replay::SpaceKey)) } }
        }
    }
}

fn scores(state: &PlayState) -> Markup {
    let rules = &state.table.rules;
    let shown = state.points.len().saturating_sub(8);
    let aim = aim(state.language(), rules.better);
    let to_target = state.text(text::ToTarget { target: rules.target, aim });
    let who = html! { span class="visually-hidden" { (state.text(text::Who)) } };
    let mut columns: Vec<HtmlColumn<'_, Seat>> = vec![HtmlColumn::from_elements(who, "", |seat: &Seat| {
        html! { th scope="row" { (tile::mark(*seat)) " " bdi { (state.name(*seat)) } } }
    })];
    columns.extend(
        state
            .points
            .iter()
            .enumerate()
            .skip(shown)
            .map(|(round, points)| HtmlColumn::new(round + 1, ["", ""], move |seat: &Seat| points[*seat])),
    );
    columns.push(HtmlColumn::new(state.text(text::Total), ["", ""], |seat: &Seat| {
        html! { b { (state.table.scores[*seat]) } }
    }));
    html! {
        h2 { (state.text(narrate::Round { round: state.table.round + 1 })) span class="muted" { (to_target) } }
        div class="scroll" tabindex="0" role="region" aria-label=(state.text(text::Scores)) {
            table {
                (heads(&columns))
                tbody { @for (seat, _) in state.table.scores.iter() { tr class={ "seat-" (seat) } { (cells(&columns, &seat)) } } }
            }
        }
    }
}

fn coach(state: &PlayState) -> Markup {
    if state.own.is_none() {
        return html! {}; // no one is asked
    }
    let language = state.language();
    let columns: [HtmlColumn<'_, WeighedAction>; 3] = [
        HtmlColumn::from_elements(state.text(text::Action), "", |choice: &WeighedAction| {
            html! { th scope="row" { (named(language, choice.action)) } }
        }),
        HtmlColumn::new(state.text(text::Wins), ["", ""], |choice: &WeighedAction| {
            language.percent(choice.chance, 0)
        }),
        HtmlColumn::new(state.text(text::Points), ["", ""], |choice: &WeighedAction| {
            language.signed(choice.margin, 1)
        }),
    ];
    html! {
        h2 { (state.text(text::Coach)) (switch(state, "coach", state.has_coach, "K")) }
        @if let Some(advice) = &state.advice {
            table {
                (heads(&columns))
                tbody { @for choice in advice.choices.iter().take(8) { (row(&columns, choice)) } }
            }
            @if advice.choices.len() > 8 { p class="muted small" { (state.text(text::AndMore { number: advice.choices.len() - 8 })) } }
            p { (advice.why) }
            p class="muted small" {
                (state.text(text::HowOften { deals: advice.deals_in_words(state.language()) }))
            }
        } @else if state.has_coach {
            p class="muted small" { (state.text(text::CoachWaits)) }
        }
        h2 { (state.text(text::Hints)) (switch(state, "hints", state.has_hints(), "H")) }
    }
}

/// Shows a button that displays whether something is on, and toggles it.
fn switch(state: &PlayState, what: &str, on: bool, key: &str) -> Markup {
    html! {
        button type="button" class="small" data-say=(what) data-on[!on] aria-pressed=(on) {
            @if on { (state.text(text::On)) } @else { (state.text(text::Off)) } " " kbd { (key) }
        }
    }
}

fn log(state: &PlayState) -> Markup {
    html! {
        h2 { (state.text(text::SoFar))
            @if state.own.is_some() && state.result.is_none() {
                button type="button" class="small" data-say="undo" data-ask[state.rated] { "↶ " (state.text(text::Undo)) " " kbd { "U" } }
            }
        }
        ol class="scroll" tabindex="0" aria-label=(state.text(text::LatestFirst)) {
            @for (seat, text) in state.log.iter().rev() {
                li { @if let Some(seat) = seat { (tile::mark(*seat)) } @else { span class="mark" {} } span { (text) } }
            }
        }
        @if state.own.is_some() && state.result.is_none() {
            div class="acts row" { button type="button" data-say="resign" data-ask { (state.text(text::Resign)) } }
        }
    }
}

fn result(state: &PlayState, can_go_on: bool) -> Markup {
    html! {
        @if let Some(ended) = &state.result {
            h2 { (state.text(text::MatchIsOver)) }
            p { (ended.said) }
            @if ended.is_kept { p class="muted small" { (state.text(text::StoredWhere)) } }
            div class="acts row" {
                @if ended.has_replay { a class="button" href="replay.html" target="_blank" rel="noopener" { (state.text(text::Replay)) } }
                @if can_go_on { button type="button" class="primary" data-say="again" { (state.text(text::AnotherMatch)) } }
                button type="button" data-say="close" { (state.text(text::Leave)) }
            }
        }
    }
}
