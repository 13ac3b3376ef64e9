//! Mistakes that are known by the words of their exception, and what to do about each. Text in, text out.

/// An exception, by words that all occur in its line of standard error, and its cause.
struct Mistake {
    words: &'static [&'static str],
    cause: &'static str,
}

const PIECES_IN_NODE: &str = "JSON.parse got more or less than one line: a data event brings any piece of the input. Read lines: \
    require(\"readline\").createInterface({ input: process.stdin }).on(\"line\", (line) => …)";
const NOT_ONE_LINE_IN_PYTHON: &str = "json.loads got no line, or more than one: read the input line by line (for line in sys.stdin), \
    and parse each by itself";
const INPUT_HAS_ENDED: &str = "it read on after the end of its input, or asked for keys to be pressed: there is no keyboard, only \
    lines from the arena, and when these end the bot exits";
const COROUTINE: &str = "choose is async, so calling it gives a coroutine and not an action: remove async, or write \
    asyncio.run(choose(…))";
const MODULES: &str = "node took the file for CommonJS: call it bot.mjs, or put a package.json with {\"type\": \"module\"} beside it";
const REQUIRE: &str =
    "node took the file for an ES module: call it bot.cjs, or write import instead of require";
const TYPESCRIPT: &str = "this node does not run TypeScript; version 22.18 and later does. With an older one, compile first (build = \
    [\"tsc\", …]) and run the JavaScript";
const JAVA_CLASS: &str = "java looked for a compiled class: run the source file (command = [\"java\", \"Bot.java\"]), or compile it \
    first (build = [\"javac\", \"-d\", \"build\", \"Bot.java\"], command = [\"java\", \"-cp\", \"build\", \"Bot\"])";
const PYTHON_2: &str = "this is Python 2: print is a function in Python 3, as in print(text, flush=True)";
const INDENTATION: &str =
    "the lines of a block must begin with the same blanks: four for each level, and no tabs among them";
const NOT_JSON_IN_PYTHON: &str = "json.dumps knows dicts, lists, strings, numbers, True, False and None: for an action, hand it one of \
    the strings in legal";

const NOT_A_TURN: &str = "a line that is no turn was taken for one: match_start, round_end and match_end come in between and are not \
    answered, so look at the type of each line first";

/// The first that fits counts.
const MISTAKES: [Mistake; 19] = [
    Mistake { words: &["SyntaxError: Unexpected", "JSON"], cause: PIECES_IN_NODE },
    Mistake { words: &["SyntaxError: Expected", "JSON"], cause: PIECES_IN_NODE },
    Mistake { words: &["SyntaxError: Unterminated string in JSON"], cause: PIECES_IN_NODE },
    Mistake { words: &["JSONDecodeError: Extra data"], cause: NOT_ONE_LINE_IN_PYTHON },
    Mistake {
        words: &["JSONDecodeError: Expecting value: line 1 column 1 (char 0)"],
        cause: NOT_ONE_LINE_IN_PYTHON,
    },
    Mistake { words: &["KeyError: 'legal'"], cause: NOT_A_TURN },
    Mistake { words: &["EOFError: EOF when reading a line"], cause: INPUT_HAS_ENDED },
    Mistake { words: &["NoSuchElementException: No line found"], cause: INPUT_HAS_ENDED },
    Mistake { words: &["TypeError: Object of type coroutine is not JSON"], cause: COROUTINE },
    Mistake { words: &["TypeError: Object of type", "is not JSON serializable"], cause: NOT_JSON_IN_PYTHON },
    Mistake { words: &["SyntaxError: Cannot use import statement outside a module"], cause: MODULES },
    Mistake { words: &["SyntaxError: Unexpected token 'export'"], cause: MODULES },
    Mistake { words: &["ReferenceError: require is not defined"], cause: REQUIRE },
    Mistake { words: &["Unknown file extension", ".ts"], cause: TYPESCRIPT },
    Mistake { words: &["Could not find or load main class"], cause: JAVA_CLASS },
    Mistake { words: &["SyntaxError: Missing parentheses in call to 'print'"], cause: PYTHON_2 },
    Mistake { words: &["IndentationError: "], cause: INDENTATION },
    Mistake { words: &["TabError: "], cause: INDENTATION },
    Mistake {
        words: &["RecursionError: "],
        cause: "a function calls itself without end, or a search goes too deep: it needs a case in which it returns at once",
    },
];

/// Returns the cause of the last exception in standard error that is known here.
pub(super) fn cause_of(said: &str) -> Option<&'static str> {
    let cause = |line: &str| {
        let is_it = |mistake: &&Mistake| mistake.words.iter().all(|word| line.contains(word));
        MISTAKES.iter().find(is_it).map(|mistake| mistake.cause)
    };
    said.lines().rev().find_map(cause)
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
            assert!(
                cause_of(said).is_some_and(|named| named.contains(cause)),
                "{said}: {:?}",
                cause_of(said)
            );
        }
        for said in ["", "SyntaxError: Unexpected token ';'", "KeyError: 'moves'"] {
            assert_eq!(cause_of(said), None, "{said}");
        }
    }
}
