//! Who beat whom: one line for each pairing of a field.

use schemars::JsonSchema;
use serde::Serialize;

use crate::estimate::score_interval_at;
use crate::pairing::PairingGain;
use crate::pairing_result::Entrant;
use crate::tally::FieldTally;
use crate::units::Interval;
use crate::validity::Holds;

/// One pairing's line, from the side of the bot with the lower index.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HeadToHead {
    pub first: Entrant,
    pub second: Entrant,
    /// The blocks in which they met.
    pub blocks: u64,
    /// The first bot's mean score of a match, in 0..=1.
    pub score: Option<f64>,
    /// 95 %, for this pairing by itself; `None` with too few blocks.
    pub score_interval: Option<Interval>,
    /// By how many game points the first was ahead in a match without a fault.
    pub mean_margin: Option<f64>,
    pub pairing: Option<PairingGain>,
}

/// The head-to-head table: one line for each pairing of the field, ascending by second bot, then first.
pub fn head_to_head(tally: &FieldTally, holds: Holds) -> impl Iterator<Item = HeadToHead> {
    let quantile = holds.quantiles(0.05, tally.blocks());
    let bots = tally.field().bots() as u32;
    let pairings = (0..bots).flat_map(|high| (0..high).map(move |low| (Entrant(low), Entrant(high))));
    pairings.filter_map(move |(first, second)| {
        let pairing = tally.pairing(first, second)?;
        Some(HeadToHead {
            first,
            second,
            blocks: pairing.blocks(),
            score: pairing.score(),
            score_interval: quantile(pairing.blocks()).and_then(|t| score_interval_at(pairing, t)),
            mean_margin: pairing.mean_margin(),
            pairing: PairingGain::from_tally(pairing, holds),
        })
    })
}
