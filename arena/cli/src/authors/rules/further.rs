//! The end of a page: how plays are written, and where to read on.

use leyden_protocol::{Arm, LeadRule, Seats, Set};
use leyden_rules::Rules;

use super::page::{NO_BREAK, RulesPage};

pub(super) fn notation(page: &mut RulesPage, rules: &Rules) {
    let arms = rules.layout.arms();
    // Two arms that are opposite each other.
    let [one, other] = [arms[0], arms[arms.len() / 2]].map(Arm::letter);
    let (sum, row) = (rules.set.sum(), |action: String, meaning: &str| (action, meaning.to_owned()));
    let mut rows = vec![
        row("lead:3-3".to_owned(), "3-3 is led"),
        row(format!("{one}:{}-1", sum - 3), "in line on an arm: the half that touches, then the new end"),
        row(format!("{other}:2|{}", sum - 2), "across on an arm: the smaller half first"),
        row("draw".to_owned(), "a tile is drawn; draw:0-6 says which"),
        row("pass".to_owned(), "no tile is laid"),
    ];
    if [rules.leads.first, rules.leads.later].contains(&LeadRule::Loser) {
        rows.push(row("refuse".to_owned(), "no double is led"));
    }
    page.heading("how it is written");
    page.say("Bots and records write everything that a player can do like this:");
    page.rows(&rows);
}

pub(super) fn read_on(page: &mut RulesPage, rules: &Rules) {
    let seats = rules.seats.count();
    page.heading("where to read on");
    page.say("Play yourself, in the browser or with --text in the terminal:");
    page.command(&at_table(rules, "play", &["builtin:careful"], seats - 1));
    page.say("Let bots play a match, and see it turn by turn from the file that it names at the start:");
    page.command(&at_table(rules, "match", &["builtin:careful", "builtin:greedy"], seats));
    page.command("leyden replay FILE");
    if let Some(larger) = larger_table(rules) {
        page.say("Learn the same game for more players, or with a larger set:");
        page.command(&format!(
            "leyden rules {} --seats {} --set {}",
            rules.name,
            larger.seats,
            larger.set.top()
        ));
    }
    page.say("Let your own bot play, see what else there is, see the other rule sets:");
    page.command("leyden help match");
    page.command("leyden help");
    page.command("leyden rules");
}

/// Returns a command with this many bots, taken from `bots` in turn, at a table for these rules.
fn at_table(rules: &Rules, command: &str, bots: &[&str], count: usize) -> String {
    let bots = bots.iter().copied().cycle().take(count);
    let mut words: Vec<String> = ["leyden", command].into_iter().chain(bots).map(str::to_owned).collect();
    words.push(format!("--rules{NO_BREAK}{}", rules.name));
    if rules.set != Set::default() {
        words.push(format!("--set{NO_BREAK}{}", rules.set.top()));
    }
    words.join(" ")
}

/// Returns the same rule set for more seats and with a larger set, if it can be played so.
fn larger_table(rules: &Rules) -> Option<Rules> {
    let seats = rules.seats.count() + 1;
    let set = Set::ALL.into_iter().find(|&set| set > rules.set)?;
    Rules::new(rules.name, Seats::new(seats)?, set, rules.target).ok()
}
