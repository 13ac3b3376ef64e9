//! The commands with the parts of their help that are not options: examples. Changes no option.

use clap::{ArgMatches, Command, CommandFactory};

use crate::args::Cli;

/// Examples for the commands that define none beside their options.
const EXAMPLES: [(&str, &str); 16] = [
    (
        "tournament",
        "Examples:
  leyden tournament submissions --allow-missing --blocks 20  a class, every bot against every other
  leyden tournament submissions builtin:careful --gauntlet builtin:careful
  leyden tournament submissions --format swiss --rounds 6 --blocks 2 --advance 8
  leyden tournament --results cup.db --resume                resume as it was started
  leyden tournament --results cup.db --resume --replace ann  … ann has changed midway
  leyden tournament --results cup.db --resume --blocks 12    … and end after block 12
  leyden tournament submissions --blocks 20 --estimate       how long would it take?
  leyden tournament submissions --no-build                   every bot as it is in its folder
  leyden tournament --init > cup.toml                        a configuration file to edit, and …
  leyden tournament --config cup.toml --serve                … to play, with pages to watch it",
    ),
    (
        "match",
        "Examples:
  leyden match . builtin:careful                     the bot in this folder against a sample bot
  leyden match \"python3 bot.py\" builtin:greedy --blocks 50  put a command line in quotes
  leyden match . builtin:careful --blocks 100 --luck  … and the score without the luck of deals
  leyden match . builtin:careful --stderr            … and what they wrote where they faulted
  leyden match a b c --rules matador                 a table of three",
    ),
    (
        "gate",
        "Examples:
  leyden gate new/ old/                    is it stronger?
  leyden gate new/ old/ --luck             luck taken out: mostly fewer pairs if bounds are close
  leyden gate new/ old/ --non-regression   is it no weaker, such as after refactoring?
  leyden gate . --against main             is this folder stronger than what was committed?
  leyden gate new/ old/ --max-time 10m --junit gate.xml --results gate.db  in CI
  leyden gate --results gate.db --resume   resume as it was started
  leyden gate --results gate.db --resume --max-pairs 9000  … for longer
  leyden new . --ci github                 write a workflow that does this for every pull request

To choose a number in your bot, play all values against the present version on the same deals, then test the best one on \
         others:
  leyden tournament now/ \"python3 bot.py 1\" \"python3 bot.py 2\" --gauntlet now/ --seed sweep
  leyden gate \"python3 bot.py 2\" now/ --seed fresh
The best of several owes part of its lead to luck, so the sweep chooses and only the gate decides. If you run a gate \
         for each of N values instead, one of them accepts by chance up to N times as often: divide --alpha by N.",
    ),
    (
        "standings",
        "Examples:
  leyden standings results.db                      also while the tournament is played
  leyden standings results.db --csv > table.csv
  leyden standings results.db --anchor random=0    ratings measured from one bot",
    ),
    ("luck", "Examples:\n  leyden luck results.db\n  leyden export results.db | leyden luck - --json"),
    (
        "export",
        "Examples:
  leyden export results.db > records.jsonl           every match, with all tiles
  leyden export results.db --views > views.jsonl  every decision, as the bot saw it: to learn from
  leyden export results.db --views --match 4f2a --seat 1",
    ),
    (
        "verify",
        "Examples:
  leyden verify results.db
  leyden verify results.db --commitment HEX        is it the promised seed?
  leyden verify all.jsonl --commitment HEX --seed TEXT  … for an export, which holds no seed
  leyden export results.db | leyden verify -

Without leyden, the seed text belongs to the commitment shown before the first deal if this prints the same:
  printf %s SEED_TEXT | openssl dgst -sha256 -binary | sha256sum

Exit code 0: nothing is wrong; 1: something is, and the output says where.",
    ),
    (
        "replay",
        "Examples:
  leyden replay results.db 4f2a                     a match, with the layout drawn
  leyden replay results.db 4f2a --round 3 --seat 1  one round as one seat saw it
  leyden replay results.db 4f2a --turn r3.t12       one moment, with the legal actions
  leyden replay results.db 4f2a --html match.html   a page to step through
  leyden export results.db --match 4f2a             the match as JSON",
    ),
    (
        "bot",
        "Bots, from weak to strong. Without a folder, builtin:NAME plays them, with options in quotes:
  random      any legal action
  greedy      its heaviest tile
  careful     keeps matadors and its own options, starves the others; --blunder 25 makes a quarter
              of its answers random
  ladder      --level 1 to 8: each with more ideas than the one below (leyden thinking)
  montecarlo  plays out deals that fit what it has seen; --playouts 500 sets how many
  strong      weighs those deals by what the others did; --think 50ms sets how long

Examples:
  leyden bot careful
  leyden bot careful --blunder 25
  leyden bot ladder --level 5
  leyden bot strong --think 50ms
  leyden match . \"builtin:ladder --level 3\"",
    ),
    ("doctor", "Examples:\n  leyden doctor\n  leyden doctor --json"),
    ("rules", "Examples:\n  leyden rules\n  leyden rules leyden\n  leyden rules matador --seats 4 --set 9"),
    (
        "formats",
        "Examples:\n  leyden formats | less\n  leyden tournament submissions --format swiss --rounds 7 --advance 8 --best-of 9",
    ),
    ("thinking", "Examples:\n  leyden thinking | less\n  leyden match . \"builtin:ladder --level 3\""),
    ("schema", "Example:\n  leyden schema record > record.schema.json"),
    (
        "completions",
        "Example:\n  leyden completions bash > ~/.local/share/bash-completion/completions/leyden",
    ),
    ("man", "Example:\n  leyden man ~/.local/share/man/man1"),
];

/// Returns all commands.
pub(crate) fn command() -> Command {
    let mut command = Cli::command();
    // A gate ends by its test, and compares two versions as they are: typing --blocks or --replace is an error that says so.
    for id in ["blocks", "replace"] {
        command = command.mut_subcommand("gate", |gate| gate.mut_arg(id, |option| option.hide(true)));
    }
    for (name, examples) in EXAMPLES {
        command = command.mut_subcommand(name, |command| {
            let both = command.get_after_long_help().map(|help| format!("{help}\n\n{examples}"));
            let command = command.after_help(examples);
            match both {
                Some(both) => command.after_long_help(both),
                None => command,
            }
        });
    }
    command
}

/// Parses what was typed; a request for help counts as an error.
pub(crate) fn matches() -> Result<ArgMatches, clap::Error> {
    command().try_get_matches()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_an_example() {
        for mut command in command().get_subcommands().cloned() {
            let name = command.get_name().to_owned();
            let help = command.render_long_help().to_string();
            assert!(name == "help" || help.contains(&format!("leyden {name}")), "{name}: {help}");
        }
    }

    #[test]
    fn help_of_bot_lists_every_bot() {
        let (_, help) = EXAMPLES.iter().find(|(name, _)| *name == "bot").unwrap();
        for name in leyden_sample_bots::names() {
            assert!(help.lines().any(|line| line.starts_with(&format!("  {name} "))), "{name}");
        }
    }

    #[test]
    fn every_example_can_be_typed() {
        let commands = command();
        for subcommand in commands.get_subcommands() {
            let help = [subcommand.get_after_help(), subcommand.get_after_long_help()];
            let help: String = help.into_iter().flatten().map(ToString::to_string).collect();
            for line in help.lines().filter_map(|line| line.strip_prefix("  leyden ")) {
                // The description follows two blanks or stands in brackets; redirections follow the words.
                let typed = line.split("  ").next().unwrap_or(line);
                let typed = typed.split(" (").next().unwrap_or(typed);
                let words = shlex::split(typed).expect(line).into_iter();
                let words: Vec<String> =
                    words.take_while(|word| !matches!(word.as_str(), "|" | ">" | ";")).collect();
                let read = commands.clone().try_get_matches_from([vec!["leyden".to_owned()], words].concat());
                assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
            }
        }
    }

    /// Commands that report nothing: they write or change files, show pages, print what others read, or play.
    const NO_REPORT: [&str; 19] = [
        "bot",
        "completions",
        "dataset",
        "export",
        "formats",
        "help",
        "league",
        "man",
        "new",
        "pin",
        "play",
        "replay",
        "report",
        "schema",
        "serve",
        "submit",
        "thinking",
        "withdraw",
        "worker",
    ];

    #[test]
    fn every_reporting_command_offers_json_with_a_schema() {
        let mut commands = command();
        commands.build();
        let schema = commands.find_subcommand("schema").unwrap();
        let names = schema.get_arguments().find(|argument| argument.get_id() == "name").unwrap();
        let names: Vec<String> =
            names.get_possible_values().iter().map(|name| name.get_name().to_owned()).collect();
        for reports in commands.get_subcommands().filter(|one| !NO_REPORT.contains(&one.get_name())) {
            let (name, json) =
                (reports.get_name(), reports.get_arguments().find(|one| one.get_id() == "json"));
            // Its output, what a bot was sent, is JSON lines already.
            if name == "transcript" {
                assert!(json.is_none());
                continue;
            }
            let help = json.unwrap_or_else(|| panic!("{name} has no --json")).get_help().unwrap().to_string();
            let described = help.split("`leyden schema ").nth(1).and_then(|rest| rest.split('`').next());
            assert!(
                described.is_some_and(|schema| names.iter().any(|known| known == schema)),
                "{name}: {help}"
            );
        }
    }

    #[test]
    fn help_fits_100_columns_and_leaves_prose_unwrapped() {
        for command in command().get_subcommands() {
            let help = [command.get_after_help(), command.get_after_long_help()];
            let help: Vec<String> = help.into_iter().flatten().map(ToString::to_string).collect();
            let help = help.join("\n\n");
            for (line, next) in help.lines().zip(help.lines().skip(1)) {
                let (name, long) = (command.get_name(), line.chars().count() > 100);
                if line.starts_with(' ') {
                    assert!(!long, "{name}: {line}");
                } else {
                    // Sentences end with the paragraph; only the terminal wraps them.
                    let goes_on = !line.is_empty() && !next.is_empty() && !next.starts_with(' ');
                    assert!(!goes_on || line.ends_with(['.', ':', ';']), "{name}: {line}\n{next}");
                }
            }
        }
    }

    #[test]
    fn every_option_of_a_run_has_a_heading() {
        for run in
            ["tournament", "match", "gate"].map(|name| command().find_subcommand(name).unwrap().clone())
        {
            for option in run.get_arguments().filter(|argument| argument.get_long().is_some()) {
                assert!(option.get_help_heading().is_some(), "{} of {}", option.get_id(), run.get_name());
            }
        }
    }
}
