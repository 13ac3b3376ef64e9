//! `leyden rules`: teaches the game to people with only a terminal, from the parameters of a rule set.
//!
//! No rule is decided here: every layout, round and score that is shown was computed by the rules.

mod example;
mod finish;
mod further;
mod page;
mod play;
mod played;
mod scene;
mod start;
mod words;

#[cfg(test)]
mod tests;

use std::io;

use leyden_protocol::{RulesName, Seats};
use leyden_rules::{DEFAULT_TARGET, Rules};

use crate::exit::CommandError;
use crate::options::TableOptions;
use page::RulesPage;
use scene::Impossible;

/// Teaches one rule set, or lists all.
pub(crate) fn explain(
    name: Option<RulesName>,
    table: &TableOptions,
    json: bool,
) -> Result<String, CommandError> {
    let Some(name) = name else { return list(json) };
    let rules = Rules::new(
        name,
        table.seats.unwrap_or(Seats::TWO),
        table.set.unwrap_or_default(),
        table.target.unwrap_or(DEFAULT_TARGET),
    )
    .map_err(CommandError::usage)?;
    if json {
        return Ok(serde_json::to_string_pretty(&*rules).map_err(CommandError::defect)? + "\n");
    }
    lesson(&rules, width()).map_err(CommandError::defect)
}

/// Returns the width for the text: that of the terminal, else `COLUMNS`, else 80. At least 40, which drawings need, and at most
/// 100, because longer lines are hard to read.
fn width() -> usize {
    let terminal = rustix::termios::tcgetwinsize(io::stdout()).ok().map(|size| usize::from(size.ws_col));
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.filter(|&columns| columns > 0).or_else(told).unwrap_or(80).clamp(40, 100)
}

fn list(json: bool) -> Result<String, CommandError> {
    let all = RulesName::ALL.map(Rules::standard);
    if json {
        let all: Vec<_> = all.iter().map(|rules| **rules).collect();
        return Ok(serde_json::to_string_pretty(&all).map_err(CommandError::defect)? + "\n");
    }
    Ok(overview(width()))
}

fn overview(width: usize) -> String {
    let mut page = RulesPage::new(width);
    page.heading("rule sets");
    page.rows(&RulesName::ALL.map(|name| (name.to_string(), summary(name).to_owned())));
    page.say("To learn one of them, or to look something up:");
    page.command("leyden rules leyden");
    page.command("leyden rules matador --seats 4 --set 9");
    page.into_text()
}

fn summary(name: RulesName) -> &'static str {
    match name {
        RulesName::Leyden => {
            "Celko's game, the default: points are bad, and the first two tiles go on N and S"
        }
        RulesName::LeydenCross => "the game \"last to 100\": points are bad, and a cross is filled first",
        RulesName::Leiden => {
            "the game \"first to 100\": points are good, and the winner of a round gets all of them"
        }
        RulesName::Senst => {
            "Senst's variant of Celko's game: points are good, and no two matadors lie across one after the other"
        }
        RulesName::LeydenFree => {
            "a game without an opening: points are bad, and the lowest double leads every round"
        }
        RulesName::Matador => {
            "Russian dominoes, on a line, for 2 to 8 players and with larger sets: points are good"
        }
    }
}

/// Returns everything that a new player needs to know.
fn lesson(rules: &Rules, width: usize) -> Result<String, Impossible> {
    let mut page = RulesPage::new(width);
    page.heading(&rules.name.to_string());
    page.say(&format!(
        "This is {}. It is explained here for {} players with the {} set.",
        summary(rules.name),
        rules.seats,
        rules.set
    ));
    start::aim(&mut page, rules);
    start::tiles(&mut page, rules);
    start::deal(&mut page, rules);
    start::lead(&mut page, rules);
    play::layout(&mut page, rules)?;
    play::joining(&mut page, rules)?;
    play::turn(&mut page, rules);
    finish::end_of_round(&mut page, rules);
    finish::winner(&mut page, rules);
    finish::scores(&mut page, rules);
    finish::match_end(&mut page, rules);
    example::rounds(&mut page, rules)?;
    further::notation(&mut page, rules);
    further::read_on(&mut page, rules);
    Ok(page.into_text())
}
