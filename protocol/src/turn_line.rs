//! Writes `turn`, the most frequent line, byte for byte as serde does.

use crate::action::{Action, HistoryEntry};
use crate::line::push_json;
use crate::message::Turn;
use crate::seat::Seat;
use crate::text::Text;
use crate::tile::Tile;
use crate::view::{End, Phase};

/// Appends a `turn` and a line feed: the same bytes as [`crate::push_line`] of [`crate::ToBot::Turn`], but faster.
pub fn push_turn(line: &mut Vec<u8>, turn: &Turn<'_>) {
    push_head(line, turn);
    push_texts(line, turn.history.iter().copied().map(HistoryEntry::text));
    push_tail(line, turn);
}

/// Appends a `turn` and a line feed, with the history as written so far.
///
/// `turn.history` is ignored and may be empty.
pub fn push_turn_with(line: &mut Vec<u8>, turn: &Turn<'_>, history: &HistoryText) {
    debug_assert_eq!(turn.seat, history.seat, "another seat's history");
    push_head(line, turn);
    line.extend_from_slice(&history.text);
    push_tail(line, turn);
}

/// A round's history as one seat receives it, appended entry by entry so that no entry is written twice. Draws of other
/// seats lose their tile on the way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryText {
    seat: Seat,
    text: Vec<u8>,
}

impl HistoryText {
    /// Creates an empty history for this seat.
    pub fn seen_by(seat: Seat) -> Self {
        Self { seat, text: Vec::new() }
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: HistoryEntry) {
        let before = if self.text.is_empty() { QUOTE } else { COMMA_QUOTE };
        before.then(entry.seen_by(self.seat).text()).then(QUOTE).push_to(&mut self.text);
    }

    /// Removes all entries, for the next round.
    pub fn clear(&mut self) {
        self.text.clear();
    }
}

/// Appends everything up to the history's opening bracket.
fn push_head(line: &mut Vec<u8>, turn: &Turn<'_>) {
    line.reserve(640 + 16 * (turn.history.len() + turn.legal.len()));
    push_number(line, br#"{"type":"turn","id":"#, turn.id);
    line.extend_from_slice(br#","match":"#);
    push_any_text(line, &turn.match_id);
    line.extend_from_slice(br#","rules":""#);
    line.extend_from_slice(turn.rules.as_str().as_bytes());
    push_number(line, br#"","target":"#, turn.target.into());
    push_number(line, br#","round":"#, turn.round.into());
    push_number(line, br#","redeal":"#, turn.redeal.into());
    line.extend_from_slice(match turn.phase {
        Phase::Lead => br#","phase":"lead","seat":"#,
        Phase::Play => br#","phase":"play","seat":"#,
    });
    push_number(line, b"", turn.seat.index() as u64);
    line.extend_from_slice(br#","hand":["#);
    push_texts(line, turn.hand.iter().map(Tile::text));
    line.extend_from_slice(br#"],"arms":{"#);
    push_arms(line, turn);
    push_number(line, br#"},"boneyard":"#, turn.boneyard.into());
    push_number(line, br#","drawable":"#, turn.drawable.into());
    line.extend_from_slice(br#","counts":["#);
    push_numbers(line, turn.counts.as_slice().iter().map(|count| (*count).into()));
    line.extend_from_slice(br#"],"scores":["#);
    push_numbers(line, turn.scores.as_slice().iter().map(|score| (*score).into()));
    line.extend_from_slice(br#"],"history":["#);
}

/// Appends everything from the history's closing bracket on.
fn push_tail(line: &mut Vec<u8>, turn: &Turn<'_>) {
    line.extend_from_slice(br#"],"legal":["#);
    push_texts(line, turn.legal.iter().copied().map(Action::text));
    push_number(line, br#"],"clock":{"turn_ms":"#, turn.clock.turn_ms);
    push_number(line, br#","bank_ms":"#, turn.clock.bank_ms);
    match turn.clock.last_us {
        Some(last) => push_number(line, br#","last_us":"#, last),
        None => line.extend_from_slice(br#","last_us":null"#),
    }
    line.extend_from_slice(b"}}\n");
}

fn push_arms(line: &mut Vec<u8>, turn: &Turn<'_>) {
    let mut before: &[u8] = b"\"";
    for (arm, end) in turn.arms.iter() {
        line.extend_from_slice(before);
        line.extend_from_slice(arm.letter().as_bytes());
        match end {
            End::Pip(pip) => push_number(line, b"\":[", pip.get().into()),
            End::Across(matador) => {
                push_number(line, b"\":[", matador.low().get().into());
                push_number(line, b",", matador.high().get().into());
            }
        }
        line.push(b']');
        before = b",\"";
    }
}

const QUOTE: Text = Text::of("\"");
const COMMA_QUOTE: Text = Text::of(",\"");
const BETWEEN: Text = Text::of("\",\"");

/// Appends quoted texts with commas between them. Notation has no character that JSON escapes.
fn push_texts(line: &mut Vec<u8>, texts: impl Iterator<Item = Text>) {
    let start = line.len();
    QUOTE.push_to(line);
    for text in texts {
        text.then(BETWEEN).push_to(line);
    }
    let written = line.len() - start;
    line.truncate(if written > 1 { line.len() - 2 } else { start }); // without the last comma and quote
}

fn push_numbers(line: &mut Vec<u8>, numbers: impl Iterator<Item = u64>) {
    for (i, number) in numbers.enumerate() {
        push_number(line, if i > 0 { b"," } else { b"" }, number);
    }
}

/// Appends `before` and a number in decimal digits.
#[inline]
fn push_number(line: &mut Vec<u8>, before: &[u8], number: u64) {
    line.extend_from_slice(before);
    if number < 100 {
        Text::number(number as u8).push_to(line);
    } else {
        push_digits(line, number);
    }
}

fn push_digits(line: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    while number > 0 {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    line.extend_from_slice(&digits[start..]);
}

/// Appends any string as JSON.
fn push_any_text(line: &mut Vec<u8>, text: &str) {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    if plain {
        line.push(b'"');
        line.extend_from_slice(text.as_bytes());
        line.push(b'"');
    } else {
        push_json(line, &text);
    }
}
