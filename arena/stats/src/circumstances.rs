//! Where a bot does worse, or better, than its rating says: against whom, in which seat, with or without the lead, in which of several
//! games. Tables of two.
//!
//! ```text
//! e_m    points of the bot in match m less those expected by the ratings, and by what seat or lead are worth to all bots
//! e_b, n_b  sums of e and counts of matches in block b, of B blocks in which the circumstance occurs
//! ē      Σ e_b / Σ n_b;  its variance  B/(B−1) Σ (e_b − ē n_b)² / (Σ n_b)²
//! ```
//!
//! What seat and lead are worth to all bots is the mean of e over all matches of the field in the same game. Blocks of two games are
//! two blocks. Intervals hold together, over all circumstances of a bot (Bonferroni). That ratings follow from the same results makes residuals a little smaller than their
//! errors: intervals hold with 95 % or more.

use std::collections::{BTreeMap, BTreeSet};

use leyden_protocol::{Seat, Seats};
use schemars::JsonSchema;
use serde::Serialize;

use crate::minimum_blocks::FEWEST_TO_COMPARE;
use crate::pairing_result::Entrant;
use crate::units::{Elo, Interval};
use crate::validity::Holds;

/// A match at a table of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeatedMatch {
    /// The rule set by which it was played, counted from 0.
    pub game: u32,
    /// The block of its pair.
    pub block: u32,
    /// The bots in seat order.
    pub bots: [Entrant; 2],
    /// The first seat's points: 1, ½ or 0.
    pub points: f64,
    /// The seat that led the first round; `None` if nobody did.
    pub led: Option<Seat>,
}

/// What the matches of a bot have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Circumstance {
    Against(Entrant),
    InSeat(Seat),
    /// Another seat led the first round.
    WithoutLead,
    /// It led the first round.
    WithLead,
    /// By this rule set, where there are several.
    InGame(u32),
}

/// A bot's results in a circumstance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CircumstanceResult {
    pub circumstance: Circumstance,
    pub matches: u64,
    /// Its mean score of a match as played, 0..=1.
    pub score: f64,
    /// The same as ratings have it, 0..=1.
    pub expected: f64,
    /// By how much the score exceeds the expected one, with 95 % for all circumstances of the bot together; `None` below ten blocks,
    /// and if all blocks came out alike.
    pub excess: Option<Interval>,
}

/// Whether a result strays from the rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strays {
    Worse,
    Better,
}

impl CircumstanceResult {
    /// Whether the bot certainly does worse or better than its rating says.
    pub fn strays(&self) -> Option<Strays> {
        match self.excess? {
            Interval { high, .. } if high < 0.0 => Some(Strays::Worse),
            Interval { low, .. } if low > 0.0 => Some(Strays::Better),
            _ => None,
        }
    }
}

/// Sums of a block.
#[derive(Clone, Copy, Default)]
struct BlockSums {
    matches: f64,
    points: f64,
    excess: f64,
}

/// A bot's results in all its circumstances. `elo` returns a bot's rating; `matches` are those of the whole field.
pub fn circumstances(
    bot: Entrant,
    matches: &[SeatedMatch],
    elo: &dyn Fn(Entrant) -> Elo,
    holds: Holds,
) -> Vec<CircumstanceResult> {
    let expected = |played: &SeatedMatch| {
        let [first, second] = played.bots.map(|bot| elo(bot).get());
        Elo::new(first - second).expected_score()
    };
    let games: BTreeSet<u32> = matches.iter().map(|played| played.game).collect();
    let worths: BTreeMap<u32, [f64; 2]> =
        games.iter().map(|game| (*game, worths(*game, matches, &expected))).collect();
    let mut by_circumstance: BTreeMap<Circumstance, BTreeMap<(u32, u32), BlockSums>> = BTreeMap::new();
    for played in matches {
        let Some(seat) = Seats::TWO.iter().find(|seat| played.bots[seat.index()] == bot) else { continue };
        let is_first = seat == Seat::FIRST;
        let of_seat = |first: f64| if is_first { first } else { 1.0 - first };
        let (points, likely) = (of_seat(played.points), of_seat(expected(played)));
        let [seat_worth, lead_worth] = worths.get(&played.game).copied().unwrap_or_default();
        let mut add = |circumstance, worth: f64| {
            let blocks = by_circumstance.entry(circumstance).or_default();
            let sums = blocks.entry((played.game, played.block)).or_default();
            sums.matches += 1.0;
            sums.points += points;
            sums.excess += points - likely - worth;
        };
        add(Circumstance::Against(played.bots[1 - seat.index()]), 0.0);
        add(Circumstance::InSeat(seat), if is_first { seat_worth } else { -seat_worth });
        match played.led {
            Some(led) if led == seat => add(Circumstance::WithLead, lead_worth),
            Some(_) => add(Circumstance::WithoutLead, -lead_worth),
            None => {}
        }
        if games.len() > 1 {
            add(Circumstance::InGame(played.game), 0.0);
        }
    }
    let count = by_circumstance.len();
    let result = |(circumstance, blocks): (Circumstance, BTreeMap<(u32, u32), BlockSums>)| {
        result(circumstance, &blocks.into_values().collect::<Vec<_>>(), 0.05 / count as f64, holds)
    };
    by_circumstance.into_iter().map(result).collect()
}

/// What the first seat and the lead are worth to all bots in a game.
fn worths(game: u32, matches: &[SeatedMatch], expected: &dyn Fn(&SeatedMatch) -> f64) -> [f64; 2] {
    let of_game = || matches.iter().filter(|played| played.game == game);
    let seat = mean(of_game().map(|played| played.points - expected(played)));
    let lead = mean(of_game().filter_map(|played| {
        let excess = played.points - expected(played);
        Some(if played.led? == Seat::FIRST { excess } else { -excess })
    }));
    [seat, lead]
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0_u64, 0.0), |(count, sum), value| (count + 1, sum + value));
    sum / count.max(1) as f64
}

fn result(circumstance: Circumstance, blocks: &[BlockSums], tail: f64, holds: Holds) -> CircumstanceResult {
    let sum = |of: fn(&BlockSums) -> f64| blocks.iter().map(of).sum::<f64>();
    let (matches, count) = (sum(|block| block.matches), blocks.len() as f64);
    let (score, excess) = (sum(|block| block.points) / matches, sum(|block| block.excess) / matches);
    let squares: f64 = blocks.iter().map(|block| (block.excess - excess * block.matches).powi(2)).sum();
    let se = (squares * count / (count - 1.0).max(1.0)).sqrt() / matches;
    let quantile = holds.quantile(tail, blocks.len() as u64);
    let half = quantile
        .filter(|_| blocks.len() as u64 >= FEWEST_TO_COMPARE && se > 0.0)
        .map(|quantile| se * quantile);
    CircumstanceResult {
        circumstance,
        matches: matches as u64,
        score,
        expected: score - excess,
        excess: half.map(|half| Interval { low: excess - half, high: excess + half }),
    }
}
