//! The bots by name, with their options, and what their programs do.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use crate::careful::Careful;
use crate::conversation::{Broken, converse};
use crate::greedy::Greedy;
use crate::random::Random;
use crate::strategy::Strategy;

const NAMES: [&str; 3] = ["random", "greedy", "careful"];

/// The bots that there are.
pub fn names() -> &'static [&'static str] {
    &NAMES
}

/// A bot or an option that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadChoice {
    #[error("there is no sample bot {0:?}; there are {list}", list = NAMES.join(", "))]
    Bot(String),
    #[error("{bot} has no option {option:?}; it takes {known}")]
    Option { bot: &'static str, option: String, known: &'static str },
    #[error("{option} needs {expected}, not {}", got.as_deref().map_or("nothing".into(), |got| format!("{got:?}")))]
    Value { option: &'static str, expected: &'static str, got: Option<String> },
}

/// Why a bot stopped before its input ended.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Choice(#[from] BadChoice),
    #[error(transparent)]
    Conversation(#[from] Broken),
}

/// The strategy of a bot with its options, such as `--blunder` `25`.
pub fn strategy(name: &str, options: &[impl AsRef<str>]) -> Result<Box<dyn Strategy>, BadChoice> {
    let mut options = options.iter().map(AsRef::as_ref);
    let none = |bot, option: Option<&str>| match option {
        Some(option) => Err(BadChoice::Option { bot, option: option.to_owned(), known: "no options" }),
        None => Ok(()),
    };
    match name {
        "random" => none("random", options.next()).map(|()| Box::new(Random::new()) as _),
        "greedy" => none("greedy", options.next()).map(|()| Box::new(Greedy) as _),
        "careful" => careful(&mut options).map(|careful| Box::new(careful) as _),
        _ => Err(BadChoice::Bot(name.to_owned())),
    }
}

fn careful<'a>(options: &mut impl Iterator<Item = &'a str>) -> Result<Careful, BadChoice> {
    let mut careful = Careful::new();
    while let Some(option) = options.next() {
        if option != "--blunder" {
            let (option, known) = (option.to_owned(), "--blunder PERCENT");
            return Err(BadChoice::Option { bot: "careful", option, known });
        }
        let got = options.next();
        let percent = got.and_then(|text| text.parse().ok()).filter(|percent| *percent <= 100);
        let bad = || {
            let got = got.map(str::to_owned);
            BadChoice::Value { option: "--blunder", expected: "a percentage from 0 to 100", got }
        };
        careful = careful.blundering(percent.ok_or_else(bad)?);
    }
    Ok(careful)
}

/// Plays as a bot: answers the arena's lines until `input` ends.
pub fn play(
    name: &str,
    options: &[impl AsRef<str>],
    input: impl BufRead,
    output: impl Write,
) -> Result<(), Failure> {
    let mut strategy = strategy(name, options)?;
    Ok(converse(name, &mut *strategy, input, output)?)
}

/// The program of a bot: its options are the arguments, the arena is at standard input and output. What goes wrong is
/// said on standard error; the exit code is then 2 for a wrong option, else 1.
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
            ExitCode::from(if matches!(failure, Failure::Choice(_)) { 2 } else { 1 })
        }
    }
}
