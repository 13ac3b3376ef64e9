//! Turns the options of a tournament, from the configuration file and the command line, into what is played.

use std::any::TypeId;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;
use leyden_arena::run::Options;
use leyden_arena::toml_error::in_words;
use leyden_arena::tournament::ResultsFile;
use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;

use crate::exit::CommandError;
use crate::options::{GateTest, RunOptions, TournamentOptions};

/// Reads a configuration file, or with `-` standard input. Paths in it are relative to its folder, or to the current one.
pub(crate) fn read(path: &Path) -> Result<TournamentOptions, CommandError> {
    let text = text(path, "the configuration")?;
    let mut options: TournamentOptions = toml::from_str(&text).map_err(|error| {
        let unknown = unknown_key(&text, &error).unwrap_or_default();
        let belongs = section_of(unknown).or_else(|| only_typed(unknown)).unwrap_or_default();
        CommandError::usage(format!("{}: {}{belongs}", path.display(), in_words(&text, &error)))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for bot in options.bots.iter_mut().chain(&mut options.gauntlet) {
        let beside = folder.join(&*bot);
        if beside.exists() {
            *bot = beside.display().to_string();
        }
    }
    // A path is what the command line parses as one.
    let mut table = Table::try_from(&options).map_err(not_utf8)?;
    for option in TournamentOptions::augment_args(clap::Command::new("leyden")).get_arguments() {
        let is_path = option.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let paths = match option.get_long().filter(|_| is_path).and_then(|name| table.get_mut(name)) {
            Some(toml::Value::Array(paths)) => &mut paths[..],
            path => path.map(slice::from_mut).unwrap_or_default(),
        };
        for path in paths {
            let beside = folder.join(path.as_str().unwrap_or_default());
            *path = toml::Value::try_from(beside).map_err(not_utf8)?;
        }
    }
    table.try_into().map_err(CommandError::defect)
}

fn not_utf8(error: impl Display) -> CommandError {
    CommandError::usage(format!("in a file every path must be UTF-8: {error}"))
}

/// Reads a file of options, or with `-` standard input.
pub(crate) fn text(path: &Path, what: &str) -> Result<String, CommandError> {
    let text =
        if path == Path::new("-") { io::read_to_string(io::stdin()) } else { fs::read_to_string(path) };
    text.map_err(|error| {
        CommandError::for_file(format_args!("cannot read {what} {}: {error}", path.display()), &error)
    })
}

/// Returns the key that an error is about, if any. In a text that is TOML, it is unknown where it stands.
fn unknown_key<'a>(text: &'a str, error: &toml::de::Error) -> Option<&'a str> {
    let key = text.get(error.span()?)?.trim_matches(['"', '\'']);
    has_key(&toml::Value::Table(text.parse().ok()?), key).then_some(key)
}

/// Whether a table in this value, at any depth, has the key.
fn has_key(value: &toml::Value, key: &str) -> bool {
    match value {
        toml::Value::Table(table) => {
            table.contains_key(key) || table.values().any(|value| has_key(value, key))
        }
        toml::Value::Array(values) => values.iter().any(|value| has_key(value, key)),
        _ => false,
    }
}

/// Returns a hint if a gate's option stands outside its section.
fn section_of(name: &str) -> Option<String> {
    let schema = schemars::schema_for!(GateTest);
    let is_of_gate = schema.get("properties")?.as_object()?.contains_key(name);
    is_of_gate.then(|| format!("; {name} belongs in the section [gate]"))
}

/// Returns a hint if a field that the configuration does not have is an option of the command line.
fn only_typed(name: &str) -> Option<String> {
    let option = name.replace('_', "-");
    let run = RunOptions::augment_args(clap::Command::new("leyden"));
    run.get_arguments().find(|argument| argument.get_long() == Some(&option))?;
    Some(format!(
        "\n--{option} is an option of the command line only: leyden tournament --config FILE --{option} …"
    ))
}

/// Returns the typed options, completed by the configuration file.
pub(crate) fn complete(
    typed: TournamentOptions,
    file: Option<TournamentOptions>,
) -> Result<TournamentOptions, CommandError> {
    let typed = TournamentOptions { pondering: typed.pondering(), stage: typed.stages(), ..typed };
    match file {
        Some(file) if !typed.bots.is_empty() && !file.bots.is_empty() => {
            crate::out::say(format_args!("the bots on the command line replace those of the configuration"));
            overlaid(&file, &typed, &[&["seed", "seed-file"]])
        }
        Some(file) => overlaid(&file, &typed, &[&["seed", "seed-file"]]),
        None => Ok(typed),
    }
}

/// Returns a gate's typed options, completed by the configuration file. Typed bounds replace those in the file.
pub(crate) fn complete_gate(typed: &GateTest, file: &GateTest) -> Result<GateTest, CommandError> {
    if file.non_regression && (file.elo0.is_some() || file.elo1.is_some()) {
        return Err(CommandError::usage(
            "the configuration's section [gate] has both bounds and non-regression: expected one or the other",
        ));
    }
    overlaid(file, typed, &[&["non-regression", "elo0"], &["non-regression", "elo1"]])
}

/// Lays one table of options over another: what stands in `above` wins. Of each two `alternatives`, the one in `above` also
/// replaces the other in `below`.
pub(crate) fn overlaid<T: Serialize + DeserializeOwned>(
    below: &T,
    above: &T,
    alternatives: &[&[&str; 2]],
) -> Result<T, CommandError> {
    let table = |options: &T| Table::try_from(options).map_err(not_utf8);
    let (mut below, above) = (table(below)?, table(above)?);
    for [one, other] in alternatives {
        if above.contains_key(*one) {
            below.remove(*other);
        }
        if above.contains_key(*other) {
            below.remove(*one);
        }
    }
    below.extend(above);
    below.try_into().map_err(CommandError::defect)
}

/// Returns the options of a run for which nothing was given.
pub(crate) fn default_options() -> Result<Options, CommandError> {
    Ok(Options::new(crate::program::leyden()?, Vec::<String>::new()))
}

/// Where the results go, as it was named.
pub(crate) enum NamedFile {
    New(ResultsFile),
    Resumed(PathBuf),
}

/// Returns where the results go.
pub(crate) fn results_file(options: &TournamentOptions) -> Result<NamedFile, CommandError> {
    match (&options.results, options.resume.unwrap_or(false)) {
        (Some(path), false) => Ok(NamedFile::New(ResultsFile::New(path.clone()))),
        // A typo must not silently start another tournament.
        (Some(path), true) if !path.exists() => Err(CommandError::usage(format!(
            "there is no results file {} to resume: leave --resume out to start a new run",
            path.display()
        ))),
        (Some(path), true) => Ok(NamedFile::Resumed(path.clone())),
        (None, false) => Ok(NamedFile::New(ResultsFile::Dated(PathBuf::new()))),
        (None, true) => Err(CommandError::usage("--resume needs a results file: --results FILE")),
    }
}

#[cfg(test)]
#[path = "../../tests/mutation/mod.rs"]
mod mutation;

/// Returns the folder for results files that no option names. Not the current one: that is often a bot's folder, which could not
/// be shown to the bot if it held results.
pub(crate) fn state_folder() -> PathBuf {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
    state.map(|state| state.join("leyden")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Parser;
    use leyden_arena::format::Seeding;
    use leyden_protocol::Seats;
    use serde_json::Value;

    use super::*;
    use crate::args::{Cli, Command};
    use crate::exit::Code;
    use crate::init;
    use crate::organisers::league_rules::RuleOptions;

    /// The configuration file with every option; these two exclude each other.
    fn every_option() -> String {
        let lines = init::file();
        let lines = lines
            .lines()
            .filter(|line| !line.starts_with("# seed-file ") && !line.contains("non-regression = "));
        uncommented(lines, &["# ", "#"])
    }

    /// Returns the text with these marks before keys and sections removed.
    fn uncommented<'a>(lines: impl Iterator<Item = &'a str>, marks: &[&str]) -> String {
        let is_key = |rest: &str| {
            rest.starts_with('[')
                || rest
                    .split_once(" = ")
                    .is_some_and(|(key, _)| !key.contains(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-')))
        };
        let line = |line: &'a str| {
            let rest = marks.iter().find_map(|mark| line.strip_prefix(mark).filter(|rest| is_key(rest)));
            rest.unwrap_or(line)
        };
        lines.map(line).collect::<Vec<_>>().join("\n")
    }

    fn file(text: &str) -> TournamentOptions {
        toml::from_str(text).unwrap()
    }

    fn typed(words: &str) -> TournamentOptions {
        match Cli::parse_from(["leyden", "tournament"].into_iter().chain(words.split_whitespace())).command {
            Some(Command::Tournament { options, .. }) => options,
            other => panic!("{other:?}"),
        }
    }

    fn table(options: &TournamentOptions) -> Table {
        Table::try_from(options).unwrap()
    }

    #[test]
    fn error_for_command_line_only_option_shows_command() {
        let said = |text: &str| {
            only_typed(unknown_key(text, &toml::from_str::<TournamentOptions>(text).unwrap_err())?)
        };
        for (text, option) in [
            ("nats = \"nats://x\"", "nats"),
            ("\"nats\" = \"x\"", "nats"),
            ("[gate]\nnats = \"x\"", "nats"),
            ("serve = true", "serve"),
            ("json = true", "json"),
        ] {
            let refusal = said(text).unwrap();
            assert!(
                refusal.contains(&format!("leyden tournament --config FILE --{option} …")),
                "{text}: {refusal}"
            );
        }
        for text in ["colour = 12", "blocks = \"12\"", "rules = \"json\"", "json = 1\njson = 2"] {
            assert_eq!(said(text), None, "{text}");
        }
    }

    #[test]
    fn error_for_bare_number_suggests_its_unit() {
        fn said<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
            in_words(text, &toml::from_str::<T>(text).unwrap_err())
        }
        for (text, says) in [
            ("turn = 1", "turn = 1: expected a duration with its unit, in quotes; write turn = \"1s\""),
            ("turn = 500", "write turn = \"500ms\", or turn = \"500s\""),
            ("memory = 512", "expected a size with its unit, in quotes; write memory = \"512MB\""),
            ("memory = true", "memory = true: expected a size with its unit, in quotes"),
            ("memory = \"512\"", "expected an amount such as 512MB or 2GB"),
            ("turn = \"1\"", "expected a duration such as 500ms or 2s"),
        ] {
            let said = said::<TournamentOptions>(text);
            assert!(said.contains(says), "{said}");
        }
        for (text, says) in [
            ("disk = 20", "write disk = \"20GB\""),
            ("cpu-a-day = 30", "\"30s\""),
            ("cpu-a-day = -5", "cpu-a-day = -5: expected a duration with its unit, in quotes"),
            ("cpu-a-day = nan", "cpu-a-day = nan: expected a duration with its unit, in quotes"),
            ("cpu-a-day = inf", "cpu-a-day = inf: expected a duration with its unit, in quotes"),
        ] {
            let said = said::<RuleOptions>(text);
            assert!(said.ends_with(says), "{said}");
        }
    }

    #[test]
    fn untyped_options_come_from_the_file() {
        let both = complete(typed(""), Some(file(&every_option()))).unwrap();
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<String>>();
        let schema = serde_json::to_value(schemars::schema_for!(TournamentOptions)).unwrap();
        let expected = keys(&schema["properties"]);
        assert_eq!(table(&both), table(&file(&every_option())));
        assert!(both.seed_file.is_none() && init::file().contains("\n# seed-file = "));
        assert_eq!(keys(&serde_json::to_value(&both).unwrap()), expected, "every option");
        for (section, key, left_out) in
            [("GateTest", "gate", "non-regression"), ("StageOptions", "stage", "")]
        {
            let mut expected = keys(&schema["$defs"][section]["properties"]);
            expected.remove(left_out);
            let shown = serde_json::to_value(&both).unwrap()[key].clone();
            let shown = shown.as_array().cloned().unwrap_or_else(|| vec![shown]);
            assert_eq!(shown.iter().flat_map(keys).collect::<BTreeSet<_>>(), expected, "{section}");
        }
        assert!(crate::options::format(&both, vec!["a".to_owned()]).is_err(), "a gauntlet has no stages");
        assert!(
            crate::options::format(&TournamentOptions { gauntlet: Vec::new(), ..both }, Vec::new())
                .unwrap()
                .is_some()
        );
    }

    #[test]
    fn typed_options_override_the_file() {
        let words = "x --rules leiden --set 9 --turn 20ms --ponder --sandbox jail --memory 64MB --fresh \
                     --seed-file f --allow-read /srv --results other.db --gauntlet y --seeding draw \
                     --format swiss --rounds 3";
        let below = file(&every_option());
        let both = complete(typed(words), Some(below.clone())).unwrap();
        let mut expected = table(&below);
        expected.remove("seed");
        let text = "bots = [\"x\"]\nrules = \"leiden\"\nset = 9\nturn = \"20ms\"\npondering = \"allowed\"\n\
                    sandbox = \"jail\"\nmemory = \"64MB\"\nfresh = true\nseed-file = \"f\"\n\
                    allow-read = [\"/srv\"]\nresults = \"other.db\"\ngauntlet = [\"y\"]\nseeding = \"draw\"\n\
                    [[stage]]\nformat = \"swiss\"\nrounds = 3";
        expected.extend(text.parse::<Table>().unwrap());
        assert_eq!(table(&both), expected);
    }

    #[test]
    fn initial_config_sets_nothing_and_shows_defaults() {
        let text = init::file();
        assert_eq!(table(&file(&text)), table(&TournamentOptions::default()));
        let shown = file(&uncommented(text.lines(), &["#"]));
        // Of a match as many seats as there are bots; the file says what a tournament does.
        let mut usual = default_options().unwrap();
        usual.settings.seats = Seats::new(2);
        usual.settings.memory = Some(usual.sandbox_limits().memory);
        assert_eq!(format!("{:?}", shown.over(default_options().unwrap()).unwrap()), format!("{usual:?}"));
        assert_eq!(shown.seeding, Some(Seeding::default()));
        let gate = shown.gate.unwrap();
        let terms = |test: &GateTest| test.terms(None).unwrap();
        assert_eq!(terms(&gate), terms(&GateTest::default()));
        // The other usual test has defaults of its own.
        let of_loss = |test| GateTest { non_regression: true, elo0: None, elo1: None, ..test };
        assert_eq!(terms(&of_loss(gate)), terms(&of_loss(GateTest::default())));
    }

    #[test]
    fn paths_in_a_file_count_from_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cup.toml");
        let text = "seed-file = \"a\"\nresults = \"b\"\nratings = \"/c\"\nleague = \"d\"\n\
                    allow-read = [\"e\", \"/f\"]\nreplace = [\"g\"]\n";
        fs::write(&path, text).unwrap();
        let at = |name: &str| folder.path().join(name);
        let expected = TournamentOptions {
            seed_file: Some(at("a")),
            results: Some(at("b")),
            ratings: Some("/c".into()),
            league: Some(at("d")),
            allow_read: vec![at("e"), "/f".into()],
            ..file("replace = [\"g\"]")
        };
        assert_eq!(table(&read(&path).unwrap()), table(&expected));
    }

    #[test]
    fn typed_bounds_and_non_regression_replace_each_other() {
        let bounds = GateTest { elo0: Some(1.0), elo1: Some(9.0), alpha: Some(0.2), ..GateTest::default() };
        let regression = GateTest { non_regression: true, beta: Some(0.3), ..GateTest::default() };
        let both = complete_gate(&regression, &bounds).unwrap();
        assert!(both.non_regression && both.elo0.is_none() && both.elo1.is_none());
        assert_eq!((both.alpha, both.beta), (Some(0.2), Some(0.3)));
        let one = GateTest { elo1: Some(5.0), ..GateTest::default() };
        let both = complete_gate(&one, &regression).unwrap();
        assert_eq!((both.non_regression, both.elo0, both.elo1), (false, None, Some(5.0)));
        let both = complete_gate(&one, &bounds).unwrap();
        assert_eq!((both.elo0, both.elo1), (Some(1.0), Some(5.0)));
        let neither = GateTest { elo0: Some(1.0), ..regression };
        assert!(complete_gate(&GateTest::default(), &neither).is_err());
    }

    #[test]
    fn error_names_section_for_misplaced_gate_option() {
        let refused = |text: &[u8]| made(text).unwrap_err().message;
        for text in ["bots = [\"a\"]\nmax-time = \"10m\"\n", "[[stage]]\nmax-time = \"10m\"\n"] {
            let refusal = refused(text.as_bytes());
            assert!(refusal.ends_with("; max-time belongs in the section [gate]"), "{refusal}");
        }
        let refusal = refused(b"max-tim = \"10m\"\n");
        assert!(!refusal.contains("section [gate]"), "{refusal}");
    }

    /// Makes a configuration from these bytes into what is played.
    fn made(bytes: &[u8]) -> Result<Options, CommandError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cup.toml");
        fs::write(&path, bytes).unwrap();
        let all = complete(TournamentOptions::default(), Some(read(&path)?))?;
        results_file(&all)?;
        let test = complete_gate(&GateTest::default(), &all.gate.clone().unwrap_or_default())?;
        test.terms(None)?;
        all.over(default_options()?)
    }

    #[test]
    fn corpus_can_be_read() {
        for configuration in mutation::corpus("configuration") {
            let made = made(&configuration);
            assert!(made.is_ok(), "{}", made.unwrap_err().message);
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { cases: 400, ..Default::default() })]

        /// Any error must be one of usage, never a defect of the arena.
        #[test]
        fn mutated_config_is_read_or_gives_usage_error(
            seed in proptest::prelude::any::<proptest::sample::Index>(), changes in mutation::changes()
        ) {
            let corpus = mutation::corpus("configuration");
            let bytes = mutation::changed(&corpus[seed.index(corpus.len())], &changes);
            if let Err(stop) = made(&bytes) {
                proptest::prop_assert_eq!(stop.code, Code::Usage);
                proptest::prop_assert!(!stop.message.is_empty());
            }
        }
    }
}
