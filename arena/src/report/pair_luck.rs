//! The luck of a gate's pairs, computed as they arrive. A gate is only ever resumed with the luck version that it started
//! with.

use leyden_luck::{LUCK_VERSION, LuckEstimator, LuckReplayError, PLAYOUTS};
use leyden_model::MatchRecord;
use leyden_protocol::Seat;
use leyden_rules::Rules;
use leyden_stats::{LuckEstimates, LuckTerms, SprtPlan};

use super::error::PairLuckError;
use super::luck::luck_of;

/// The version and playouts with which this leyden computes luck.
pub const LUCK_TERMS: LuckTerms = LuckTerms { version: LUCK_VERSION, playouts: PLAYOUTS };

/// Computes how much luck the first bot of a pair had.
#[derive(Clone, Debug)]
pub(super) struct PairLuckEstimator(LuckEstimator);

impl PairLuckEstimator {
    /// `None` for a gate that leaves luck in.
    pub(super) fn for_plan(plan: &SprtPlan, rules: &Rules) -> Result<Option<Self>, PairLuckError> {
        match plan.luck() {
            None => Ok(None),
            Some(LUCK_TERMS) => Ok(Some(Self(LuckEstimator::for_rules(rules)?))),
            Some(other) => Err(PairLuckError::OtherVersion(other)),
        }
    }

    /// The mean luck over the legs of the bot that has these seats in them.
    pub(super) fn mean_luck(
        &self,
        legs: [(&MatchRecord, Seat); 2],
    ) -> Result<LuckEstimates, (String, LuckReplayError)> {
        let mut means = LuckEstimates::default();
        for (record, seat) in legs {
            let luck = luck_of(&self.0, record).map_err(|why| (record.id.clone(), why))?;
            let own = if seat == Seat::FIRST { luck.first_seat } else { luck.second_seat() };
            for (mean, estimate) in means.iter_mut().zip(own) {
                *mean += estimate / 2.0;
            }
        }
        Ok(means)
    }
}
