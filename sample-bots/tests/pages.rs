//! The pages about the bots: their links lead somewhere, and what THINKING.md says a level gains is what STRENGTH.md measured.

use std::path::Path;

const STRENGTH: &str = include_str!("../STRENGTH.md");
const THINKING: &str = include_str!("../THINKING.md");
const README: &str = include_str!("../README.md");

#[test]
fn every_link_leads_somewhere() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, page) in [("README.md", README), ("STRENGTH.md", STRENGTH), ("THINKING.md", THINKING)] {
        let links = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let mut count = 0;
        for link in links.filter(|link| !link.contains("://")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { folder.join(name) } else { folder.join(file) };
            assert!(target.exists(), "{name} links to {link}");
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&target).unwrap();
                let headings = text.lines().filter(|line| line.starts_with('#'));
                assert!(headings.map(anchor).any(|anchor| anchor == heading), "{name} links to {link}");
            }
            count += 1;
        }
        assert!(count > 0, "{name}");
    }
}

/// The anchor that a heading gets: lower-case, with hyphens for spaces, without punctuation.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter(|char| char.is_alphanumeric() || "-_ ".contains(*char))
        .map(|char| if char == ' ' { '-' } else { char })
        .collect()
}

/// In tens of points. If it fails after the ladder was measured again, put the new figures under the headings.
#[test]
fn the_levels_gain_what_was_measured() {
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
