//! Messages as lines of JSON, and untrusted bytes made printable.

use std::fmt::Write as _;

use serde::Serialize;

/// Appends a message and a line feed.
///
/// Writing our own types as JSON cannot fail, and never produces a line feed.
pub fn push_line(line: &mut Vec<u8>, message: &impl Serialize) {
    push_json(line, message);
    line.push(b'\n');
}

/// Appends a value of one of our own types as JSON.
pub(crate) fn push_json(line: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(line, value).unwrap_or_else(|error| {
        unreachable!("the protocol's own types always have a JSON form: {error}");
    });
}

/// Whether a character is invisible but changes how others are shown: control characters, marks that change the
/// direction of text (Unicode's `Bidi_Control`), and separators that end a line.
pub fn is_hidden(c: char) -> bool {
    let turns =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Returns at most `longest` of the bytes, made printable: [hidden](is_hidden) characters and bytes that are not UTF-8
/// become escapes. If something was cut, an ellipsis and the full length follow.
///
/// ```
/// use leyden_protocol::printable;
///
/// assert_eq!(printable(b"N:4-1\x1b[31m\xff", 100), r"N:4-1\u{1b}[31m\xff");
/// assert_eq!(printable(b"0123456789", 4), "0123… (10 bytes in all)");
/// ```
pub fn printable(bytes: &[u8], longest: usize) -> String {
    let mut text = String::new();
    for chunk in bytes[..bytes.len().min(longest)].utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_hidden(c) { text.extend(c.escape_default()) } else { text.push(c) }
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}"); // writing to a String cannot fail
        }
    }
    if bytes.len() > longest {
        let _ = write!(text, "… ({} bytes in all)", bytes.len());
    }
    text
}
