//! Writes the lines that grow with a round, `turn` and `round_end`, byte for byte as serde does.

use std::borrow::Cow;

use crate::action::{Action, HistoryEntry};
use crate::line::{push_json, push_line};
use crate::message::{Clock, RoundEnd, ToBot, Turn};
use crate::seat::Seat;
use crate::text::Text;
use crate::tile::Tile;
use crate::view::{Arms, End, Phase};

/// Appends a `turn` and a line feed: the same bytes as [`crate::push_line`] of [`crate::ToBot::Turn`], but faster.
pub fn push_turn(line: &mut Vec<u8>, turn: &Turn<'_>) {
    push(line, turn, |line| push_texts(line, turn.history.iter().copied().map(HistoryEntry::text)));
}

/// Appends a `turn` and a line feed, with the history as written so far.
///
/// `turn.history` is ignored and may be empty.
pub fn push_turn_with(line: &mut Vec<u8>, turn: &Turn<'_>, history: &HistoryText) {
    debug_assert_eq!(turn.seat, history.seat, "another seat's history");
    push(line, turn, |line| line.extend_from_slice(&history.text));
}

/// Appends a `round_end` and a line feed, with the history as written so far.
///
/// `end.history` is ignored and may be empty.
pub fn push_round_end_with(line: &mut Vec<u8>, end: &RoundEnd<'_>, history: &HistoryText) {
    const BEHIND: &[u8] = b"]}\n";
    push_line(line, &ToBot::RoundEnd(RoundEnd { history: Cow::Borrowed(&[]), ..end.clone() }));
    debug_assert!(line.ends_with(b"\"history\":[]}\n"), "the history is the last field");
    line.truncate(line.len() - BEHIND.len());
    line.extend_from_slice(&history.text);
    line.extend_from_slice(BEHIND);
}

fn push(line: &mut Vec<u8>, turn: &Turn<'_>, push_history: impl FnOnce(&mut Vec<u8>)) {
    // No `..`: a new field must be written here.
    let Turn {
        id,
        match_id,
        rules,
        target,
        round,
        redeal,
        phase,
        seat,
        hand,
        arms,
        boneyard,
        drawable,
        counts,
        scores,
        history: _,
        legal,
        clock: Clock { turn_ms, bank_ms, last_us },
    } = turn;
    line.reserve(640 + 16 * (turn.history.len() + legal.len()));
    push_number(line, br#"{"type":"turn","id":"#, *id);
    line.extend_from_slice(br#","match":"#);
    push_any_text(line, match_id);
    line.extend_from_slice(br#","rules":""#);
    line.extend_from_slice(rules.as_str().as_bytes());
    push_number(line, br#"","target":"#, (*target).into());
    push_number(line, br#","round":"#, (*round).into());
    push_number(line, br#","redeal":"#, (*redeal).into());
    line.extend_from_slice(match phase {
        Phase::Lead => br#","phase":"lead","seat":"#,
        Phase::Play => br#","phase":"play","seat":"#,
    });
    push_number(line, b"", seat.index() as u64);
    line.extend_from_slice(br#","hand":["#);
    push_texts(line, hand.iter().map(Tile::text));
    line.extend_from_slice(br#"],"arms":{"#);
    push_arms(line, *arms);
    push_number(line, br#"},"boneyard":"#, (*boneyard).into());
    push_number(line, br#","drawable":"#, (*drawable).into());
    line.extend_from_slice(br#","counts":["#);
    push_numbers(line, counts.as_slice().iter().map(|count| (*count).into()));
    line.extend_from_slice(br#"],"scores":["#);
    push_numbers(line, scores.as_slice().iter().map(|score| (*score).into()));
    line.extend_from_slice(br#"],"history":["#);
    push_history(line);
    line.extend_from_slice(br#"],"legal":["#);
    push_texts(line, legal.iter().copied().map(Action::text));
    push_number(line, br#"],"clock":{"turn_ms":"#, *turn_ms);
    push_number(line, br#","bank_ms":"#, *bank_ms);
    match last_us {
        Some(last) => push_number(line, br#","last_us":"#, *last),
        None => line.extend_from_slice(br#","last_us":null"#),
    }
    line.extend_from_slice(b"}}\n");
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

    /// Removes all entries: another round begins, as this seat receives it.
    pub fn begin(&mut self, seat: Seat) {
        self.seat = seat;
        self.text.clear();
    }
}

fn push_arms(line: &mut Vec<u8>, arms: Arms) {
    let mut before: &[u8] = b"\"";
    for (arm, end) in arms.iter() {
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

const QUOTE: Text = Text::from_ascii("\"");
const COMMA_QUOTE: Text = Text::from_ascii(",\"");
const BETWEEN: Text = Text::from_ascii("\",\"");

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
        if i > 0 {
            line.push(b',');
        }
        push_number(line, b"", number);
    }
}

/// Appends `before` and a number in decimal digits. Copying a length that is known here is much cheaper than any length.
#[expect(clippy::inline_always, reason = "the length is known only where it is called")]
#[inline(always)]
fn push_number<const N: usize>(line: &mut Vec<u8>, before: &[u8; N], number: u64) {
    line.extend_from_slice(before);
    if number < 100 {
        Text::number(number as u8).push_to(line);
    } else {
        push_digits(line, number);
    }
}

#[cold]
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
    // All bytes are compared at once: stopping at the first that needs an escape would take longer.
    let escaped = text.bytes().filter(|byte| matches!(byte, 0..b' ' | b'"' | b'\\')).count();
    if escaped == 0 {
        line.push(b'"');
        line.extend_from_slice(text.as_bytes());
        line.push(b'"');
    } else {
        push_json(line, &text);
    }
}
