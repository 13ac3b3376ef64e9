//! One moment of a match in words: the layout, the hands, and the legal actions.

use std::fmt::Write;

use leyden_model::words::{counted, took};
use leyden_model::{Layout, MatchRecord, Note, Position, PositionError, Strike, TurnRef, position};
use leyden_protocol::{Action, Seat, TileSet, View};
use leyden_rules::{Match, Rules};

use super::error::{ReplayError, rules_of};
use super::layout::TextLayout;
use super::words::{end_number, printable, score_line};

/// How many entries of a history fit on a line.
const ENTRIES: usize = 8;

/// Describes the moment at which the action at a place was due, as seen by the seat to act or by the given seat. Without a
/// seat, all hands and the boneyard are shown.
pub fn moment(
    record: &MatchRecord,
    place: TurnRef,
    seat: Option<Seat>,
    width: usize,
) -> Result<String, ReplayError> {
    let broken = |source: PositionError| ReplayError::NoPosition { id: record.id.clone(), source };
    rules_of(record)?;
    let position = position(record, place).map_err(broken)?;
    let seats = record.bots.seats();
    if let Some(seat) = seat.filter(|&seat| !seats.has(seat)) {
        return Err(ReplayError::NoSeat { id: record.id.clone(), seat, seats });
    }
    let mut text = String::new();
    let mut legal = Vec::new();
    let viewer = seat.unwrap_or(position.seat);
    let Some(view) = position.game.view(viewer, &mut legal) else { return Ok(text) };
    let _ = head(&mut text, record, &position, seat); // writing to a String cannot fail
    let _ = table(&mut text, &view, position.game.rules(), width);
    let _ = hands(&mut text, record, &position.game, seat);
    let _ = history(&mut text, &view);
    let _ = choices(&mut text, record, &position, seat);
    Ok(text)
}

fn name(record: &MatchRecord, seat: Seat) -> String {
    format!("{seat} {}", printable(&record.bots[seat]))
}

fn head(
    text: &mut String,
    record: &MatchRecord,
    position: &Position,
    seat: Option<Seat>,
) -> std::fmt::Result {
    let Position { place, game, .. } = position;
    let number = game.deal_number();
    let again = if number.redeal > 0 { format!(", dealt again ({})", number.redeal) } else { String::new() };
    let id = printable(&record.id);
    writeln!(text, "match {id} · {place} · {} with {}", record.rules.name, record.rules.set)?;
    writeln!(text, "round {}{again} · scores {}", number.round + 1, score_line(game.scores()))?;
    if let Some(seat) = seat {
        writeln!(text, "as seen from seat {seat}")?;
    }
    write!(text, "to act: {}", name(record, position.seat))?;
    // Whether another seat has a choice depends on its hand.
    if seat.is_none_or(|seat| seat == position.seat) {
        match position.turn {
            Some(turn) => write!(text, " (turn {turn} of that seat)")?,
            None => write!(text, " (there was no choice, so nobody was asked)")?,
        }
    }
    writeln!(text)
}

fn table(text: &mut String, view: &View<'_>, rules: &Rules, width: usize) -> std::fmt::Result {
    let Some(layout) = Layout::from_history(rules, &view.history) else {
        return writeln!(text, "\n  nothing has been led yet\n");
    };
    writeln!(text)?;
    for line in TextLayout::from_layout(rules.layout, &layout).draw(width.saturating_sub(2)) {
        writeln!(text, "  {line}")?;
    }
    let ends: Vec<_> =
        view.arms.iter().map(|(arm, end)| format!("{} {}", arm.letter(), end_number(end))).collect();
    writeln!(text, "\n  ends  {}\n", ends.join(" · "))
}

fn hands(text: &mut String, record: &MatchRecord, game: &Match, viewer: Option<Seat>) -> std::fmt::Result {
    let Some(round) = game.round() else { return Ok(()) };
    let counts = round.counts();
    let width = counts.iter().map(|(seat, _)| name(record, seat).chars().count()).max().unwrap_or(0);
    for (seat, count) in counts.iter() {
        let is_shown = viewer.is_none_or(|viewer| viewer == seat);
        let hand = if is_shown { round.hand(seat).to_string() } else { counted(*count, "tile", "tiles") };
        writeln!(text, "  {:width$}  {hand}", name(record, seat))?;
    }
    let boneyard = round.boneyard().len();
    write!(text, "  boneyard {boneyard}, of which {} may be drawn", round.drawable())?;
    if viewer.is_none() && boneyard > 0 {
        let tiles: Vec<_> = round.boneyard().iter().map(ToString::to_string).collect();
        write!(text, ": {}", tiles.join(" "))?;
    }
    writeln!(text)
}

fn history(text: &mut String, view: &View<'_>) -> std::fmt::Result {
    for (line, entries) in view.history.chunks(ENTRIES).enumerate() {
        let entries: Vec<_> = entries.iter().map(ToString::to_string).collect();
        writeln!(text, "  {}{}", if line == 0 { "history  " } else { "         " }, entries.join(" · "))?;
    }
    Ok(())
}

/// The legal actions, with the one that was played. Those of another seat are hidden from a seat.
fn choices(
    text: &mut String,
    record: &MatchRecord,
    position: &Position,
    viewer: Option<Seat>,
) -> std::fmt::Result {
    let Position { place, game, seat, done, .. } = position;
    let here = |round: u32, action: u32| (round, action) == (place.round, place.action);
    writeln!(text)?;
    if viewer.is_none_or(|viewer| viewer == *seat)
        && let Some(round) = game.round()
    {
        writeln!(text, "legal")?;
        let done = done.map(|entry| Action::from(entry.event));
        for action in round.legal().iter() {
            let mark = if done == Some(action) { "→" } else { " " };
            writeln!(text, "  {mark} {action}{}", remark(action, round.hand(*seat)))?;
        }
        if done.is_none() {
            writeln!(text, "  the match ended here, with no answer")?;
        }
        let is_strike = |strike: &&Strike| here(strike.round, strike.action);
        if let Some(strike) = record.strikes.iter().find(is_strike) {
            writeln!(text, "a strike ({}): the first legal action was played instead", strike.code)?;
        } else if let Some(us) = thought(record, position) {
            writeln!(text, "answered after {}", took(us))?;
        }
    }
    let is_note = |note: &&Note| here(note.round, note.action);
    match record.notes.iter().find(is_note) {
        Some(note) if viewer.is_none_or(|viewer| viewer == *seat) => {
            writeln!(text, "“{}”", printable(&note.text))
        }
        _ => Ok(()),
    }
}

fn remark(action: Action, hand: TileSet) -> String {
    match action {
        Action::Play(_, leyden_protocol::Lay::Across(_)) => "  across: either half may be met".to_owned(),
        action if action.tile().is_some() && hand.len() == 1 => "  the last tile: goes out".to_owned(),
        _ => String::new(),
    }
}

/// The time the answer took, if the record keeps it.
fn thought(record: &MatchRecord, position: &Position) -> Option<u64> {
    let turn = usize::try_from(position.turn?).ok()?;
    record.think_us[position.seat].get(turn - 1).copied()
}
