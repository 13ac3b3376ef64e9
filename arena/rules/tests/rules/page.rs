//! The table on the rules page matches the rules.

use leyden_protocol::{
    Drawing, LayoutShape, LeadRule, Opening, RulesName, Scoring, Seats, Set, WinningScore,
};
use leyden_rules::{DEFAULT_TARGET, REFUSED_DEALS, ROUND_LIMIT, Rules};

const PAGE: &str = include_str!("../../README.md");

/// Returns the cells of one row of the table, one per rule set.
fn row(name: &str) -> Vec<&'static str> {
    let mut rows = PAGE.lines().filter_map(|line| line.strip_prefix(&format!("| {name} | ")));
    let row = rows.next().unwrap_or_else(|| panic!("no row {name:?}"));
    row.trim_end_matches(" |").split(" | ").collect()
}

fn says(name: &str, cell: impl Fn(&Rules) -> String) {
    let expected: Vec<String> = RulesName::ALL.map(Rules::standard).iter().map(cell).collect();
    assert_eq!(row(name), expected, "{name}");
}

#[test]
fn page_has_a_column_for_each_rule_set() {
    let header = RulesName::ALL.map(|name| format!("`{name}`")).join(" | ");
    assert!(PAGE.contains(&format!("| | {header} |")), "{header}");
}

#[test]
fn table_says_what_the_rules_do() {
    let hands = |rules: &Rules| {
        let seats = (2..=8).filter_map(Seats::new);
        let tables =
            seats.filter_map(|seats| Rules::new(rules.name, seats, Set::DoubleSix, DEFAULT_TARGET).ok());
        tables.collect::<Vec<_>>()
    };
    let list = |numbers: Vec<String>| numbers.join(", ");
    says("seats", |rules| list(hands(rules).iter().map(|table| table.seats.to_string()).collect()));
    says("hand", |rules| list(hands(rules).iter().map(|table| table.hand.to_string()).collect()));
    says("reserve", |rules| rules.reserve.to_string());
    says("layout", |rules| match rules.layout {
        LayoutShape::Spinner => "spinner".to_owned(),
        LayoutShape::Line => "line".to_owned(),
    });
    says("opening", |rules| match rules.opening {
        Opening::Sides => "sides".to_owned(),
        Opening::Cross => "cross".to_owned(),
        Opening::None => "none".to_owned(),
    });
    let lead = |lead| match lead {
        LeadRule::Lowest => "lowest".to_owned(),
        LeadRule::Highest => "highest".to_owned(),
        LeadRule::HighestHolder => "highest-holder".to_owned(),
        LeadRule::Loser => "loser".to_owned(),
    };
    says("first lead", |rules| lead(rules.leads.first));
    says("later leads", |rules| lead(rules.leads.later));
    says("drawing", |rules| match rules.drawing {
        Drawing::Any => "as you like".to_owned(),
        Drawing::One => "when stuck".to_owned(),
    });
    says("across on across", |rules| if rules.across_on_across { "yes" } else { "no" }.to_owned());
    says("scoring", |rules| match rules.scoring {
        Scoring::OwnHand => "own hand".to_owned(),
        Scoring::AllHands => "all hands".to_owned(),
        Scoring::Difference => "difference".to_owned(),
    });
    says("better score", |rules| match rules.better {
        WinningScore::Lower => "lower".to_owned(),
        WinningScore::Higher => "higher".to_owned(),
    });
}

#[test]
fn page_text_gives_the_numbers_of_the_rules() {
    assert_eq!((DEFAULT_TARGET, ROUND_LIMIT, REFUSED_DEALS), (100, 500, 3));
    assert!(PAGE.contains("the target score after a round: 100, unless"));
    assert!(PAGE.contains("A match of 500 scored rounds"));
    assert!(PAGE.contains("after three refused deals in a row"));
}
