//! Parses one line from a bot: the only place where untrusted bytes become protocol types.
//!
//! One pass over the line, no recursion, no allocation unless a string has escapes. Grammar and fields are checked
//! here; the referee checks whether the `id` is right and the action legal.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::arithmetic_side_effects)]

use std::borrow::Cow;

pub use hint::AnswerHint;
pub use malformed_line::{MalformedLineError, cause_of_printed_value};
use malformed_line::{SyntaxError, explain};
pub use reader::BotId;
use reader::{Field, Reader};

use crate::note::WrittenNote;

mod hint;
mod malformed_line;
mod reader;

/// What a bot said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotLine<'a> {
    /// The answer to `hello`.
    Ready {
        /// As received: the handshake checks whether it is a version, and one that the arena speaks.
        protocol: Cow<'a, str>,
        name: Cow<'a, str>,
        version: Option<Cow<'a, str>>,
    },
    /// The answer to `turn`.
    Action {
        id: BotId<'a>,
        /// As received: text that is not an action makes an illegal action, not a malformed line.
        action: Cow<'a, str>,
        note: Option<WrittenNote<'a>>,
    },
}

/// Parses a line, with or without its line ending.
///
/// ```
/// use leyden_protocol::{Action, BotLine, read_answer};
///
/// let line = br#"{"type":"action","id":17,"action":"N:4-1"}"#;
/// let Ok(BotLine::Action { id, action, .. }) = read_answer(line) else { panic!("it is an action") };
/// assert!(id.is(17));
/// assert!(action.parse::<Action>().is_ok());
///
/// // An error says what was expected, what came, and the likeliest cause.
/// let error = read_answer(b"draw").unwrap_err();
/// assert!(error.to_string().starts_with("expected a JSON object"));
/// ```
pub fn read_answer(line: &[u8]) -> Result<BotLine<'_>, MalformedLineError> {
    if let Some(answer) = read_plain(line) {
        return Ok(answer);
    }
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => return Err(explain(line, &SyntaxError::at(error.valid_up_to(), "UTF-8"))),
    };
    read(text).map_err(|broken| explain(line, &broken))
}

/// Reads an action in the form that the protocol shows, `{"type":"action","id":17,"action":"N:4-1"}`: most answers have it.
/// `None` for every other line, right or wrong.
fn read_plain(line: &[u8]) -> Option<BotLine<'_>> {
    let rest = line.strip_prefix(br#"{"type":"action","id":"#)?;
    let (id, rest) = rest.split_at_checked(rest.iter().position(|byte| !byte.is_ascii_digit())?)?;
    let action = rest.strip_prefix(br#","action":""#)?.strip_suffix(br#""}"#)?;
    let is_notation = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'|');
    if !matches!(id, [b'1'..=b'9', ..]) || !action.iter().all(is_notation) {
        return None;
    }
    let (id, action) = (std::str::from_utf8(id).ok()?, std::str::from_utf8(action).ok()?);
    Some(BotLine::Action { id: BotId::plain(id), action: Cow::Borrowed(action), note: None })
}

fn read(text: &str) -> Result<BotLine<'_>, SyntaxError> {
    let mut fields = Reader::new(text).message()?;
    let (at, kind) = fields.text(Field::Type)?;
    match kind.as_ref() {
        "action" => Ok(BotLine::Action {
            id: fields.number(Field::Id)?,
            action: fields.text(Field::Action)?.1,
            note: fields.note(),
        }),
        "ready" => Ok(BotLine::Ready {
            protocol: fields.text(Field::Protocol)?.1,
            name: fields.text(Field::Name)?.1,
            version: fields.optional_text(Field::Version),
        }),
        "hello" | "match_start" | "turn" | "round_end" | "match_end" | "error" => {
            Err(SyntaxError::because(at, KNOWN_TYPES, AnswerHint::Echo))
        }
        _ => Err(SyntaxError::because(at, KNOWN_TYPES, Field::Type.hint())),
    }
}

const KNOWN_TYPES: &str = "the type \"ready\" or \"action\"";
