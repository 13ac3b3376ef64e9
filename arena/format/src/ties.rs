//! Points and tie-breaks of a Swiss, a group or a round-robin: FIDE's (C.07), in whole numbers.
//!
//! Points are half points of matches. A round without an opponent counts as FIDE says (C.07, articles 15 and 16 of 2024): for
//! the bot itself as a meeting with a dummy that has as many points as the bot; for its opponents with the points that it got,
//! except that rounds behind the last one for which it was there count as drawn.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What decides between bots with the same points. After the last one, a place is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// Points of the meetings between the bots that are level. If some have not met, only a bot that is ahead for all
    /// results that those meetings could have.
    DirectEncounter,
    /// Buchholz without the lowest opponent; a round that was missed goes first.
    #[serde(rename = "buchholz-cut-1")]
    BuchholzCut1,
    /// The points of all opponents.
    Buchholz,
    /// For each opponent, its points times the points won against it: in quarter points.
    SonnebornBerger,
    /// Matches won.
    Wins,
    /// Game points: by how much the bot was ahead, over all matches without a fault.
    Margin,
}

impl TieBreak {
    /// All tie-breaks, in the usual order.
    pub const ALL: [Self; 6] = [
        Self::DirectEncounter,
        Self::BuchholzCut1,
        Self::Buchholz,
        Self::SonnebornBerger,
        Self::Wins,
        Self::Margin,
    ];

    /// Its name as it is typed and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DirectEncounter => "direct-encounter",
            Self::BuchholzCut1 => "buchholz-cut-1",
            Self::Buchholz => "buchholz",
            Self::SonnebornBerger => "sonneborn-berger",
            Self::Wins => "wins",
            Self::Margin => "margin",
        }
    }
}

/// A round of a bot: its half points `of` those that it could have got, the matches that it won, and by how many game
/// points it was ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// It met another, given by its index.
    Met { opponent: usize, points: u64, of: u64, wins: u64, margin: i64 },
    /// It sat at a table with several others.
    Several { points: u64, of: u64, wins: u64, margin: i64 },
    /// It had no opponent, and got points for it.
    Bye { points: u64, of: u64 },
    /// It was not there.
    Absent { of: u64 },
}

impl Round {
    pub(super) fn points(self) -> u64 {
        match self {
            Self::Met { points, .. } | Self::Several { points, .. } | Self::Bye { points, .. } => points,
            Self::Absent { .. } => 0,
        }
    }

    /// The most points that it could have got.
    fn most_points(self) -> u64 {
        match self {
            Self::Met { of, .. } | Self::Several { of, .. } | Self::Bye { of, .. } | Self::Absent { of } => {
                of
            }
        }
    }
}

/// The rounds of every bot, each as long as the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// In the order of the bots' indices.
    pub bots: Vec<Vec<Round>>,
}

/// A bot in the final order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its index.
    pub bot: usize,
    /// From 1. Bots that share a place have the same one.
    pub place: u32,
    /// Whether other bots have the same place.
    pub shared: bool,
    /// In half points.
    pub points: u64,
    /// The value of each tie-break, in their order; a direct encounter has one only where it was looked at.
    pub ties: Vec<Option<i64>>,
}

impl Table {
    /// Returns the points of a bot. Panics if its index is not below the number of bots.
    pub fn points(&self, bot: usize) -> u64 {
        self.bots[bot].iter().map(|round| round.points()).sum()
    }

    /// Points as its opponents count them: as drawn from when it was not there any more.
    fn for_opponents(&self, bot: usize) -> u64 {
        let rounds = &self.bots[bot];
        let there = rounds.iter().rposition(|round| !matches!(round, Round::Absent { .. }));
        let (played, missed) = rounds.split_at(there.map_or(0, |last| last + 1));
        played.iter().map(|round| round.points()).sum::<u64>()
            + missed.iter().map(|round| round.most_points() / 2).sum::<u64>()
    }

    /// For each round the points of the opponent, and whether the bot itself was not there.
    fn opponents(&self, bot: usize) -> Vec<(u64, bool)> {
        let own = self.points(bot);
        let of = |round: &Round| match *round {
            Round::Met { opponent, .. } => (self.for_opponents(opponent), false),
            Round::Bye { .. } => (own, false),
            Round::Several { .. } => (0, false),
            Round::Absent { .. } => (own, true),
        };
        self.bots[bot].iter().map(of).collect()
    }

    /// The value of a tie-break that needs no other bots to compare with; `None` for the direct encounter.
    pub fn value(&self, tie: TieBreak, bot: usize) -> Option<i64> {
        let opponents = || self.opponents(bot);
        let buchholz = || opponents().iter().map(|(points, _)| points).sum::<u64>();
        let rounds = &self.bots[bot];
        let value = match tie {
            TieBreak::DirectEncounter => return None,
            TieBreak::Buchholz => buchholz() as i64,
            TieBreak::BuchholzCut1 => {
                let cut = opponents().into_iter().min_by_key(|&(points, absent)| (Reverse(absent), points));
                (buchholz() - cut.map_or(0, |(points, _)| points)) as i64
            }
            TieBreak::SonnebornBerger => {
                let each = opponents().into_iter().zip(rounds);
                each.map(|((points, _), round)| points * round.points()).sum::<u64>() as i64
            }
            TieBreak::Wins => {
                let wins = |round: &Round| match *round {
                    Round::Met { wins, .. } | Round::Several { wins, .. } => wins as i64,
                    Round::Bye { .. } | Round::Absent { .. } => 0,
                };
                rounds.iter().map(wins).sum()
            }
            TieBreak::Margin => {
                let margin = |round: &Round| match *round {
                    Round::Met { margin, .. } | Round::Several { margin, .. } => margin,
                    Round::Bye { .. } | Round::Absent { .. } => 0,
                };
                rounds.iter().map(margin).sum()
            }
        };
        Some(value)
    }

    /// All bots, best first. `ties` decide in their order; what they leave level is in the order of the indices, with a shared
    /// place.
    pub fn ranked(&self, ties: &[TieBreak]) -> Vec<Line> {
        let mut lines: Vec<Line> = (0..self.bots.len())
            .map(|bot| Line {
                bot,
                place: 0,
                shared: false,
                points: self.points(bot),
                ties: ties.iter().map(|&tie| self.value(tie, bot)).collect(),
            })
            .collect();
        lines.sort_by_key(|line| Reverse(line.points));
        let mut level: Vec<Vec<Line>> = split(&lines, |line| line.points);
        for (at, tie) in ties.iter().enumerate() {
            level = level.into_iter().flat_map(|group| self.broken(group, (at, *tie))).collect();
        }
        let mut place = 1;
        for group in &mut level {
            let next = place + group.len() as u32;
            let shared = group.len() > 1;
            for line in group {
                (line.place, line.shared) = (place, shared);
            }
            place = next;
        }
        level.concat()
    }

    /// Bots that are level, separated by a tie-break.
    fn broken(&self, mut level: Vec<Line>, (at, tie): (usize, TieBreak)) -> Vec<Vec<Line>> {
        if level.len() < 2 {
            return vec![level];
        }
        if tie == TieBreak::DirectEncounter {
            return self.by_direct_encounter(level, at);
        }
        level.sort_by_key(|line| Reverse(line.ties[at]));
        split(&level, |line| line.ties[at])
    }

    /// Bots that are level, separated by their meetings among themselves.
    fn by_direct_encounter(&self, mut level: Vec<Line>, at: usize) -> Vec<Vec<Line>> {
        let bots: Vec<usize> = level.iter().map(|line| line.bot).collect();
        let among = |bot: usize| {
            let met = self.bots[bot].iter().filter_map(|round| match *round {
                Round::Met { opponent, points, of, .. } if bots.contains(&opponent) => {
                    Some((opponent, points, of))
                }
                _ => None,
            });
            met.collect::<Vec<_>>()
        };
        let most = self.bots.iter().flatten().map(|round| round.most_points()).max().unwrap_or(0);
        // For each bot the points that it has, and the most that it could have if all had met.
        let mut bounds: Vec<(u64, u64)> = Vec::new();
        for line in &mut level {
            let met = among(line.bot);
            let points: u64 = met.iter().map(|(_, points, _)| points).sum();
            let missing =
                bots.iter().filter(|&&bot| bot != line.bot && met.iter().all(|(other, ..)| *other != bot));
            bounds.push((points, points + most * missing.count() as u64));
            line.ties[at] = (!met.is_empty()).then_some(points as i64);
        }
        let mut left: Vec<(Line, (u64, u64))> = level.into_iter().zip(bounds).collect();
        left.sort_by_key(|(_, (points, _))| Reverse(*points));
        // Those in front are apart once all of them are ahead of all others in any case.
        let (mut groups, mut group): (Vec<Vec<Line>>, Vec<Line>) = (Vec::new(), Vec::new());
        let mut fewest = u64::MAX;
        while !left.is_empty() {
            let (line, (points, _)) = left.remove(0);
            group.push(line);
            fewest = fewest.min(points);
            if left.iter().all(|(_, (_, could))| *could < fewest) {
                groups.push(std::mem::take(&mut group));
                fewest = u64::MAX;
            }
        }
        groups
    }
}

fn split<K: PartialEq>(lines: &[Line], key: impl Fn(&Line) -> K) -> Vec<Vec<Line>> {
    lines.chunk_by(|one, other| key(one) == key(other)).map(<[Line]>::to_vec).collect()
}

#[cfg(test)]
mod tests;
