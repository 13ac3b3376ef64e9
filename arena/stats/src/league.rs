//! Which meetings say most about the order of the bots of a league: the next batch of its pairings, from the results so far.
//!
//! ```text
//! d   θ_i − θ_j                                    by the ratings of all results so far (rating.rs)
//! v   (e_i − e_j)ᵀ H⁻¹ (e_i − e_j)                  the variance of d
//! I   m p (1 − p),  p = σ(d)                       what the m matches of a meeting say about d
//! u   a fixed number in 0..1 of the batch and both   the same for everybody, as if it were drawn
//! G   u · ½ ln(1 + I v)                             the gain of a meeting
//! ```
//!
//! The logarithm is by how much a meeting narrows the difference: much between bots that are about equally strong, or of which little
//! is known. Among meetings that say about as much u decides, not the results. A rule that goes on where the order is in doubt and
//! stops where it seems sure needs as many pairs, and its intervals are wrong (README, *A league*). A batch has two parts:
//!
//! * Each *newcomer* has its four meetings of the greatest gain; nobody else is asked for more than four. A newcomer is a bot whose
//!   rating is less certain than ± 40 Elo and half as uncertain again as that of the middle bot.
//! * The others have the meetings of a *tree*, the spanning tree with the greatest sum of gains. So everybody plays, and everybody is
//!   compared with everybody else over a chain of meetings. As long as there is a newcomer, only one batch of four has a tree.
//!   Otherwise trees follow, each of meetings that the batch does not have yet, until it has [`ENOUGH`] matches or everybody meets
//!   everybody: between two batches and their legs bots are started again, and a wait hides when a leg ended, both once for all of it.
//!
//! Only additions, multiplications, divisions, square roots and `libm`, in the order of the bots: so every machine computes the
//! same batch.
//!
//! Sources: the gain after A. Mikhailiuk et al., "Active sampling for pairwise comparisons via approximate message passing and
//! information gain maximization" (ASAP, ICPR 2020); batches by a spanning tree J. Li et al., "Hybrid-MST: a hybrid active sampling
//! strategy for pairwise preference aggregation" (`NeurIPS` 2018).

use crate::pairing_result::Entrant;
use crate::rating::{FitError, PointTable, centre, inverse, maximise, sigmoid};
use crate::square_matrix::Square;
use crate::units::{ELO_PER_THETA, Elo};

/// As long as there is a newcomer, one batch of this many has a tree.
const TREE_EVERY: u32 = 4;
/// This many matches are enough for a batch without a newcomer: the 64 pairs that a run has open together.
const ENOUGH: u32 = 128;
/// The number of meetings of a newcomer in a batch for newcomers, and the most for which anybody else is asked.
const MEETINGS: usize = 4;
/// A newcomer's standard error is above this, in Elo: about ± 40 at 95 %.
const CERTAIN: f64 = 20.0;
/// A newcomer's standard error is above this many times that of the middle bot.
const BEHIND: f64 = 1.5;

/// What the bots of a league have scored against one another, in all their meetings.
#[derive(Clone, Debug)]
pub struct LeagueTable {
    points: PointTable,
}

/// A meeting that could be played next. The better one is less.
#[derive(Clone, Copy, Debug)]
struct Prospect {
    gain: f64,
    /// By index among those who are there, the first below the second.
    ends: [usize; 2],
}

impl LeagueTable {
    /// No results of this many bots.
    pub fn new(bots: usize) -> Self {
        Self { points: PointTable::empty(bots) }
    }

    /// Adds matches of two bots: half points of both, two for each match together. A bot and itself are ignored.
    pub fn add(&mut self, [one, other]: [Entrant; 2], half_points: [u64; 2]) {
        let (high, low) = (one.at().max(other.at()), one.at().min(other.at()));
        let Some(cell) = self.points.cells.get_mut(high * high.saturating_sub(1) / 2 + low) else { return };
        if high == low {
            return;
        }
        let of_high = if one.at() == high { half_points[0] } else { half_points[1] };
        cell.0 += of_high as f64 / 2.0;
        cell.1 += (half_points[0] + half_points[1]) as f64 / 2.0;
    }

    /// The meetings of a batch among the bots that are there: `batch` counts from 0, a meeting has that many
    /// `matches`. No meeting is there twice. Empty if fewer than two bots are there.
    pub fn next_batch(
        &self,
        there: &[Entrant],
        batch: u32,
        matches: u32,
    ) -> Result<Vec<[Entrant; 2]>, FitError> {
        let theta = maximise(&self.points)?;
        let covariance = inverse(&self.points, &theta)?;
        let outlook =
            Outlook { theta: &theta, covariance: &covariance, there, batch, matches: f64::from(matches) };
        let newcomers = outlook.newcomers();
        let mut chosen = outlook.for_newcomers(&newcomers);
        let needed = if newcomers.is_empty() {
            ENOUGH.div_ceil(matches.max(1)) as usize
        } else {
            chosen.len() + usize::from(batch.is_multiple_of(TREE_EVERY))
        };
        let settled = (0..there.len()).filter(|bot| !newcomers.contains(bot)).collect::<Vec<_>>();
        let mut left = outlook.prospects(&settled);
        while chosen.len() < needed && !left.is_empty() {
            chosen.extend(outlook.take_tree(&mut left));
        }
        Ok(chosen.into_iter().map(|of| of.ends.map(|end| there[end])).collect())
    }

    /// The same results, but those of bots that are alike weigh as much together as those of one bot: so they draw the ratings of
    /// others no further than one of them does, wherever strength is not all there is. No bot is in two groups.
    #[must_use]
    pub fn counting_once(&self, groups: &[Vec<Entrant>]) -> Self {
        let mut points = self.points.clone();
        let mut weights = vec![1.0; points.bots];
        for group in groups {
            for bot in group {
                weights[bot.at()] = 1.0 / group.len() as f64;
            }
        }
        let cells = (0..weights.len()).flat_map(|high| (0..high).map(move |low| (high, low)));
        for (cell, (high, low)) in points.cells.iter_mut().zip(cells) {
            let weight = weights[high] * weights[low];
            *cell = (cell.0 * weight, cell.1 * weight);
        }
        points.priors.iter_mut().zip(weights).for_each(|(prior, weight)| *prior *= weight);
        Self { points }
    }

    /// The rating of each bot; the mean of all is 0.
    pub fn ratings(&self) -> Result<Vec<Elo>, FitError> {
        let mut theta = maximise(&self.points)?;
        centre(&mut theta);
        Ok(theta.into_iter().map(|theta| Elo::new(theta * ELO_PER_THETA)).collect())
    }

    /// The score of a bot if it met each of these others equally often, 0..=1: the mean over opponents of the points won against
    /// each, with as many more as its rating expects of one pair. Ratings under chosen pairings depend on who met whom
    /// if strength is not all there is; this does not. Half if there is no other.
    pub fn even_score(&self, bot: Entrant, others: &[Entrant]) -> Result<f64, FitError> {
        let theta = maximise(&self.points)?;
        let against = |other: &Entrant| {
            let (high, low) = (bot.at().max(other.at()), bot.at().min(other.at()));
            let (points, matches) = self.points.cells[high * high.saturating_sub(1) / 2 + low];
            let points = if bot.at() == high { points } else { matches - points };
            let expected = sigmoid(theta[bot.at()] - theta[other.at()]);
            (points + PAIR * expected) / (matches + PAIR)
        };
        let (mut sum, mut count) = (0.0, 0.0);
        for other in others.iter().filter(|other| **other != bot) {
            sum += against(other);
            count += 1.0;
        }
        Ok(if count > 0.0 { sum / count } else { 0.5 })
    }
}

/// The matches of a pair.
const PAIR: f64 = 2.0;

/// What is known before a batch.
struct Outlook<'a> {
    theta: &'a [f64],
    covariance: &'a Square,
    there: &'a [Entrant],
    batch: u32,
    matches: f64,
}

impl Outlook<'_> {
    fn prospect(&self, one: usize, other: usize) -> Prospect {
        let ends = [one.min(other), one.max(other)];
        let [i, j] = ends.map(|end| self.there[end].at());
        let covariance = self.covariance;
        let variance = covariance.at(i, i) + covariance.at(j, j) - 2.0 * covariance.at(i, j);
        let p = sigmoid(self.theta[i] - self.theta[j]);
        let narrowed = 0.5 * libm::log1p(self.matches * p * (1.0 - p) * variance);
        Prospect { gain: drawn(self.batch, [i, j]) * narrowed, ends }
    }

    /// The standard error of each bot against the mean of those who are there, in Elo.
    fn errors(&self) -> Vec<f64> {
        let count = self.there.len() as f64;
        let mean_of = |bot: &Entrant| {
            let row = self.covariance.row(bot.at());
            self.there.iter().map(|other| row[other.at()]).sum::<f64>() / count
        };
        let means: Vec<f64> = self.there.iter().map(mean_of).collect();
        let mean = means.iter().sum::<f64>() / count;
        let variance = |(bot, of): (&Entrant, &f64)| self.covariance.at(bot.at(), bot.at()) - 2.0 * of + mean;
        let errors = self.there.iter().zip(&means).map(variance);
        errors.map(|variance| variance.max(0.0).sqrt() * ELO_PER_THETA).collect()
    }

    /// The newcomers among those who are there, in their order.
    fn newcomers(&self) -> Vec<usize> {
        let errors = self.errors();
        let mut sorted = errors.clone();
        sorted.sort_by(f64::total_cmp);
        let Some(middle) = sorted.get(sorted.len() / 2) else { return Vec::new() };
        let bar = CERTAIN.max(BEHIND * middle);
        (0..errors.len()).filter(|bot| errors[*bot] > bar).collect()
    }

    /// All meetings of these bots, greatest gain first.
    fn prospects(&self, bots: &[usize]) -> Vec<Prospect> {
        let pairs = (0..bots.len()).flat_map(|high| (0..high).map(move |low| (bots[low], bots[high])));
        let mut all: Vec<Prospect> = pairs.map(|(low, high)| self.prospect(low, high)).collect();
        all.sort_by(Prospect::better);
        all
    }

    /// Takes a tree from what is left, greatest gain first, as are the meetings for newcomers.
    fn take_tree(&self, left: &mut Vec<Prospect>) -> Vec<Prospect> {
        let mut group: Vec<usize> = (0..self.there.len()).collect();
        let joins = |of: &mut Prospect| {
            let [one, other] = of.ends.map(|end| group[end]);
            if one != other {
                for group in group.iter_mut().filter(|group| **group == other) {
                    *group = one;
                }
            }
            one != other
        };
        left.extract_if(.., joins).collect()
    }

    fn for_newcomers(&self, newcomers: &[usize]) -> Vec<Prospect> {
        let mut meetings = vec![0; self.there.len()];
        let mut chosen: Vec<Prospect> = Vec::new();
        for &new in newcomers {
            let mut all: Vec<Prospect> = (0..self.there.len())
                .filter(|other| *other != new)
                .map(|other| self.prospect(new, other))
                .collect();
            all.sort_by(Prospect::better);
            for of in all {
                let is_known = chosen.iter().any(|other| other.ends == of.ends);
                if !is_known && of.ends.iter().all(|end| meetings[*end] < MEETINGS) {
                    for end in of.ends {
                        meetings[end] += 1;
                    }
                    chosen.push(of);
                }
            }
        }
        chosen.sort_by(Prospect::better);
        chosen
    }
}

/// u, by the finaliser of `SplitMix64` (G. L. Steele, D. Lea and C. H. Flood, OOPSLA 2014).
fn drawn(batch: u32, ends: [usize; 2]) -> f64 {
    let mix = |mixed: u64| {
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    let [i, j] = ends.map(|end| end as u64);
    let number = mix(mix(u64::from(batch) << 32 | i).wrapping_add(0x9e37_79b9_7f4a_7c15) ^ j);
    ((number >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

impl Prospect {
    fn better(&self, other: &Self) -> std::cmp::Ordering {
        let apart = |of: &Self| (of.ends[1] - of.ends[0], of.ends[0]);
        other.gain.total_cmp(&self.gain).then_with(|| apart(self).cmp(&apart(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots(count: u32) -> Vec<Entrant> {
        (0..count).map(Entrant).collect()
    }

    fn numbers(batch: &[[Entrant; 2]]) -> Vec<[u32; 2]> {
        batch.iter().map(|pair| pair.map(|bot| bot.0)).collect()
    }

    /// Neighbours of a ladder have met often, and the better one has won two of three.
    fn ladder(count: u32, matches: u64) -> LeagueTable {
        let mut table = LeagueTable::new(count as usize + 1);
        for bot in 1..count {
            table.add([Entrant(bot - 1), Entrant(bot)], [matches * 4 / 3, matches * 2 / 3]);
        }
        table
    }

    #[test]
    fn first_batch_of_65_bots_draws_64_meetings() {
        let table = LeagueTable::new(65);
        let [one, other] = [0, 4].map(|batch| numbers(&table.next_batch(&bots(65), batch, 2).unwrap()));
        assert_eq!((one.len(), other.len()), (64, 64));
        assert_ne!(one, other);
        assert!(LeagueTable::new(1).next_batch(&bots(1), 0, 2).unwrap().is_empty());
        assert!(LeagueTable::new(0).next_batch(&[], 0, 2).unwrap().is_empty());
    }

    #[test]
    fn each_tree_joins_everybody_who_is_there() {
        let table = ladder(21, 300);
        let there: Vec<Entrant> = bots(21).into_iter().filter(|bot| bot.0 != 4).collect();
        let batch = table.next_batch(&there, 0, 2).unwrap();
        assert_eq!(batch.len(), 4 * 19, "four trees are enough");
        assert_eq!(table.next_batch(&there, 0, 16).unwrap().len(), 19, "of longer meetings one is");
        for bot in &there {
            assert!(batch[..19].iter().flatten().any(|other| other == bot), "{bot:?} plays");
        }
        assert!(batch.iter().flatten().all(|bot| bot.0 != 4));
    }

    #[test]
    fn meeting_is_never_twice_in_a_batch() {
        for count in [2, 3, 8, 11, 12, 20] {
            let batch = LeagueTable::new(count as usize).next_batch(&bots(count), 0, 2).unwrap();
            let all = count * (count - 1) / 2;
            assert!(batch.len() >= 64.min(all as usize), "{count}: {}", batch.len());
            let once: std::collections::BTreeSet<_> = numbers(&batch).into_iter().collect();
            assert_eq!(once.len(), batch.len(), "{count}");
        }
    }

    #[test]
    fn three_of_four_batches_are_for_newcomers() {
        let table = ladder(9, 300);
        for batch in 0..5 {
            let meetings = numbers(&table.next_batch(&bots(10), batch, 2).unwrap());
            let (new, tree) = meetings.split_at(MEETINGS);
            assert!(new.iter().all(|ends| ends[1] == 9), "{meetings:?}");
            assert_eq!(tree.len(), if batch % 4 == 0 { 8 } else { 0 }, "{meetings:?}");
        }
        assert_eq!(table.next_batch(&bots(9), 1, 2).unwrap().len(), 36, "nobody is new");
    }

    #[test]
    fn newcomer_meets_bots_of_like_strength() {
        let (table, newcomer) = (ladder(9, 300), Entrant(9));
        let batches = (1..200).flat_map(|batch| numbers(&table.next_batch(&bots(10), batch, 2).unwrap()));
        let mut met = [0; 10];
        for ends in batches.filter(|ends| ends[1] == newcomer.0) {
            met[ends[0] as usize] += 1;
        }
        assert!(met[4] > 2 * met[0] && met[4] > 2 * met[8], "{met:?}");
    }

    #[test]
    fn order_of_results_changes_no_batch() {
        let (mut one, mut other) = (LeagueTable::new(3), LeagueTable::new(3));
        let results = [([0, 1], [3, 1]), ([2, 1], [2, 2]), ([0, 2], [0, 4]), ([1, 0], [4, 0])];
        for (at, (pair, points)) in results.iter().enumerate() {
            one.add(pair.map(Entrant), *points);
            let (pair, points) = results[results.len() - 1 - at];
            other.add(pair.map(Entrant), points);
        }
        assert_eq!(one.next_batch(&bots(3), 1, 2), other.next_batch(&bots(3), 1, 2));
    }

    #[test]
    fn copies_do_not_move_the_differences_between_others() {
        // Five bots 120 Elo apart, and copies of the weakest one. All pairings have their expected results, but not equally many: the
        // more alike, the more, as a league chooses them.
        let ratings = |copies: u32| {
            let strength = |bot: u32| f64::from(bot.min(4)) * -120.0 / ELO_PER_THETA;
            let mut table = LeagueTable::new((5 + copies) as usize);
            for (high, low) in (0..5 + copies).flat_map(|high| (0..high).map(move |low| (high, low))) {
                let ahead = strength(high) - strength(low);
                let matches = 1_000_000.0 / (1.0 + ahead * ahead);
                let points = [sigmoid(ahead), sigmoid(-ahead)].map(|share| (2.0 * matches * share) as u64);
                table.add([Entrant(high), Entrant(low)], points);
            }
            maximise(&table.points).unwrap()
        };
        let alone = ratings(0);
        let beside = ratings(20);
        for bot in 1..5 {
            let moved = (alone[bot] - alone[0]) - (beside[bot] - beside[0]);
            assert!((moved * ELO_PER_THETA).abs() < 0.1, "bot {bot}: {moved}");
        }
        assert!(((beside[24] - beside[4]) * ELO_PER_THETA).abs() < 0.1, "a copy is as strong");
    }
}
