//! How the standings of a league read when copies count once.

use leyden_arena::league::{Copies, CountedVersion, Version};
use leyden_arena::record::store::StoredPlan;
use leyden_arena::report::{ReportError, TournamentTally};
use leyden_model::BotIndex;

/// A bot of a league and its rank if copies count once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedBot {
    pub bot: BotIndex,
    /// `None` for a copy of a better one.
    pub rank: Option<usize>,
    /// The better one, if it may be known.
    pub like: Option<BotIndex>,
}

/// The bots that play, by these results; none if there are no copies, or no ratings. `index` says which bot of the stored plan one of the results is,
/// by what it is called there.
pub(super) fn counted(
    copies: &Copies,
    stored_plan: &StoredPlan,
    tally: &TournamentTally,
    index: impl Fn(&str) -> BotIndex,
) -> Result<Vec<CountedBot>, ReportError> {
    if copies.are_none() || tally.tally.blocks() == 0 {
        return Ok(Vec::new());
    }
    let bots = &stored_plan.bots;
    let version = |called: &str| bots.get(index(called).index()).map_or("", |bot| bot.name.as_str());
    let ranks = copies.ranks(tally, version)?;
    let at = |version: &Version| {
        let name = version.to_string();
        (0..).map(BotIndex).zip(bots).find(|(_, bot)| bot.name == name).map(|(bot, _)| bot)
    };
    let seen = |of: &CountedVersion| {
        let like = of.like.as_ref().and_then(at);
        Some(CountedBot { bot: at(&of.version)?, rank: of.once, like })
    };
    Ok(ranks.iter().filter_map(seen).collect())
}
