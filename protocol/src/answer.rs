//! Reads one line of a bot: the only place where bytes of unknown origin become words of the protocol.
//!
//! One pass over the line, no recursion, nothing allocated unless a text has escapes. Grammar and fields are settled
//! here; whether the `id` is the right one and the action a legal one is the referee's business.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::arithmetic_side_effects)]

use std::borrow::Cow;
use std::fmt;

use crate::line::printable;

use explain::explain;
use reader::Reader;

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

/// The number that a bot gave as `id`: any number that JSON can write, also one that no decision has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotId<'a> {
    text: &'a str,
}

impl BotId<'_> {
    /// The whole number it is, read as any JSON library reads it: `17`, `17.0` and `1.7e1` are the same. None if it is
    /// negative, has a fraction or is beyond all numbers that a double counts with.
    pub fn whole(self) -> Option<u64> {
        if self.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.text.parse().ok();
        }
        let number: f64 = self.text.parse().ok()?;
        let counts = (0.0..9_007_199_254_740_992.0).contains(&number) && number.fract() == 0.0;
        counts.then_some(number as u64)
    }

    /// Whether this is the number of that decision.
    pub fn is(self, id: u64) -> bool {
        self.whole() == Some(id)
    }
}

impl fmt::Display for BotId<'_> {
    /// As the bot wrote it, cut after 40 characters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&printable(self.text.as_bytes(), 40))
    }
}

/// Why a line is no message: what was expected, what came instead and where, and the likeliest cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, got {got} at column {column}{}{}", if hint.is_some() { ": " } else { "" }, hint.unwrap_or_default())]
pub struct Malformed {
    expected: &'static str,
    got: String,
    column: usize,
    hint: Option<&'static str>,
}

impl Malformed {
    /// Where the line stops making sense, in characters from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The likeliest cause and what to do, if one could be guessed.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }
}

/// Reads a line, with or without its line end.
pub fn read_answer(line: &[u8]) -> Result<BotLine<'_>, Malformed> {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => return Err(explain(line, &Broken::at(error.valid_up_to(), "UTF-8"))),
    };
    read(text).map_err(|broken| explain(line, &broken))
}

fn read(text: &str) -> Result<BotLine<'_>, Broken> {
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
            Err(Broken::because(at, KNOWN_TYPES, "this is a line of the arena that the bot sends back"))
        }
        _ => Err(Broken::because(at, KNOWN_TYPES, Field::Type.hint())),
    }
}

const KNOWN_TYPES: &str = "the type \"ready\" or \"action\"";

/// Where a line stops making sense and what should have stood there.
struct Broken {
    at: usize,
    expected: &'static str,
    /// What came instead, if that is not what stands there.
    got: Option<String>,
    hint: Option<&'static str>,
}

impl Broken {
    #[cold]
    fn at(at: usize, expected: &'static str) -> Self {
        Self { at, expected, got: None, hint: None }
    }

    #[cold]
    fn because(at: usize, expected: &'static str, hint: &'static str) -> Self {
        Self { at, expected, got: None, hint: Some(hint) }
    }
}

/// The fields that the protocol knows. All others are skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Type,
    Id,
    Action,
    Note,
    Protocol,
    Name,
    Version,
}

impl Field {
    const COUNT: usize = 7;

    fn named(key: &str) -> Option<Self> {
        Some(match key {
            "type" => Self::Type,
            "id" => Self::Id,
            "action" => Self::Action,
            "note" => Self::Note,
            "protocol" => Self::Protocol,
            "name" => Self::Name,
            "version" => Self::Version,
            _ => return None,
        })
    }

    /// What the field has to be.
    const fn expected(self) -> &'static str {
        match self {
            Self::Type => "a field \"type\" that is \"ready\" or \"action\"",
            Self::Id => "a field \"id\" that is the number of the turn",
            Self::Action => "a field \"action\" that is a text such as \"N:4-1\"",
            Self::Note => "a field \"note\" that is a text",
            Self::Protocol => "a field \"protocol\" that is a text such as \"1.0\"",
            Self::Name => "a field \"name\" that is a text",
            Self::Version => "a field \"version\" that is a text",
        }
    }

    /// The likeliest cause when it is something else.
    const fn hint(self) -> &'static str {
        match self {
            Self::Type => {
                "an answer to a turn looks like {\"type\":\"action\",\"id\":17,\"action\":\"N:4-1\"}"
            }
            Self::Id => {
                "give back the id of the turn as the number it is, without quotes, such as {\"type\":\"action\",\"id\":17,\"action\":\"N:4-1\"}"
            }
            Self::Action => {
                "give back one text of the list \"legal\", such as {\"type\":\"action\",\"id\":17,\"action\":\"N:4-1\"}"
            }
            Self::Protocol | Self::Name => {
                "the answer to hello looks like {\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"my-bot\"}"
            }
            Self::Note | Self::Version => "texts stand in double quotes",
        }
    }
}
