//! The text forms of the protocol's types: short, written without allocating, parsed only in their canonical spelling.

use std::fmt;

/// A piece of notation of at most 16 ASCII characters, stored inline.
///
/// The longest notation, `7 lead:12-12`, has 12; the rest is for what a list puts around it. The bytes after the text
/// are zero, so two pieces are joined by shifting one behind the other.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    bytes: [u8; 16],
    len: u8,
}

impl Text {
    pub(crate) const fn from_ascii(ascii: &str) -> Self {
        assert!(ascii.is_ascii());
        let mut text = Self { bytes: [0; 16], len: ascii.len() as u8 };
        let mut i = 0;
        while i < ascii.len() {
            text.bytes[i] = ascii.as_bytes()[i];
            i += 1;
        }
        text
    }

    /// A number below 100.
    #[inline]
    pub(crate) const fn number(number: u8) -> Self {
        NUMBERS[number as usize]
    }

    const fn digits(number: u8) -> Self {
        let (tens, ones) = (b'0' + number / 10, b'0' + number % 10);
        let mut bytes = [0; 16];
        if number < 10 {
            bytes[0] = ones;
            return Self { bytes, len: 1 };
        }
        bytes[0] = tens;
        bytes[1] = ones;
        Self { bytes, len: 2 }
    }

    /// Returns this text followed by the next.
    #[inline]
    pub(crate) const fn then(self, next: Self) -> Self {
        let shifted = u128::from_le_bytes(next.bytes) << (8 * self.len as u32);
        let joined = u128::from_le_bytes(self.bytes) | shifted;
        Self { bytes: joined.to_le_bytes(), len: self.len + next.len }
    }

    #[inline]
    pub(crate) fn push_to(self, line: &mut Vec<u8>) {
        // Copying a fixed length is much cheaper than copying the right one, even though the rest must be cut.
        let end = line.len() + usize::from(self.len);
        line.extend_from_slice(&self.bytes);
        line.truncate(end);
    }

    pub(crate) fn as_str(&self) -> &str {
        // Only ASCII is ever stored, so this cannot fail.
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

/// The numbers below 100. The length is a power of two, so that few indices need a check.
static NUMBERS: [Text; 128] = {
    let mut all = [Text { bytes: [0; 16], len: 0 }; 128];
    let mut number = 0;
    while number < 100 {
        all[number] = Text::digits(number as u8);
        number += 1;
    }
    all
};

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that is not in the expected notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, got {got:?}")]
pub struct NotationError {
    expected: &'static str,
    got: String,
}

impl NotationError {
    pub(crate) fn new(expected: &'static str, got: &str) -> Self {
        let mut cut = got.len().min(60);
        while !got.is_char_boundary(cut) {
            cut -= 1;
        }
        Self { expected, got: got[..cut].to_owned() }
    }
}

/// Parses a pip number in its canonical spelling: no sign, no leading zero.
pub(crate) fn number(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [d @ b'0'..=b'9'] => Some(d - b'0'),
        [t @ b'1'..=b'9', d @ b'0'..=b'9'] => Some((t - b'0') * 10 + (d - b'0')),
        _ => None,
    }
}

/// Implements `Display`, `Debug`, serde and schema for a type with `fn text(self) -> Text` and `FromStr`.
macro_rules! written_as_text {
    ($type:ty, $pattern:literal, $what:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.text(), f)
            }
        }

        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.text(), f)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.text().as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Visitor;
                impl serde::de::Visitor<'_> for Visitor {
                    type Value = $type;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($what)
                    }
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Visitor)
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": $pattern, "description": $what })
            }
        }
    };
}
pub(crate) use written_as_text;
