//! What `leyden tournament --init` prints: every option with its default or an example, and with its help as the comment.

use clap::CommandFactory;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::args::Cli;
use crate::exit::{Code, CommandError};
use crate::options::{GateTest, TournamentOptions};
use crate::organisers::league_rules::RuleOptions;
use crate::out::quoted;

const HEAD: &str = "\
# A tournament of Leyden Arena. Play it with
#   leyden tournament --config cup.toml
# and add --serve to watch it in a browser (leyden help serve).
# This file has every option of the game, the bots and the machine; options for output and other machines (--json, --quiet, --serve,
# --nats) exist on the command line only. Each option is shown with its default (#key = value), or with an example if it has none
# (# key = value). To set one, remove the marks before its key. The command line overrides this file; paths are relative to its
# folder.
";

const RULES_HEAD: &str = "\
# The rules of a league of Leyden Arena. Play by them with
#   leyden league FOLDER --rules rules.toml
# To set a rule, remove the mark before its key. The command line overrides this file. The game, time limits and the sandbox are set
# in a configuration (leyden tournament --init), which is given to --config.
";

/// Prints it. Refuses any other argument, because it would have no effect on what is printed.
pub(crate) fn print(bots: &[String]) -> Result<Code, CommandError> {
    let others = std::env::args_os().skip(1).filter(|word| word != "tournament" && word != "--init");
    let others: Vec<String> = others.map(|word| quoted(&word)).collect();
    if others.is_empty() {
        return crate::out::print(&file());
    }
    // A single word after it is probably meant as the file to write.
    let file = if let [one] = bots { quoted(one.as_ref()) } else { "cup.toml".to_owned() };
    Err(CommandError::usage(format!(
        "--init takes no other argument, but got {}: it prints a configuration with every option to standard \
         output, and writes no file. Expected:\n  leyden tournament --init > {file}",
        others.join(" ")
    )))
}

/// The whole file, made from the schema of the options.
pub(crate) fn file() -> String {
    let schema = json!(schemars::schema_for!(TournamentOptions));
    let sections = &schema["$defs"];
    let mut shown = values::<TournamentOptions>(&schema);
    shown.insert("gate".to_owned(), values::<GateTest>(&sections["GateTest"]).into());
    let shown: TournamentOptions = serde_json::from_value(shown.into()).expect("examples are options");
    let command = Cli::command();
    let tournament = command.find_subcommand("tournament").expect("a command");
    let heading = |key: &str| {
        let option = tournament.get_arguments().find(|one| one.get_long() == Some(key));
        option.and_then(|option| option.get_help_heading())
    };
    let (mut text, mut section, mut above) = (HEAD.to_owned(), &schema, None);
    for line in toml::to_string(&shown).expect("options are TOML").lines().filter(|line| !line.is_empty()) {
        let (key, value) = line.split_once(" = ").unwrap_or((line.trim_matches(['[', ']']), ""));
        let option = if value.is_empty() { &schema["properties"][key] } else { &section["properties"][key] };
        match (value, key) {
            ("", "stage") => section = &sections["StageOptions"],
            ("", _) => section = &sections["GateTest"],
            _ => {}
        }
        if let Some(heading) = heading(key).filter(|one| above != Some(*one) && section == &schema) {
            above = Some(heading);
            text.extend(["\n## ", heading, "\n"]);
        }
        let mark = if option["examples"].is_array() || key == "stage" || section == &sections["StageOptions"]
        {
            "# "
        } else {
            "#"
        };
        let about = option["description"].as_str().unwrap_or_default().replace('\n', " ");
        // The line below shows the default, which was read from this help.
        let about = if mark == "#" { about.split(" [default: ").next().unwrap_or_default() } else { &about };
        let about = textwrap::wrap(about, WIDTH).join("\n# ");
        // Only the first of several stages explains an option.
        if !text.contains(&about) {
            text.extend(["\n# ", &about, "\n"]);
        } else if value.is_empty() {
            text += "\n";
        }
        text.extend([mark, line, "\n"]);
    }
    text
}

/// A file with the rules of a league, made from the schema of their options.
pub(crate) fn rules() -> String {
    let schema = json!(schemars::schema_for!(RuleOptions));
    let shown = serde_json::from_value::<RuleOptions>(values::<RuleOptions>(&schema).into());
    let mut text = RULES_HEAD.to_owned();
    for line in toml::to_string(&shown.expect("examples are rules")).expect("rules are TOML").lines() {
        let key = line.split(" = ").next().unwrap_or_default();
        let about = schema["properties"][key]["description"].as_str().unwrap_or_default().replace('\n', " ");
        text.extend(["\n# ", &textwrap::wrap(&about, WIDTH).join("\n# "), "\n# ", line, "\n"]);
    }
    text
}

/// The width of comments, without their marks.
const WIDTH: usize = 118;

/// For each option its example, or its default, or `false`. A default is read from the help, and a test compares it with what is
/// played: clap knows none, because an option that is not given stays `None` until all are laid over `Options::new`. To derive help
/// and file from what is played takes the inverse of `TournamentOptions::over` and `GateTest::terms`, and help that is rewritten
/// as it is made: 50 lines, where reading and test are 20.
fn values<T: DeserializeOwned>(schema: &Value) -> Map<String, Value> {
    let options = schema["properties"].as_object().expect("options");
    let value = |(key, about): (&String, &Value)| {
        let help = about["description"].as_str().unwrap_or_default();
        let default = help.split_once("[default: ").map_or("", |(_, rest)| rest.trim_end_matches(']'));
        let example = about["examples"].get(0).cloned().unwrap_or_default();
        let all = [example, serde_json::from_str(default).unwrap_or_default(), default.into(), false.into()];
        let is_one =
            |value: &Value| !value.is_null() && serde_json::from_value::<T>(json!({ key: value })).is_ok();
        Some((key.clone(), all.into_iter().find(is_one)?))
    };
    options.iter().filter_map(value).collect()
}
