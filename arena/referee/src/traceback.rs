//! Picks the lines of a bot's standard error that show what went wrong: of a trace the exception, its cause and the
//! location in the bot's own files, in the formats of Python, Node, Java, Rust, C++, Go and C#. Text in, lines out.

/// How many of the last lines are shown if no format is recognised.
const LAST_LINES: usize = 5;

/// How many lines of a trace are searched for its location.
const TRACE: usize = 40;

/// Parts of locations within the language's own files, which say less than those in the bot's files.
const NOT_THE_BOTS: [&str; 10] = [
    "node:",
    "(<anonymous>)",
    "<frozen ",
    "/usr/lib/",
    "/lib/python",
    "java.base/",
    " java.",
    " System.",
    "/src/runtime/",
    "/go/src/",
];

/// Returns the relevant lines, in order; the last few if no format is recognised. The flag says whether one was.
pub(super) fn relevant_lines(said: &str) -> (Vec<&str>, bool) {
    let lines: Vec<&str> = said.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    let known = [go, rust, cpp, java, dotnet, sanitizer, exception].iter().find_map(|form| form(&lines));
    match known {
        Some(indices) => (indices.into_iter().filter_map(|index| lines.get(index).copied()).collect(), true),
        None => (lines[lines.len().saturating_sub(LAST_LINES)..].to_vec(), false),
    }
}

/// Indices of lines.
type LineNumbers = Vec<usize>;

fn first(lines: &[&str], from: usize, is: impl Fn(&str) -> bool) -> Option<usize> {
    (from..lines.len().min(from + TRACE)).find(|&index| is(lines[index]))
}

/// Whether a line of a trace is about the bot's own files.
fn is_the_bots(line: &str) -> bool {
    !NOT_THE_BOTS.iter().any(|part| line.contains(part))
}

/// Returns the first location of the trace after a line, in the bot's own files if there is one.
fn trace(lines: &[&str], line: usize) -> Option<usize> {
    let is_location = |line: &str| line.trim_start().starts_with("at ");
    let top = first(lines, line + 1, is_location)?;
    let mut indices = (top..lines.len()).take_while(|&at| is_location(lines[at]));
    indices.find(|&at| is_the_bots(lines[at])).or(Some(top))
}

/// Returns a line and the location after it.
fn with_trace(lines: &[&str], index: usize) -> LineNumbers {
    std::iter::once(index).chain(trace(lines, index)).collect()
}

/// `thread 'main' panicked at src/main.rs:2:5:`, and the message on the next line.
fn rust(lines: &[&str]) -> Option<LineNumbers> {
    let index =
        lines.iter().position(|line| line.starts_with("thread '") && line.contains(" panicked at "))?;
    let next = index + 1;
    let is_message = lines
        .get(next)
        .is_some_and(|line| !line.starts_with("note: ") && !line.starts_with("stack backtrace"));
    Some(std::iter::once(index).chain(is_message.then_some(next)).collect())
}

/// `terminate called after throwing an instance of 'std::runtime_error'`, and `  what():  …`.
fn cpp(lines: &[&str]) -> Option<LineNumbers> {
    let index = lines
        .iter()
        .position(|line| line.contains("terminate called ") || line.contains("terminating due to "))?;
    let what = first(lines, index + 1, |line| line.trim_start().starts_with("what():"));
    Some(std::iter::once(index).chain(what).collect())
}

/// `Exception in thread "main" …`, or its cause, each with its first location. (Python names its threads without quotes.)
fn java(lines: &[&str]) -> Option<LineNumbers> {
    let index = lines.iter().position(|line| line.starts_with("Exception in thread \""))?;
    let cause = lines.iter().rposition(|line| line.starts_with("Caused by: "));
    Some(match cause.filter(|&cause| cause > index) {
        Some(cause) => std::iter::once(index).chain(with_trace(lines, cause)).collect(),
        None => with_trace(lines, index),
    })
}

/// `Unhandled exception. System.…: …`, and the first location.
fn dotnet(lines: &[&str]) -> Option<LineNumbers> {
    let index = lines.iter().position(|line| line.starts_with("Unhandled exception. "))?;
    // The cause is between the exception and the locations: ` ---> System.…: …`.
    let cause = first(lines, index + 1, |line| line.trim_start().starts_with("---> "));
    Some(std::iter::once(index).chain(with_trace_of(lines, cause, index)).collect())
}

/// Returns a cause with its location; without a cause, the location of the exception itself.
fn with_trace_of(lines: &[&str], cause: Option<usize>, exception: usize) -> LineNumbers {
    cause.map_or_else(|| trace(lines, exception).into_iter().collect(), |cause| with_trace(lines, cause))
}

/// `panic: …`, and the first location in a file of Go.
fn go(lines: &[&str]) -> Option<LineNumbers> {
    let index =
        lines.iter().position(|line| line.starts_with("panic: ") || line.starts_with("fatal error: "))?;
    let goroutine = first(lines, index + 1, |line| line.starts_with("goroutine "))?;
    let is_location = |line: &str| line.starts_with('\t') && line.contains(".go:");
    let at = first(lines, goroutine + 1, |line| is_location(line) && is_the_bots(line))
        .or_else(|| first(lines, goroutine + 1, is_location));
    Some(std::iter::once(index).chain(at).collect())
}

/// The report of a C compiler's sanitizer.
fn sanitizer(lines: &[&str]) -> Option<LineNumbers> {
    let index = lines.iter().position(|line| line.contains("ERROR: ") && line.contains("Sanitizer"))?;
    let at = first(lines, index + 1, |line| line.trim_start().starts_with("#0 "));
    Some(std::iter::once(index).chain(at).collect())
}

/// How many exceptions are shown of a bot that has written several.
const EXCEPTIONS: usize = 3;

/// The last different exceptions of Python or JavaScript: what a bot's children write comes between and after its own
/// lines, and nothing says whose they are. An exception that led to another one is shown with that one, and none is
/// shown twice, not even a truncated copy.
fn exception(lines: &[&str]) -> Option<LineNumbers> {
    // "Exception in thread …" and "Exception ignored in: …" are above a trace.
    let leads_on = |index: usize| {
        lines[index].starts_with("Exception ")
            || lines.get(index + 1).is_some_and(|next| leads_to_another(next))
    };
    let mut last: Vec<usize> = Vec::new();
    for index in (0..lines.len()).rev().filter(|&index| names_exception(lines[index]) && !leads_on(index)) {
        if last.len() < EXCEPTIONS && last.iter().all(|&other| !lines[other].starts_with(lines[index])) {
            last.push(index);
        }
    }
    let lines_of = last.iter().rev().flat_map(|&index| {
        let is_python = lines[..index].iter().any(|line| line.trim_start().starts_with("File \""));
        if is_python { python(lines, index) } else { javascript(lines, index) }
    });
    Some(lines_of.collect()).filter(|lines_of: &LineNumbers| !lines_of.is_empty())
}

/// "During handling of the above exception, another one occurred", or it "was the direct cause".
fn leads_to_another(line: &str) -> bool {
    line.contains(" the above exception") || line.starts_with("The above exception")
}

/// An exception of JavaScript, the location after it, and its cause (`[cause]: TypeError: …`), with its own location. If a
/// file cannot be parsed as JavaScript, the location comes before: `/b/bot.js:1`, and the line.
fn javascript(lines: &[&str], index: usize) -> LineNumbers {
    let cause = (index + 1..lines.len()).rfind(|&at| lines[at].trim_start().starts_with("[cause]: "));
    let behind = with_trace_of(lines, cause, index);
    if cause.is_some() || behind.iter().any(|&at| is_the_bots(lines[at])) {
        return std::iter::once(index).chain(behind).collect();
    }
    let is_location =
        |line: &str| line.rsplit_once(':').is_some_and(|(_, number)| number.parse::<u32>().is_ok());
    let before =
        (index.saturating_sub(4)..index).find(|&at| is_location(lines[at]) && is_the_bots(lines[at]));
    before.into_iter().flat_map(|at| [at, at + 1]).chain([index]).collect()
}

/// An exception of Python, the location before it, and the exception that was being handled then or that caused it.
fn python(lines: &[&str], index: usize) -> LineNumbers {
    let begins = |line: &str| line.starts_with("Traceback ");
    let trace = (index.saturating_sub(TRACE)..index).rfind(|&at| begins(lines[at]));
    let from = trace.unwrap_or(index.saturating_sub(TRACE));
    let is_location = |at: &usize| lines[*at].trim_start().starts_with("File \"");
    let file = (from..index).rev().filter(is_location).find(|&at| is_the_bots(lines[at]));
    let file = file.or_else(|| (from..index).rfind(|at| is_location(at)));
    let code = file.map(|file| file + 1).filter(|&code| code < index);
    let is_chained = lines[..from].last().is_some_and(|line| leads_to_another(line));
    let cause = lines[..from].iter().position(|line| names_exception(line)).filter(|_| is_chained);
    cause.into_iter().chain(file).chain(code).chain([index]).collect()
}

/// Whether a line begins with the name of an exception: `ValueError`, `json.decoder.JSONDecodeError: …`, `Uncaught TypeError: …`,
/// `[UnhandledPromiseRejection: …`.
fn names_exception(line: &str) -> bool {
    let line = line.strip_prefix("Uncaught ").or_else(|| line.strip_prefix('[')).unwrap_or(line);
    let head = line.split_once([':', ' ']).map_or(line, |(head, _)| head);
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    ["Error", "Exception", "Interrupt", "Exit", "Rejection"].iter().any(|end| head.ends_with(end))
        && head.chars().all(is_name)
        && !line.starts_with("Exception in thread ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(said: &str) -> Vec<&str> {
        let (lines, is_known) = relevant_lines(said);
        assert!(is_known, "{said}");
        lines.into_iter().map(str::trim).collect()
    }

    #[test]
    fn trace_is_reduced_to_exception_and_its_location() {
        let python = "starting\nTraceback (most recent call last):\n  File \"bot.py\", line 3, in <module>\n    main()\n  File \
                      \"leyden.py\", line 70, in main\n    act(choose(turn))\nValueError: no idea\n";
        assert_eq!(
            lines_of(python),
            ["File \"leyden.py\", line 70, in main", "act(choose(turn))", "ValueError: no idea"]
        );
        let thread = "Exception in thread Thread-1 (f):\nTraceback (most recent call last):\n  File \"/usr/lib/python3.11/threading.py\", \
                      line 975, in run\n    self._target()\n  File \"bot.py\", line 2, in f\n    json.loads(x)\n  File \
                      \"/usr/lib/python3.11/json/decoder.py\", line 355, in raw_decode\n    raise JSONDecodeError(y)\nValueError: in thread\n";
        assert_eq!(
            lines_of(thread),
            ["File \"bot.py\", line 2, in f", "json.loads(x)", "ValueError: in thread"]
        );
        let syntax =
            "  File \"/b/bot.py\", line 2\n    print(\n         ^\nSyntaxError: '(' was never closed\n";
        assert_eq!(lines_of(syntax).last(), Some(&"SyntaxError: '(' was never closed"));
        let chained = format!(
            "{python}\nDuring handling of the above exception, another exception occurred:\n\n{}",
            python
                .trim_start_matches("starting\n")
                .replace("ValueError: no idea", "json.decoder.JSONDecodeError: x")
        );
        assert_eq!(
            lines_of(&chained),
            [
                "ValueError: no idea",
                "File \"leyden.py\", line 70, in main",
                "act(choose(turn))",
                "json.decoder.JSONDecodeError: x"
            ]
        );
        let node = "/b/bot.js:3\n  throw new TypeError('x')\n  ^\n\nTypeError: x\n    at choose (/b/bot.js:3:9)\n    at main \
                    (/b/leyden.js:4:4)\n\nNode.js v20.1.0\n";
        assert_eq!(lines_of(node), ["TypeError: x", "at choose (/b/bot.js:3:9)"]);
        let cause = "/b/bot.js:2\ntry { f() } catch (e) { throw new Error('no plan', {cause: e}) }\n    ^\n\nError: no plan\n    at \
                     Object.<anonymous> (/b/bot.js:2:31)\n    at node:internal/main/run_main_module:28:49 {\n  [cause]: TypeError: x is \
                     null\n      at Array.map (<anonymous>)\n      at f (/b/bot.js:1:20)\n}\n\nNode.js v20.1.0\n";
        assert_eq!(
            lines_of(cause),
            ["Error: no plan", "[cause]: TypeError: x is null", "at f (/b/bot.js:1:20)"]
        );
        let unreadable = "/b/bot.js:1\nlet x = ;\n        ^\n\nSyntaxError: Unexpected token ';'\n    at wrapSafe \
                          (node:internal/modules/cjs/loader:1464:18)\n\nNode.js v20.1.0\n";
        assert_eq!(lines_of(unreadable), ["/b/bot.js:1", "let x = ;", "SyntaxError: Unexpected token ';'"]);
        let rejected = "node:internal/process/promises:288\n            triggerUncaughtException(err, true);\n            ^\n\n\
                        [UnhandledPromiseRejection: The promise rejected with the reason \"no plan\".] {\n  code: 'ERR'\n}\n";
        assert_eq!(
            lines_of(rejected),
            ["[UnhandledPromiseRejection: The promise rejected with the reason \"no plan\".] {"]
        );
        let java = "Exception in thread \"main\" java.lang.RuntimeException: outer\n\tat Leyden.run(Leyden.java:9)\n\tat \
                    Bot.main(Bot.java:3)\nCaused by: java.lang.IllegalStateException: inner\n\tat java.base/java.util.Objects.checkIndex(Objects.java:385)\n\tat Bot.choose(Bot.java:7)\n\t... 2 more\n";
        assert_eq!(
            lines_of(java),
            [
                "Exception in thread \"main\" java.lang.RuntimeException: outer",
                "Caused by: java.lang.IllegalStateException: inner",
                "at Bot.choose(Bot.java:7)"
            ]
        );
        let rust = "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds: the len is 0\nnote: run with `RUST_BACKTRACE=1`\n";
        assert_eq!(
            lines_of(rust),
            ["thread 'main' panicked at src/main.rs:2:5:", "index out of bounds: the len is 0"]
        );
        let cpp = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::at\nAborted\n";
        assert_eq!(
            lines_of(cpp),
            ["terminate called after throwing an instance of 'std::out_of_range'", "what():  vector::at"]
        );
        let go = "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\npanic(...)\n\t/usr/local/go/src/runtime/panic.go:770\nmain.choose(...)\n\t/b/bot.go:12\nmain.main()\n\t/b/leyden.go:9 +0x1d\nexit status 2\n";
        assert_eq!(lines_of(go), ["panic: runtime error: index out of range [3]", "/b/bot.go:12"]);
        let csharp = "Unhandled exception. System.Exception: x\n   at System.Collections.List.Get(Int32 index)\n   at Bot.Choose() in \
                      /b/Bot.cs:line 4\n   at Leyden.Main()\n";
        assert_eq!(
            lines_of(csharp),
            ["Unhandled exception. System.Exception: x", "at Bot.Choose() in /b/Bot.cs:line 4"]
        );
        let inner = csharp.replace(": x\n", ": x\n ---> System.FormatException: y\n");
        assert_eq!(
            lines_of(&inner)[1..],
            ["---> System.FormatException: y", "at Bot.Choose() in /b/Bot.cs:line 4"]
        );
    }

    #[test]
    fn each_distinct_exception_is_shown_only_once() {
        let of = |line: &str, what: &str| {
            format!(
                "Traceback (most recent call last):\n  File \"bot.py\", line 8, in <module>\n    {line}\n{what}\n"
            )
        };
        let child = of("os.setsid()", "PermissionError: [Errno 1] Operation not permitted");
        let own = of("if os.fork() == 0:", "BlockingIOError: [Errno 11] Resource temporarily unavailable");
        let cut = &child[..child.len() - 20];
        let said = [&*child, cut, "\n", &own, &child.repeat(40)].concat();
        let at = "File \"bot.py\", line 8, in <module>";
        assert_eq!(
            lines_of(&said),
            [
                at,
                "if os.fork() == 0:",
                "BlockingIOError: [Errno 11] Resource temporarily unavailable",
                at,
                "os.setsid()",
                "PermissionError: [Errno 1] Operation not permitted",
            ]
        );
    }

    #[test]
    fn text_without_trace_is_reduced_to_last_lines() {
        let lines: Vec<String> = (0..9)
            .map(|n| {
                format!(
                    "line {n}

"
                )
            })
            .collect();
        let said = lines.concat();
        assert_eq!(relevant_lines(&said), (vec!["line 4", "line 5", "line 6", "line 7", "line 8"], false));
        assert_eq!(relevant_lines(""), (Vec::new(), false));
        assert!(!relevant_lines("no Error: in here\nIt exits\n").1);
    }
}
