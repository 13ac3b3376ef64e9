//! The bots by name, their options, and the program that each of them is.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use crate::careful::Careful;
use crate::conversation::{ConversationError, converse};
use crate::greedy::Greedy;
use crate::ladder::Ladder;
use crate::montecarlo::MonteCarlo;
use crate::random::Random;
use crate::strategy::Strategy;
use crate::strong::{Idea, Strong};

const NAMES: [&str; 6] = ["random", "greedy", "careful", "ladder", "montecarlo", "strong"];

/// The names of all bots.
pub fn names() -> &'static [&'static str] {
    &NAMES
}

/// A bot or an option that does not exist, or a bad value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    #[error("there is no sample bot {0:?}; there are {list}", list = NAMES.join(", "))]
    Bot(String),
    #[error("{bot} has no option {option:?}; it takes {known}")]
    Option { bot: &'static str, option: String, known: &'static str },
    #[error("{option} needs {expected}, not {}", got.as_deref().map_or("nothing".into(), |got| format!("{got:?}")))]
    Value { option: &'static str, expected: &'static str, got: Option<String> },
}

/// Why a bot stopped before its input ended.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    #[error(transparent)]
    Conversation(#[from] ConversationError),
}

/// The strategy of a bot with its options, such as `--blunder` `25`.
pub fn strategy(name: &str, options: &[impl AsRef<str>]) -> Result<Box<dyn Strategy>, ChoiceError> {
    let mut options = options.iter().map(AsRef::as_ref);
    let mut plain = |bot| match options.next() {
        Some(option) => Err(unknown(bot, option, "no options")),
        None => Ok(()),
    };
    match name {
        "random" => plain("random").map(|()| Box::new(Random::new()) as _),
        "greedy" => plain("greedy").map(|()| Box::new(Greedy) as _),
        "careful" => careful(&mut options).map(|careful| Box::new(careful) as _),
        "ladder" => ladder(&mut options).map(|bot| Box::new(bot) as _),
        "montecarlo" => montecarlo(&mut options).map(|bot| Box::new(bot) as _),
        "strong" => strong(&mut options).map(|bot| Box::new(bot) as _),
        _ => Err(ChoiceError::Bot(name.to_owned())),
    }
}

fn careful<'a>(options: &mut impl Iterator<Item = &'a str>) -> Result<Careful, ChoiceError> {
    let mut bot = Careful::new();
    while let Some(option) = options.next() {
        if option != "--blunder" {
            return Err(unknown("careful", option, "--blunder PERCENT"));
        }
        let percent =
            number("--blunder", "a percentage from 0 to 100", options.next(), |percent| *percent <= 100)?;
        bot = bot.blundering(percent as u8);
    }
    Ok(bot)
}

fn ladder<'a>(options: &mut impl Iterator<Item = &'a str>) -> Result<Ladder, ChoiceError> {
    let mut level = None;
    while let Some(option) = options.next() {
        if option != "--level" {
            return Err(unknown("ladder", option, "--level NUMBER"));
        }
        level = Some(options.next());
    }
    // The default is the middle of the ladder.
    let text = level.unwrap_or(Some("5"));
    let ladder = text.and_then(|text| Ladder::level(text.parse().ok()?));
    ladder.ok_or_else(|| ChoiceError::Value {
        option: "--level",
        expected: "a level from 1 to 8",
        got: text.map(str::to_owned),
    })
}

fn montecarlo<'a>(options: &mut impl Iterator<Item = &'a str>) -> Result<MonteCarlo, ChoiceError> {
    let mut bot = MonteCarlo::new();
    while let Some(option) = options.next() {
        if option != "--playouts" {
            return Err(unknown("montecarlo", option, "--playouts NUMBER"));
        }
        bot =
            bot.with_playouts(number("--playouts", "a number from 1", options.next(), |count| *count >= 1)?);
    }
    Ok(bot)
}

fn strong<'a>(options: &mut impl Iterator<Item = &'a str>) -> Result<Strong, ChoiceError> {
    let mut bot = Strong::new();
    while let Some(option) = options.next() {
        bot = match option {
            "--think" => bot.thinking(duration("--think", options.next())?),
            "--playouts" => {
                bot.with_playouts(number("--playouts", "a number from 1", options.next(), |count| {
                    *count >= 1
                })?)
            }
            "--without" => bot.without(idea(options.next())?),
            _ => {
                let known = "--think DURATION, --playouts NUMBER and --without IDEA";
                return Err(unknown("strong", option, known));
            }
        };
    }
    Ok(bot)
}

fn idea(name: Option<&str>) -> Result<Idea, ChoiceError> {
    let idea = Idea::ALL.into_iter().find(|idea| Some(idea.name()) == name);
    idea.ok_or_else(|| ChoiceError::Value {
        option: "--without",
        expected: "belief, plays, draws-ahead or bias",
        got: name.map(str::to_owned),
    })
}

/// The time that follows an option, such as `50ms` or `2s`.
fn duration(option: &'static str, text: Option<&str>) -> Result<Duration, ChoiceError> {
    let parse = |text: &str| {
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let number: u64 = digits.parse().ok()?;
        match &text[digits.len()..] {
            "ms" => Some(Duration::from_millis(number)),
            "s" => Some(Duration::from_secs(number)),
            _ => None,
        }
    };
    let time = text.and_then(parse).filter(|time| !time.is_zero());
    time.ok_or_else(|| ChoiceError::Value {
        option,
        expected: "a time such as 50ms or 2s",
        got: text.map(str::to_owned),
    })
}

fn unknown(bot: &'static str, option: &str, known: &'static str) -> ChoiceError {
    ChoiceError::Option { bot, option: option.to_owned(), known }
}

/// The number that follows an option.
fn number(
    option: &'static str,
    expected: &'static str,
    text: Option<&str>,
    allowed: impl FnOnce(&u32) -> bool,
) -> Result<u32, ChoiceError> {
    let number = text.and_then(|text| text.parse().ok()).filter(allowed);
    number.ok_or_else(|| ChoiceError::Value { option, expected, got: text.map(str::to_owned) })
}

/// Plays as a bot: answers the arena's lines until `input` ends.
pub fn play(
    name: &str,
    options: &[impl AsRef<str>],
    input: impl BufRead,
    output: impl Write,
) -> Result<(), BotError> {
    let mut strategy = strategy(name, options)?;
    Ok(converse(name, &mut *strategy, input, output)?)
}

/// The program of a bot: it takes its options from the command line, and the arena is at standard input and output. Errors go to
/// standard error; the exit code is 2 for a wrong option, otherwise 1.
#[expect(clippy::print_stderr, reason = "standard error is where a bot talks to its author")]
pub fn run(name: &str) -> ExitCode {
    let options: Vec<String> =
        std::env::args_os().skip(1).map(|option| option.to_string_lossy().into_owned()).collect();
    match play(name, &options, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprint!("{name}: {failure}");
            let mut cause = std::error::Error::source(&failure);
            while let Some(reason) = cause {
                eprint!(": {reason}");
                cause = reason.source();
            }
            eprintln!();
            ExitCode::from(if matches!(failure, BotError::Choice(_)) { 2 } else { 1 })
        }
    }
}
