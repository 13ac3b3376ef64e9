//! A page for a terminal: headings, text wrapped to its width, rows, and drawings, which are never wrapped. It knows
//! nothing about the game. A no-break space is written as a blank at which no line ends.

use std::fmt::Display;

use textwrap::{Options, WordSplitter};

/// The indentation of text.
const INDENT: &str = "  ";

/// The indentation of a drawing, where there is room.
const DRAWING_INDENT: usize = 6;

pub(super) const NO_BREAK: char = '\u{a0}';

/// Returns a row as `write` reads it.
pub(super) fn row(label: impl Display, text: &str) -> String {
    format!("| {label} | {text}")
}

/// Returns a drawing as `write` reads it.
pub(super) fn drawn(lines: &[String]) -> String {
    lines.iter().map(|line| format!("!{line}")).collect::<Vec<_>>().join("\n")
}

pub(super) struct RulesPage {
    width: usize,
    text: String,
    /// The mark of what was written last: items, commands and rows have no empty line between them.
    last: Option<char>,
}

impl RulesPage {
    pub(super) fn new(width: usize) -> Self {
        Self { width, text: String::new(), last: None }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Writes a text. A line that begins with `#` is a heading, with `-` an item, with `$` a command, with `|` a row of a label and a
    /// text, with `!` a line of a drawing. Other lines belong to the paragraph or the item before them, unless a line is empty.
    pub(super) fn write(&mut self, text: &str) {
        let mut blocks: Vec<(char, String)> = Vec::new();
        let mut is_open = false;
        for line in text.lines() {
            let line = if line.starts_with('!') { line } else { line.trim() };
            let mark = line.chars().next().filter(|&mark| "#-$|!".contains(mark));
            match (mark, blocks.last_mut()) {
                _ if line.is_empty() => {}
                (Some(mark), _) => blocks.push((mark, line[1..].to_owned())),
                (None, Some((_, block))) if is_open => block.extend([" ", line]),
                (None, _) => blocks.push((' ', line.to_owned())),
            }
            is_open = !line.is_empty();
        }
        for blocks in blocks.chunk_by(|(one, _), (other, _)| one == other) {
            let texts = blocks.iter().map(|(_, text)| text.as_str());
            match blocks[0].0 {
                '|' => self.rows(&texts.filter_map(|row| row.trim().split_once(" | ")).collect::<Vec<_>>()),
                '!' => self.drawing(&texts.collect::<Vec<_>>()),
                mark => texts.for_each(|text| self.block(mark, text.trim())),
            }
        }
    }

    fn block(&mut self, mark: char, text: &str) {
        self.part(mark);
        match mark {
            '#' => self.wrapped("", "", &text.to_uppercase()),
            '-' => self.wrapped(&format!("{INDENT}- "), &format!("{INDENT}  "), text),
            '$' => self.command(text),
            _ => self.wrapped(INDENT, INDENT, text),
        }
    }

    /// Writes rows of a label and a text, with the texts aligned.
    fn rows(&mut self, rows: &[(&str, &str)]) {
        let widest = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        self.part('|');
        for (label, text) in rows {
            let first = format!("{INDENT}{label:widest$}{INDENT}");
            let later = " ".repeat(first.chars().count());
            self.wrapped(&first, &later, text);
        }
    }

    /// Writes a command line, broken where a shell allows it.
    fn command(&mut self, words: &str) {
        const CONTINUED: &str = " \\";
        let (first, later) = (INDENT.repeat(2), INDENT.repeat(3));
        let whole = lines(&first, &later, words, self.width);
        let lines = match &whole[..] {
            [_] => whole,
            _ => lines(&first, &later, words, self.width - CONTINUED.len()),
        };
        self.text.push_str(&(lines.join(&format!("{CONTINUED}\n")) + "\n"));
    }

    /// Writes a drawing, made for the available columns.
    fn drawing(&mut self, lines: &[&str]) {
        self.part('!');
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let indent = self.width.saturating_sub(widest).min(DRAWING_INDENT);
        for line in lines {
            self.text.push_str(format!("{:indent$}{line}", "").trim_end());
            self.text.push('\n');
        }
    }

    /// Begins a part, behind an empty line unless it belongs to what was written last.
    fn part(&mut self, mark: char) {
        let is_joined = self.last.is_none_or(|last| last == '#' || last == mark && "-$|".contains(mark));
        if !is_joined {
            self.text.push('\n');
        }
        self.last = Some(mark);
    }

    fn wrapped(&mut self, first: &str, later: &str, text: &str) {
        let lines = lines(first, later, text, self.width);
        self.text.push_str(&(lines.join("\n") + "\n"));
    }
}

fn lines(first: &str, later: &str, text: &str, width: usize) -> Vec<String> {
    // Tiles are written with a hyphen, so lines are not broken there.
    let options = Options::new(width)
        .initial_indent(first)
        .subsequent_indent(later)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::wrap(text, options)
        .into_iter()
        .map(|line| line.trim_end().replace([NO_BREAK, '\u{202f}'], " "))
        .collect()
}
