//! Describes errors in a TOML file that a person wrote, with what to write instead. Knows files and options only by their
//! names.
//!
//! It reads wording, because there is nothing else to read: a `toml::de::Error` has no kind, only a message and a span, and serde
//! passes what it finds (a wrong type, an unknown or missing field) to it as finished text. The tests below notice if that changes.

use std::fmt::{self, Display, Write};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{self, Deserializer};
use toml::de::Error;

/// What [`with_unit`] expects of a duration.
pub const DURATION: &str = "a duration with its unit, in quotes";
/// What [`with_unit`] expects of an amount of memory or disk.
pub const SIZE: &str = "a size with its unit, in quotes";

/// Options whose lists are a program and its arguments.
const COMMANDS: [&str; 2] = ["command", "build"];

/// The most names that are listed if one is unknown; beyond that only the likely one is named.
const LISTED: usize = 12;

/// Describes an error in a text: where it is, what was expected, and what the line probably should be.
pub fn in_words(text: &str, error: &Error) -> String {
    if let Some(explained) = for_table(text, error) {
        return short(&explained);
    }
    let span = error.span().and_then(|span| ErrorSpan::new(text, span.start, span.end));
    let said = span.and_then(|span| {
        let below = || {
            span.section(text).map_or_else(String::new, |section| {
                format!("; it is below {section}: what does not belong to that section must be above it")
            })
        };
        let explained =
            span.wrong_type(error.message()).or_else(|| Some(unknown(error.message())? + &below()))?;
        Some(format!("line {}: {explained}", span.line))
    });
    short(&said.unwrap_or_else(|| with_line(text, error)))
}

/// Deserializes what is typed with a unit: [`DURATION`] or [`SIZE`]. In place of a bare number, [`in_words`] then suggests one with
/// a unit.
pub fn with_unit<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
) -> Result<T, D::Error> {
    struct Typed<T>(&'static str, PhantomData<T>);

    impl<T: FromStr<Err: Display>> de::Visitor<'_> for Typed<T> {
        type Value = T;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(self.0)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Typed(expected, PhantomData))
}

/// An error that is about neither a type nor a name, such as one of syntax: in one line, with the line that it is in.
fn with_line(text: &str, error: &Error) -> String {
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return error.to_string().trim_end().to_owned();
    };
    let (number, start) = (before.matches('\n').count() + 1, before.rfind('\n').map_or(0, |end| end + 1));
    let column = before[start..].chars().count() + 1;
    let line = text[start..].lines().next().unwrap_or_default().trim();
    let colon = if line.is_empty() { "" } else { ": " };
    format!("line {number}, column {column}: {}{colon}{line}", error.message())
}

/// An error about a table as a whole: a field is missing, or there may be several of the table.
fn for_table(text: &str, error: &Error) -> Option<String> {
    let before = text.get(..error.span()?.start)?;
    let number = before.matches('\n').count() + 1;
    let heading = text.lines().nth(number - 1).map(str::trim).filter(|line| line.starts_with('['));
    if error.message().starts_with("missing field `") {
        let below = heading.map_or_else(String::new, |heading| format!(" below {heading} (line {number})"));
        return Some(format!("{}{below}", error.message()));
    }
    let heading =
        heading.filter(|_| error.message().starts_with("invalid type: map, expected a sequence"))?;
    Some(format!("line {number}: {heading} may occur several times: write [{heading}], with two brackets"))
}

/// The longest line that is shown, in characters.
const LONGEST_LINE: usize = 200;

/// Cuts the lines of a text, which may quote a whole file.
fn short(text: &str) -> String {
    let cut = |line: &str| match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    };
    text.lines().map(cut).collect::<Vec<_>>().join("\n")
}

/// The span of an error.
struct ErrorSpan<'a> {
    /// From 1.
    line: usize,
    /// What is before the equals sign.
    key: &'a str,
    /// The value, as it is written.
    value: &'a str,
    /// Everything after the equals sign: a list, if the value is one of several.
    whole: &'a str,
}

impl<'a> ErrorSpan<'a> {
    fn new(text: &'a str, start: usize, end: usize) -> Option<Self> {
        let before = text.get(..start)?;
        let line = before.matches('\n').count() + 1;
        let (key, whole) = text.lines().nth(line - 1)?.split_once('=')?;
        Some(Self { line, key: key.trim(), value: text.get(start..end)?, whole: whole.trim() })
    }

    /// The heading of the section that it is in, if any.
    fn section<'b>(&self, text: &'b str) -> Option<&'b str> {
        let above = text.lines().take(self.line - 1).map(str::trim);
        above.filter(|line| line.starts_with('[') && line.ends_with(']')).last()
    }

    /// Describes a value of another type than the option has.
    fn wrong_type(&self, message: &str) -> Option<String> {
        let (_, expected) = message.strip_prefix("invalid type: ")?.split_once(", expected ")?;
        let bare = self.value.trim_matches(['"', '\'']);
        let (what, meant) = if is_number(expected) {
            ("a number, without quotes", bare.parse::<f64>().ok().map(|_| bare.to_owned()))
        } else if expected.starts_with("a boolean") {
            let is_one = matches!(bare, "true" | "false");
            ("true or false, without quotes", is_one.then(|| bare.to_owned()))
        } else if expected.starts_with("a sequence") {
            let list = match self.key {
                key if COMMANDS.contains(&key) => format!("{:?}", shlex::split(bare)?),
                _ => format!("[{}]", self.value),
            };
            ("a list", Some(list))
        } else if expected.starts_with(DURATION) {
            // What is large may be either.
            let number = bare.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
            let seconds = format!("\"{bare}s\"");
            let both = format!("\"{bare}ms\", or {} = {seconds}", self.key);
            (DURATION, number.map(|number| if number < 50.0 { seconds } else { both }))
        } else if expected.starts_with(SIZE) {
            let unit = |number: u64| if number < 32 { "GB" } else { "MB" };
            (SIZE, bare.parse().ok().map(|number| format!("\"{bare}{}\"", unit(number))))
        } else if expected.starts_with("a string") {
            ("a text in quotes", Some(format!("{bare:?}")))
        } else {
            return None;
        };
        let Self { key, value, whole, .. } = self;
        if let Some(meant) = meant.as_ref().filter(|_| whole.starts_with('[') && whole != value) {
            return Some(format!("{key} = {whole}: {value} must be {what}: write {meant} instead"));
        }
        let mut explained = format!("{key} = {value}: expected {what}");
        if let Some(meant) = meant {
            let _ = write!(explained, "; write {key} = {meant}"); // a String takes all
        }
        Some(explained)
    }
}

fn is_number(expected: &str) -> bool {
    let is_width = |rest: &str| rest == "size" || rest.bytes().all(|byte| byte.is_ascii_digit());
    expected.trim_end().strip_prefix(['u', 'i', 'f']).is_some_and(is_width)
}

/// Describes an unknown name, with the likely one.
fn unknown(message: &str) -> Option<String> {
    let (said, rest) = message.split_once(", expected ")?;
    let what =
        ["unknown field `", "unknown variant `"].into_iter().find_map(|start| said.strip_prefix(start))?;
    let name = what.strip_suffix('`')?;
    let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    let meant =
        closest_name(name, &known).map_or_else(String::new, |meant| format!(": did you mean {meant}?"));
    let all =
        if known.len() <= LISTED { format!(" (there are {})", known.join(", ")) } else { String::new() };
    Some(format!("{said}{meant}{all}"))
}

/// Returns the known name that is most like `name`, if any is like it: one that starts with the other, or that is one or two
/// typos away.
pub fn closest_name<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    // Case does not matter, nor does - or _.
    let alike = |name: &str| name.to_lowercase().replace('_', "-");
    let name = alike(name);
    let near = |other: &&&str| {
        let other = alike(other);
        let slips = strsim::levenshtein(&name, &other);
        let is_part = name.len() >= 3 && (other.starts_with(&name) || name.starts_with(&other));
        is_part || slips <= (name.len() / 3).min(2)
    };
    known.iter().filter(near).min_by_key(|other| strsim::levenshtein(&name, &alike(other))).copied()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[expect(dead_code, reason = "only read")]
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    struct Options {
        command: Option<Vec<String>>,
        bots: Option<Vec<String>>,
        blocks: Option<u32>,
        elo: Option<f64>,
        fresh: Option<bool>,
        seats: Option<Vec<u8>>,
        seed: Option<String>,
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct OptionList {
        #[serde(rename = "blocks")]
        _blocks: u32,
        #[serde(rename = "a-list")]
        _list: Vec<Options>,
    }

    #[test]
    fn error_message_shortens_long_lines() {
        for value in ["1é", "\"é\", é"] {
            let text = format!("command = [{}]", value.replace('é', &"é".repeat(50_000)));
            let said = in_words(&text, &toml::from_str::<Options>(&text).unwrap_err());
            assert!(said.contains("line 1") && said.contains("…"), "{said}");
            assert!(said.chars().count() < 1_000, "{said}");
        }
    }

    #[test]
    fn error_message_suggests_the_intended_line() {
        for (text, says) in [
            ("command = \"python3 bot.py\"", "write command = [\"python3\", \"bot.py\"]"),
            ("bots = \"my class\"", "write bots = [\"my class\"]"),
            ("blocks = \"12\"", "expected a number, without quotes; write blocks = 12"),
            ("blocks = \"many\"", "blocks = \"many\": expected a number, without quotes"),
            ("elo = \"1.5\"", "write elo = 1.5"),
            ("fresh = \"true\"", "write fresh = true"),
            ("seats = 2", "expected a list; write seats = [2]"),
            ("seats = [\"2\"]", "\"2\" must be a number, without quotes: write 2 instead"),
            ("seed = 7", "write seed = \"7\""),
            ("block = 12", "unknown field `block`: did you mean blocks?"),
            ("blokcs = 12", "did you mean blocks?"),
            ("colour = 12", "unknown field `colour` (there are command, bots, blocks"),
        ] {
            let text = format!("# a comment\n{text}\n");
            let error = toml::from_str::<Options>(&text).unwrap_err();
            let said = in_words(&text, &error);
            assert!(said.starts_with("line 2: ") && said.contains(says), "{text}{said}");
        }
        let below = "blocks = 2\n[[a-list]]\nblocks = 2\ncolour = 12\n";
        let said = in_words(below, &toml::from_str::<OptionList>(below).unwrap_err());
        assert!(said.starts_with("line 4: unknown field `colour`"), "{said}");
        assert!(
            said.ends_with("; it is below [[a-list]]: what does not belong to that section must be above it"),
            "{said}"
        );
        let broken = "blocks = 2\nseed = x\n";
        let said = in_words(broken, &toml::from_str::<Options>(broken).unwrap_err());
        assert!(said.starts_with("line 2, column 8: ") && said.ends_with(": seed = x"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }

    #[test]
    fn table_errors_explain_missing_fields_and_double_brackets() {
        let said = |text: &str| in_words(text, &toml::from_str::<OptionList>(text).unwrap_err());
        assert_eq!(said(""), "missing field `blocks`");
        assert_eq!(
            said("blocks = 2\n\n[a-list]\nseed = \"x\"\n"),
            "line 3: [a-list] may occur several times: write [[a-list]], with two brackets"
        );
        let nameless = "blocks = 2\na-list = []\n[[rules]]\n";
        assert!(said(nameless).contains("unknown field `rules`"), "{}", said(nameless));
    }

    #[test]
    fn likely_word_matches_typos_but_not_other_words() {
        assert_eq!(closest_name("carefull", &["careful", "greedy"]), Some("careful"));
        assert_eq!(closest_name("gredy", &["careful", "greedy"]), Some("greedy"));
        assert_eq!(closest_name("ana", &["bob", "Anna"]), Some("Anna"));
        assert_eq!(closest_name("MY-BOT", &["her_bot", "My_Bot"]), Some("My_Bot"));
        assert_eq!(closest_name("weather", &["careful", "greedy"]), None);
    }
}
