//! What a bot has to decide, apart from how it talks with the arena.

use leyden_protocol::{Action, Turn};
use leyden_rules::Rules;

/// A way to play. One value plays one seat; it may play many matches, one after another.
///
/// For a bot that runs as a process the conversation with the arena calls these; tests and benchmarks call them directly.
///
/// ```
/// use leyden_protocol::{Action, RulesName, Turn};
/// use leyden_rules::Rules;
/// use leyden_sample_bots::{Strategy, greedy::Greedy, table};
///
/// /// Plays the first legal action.
/// struct FirstLegal;
///
/// impl Strategy for FirstLegal {
///     fn begin(&mut self, _: &Rules, _: u64) {}
///
///     fn choose(&mut self, turn: &Turn<'_>) -> Action { turn.legal[0] }
/// }
///
/// let rules = Rules::standard(RulesName::Leyden);
/// let deal = |number| table::shuffled(&rules, 1, number);
/// let game = table::play_match(&rules, &mut [&mut FirstLegal, &mut Greedy], &[1, 2], deal);
/// assert!(game.finish().is_some());
/// ```
pub trait Strategy: Send {
    /// A match begins. The same `bot_seed` and the same turns have to lead to the same answers.
    fn begin(&mut self, rules: &Rules, bot_seed: u64);

    /// Chooses one of `turn.legal`, which holds at least one action.
    fn choose(&mut self, turn: &Turn<'_>) -> Action;

    /// Reads a `turn` message and answers with its id and the chosen action.
    ///
    /// A strategy that needs only part of the turn can save time by parsing only that part.
    fn answer(&mut self, line: &[u8]) -> serde_json::Result<(u64, Action)> {
        let turn: Turn<'_> = serde_json::from_slice(line)?;
        if turn.legal.is_empty() {
            return Err(nothing_to_choose());
        }
        Ok((turn.id, self.choose(&turn)))
    }
}

/// What is wrong with a turn without a legal action.
pub(crate) fn nothing_to_choose() -> serde_json::Error {
    serde::de::Error::custom("a turn has to offer a legal action")
}
