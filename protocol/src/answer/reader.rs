//! The parser of a line: one pass, no recursion.

use std::borrow::Cow;
use std::fmt;

use super::hint::AnswerHint;
use super::malformed_line::{OBJECT, SyntaxError};
use crate::line::printable;
use crate::note::WrittenNote;

/// The `id` of a bot's answer: any JSON number, whether or not a decision has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotId<'a> {
    text: &'a str,
}

impl<'a> BotId<'a> {
    /// A number in plain digits.
    pub(super) const fn plain(text: &'a str) -> Self {
        Self { text }
    }
}

impl BotId<'_> {
    /// Returns the value as a whole number, read as any JSON library reads it: `17`, `17.0` and `1.7e1` are equal.
    /// `None` if it is negative, has a fraction or is too large.
    pub fn whole(self) -> Option<u64> {
        if self.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.text.parse().ok();
        }
        let number: f64 = self.text.parse().ok()?;
        let counts = (0.0..9_007_199_254_740_992.0).contains(&number) && number.fract() == 0.0;
        counts.then_some(number as u64)
    }

    /// Whether this is the given `id`.
    pub fn is(self, id: u64) -> bool {
        self.whole() == Some(id)
    }
}

impl fmt::Display for BotId<'_> {
    /// Writes the number as the bot wrote it, cut after 40 characters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&printable(self.text.as_bytes(), 40))
    }
}

/// The fields that the protocol knows. All others are skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
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

    /// What the field must be.
    const fn expected(self) -> &'static str {
        match self {
            Self::Type => "a field \"type\" that is \"ready\" or \"action\"",
            Self::Id => "a field \"id\" that is the number of the turn",
            Self::Action => "a field \"action\" that is a string such as \"N:4-1\"",
            Self::Note => "a field \"note\" that is a string or an object",
            Self::Protocol => "a field \"protocol\" that is a string such as \"1.2\"",
            Self::Name => "a field \"name\" that is a string",
            Self::Version => "a field \"version\" that is a string",
        }
    }

    /// The likeliest cause if it is anything else.
    pub(super) const fn hint(self) -> AnswerHint {
        match self {
            Self::Type => AnswerHint::Answer,
            Self::Id => AnswerHint::Id,
            Self::Action => AnswerHint::Action,
            Self::Protocol | Self::Name => AnswerHint::Ready,
            Self::Note | Self::Version => AnswerHint::BareString,
        }
    }
}

enum Value<'a> {
    Text(Cow<'a, str>),
    Number(&'a str),
    Object(&'a str),
    /// A boolean, null or an array: no known field takes one.
    Other,
}

/// The known fields of an object, and where it ends.
pub(super) struct Fields<'a> {
    found: [Option<(usize, Value<'a>)>; Field::COUNT],
    /// The first field name that is unknown.
    unknown: Option<Cow<'a, str>>,
    end: usize,
}

impl<'a> Fields<'a> {
    fn take(&mut self, field: Field) -> Option<(usize, Value<'a>)> {
        self.found.get_mut(field as usize)?.take()
    }

    pub(super) fn text(&mut self, field: Field) -> Result<(usize, Cow<'a, str>), SyntaxError> {
        match self.take(field) {
            Some((at, Value::Text(text))) => Ok((at, text)),
            other => Err(self.wrong(field, other.as_ref())),
        }
    }

    pub(super) fn number(&mut self, field: Field) -> Result<BotId<'a>, SyntaxError> {
        match self.take(field) {
            Some((_, Value::Number(text))) => Ok(BotId { text }),
            other => Err(self.wrong(field, other.as_ref())),
        }
    }

    /// Takes an optional string. A value of another type counts as missing.
    pub(super) fn optional_text(&mut self, field: Field) -> Option<Cow<'a, str>> {
        match self.take(field)? {
            (_, Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Takes the note. A value of another type counts as missing.
    pub(super) fn note(&mut self) -> Option<WrittenNote<'a>> {
        match self.take(Field::Note)? {
            (_, Value::Text(text)) => Some(WrittenNote::Text(text)),
            (_, Value::Object(json)) => Some(WrittenNote::Object(json)),
            _ => None,
        }
    }

    #[cold]
    fn wrong(&self, field: Field, found: Option<&(usize, Value<'a>)>) -> SyntaxError {
        let Some(&(at, _)) = found else {
            let other = self.unknown.as_ref().map(|name| printable(name.as_bytes(), 30));
            let got = other.map_or_else(|| "none".to_owned(), |name| format!("none but `\"{name}\"`"));
            let missing = SyntaxError::because(self.end, field.expected(), field.hint());
            return SyntaxError { got: Some(got), ..missing };
        };
        SyntaxError::because(at, field.expected(), field.hint())
    }
}

/// A parser of one line of JSON.
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// Consumes `byte` if it is next.
    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.step();
        }
        there
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.step();
        }
    }

    /// Returns what was consumed since `start`. Both ends are next to ASCII characters, so they are character
    /// boundaries.
    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Parses the one object of the line.
    pub(super) fn message(&mut self) -> Result<Fields<'a>, SyntaxError> {
        let mut fields = Fields { found: [const { None }; Field::COUNT], unknown: None, end: 0 };
        self.blanks();
        if !self.take(b'{') {
            return Err(SyntaxError::at(self.at, OBJECT));
        }
        self.blanks();
        fields.end = self.at;
        if !self.take(b'}') {
            loop {
                self.field(&mut fields)?;
                self.blanks();
                fields.end = self.at;
                if self.take(b'}') {
                    break;
                }
                if !self.take(b',') {
                    return Err(SyntaxError::at(self.at, "a comma or the closing brace"));
                }
                self.blanks();
            }
        }
        self.blanks();
        if self.peek().is_some() {
            return Err(SyntaxError::at(self.at, "nothing more on the line"));
        }
        Ok(fields)
    }

    fn field(&mut self, fields: &mut Fields<'a>) -> Result<(), SyntaxError> {
        let key_at = self.at;
        let key = self.key()?;
        let Some(field) = Field::named(&key) else {
            fields.unknown.get_or_insert(key);
            return self.skip();
        };
        self.blanks();
        let at = self.at;
        let value = match self.peek() {
            Some(b'"') => Value::Text(self.quoted()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b'{') => {
                self.skip()?;
                Value::Object(self.since(at))
            }
            _ => {
                self.skip()?;
                Value::Other
            }
        };
        if fields.found.get_mut(field as usize).is_some_and(|slot| slot.replace((at, value)).is_some()) {
            return Err(SyntaxError::because(key_at, "every field once", AnswerHint::RepeatedField));
        }
        Ok(())
    }

    /// Parses a key and its colon.
    fn key(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        if self.peek() != Some(b'"') {
            return Err(SyntaxError::at(self.at, "a field name in double quotes"));
        }
        let key = self.quoted()?;
        self.blanks();
        if self.take(b':') { Ok(key) } else { Err(SyntaxError::at(self.at, "a colon")) }
    }

    /// Parses a string.
    fn quoted(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        self.step();
        let plain = self.plain()?;
        if self.take(b'"') {
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = String::from(plain);
        while !self.take(b'"') {
            self.step();
            text.push(self.escape()?);
            text.push_str(self.plain()?);
        }
        Ok(Cow::Owned(text))
    }

    /// Parses the part of a string up to its closing quote or the next escape.
    fn plain(&mut self) -> Result<&'a str, SyntaxError> {
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"' | b'\\') => return Ok(self.since(start)),
                Some(0..0x20) => return Err(SyntaxError::at(self.at, "the rest of a string")),
                Some(_) => self.step(),
                None => return Err(SyntaxError::at(self.at, "the closing quote of a string")),
            }
        }
    }

    /// Parses what follows a backslash.
    fn escape(&mut self) -> Result<char, SyntaxError> {
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.step();
                return self.unicode();
            }
            _ => return Err(SyntaxError::at(self.at, "one of \" \\ / b f n r t u after a backslash")),
        };
        self.step();
        Ok(c)
    }

    /// Parses what follows `\u`. Half a surrogate pair, as left by cutting a string inside one, becomes U+FFFD.
    fn unicode(&mut self) -> Result<char, SyntaxError> {
        let unit = self.four_digits()?;
        let after = self.at;
        if (0xd800..0xdc00).contains(&unit) && self.take(b'\\') && self.take(b'u') {
            let pair = [unit, self.four_digits()?];
            if let Some(Ok(c)) = char::decode_utf16(pair).next() {
                return Ok(c);
            }
        }
        self.at = after;
        Ok(char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Result<u16, SyntaxError> {
        let start = self.at;
        for _ in 0..4 {
            if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                return Err(SyntaxError::at(self.at, "four hexadecimal digits after \\u"));
            }
            self.step();
        }
        Ok(u16::from_str_radix(self.since(start), 16).unwrap_or_default())
    }

    fn number(&mut self) -> Result<&'a str, SyntaxError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(self.since(start))
    }

    /// Parses one or more digits.
    fn digits(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.step();
        }
        if start == self.at { Err(SyntaxError::at(self.at, "a digit")) } else { Ok(()) }
    }

    /// Skips one value of any type and depth.
    fn skip(&mut self) -> Result<(), SyntaxError> {
        let mut closing = Vec::new(); // the closing bracket of every open array and object
        loop {
            self.blanks();
            if self.take(b'[') {
                self.blanks();
                if !self.take(b']') {
                    closing.push(b']');
                    continue;
                }
            } else if self.take(b'{') {
                self.blanks();
                if !self.take(b'}') {
                    closing.push(b'}');
                    self.key()?;
                    continue;
                }
            } else {
                self.skip_scalar()?;
            }
            if !self.next_value(&mut closing)? {
                return Ok(());
            }
        }
    }

    /// Closes every array and object that ends here. Returns whether another value follows.
    fn next_value(&mut self, closing: &mut Vec<u8>) -> Result<bool, SyntaxError> {
        while let Some(&close) = closing.last() {
            self.blanks();
            if self.take(b',') {
                if close == b'}' {
                    self.blanks();
                    self.key()?;
                }
                return Ok(true);
            }
            if !self.take(close) {
                let expected = if close == b'}' {
                    "a comma or the closing brace"
                } else {
                    "a comma or the closing bracket"
                };
                return Err(SyntaxError::at(self.at, expected));
            }
            closing.pop();
        }
        Ok(false)
    }

    fn skip_scalar(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            Some(b'"') => self.quoted().map(drop),
            Some(b'-' | b'0'..=b'9') => self.number().map(drop),
            _ => {
                for word in ["true", "false", "null"] {
                    if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
                        self.at = self.at.saturating_add(word.len());
                        return Ok(());
                    }
                }
                Err(SyntaxError::at(self.at, "a value"))
            }
        }
    }
}
