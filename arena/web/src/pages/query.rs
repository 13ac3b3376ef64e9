//! Filters and sorts the matches of a list, as the request asks.

use leyden_language::{Language, text::matches as text};
use leyden_model::BotIndex;

use crate::snapshot::{MatchView, Snapshot};

/// The longest search text.
const LONGEST: usize = 200;

/// Which matches are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    #[default]
    All,
    Faults,
    /// No winner, and no fault.
    Draws,
}

impl Filter {
    pub(super) const ALL: [Self; 3] = [Self::All, Self::Faults, Self::Draws];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Faults => "faults",
            Self::Draws => "draws",
        }
    }

    pub(super) fn label(self, language: Language) -> String {
        language.say(text::Only { only: self.word() })
    }
}

/// In which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    #[default]
    Latest,
    Schedule,
    Closest,
    /// The winner that was rated furthest below the one it beat.
    Upset,
    Clearest,
    Longest,
    Slowest,
}

impl Sort {
    pub(super) const ALL: [Self; 7] = [
        Self::Latest,
        Self::Schedule,
        Self::Closest,
        Self::Upset,
        Self::Clearest,
        Self::Longest,
        Self::Slowest,
    ];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Latest => "latest",
            Self::Schedule => "schedule",
            Self::Closest => "closest",
            Self::Upset => "upset",
            Self::Clearest => "clearest",
            Self::Longest => "longest",
            Self::Slowest => "slowest",
        }
    }

    pub(super) fn label(self, language: Language) -> String {
        language.say(text::Sorted { by: self.word() })
    }
}

/// A search request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// A part of a bot's name, or the beginning of a match's id.
    pub text: String,
    /// Only matches of this bot; with `rival`, only those of these two.
    pub bot: Option<BotIndex>,
    pub rival: Option<BotIndex>,
    pub only: Filter,
    pub sort: Sort,
    /// Counted from 0.
    pub page: usize,
}

impl Query {
    /// Sets one parameter of a request. Ignores invalid ones.
    pub fn set(&mut self, name: &str, value: &str) {
        match name {
            "q" => value.chars().take(LONGEST).collect::<String>().trim().clone_into(&mut self.text),
            "bot" => self.bot = value.parse().ok().map(BotIndex),
            "rival" => self.rival = value.parse().ok().map(BotIndex),
            "only" => {
                self.only = Filter::ALL.into_iter().find(|each| each.word() == value).unwrap_or_default();
            }
            "sort" => self.sort = Sort::ALL.into_iter().find(|each| each.word() == value).unwrap_or_default(),
            "page" => {
                self.page = value.parse::<usize>().ok().and_then(|page| page.checked_sub(1)).unwrap_or(0);
            }
            _ => {}
        }
    }

    /// Returns the requested matches in the requested order.
    pub fn find<'a>(&self, snapshot: &'a Snapshot) -> Vec<&'a MatchView> {
        let text = self.text.to_lowercase();
        let named: Vec<bool> =
            snapshot.bots.iter().map(|bot| bot.name.to_lowercase().contains(&text)).collect();
        let is_found = |seen: &MatchView| {
            let sits = |bot: BotIndex| seen.bots.as_slice().contains(&bot);
            let fits = match self.only {
                Filter::All => true,
                Filter::Faults => seen.fault.is_some(),
                Filter::Draws => seen.fault.is_none() && seen.winner.is_none(),
            };
            fits && self.bot.is_none_or(sits)
                && self.rival.is_none_or(sits)
                && (text.is_empty()
                    || seen.id.starts_with(&text)
                    || seen.bots.as_slice().iter().any(|bot| named[bot.index()]))
        };
        let all = snapshot.matches.iter().rev().map(|seen| &**seen);
        let mut found: Vec<&MatchView> = all.filter(|seen| is_found(seen)).collect();
        let margin = |seen: &MatchView| seen.final_scores(snapshot.better).winning_margin();
        match self.sort {
            Sort::Latest => {}
            Sort::Schedule => found.sort_by_key(|seen| seen.key),
            Sort::Closest => found.sort_by_key(|seen| margin(seen).unwrap_or(u32::MAX)),
            Sort::Clearest => found.sort_by_key(|seen| std::cmp::Reverse(margin(seen))),
            Sort::Longest => found.sort_by_key(|seen| std::cmp::Reverse(seen.actions)),
            Sort::Slowest => found.sort_by_key(|seen| std::cmp::Reverse(seen.longest_us)),
            Sort::Upset => {
                let ratings = RatingsByBot::from_snapshot(snapshot);
                found.sort_by_cached_key(|seen| std::cmp::Reverse(ratings.upset(seen)));
            }
        }
        found
    }
}

/// The rating of each bot, in tenths of Elo.
pub(crate) struct RatingsByBot(Vec<i64>);

impl RatingsByBot {
    pub(crate) fn from_snapshot(snapshot: &Snapshot) -> Self {
        let mut ratings = vec![0; snapshot.bots.len()];
        for (standing, bot) in snapshot.standings.bots.iter().zip(&snapshot.ranking) {
            ratings[bot.index()] =
                standing.rating.map_or(0, |rating| (rating.elo.get() * 10.0).round() as i64);
        }
        Self(ratings)
    }

    /// Returns how much higher than the winner the best loser was rated; `None` if nobody won, or only by a fault.
    pub(crate) fn upset(&self, seen: &MatchView) -> Option<i64> {
        let winner = seen.winner.filter(|_| seen.fault.is_none())?;
        let rating = |bot: BotIndex| self.0.get(bot.index()).copied().unwrap_or(0);
        let others = seen.bots.iter().filter(|(seat, _)| *seat != winner);
        others.map(|(_, bot)| rating(*bot) - rating(seen.bots[winner])).max()
    }
}
