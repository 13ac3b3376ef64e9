//! `leyden rules`: what a rule set says, from its parameters.

use std::fmt::Write;

use leyden_protocol::{Better, Drawing, LayoutShape, LeadRule, Opening, RulesName, Scoring, Seats};
use leyden_rules::{DEFAULT_TARGET, Rules};

use super::args::TableOptions;
use super::exit::Stop;

/// One rule set in words, or a line for each.
pub(super) fn explain(name: Option<RulesName>, table: &TableOptions, json: bool) -> Result<String, Stop> {
    let Some(name) = name else { return list(json) };
    let rules = Rules::new(
        name,
        table.seats.unwrap_or(Seats::TWO),
        table.set.unwrap_or_default(),
        table.target.unwrap_or(DEFAULT_TARGET),
    )
    .map_err(Stop::usage)?;
    if json {
        return Ok(serde_json::to_string_pretty(&*rules).map_err(Stop::defect)? + "\n");
    }
    Ok(words(&rules))
}

fn list(json: bool) -> Result<String, Stop> {
    let all = RulesName::ALL.map(Rules::standard);
    if json {
        let all: Vec<_> = all.iter().map(|rules| **rules).collect();
        return Ok(serde_json::to_string_pretty(&all).map_err(Stop::defect)? + "\n");
    }
    let mut text = String::new();
    for rules in all {
        let _ = writeln!(text, "{:13} {}", rules.name.to_string(), summary(rules.name)); // a String takes all
    }
    text.push_str("\nleyden rules NAME explains one; the whole game is told in arena/rules/README.md.\n");
    Ok(text)
}

fn summary(name: RulesName) -> &'static str {
    match name {
        RulesName::Leyden => {
            "Celko's game, the default: pips count against their holder, the sides open the play"
        }
        RulesName::LeydenCross => "the English game \"last to 100\": the same, with a cross to fill first",
        RulesName::Leiden => "the game \"first to 100\": who goes out scores all pips",
        RulesName::Senst => "Senst's variant: as leiden, without matadors across on matadors across",
        RulesName::LeydenFree => "no opening, and the lowest double leads every round",
        RulesName::Matador => "Russian dominoes on a line, for 2 to 8 seats and larger sets",
    }
}

fn words(rules: &Rules) -> String {
    let sum = rules.set.sum();
    let score = match rules.scoring {
        Scoring::OwnHand => "each player adds the pips of his own hand",
        Scoring::AllHands => "the winner of the round adds the pips of all hands",
        Scoring::Difference => "the winner of the round adds all others' pips minus his own",
    };
    let better = match rules.better {
        Better::Lower => "the lower score wins",
        Better::Higher => "the higher score wins",
    };
    let layout = match (rules.layout, rules.opening) {
        (LayoutShape::Line, _) => "a line with two ends, E and W",
        (LayoutShape::Spinner, Opening::Sides) => {
            "four arms around the lead; N and S take one tile each before all are open"
        }
        (LayoutShape::Spinner, Opening::Cross) => {
            "four arms around the lead; each takes one tile before all are open"
        }
        (LayoutShape::Spinner, Opening::None) => "four arms around the lead, all open at once",
    };
    let drawing = match rules.drawing {
        Drawing::Any => "as many tiles as you like before playing; you must while you cannot play",
        Drawing::One => "only when you cannot play, one tile a turn",
    };
    let across = if rules.across_on_across { "allowed" } else { "not allowed" };
    format!(
        "{name}: {summary}\n\n\
         seats    {seats}\n\
         tiles    {set}, {hand} in each hand, {reserve} of the boneyard stay in reserve\n\
         joining  touching halves add up to {sum}; 0-0 and tiles with {sum} pips are wild (matadors)\n\
         layout   {layout}\n\
         leading  first round: {first}; later: {later}\n\
         drawing  {drawing}\n\
         across   a matador may lie across; on a matador that lies across it is {across}\n\
         round    {score}\n\
         match    to {target}: {better}\n",
        name = rules.name,
        summary = summary(rules.name),
        seats = rules.seats,
        set = rules.set,
        hand = rules.hand,
        reserve = rules.reserve,
        first = lead(rules.leads.first),
        later = lead(rules.leads.later),
        target = rules.target,
    )
}

fn lead(rule: LeadRule) -> &'static str {
    match rule {
        LeadRule::Lowest => "the holder of the lowest double (not 0-0) leads it",
        LeadRule::Highest => "the holder of the highest double leads it",
        LeadRule::HighestHolder => {
            "the holder of the highest double leads any double (not 0-0), and may draw before"
        }
        LeadRule::Loser => {
            "the loser of the round before leads any double (not 0-0), may draw before, or refuses"
        }
    }
}
