//! `leyden rules`: teaches the game to people with only a terminal, from the parameters of a rule set.
//!
//! The lesson is a text in each language with blanks, `language/texts/*/rules.ftl`. No rule is decided here: the rules computed
//! every layout, round and score that is shown. Most of this code makes drawings and example rounds. As texts they would be needed
//! for each of the 20 tables (Matador has 15, by seats and set) and width, and no test would see that one no longer agrees with the
//! rules.

mod example;
mod lesson;
mod page;
mod played_round;
mod scene;
mod turns;

#[cfg(test)]
mod tests;

use std::io;

use clap::Args;
use leyden_language::{Language, text::rules as text};
use leyden_protocol::RulesName;
use leyden_rules::Rules;

use crate::exit::{Code, CommandError};
use crate::options::{LanguageOption, Shared, Shares};
use crate::out::print;
use lesson::Lesson;
use page::RulesPage;
use scene::SceneError;

/// The options of `leyden rules`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RulesOptions {
    /// leyden, leyden-cross, leiden, senst, leyden-free or matador; without it, all are listed
    name: Option<RulesName>,
    #[command(flatten)]
    table: Shared<Self>,
    #[command(flatten)]
    language: LanguageOption,
    /// Print one JSON document (`leyden schema rules` describes it); without a name, a list of rule sets
    #[arg(long)]
    json: bool,
}

impl Shares for RulesOptions {
    const OPTIONS: &'static [&'static str] = &["seats", "set", "target"];
}

/// Teaches one rule set, or lists all.
pub(crate) fn run(request: &RulesOptions) -> Result<Code, CommandError> {
    print(&explained(request)?)
}

fn explained(request: &RulesOptions) -> Result<String, CommandError> {
    let (language, json) = (request.language.get(), request.json);
    let Some(name) = request.name else { return list(language, json) };
    let rules = request.table.given.table_rules(name)?;
    if json {
        return Ok(serde_json::to_string_pretty(&*rules).map_err(CommandError::defect)? + "\n");
    }
    lesson(language, &rules, width()).map_err(CommandError::defect)
}

/// Returns the width for the text: that of the terminal, else `COLUMNS`, else 80. At least 40, which drawings need, and at most
/// 100, because longer lines are hard to read.
fn width() -> usize {
    let from_environment = || std::env::var("COLUMNS").ok()?.parse().ok();
    crate::out::width(io::stdout()).or_else(from_environment).unwrap_or(80).clamp(40, 100)
}

fn list(language: Language, json: bool) -> Result<String, CommandError> {
    let all = RulesName::ALL.map(Rules::standard);
    if json {
        let all: Vec<_> = all.iter().map(|rules| **rules).collect();
        return Ok(serde_json::to_string_pretty(&all).map_err(CommandError::defect)? + "\n");
    }
    Ok(overview(language, width()))
}

fn overview(language: Language, width: usize) -> String {
    let sets = RulesName::ALL.map(|name| page::row(name, &language.say(text::Summary { name }))).join("\n");
    let mut page = RulesPage::new(width);
    page.write(&language.say(text::RuleSets { sets }));
    page.into_text()
}

/// Returns everything that a new player needs to know.
fn lesson(language: Language, rules: &Rules, width: usize) -> Result<String, SceneError> {
    let lesson = Lesson { language, rules, width };
    let mut page = RulesPage::new(width);
    page.write(&lesson.start());
    page.write(&lesson.layout()?);
    page.write(&lesson.joining()?);
    page.write(&lesson.turn());
    page.write(&lesson.scores());
    page.write(&example::rounds(&lesson)?);
    page.write(&lesson.further());
    Ok(page.into_text())
}
