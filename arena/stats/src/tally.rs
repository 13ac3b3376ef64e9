//! Collects results block by block, in memory that does not grow with the number of matches.

use std::collections::BTreeSet;

use crate::pairing_result::{Entrant, Margin, PairingResult, Score, mean_score};
use crate::pentanomial::Pentanomial;

/// Who plays whom: for each two bots, how many matches (legs) they play against each other in one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    bots: usize,
    /// By [`index_of`], the lower index first.
    matches: Vec<u32>,
}

/// Why a field is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    #[error("bot {0} is not among the {1} bots of the field")]
    UnknownBot(u32, usize),
    #[error("bot {0} sits twice at one table")]
    TwiceAtTable(u32),
}

impl Field {
    /// Every two bots of `bots` play one two-seat pair per block.
    pub fn round_robin(bots: usize) -> Self {
        Self { bots, matches: vec![2; pairings_of(bots)] }
    }

    /// The tables of one block, each with as many legs as seats. Two-seat tables are pairings, so this also describes a
    /// gauntlet or any other part of a round robin.
    pub fn from_tables(bots: usize, tables: &[Vec<Entrant>]) -> Result<Self, FieldError> {
        let mut matches = vec![0; pairings_of(bots)];
        for table in tables {
            for (seat, first) in table.iter().enumerate() {
                if first.at() >= bots {
                    return Err(FieldError::UnknownBot(first.0, bots));
                }
                for second in &table[..seat] {
                    let Some(index) = index_of(*first, *second) else {
                        return Err(FieldError::TwiceAtTable(first.0));
                    };
                    matches[index] += table.len() as u32;
                }
            }
        }
        Ok(Self { bots, matches })
    }

    /// Any field, given the number of matches between two bots in one block.
    pub fn from_meetings<E>(
        bots: usize,
        mut matches: impl FnMut(Entrant, Entrant) -> Result<u32, E>,
    ) -> Result<Self, E> {
        let bot = |index: usize| Entrant(index as u32);
        let pairings = (0..bots).flat_map(|high| (0..high).map(move |low| (bot(low), bot(high))));
        let matches = pairings.map(|(low, high)| matches(low, high)).collect::<Result<_, _>>()?;
        Ok(Self { bots, matches })
    }

    /// The number of bots in the field, whether or not they play.
    pub const fn bots(&self) -> usize {
        self.bots
    }

    /// The matches of two bots in one block; 0 for a bot and itself.
    pub fn matches_per_block(&self, one: Entrant, other: Entrant) -> u32 {
        index_of(one, other).and_then(|index| self.matches.get(index)).copied().unwrap_or(0)
    }

    /// The number of pairings that are played.
    pub fn pairings(&self) -> usize {
        self.matches.iter().filter(|matches| **matches > 0).count()
    }
}

fn pairings_of(bots: usize) -> usize {
    bots * bots.saturating_sub(1) / 2
}

/// The index of two bots in a triangular list; `None` for a bot and itself.
fn index_of(one: Entrant, other: Entrant) -> Option<usize> {
    let (low, high) = (one.at().min(other.at()), one.at().max(other.at()));
    (low < high).then(|| pairings_of(high) + low)
}

/// A result that does not fit the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TallyError {
    #[error("block {block}: bots {first} and {second} are not paired in this field")]
    NotPaired { block: u32, first: u32, second: u32 },
    #[error("block {block}: bots {first} and {second} have {got} matches, more than the {most} of one block")]
    TooManyMatches { block: u32, first: u32, second: u32, got: u32, most: u32 },
    #[error("block {0} was added in two parts; add its results together")]
    SplitBlock(u32),
    #[error("expected {expected} matches in each pair, got {got}")]
    MatchCount { got: u32, expected: u32 },
}

/// One pairing over its blocks: how often each score occurred, and sums of margins. All sums are exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingTally {
    matches_per_block: u32,
    /// Ascending by score.
    scores: Vec<(Score, u32)>,
    pub(crate) margin: MarginSums,
}

/// Sums over blocks of a block's margin m and its number of matches without a fault c.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MarginSums {
    pub(crate) total: Margin,
    /// Σm²
    pub(crate) squares: i128,
    /// Σmc
    pub(crate) products: i64,
    /// Σc²
    pub(crate) matches_squared: u64,
}

impl PairingTally {
    /// For pairs of `matches_per_block` matches: two at two seats.
    pub const fn new(matches_per_block: u32) -> Self {
        let total = Margin { sum: 0, matches: 0 };
        let margin = MarginSums { total, squares: 0, products: 0, matches_squared: 0 };
        Self { matches_per_block, scores: Vec::new(), margin }
    }

    /// Adds a block.
    pub fn record(&mut self, score: Score, margin: Margin) -> Result<(), TallyError> {
        if score.matches() != self.matches_per_block {
            return Err(TallyError::MatchCount { got: score.matches(), expected: self.matches_per_block });
        }
        match self.scores.binary_search_by_key(&score, |(score, _)| *score) {
            Ok(at) => self.scores[at].1 += 1,
            Err(at) => self.scores.insert(at, (score, 1)),
        }
        let Margin { sum, matches } = margin;
        self.margin.total.add(margin);
        self.margin.squares += i128::from(sum) * i128::from(sum);
        self.margin.products += sum * matches as i64;
        self.margin.matches_squared += matches * matches;
        Ok(())
    }

    /// Matches in each block.
    pub const fn matches_per_block(&self) -> u32 {
        self.matches_per_block
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.scores.iter().map(|(_, count)| u64::from(*count)).sum()
    }

    /// How often each score occurred, ascending by score.
    pub fn scores(&self) -> &[(Score, u32)] {
        &self.scores
    }

    /// The first bot's points, in half points.
    pub fn half_points(&self) -> u64 {
        self.scores.iter().map(|(score, count)| u64::from(score.half_points()) * u64::from(*count)).sum()
    }

    /// Mean score of a match, 0..=1; `None` without blocks.
    pub fn score(&self) -> Option<f64> {
        mean_score(self.half_points(), self.blocks() * u64::from(self.matches_per_block))
    }

    /// Mean margin of the matches without a fault, in game points; `None` if there are none.
    pub fn mean_margin(&self) -> Option<f64> {
        self.margin.total.mean()
    }

    /// The five counts of two-seat pairs; `None` for other clusters.
    pub fn pentanomial(&self) -> Option<Pentanomial> {
        if self.matches_per_block != 2 {
            return None;
        }
        let mut counts = [0; 5];
        for (score, count) in &self.scores {
            counts[usize::from(score.pair_points()?.half_points())] += u64::from(*count);
        }
        Some(Pentanomial::new(counts))
    }
}

/// A block without some pairings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) block: u32,
    /// y of each bot, without what is missing.
    pub(crate) excess: Vec<i64>,
    /// The bots of each missing pairing, the lower index first.
    pub(crate) missing: Vec<(Entrant, Entrant)>,
}

/// Collects results, block after block. A block counts once every pairing of the field is complete in it, or void. The order of
/// blocks does not change the tally, but the results of one block must be added together.
#[derive(Clone, Debug)]
pub struct TallyBuilder {
    sum: FieldTally,
    /// The pairings that are void in a block, by [`index_of`].
    voided: BTreeSet<(u32, usize)>,
    open: Option<u32>,
    results: Vec<PairingResult>,
    closed: BTreeSet<u32>,
}

/// The results of all blocks that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldTally {
    field: Field,
    /// Whether each complete pair counts by itself.
    by_pairs: bool,
    /// With pairs by themselves, all of them are one block, which counts once every bot has one.
    blocks: u64,
    incomplete: u64,
    /// Σ y over blocks, with y the half points of a bot in a block less the number of its matches.
    excess: Vec<i64>,
    /// Σ y yᵀ over blocks, the lower half with its diagonal, row after row.
    products: Vec<i64>,
    pairings: Vec<PairingTally>,
    /// y of each block, if blocks are kept.
    kept: Option<Vec<(u32, Vec<i64>)>>,
    /// The blocks that count without some pairings.
    gaps: Vec<Gap>,
}

impl TallyBuilder {
    /// An empty tally.
    pub fn new(field: Field) -> Self {
        let pairings = field.matches.iter().map(|matches| PairingTally::new(*matches)).collect();
        let (bots, blocks, incomplete) = (field.bots, 0, 0);
        let (excess, products) = (vec![0; bots], vec![0; pairings_of(bots) + bots]);
        let (kept, gaps) = (None, Vec::new());
        let by_pairs = false;
        let sum = FieldTally { field, by_pairs, blocks, incomplete, excess, products, pairings, kept, gaps };
        let (voided, closed) = (BTreeSet::new(), BTreeSet::new());
        Self { sum, voided, open: None, results: Vec::new(), closed }
    }

    /// The same, but each pair counts as soon as it is complete, and errors come from what single pairs leave over. For fields at two
    /// seats that are not the same in each block, or have one block only; `field` holds the matches of one pair of those who meet. Two
    /// bots meet at most once in a block; blocks come in order.
    #[must_use]
    pub fn by_pairs(mut self) -> Self {
        self.sum.by_pairs = true;
        self
    }

    /// The same, but a block does not wait for these two bots: what they played in it is void, and the block counts without it. Where
    /// they have all their matches after all, these count.
    #[must_use]
    pub fn without(mut self, voided: impl IntoIterator<Item = (u32, Entrant, Entrant)>) -> Self {
        let indices =
            voided.into_iter().filter_map(|(block, one, other)| Some((block, index_of(one, other)?)));
        self.voided.extend(indices);
        self
    }

    /// The same, but the tally keeps each bot's points in each block, to be compared with another on the same deals. Memory then
    /// grows with the blocks.
    #[must_use]
    pub fn keeping_blocks(mut self) -> Self {
        self.sum.kept = Some(Vec::new());
        self
    }

    /// Adds one result. The results of a block must follow one another; blocks may come in any order.
    pub fn push(&mut self, result: PairingResult) -> Result<(), TallyError> {
        if self.open != Some(result.block) {
            self.close()?;
            if self.closed.contains(&result.block) {
                return Err(TallyError::SplitBlock(result.block));
            }
            self.open = Some(result.block);
        }
        self.results.push(result.in_order());
        Ok(())
    }

    /// Adds results in any order, and returns the sum.
    pub fn sum(mut self, mut results: Vec<PairingResult>) -> Result<FieldTally, TallyError> {
        results.sort_unstable();
        results.into_iter().try_for_each(|result| self.push(result))?;
        self.finish()
    }

    /// The sum of all blocks that count.
    pub fn finish(mut self) -> Result<FieldTally, TallyError> {
        self.close()?;
        if self.sum.by_pairs {
            self.sum.blocks = u64::from(self.sum.all_have_played());
        }
        self.sum.gaps.sort_unstable_by_key(|gap| gap.block);
        Ok(self.sum)
    }

    fn close(&mut self) -> Result<(), TallyError> {
        let Some(block) = self.open.take() else { return Ok(()) };
        self.closed.insert(block);
        let results = merged(std::mem::take(&mut self.results));
        let voided: BTreeSet<usize> =
            self.voided.range((block, 0)..=(block, usize::MAX)).map(|(_, index)| *index).collect();
        self.sum.take_in(block, results, voided)
    }
}

/// The results of one block, one for each pairing.
fn merged(mut results: Vec<PairingResult>) -> Vec<PairingResult> {
    results.sort_unstable();
    results.dedup_by(|next, kept| {
        let same = (next.first, next.second) == (kept.first, kept.second);
        if same {
            kept.score = kept.score.plus(next.score);
            kept.margin.add(next.margin);
        }
        same
    });
    results
}

impl FieldTally {
    /// The tally of results in any order.
    pub fn from_results(field: Field, results: Vec<PairingResult>) -> Result<Self, TallyError> {
        TallyBuilder::new(field).sum(results)
    }

    fn take_in(
        &mut self,
        number: u32,
        mut results: Vec<PairingResult>,
        mut voided: BTreeSet<usize>,
    ) -> Result<(), TallyError> {
        let mut complete = 0;
        for result in &results {
            let (block, first, second) = (result.block, result.first.0, result.second.0);
            let most = self.field.matches_per_block(result.first, result.second);
            let got = result.score.matches();
            if most == 0 {
                return Err(TallyError::NotPaired { block, first, second });
            }
            if got > most {
                return Err(TallyError::TooManyMatches { block, first, second, got, most });
            }
            if got == most {
                complete += 1;
                index_of(result.first, result.second).map(|index| voided.remove(&index));
            }
        }
        if self.by_pairs {
            return self.count_pairs(&results);
        }
        voided.retain(|index| self.field.matches.get(*index).is_some_and(|matches| *matches > 0));
        if complete + voided.len() < self.field.pairings() {
            self.incomplete += 1;
            return Ok(());
        }
        results.retain(|of| index_of(of.first, of.second).is_some_and(|index| !voided.contains(&index)));
        if results.is_empty() {
            return Ok(());
        }
        self.count(number, &results, &voided)
    }

    /// Counts the complete pairs of a block by themselves.
    fn count_pairs(&mut self, results: &[PairingResult]) -> Result<(), TallyError> {
        for result in results {
            let expected = self.field.matches_per_block(result.first, result.second);
            if result.score.matches() < expected {
                continue;
            }
            if let Some(index) = index_of(result.first, result.second) {
                self.pairings[index].record(result.score, result.margin)?;
            }
        }
        Ok(())
    }

    /// Whether every bot that meets another has a complete pair.
    fn all_have_played(&self) -> bool {
        let (mut meets, mut has_played) = (vec![false; self.field.bots], vec![false; self.field.bots]);
        let mut pairings = self.pairings.iter();
        for high in 0..self.field.bots {
            for (low, pairing) in pairings.by_ref().take(high).enumerate() {
                for bot in [low, high] {
                    meets[bot] |= pairing.matches_per_block > 0;
                    has_played[bot] |= pairing.blocks() > 0;
                }
            }
        }
        meets.contains(&true) && meets == has_played
    }

    /// Counts a block.
    fn count(
        &mut self,
        number: u32,
        results: &[PairingResult],
        voided: &BTreeSet<usize>,
    ) -> Result<(), TallyError> {
        self.blocks += 1;
        let mut excess = vec![0_i64; self.field.bots];
        for result in results {
            let above = i64::from(result.score.half_points()) - i64::from(result.score.matches());
            excess[result.first.at()] += above;
            excess[result.second.at()] -= above;
            if let Some(index) = index_of(result.first, result.second) {
                self.pairings[index].record(result.score, result.margin)?;
            }
        }
        let mut products = self.products.iter_mut();
        for (i, own) in excess.iter().enumerate() {
            self.excess[i] += own;
            // The row comes first: a zip that ends takes one more item from its first side.
            for (other, product) in excess[..=i].iter().zip(products.by_ref()) {
                *product += own * other;
            }
        }
        if !voided.is_empty() {
            let missing = voided.iter().map(|index| bots_at(*index)).collect();
            self.gaps.push(Gap { block: number, excess: excess.clone(), missing });
        }
        if let Some(kept) = &mut self.kept {
            kept.push((number, excess));
        }
        Ok(())
    }

    /// Who plays whom.
    pub const fn field(&self) -> &Field {
        &self.field
    }

    /// The blocks that count.
    pub const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Whether each pair counts by itself, and errors come from pairs instead of blocks.
    pub const fn is_by_pairs(&self) -> bool {
        self.by_pairs
    }

    /// Blocks with results in which some pairing is incomplete: left out.
    pub const fn incomplete_blocks(&self) -> u64 {
        self.incomplete
    }

    /// The blocks of two bots that count, from the side of the one with the lower index; `None` if they are not paired.
    pub fn pairing(&self, one: Entrant, other: Entrant) -> Option<&PairingTally> {
        index_of(one, other)
            .and_then(|index| self.pairings.get(index))
            .filter(|tally| tally.matches_per_block > 0)
    }

    /// The blocks that count without some pairings.
    pub(crate) fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The blocks that were kept.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &(u32, Vec<i64>)> {
        self.kept.iter().flatten()
    }

    /// Σ y of a bot.
    pub(crate) fn excess(&self, bot: usize) -> i64 {
        self.excess[bot]
    }

    /// Σ y yᵀ of two bots, `i >= j`.
    pub(crate) fn product(&self, i: usize, j: usize) -> i64 {
        self.products[lower(i, j)]
    }
}

/// The index of a cell in the lower half of a matrix, with its diagonal.
pub(crate) const fn lower(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// The two bots at an index from [`index_of`].
fn bots_at(index: usize) -> (Entrant, Entrant) {
    let high = (2..index + 3).find(|bots| pairings_of(*bots) > index).map_or(1, |bots| bots - 1);
    (Entrant((index - pairings_of(high)) as u32), Entrant(high as u32))
}
