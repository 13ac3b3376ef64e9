//! The conversation with the arena: one line in, at most one line out, until the input ends.

use std::io::{self, BufRead, Write};

use leyden_protocol::{Answer, FromBot, Ready, RuleSet, VERSION, Version, printable, push_line};
use leyden_rules::{Rules, RulesError};
use serde::Deserialize;

use crate::strategy::Strategy;

/// Why a conversation ended early.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error("cannot read from the arena")]
    Read(#[source] io::Error),
    #[error("cannot write to the arena")]
    Write(#[source] io::Error),
    #[error("line {number} is not a message that this bot understands: {start}")]
    Line { number: u64, start: String, source: serde_json::Error },
    #[error("the arena speaks protocol {theirs}, this bot speaks {VERSION}")]
    Version { theirs: Version },
    #[error("the arena announced rules that this bot cannot play")]
    Rules(#[source] RulesError),
    #[error("line {number} came before the {missing} that has to come first")]
    Order { number: u64, missing: &'static str },
}

/// How much of an unreadable line is quoted.
const SHOWN: usize = 200;

/// How the arena begins the line of the most frequent message.
const TURN: &[u8] = br#"{"type":"turn","#;

/// The type of a message.
#[derive(Deserialize)]
struct Kind {
    r#type: String,
}

/// What a bot needs from `hello`.
#[derive(Deserialize)]
struct Hello {
    protocol: Version,
    rules: RuleSet,
}

/// What a bot needs from `match_start`.
#[derive(Deserialize)]
struct MatchStart {
    bot_seed: u64,
}

/// Answers the arena's messages with a strategy until the input ends. Unknown messages and fields are ignored. Each answer is
/// written to `output` in one piece.
pub fn converse(
    name: &str,
    strategy: &mut dyn Strategy,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), ConversationError> {
    let mut talk = Conversation { name, strategy, rules: None, playing: false };
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    for number in 1.. {
        line.clear();
        answer.clear();
        if input.read_until(b'\n', &mut line).map_err(ConversationError::Read)? == 0 {
            break;
        }
        talk.hear(number, &line, &mut answer)?;
        if !answer.is_empty() {
            output.write_all(&answer).and_then(|()| output.flush()).map_err(ConversationError::Write)?;
        }
    }
    Ok(())
}

struct Conversation<'a> {
    name: &'a str,
    strategy: &'a mut dyn Strategy,
    /// Known after `hello`.
    rules: Option<Rules>,
    /// Whether a match has begun.
    playing: bool,
}

impl Conversation<'_> {
    /// Takes in one line, and appends an answer if the line asks for one.
    fn hear(&mut self, number: u64, line: &[u8], answer: &mut Vec<u8>) -> Result<(), ConversationError> {
        let unclear = |source| {
            let start = printable(line.trim_ascii_end(), SHOWN);
            ConversationError::Line { number, start, source }
        };
        // Almost every line is a turn: its type is recognised by how the line begins, so that the line is parsed only once.
        if line.starts_with(TURN) {
            return self.turn(number, line, answer)?.map_err(unclear);
        }
        let kind: Kind = serde_json::from_slice(line).map_err(unclear)?;
        match kind.r#type.as_str() {
            "hello" => self.hello(&serde_json::from_slice(line).map_err(unclear)?, answer),
            "match_start" => self.match_start(number, &serde_json::from_slice(line).map_err(unclear)?),
            "turn" => self.turn(number, line, answer)?.map_err(unclear),
            _ => Ok(()),
        }
    }

    fn hello(&mut self, hello: &Hello, answer: &mut Vec<u8>) -> Result<(), ConversationError> {
        if hello.protocol.major != VERSION.major {
            return Err(ConversationError::Version { theirs: hello.protocol });
        }
        let RuleSet { name, seats, set, target, .. } = hello.rules;
        self.rules = Some(Rules::new(name, seats, set, target).map_err(ConversationError::Rules)?);
        let ready = Ready {
            protocol: VERSION,
            name: self.name.into(),
            version: Some(env!("CARGO_PKG_VERSION").into()),
        };
        push_line(answer, &FromBot::Ready(ready));
        Ok(())
    }

    fn match_start(&mut self, number: u64, start: &MatchStart) -> Result<(), ConversationError> {
        let rules = self.rules.as_ref().ok_or(ConversationError::Order { number, missing: "hello" })?;
        self.strategy.begin(rules, start.bot_seed);
        self.playing = true;
        Ok(())
    }

    /// The outer error is a turn out of order, the inner one a turn that cannot be read.
    fn turn(
        &mut self,
        number: u64,
        line: &[u8],
        answer: &mut Vec<u8>,
    ) -> Result<serde_json::Result<()>, ConversationError> {
        if !self.playing {
            return Err(ConversationError::Order { number, missing: "match_start" });
        }
        Ok(self.strategy.answer(line).map(|(id, action)| {
            push_line(answer, &FromBot::Action(Answer { id, action, note: None }));
        }))
    }
}
