//! The text forms of the protocol's words: short, written without allocating, read only in their one canonical spelling.

use std::fmt;

/// A piece of notation of at most 15 bytes, kept in place.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    bytes: [u8; 15],
    len: u8,
}

impl Text {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; 15], len: 0 }
    }

    /// Appends ASCII text. The longest notation there is, `7 lead:12-12`, has 12 bytes.
    pub(crate) fn push(&mut self, ascii: &str) {
        debug_assert!(ascii.is_ascii());
        for &byte in ascii.as_bytes() {
            self.byte(byte);
        }
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes[usize::from(self.len)] = byte;
        self.len += 1;
    }

    /// Appends a number below 100.
    pub(crate) fn number(&mut self, number: u8) {
        if number >= 10 {
            self.byte(b'0' + number / 10);
        }
        self.byte(b'0' + number % 10);
    }

    pub(crate) fn as_str(&self) -> &str {
        // Only ASCII is ever pushed, so this cannot fail.
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that is not the notation it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, got {got:?}")]
pub struct BadNotation {
    expected: &'static str,
    got: String,
}

impl BadNotation {
    pub(crate) fn new(expected: &'static str, got: &str) -> Self {
        let mut cut = got.len().min(60);
        while !got.is_char_boundary(cut) {
            cut -= 1;
        }
        Self { expected, got: got[..cut].to_owned() }
    }
}

/// Reads a pip number in its canonical spelling: no sign, no leading zero.
pub(crate) fn number(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [d @ b'0'..=b'9'] => Some(d - b'0'),
        [t @ b'1'..=b'9', d @ b'0'..=b'9'] => Some((t - b'0') * 10 + (d - b'0')),
        _ => None,
    }
}

/// Gives a type with `fn text(self) -> Text` and `FromStr` its `Display`, `Debug`, serde and schema forms.
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
