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
    /// What was written last: list items of the same kind have no empty line between them.
    last: Part,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Nothing,
    Heading,
    Text,
    Point,
    Row,
    Command,
    Drawing,
}

impl RulesPage {
    pub(super) fn new(width: usize) -> Self {
        Self { width, text: String::new(), last: Part::Nothing }
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
        match mark {
            '#' => {
                self.part(Part::Heading);
                self.wrapped("", "", &text.to_uppercase());
            }
            '-' => {
                self.part(Part::Point);
                self.wrapped(&format!("{INDENT}- "), &format!("{INDENT}  "), text);
            }
            '$' => self.command(text),
            _ => {
                self.part(Part::Text);
                self.wrapped(INDENT, INDENT, text);
            }
        }
    }

    /// Writes rows of a label and a text, with the texts aligned.
    fn rows(&mut self, rows: &[(&str, &str)]) {
        let widest = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        for (label, text) in rows {
            self.part(Part::Row);
            let first = format!("{INDENT}{label:widest$}{INDENT}");
            let later = " ".repeat(first.chars().count());
            self.wrapped(&first, &later, text);
        }
    }

    /// Writes a command line, broken where a shell allows it.
    fn command(&mut self, words: &str) {
        const CONTINUED: &str = " \\";
        self.part(Part::Command);
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
        self.part(Part::Drawing);
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let indent = self.width.saturating_sub(widest).min(DRAWING_INDENT);
        for line in lines {
            self.text.push_str(format!("{:indent$}{line}", "").trim_end());
            self.text.push('\n');
        }
    }

    fn part(&mut self, part: Part) {
        let listed = matches!(part, Part::Point | Part::Row | Part::Command);
        let joined = match self.last {
            Part::Nothing | Part::Heading => true,
            last => last == part && listed,
        };
        if !joined {
            self.text.push('\n');
        }
        self.last = part;
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
