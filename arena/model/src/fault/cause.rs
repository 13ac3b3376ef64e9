//! The likeliest cause of a fault.

use std::fmt;

use leyden_protocol::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The likeliest cause of a fault. As text it says what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// It computed until its time was over.
    Computes,
    /// It neither computed nor answered.
    Waits,
    /// All its processes together used too much time.
    ThinksTooLong,
    /// Nothing came, and it is not known why.
    NotFlushed,
    /// It was not ready in time.
    NotReady,
    /// A line has no end.
    NoLineFeed,
    /// The answer to `hello` has no end.
    NoLineFeedAfterReady,
    /// Text came that is not an answer, and no line feed.
    Prompt,
    /// A line is far too long.
    LongDebugOutput,
    /// Its input stays unread.
    StoppedReading,
    /// Something was printed before `ready`.
    PrintedBeforeReady,
    ReadyAgain,
    AnsweredTwice,
    /// A print to find an error.
    DebugPrint,
    Debugger,
    EmptyLine,
    /// It writes JSON without a library.
    AssembledJson,
    /// It answers with the id of an earlier turn.
    OldId(u64),
    /// It answers with an id that no turn had.
    OwnId,
    /// The halves of a tile are in the wrong order; this would be legal.
    HalvesSwapped(Action),
    /// It chose a move that is not legal.
    OwnMove,
    /// What it chose is no action at all.
    NoAction,
    /// A process continued another that was stopped.
    Continued,
    /// Its process ended, or was never started.
    Ended(EndCause),
    /// It takes unknown words for others.
    UnknownWords,
    /// It stays when its input ends.
    EndUnnoticed,
    /// Another one, in a sentence.
    Other(String),
}

impl From<String> for Cause {
    fn from(sentence: String) -> Self {
        Self::Other(sentence)
    }
}

impl From<&str> for Cause {
    fn from(sentence: &str) -> Self {
        Self::Other(sentence.to_owned())
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OldId(id) => {
                return write!(
                    f,
                    "turn {id} was answered twice or too late, or the bot answers with an old id: \
                     answer each turn once, with its own id"
                );
            }
            Self::HalvesSwapped(legal) => {
                return write!(
                    f,
                    "the halves of the tile are in the wrong order. {legal} is legal: in line (-) the touching half comes \
                     first, across (|) the lower one. Copy a string from legal unchanged"
                );
            }
            Self::Other(sentence) => sentence,
            Self::Computes => {
                "an endless loop, or a search that does not look at the clock: it must answer before clock.turn_ms is over"
            }
            Self::Waits => {
                "the answer was written but not flushed (python: print(…, flush=True)), or the bot waits for something else: \
                 for the end of its input instead of the next line, for a second line, a lock or a sleep"
            }
            Self::ThinksTooLong => {
                "the bot, or something it started, computes too long: all its processes and \
                 threads count, in the background too"
            }
            Self::NotFlushed => {
                "the answer was not flushed (python: print(…, flush=True)), or the bot thinks too long or waits for something"
            }
            Self::NotReady => {
                "ready was not sent or not flushed (python: print(…, flush=True)), or the bot waits for the end of its input \
                 instead of the next line, or it needs longer to start than allowed (--startup)"
            }
            Self::NoLineFeed => "the answer was written without a line feed after it",
            Self::NoLineFeedAfterReady => "ready was written without a line feed after it",
            Self::Prompt => {
                "text was printed on standard output, such as the prompt of input(): print it to standard error, and read \
                 only the arena's lines"
            }
            Self::LongDebugOutput => {
                "debug output on standard output: write one short JSON object per line there, and everything else to \
                 standard error"
            }
            Self::StoppedReading => {
                "the bot has stopped reading its standard input: it must read every line, even those that need no answer"
            }
            Self::PrintedBeforeReady => {
                "something ran before the handshake: the first line on standard output must be ready, and \
                 everything else belongs on standard error"
            }
            Self::ReadyAgain => "ready is sent once, in answer to hello, not for each match",
            Self::AnsweredTwice => {
                "the bot answered twice, or answered something other than a turn: answer each turn once, and nothing else"
            }
            Self::DebugPrint => "a debug print on standard output: print it to standard error instead",
            Self::Debugger => {
                "a debugger, as started by breakpoint(), reads and writes where the arena does: `leyden help rerun` \
                 explains how to use one"
            }
            Self::EmptyLine => "an empty line was printed: standard output is for answers only",
            Self::AssembledJson => "the answer was assembled as text: let a JSON library write it",
            Self::OwnId => {
                "the bot makes up its own ids, or answers something that is not a turn: \
                 answer each turn once, with its own id"
            }
            Self::OwnMove => {
                "the bot worked out the move itself, or answered an older turn: choose from the list legal of \
                 this turn"
            }
            Self::NoAction => "this is not an action: copy a string from legal unchanged",
            Self::Continued => {
                "a timer or a process of the bot sends SIGCONT, or a system call takes long: compute only at your turn, and \
                 do not continue a stopped bot"
            }
            Self::Ended(cause) => cause.text(),
            Self::UnknownWords => {
                "a field \"type\" inside another object was taken for the line's own, or fields are read by their \
                 place, or every line is taken for a turn: read the line as JSON, look at its own \"type\" first, and ignore \
                 what you do not know"
            }
            Self::EndUnnoticed => {
                "it does not notice the end of its input: the loop over lines has to end there (an empty read in Python is \
                 \"\", getline returns false in C++, readLine returns null in Java, fgets returns NULL in C)"
            }
        })
    }
}

/// Why a bot's process ended, or was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndCause {
    /// It closed its standard output and goes on.
    ClosedOutput,
    /// Its program reached its end.
    ReachedEnd,
    /// A shell could not run its program.
    NotRunnable,
    /// An error or an exception ended it.
    Exception,
    Aborted,
    BadMemoryAccess,
    DividedByZero,
    BadInstruction,
    Killed,
    BrokenPipe,
    /// Another signal ended it.
    Signal,
    /// Its program is missing.
    Missing,
    /// Its program, or the interpreter of a script, is missing or not executable.
    NoProgram,
}

impl EndCause {
    const fn text(self) -> &'static str {
        match self {
            Self::ClosedOutput => "the bot closed its standard output itself",
            Self::ReachedEnd => {
                "the program reached its end: it must read lines in a loop until its input ends"
            }
            Self::NotRunnable => {
                "a shell did not find the program or may not run it: is the interpreter installed?"
            }
            Self::Exception => "an error or an exception ended the program; its standard error may say where",
            Self::Aborted => "the program aborted: a failed assertion, a panic, or memory freed twice",
            Self::BadMemoryAccess => {
                "the program accessed memory that is not its own, or its stack overflowed: does a whole line fit where it is read \
                 (some have thousands of bytes)? Compiled with -g -fsanitize=address, it says where"
            }
            Self::DividedByZero => "the program divided by zero",
            Self::BadInstruction => "the program was built for another processor, or trapped",
            Self::Killed => {
                "it was killed from outside: it used too much memory, or the machine ran out of it"
            }
            Self::BrokenPipe => "the program wrote to a pipe that nobody reads",
            Self::Signal => "it was ended from outside or by itself",
            Self::Missing => "it is missing",
            Self::NoProgram => {
                "the program does not exist or is not executable, or the interpreter in a script's first line (#!…) is \
                 missing"
            }
        }
    }
}
