//! The output for GitHub Actions: annotations beside the run, and a summary of the step.
//!
//! Both are written only if the environment says that this is such a run. Annotations go to standard error, which the runner reads
//! as it reads standard output; so standard output stays pure data.

use std::env;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use leyden_arena::report::column::markdown;
use leyden_arena::report::standing_columns::{ResultColumn, StandingColumn, for_people};
use leyden_arena::report::{Faults, Standings};

use super::faults;
use super::figures::Figures;
use super::grid::plain;
use crate::out;

/// The severity of an annotation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    Error,
    Warning,
    Notice,
}

impl Severity {
    const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

/// Annotates the run, if it is one of GitHub Actions.
pub(crate) fn annotate(level: Severity, title: &str, message: &str) {
    if out::obeys_commands() {
        out::command(&command(level, title, message));
    }
}

/// Writes a warning for each bot and kind of fault; `file` is the results file, if it is kept.
pub(crate) fn annotate_faults(faults: &Faults, file: Option<&Path>) {
    for (name, sentence) in faults::sentences(faults, file) {
        annotate(Severity::Warning, &format!("{name} faulted"), &sentence);
    }
}

/// Says why the program ends without an answer.
pub(crate) fn annotate_stop(code: u8, message: &str) {
    annotate(Severity::Error, "leyden", message);
    summarise(&(heading(&format!("leyden ended with exit code {code}")) + &fenced(message)));
}

/// Returns a workflow command, with everything escaped that would end it.
fn command(level: Severity, title: &str, message: &str) -> String {
    // Line breaks in a message are escaped, so they are kept.
    let message = message.lines().map(plain).collect::<Vec<_>>().join("\n");
    let message = message.replace('%', "%25").replace('\n', "%0A").replace("##[", "# #[");
    let title = plain(title).replace('%', "%25").replace("##[", "# #[");
    let title = title.replace(':', "%3A").replace(',', "%2C");
    format!("::{} title={title}::{message}", level.word())
}

/// Adds to the step's summary, if there is one. A failure to write it is reported, and changes nothing else.
pub(crate) fn summarise(markdown: &str) {
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else { return };
    let written = OpenOptions::new()
        .append(true)
        .create(true)
        .open(&path)
        .and_then(|mut file| file.write_all(markdown.as_bytes()));
    if let Err(error) = written {
        let path = Path::new(&path).display();
        out::say(format_args!("cannot write the step summary to {path}: {error}"));
    }
}

/// Returns a heading of the summary.
pub(crate) fn heading(text: &str) -> String {
    format!("### {}\n\n", escaped(text))
}

/// Returns a fenced block of these lines: its fence is longer than any run of backticks in them.
pub(crate) fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let lines: String = text.trim_matches('\n').lines().map(|line| plain(line) + "\n").collect();
    format!("{fence}text\n{lines}{fence}\n\n")
}

/// Returns a heading with figures under it.
pub(crate) fn figures_markdown(title: &str, figures: &Figures) -> String {
    let mut text = heading(title) + "| | |\n|---|---|\n";
    for (name, value) in figures {
        let _ = writeln!(text, "| {} | {} |", escaped(name), escaped(value)); // writing to a String cannot fail
    }
    text.push('\n');
    text
}

/// Returns the best bots as a table; a summary has a size limit.
pub(crate) fn standings_markdown(standings: &Standings) -> String {
    use ResultColumn::{Drawn, Faults, Lost, Margin, Score, Won};
    use StandingColumn::{Bot, HalfWidth, Place, Rating};
    const SHOWN: usize = 100;
    let results = [Score, Won, Drawn, Lost, Margin, Faults];
    let columns = for_people(&[Place, Bot, Rating, HalfWidth], &results, escaped);
    let mut text = format!("### Standings\n\n{}", markdown(&columns, standings.bots.iter().take(SHOWN)));
    if standings.bots.len() > SHOWN {
        let _ = writeln!(text, "\n{} more are not shown here.", standings.bots.len() - SHOWN);
    }
    text.push('\n');
    text
}

/// Returns a text that stays within its table cell and is shown literally.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in plain(text).chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '\\' | '|' | '`' | '*' | '_' | '[' => safe.extend(['\\', c]),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bot_text_cannot_start_a_github_command() {
        let printed = command(Severity::Warning, "a,b: 5 %\n", "one\n::error::two\r100 %\u{202e}##[group]");
        assert_eq!(
            printed,
            "::warning title=a%2Cb%3A 5 %25\u{fffd}::one%0A::error::two\u{fffd}100 %25\u{fffd}# #[group]"
        );
        assert_eq!(
            fenced("\na `b`\n````\n::error::two\u{1b}[31m\n"),
            "`````text\na `b`\n````\n::error::two\u{fffd}[31m\n`````\n\n"
        );
        assert_eq!(escaped("a|b\n<c>"), "a\\|b\u{fffd}&lt;c>");
    }
}
