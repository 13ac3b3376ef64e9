//! The pages about the bots: what THINKING.md says a level gains is what STRENGTH.md measured.

const STRENGTH: &str = include_str!("../../STRENGTH.md");
const THINKING: &str = include_str!("../../THINKING.md");

/// In tens of points. If it fails after the ladder was measured again, put the new figures under the headings.
#[test]
fn levels_gain_what_was_measured() {
    let rows = STRENGTH.lines().filter(|line| line.starts_with("| `"));
    let mut compared = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let bot = cells[0].trim_matches('`');
        if bot == "random" {
            continue;
        }
        let gained: i32 = cells[2].parse().unwrap();
        let level = bot.strip_prefix("ladder --level ").map(|number| format!("evel {number}: about "));
        let phrase = level.unwrap_or_else(|| format!("`{bot}`: about "));
        let said = THINKING.split(&phrase).nth(1).and_then(|rest| rest.split_once(" points"));
        let said: i32 = said.unwrap_or_else(|| panic!("nothing about {bot}")).0.parse().unwrap();
        assert_eq!(said, (gained + 5) / 10 * 10, "{bot}");
        compared += 1;
    }
    assert_eq!(compared, 9);
}
