//! The likeliest cause of a fault.

use leyden_protocol::{Action, AnswerHint, Version, worded};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deviation::ready_line;
use super::exec_obstacle::ExecObstacle;
use super::mistake::Mistake;

worded! {
    /// The likeliest cause of a fault. As text it says what to do.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Cause {
        /// It computed until its time was over.
        Computes => "an endless loop, or a search that does not look at the clock: it must answer before clock.turn_ms \
            is over";
        /// It neither computed nor answered.
        Waits => "the answer was written but not flushed (python: print(…, flush=True)), or the bot waits for \
            something else: for the end of its input instead of the next line, for a second line, a lock or a sleep";
        /// All its processes together used too much time.
        ThinksTooLong => "the bot, or something it started, computes too long: all its processes and threads count, in \
            the background too";
        /// Nothing came, and it is not known why.
        NotFlushed => "the answer was not flushed (python: print(…, flush=True)), or the bot thinks too long or waits \
            for something";
        /// It was not ready in time.
        NotReady => "ready was not sent or not flushed (python: print(…, flush=True)), or the bot waits for the end of \
            its input instead of the next line, or it needs longer to start than allowed (--startup)";
        /// A line has no end.
        NoLineFeed => "the answer was written without a line feed after it";
        /// The answer to `hello` has no end.
        NoLineFeedAfterReady => "ready was written without a line feed after it";
        /// Text came that is not an answer, and no line feed.
        Prompt => "text was printed on standard output, such as the prompt of input(): print it to standard error, and \
            read only the arena's lines";
        /// A line is far too long.
        LongDebugOutput => "debug output on standard output: write one short JSON object per line there, and \
            everything else to standard error";
        /// Its input stays unread.
        StoppedReading => "the bot has stopped reading its standard input: it must read every line, even those that \
            need no answer";
        /// Something was printed before `ready`.
        PrintedBeforeReady => "something ran before the handshake: the first line on standard output must be ready, \
            and everything else belongs on standard error";
        /// It was written for another protocol than the arena's; of which major version, if that is known.
        OtherProtocol {
            arena: Version,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            bot_major: Option<u32>
        } =>
            "the bot was written for another protocol: answer hello with {}{}",
            ready_line(*arena),
            bot_major.map_or_else(String::new, |major| format!(", or use an arena of protocol {major}"));
        ReadyAgain => "ready is sent once, in answer to hello, not for each match";
        AnsweredTwice => "the bot answered twice, or answered something other than a turn: answer each turn once, and \
            nothing else";
        /// A print to find an error.
        DebugPrint => "a debug print on standard output: print it to standard error instead";
        Debugger => "a debugger, as started by breakpoint(), reads and writes where the arena does: `leyden help \
            rerun` explains how to use one";
        EmptyLine => "an empty line was printed: standard output is for answers only";
        /// It writes JSON without a library.
        AssembledJson => "the answer was assembled as text: let a JSON library write it";
        /// What the line suggests that came.
        Line(hint: AnswerHint) => "{hint}";
        /// It answers with the id of an earlier turn.
        OldId(id: u64) => "turn {id} was answered twice or too late, or the bot answers with an old id: answer each \
            turn once, with its own id";
        /// It answers with an id that no turn had.
        OwnId => "the bot makes up its own ids, or answers something that is not a turn: answer each turn once, with \
            its own id";
        /// The halves of a tile are in the wrong order; this would be legal.
        HalvesSwapped(legal: Action) => "the halves of the tile are in the wrong order. {legal} is legal: in line (-) \
            the touching half comes first, across (|) the lower one. Copy a string from legal unchanged";
        /// It chose a move that is not legal.
        OwnMove => "the bot worked out the move itself, or answered an older turn: choose from the list legal \
            of this turn";
        /// What it chose is no action at all.
        NoAction => "this is not an action: copy a string from legal unchanged";
        /// A process continued another that was stopped.
        Continued => "a timer or a process of the bot sends SIGCONT, or a system call takes long: compute only at your \
            turn, and do not continue a stopped bot";
        /// Its process ended, or was never started.
        Ended(how: EndCause) => "{how}";
        /// It ended by an exception that is known.
        Mistake(mistake: Mistake) => "{mistake}";
        Unrunnable(why: ExecObstacle) => "{why}";
        /// It takes unknown words for others.
        UnknownWords => "a field \"type\" inside another object was taken for the line's own, or fields are read by \
            their place, or every line is taken for a turn: read the line as JSON, look at its own \"type\" first, and \
            ignore what you do not know";
        /// It stays when its input ends.
        EndUnnoticed => "it does not notice the end of its input: the loop over lines has to end there (an empty read \
            in Python is \"\", getline returns false in C++, readLine returns null in Java, fgets returns NULL in C)";
        /// A sentence, in records of earlier versions.
        Other(sentence: String) => "{sentence}";
    }
}

worded! {
    /// Why a bot's process ended, or was not started.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum EndCause {
        /// It closed its standard output and goes on.
        ClosedOutput => "the bot closed its standard output itself";
        /// Its program reached its end.
        ReachedEnd => "the program reached its end: it must read lines in a loop until its input ends";
        /// A shell could not run its program.
        NotRunnable => "a shell did not find the program or may not run it: is the interpreter installed?";
        /// An error or an exception ended it.
        Exception => "an error or an exception ended the program; its standard error may say where";
        Aborted => "the program aborted: a failed assertion, a panic, or memory freed twice";
        BadMemoryAccess => "the program accessed memory that is not its own, or its stack overflowed: does a whole \
            line fit where it is read (some have thousands of bytes)? Compiled with -g -fsanitize=address, it says \
            where";
        DividedByZero => "the program divided by zero";
        BadInstruction => "the program was built for another processor, or trapped";
        Killed => "it was killed from outside: it used too much memory, or the machine ran out of it";
        BrokenPipe => "the program wrote to a pipe that nobody reads";
        /// Another signal ended it.
        Signal => "a signal ended the program: the bot itself or another process sent it";
        /// Its program, or the interpreter of a script, is missing or not executable.
        NoProgram => "the program does not exist or is not executable, or the interpreter in a script's first line \
            (#!…) is missing";
    }
}
