//! Explains what is wrong with a line, and the likeliest cause.

use super::hint::AnswerHint;
use crate::action::Action;
use crate::line::printable;

/// Why a line is not a message: what was expected, what came instead and where, and the likeliest cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, got {got} at column {column}{}", hint.map_or_else(String::new, |hint| format!(": {hint}")))]
pub struct MalformedLineError {
    expected: &'static str,
    got: String,
    column: usize,
    hint: Option<AnswerHint>,
}

impl MalformedLineError {
    /// What was expected, if it is more than any object.
    pub fn expected(&self) -> Option<&'static str> {
        Some(self.expected).filter(|expected| *expected != OBJECT)
    }

    /// What came instead.
    pub fn got(&self) -> &str {
        &self.got
    }

    /// Where the line stops making sense: the column in characters, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The likeliest cause and what to do, if one could be guessed.
    pub fn hint(&self) -> Option<AnswerHint> {
        self.hint
    }
}

/// Where a line stops making sense, and what was expected there.
pub(super) struct SyntaxError {
    pub(super) at: usize,
    pub(super) expected: &'static str,
    /// What came instead, if it is not what the line has at `at`.
    pub(super) got: Option<String>,
    pub(super) hint: Option<AnswerHint>,
}

impl SyntaxError {
    #[cold]
    pub(super) fn at(at: usize, expected: &'static str) -> Self {
        Self { at, expected, got: None, hint: None }
    }

    #[cold]
    pub(super) fn because(at: usize, expected: &'static str, hint: AnswerHint) -> Self {
        Self { at, expected, got: None, hint: Some(hint) }
    }
}

/// What a line is expected to be.
pub(super) const OBJECT: &str = "a JSON object";

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Describes what is wrong with a line.
#[cold]
pub(super) fn explain(line: &[u8], broken: &SyntaxError) -> MalformedLineError {
    let (before, rest) = line.split_at_checked(broken.at).unwrap_or((line, &[]));
    MalformedLineError {
        expected: broken.expected,
        got: broken.got.clone().unwrap_or_else(|| what_stands_at(rest)),
        column: String::from_utf8_lossy(before).chars().count().saturating_add(1),
        hint: cause_of_other_value(before, rest)
            .or(broken.hint)
            .or_else(|| likeliest_cause(line, before, rest)),
    }
}

/// The cause of an action that is no text: a Promise becomes `{}` in JSON.
fn cause_of_other_value(before: &[u8], rest: &[u8]) -> Option<AnswerHint> {
    let is_of_action = before.trim_ascii_end().ends_with(b"\"action\":");
    match rest {
        [b'{', b'}', ..] if is_of_action => Some(AnswerHint::Promise),
        [b'n', b'u', b'l', b'l', ..] if is_of_action => Some(AnswerHint::Nothing),
        _ => None,
    }
}

/// The likeliest cause of text that a language writes for a value that is not text; `None` if it is not known to.
pub fn cause_of_printed_value(text: &str) -> Option<AnswerHint> {
    let text = text.trim();
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    let is_of_java = || {
        text.split_once('@').is_some_and(|(class, number)| {
            let is_class = |c: char| c.is_alphanumeric() || matches!(c, '.' | '$' | '[' | ';' | '_');
            !class.is_empty()
                && class.chars().all(is_class)
                && (5..=8).contains(&number.len())
                && number.chars().all(|c| c.is_ascii_hexdigit())
        })
    };
    Some(if starts(&["[object Promise]", "Promise {", "<coroutine object "]) {
        AnswerHint::Promise
    } else if starts(&["[object "]) {
        AnswerHint::JavaScriptObject
    } else if starts(&["<function ", "<bound method ", "<built-in ", "[Function", "function ", "CODE(0x"])
        && !text.contains(['"', '{'])
    {
        AnswerHint::Function
    } else if starts(&["HASH(0x", "ARRAY(0x", "SCALAR(0x", "REF(0x"]) {
        AnswerHint::PerlReference
    } else if is_of_java() {
        AnswerHint::JavaObject
    } else if starts(&["<"]) && text.contains(" object at 0x") {
        AnswerHint::PythonObject
    } else if matches!(text, "undefined" | "None" | "null" | "nil" | "NaN") {
        AnswerHint::Nothing
    } else {
        return None;
    })
}

/// Returns the word, string, number or sign that begins here.
fn what_stands_at(rest: &[u8]) -> String {
    const SIGNS: &[u8] = b"{}[]:,";
    let Some(first) = rest.first() else { return "the end of the line".to_owned() };
    if rest.starts_with(BYTE_ORDER_MARK) {
        return "a byte order mark".to_owned();
    }
    let is_text = rest.utf8_chunks().next().is_some_and(|chunk| !chunk.valid().is_empty());
    if first.is_ascii_control() || !is_text {
        return format!("the byte 0x{first:02x}");
    }
    let length = match first {
        b'"' => rest
            .iter()
            .skip(1)
            .position(|byte| *byte == b'"')
            .map_or(rest.len(), |quote| quote.saturating_add(2)),
        sign if SIGNS.contains(sign) => 1,
        _ => rest
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || SIGNS.contains(byte))
            .unwrap_or(rest.len()),
    };
    let text = String::from_utf8_lossy(rest.get(..length).unwrap_or(rest));
    let mut shown: String = text.chars().take(30).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("`{}`", printable(shown.as_bytes(), shown.len()))
}

/// Guesses the mistake of the bot's author from the whole line and from what precedes and follows the error.
fn likeliest_cause(line: &[u8], before: &[u8], rest: &[u8]) -> Option<AnswerHint> {
    let line = line.trim_ascii();
    cause_in_encoding(line).or_else(|| {
        if line.first() == Some(&b'{') {
            cause_in_object(before.trim_ascii(), rest)
        } else {
            Some(cause_of_other_line(line))
        }
    })
}

fn cause_in_encoding(line: &[u8]) -> Option<AnswerHint> {
    if line.starts_with(b"\xff\xfe")
        || line.starts_with(b"\xfe\xff")
        || matches!(line, [0, b'{', ..] | [b'{', 0, ..])
    {
        return Some(AnswerHint::Utf16);
    }
    if line.starts_with(BYTE_ORDER_MARK) {
        return Some(AnswerHint::ByteOrderMark);
    }
    if line.contains(&0) {
        return Some(AnswerHint::ZeroByte);
    }
    std::str::from_utf8(line).is_err().then_some(AnswerHint::NotUtf8)
}

/// For a line that is not an object.
fn cause_of_other_line(line: &[u8]) -> AnswerHint {
    let text = std::str::from_utf8(line).unwrap_or_default();
    let unquoted = text.trim_matches(['"', '\'']);
    if let Some(cause) = cause_of_printed_value(text) {
        cause
    } else if line.is_empty() {
        AnswerHint::EmptyLine
    } else if unquoted.parse::<Action>().is_ok() {
        AnswerHint::ActionAlone
    } else if text.starts_with(['\'', '"']) && text.contains('{') {
        AnswerHint::ObjectInString
    } else if text.starts_with("b'{") || text.starts_with("b\"{") {
        AnswerHint::PythonBytes
    } else if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        AnswerHint::OtherJson
    } else if line.starts_with(b"}") {
        AnswerHint::SeveralLines
    } else {
        AnswerHint::DebugPrint
    }
}

/// For a line that begins as an object.
fn cause_in_object(before: &[u8], rest: &[u8]) -> Option<AnswerHint> {
    let last = before.last();
    let starts = |word: &str| rest.starts_with(word.as_bytes());
    let ends = |word: &str| before.ends_with(word.as_bytes());
    Some(match rest.first() {
        None if before == b"{" => AnswerHint::SeveralLines,
        None => AnswerHint::NoEnd,
        Some(b'\'') => AnswerHint::SingleQuotes,
        Some(b'}' | b']') if last == Some(&b',') => AnswerHint::ExtraComma,
        Some(b'{') if ends("}") => AnswerHint::TwoObjects,
        Some(_) if starts("True") || starts("False") || starts("None") => AnswerHint::PythonConstant,
        Some(_) if starts("NaN") || starts("Infinity") || ends("-") && starts("I") => AnswerHint::NotANumber,
        Some(_) if starts("undefined") => AnswerHint::Undefined,
        Some(_) if starts("//") || starts("/*") || starts("#") => AnswerHint::Comment,
        Some(b'0'..=b'9') if ends("0") => AnswerHint::LeadingZero,
        Some(b'+' | b'.') => AnswerHint::NumberStart,
        Some(0..0x20) => AnswerHint::LineBreak,
        Some(_) if last == Some(&b'}') => AnswerHint::MoreBehind,
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') if matches!(last, Some(b'{' | b',')) => {
            if rest.windows(3).any(|part| part == b": '") {
                AnswerHint::PrintedByJavaScript
            } else {
                AnswerHint::BareName
            }
        }
        Some(b'a'..=b'z' | b'A'..=b'Z') if last == Some(&b':') => AnswerHint::BareString,
        _ => return None,
    })
}
