//! Options that a command shares with a tournament. They are described there; a command names those that it has.

use std::ffi::OsString;
use std::marker::PhantomData;
use std::sync::LazyLock;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::tournament::TournamentOptions;

/// A command that shares options with a tournament.
pub(crate) trait Shares {
    /// The ids of options, which stand without a heading in the help of this command, and headings under which it has all that a
    /// tournament has there.
    const OPTIONS: &'static [&'static str];
}

/// The options that the command `C` shares with a tournament.
#[derive(Clone, Debug)]
pub(crate) struct Shared<C> {
    /// What was typed; an option that the command does not have is never given.
    pub(crate) given: TournamentOptions,
    command: PhantomData<fn() -> C>,
}

/// All options of a tournament.
static ALL: LazyLock<Command> =
    LazyLock::new(|| TournamentOptions::augment_args(Command::new("leyden").no_binary_name(true)));

/// Returns the options with these ids and under these headings, in the order of a tournament's help.
fn chosen(names: &'static [&'static str]) -> impl Iterator<Item = Arg> {
    ALL.get_arguments().filter_map(move |option| {
        let option = option.clone().display_order(None::<usize>);
        if names.contains(&option.get_id().as_str()) {
            return Some(option.help_heading(None::<&str>));
        }
        let is_under_heading = option.get_help_heading().is_some_and(|heading| names.contains(&heading));
        is_under_heading.then_some(option)
    })
}

impl<C: Shares> Args for Shared<C> {
    fn augment_args(command: Command) -> Command {
        command.args(chosen(C::OPTIONS))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<C: Shares> FromArgMatches for Shared<C> {
    /// Parses what was typed once more, as options of a tournament: its parser expects that all of them are defined.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (mut words, mut bots) = (Vec::new(), vec![OsString::from("--")]);
        for option in chosen(C::OPTIONS) {
            let id = option.get_id().as_str();
            if matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            for value in matches.get_raw(id).into_iter().flatten() {
                let Some(name) = option.get_long() else {
                    bots.push(value.to_owned());
                    continue;
                };
                let mut word = OsString::from(format!("--{name}"));
                if option.get_action().takes_values() {
                    word.push("=");
                    word.push(value);
                }
                words.push(word);
            }
        }
        let typed = ALL.clone().try_get_matches_from(words.into_iter().chain(bots))?;
        Ok(Self { given: TournamentOptions::from_arg_matches(&typed)?, command: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::args::{Cli, Command};
    use crate::help;

    #[test]
    fn match_reads_shared_options_as_a_tournament() {
        let words = "a b --rules leiden --turn=20ms --no-ponder --fresh --no-build=false --allow-read /a \
                     --allow-read /b=c --memory 64MB --seed= --jobs 3 -- -c";
        let parse = |name| Cli::parse_from(["leyden", name].into_iter().chain(words.split_whitespace()));
        let Some(Command::Tournament { options: expected, .. }) = parse("tournament").command else {
            panic!()
        };
        let Some(Command::Match { options, .. }) = parse("match").command else { panic!() };
        assert_eq!(options.given.bots, ["a", "b", "-c"]);
        assert_eq!(format!("{:?}", options.given), format!("{expected:?}"));
    }

    #[test]
    fn each_command_has_exactly_the_options_it_names() {
        let commands = help::command();
        let heading = |name: &str, id: &str| {
            let command = commands.find_subcommand(name).unwrap();
            let option = command.get_arguments().find(|option| option.get_id() == id)?;
            Some(option.get_help_heading().unwrap_or_default().to_owned())
        };
        let sandbox = ["sandbox", "allow_read", "allow_network", "memory", "build_memory", "no_build"];
        for name in ["analyse", "check", "grade", "play", "rerun"] {
            assert!(sandbox.iter().all(|id| heading(name, id).unwrap() == "The sandbox"), "{name}");
            assert_eq!(heading(name, "fresh"), None, "{name}");
        }
        for (name, ids) in [
            ("check", &["turn", "startup"][..]),
            ("grade", &["turn", "startup"]),
            ("league", &["jobs"]),
            ("play", &["rules", "seats", "set", "target", "turn", "startup", "seed", "seed_file"]),
            ("rules", &["seats", "set", "target"]),
            ("verify", &["seed_file"]),
        ] {
            assert!(ids.iter().all(|id| heading(name, id).unwrap().is_empty()), "{name}");
            assert_eq!(heading(name, "bank"), None, "{name}");
        }
        for name in ["match", "gate"] {
            assert!(heading(name, "bots").is_some() && heading(name, "seed").is_some(), "{name}");
            assert!(["gauntlet", "format", "league"].iter().all(|id| heading(name, id).is_none()), "{name}");
        }
    }
}
