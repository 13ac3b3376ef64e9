//! The bots of a field by rating, best first.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cycles::{Cycle, cycles};
use crate::dist::t_two_sided;
use crate::encounter::Entrant;
use crate::estimate::more_blocks_for;
use crate::fewest::FEWEST_FOR_SPREAD;
use crate::rating::{RankInterval, Ratings};
use crate::tally::FieldTally;
use crate::units::Elo;

/// No forecast goes beyond this many times the blocks played: so small a difference may not exist at all.
const FARTHEST: f64 = 10.0;

/// One bot's line, from the complete blocks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RankedBot {
    pub bot: Entrant,
    /// Place by rating, from 1.
    pub place: u32,
    /// The places it may hold at 95 %; decided if both ends are equal.
    pub rank: RankInterval,
    pub elo: Elo,
    /// 95 %: the rating is `elo` ± this. `None` below two blocks.
    pub elo_half_width: Option<f64>,
    /// Mean score of a match, in 0..=1.
    pub score: Option<f64>,
    pub matches: u64,
    /// Game points ahead in a match without a fault.
    pub mean_margin: Option<f64>,
    /// Additional blocks until the interval is about ±10; `None` below 20 blocks, which are too few for a forecast.
    pub more_blocks_for_ten_elo: Option<u64>,
}

/// The field by rating, from its complete blocks.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ranking {
    /// Complete blocks, the only ones that count.
    pub blocks: u64,
    /// Blocks that do not count yet.
    pub incomplete_blocks: u64,
    /// By rating, best first.
    pub bots: Vec<RankedBot>,
    pub cycles: Vec<Cycle>,
    /// Additional blocks until the widest interval is about ±10.
    pub more_blocks_for_ten_elo: Option<u64>,
    /// The total number of blocks after which about half of the neighbours whose order is open would be told apart. `None` if
    /// none is open, below 20 blocks, which are too few for a forecast, and beyond ten times the blocks played.
    pub blocks_to_separate: Option<u64>,
}

impl Ranking {
    /// Ranks a rated tally. Bots that are alike according to `are_alike` play the same way and can never be told apart.
    pub fn of(tally: &FieldTally, ratings: &Ratings, are_alike: impl Fn(Entrant, Entrant) -> bool) -> Self {
        let ranks = ratings.rank_intervals();
        let mut order: Vec<Entrant> = (0..ratings.bots() as u32).map(Entrant).collect();
        order.sort_by(|a, b| ratings.elo(*b).get().total_cmp(&ratings.elo(*a).get()));
        let bots: Vec<RankedBot> = (1..)
            .zip(&order)
            .map(|(place, bot)| ranked(tally, ratings, *bot, place, ranks[bot.at()]))
            .collect();
        let wants: Option<Vec<u64>> = bots.iter().map(|bot| bot.more_blocks_for_ten_elo).collect();
        Self {
            blocks: tally.blocks(),
            incomplete_blocks: tally.incomplete_blocks(),
            cycles: cycles(tally, &order),
            blocks_to_separate: blocks_to_separate(ratings, &order, are_alike),
            more_blocks_for_ten_elo: wants.and_then(|wants| wants.into_iter().max()),
            bots,
        }
    }
}

/// The median, over neighbours whose order is open, of the blocks that would decide it: a difference in standard errors grows
/// with the square root of the blocks. `None` if that is so far off that there may be no difference. The threshold is that of
/// [`Ratings::rank_intervals`] for a bot and its two neighbours.
fn blocks_to_separate(
    ratings: &Ratings,
    order: &[Entrant],
    are_alike: impl Fn(Entrant, Entrant) -> bool,
) -> Option<u64> {
    let blocks = ratings.blocks();
    if blocks < FEWEST_FOR_SPREAD {
        return None;
    }
    let bar = t_two_sided(0.05 / 2.0, blocks - 1);
    let others = order.windows(2).filter(|two| !are_alike(two[0], two[1]));
    let apart = others.filter_map(|two| Some(ratings.difference(two[0], two[1])?.abs()));
    let mut open: Vec<f64> = apart.filter(|apart| *apart <= bar).collect();
    open.sort_by(f64::total_cmp);
    let median = open.get(open.len().checked_sub(1)? / 2)?;
    let wanted = (blocks as f64 * (bar / median).powi(2)).ceil();
    (wanted <= FARTHEST * blocks as f64).then_some((wanted as u64).max(blocks + 1))
}

fn ranked(tally: &FieldTally, ratings: &Ratings, bot: Entrant, place: u32, rank: RankInterval) -> RankedBot {
    let (mut matches, mut half_points, mut margin, mut unfaulted) = (0, 0, 0, 0);
    for other in (0..ratings.bots() as u32).map(Entrant) {
        let Some(pairing) = tally.pairing(bot, other) else { continue };
        let played = pairing.blocks() * u64::from(pairing.matches_per_block());
        let first = bot < other;
        matches += played;
        half_points += if first { pairing.half_points() } else { 2 * played - pairing.half_points() };
        margin += if first { pairing.margin.sum } else { -pairing.margin.sum };
        unfaulted += pairing.margin.matches;
    }
    RankedBot {
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
