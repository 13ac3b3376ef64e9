//! Weighs what a seat can do: for each action, the mean result over deals that are consistent with what the seat has seen.
//!
//! Its only input is a [`Turn`], the message that a bot gets, so it cannot see a hidden tile.

use leyden_language::{Language, numbers, text::play as text};
use leyden_protocol::{Action, Tile, Turn};
use leyden_rules::Rules;
pub use leyden_sample_bots::strong::WeighedAction;
use leyden_sample_bots::strong::{is_open, weigh};

use leyden_arena::narrate::words::named;

/// The number of deals sampled.
pub const DEALS: u32 = 1_000;

/// The smallest differences worth a sentence: in the share of deals, and in pips or points. With a thousand deals, smaller ones may
/// be chance.
const SHARE: f64 = 0.03;
const PIPS: f64 = 0.8;

/// Every legal action, the best first, and the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// How many deals were weighed: one if the hands are known.
    pub deals: u32,
    /// One for each legal action, the best first.
    pub choices: Vec<WeighedAction>,
    /// A sentence.
    pub why: String,
}

impl Advice {
    /// The deals that were weighed, in words.
    pub fn deals_in_words(&self, language: Language) -> String {
        match self.deals {
            1 => language.say(text::OnlyDeal),
            deals => language.say(text::Deals { deals }),
        }
    }
}

/// Weighs the legal actions of a turn. Deterministic; `None` if the turn contradicts the rules.
pub fn advise(language: Language, rules: &Rules, turn: &Turn<'_>, deals: u32) -> Option<Advice> {
    let deals = if is_open(rules, turn) { 1 } else { deals };
    let mut choices = weigh(rules, turn, deals, turn.id);
    // The sort is stable: equals keep the order of the protocol.
    choices.sort_by(|one, other| other.chance.total_cmp(&one.chance));
    let why = why(language, rules, &choices)?;
    Some(Advice { deals, choices, why })
}

/// Explains why the first action is better than the next one with a different result.
fn why(language: Language, rules: &Rules, choices: &[WeighedAction]) -> Option<String> {
    let best = choices.first()?;
    let is_other = |other: &&WeighedAction| other.action != best.action && comes_to(other) != comes_to(best);
    let Some(next) = choices.iter().find(is_other) else {
        return Some(language.say(text::EquallyGood));
    };
    let (one, two) = (named(language, best.action), named(language, next.action));
    let percent = |share: f64| numbers::percent(share, 0);
    let tenths = |number: f64| language.decimal(number, 1);
    let reason = if best.first - next.first >= SHARE {
        let (first, second) = (percent(best.first), percent(next.first));
        language.say(text::WinsMore { one, two, first, second })
    } else if next.left - best.left >= PIPS {
        language.say(text::LeavesLess { one, two, first: tenths(best.left), second: tenths(next.left) })
    } else if best.margin - next.margin >= PIPS {
        language.say(text::ScoresMore { one, two, more: tenths(best.margin - next.margin) })
    } else if best.action == Action::Draw {
        language.say(text::DrawThenDecide)
    } else {
        language.say(text::Alike { one, two })
    };
    let kept = kept_matador(rules, best.action, next.action);
    let keeps = kept.map(|tile| format!(" {}", language.say(text::Keeps { tile })));
    Some(reason + &keeps.unwrap_or_default())
}

fn comes_to(weighed: &WeighedAction) -> [u64; 3] {
    [weighed.chance, weighed.margin, weighed.left].map(f64::to_bits)
}

/// Returns the matador that the next best action would lay, if the best one keeps it.
fn kept_matador(rules: &Rules, best: Action, next: Action) -> Option<Tile> {
    let matador = |action: Action| action.tile().filter(|tile| tile.is_wild(rules.set));
    matador(next).filter(|_| matador(best).is_none())
}
