//! Source text as tokens, in which names, numbers and texts are all alike, and comments and layout are nothing.

/// How a language writes comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comments {
    /// From `#` to the end of the line; texts in three quotes count as comments, too.
    Hash,
    /// From `//` to the end of the line, and from `/*` to `*/`.
    Slashes,
    /// From `--` to the end of the line.
    Dashes,
}

/// The languages that are read, by the endings of their files.
const LANGUAGES: [(&[&str], Comments); 3] = [
    (&["py", "sh", "bash", "pl", "rb", "r", "jl"], Comments::Hash),
    (
        &[
            "js", "mjs", "cjs", "ts", "java", "c", "h", "cpp", "cc", "cxx", "hpp", "cs", "rs", "go", "kt",
            "swift", "scala", "php", "dart", "zig",
        ],
        Comments::Slashes,
    ),
    (&["lua", "hs", "sql"], Comments::Dashes),
];

/// Words that say what a line does: they stay themselves. Every other word is a name.
const KEYWORDS: [&str; 56] = [
    "and",
    "as",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "def",
    "default",
    "do",
    "elif",
    "else",
    "enum",
    "except",
    "fn",
    "for",
    "foreach",
    "from",
    "func",
    "function",
    "if",
    "impl",
    "import",
    "in",
    "interface",
    "lambda",
    "let",
    "loop",
    "match",
    "my",
    "new",
    "not",
    "or",
    "package",
    "print",
    "private",
    "public",
    "raise",
    "return",
    "static",
    "struct",
    "sub",
    "switch",
    "then",
    "throw",
    "try",
    "use",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "local",
];

/// A token: its kind as a number, and its line, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: u32,
    pub(super) line: u32,
}

const NAME: u32 = 1;
const NUMBER: u32 = 2;
const TEXT: u32 = 3;
/// Keywords are numbered from here, and characters from the next one.
const FIRST_KEYWORD: u32 = 16;
const FIRST_CHARACTER: u32 = 256;

/// Returns the tokens of a file; `None` if its language is not read.
pub(super) fn tokenize(file_name: &str, text: &str) -> Option<Vec<Token>> {
    let (_, ending) = file_name.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    let (_, comments) = LANGUAGES.iter().find(|(endings, _)| endings.contains(&ending.as_str()))?;
    let mut reader = Reader { rest: text, line: 1, comments: *comments, tokens: Vec::new() };
    while reader.step() {}
    Some(reader.tokens)
}

struct Reader<'a> {
    rest: &'a str,
    line: u32,
    comments: Comments,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    /// Reads one token, comment or blank; false at the end.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else { return false };
        if let Some(length) = self.comment() {
            self.skip(length);
        } else if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if is_of_name(first) && !first.is_ascii_digit() {
            let word = self.while_in(is_of_name);
            let keyword = KEYWORDS.iter().position(|keyword| *keyword == &self.rest[..word]);
            self.take(keyword.map_or(NAME, |at| FIRST_KEYWORD + at as u32), word);
        } else if first.is_ascii_digit() {
            let number = self.while_in(|c| is_of_name(c) || c == '.');
            self.take(NUMBER, number);
        } else if let Some(length) = self.quoted(first) {
            self.take(TEXT, length);
        } else {
            self.take(FIRST_CHARACTER + u32::from(first), first.len_utf8());
        }
        true
    }

    /// Returns the length of a comment that begins here.
    fn comment(&self) -> Option<usize> {
        let line = || self.rest.find('\n').unwrap_or(self.rest.len());
        let until = |open: &str, close: &str| {
            let inside = self.rest.strip_prefix(open)?;
            Some(inside.find(close).map_or(self.rest.len(), |at| open.len() + at + close.len()))
        };
        match self.comments {
            Comments::Hash if self.rest.starts_with('#') => Some(line()),
            Comments::Hash => until("\"\"\"", "\"\"\"").or_else(|| until("'''", "'''")),
            Comments::Slashes if self.rest.starts_with("//") => Some(line()),
            Comments::Slashes => until("/*", "*/"),
            Comments::Dashes => self.rest.starts_with("--").then(line),
        }
    }

    /// Returns the length of a text in quotes that ends on its line; a lone quote, as in `'a` of Rust, is none.
    fn quoted(&self, quote: char) -> Option<usize> {
        if !matches!(quote, '"' | '\'' | '`') {
            return None;
        }
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                '\n' if quote != '`' => return None,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == quote => return Some(at + quote.len_utf8()),
                _ => {}
            }
        }
        None
    }

    fn while_in(&self, is_in: impl Fn(char) -> bool) -> usize {
        self.rest.find(|c| !is_in(c)).unwrap_or(self.rest.len())
    }

    fn take(&mut self, kind: u32, length: usize) {
        self.tokens.push(Token { kind, line: self.line });
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        let (skipped, rest) = self.rest.split_at(length);
        self.line += skipped.matches('\n').count() as u32;
        self.rest = rest;
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(file: &str, text: &str) -> Vec<u32> {
        tokenize(file, text).unwrap().iter().map(|token| token.kind).collect()
    }

    #[test]
    fn names_numbers_texts_and_comments_make_no_difference() {
        let one = "def best(hand):\n    return max(hand, key=lambda tile: tile[0] + 1)  # heaviest\n";
        let two = "# mine\ndef a(b):\n\n    \"\"\"Says why.\"\"\"\n    return z(b, q=lambda w: w[7] + 25)\n";
        assert_eq!(kinds("a.py", one), kinds("b.py", two));
        assert_ne!(kinds("a.py", one), kinds("b.py", "def a(b):\n    return z(b)\n"));
        let java = "int a = f('x', \"y\"); // sum\n/* more\n */ if (a > 2) { g(a); }";
        assert_eq!(kinds("A.java", java), kinds("B.java", "T b=h('\\'',\"\"); if(b>77){k(b);}"));
    }

    #[test]
    fn tokens_carry_lines_and_unknown_files_yield_none() {
        let lines: Vec<u32> =
            tokenize("a.c", "a\n/* b\n */ c\n\nd").unwrap().iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 3, 5]);
        for unread in ["weights.bin", "README", "notes.txt"] {
            assert_eq!(tokenize(unread, "a b"), None);
        }
        // A lifetime is no text that swallows the rest.
        assert_eq!(kinds("a.rs", "fn f<'a>(x: &'a str) {}"), kinds("a.rs", "fn g<'b>(y: &'b Str) {}"));
    }
}
