//! The result of a part of a grade.

use leyden_language::{Language, numbers, text::grade as text};
use leyden_protocol::FaultCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The result of a part of a grade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PartResult {
    /// The bot cannot be run.
    CannotRun,
    /// Nothing could be checked, because of something in the bot's own folder.
    NothingChecked,
    /// The findings of a check.
    Checked {
        good: usize,
        all: usize,
        /// The names of those that were skipped because of earlier failures.
        not_tried: Vec<String>,
    },
    /// A score in matches.
    Scored {
        /// The share of the points that counts, 0..=1: without luck if the rubric says so.
        score: f64,
        /// The share as it was played, if luck was taken out of the other.
        played: Option<f64>,
        matches: u64,
        /// The share from which on all points are given.
        full_at: f64,
        /// Why not all matches were played; `null` if they were.
        cut: Option<EarlyEnd>,
        /// Matches that do not count, because the machine was too busy.
        void: u64,
    },
}

/// The end of play before all matches of a part were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EarlyEnd {
    /// The number of matches that were not played.
    pub rest: u64,
    /// The fault by which every match was lost; `null` if the time was up.
    pub fault: Option<FaultCode>,
}

impl PartResult {
    /// Says it in one line.
    pub fn in_words(&self, language: Language) -> String {
        let percent = |share: f64, decimals: usize| language.number(&numbers::percent(share, decimals));
        let parts = match self {
            Self::CannotRun => vec![language.say(text::CannotRun)],
            Self::NothingChecked => vec![language.say(text::NothingChecked)],
            Self::Checked { good, all, not_tried } => {
                let names = not_tried.join(", ");
                let skipped = language.say(text::NotTried { count: not_tried.len(), names });
                let skipped = (!not_tried.is_empty()).then_some(skipped);
                std::iter::once(language.say(text::FindingsGood { good, all })).chain(skipped).collect()
            }
            Self::Scored { score, played, matches, full_at, cut, void } => {
                let score = percent(*score, 1);
                let scored = match played {
                    None => language.say(text::Scores { score, matches }),
                    Some(played) => {
                        language.say(text::ScoresWithoutLuck { score, played: percent(*played, 1), matches })
                    }
                };
                let cut = cut.map(|EarlyEnd { rest, fault }| match fault {
                    Some(code) => language.say(text::AllLost { code: code.as_str(), rest }),
                    None => language.say(text::TimeWasUp { rest }),
                });
                let void = (*void > 0).then(|| language.say(text::MatchesVoid { count: void }));
                let full = language.say(text::FullFrom { full: percent(*full_at, 0) });
                [scored, full].into_iter().chain(cut).chain(void).collect()
            }
        };
        let joined = parts.into_iter().reduce(|first, second| language.say(text::AndAlso { first, second }));
        joined.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seen_part_is_summarised_in_one_line() {
        let scored = |played, cut, void| PartResult::Scored {
            score: 0.254,
            played,
            matches: 101,
            full_at: 0.6,
            cut,
            void,
        };
        let cut = |fault| Some(EarlyEnd { rest: 99, fault });
        let english = [
            scored(None, None, 0),
            scored(Some(0.3), cut(Some(FaultCode::Handshake)), 1),
            scored(None, cut(None), 2),
            PartResult::Checked { good: 3, all: 5, not_tried: vec!["cards".to_owned(), "clock".to_owned()] },
        ]
        .map(|seen| seen.in_words(Language::English));
        assert_eq!(
            english,
            [
                "scores 25.4 % in 101 matches; full points from 60 %",
                "scores 25.4 % without luck, 30.0 % as played, in 101 matches; full points from 60 %; every match was lost by \
                 handshake, so the other 99 were not played; 1 match was void, and its pair is left out, because the machine was \
                 too busy: grade again",
                "scores 25.4 % in 101 matches; full points from 60 %; the other 99 were not played because its time was up; 2 \
                 matches were void, and their pairs are left out, because the machine was too busy: grade again",
                "3 of 5 checks passed; 2 not tried: cards, clock",
            ]
        );
        let german = scored(None, None, 0).in_words(Language::German);
        assert_eq!(german, "Quote 25,4\u{a0}% in 101 Partien; alle Punkte ab 60\u{a0}%");
    }
}
