//! Writes the lines that grow with a round, `turn` and `round_end`, byte for byte as serde does.

use crate::action::{Action, HistoryEntry};
use crate::line::push_json;
use crate::message::{Clock, RoundEnd, RoundEnding, Turn};
use crate::seat::{PerSeat, Seat};
use crate::text::Text;
use crate::tile::{Pip, Tile};
use crate::view::{Arms, End, Phase};

/// Appends a `turn` and a line feed: the same bytes as [`crate::push_line`] of [`crate::ToBot::Turn`], but faster.
pub fn push_turn(line: &mut Vec<u8>, turn: &Turn<'_>) {
    let mut deal = DealText::seen_by(turn.seat);
    push_texts(&mut deal.history, turn.history.iter().copied().map(HistoryEntry::text));
    push_turn_with(line, turn, &mut deal);
}

/// Appends a `round_end` and a line feed, with the history as written so far.
///
/// `end.history` is ignored and may be empty.
pub fn push_round_end_with(line: &mut Vec<u8>, end: &RoundEnd<'_>, deal: &DealText) {
    // No `..`: a new field must be written here.
    let RoundEnd { round, redeal, end, hands, pips, points, scores, history: _ } = end;
    line.reserve(512 + deal.history.len());
    push_number(line, br#"{"type":"round_end","round":"#, (*round).into());
    push_number(line, br#","redeal":"#, (*redeal).into());
    line.extend_from_slice(match end {
        RoundEnding::Dominoed => br#","end":"dominoed""#,
        RoundEnding::Blocked => br#","end":"blocked""#,
        RoundEnding::Refused => br#","end":"refused""#,
    });
    if let Some(hands) = hands {
        line.extend_from_slice(br#","hands":["#);
        for (seat, hand) in hands.iter() {
            line.extend_from_slice(if seat == Seat::FIRST { b"[" } else { b",[" });
            push_texts(line, hand.iter().map(Tile::text));
            line.push(b']');
        }
        line.push(b']');
    }
    for (name, numbers) in [(&br#","pips":["#[..], pips), (br#","points":["#, points)] {
        if let Some(numbers) = numbers {
            line.extend_from_slice(name);
            push_each(line, numbers);
            line.push(b']');
        }
    }
    line.extend_from_slice(br#","scores":["#);
    push_each(line, scores);
    line.extend_from_slice(br#"],"history":["#);
    line.extend_from_slice(&deal.history);
    line.extend_from_slice(b"]}\n");
}

/// Appends a `turn` and a line feed, with what `deal` has of it already, which is that of the same seat in the same deal.
///
/// `turn.history` is ignored and may be empty.
pub fn push_turn_with(line: &mut Vec<u8>, turn: &Turn<'_>, deal: &mut DealText) {
    debug_assert_eq!(turn.seat, deal.seat, "another seat's history");
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
    line.reserve(640 + deal.head.len() + deal.history.len() + 16 * legal.len());
    push_number(line, br#"{"type":"turn","id":"#, *id);
    if deal.head.is_empty() {
        let head = &mut deal.head;
        head.extend_from_slice(br#","match":"#);
        push_any_text(head, match_id);
        head.extend_from_slice(br#","rules":""#);
        head.extend_from_slice(rules.as_str().as_bytes());
        push_number(head, br#"","target":"#, (*target).into());
        push_number(head, br#","round":"#, (*round).into());
        push_number(head, br#","redeal":"#, (*redeal).into());
    }
    line.extend_from_slice(&deal.head);
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
    push_each(line, counts);
    line.extend_from_slice(br#"],"scores":["#);
    push_each(line, scores);
    line.extend_from_slice(br#"],"history":["#);
    line.extend_from_slice(&deal.history);
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

/// What the lines of a deal have in common as one seat receives them, so that nothing is written twice: what stays the same in
/// each `turn`, and the history, appended entry by entry. Draws of other seats lose their tile on the way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealText {
    seat: Seat,
    /// From the match to the redeal; empty before the first turn.
    head: Vec<u8>,
    history: Vec<u8>,
}

impl DealText {
    /// Creates an empty one for this seat.
    pub fn seen_by(seat: Seat) -> Self {
        Self { seat, head: Vec::new(), history: Vec::new() }
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: HistoryEntry) {
        if !self.history.is_empty() {
            self.history.push(b',');
        }
        entry.seen_by(self.seat).quoted().push_to(&mut self.history);
    }

    /// Removes everything: another deal begins, as this seat receives it.
    pub fn begin(&mut self, seat: Seat) {
        self.seat = seat;
        self.head.clear();
        self.history.clear();
    }
}

fn push_arms(line: &mut Vec<u8>, arms: Arms) {
    const HEADS: [Text; 4] = [
        Text::from_ascii("\"N\":["),
        Text::from_ascii("\"E\":["),
        Text::from_ascii("\"S\":["),
        Text::from_ascii("\"W\":["),
    ];
    const COMMA: Text = Text::from_ascii(",");
    const BEHIND: Text = Text::from_ascii("],");
    let number = |pip: Pip| Text::number(pip.get());
    let start = line.len();
    for (arm, end) in arms.iter() {
        let pips = match end {
            End::Pip(pip) => number(pip),
            End::Across(matador) => number(matador.low()).then(COMMA).then(number(matador.high())),
        };
        HEADS[arm.index()].then(pips).then(BEHIND).push_to(line);
    }
    line.truncate(line.len().saturating_sub(1).max(start)); // without the last comma
}

const QUOTE: Text = Text::from_ascii("\"");
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

fn push_each<T: Copy + Into<u64>>(line: &mut Vec<u8>, numbers: &PerSeat<T>) {
    for (seat, number) in numbers.iter() {
        if seat != Seat::FIRST {
            line.push(b',');
        }
        push_number(line, b"", (*number).into());
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
        line.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }
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
