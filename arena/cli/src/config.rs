//! Turns the options of a tournament, from the configuration file and the command line, into what is played.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use leyden_arena::run::Options;
use leyden_arena::toml_error::in_words;
use leyden_arena::tournament::ResultsFile;
use leyden_host::ResourceLimits;
use leyden_model::Pondering;
use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;

use crate::exit::{Code, CommandError};
use crate::options::{BuildOptions, GateTest, GivenLimits, Memory, RunOptions, TournamentOptions};
use crate::out::quoted;

/// What `leyden tournament --init` prints: every option with its default.
const INIT: &str = include_str!("init.toml");

/// Prints it. Refuses any other argument, because it would have no effect on what is printed.
pub(crate) fn print_init(bots: &[String]) -> Result<Code, CommandError> {
    let others = std::env::args_os().skip(1).filter(|word| word != "tournament" && word != "--init");
    let others: Vec<String> = others.map(|word| quoted(&word)).collect();
    if others.is_empty() {
        return crate::out::print(INIT);
    }
    // A single word after it is probably meant as the file to write.
    let file = if let [one] = bots { quoted(one.as_ref()) } else { "cup.toml".to_owned() };
    Err(CommandError::usage(format!(
        "--init takes no other argument, but got {}: it prints a configuration with every option to standard \
         output, and writes no file. Expected:\n  leyden tournament --init > {file}",
        others.join(" ")
    )))
}

/// Reads a configuration file, or with `-` standard input. Paths in it are relative to its folder, or to the current one.
pub(crate) fn read(path: &Path) -> Result<TournamentOptions, CommandError> {
    let text =
        if path == Path::new("-") { io::read_to_string(io::stdin()) } else { fs::read_to_string(path) };
    let text = text.map_err(|error| {
        CommandError::of_file(
            format_args!("cannot read the configuration {}: {error}", path.display()),
            &error,
        )
    })?;
    let mut options: TournamentOptions = toml::from_str(&text).map_err(|error| {
        let belongs = section_of(error.message()).or_else(|| only_typed(error.message())).unwrap_or_default();
        CommandError::usage(format!("{}: {}{belongs}", path.display(), in_words(&text, &error)))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for bot in options.bots.iter_mut().chain(&mut options.gauntlet) {
        let beside = folder.join(&*bot);
        if beside.exists() {
            *bot = beside.display().to_string();
        }
    }
    let files = [&mut options.seed_file, &mut options.results, &mut options.ratings].into_iter().flatten();
    for file in files.chain(&mut options.allow_read) {
        *file = folder.join(&*file);
    }
    Ok(options)
}

/// Returns a hint if a gate's option stands outside its section.
fn section_of(message: &str) -> Option<String> {
    let (name, _) = message.strip_prefix("unknown field `")?.split_once('`')?;
    let schema = schemars::schema_for!(GateTest);
    let is_of_gate = schema.get("properties")?.as_object()?.contains_key(name);
    is_of_gate.then(|| format!("; {name} belongs in the section [gate]"))
}

/// Returns a hint if a field that the configuration does not have is an option of the command line.
fn only_typed(message: &str) -> Option<String> {
    let (name, _) = message.strip_prefix("unknown field `")?.split_once('`')?;
    let option = name.replace('_', "-");
    let run = RunOptions::augment_args(clap::Command::new("leyden"));
    run.get_arguments().find(|argument| argument.get_long() == Some(&option))?;
    Some(format!(
        "\n--{option} is an option of the command line only: leyden tournament --config FILE --{option} …"
    ))
}

/// Returns the typed options, completed by the configuration file.
pub(crate) fn complete(
    mut typed: TournamentOptions,
    file: Option<TournamentOptions>,
) -> Result<TournamentOptions, CommandError> {
    typed.pondering = typed_pondering(&typed);
    match file {
        Some(file) if !typed.bots.is_empty() && !file.bots.is_empty() => {
            crate::out::say(format_args!("the bots on the command line replace those of the configuration"));
            overlaid(&file, &typed, &[&["seed", "seed-file"]])
        }
        Some(file) => overlaid(&file, &typed, &[&["seed", "seed-file"]]),
        None => Ok(typed),
    }
}

/// Returns the pondering rule that one of the two options sets, if one was typed.
fn typed_pondering(typed: &TournamentOptions) -> Option<Pondering> {
    match (typed.ponder, typed.no_ponder) {
        (true, _) => Some(Pondering::Allowed),
        (_, true) => Some(Pondering::Never),
        (false, false) => typed.pondering,
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
fn overlaid<T: Serialize + DeserializeOwned>(
    below: &T,
    above: &T,
    alternatives: &[&[&str; 2]],
) -> Result<T, CommandError> {
    let table = |options: &T| {
        Table::try_from(options)
            .map_err(|error| CommandError::usage(format!("with --config every path must be UTF-8: {error}")))
    };
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
pub(crate) fn usual() -> Result<Options, CommandError> {
    Ok(Options::new(crate::program::leyden()?, Vec::<String>::new()))
}

/// Converts the options that were given to the library's type; all others are as in `default`.
pub(crate) fn options(options: &TournamentOptions, default: Options) -> Result<Options, CommandError> {
    let limits = GivenLimits {
        startup: options.startup,
        turn: options.turn,
        bank: options.bank,
        increment: options.increment,
        clock: options.clock,
    };
    let memory = options.memory.map_or(default.sandbox_limits.memory, Memory::bytes);
    Ok(Options {
        bots: if options.bots.is_empty() { default.bots } else { options.bots.clone() },
        rules: options.rules.unwrap_or(default.rules),
        seats: options.seats.or(default.seats),
        set: options.set.unwrap_or(default.set),
        target: options.target.unwrap_or(default.target),
        limits: limits.over(default.limits),
        strikes: options.strikes.unwrap_or(default.strikes),
        fresh: options.fresh.unwrap_or(default.fresh),
        names: options.names.unwrap_or(default.names),
        pondering: options.pondering.unwrap_or(default.pondering),
        blocks: options.blocks.unwrap_or(default.blocks),
        seed: seed_text(options)?,
        jobs: options.jobs,
        cores_per_match: options.cores_per_match.unwrap_or(default.cores_per_match),
        sandbox: options.sandbox.unwrap_or(default.sandbox),
        sandbox_limits: ResourceLimits { memory, ..default.sandbox_limits },
        build_limits: BuildOptions {
            build_memory: options.build_memory,
            build_time: options.build_time,
            build_network: options.build_network,
            no_build: options.no_build,
        }
        .limits(),
        no_build: options.no_build.unwrap_or(default.no_build),
        replace: options.replace.clone(),
        allow_read: options.allow_read.clone(),
        allow_network: options.allow_network.clone(),
        allow_missing: options.allow_missing.unwrap_or(default.allow_missing),
        allow_builtins: options.allow_builtins.unwrap_or(default.allow_builtins),
        ..default
    })
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

/// Returns the chosen seed text, if any.
fn seed_text(options: &TournamentOptions) -> Result<Option<String>, CommandError> {
    if let Some(text) = &options.seed {
        return Ok(Some(text.clone()));
    }
    options.seed_file.as_deref().map(seed_in).transpose()
}

/// Reads the seed text from a file.
pub(crate) fn seed_in(path: &Path) -> Result<String, CommandError> {
    let text = fs::read_to_string(path).map_err(|error| {
        CommandError::of_file(format_args!("cannot read the seed file {}: {error}", path.display()), &error)
    })?;
    let text = text.trim_matches(['\r', '\n']);
    if text.is_empty() {
        return Err(CommandError::usage(format!("the seed file {} is empty", path.display())));
    }
    Ok(text.to_owned())
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
    use leyden_protocol::Seats;

    use super::*;
    use crate::args::{Cli, Command};

    const FILE: &str = "bots = [\"a\", \"b\"]\nrules = \"matador\"\nseats = 3\nset = 9\ntarget = 50\nblocks = 4\n\
        seed = \"s\"\njobs = 2\ncores-per-match = 3\nturn = \"1s 500ms\"\nbank = \"2m\"\nincrement = \"7ms\"\n\
        startup = \"9s\"\nclock = \"cpu\"\npondering = \"never\"\nstrikes = 5\nfresh = true\nnames = true\n\
        sandbox = \"jail\"\nallow-read = [\"/opt\"]\nallow-network = [\"a\"]\nmemory = \"3GB\"\nbuild-memory = \"4GB\"\nbuild-time = \"1s\"\nbuild-network = true\nno-build = true\nallow-missing = true\nallow-builtins = true\nresults = \"r.db\"\n\
        resume = true\nreplace = [\"a\"]\ngauntlet = [\"a\"]\nseeding = \"draw\"\nratings = \"l.db\"\n[[stage]]\nformat = \"swiss\"\nrounds = 3\n[gate]\nelo0 = -3.5\nelo1 = 4.0\nalpha = 0.1\nbeta = 0.2\nmax-pairs = 9\nmodel = \"logistic\"\n\
        max-faults = 2\nmax-time = \"60000ms\"\nagainst = \"v1\"\n";

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
    fn an_option_that_can_only_be_typed_is_told_so() {
        let said = |text: &str| only_typed(toml::from_str::<TournamentOptions>(text).unwrap_err().message());
        for (text, option) in
            [("nats = \"nats://x\"", "nats"), ("serve = true", "serve"), ("json = true", "json")]
        {
            let told = said(text).unwrap();
            assert!(
                told.contains(&format!("leyden tournament --config FILE --{option} …")),
                "{text}: {told}"
            );
        }
        assert_eq!(said("colour = 12"), None);
        assert_eq!(said("blocks = \"12\""), None);
    }

    #[test]
    fn what_is_not_typed_is_taken_from_the_file() {
        let both = complete(typed(""), Some(file(FILE))).unwrap();
        let text = "build-time = \"1000ms\"\nturn = \"1500ms\"\nbank = \"120000ms\"\nstartup = \"9000ms\"";
        let mut expected: Table = FILE.parse().unwrap();
        expected.extend(text.parse::<Table>().unwrap());
        assert_eq!(table(&both), expected, "every option");
    }

    #[test]
    fn what_is_typed_wins() {
        let words = "x --rules leiden --set 6 --turn 20ms --ponder --sandbox auto --memory 64MB --fresh=false \
                     --seed-file f --allow-read /srv --results other.db";
        let both = complete(typed(words), Some(file(FILE))).unwrap();
        let mut expected = table(&complete(typed(""), Some(file(FILE))).unwrap());
        expected.remove("seed");
        let text = "bots = [\"x\"]\nrules = \"leiden\"\nset = 6\nturn = \"20ms\"\npondering = \"allowed\"\n\
                    sandbox = \"auto\"\nmemory = \"64MB\"\nfresh = false\nseed-file = \"f\"\n\
                    allow-read = [\"/srv\"]\nresults = \"other.db\"";
        expected.extend(text.parse::<Table>().unwrap());
        assert_eq!(table(&both), expected);
    }

    /// Returns the text with the comment marks before these keys removed.
    fn uncommented(marks: &[&str]) -> TournamentOptions {
        let is_key = |rest: &str| {
            rest.starts_with('[')
                || rest.split_once(" = ").is_some_and(|(key, _)| {
                    key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
                })
        };
        let line = |line: &'static str| {
            let rest = marks.iter().find_map(|mark| line.strip_prefix(mark).filter(|rest| is_key(rest)));
            rest.unwrap_or(line)
        };
        file(&INIT.lines().map(line).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn the_file_to_begin_with_says_nothing_and_shows_the_defaults() {
        assert_eq!(table(&file(INIT)), table(&TournamentOptions::default()));
        let shown = options(&uncommented(&["#"]), usual().unwrap()).unwrap();
        // Of a match as many seats as there are bots; the file says what a tournament does.
        let usual = options(
            &TournamentOptions { seats: Seats::new(2), ..TournamentOptions::default() },
            usual().unwrap(),
        );
        assert_eq!(format!("{shown:?}"), format!("{:?}", usual.unwrap()));
        let gate = uncommented(&["#"]).gate.unwrap();
        let terms = |test: &GateTest| test.choices().terms(None).unwrap();
        assert_eq!(terms(&gate), terms(&GateTest::default()));
        // The other usual test has defaults of its own.
        let of_loss = |test| GateTest { non_regression: true, elo0: None, elo1: None, ..test };
        assert_eq!(terms(&of_loss(gate)), terms(&of_loss(GateTest::default())));
    }

    #[test]
    fn the_file_to_begin_with_has_every_key() {
        let schema = serde_json::to_value(schemars::schema_for!(TournamentOptions)).unwrap();
        let keys = |of: &serde_json::Value| -> BTreeSet<String> {
            of["properties"].as_object().unwrap().keys().cloned().collect()
        };
        let is_there =
            |key: &String| INIT.contains(&format!("#{key} = ")) || INIT.contains(&format!("# {key} = "));
        let missing = |keys: BTreeSet<String>| -> Vec<String> {
            keys.into_iter().filter(|key| !is_there(key)).collect()
        };
        assert_eq!(missing(keys(&schema)), ["gate", "stage"], "sections");
        let of_stage = |line: &str| line.strip_prefix("#   ").map(str::to_owned);
        let stages = INIT.lines().skip_while(|line| !line.contains("[[stage]]")).filter_map(of_stage);
        let stages = stages.collect::<Vec<_>>().join("\n");
        let not_shown = |key: &String| !stages.contains(&format!("{key} = "));
        assert_eq!(keys(&schema["$defs"]["StageOptions"]).into_iter().find(not_shown), None);
        let stages = file(&stages);
        assert_eq!(stages.stage.len(), 5);
        assert!(crate::options::format(&stages, Vec::new()).unwrap().is_some());
        assert_eq!(missing(keys(&schema["$defs"]["GateTest"])), [""; 0]);
        // The examples parse, too. Some options exclude each other.
        let text = INIT.lines().filter(|line| !line.contains("seed-file")).collect::<Vec<_>>().join("\n");
        let examples: String = text
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .filter(|line| {
                line.contains(" = ") && line.split(' ').next().is_some_and(|key| is_there(&key.to_owned()))
            })
            .collect::<Vec<_>>()
            .join("\n");
        let (before, gate) = examples.split_once("non-regression").unwrap();
        file(&format!("{before}[gate]\nnon-regression{gate}"));
    }

    #[test]
    fn typed_bounds_of_a_gate_replace_non_regression_and_are_replaced_by_it() {
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
    fn an_option_of_a_gate_outside_its_section_is_sent_there() {
        let refused = |text: &[u8]| made(text).unwrap_err().message;
        let told = refused(b"bots = [\"a\"]\nmax-time = \"10m\"\n");
        assert!(told.ends_with("; max-time belongs in the section [gate]"), "{told}");
        let told = refused(b"max-tim = \"10m\"\n");
        assert!(!told.contains("section [gate]"), "{told}");
    }

    /// Makes a configuration from these bytes into what is played.
    fn made(bytes: &[u8]) -> Result<Options, CommandError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cup.toml");
        fs::write(&path, bytes).unwrap();
        let all = complete(TournamentOptions::default(), Some(read(&path)?))?;
        results_file(&all)?;
        let test = complete_gate(&GateTest::default(), &all.gate.clone().unwrap_or_default())?;
        test.choices().terms(None)?;
        options(&all, usual()?)
    }

    #[test]
    fn the_corpus_can_be_read() {
        for configuration in mutation::corpus("configuration") {
            let made = made(&configuration);
            assert!(made.is_ok(), "{}", made.unwrap_err().message);
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { cases: 400, ..Default::default() })]

        /// Any error must be one of usage, never a defect of the arena.
        #[test]
        fn a_configuration_that_was_changed_is_read_or_refused(
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
