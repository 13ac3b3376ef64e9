//! One moment of a match in words: the layout, the hands, and the legal actions.

use std::fmt::Write;

use leyden_language::{Language, text::narrate as text};
use leyden_model::{ActionNote, Layout, MatchRecord, Position, PositionError, Strike, TurnRef, position};
use leyden_protocol::{Action, Seat, TileSet, View};
use leyden_rules::{Match, Rules};

use super::error::{ReplayError, rules_of};
use super::layout::TextLayout;
use super::words::{self, end_list, printable, round_title, set_name, time};

/// How many entries of a history fit on a line.
const ENTRIES: usize = 8;

/// Describes the moment at which the action of a turn was due, as seen by the seat to act or by the given seat. Without a
/// seat, all hands and the boneyard are shown.
pub fn moment(
    record: &MatchRecord,
    turn_ref: TurnRef,
    seat: Option<Seat>,
    width: usize,
    language: Language,
) -> Result<String, ReplayError> {
    let broken = |source: PositionError| ReplayError::NoPosition { id: record.id.clone(), source };
    rules_of(record)?;
    let position = position(record, turn_ref).map_err(broken)?;
    let seats = record.bots.seats();
    if let Some(seat) = seat.filter(|&seat| !seats.has(seat)) {
        return Err(ReplayError::NoSeat { id: record.id.clone(), seat, seats });
    }
    let mut text = String::new();
    let mut legal = Vec::new();
    let viewer = seat.unwrap_or(position.seat);
    let Some(view) = position.game.view(viewer, &mut legal) else { return Ok(text) };
    let _ = head(&mut text, record, &position, seat, language); // writing to a String cannot fail
    let _ = table(&mut text, &view, position.game.rules(), width, language);
    let _ = hands(&mut text, record, &position.game, seat, language);
    let _ = history(&mut text, &view, language);
    let _ = choices(&mut text, record, &position, seat, language);
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
    language: Language,
) -> std::fmt::Result {
    let Position { turn_ref, game, .. } = position;
    let number = game.deal_number();
    let title = text::MomentTitle {
        id: printable(&record.id),
        turn_ref: turn_ref.to_string(),
        rules: record.rules.name,
        set: set_name(language, record.rules.set),
    };
    writeln!(text, "{}", language.say(title))?;
    writeln!(text, "{}", round_title(language, (number.round, number.redeal), game.scores()))?;
    if let Some(seat) = seat {
        writeln!(text, "{}", language.say(text::SeenFrom { seat }))?;
    }
    let name = name(record, position.seat);
    // Whether another seat has a choice depends on its hand.
    let is_known = seat.is_none_or(|seat| seat == position.seat);
    let to_act = match position.turn {
        _ if !is_known => language.say(text::ToAct { name }),
        Some(turn) => language.say(text::ToActTurn { name, turn }),
        None => language.say(text::ToActUnasked { name }),
    };
    writeln!(text, "{to_act}")
}

fn table(
    text: &mut String,
    view: &View<'_>,
    rules: &Rules,
    width: usize,
    language: Language,
) -> std::fmt::Result {
    let Some(layout) = Layout::from_history(rules, &view.history) else {
        return writeln!(text, "\n  {}\n", language.say(text::NothingLaid));
    };
    writeln!(text)?;
    for line in TextLayout::from_layout(rules.layout, &layout).draw(width.saturating_sub(2)) {
        writeln!(text, "  {line}")?;
    }
    writeln!(text, "\n  {}  {}\n", language.say(text::EndsLabel), end_list(language, view.arms))
}

fn hands(
    text: &mut String,
    record: &MatchRecord,
    game: &Match,
    viewer: Option<Seat>,
    language: Language,
) -> std::fmt::Result {
    let Some(round) = game.round() else { return Ok(()) };
    let counts = round.counts();
    let width = counts.iter().map(|(seat, _)| name(record, seat).chars().count()).max().unwrap_or(0);
    for (seat, count) in counts.iter() {
        let is_shown = viewer.is_none_or(|viewer| viewer == seat);
        let hand = if is_shown { round.hand(seat).to_string() } else { language.say(text::Tiles { count }) };
        writeln!(text, "  {:width$}  {hand}", name(record, seat))?;
    }
    let boneyard = round.boneyard().len();
    let counted = language.say(text::Boneyard { boneyard, drawable: round.drawable() });
    if viewer.is_some() || boneyard == 0 {
        return writeln!(text, "  {counted}");
    }
    let tiles = round.boneyard().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    writeln!(text, "  {}", language.say(text::BoneyardTiles { boneyard: counted, tiles }))
}

fn history(text: &mut String, view: &View<'_>, language: Language) -> std::fmt::Result {
    let label = language.say(text::HistoryLabel);
    for (line, entries) in view.history.chunks(ENTRIES).enumerate() {
        let entries: Vec<_> = entries.iter().map(ToString::to_string).collect();
        let (label, width) = (if line == 0 { &*label } else { "" }, label.chars().count());
        writeln!(text, "  {label:width$}  {}", entries.join(" · "))?;
    }
    Ok(())
}

/// The legal actions, with the one that was played. Those of another seat are hidden from a seat.
fn choices(
    text: &mut String,
    record: &MatchRecord,
    position: &Position,
    viewer: Option<Seat>,
    language: Language,
) -> std::fmt::Result {
    let Position { turn_ref, game, seat, done, .. } = position;
    let here = |round: u32, action: u32| (round, action) == (turn_ref.round, turn_ref.action);
    writeln!(text)?;
    if viewer.is_none_or(|viewer| viewer == *seat)
        && let Some(round) = game.round()
    {
        writeln!(text, "{}", language.say(text::LegalLabel))?;
        let done = done.map(|entry| Action::from(entry.event));
        for action in round.legal().iter() {
            let mark = if done == Some(action) { "→" } else { " " };
            writeln!(text, "  {mark} {action}{}", remark(action, round.hand(*seat), language))?;
        }
        if done.is_none() {
            writeln!(text, "  {}", language.say(text::NoAnswer))?;
        }
        let is_strike = |strike: &&Strike| here(strike.round, strike.action);
        if let Some(strike) = record.strikes.iter().find(is_strike) {
            writeln!(text, "{}", language.say(text::Strike { code: strike.code.to_string() }))?;
        } else if let Some(us) = thought(record, position) {
            writeln!(text, "{}", language.say(text::Answered { time: time(language, us) }))?;
        }
    }
    let is_note = |note: &&ActionNote| here(note.round, note.action);
    match record.notes.iter().find(is_note) {
        Some(note) if viewer.is_none_or(|viewer| viewer == *seat) => {
            writeln!(text, "{}", words::note(&note.note))
        }
        _ => Ok(()),
    }
}

fn remark(action: Action, hand: TileSet, language: Language) -> String {
    let remark = match action {
        Action::Play(_, leyden_protocol::Lay::Across(_)) => language.say(text::EitherHalf),
        action if action.tile().is_some() && hand.len() == 1 => language.say(text::LastTile),
        _ => return String::new(),
    };
    format!("  {remark}")
}

/// The time the answer took, if the record keeps it.
fn thought(record: &MatchRecord, position: &Position) -> Option<u64> {
    let turn = usize::try_from(position.turn?).ok()?;
    record.think_us[position.seat].get(turn - 1).copied()
}
