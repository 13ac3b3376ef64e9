//! The changing parts of the page, as HTML, built only from the [`PlayState`].

use leyden_arena::narrate::hint;
use leyden_arena::narrate::words::{aim, arm_name, end_name, named, taken_by};
use leyden_language::{Language, text::narrate::Side};
use leyden_model::Layout;
use leyden_model::words::counted;
use leyden_protocol::{Action, Arm, Lay, Phase, Seat, Tile, TileSet, Turn};
use maud::{Markup, html};

use super::state::{PageParts, PlayState};
use crate::drawing::{OpenRound, Placed, Spot, Window, draw_open};
use crate::replay::wanted;
use crate::tile::{self, DrawnTile, is_wild};

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
        (None, _) => "looking on",
        (Some(_), true) => "the match counts",
        (Some(_), false) => "practice: nothing is stored",
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
                span class="muted" { (tiles(state.table.counts[seat].into())) }
                span class="score" title="score" { (state.table.scores[seat]) }
            }
        }
    }
}

fn tiles(count: usize) -> String {
    counted(count, "tile", "tiles")
}

/// Draws the table, for a wide window and for a tall one.
fn table(state: &PlayState) -> Markup {
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
            aria-label="The tiles on the table" {
            @for (place, (placed, by)) in round.drawing.tiles.iter().zip(&layout.by).enumerate() {
                g class=[(place >= before && state.own.is_some()).then_some("new")] { (laid(state, placed, *by)) }
            }
            (ends(state, layout, round))
            @for (&(arm, lay), placed) in next.iter().zip(&round.next) {
                @if let Some(placed) = placed { (spot(arm, lay, placed)) }
            }
        }
    }
}

fn laid(state: &PlayState, placed: &Placed, by: Seat) -> Markup {
    let Placed { middle: (x, y), first, second, turns, .. } = *placed;
    let wild = is_wild(Tile::new(first, second), state.table.rules.set);
    tile::tile(&DrawnTile { first, second, turns, x, y, wild, by: Some(by) })
}

/// Marks what each arm takes, at the place of its next tile.
fn ends(state: &PlayState, layout: &Layout, round: &OpenRound) -> Markup {
    let spot_of = |arm: Arm| -> Option<Spot> {
        let last = round.drawing.tiles.iter().rev().find(|placed| placed.arm == Some(arm));
        let start = || round.drawing.starts.iter().find(|(at, _)| *at == arm).map(|(_, spot)| *spot);
        last.map_or_else(start, |placed| placed.end)
    };
    html! {
        @for (arm, end) in layout.arms().iter() {
            @if let Some((x, y)) = spot_of(arm) {
                @let text = wanted(end, state.table.rules.set);
                g class={ "mark-of-end" @if !layout.is_open(arm) { " waiting" } } transform={ "translate(" (x) " " (y) ")" }
                    role="img" aria-label={ "The " (arm_name(Language::English, arm)) " shows " (end_name(Language::English, end)) ", takes " (taken_by(Language::English, end, state.table.rules.set)) } {
                    circle r="40" {}
                    @if text == "★" { use href="#star" transform="scale(.46)" {} }
                    @else { text class=[(text.len() > 2).then_some("long")] y=(if text.len() > 2 { 11 } else { 16 }) { (text) } }
                }
            }
        }
    }
}

/// Draws a place where a tile can be laid; it is shown once the tile is chosen.
fn spot(arm: Arm, lay: Lay, placed: &Placed) -> Markup {
    let (x, y) = placed.middle;
    let action = Action::Play(arm, lay);
    html! {
        g class="spot" role="button" tabindex="-1" data-arm=(arm.letter()) data-tile=(lay.tile()) data-lay=(action)
            aria-label=(named(Language::English, action))
            transform={ "translate(" (x) " " (y) ") rotate(" (i32::from(placed.turns) * 90) ")" } {
            rect x="-48" y="-98" width="96" height="196" rx="14" {}
        }
    }
}

/// Draws the table before the first tile, with the place of the lead.
fn leading(state: &PlayState) -> Markup {
    let leads: Vec<Action> = state
        .turn
        .iter()
        .flat_map(|turn| turn.legal.iter().copied())
        .filter(|action| matches!(action, Action::Lead(_)))
        .collect();
    html! {
        svg class="round" viewBox="-500 -250 1000 500" role="group" aria-label="The table is empty" {
            @if leads.is_empty() { text class="empty" { "nothing is laid yet" } }
            @for action in leads {
                @if let Some(tile) = action.tile() {
                    g class="spot" role="button" tabindex="-1" data-arm="lead" data-tile=(tile) data-lay=(action) aria-label=(named(Language::English, action)) {
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
            span class="visually-hidden" { "Draw a tile: " }
            span { b { (state.table.boneyard) } " in the boneyard," br; span { (drawable) " can be drawn" } }
        }
    }
}

fn sentence(state: &PlayState) -> Markup {
    let last = state.log.last().map(|(_, text)| text.as_str()).unwrap_or_default();
    html! {
        @match (&state.turn, &state.result) {
            (_, Some(_)) => {}
            (Some(turn), None) => {
                b { "Your turn. " }
                @if state.has_hints() { (hint(Language::English, &state.table.rules, turn)) } @else { (last) }
            }
            (None, None) if state.waits => { (last) span class="press-step" { " Press Step." } }
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
            p { (tile::mark(seat)) b { "You" } span class="score" title="score" { (state.table.scores[seat]) } }
            p class="muted small" { (tiles(hand.len())) " · " (hand.pips()) " pips" }
        }
        div class="hand-tiles" role="group" aria-label="Your hand" {
            @for (place, tile) in hand.iter().enumerate() {
                @let fits = state.turn.as_ref().map(|turn| fits(turn, tile));
                button type="button" data-tile=(tile) aria-pressed="false" disabled[fits.as_ref().is_none_or(String::is_empty)] {
                    (tile::picture(&DrawnTile { wild: is_wild(tile, state.table.rules.set), ..DrawnTile::upright(tile, state.table.rules.set) }))
                    @if place < 9 { kbd aria-hidden="true" { (place + 1) } }
                    @if let Some(fits) = &fits { small { @if fits.is_empty() { "no fit" } @else { (fits) } } }
                }
            }
        }
        @if let Some(turn) = &state.turn { (choices(turn)) }
    }
}

/// Says where a tile can go; empty if nowhere.
fn fits(turn: &Turn<'_>, tile: Tile) -> String {
    let mut places: Vec<String> = Vec::new();
    for action in turn.legal.iter().filter(|action| action.tile() == Some(tile)) {
        let place = match action {
            Action::Play(arm, _) => Language::English.say(Side { arm }),
            _ => "lead".to_owned(),
        };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let arms = turn.arms.iter().count();
    if arms > 2 && places.len() == arms { "any end".to_owned() } else { places.join(", ") }
}

/// Shows every legal action as a button; those of tiles appear once their tile is chosen.
fn choices(turn: &Turn<'_>) -> Markup {
    html! {
        div class="choices" id="choices" {
            p class="which muted" { "Choose a tile." }
            @for action in turn.legal.iter() {
                @if let Some(tile) = action.tile() {
                    button type="button" class="choice" hidden data-tile=(tile) data-arm=(arm_of(*action)) data-act=(action)
                        data-key=(key_of(*action)) { (told(*action)) " " kbd hidden { (key_of(*action)) } }
                }
            }
        }
        div class="acts" {
            @if turn.legal.contains(&Action::Draw) {
                button type="button" data-act="draw" { "Draw a tile " kbd { "D" } }
            }
            @if turn.legal.contains(&Action::Refuse) {
                button type="button" data-act="refuse" { "Refuse to lead " kbd { "R" } }
            }
            @if turn.phase == Phase::Lead { p class="muted small" { "You have the lead." } }
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

fn told(action: Action) -> String {
    match action {
        Action::Play(arm, Lay::InLine { touching, end }) => {
            format!("{}: {touching} touches, {end} is out", arm_name(Language::English, arm))
        }
        Action::Play(arm, Lay::Across(matador)) => {
            format!(
                "{}: across, {} and {} are out",
                arm_name(Language::English, arm),
                matador.low(),
                matador.high()
            )
        }
        other => named(Language::English, other),
    }
}

fn watching(state: &PlayState) -> Markup {
    html! {
        div class="acts row" {
            button type="button" class="primary" data-say="step" disabled[!state.waits] { "Step " kbd { "→" } }
            button type="button" id="run" aria-pressed="false" { "Play " kbd { "space" } }
        }
    }
}

fn scores(state: &PlayState) -> Markup {
    let rules = &state.table.rules;
    let shown = state.points.len().saturating_sub(8);
    html! {
        h2 { "Round " (state.table.round + 1) span class="muted" { "to " (rules.target) ", " (aim(Language::English, rules.better)) } }
        div class="scroll" tabindex="0" role="region" aria-label="Scores" {
            table {
                thead { tr {
                    th scope="col" { span class="visually-hidden" { "who" } }
                    @for round in shown..state.points.len() { th scope="col" { (round + 1) } }
                    th scope="col" { "Total" }
                } }
                tbody { @for (seat, score) in state.table.scores.iter() { tr class={ "seat-" (seat) } {
                    th scope="row" { (tile::mark(seat)) " " bdi { (state.name(seat)) } }
                    @for points in &state.points[shown..] { td { (points[seat]) } }
                    td { b { (score) } }
                } } }
            }
        }
    }
}

fn coach(state: &PlayState) -> Markup {
    if state.own.is_none() {
        return html! {}; // no one is asked
    }
    html! {
        h2 { "Coach" (switch("coach", state.has_coach, "K")) }
        @if let Some(advice) = &state.advice {
            table {
                thead { tr { th scope="col" { "action" } th scope="col" { "wins" } th scope="col" { "points" } } }
                tbody { @for choice in advice.choices.iter().take(8) { tr {
                    th scope="row" { (named(Language::English, choice.action)) }
                    td { (format!("{:.0} %", choice.chance * 100.0)) }
                    td { (format!("{:+.1}", choice.margin)) }
                } } }
            }
            @if advice.choices.len() > 8 { p class="muted small" { "and " (advice.choices.len() - 8) " more" } }
            p { (advice.why) }
            p class="muted small" {
                "How often you win the match, and how many points ahead this round puts you, over "
                (advice.deals_in_words()) ". It never looks at hidden tiles."
            }
        } @else if state.has_coach {
            p class="muted small" { "It gives advice when it is your turn." }
        }
        h2 { "Hints" (switch("hints", state.has_hints(), "H")) }
    }
}

/// Shows a button that displays whether something is on, and toggles it.
fn switch(what: &str, on: bool, key: &str) -> Markup {
    html! {
        button type="button" class="small" data-say=(what) data-on[!on] aria-pressed=(on) {
            @if on { "on" } @else { "off" } " " kbd { (key) }
        }
    }
}

fn log(state: &PlayState) -> Markup {
    html! {
        h2 { "So far"
            @if state.own.is_some() && state.result.is_none() {
                button type="button" class="small" data-say="undo" data-ask[state.rated] { "↶ Undo " kbd { "U" } }
            }
        }
        ol class="scroll" tabindex="0" aria-label="What happened, the latest first" {
            @for (seat, text) in state.log.iter().rev() {
                li { @if let Some(seat) = seat { (tile::mark(*seat)) } @else { span class="mark" {} } span { (text) } }
            }
        }
        @if state.own.is_some() && state.result.is_none() {
            div class="acts row" { button type="button" data-say="resign" data-ask { "Resign" } }
        }
    }
}

fn result(state: &PlayState, can_go_on: bool) -> Markup {
    html! {
        @if let Some(ended) = &state.result {
            h2 { "The match is over" }
            p { (ended.said) }
            @if ended.is_kept { p class="muted small" { "It is stored; the terminal shows where." } }
            div class="acts row" {
                @if ended.has_replay { a class="button" href="replay.html" target="_blank" rel="noopener" { "Replay" } }
                @if can_go_on { button type="button" class="primary" data-say="again" { "Another match" } }
                button type="button" data-say="close" { "Leave the table" }
            }
        }
    }
}
