//! The lines of a bot's standard error that tell what went wrong: of a trace the exception and the first place, in the forms
//! that Python, Node, Java, Rust, C++, Go and C# give them. Text in, lines out.

/// How many of the last lines are shown where none is known to tell more than the others.
const LAST_LINES: usize = 5;

/// The longest trace that is looked through for its place, in lines.
const TRACE: usize = 40;

/// The telling lines, in their order; the last few if no form is known. Says whether one was.
pub(super) fn telling(said: &str) -> (Vec<&str>, bool) {
    let lines: Vec<&str> = said.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    let known = [go, rust, cpp, java, dotnet, sanitizer, exception].iter().find_map(|form| form(&lines));
    match known {
        Some(places) => (places.into_iter().filter_map(|place| lines.get(place).copied()).collect(), true),
        None => (lines[lines.len().saturating_sub(LAST_LINES)..].to_vec(), false),
    }
}

/// The places of lines.
type Places = Vec<usize>;

fn first(lines: &[&str], from: usize, is: impl Fn(&str) -> bool) -> Option<usize> {
    (from..lines.len().min(from + TRACE)).find(|&place| is(lines[place]))
}

/// Of a line, and of the first place in a trace behind it.
fn with_trace(lines: &[&str], place: usize) -> Places {
    let at = first(lines, place + 1, |line| line.trim_start().starts_with("at "));
    std::iter::once(place).chain(at).collect()
}

/// `thread 'main' panicked at src/main.rs:2:5:`, and the message on the next line.
fn rust(lines: &[&str]) -> Option<Places> {
    let place =
        lines.iter().position(|line| line.starts_with("thread '") && line.contains(" panicked at "))?;
    let next = place + 1;
    let is_message = lines
        .get(next)
        .is_some_and(|line| !line.starts_with("note: ") && !line.starts_with("stack backtrace"));
    Some(std::iter::once(place).chain(is_message.then_some(next)).collect())
}

/// `terminate called after throwing an instance of 'std::runtime_error'`, and `  what():  …`.
fn cpp(lines: &[&str]) -> Option<Places> {
    let place = lines
        .iter()
        .position(|line| line.contains("terminate called ") || line.contains("terminating due to "))?;
    let what = first(lines, place + 1, |line| line.trim_start().starts_with("what():"));
    Some(std::iter::once(place).chain(what).collect())
}

/// `Exception in thread "main" …`, or what caused it, each with its first place.
fn java(lines: &[&str]) -> Option<Places> {
    let place = lines.iter().position(|line| line.starts_with("Exception in thread "))?;
    let cause = lines.iter().rposition(|line| line.starts_with("Caused by: "));
    Some(match cause.filter(|&cause| cause > place) {
        Some(cause) => std::iter::once(place).chain(with_trace(lines, cause)).collect(),
        None => with_trace(lines, place),
    })
}

/// `Unhandled exception. System.…: …`, and the first place.
fn dotnet(lines: &[&str]) -> Option<Places> {
    let place = lines.iter().position(|line| line.starts_with("Unhandled exception. "))?;
    Some(with_trace(lines, place))
}

/// `panic: …`, and the first place in a file of Go.
fn go(lines: &[&str]) -> Option<Places> {
    let place =
        lines.iter().position(|line| line.starts_with("panic: ") || line.starts_with("fatal error: "))?;
    let goroutine = first(lines, place + 1, |line| line.starts_with("goroutine "))?;
    let at = first(lines, goroutine + 1, |line| line.starts_with('\t') && line.contains(".go:"));
    Some(std::iter::once(place).chain(at).collect())
}

/// What a sanitizer of a compiler for C found.
fn sanitizer(lines: &[&str]) -> Option<Places> {
    let place = lines.iter().position(|line| line.contains("ERROR: ") && line.contains("Sanitizer"))?;
    let at = first(lines, place + 1, |line| line.trim_start().starts_with("#0 "));
    Some(std::iter::once(place).chain(at).collect())
}

/// How many exceptions are told of a bot that has written several.
const EXCEPTIONS: usize = 3;

/// The last exceptions of Python or JavaScript that differ: what a bot's children write comes between its own lines and behind them, and
/// nothing says whose they are. What led to another exception is left out, and so is one that was told before.
fn exception(lines: &[&str]) -> Option<Places> {
    let leads_on = |place: usize| {
        let next = first(lines, place + 1, |_| true).map_or("", |next| lines[next]);
        next.starts_with("During handling of ") || next.starts_with("The above exception was ")
    };
    let mut told: Vec<usize> = Vec::new();
    for place in (0..lines.len()).rev().filter(|&place| names_exception(lines[place]) && !leads_on(place)) {
        if told.len() < EXCEPTIONS && told.iter().all(|&other| lines[other] != lines[place]) {
            told.push(place);
        }
    }
    let all: Places = told.iter().rev().flat_map(|&place| with_its_place(lines, place)).collect();
    Some(all).filter(|all| !all.is_empty())
}

/// An exception of Python with its place before it, or of JavaScript with its place behind it.
fn with_its_place(lines: &[&str], place: usize) -> Places {
    let behind = lines.get(place + 1).is_some_and(|line| line.trim_start().starts_with("at "));
    if behind {
        return with_trace(lines, place);
    }
    let from = place.saturating_sub(TRACE);
    let file = (from..place).rev().find(|&at| lines[at].trim_start().starts_with("File \""));
    let code = file.map(|file| file + 1).filter(|&code| code < place);
    file.into_iter().chain(code).chain([place]).collect()
}

/// Whether a line begins with the name of an exception: `ValueError`, `json.decoder.JSONDecodeError: …`, `Uncaught TypeError: …`.
fn names_exception(line: &str) -> bool {
    let line = line.strip_prefix("Uncaught ").unwrap_or(line);
    let head = line.split_once([':', ' ']).map_or(line, |(head, _)| head);
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    ["Error", "Exception", "Interrupt", "Exit"].iter().any(|end| head.ends_with(end))
        && head.chars().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(said: &str) -> Vec<&str> {
        let (lines, is_known) = telling(said);
        assert!(is_known, "{said}");
        lines.into_iter().map(str::trim).collect()
    }

    #[test]
    fn of_a_trace_the_exception_and_its_place_are_told() {
        let python = "starting\nTraceback (most recent call last):\n  File \"bot.py\", line 3, in <module>\n    main()\n  File \
                      \"leyden.py\", line 70, in main\n    act(choose(turn))\nValueError: no idea\n";
        assert_eq!(
            told(python),
            ["File \"leyden.py\", line 70, in main", "act(choose(turn))", "ValueError: no idea"]
        );
        let syntax =
            "  File \"/b/bot.py\", line 2\n    print(\n         ^\nSyntaxError: '(' was never closed\n";
        assert_eq!(told(syntax).last(), Some(&"SyntaxError: '(' was never closed"));
        let chained = format!(
            "{python}\nDuring handling of the above exception, another exception occurred:\n\n{}",
            python.replace("ValueError: no idea", "json.decoder.JSONDecodeError: x")
        );
        assert_eq!(told(&chained).last(), Some(&"json.decoder.JSONDecodeError: x"));
        let node = "/b/bot.js:3\n  throw new TypeError('x')\n  ^\n\nTypeError: x\n    at choose (/b/bot.js:3:9)\n    at main \
                    (/b/leyden.js:4:4)\n\nNode.js v20.1.0\n";
        assert_eq!(told(node), ["TypeError: x", "at choose (/b/bot.js:3:9)"]);
        let java = "Exception in thread \"main\" java.lang.RuntimeException: outer\n\tat Leyden.run(Leyden.java:9)\n\tat \
                    Bot.main(Bot.java:3)\nCaused by: java.lang.IllegalStateException: inner\n\tat Bot.choose(Bot.java:7)\n\t... 2 more\n";
        assert_eq!(
            told(java),
            [
                "Exception in thread \"main\" java.lang.RuntimeException: outer",
                "Caused by: java.lang.IllegalStateException: inner",
                "at Bot.choose(Bot.java:7)"
            ]
        );
        let rust = "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds: the len is 0\nnote: run with `RUST_BACKTRACE=1`\n";
        assert_eq!(
            told(rust),
            ["thread 'main' panicked at src/main.rs:2:5:", "index out of bounds: the len is 0"]
        );
        let cpp = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::at\nAborted\n";
        assert_eq!(
            told(cpp),
            ["terminate called after throwing an instance of 'std::out_of_range'", "what():  vector::at"]
        );
        let go = "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\nmain.choose(...)\n\t/b/bot.go:12\nmain.main()\n\t/b/leyden.go:9 +0x1d\nexit status 2\n";
        assert_eq!(told(go), ["panic: runtime error: index out of range [3]", "/b/bot.go:12"]);
        let csharp = "Unhandled exception. System.Exception: x\n   at Bot.Choose() in /b/Bot.cs:line 4\n   at Leyden.Main()\n";
        assert_eq!(
            told(csharp),
            ["Unhandled exception. System.Exception: x", "at Bot.Choose() in /b/Bot.cs:line 4"]
        );
    }

    #[test]
    fn of_several_exceptions_each_is_told_once() {
        let of = |line: &str, what: &str| {
            format!(
                "Traceback (most recent call last):\n  File \"bot.py\", line 8, in <module>\n    {line}\n{what}\n"
            )
        };
        let child = of("os.setsid()", "PermissionError: [Errno 1] Operation not permitted");
        let own = of("if os.fork() == 0:", "BlockingIOError: [Errno 11] Resource temporarily unavailable");
        let said = [child.clone(), own, child.repeat(40)].concat();
        let at = "File \"bot.py\", line 8, in <module>";
        assert_eq!(
            told(&said),
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
    fn of_anything_else_the_last_lines_are_told() {
        let lines: Vec<String> = (0..9)
            .map(|n| {
                format!(
                    "line {n}

"
                )
            })
            .collect();
        let said = lines.concat();
        assert_eq!(telling(&said), (vec!["line 4", "line 5", "line 6", "line 7", "line 8"], false));
        assert_eq!(telling(""), (Vec::new(), false));
        assert!(!telling("no Error: in here\nIt exits\n").1);
    }
}
