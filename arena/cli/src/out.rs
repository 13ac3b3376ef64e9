//! What the program writes: text for people and JSON for programs. The only place that makes foreign text, such as names and bot
//! output, safe for a terminal and for a log that obeys commands. Decides nothing.

use std::ffi::OsStr;
use std::fmt::{Arguments, Write as _};
use std::io::{self, Stderr, Write};
use std::os::fd::AsFd;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use leyden_protocol::is_hidden;
use unicode_width::UnicodeWidthChar;

use crate::exit::{Code, CommandError};

/// Standard error. Several threads write there.
static SCREEN: LazyLock<Mutex<Screen<Stderr>>> = LazyLock::new(|| Mutex::new(Screen::new(io::stderr())));

/// Carriage return, and erase to the end of the line.
const CLEAR: &str = "\r\x1b[K";

/// Where lines are printed, and one may stand that the next output overwrites. Errors are ignored: then nobody is reading.
struct Screen<W> {
    to: W,
    /// Whether a line stands there that is to be overwritten.
    is_overwritable: bool,
}

impl<W: Write> Screen<W> {
    const fn new(to: W) -> Self {
        Self { to, is_overwritable: false }
    }

    /// For what is to last: a line that is to be overwritten goes first.
    fn lasting(&mut self) -> &mut W {
        if std::mem::take(&mut self.is_overwritable) {
            let _ = write!(self.to, "{CLEAR}");
        }
        &mut self.to
    }

    fn overwrite(&mut self, line: &str) {
        let to = self.lasting();
        let _ = write!(to, "{line}");
        let _ = to.flush();
        self.is_overwritable = true;
    }
}

fn screen() -> MutexGuard<'static, Screen<Stderr>> {
    SCREEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints a line for people to standard error. A closed one is ignored: then nobody is reading.
pub(crate) fn say(text: Arguments<'_>) {
    let safe = safe(&text.to_string(), obeys_commands());
    let shown = width(io::stderr()).map_or_else(|| safe.clone(), |width| wrapped(&safe, width.max(40)));
    let _ = writeln!(screen().lasting(), "{shown}");
}

/// Breaks lines that are longer than this between their words; what follows is indented like their beginning. Commands to copy, which
/// are indented, stay whole.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let fits = |line: &str| line.chars().count() <= width || line.trim_start().starts_with("leyden ");
    let wrap = |line: &str| {
        let indent = &line[..line.len() - line.trim_start().len()];
        let options = textwrap::Options::new(width).subsequent_indent(indent).break_words(false);
        if fits(line) { line.to_owned() } else { textwrap::fill(line, options) }
    };
    text.split('\n').map(wrap).collect::<Vec<_>>().join("\n")
}

/// Shows a line on a terminal's standard error until the next output overwrites it. Cut to one row: only the last one is overwritten.
pub(crate) fn overwrite(line: &str) {
    screen().overwrite(width(io::stderr()).map_or(line, |width| cut(line, width)));
}

/// Cuts a line to that many columns of a terminal, of which a character may take two.
fn cut(line: &str, columns: usize) -> &str {
    let mut taken = 0;
    let is_beyond = |c: char| {
        taken += c.width().unwrap_or(0);
        taken > columns
    };
    &line[..line.find(is_beyond).unwrap_or(line.len())]
}

/// Removes a line that was to be overwritten.
pub(crate) fn clear() {
    screen().lasting();
}

/// Prints a workflow command to standard error, unchanged.
pub(crate) fn command(line: &str) {
    let _ = writeln!(screen().lasting(), "{line}");
}

/// Prints text for people to standard output.
pub(crate) fn print(text: &str) -> Result<Code, CommandError> {
    io::stdout().write_all(safe(text, obeys_commands()).as_bytes())?;
    Ok(Code::Done)
}

/// Prints lines of JSON exactly as a bot was sent them, so that they can be sent again.
pub(crate) fn print_sent(lines: &str) -> Result<Code, CommandError> {
    if obeys_commands() {
        JsonOut(io::stdout()).write_all(lines.as_bytes())?;
    } else {
        io::stdout().write_all(lines.as_bytes())?;
    }
    Ok(Code::Done)
}

/// Quotes a word for a shell; one that is not UTF-8 as bash, zsh and ksh read it.
pub(crate) fn quoted(word: &OsStr) -> String {
    if let Some(text) = word.to_str() {
        return shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned);
    }
    let bytes = word.as_encoded_bytes().iter();
    let escaped: String = bytes.flat_map(|byte| std::ascii::escape_default(*byte)).map(char::from).collect();
    format!("$'{escaped}'")
}

/// Prints one JSON document on a line of its own.
pub(crate) fn print_line(document: &impl serde::Serialize) -> Result<(), CommandError> {
    let mut line = Vec::new();
    serde_json::to_writer(JsonOut(&mut line), document).map_err(CommandError::defect)?;
    line.push(b'\n');
    io::stdout().write_all(&line)?;
    Ok(())
}

/// Prints one JSON document for people and machines, streaming it.
pub(crate) fn print_document(document: &impl serde::Serialize) -> Result<(), CommandError> {
    let mut out = JsonOut(io::BufWriter::new(io::stdout().lock()));
    serde_json::to_writer_pretty(&mut out, document).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// Returns whether a runner of GitHub Actions reads the output, and obeys lines in it.
pub(crate) fn obeys_commands() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Makes sure that a panic message, which may contain anything, cannot be a workflow command either.
pub(crate) fn keep_panics_from_commands() {
    if obeys_commands() {
        std::panic::set_hook(Box::new(|panic| say(format_args!("{panic}"))));
    }
}

/// Returns the text without anything that moves the cursor, changes the text direction or is a command: line breaks stay, hidden
/// characters become replacement characters, and where commands are obeyed none can begin: neither `::` at the start of a line,
/// with or without blanks before it, nor `##[` anywhere.
fn safe(text: &str, obeyed: bool) -> String {
    let is_kept = |c: char| !is_hidden(c) || c == '\n' || c == '\t';
    let shown: String =
        text.chars().map(|c| if is_kept(c) { c } else { char::REPLACEMENT_CHARACTER }).collect();
    if obeyed { without_commands(&shown) } else { shown }
}

fn without_commands(text: &str) -> String {
    let harmless = |line: &str| {
        let line = line.replace("##[", "# #[");
        let words = line.trim_start();
        let blanks = &line[..line.len() - words.len()];
        words.strip_prefix("::").map_or_else(|| line.clone(), |rest| format!("{blanks}: :{rest}"))
    };
    text.split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

/// Standard error for log lines, which arrive whole and are coloured.
pub(crate) struct LogOut;

impl Write for LogOut {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut screen = screen();
        let stderr = screen.lasting();
        if obeys_commands() {
            stderr.write_all(without_commands(&String::from_utf8_lossy(line)).as_bytes())?;
        } else {
            stderr.write_all(line)?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Writes JSON of the same meaning, with hidden characters as escapes, and so `##[`, which a runner of GitHub Actions would obey.
/// Each string, or the part of it between two escapes, must arrive in one piece, as `serde_json` writes it.
pub(crate) struct JsonOut<W>(pub(crate) W);

impl<W: Write> Write for JsonOut<W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        let is_harmless = json.iter().all(|byte| byte.is_ascii() && *byte != DELETE)
            && !json.windows(3).any(|three| three == b"##[");
        match str::from_utf8(json) {
            Ok(text) if !is_harmless => self.0.write_all(escaped(text).as_bytes())?,
            _ => self.0.write_all(json)?,
        }
        Ok(json.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The control character that JSON does not require to be escaped.
const DELETE: u8 = 0x7f;

fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + 16);
    for c in json.replace("##[", "\\u0023#[").chars() {
        // Other ASCII ones are escaped already, or stand between the fields.
        if (c.is_ascii() && c != char::from(DELETE)) || !is_hidden(c) {
            text.push(c);
        } else {
            let _ = write!(text, "\\u{:04x}", u32::from(c)); // none has more than four digits, and writing to a String cannot fail
        }
    }
    text
}

/// Returns the width of the terminal, clamped to 60..=120 columns; 100 if there is none.
pub(crate) fn columns() -> usize {
    width(io::stdout()).unwrap_or(100).clamp(60, 120)
}

/// Returns the width of a terminal; `None` if there is none, or it does not know.
pub(crate) fn width(terminal: impl AsFd) -> Option<usize> {
    let columns = rustix::termios::tcgetwinsize(terminal).ok()?.ws_col;
    (columns > 0).then_some(columns.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_replace_the_line_of_progress() {
        let mut screen = Screen::new(Vec::new());
        screen.overwrite("3 of 24");
        screen.overwrite("4 of 24");
        writeln!(screen.lasting(), "a message").unwrap();
        writeln!(screen.lasting(), "another").unwrap();
        let written = String::from_utf8(screen.to).unwrap();
        assert_eq!(written, format!("3 of 24{CLEAR}4 of 24{CLEAR}a message\nanother\n"));
    }

    #[test]
    fn progress_is_cut_to_the_terminals_width() {
        assert_eq!(cut("3 of 24 · 12 %", 14), "3 of 24 · 12 %");
        assert_eq!(cut("3 of 24 · 12 %", 9), "3 of 24 ·");
        assert_eq!(cut("小さい", 5), "小さ", "each takes two columns");
        assert_eq!(cut("e\u{301}tude", 2), "e\u{301}t", "an accent takes none");
    }

    #[test]
    fn long_lines_break_between_words_except_in_commands() {
        let text = "one two three\n  four five six\n  leyden replay file match\n";
        assert_eq!(wrapped(text, 11), "one two\nthree\n  four five\n  six\n  leyden replay file match\n");
    }

    #[test]
    fn output_never_moves_cursor_or_turns_text() {
        assert_eq!(
            safe("a\u{1b}[2J\tb\nc\r\u{202e}d\u{9b}", false),
            "a\u{fffd}[2J\tb\nc\u{fffd}\u{fffd}d\u{fffd}"
        );
        assert_eq!(safe("::error::x", false), "::error::x");
    }

    #[test]
    fn printed_text_is_never_a_workflow_command() {
        let printed = safe("::error::a\n \u{a0}\t::b\nc ::d\ne ##[group]f\n##[add-mask]g\r::h\n", true);
        assert_eq!(printed, ": :error::a\n \u{a0}\t: :b\nc ::d\ne # #[group]f\n# #[add-mask]g\u{fffd}::h\n");
        for line in printed.lines() {
            assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{line:?}");
        }
    }

    #[test]
    fn quoted_word_reads_back_unchanged_in_bash() {
        use std::os::unix::ffi::OsStrExt;
        for word in [&b"plain"[..], b"two words", b"it's", b"r\xff'\\n\n.db", b""] {
            let word = OsStr::from_bytes(word);
            let command = format!("printf %s {}", quoted(word));
            let read = std::process::Command::new("bash").args(["-c", &command]).output().unwrap();
            assert_eq!(OsStr::from_bytes(&read.stdout), word, "{command}");
        }
    }

    #[test]
    fn json_means_the_same() {
        let value = serde_json::json!({"##[a]": ["\u{202e}##[b]\n::c\"", "d\u{1b}\u{7f}\u{9b}\u{2028}é😀", 1, "###[["]});
        for pretty in [false, true] {
            let mut out = JsonOut(Vec::new());
            if pretty {
                serde_json::to_writer_pretty(&mut out, &value).unwrap();
            } else {
                serde_json::to_writer(&mut out, &value).unwrap();
            }
            let text = String::from_utf8(out.0).unwrap();
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
            assert!(!text.contains("##[") && !text.chars().any(|c| is_hidden(c) && c != '\n'), "{text}");
            assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{text}");
        }
    }
}
