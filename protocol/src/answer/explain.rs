//! Explains what is wrong with a line, and the likeliest cause.

use crate::action::Action;
use crate::line::printable;

/// Why a line is not a message: what was expected, what came instead and where, and the likeliest cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, {}{}{}", self.got(), if hint.is_some() { ": " } else { "" }, hint.unwrap_or_default())]
pub struct MalformedLineError {
    expected: &'static str,
    got: String,
    column: usize,
    hint: Option<&'static str>,
}

impl MalformedLineError {
    /// What was expected, if it is more than any object.
    pub fn expected(&self) -> Option<&'static str> {
        Some(self.expected).filter(|expected| *expected != OBJECT)
    }

    /// What came instead, and where.
    pub fn got(&self) -> String {
        format!("got {} at column {}", self.got, self.column)
    }

    /// Where the line stops making sense: the column in characters, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The likeliest cause and what to do, if one could be guessed.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }
}

/// Where a line stops making sense, and what was expected there.
pub(super) struct SyntaxError {
    pub(super) at: usize,
    pub(super) expected: &'static str,
    /// What came instead, if it is not what the line has at `at`.
    pub(super) got: Option<String>,
    pub(super) hint: Option<&'static str>,
}

impl SyntaxError {
    #[cold]
    pub(super) fn at(at: usize, expected: &'static str) -> Self {
        Self { at, expected, got: None, hint: None }
    }

    #[cold]
    pub(super) fn because(at: usize, expected: &'static str, hint: &'static str) -> Self {
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

/// What an `async` function of JavaScript or Python returns, and what to do.
const PROMISE: &str = "choose is async, so calling it gives a Promise (in Python a coroutine) and not an action: write await before \
                       the call, in a function that is async, too, or remove async from choose";

/// What a program does that has no action to give.
const NOTHING: &str = "the bot chose nothing: a function that does not return anything in some case, or an index outside of a list";

/// The cause of an action that is no text: a Promise becomes `{}` in JSON.
fn cause_of_other_value(before: &[u8], rest: &[u8]) -> Option<&'static str> {
    let is_of_action = before.trim_ascii_end().ends_with(b"\"action\":");
    match rest {
        [b'{', b'}', ..] if is_of_action => Some(PROMISE),
        [b'n', b'u', b'l', b'l', ..] if is_of_action => Some(NOTHING),
        _ => None,
    }
}

/// The likeliest cause of text that a language writes for a value that is not text; `None` if it is not known to.
pub fn cause_of_printed_value(text: &str) -> Option<&'static str> {
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
        PROMISE
    } else if starts(&["[object "]) {
        "this is how JavaScript turns an object into text; write JSON.stringify(object), and for an action one of its strings"
    } else if starts(&["<function ", "<bound method ", "<built-in ", "[Function", "function ", "CODE(0x"])
        && !text.contains(['"', '{'])
    {
        "this is a function, and not what it returns: call it, with ()"
    } else if starts(&["HASH(0x", "ARRAY(0x", "SCALAR(0x", "REF(0x"]) {
        "this is how Perl prints a reference; print encode_json($reference) from JSON::PP"
    } else if is_of_java() {
        "this is how Java prints an object; build the line of JSON from its fields"
    } else if starts(&["<"]) && text.contains(" object at 0x") {
        "this is how Python prints an object; print json.dumps of a dict with its fields"
    } else if matches!(text, "undefined" | "None" | "null" | "nil" | "NaN") {
        NOTHING
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
fn likeliest_cause(line: &[u8], before: &[u8], rest: &[u8]) -> Option<&'static str> {
    let line = line.trim_ascii();
    cause_in_encoding(line).or_else(|| {
        if line.first() == Some(&b'{') {
            cause_in_object(before.trim_ascii(), rest)
        } else {
            Some(cause_of_other_line(line))
        }
    })
}

fn cause_in_encoding(line: &[u8]) -> Option<&'static str> {
    if line.starts_with(b"\xff\xfe")
        || line.starts_with(b"\xfe\xff")
        || matches!(line, [0, b'{', ..] | [b'{', 0, ..])
    {
        return Some("this looks like UTF-16; write UTF-8");
    }
    if line.starts_with(BYTE_ORDER_MARK) {
        return Some("the line begins with a byte order mark; write UTF-8 without one");
    }
    if line.contains(&0) {
        return Some("the line has a zero byte; write only the text, not the whole buffer that holds it");
    }
    if std::str::from_utf8(line).is_err() {
        return Some("set the encoding of standard output to UTF-8");
    }
    None
}

/// For a line that is not an object.
fn cause_of_other_line(line: &[u8]) -> &'static str {
    let text = std::str::from_utf8(line).unwrap_or_default();
    let unquoted = text.trim_matches(['"', '\'']);
    if let Some(cause) = cause_of_printed_value(text) {
        cause
    } else if line.is_empty() {
        "print one line per answer, with no empty lines in between"
    } else if unquoted.parse::<Action>().is_ok() {
        "this is an action alone; put it into {\"type\":\"action\",\"id\":…,\"action\":…} with the id of the turn"
    } else if text.starts_with(['\'', '"']) && text.contains('{') {
        "this is an object inside a string; print it without the quotes around it"
    } else if text.starts_with("b'{") || text.starts_with("b\"{") {
        "this is how Python prints bytes; write them to sys.stdout.buffer or decode them first"
    } else if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        "an answer is one object in braces"
    } else if line.starts_with(b"}") {
        "an answer must be on one line; print the object without indentation"
    } else {
        "this looks like a debug print; print such lines to standard error"
    }
}

/// For a line that begins as an object.
fn cause_in_object(before: &[u8], rest: &[u8]) -> Option<&'static str> {
    let last = before.last();
    let starts = |word: &str| rest.starts_with(word.as_bytes());
    let ends = |word: &str| before.ends_with(word.as_bytes());
    Some(match rest.first() {
        None if before == b"{" => "an answer must be on one line; print the object without indentation",
        None => "the object has no end: was it cut, or is there a line break inside it?",
        Some(b'\'') => "single quotes are not JSON; in Python print json.dumps(answer), not the dict itself",
        Some(b'}' | b']') if last == Some(&b',') => "there is an extra comma before the closing bracket",
        Some(b'{') if ends("}") => "there are two objects on one line; end each answer with a line feed",
        Some(_) if starts("True") || starts("False") || starts("None") => {
            "True, False and None are Python, not JSON; print json.dumps(answer)"
        }
        Some(_) if starts("NaN") || starts("Infinity") || ends("-") && starts("I") => {
            "NaN and Infinity are not JSON"
        }
        Some(_) if starts("undefined") => "undefined is not JSON; leave the field out",
        Some(_) if starts("//") || starts("/*") || starts("#") => "JSON has no comments",
        Some(b'0'..=b'9') if ends("0") => "numbers have no leading zeros",
        Some(b'+' | b'.') => "numbers begin with a digit or a minus sign",
        Some(0..0x20) => "write line breaks and tabs inside a string as \\n and \\t",
        Some(_) if last == Some(&b'}') => {
            "there is something after the answer; end each answer with a line feed"
        }
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') if matches!(last, Some(b'{' | b',')) => {
            if rest.windows(3).any(|part| part == b": '") {
                "this is how JavaScript prints an object; write console.log(JSON.stringify(answer))"
            } else {
                "field names need double quotes; let a JSON library write the answer, such as JSON.stringify"
            }
        }
        Some(b'a'..=b'z' | b'A'..=b'Z') if last == Some(&b':') => "strings need double quotes",
        _ => return None,
    })
}
