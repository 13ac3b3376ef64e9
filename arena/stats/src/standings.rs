//! The table: ratings, ranks, scores, who beat whom, and whether the ranking goes in circles.

use schemars::JsonSchema;
use serde::Serialize;

use crate::dist::t_two_sided;
use crate::estimate::{more_blocks_for, score_interval_at};
use crate::outcome::BotIndex;
use crate::pairing::PairingGain;
use crate::rating::{RankInterval, Ratings};
use crate::tally::FieldTally;
use crate::units::{Elo, Interval};

/// One bot's line, from its complete blocks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BotStanding {
    pub bot: BotIndex,
    /// Place by rating, from 1.
    pub place: u32,
    /// The places it may hold at 95 %; equal ends are decided.
    pub rank: RankInterval,
    pub elo: Elo,
    /// 95 %: the rating is `elo` ± this. `None` below two blocks.
    pub elo_half_width: Option<f64>,
    /// Mean score of a match, 0..=1.
    pub score: Option<f64>,
    pub matches: u64,
    /// Game points ahead in a match without a fault.
    pub mean_margin: Option<f64>,
    /// Blocks to play on top of these until the bar is about ±10.
    pub more_blocks_for_ten_elo: Option<u64>,
}

/// One pairing's line, seen from the bot with the lower index.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HeadToHead {
    pub first: BotIndex,
    pub second: BotIndex,
    pub blocks: u64,
    /// The first's mean score of a match, 0..=1.
    pub score: Option<f64>,
    /// 95 %, for this pairing by itself; `None` below two blocks.
    pub score_interval: Option<Interval>,
    pub mean_margin: Option<f64>,
    pub pairing: Option<PairingGain>,
}

/// Bots that beat one another in a circle, each step certain at 95 % after Bonferroni over all pairings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cycle {
    /// A shortest circle through the best-placed bot in it: each beats the next, the last beats the first.
    pub circle: Vec<BotIndex>,
    /// All bots tied together by such circles, ascending.
    pub members: Vec<BotIndex>,
}

/// What `leyden standings` tells about the field.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StandingsReport {
    /// Complete blocks: the ones that count.
    pub blocks: u64,
    /// Blocks that do not count yet.
    pub incomplete_blocks: u64,
    /// By rating, best first.
    pub bots: Vec<BotStanding>,
    pub cycles: Vec<Cycle>,
    /// Blocks until the widest bar is about ±10.
    pub more_blocks_for_ten_elo: Option<u64>,
}

/// The table of a rated tally.
pub fn standings(tally: &FieldTally, ratings: &Ratings) -> StandingsReport {
    let ranks = ratings.rank_intervals();
    let mut order: Vec<BotIndex> = (0..ratings.bots() as u32).map(BotIndex).collect();
    order.sort_by(|a, b| ratings.elo(*b).get().total_cmp(&ratings.elo(*a).get()));
    let bots: Vec<BotStanding> = (1..)
        .zip(&order)
        .map(|(place, bot)| standing(tally, ratings, *bot, place, ranks[bot.at()]))
        .collect();
    let wants: Option<Vec<u64>> = bots.iter().map(|bot| bot.more_blocks_for_ten_elo).collect();
    StandingsReport {
        blocks: tally.blocks(),
        incomplete_blocks: tally.incomplete_blocks(),
        cycles: cycles(tally, &order),
        more_blocks_for_ten_elo: wants.and_then(|wants| wants.into_iter().max()),
        bots,
    }
}

fn standing(
    tally: &FieldTally,
    ratings: &Ratings,
    bot: BotIndex,
    place: u32,
    rank: RankInterval,
) -> BotStanding {
    let (mut matches, mut half_points, mut margin, mut unfaulted) = (0, 0, 0, 0);
    for other in (0..ratings.bots() as u32).map(BotIndex) {
        let Some(pairing) = tally.pairing(bot, other) else { continue };
        let played = pairing.blocks() * u64::from(pairing.matches_per_block());
        let first = bot < other;
        matches += played;
        half_points += if first { pairing.half_points() } else { 2 * played - pairing.half_points() };
        margin += if first { pairing.margin.sum } else { -pairing.margin.sum };
        unfaulted += pairing.margin.matches;
    }
    BotStanding {
        bot,
        place,
        rank,
        elo: ratings.elo(bot),
        elo_half_width: ratings.half_width(bot),
        score: (matches > 0).then(|| half_points as f64 / (2 * matches) as f64),
        matches,
        mean_margin: (unfaulted > 0).then(|| margin as f64 / unfaulted as f64 + 0.0),
        more_blocks_for_ten_elo: ratings
            .standard_error(bot)
            .and_then(|error| more_blocks_for(error, tally.blocks())),
    }
}

/// The head-to-head table: one line for each pairing of the field, ascending by second bot, then first.
pub fn head_to_head(tally: &FieldTally) -> impl Iterator<Item = HeadToHead> {
    let t = (tally.blocks() >= 2).then(|| t_two_sided(0.05, tally.blocks() - 1));
    let bots = tally.field().bots() as u32;
    let pairings = (0..bots).flat_map(|high| (0..high).map(move |low| (BotIndex(low), BotIndex(high))));
    pairings.filter_map(move |(first, second)| {
        let pairing = tally.pairing(first, second)?;
        Some(HeadToHead {
            first,
            second,
            blocks: pairing.blocks(),
            score: pairing.score(),
            score_interval: t.and_then(|t| score_interval_at(pairing, t)),
            mean_margin: pairing.mean_margin(),
            pairing: PairingGain::of(pairing),
        })
    })
}

/// Rankings that go in circles: the strongly connected parts of "certainly beats", where certain means that the
/// interval of the pairing at level 1 − 0.05 / (number of pairings) excludes one half. `order` is best first.
pub fn cycles(tally: &FieldTally, order: &[BotIndex]) -> Vec<Cycle> {
    let beats = certain_wins(tally);
    let beaten_by = reversed(&beats);
    let mut found = Vec::new();
    let mut done = outside_circles(&beats, &beaten_by);
    for bot in order {
        if done[bot.at()] {
            continue;
        }
        let below = reach(&beats, *bot);
        let circle = shortest_circle(&beats, *bot, &below);
        done[bot.at()] = true;
        let Some(circle) = circle else { continue };
        let above = reach(&beaten_by, *bot);
        let members: Vec<BotIndex> = (0..beats.len() as u32)
            .map(BotIndex)
            .filter(|other| below[other.at()].is_some() && above[other.at()].is_some())
            .collect();
        for member in &members {
            done[member.at()] = true;
        }
        found.push(Cycle { circle, members });
    }
    found
}

/// For each bot the ones it certainly beats, ascending.
fn certain_wins(tally: &FieldTally) -> Vec<Vec<BotIndex>> {
    let bots = tally.field().bots() as u32;
    let mut beats = vec![Vec::new(); bots as usize];
    if tally.blocks() < 2 {
        return beats;
    }
    let t = t_two_sided(0.05 / tally.field().pairings().max(1) as f64, tally.blocks() - 1);
    for (low, high) in
        (0..bots).flat_map(|low| (low + 1..bots).map(move |high| (BotIndex(low), BotIndex(high))))
    {
        let Some(score) = tally.pairing(low, high).and_then(|pairing| score_interval_at(pairing, t)) else {
            continue;
        };
        if score.low > 0.5 {
            beats[low.at()].push(high);
        } else if score.high < 0.5 {
            beats[high.at()].push(low);
        }
    }
    beats
}

fn reversed(beats: &[Vec<BotIndex>]) -> Vec<Vec<BotIndex>> {
    let mut beaten_by = vec![Vec::new(); beats.len()];
    for (winner, losers) in (0..).map(BotIndex).zip(beats) {
        for loser in losers {
            beaten_by[loser.at()].push(winner);
        }
    }
    beaten_by
}

/// Bots that are in no circle because nobody left beats them; peeled off until nothing changes, so that a ranking
/// without circles costs one look at each win.
fn outside_circles(beats: &[Vec<BotIndex>], beaten_by: &[Vec<BotIndex>]) -> Vec<bool> {
    let mut above: Vec<usize> = beaten_by.iter().map(Vec::len).collect();
    let mut free: Vec<usize> = (0..beats.len()).filter(|bot| above[*bot] == 0).collect();
    let mut outside = vec![false; beats.len()];
    while let Some(bot) = free.pop() {
        outside[bot] = true;
        for loser in &beats[bot] {
            above[loser.at()] -= 1;
            if above[loser.at()] == 0 {
                free.push(loser.at());
            }
        }
    }
    outside
}

/// Breadth first from `start`: for each bot reached, the one it was reached from.
fn reach(beats: &[Vec<BotIndex>], start: BotIndex) -> Vec<Option<BotIndex>> {
    let mut from = vec![None; beats.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(bot) = queue.pop_front() {
        for next in &beats[bot.at()] {
            if from[next.at()].is_none() {
                from[next.at()] = Some(bot);
                queue.push_back(*next);
            }
        }
    }
    from
}

/// The way back from `start` to itself along `from`, if it was reached again.
fn shortest_circle(
    beats: &[Vec<BotIndex>],
    start: BotIndex,
    from: &[Option<BotIndex>],
) -> Option<Vec<BotIndex>> {
    let mut circle = Vec::new();
    let mut bot = from[start.at()]?;
    while bot != start && circle.len() <= beats.len() {
        circle.push(bot);
        bot = from[bot.at()]?;
    }
    circle.push(start);
    circle.reverse();
    Some(circle)
}
