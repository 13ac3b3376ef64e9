//! The bots of a field by rating, best first.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cycles::{Cycle, cycles};
use crate::forecast::{BlocksRange, NORMAL, told_apart};
use crate::pairing_result::{Entrant, Margin, mean_score};
use crate::ranks::RankInterval;
use crate::rating::Ratings;
use crate::tally::FieldTally;
use crate::units::{Elo, Interval};
use crate::validity::Holds;

/// One bot's line, from the complete blocks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RankedBot {
    pub bot: Entrant,
    /// Place by rating, from 1.
    pub place: u32,
    /// The places it may hold; decided if both ends are equal. With 95 % confidence no place of the table is wrong.
    pub rank: RankInterval,
    /// The mean of the field is 0.
    pub elo: Elo,
    /// 95 %, of this bot for itself: the rating is `elo` ± this. `None` with too few blocks.
    pub elo_half_width: Option<f64>,
    /// Mean score of a match, in 0..=1.
    pub score: Option<f64>,
    /// Comparisons in complete blocks.
    pub matches: u64,
    /// Game points ahead in a match without a fault.
    pub mean_margin: Option<f64>,
    /// After how many blocks in all the interval would be ±10 at a planned end; `None` below 20 blocks.
    pub blocks_for_ten_elo: Option<BlocksRange>,
}

/// The field by rating, from its complete blocks.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ranking {
    /// Complete blocks, the only ones that count.
    pub blocks: u64,
    /// Blocks that do not count yet.
    pub incomplete_blocks: u64,
    /// When ranks and intervals hold.
    pub holds: Holds,
    /// By rating, best first.
    pub bots: Vec<RankedBot>,
    pub cycles: Vec<Cycle>,
    /// The bots whose order is decided, the stronger one first. With 95 % confidence all of them are right.
    #[serde(skip)]
    pub decided: Vec<(Entrant, Entrant)>,
    /// After how many blocks in all the widest interval would be ±10.
    pub blocks_for_ten_elo: Option<BlocksRange>,
    /// How far apart two neighbours have to be, in Elo, to be told apart by this many blocks with 80 %; `None` below 20 blocks.
    pub told_apart: Option<Interval>,
}

impl Ranking {
    /// Ranks a rated tally.
    pub fn from_tally(tally: &FieldTally, ratings: &Ratings) -> Self {
        let sets = ratings.rank_sets();
        let mut order: Vec<Entrant> = (0..ratings.bots() as u32).map(Entrant).collect();
        order.sort_by(|a, b| ratings.elo(*b).get().total_cmp(&ratings.elo(*a).get()));
        let bots: Vec<RankedBot> = (1..)
            .zip(&order)
            .map(|(place, bot)| ranked(tally, ratings, *bot, place, sets.ranks[bot.at()]))
            .collect();
        Self {
            blocks: tally.blocks(),
            incomplete_blocks: tally.incomplete_blocks(),
            holds: ratings.holds(),
            cycles: cycles(tally, &order, ratings.holds()),
            blocks_for_ten_elo: BlocksRange::largest(bots.iter().map(|bot| bot.blocks_for_ten_elo)),
            told_apart: told_apart(ratings, &order, sets.bar),
            decided: sets.decided,
            bots,
        }
    }
}

fn ranked(tally: &FieldTally, ratings: &Ratings, bot: Entrant, place: u32, rank: RankInterval) -> RankedBot {
    let (mut matches, mut half_points, mut margin) = (0, 0, Margin::default());
    for other in (0..ratings.bots() as u32).map(Entrant) {
        let Some(pairing) = tally.pairing(bot, other) else { continue };
        let played = pairing.blocks() * u64::from(pairing.matches_per_block());
        let first = bot < other;
        matches += played;
        half_points += if first { pairing.half_points() } else { 2 * played - pairing.half_points() };
        margin.add(if first { pairing.margin.total } else { pairing.margin.total.reversed() });
    }
    RankedBot {
        bot,
        place,
        rank,
        elo: ratings.elo(bot),
        elo_half_width: ratings.half_width(bot),
        score: mean_score(half_points, matches),
        matches,
        mean_margin: margin.mean(),
        blocks_for_ten_elo: ratings
            .standard_error(bot)
            .and_then(|error| BlocksRange::for_ten_elo(error, NORMAL, tally.blocks())),
    }
}
