//! What changed in a tournament after its first match, in words.

use leyden_language::{Language, text::tournament as text};
use leyden_model::{ChangeKind, TournamentChange};

/// Says what changed, and when: `after 187 matches: careful was replaced …`.
pub fn change_in_words(change: &TournamentChange, language: Language) -> String {
    let what = match &change.what {
        ChangeKind::Joined { bot } => language.say(text::Joined { bot }),
        ChangeKind::Replaced { bot } => language.say(text::Replaced { bot }),
        ChangeKind::Withdrawn { bot, matches } => language.say(text::Withdrawn { bot, matches }),
        ChangeKind::Left { bot, round } => language.say(text::LeftBefore { bot, round }),
        ChangeKind::Blocks { from, to } => language.say(text::BlocksChanged { from, to }),
    };
    language.say(text::Change { after: change.after, known: change.seed_known, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_says_when_it_was_made() {
        let change = |after, seed_known, what| {
            change_in_words(&TournamentChange { after, seed_known, what }, Language::English)
        };
        let bot = "late".to_owned();
        assert_eq!(
            change(672, true, ChangeKind::Joined { bot }),
            "after 672 matches, when everything had been played and the seed was public: late joined"
        );
        for (matches, said) in [(0, "had not played"), (2, "its 2 matches were removed")] {
            assert_eq!(
                change(3, false, ChangeKind::Withdrawn { bot: "gone".to_owned(), matches }),
                format!("after 3 matches: gone was withdrawn, and {said}")
            );
        }
        assert_eq!(
            change(1, false, ChangeKind::Blocks { from: 300, to: 181 }),
            "after 1 match: blocks changed from 300 to 181"
        );
    }
}
