//! Mistakes that are known by the exception that they end in.

use leyden_protocol::worded;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

worded! {
    /// A mistake that is known by the exception that it ends in. As text it says what to do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Mistake {
        PiecesInNode => "JSON.parse got more or less than one line: a data event brings any piece of the input. Read \
            lines: require(\"readline\").createInterface({{ input: process.stdin }}).on(\"line\", (line) => …)";
        NotOneLineInPython => "json.loads got no line, or more than one: read the input line by line (for line in \
            sys.stdin), and parse each by itself";
        NotATurn => "a line that is no turn was taken for one: match_start, round_end and match_end come in between \
            and are not answered, so look at the type of each line first";
        InputHasEnded => "it read on after the end of its input, or asked for keys to be pressed: there is no \
            keyboard, only lines from the arena, and when these end the bot exits";
        Coroutine => "choose is async, so calling it gives a coroutine and not an action: remove async, or write \
            asyncio.run(choose(…))";
        NotJsonInPython => "json.dumps knows dicts, lists, strings, numbers, True, False and None: for an action, hand \
            it one of the strings in legal";
        ModuleInNode => "node took the file for CommonJS: call it bot.mjs, or put a package.json with \
            {{\"type\": \"module\"}} beside it";
        RequireInModule => "node took the file for an ES module: call it bot.cjs, or write import instead of require";
        TypeScript => "this node does not run TypeScript; version 22.18 and later does. With an older one, compile \
            first (build = [\"tsc\", …]) and run the JavaScript";
        JavaClass => "java looked for a compiled class: run the source file (command = [\"java\", \"Bot.java\"]), or \
            compile it first (build = [\"javac\", \"-d\", \"build\", \"Bot.java\"], \
            command = [\"java\", \"-cp\", \"build\", \"Bot\"])";
        Python2 => "this is Python 2: print is a function in Python 3, as in print(text, flush=True)";
        Indentation => "the lines of a block must begin with the same blanks: four for each level, and no \
            tabs among them";
        Recursion => "a function calls itself without end, or a search goes too deep: it needs a case in which it \
            returns at once";
    }
}
