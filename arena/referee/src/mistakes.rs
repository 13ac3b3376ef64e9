//! Mistakes that are known by the words of their exception. Text in, value out.

use leyden_model::Mistake;

/// Words that all occur in the line of an exception, and the mistake behind it. The first that fits counts.
const MISTAKES: [(&[&str], Mistake); 19] = [
    (&["SyntaxError: Unexpected", "JSON"], Mistake::PiecesInNode),
    (&["SyntaxError: Expected", "JSON"], Mistake::PiecesInNode),
    (&["SyntaxError: Unterminated string in JSON"], Mistake::PiecesInNode),
    (&["JSONDecodeError: Extra data"], Mistake::NotOneLineInPython),
    (&["JSONDecodeError: Expecting value: line 1 column 1 (char 0)"], Mistake::NotOneLineInPython),
    (&["KeyError: 'legal'"], Mistake::NotATurn),
    (&["EOFError: EOF when reading a line"], Mistake::InputHasEnded),
    (&["NoSuchElementException: No line found"], Mistake::InputHasEnded),
    (&["TypeError: Object of type coroutine is not JSON"], Mistake::Coroutine),
    (&["TypeError: Object of type", "is not JSON serializable"], Mistake::NotJsonInPython),
    (&["SyntaxError: Cannot use import statement outside a module"], Mistake::ModuleInNode),
    (&["SyntaxError: Unexpected token 'export'"], Mistake::ModuleInNode),
    (&["ReferenceError: require is not defined"], Mistake::RequireInModule),
    (&["Unknown file extension", ".ts"], Mistake::TypeScript),
    (&["Could not find or load main class"], Mistake::JavaClass),
    (&["SyntaxError: Missing parentheses in call to 'print'"], Mistake::Python2),
    (&["IndentationError: "], Mistake::Indentation),
    (&["TabError: "], Mistake::Indentation),
    (&["RecursionError: "], Mistake::Recursion),
];

/// Returns the mistake behind the last exception in standard error that is known here.
pub(super) fn mistake_in(said: &str) -> Option<Mistake> {
    let mistake = |line: &str| {
        let is_it = |(words, _): &&(&[&str], Mistake)| words.iter().all(|word| line.contains(word));
        MISTAKES.iter().find(is_it).map(|(_, mistake)| *mistake)
    };
    said.lines().rev().find_map(mistake)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_are_known_by_their_words() {
        for (said, cause) in [
            ("SyntaxError: Unexpected non-whitespace character after JSON at position 125", "readline"),
            ("SyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)", "readline"),
            ("SyntaxError: Unexpected token '{', \"\"}{\"\" is not valid JSON", "readline"),
            ("json.decoder.JSONDecodeError: Extra data: line 2 column 1 (char 120)", "line by line"),
            ("TypeError: Object of type coroutine is not JSON serializable", "remove async"),
            ("TypeError: Object of type set is not JSON serializable", "one of the strings"),
            ("SyntaxError: Cannot use import statement outside a module", "bot.mjs"),
            ("EOFError: EOF when reading a line", "no keyboard"),
            ("KeyError: 'legal'", "look at the type"),
            ("TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension \".ts\" for bot.ts", "22.18"),
        ] {
            let named = mistake_in(said).map(|mistake| mistake.to_string());
            assert!(named.as_ref().is_some_and(|named| named.contains(cause)), "{said}: {named:?}");
        }
        for said in ["", "SyntaxError: Unexpected token ';'", "KeyError: 'moves'"] {
            assert_eq!(mistake_in(said), None, "{said}");
        }
    }
}
