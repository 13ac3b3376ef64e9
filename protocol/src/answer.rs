//! Reads one line of a bot: the only place where bytes of unknown origin become words of the protocol.
//!
//! One pass over the line, no recursion, nothing allocated unless a text has escapes. Grammar and fields are settled
//! here; whether the `id` is the right one and the action a legal one is the referee's business.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::arithmetic_side_effects)]

use std::borrow::Cow;

pub use explain::Malformed;
use explain::{BadSyntax, explain};
pub use reader::BotId;
use reader::{Field, Reader};

mod explain;
mod reader;

/// What a bot said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotLine<'a> {
    /// The answer to `hello`.
    Ready {
        /// As it came: whether it is a version, and one that the arena speaks, is for the handshake to say.
        protocol: Cow<'a, str>,
        name: Cow<'a, str>,
        version: Option<Cow<'a, str>>,
    },
    /// The answer to `turn`.
    Action {
        id: BotId<'a>,
        /// As it came: a text that is no action is an illegal action, not a malformed line.
        action: Cow<'a, str>,
        /// As long as it came; [`crate::cut_note`] cuts it.
        note: Option<Cow<'a, str>>,
    },
}

/// Reads a line, with or without its line end.
pub fn read_answer(line: &[u8]) -> Result<BotLine<'_>, Malformed> {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => return Err(explain(line, &BadSyntax::at(error.valid_up_to(), "UTF-8"))),
    };
    read(text).map_err(|broken| explain(line, &broken))
}

fn read(text: &str) -> Result<BotLine<'_>, BadSyntax> {
    let mut fields = Reader::new(text).message()?;
    let (at, kind) = fields.text(Field::Type)?;
    match kind.as_ref() {
        "action" => Ok(BotLine::Action {
            id: fields.number(Field::Id)?,
            action: fields.text(Field::Action)?.1,
            note: fields.optional_text(Field::Note),
        }),
        "ready" => Ok(BotLine::Ready {
            protocol: fields.text(Field::Protocol)?.1,
            name: fields.text(Field::Name)?.1,
            version: fields.optional_text(Field::Version),
        }),
        "hello" | "match_start" | "turn" | "round_end" | "match_end" | "error" => {
            Err(BadSyntax::because(at, KNOWN_TYPES, "this is a line of the arena that the bot sends back"))
        }
        _ => Err(BadSyntax::because(at, KNOWN_TYPES, Field::Type.hint())),
    }
}

const KNOWN_TYPES: &str = "the type \"ready\" or \"action\"";
