//! The sums over pairs from which standings are made, the same for every source of pairs.

use leyden_protocol::Seats;
use leyden_stats::{Entrant, FieldTally, Margin, PairingResult, Score, TallyBuilder, TallyError};

use super::counts::PairCounts;
use super::later_legs::{Leg, LegSums};

/// What is known of the pairs so far.
pub(super) struct PairSums {
    tally: TallyBuilder,
    /// With several rounds, the parts of a block are far from each other in the schedule: they are collected first.
    collected: Option<Vec<PairingResult>>,
    counts: PairCounts,
    legs: LegSums,
}

impl PairSums {
    /// Creates the empty sums of that many bots. `in_order` if the pairs of a block will follow one another.
    pub(super) fn new(tally: TallyBuilder, bots: usize, seats: Seats, in_order: bool) -> Self {
        let counts = PairCounts { complete: 0, incomplete: 0, planned: None, voided: 0, played_again: 0 };
        let collected = (!in_order).then(Vec::new);
        Self { tally, collected, counts, legs: LegSums::new(bots, seats) }
    }

    /// Adds the legs of a pair in the order of play. They count in this block; without one their round is not rated.
    pub(super) fn add(
        &mut self,
        block: Option<u32>,
        legs: &[Leg],
        (is_complete, was_void): (bool, bool),
    ) -> Result<(), TallyError> {
        self.counts.complete += u64::from(is_complete);
        self.counts.incomplete += u64::from(!is_complete);
        self.counts.played_again += u64::from(is_complete && was_void);
        self.legs.count(legs);
        let Some(block) = block else { return Ok(()) };
        for result in pairing_results(block, legs) {
            match &mut self.collected {
                Some(collected) => collected.push(result),
                None => self.tally.push(result)?,
            }
        }
        Ok(())
    }

    /// The sums of all pairs.
    pub(super) fn finish(self) -> Result<(FieldTally, PairCounts, LegSums), TallyError> {
        let Self { mut tally, collected, counts, legs } = self;
        let mut collected = collected.unwrap_or_default();
        collected.sort_unstable();
        for result in collected {
            tally.push(result)?;
        }
        Ok((tally.finish()?, counts, legs))
    }
}

/// How each two bots of a pair fared against one another.
fn pairing_results(block: u32, legs: &[Leg]) -> Vec<PairingResult> {
    let bots = legs.first().map_or(&[][..], |first| first.bots.as_slice());
    let two = bots
        .iter()
        .flat_map(|one| bots.iter().filter(move |other| one < *other).map(move |other| (*one, *other)));
    let result = |(one, other)| {
        let (mut score, mut margin) = (Score::default(), Margin::default());
        for leg in legs {
            if let (Some(seat), Some(rival)) = (leg.seat(one), leg.seat(other)) {
                score.count(leg.end.compare(seat, rival));
                margin.count(leg.end.margin(seat, rival));
            }
        }
        PairingResult { block, first: Entrant(one as u32), second: Entrant(other as u32), score, margin }
    };
    two.map(result).collect()
}
