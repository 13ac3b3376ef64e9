//! What a seat could do, weighed: what each action comes to over deals that fit what the seat has seen.
//!
//! It is given a [`Turn`], the message a bot gets, and nothing else: it cannot look at a tile that the seat does not see.

use leyden_protocol::{Action, Tile, Turn};
use leyden_rules::Rules;
use leyden_sample_bots::strong::{Weighed, weigh};

use super::words::named;

/// How many deals are looked at.
pub const DEALS: u32 = 1_000;

/// What is worth a sentence: shares of deals, pips and points. A thousand deals tell less than that apart by chance.
const SHARE: f64 = 0.03;
const PIPS: f64 = 0.8;

/// Every legal action, the best first, and why that one.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    pub deals: u32,
    pub choices: Vec<Weighed>,
    /// A sentence.
    pub why: String,
}

/// Weighs the legal actions of a turn. The same turn gives the same advice; nothing if it contradicts the rules.
pub fn advise(rules: &Rules, turn: &Turn<'_>, deals: u32) -> Option<Advice> {
    let mut choices = weigh(rules, turn, deals, turn.id);
    // A stable sort: of equals the first in the order of the protocol stays first.
    choices.sort_by(|one, other| other.chance.total_cmp(&one.chance));
    let why = why(rules, &choices)?;
    Some(Advice { deals, choices, why })
}

/// Why the first is better than the next one that comes to something else.
fn why(rules: &Rules, choices: &[Weighed]) -> Option<String> {
    let best = choices.first()?;
    let is_other = |other: &&Weighed| other.action != best.action && comes_to(other) != comes_to(best);
    let Some(next) = choices.iter().find(is_other) else {
        return Some("Whatever you do, it comes to the same.".to_owned());
    };
    let (one, two) = (named(best.action), named(next.action));
    let keeps = kept_matador(rules, best.action, next.action);
    let keeps =
        keeps.map(|tile| format!(" It also keeps {tile}, a matador, for an end that nothing else fits."));
    let keeps = keeps.unwrap_or_default();
    let percent = |share: f64| (share * 100.0).round();
    let reason = if best.first - next.first >= SHARE {
        format!(
            "With “{one}” you win the round in {} of 100 such deals, with “{two}” in {}.",
            percent(best.first),
            percent(next.first)
        )
    } else if next.left - best.left >= PIPS {
        format!("“{one}” leaves you {:.1} pips on average, “{two}” {:.1}.", best.left, next.left)
    } else if best.margin - next.margin >= PIPS {
        format!("“{one}” brings you {:.1} points more than “{two}” on average.", best.margin - next.margin)
    } else {
        format!("“{one}” and “{two}” are as good as each other, as far as these deals tell.")
    };
    Some(reason + &keeps)
}

fn comes_to(weighed: &Weighed) -> [u64; 3] {
    [weighed.chance, weighed.margin, weighed.left].map(f64::to_bits)
}

/// The matador that the next best action would give away, and the best one does not.
fn kept_matador(rules: &Rules, best: Action, next: Action) -> Option<Tile> {
    let sum = u32::from(rules.set.sum());
    let matador = |action: Action| action.tile().filter(|tile| tile.pips() == sum || tile.pips() == 0);
    matador(next).filter(|_| matador(best).is_none())
}
