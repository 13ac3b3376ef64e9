//! What a state between two rounds is worth: the first seat's expected result if the baseline plays on for both.
//!
//! It follows by dynamic programming from how the baseline's rounds end, counted once and kept in `tables/`
//! (`cargo run --release -p leyden-luck --example tables`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use leyden_protocol::{Better, LeadRule, RulesName, Seat, Set};
use leyden_rules::{Deck, Lead, Outcome, Round, Rules};

use crate::baseline::{BASELINES, Baseline};
use crate::dice::Dice;
use crate::ended::Ended;
use crate::walk::Walk;

/// The highest target that prospects are worked out for: their number grows with its square.
const HIGHEST_TARGET: u32 = 500;

/// Why nothing is known of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProspects {
    #[error("luck is known at tables of two only, not of {0}")]
    Seats(usize),
    #[error("luck is known for targets up to {HIGHEST_TARGET}, not for {0}")]
    Target(u32),
}

/// How one round of the baseline against itself came out: points of the seat with the first right to lead, those of the
/// other one, and whether the same seat has that right in the next round.
type Added = (u16, u16, bool);

/// How rounds end, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rounds(BTreeMap<Added, u32>);

impl Rounds {
    /// Plays that many rounds; the same `seed` gives the same counts.
    pub fn play(rules: &Rules, baseline: Baseline, rounds: u32, seed: &str) -> Self {
        let mut dice = Dice::of_text(seed);
        let mut deck = Deck::in_order(rules.set);
        let mut counts = BTreeMap::new();
        let mut played = 0;
        while played < rounds {
            deck.shuffle(|bound| dice.below(bound));
            let Some(round) = Round::deal(rules, &deck, later_lead(rules)) else { continue };
            played += 1;
            let Some(ended) = Walk::new(&round).with(baseline.manner(&mut dice), &round).finish() else {
                continue;
            };
            let [one, other] = ended.points(rules).map(|points| points as u16);
            let right = next_right(rules, &ended, Seat::FIRST);
            if is_even(rules) {
                // Nobody has a right, so both seats are the same.
                *counts.entry((one, other, true)).or_default() += 1;
                *counts.entry((other, one, true)).or_default() += 1;
            } else {
                *counts.entry((one, other, right == Seat::FIRST)).or_default() += 1;
            }
        }
        Self(counts)
    }

    /// One line for each kind of end: both points, 1 if the right to lead stays, and how often.
    pub fn text(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, ((one, other, stays), count)| {
            let _ = writeln!(text, "{one} {other} {} {count}", u8::from(*stays)); // a String takes all
            text
        })
    }

    fn parse(text: &str) -> Self {
        let number = |word: Option<&str>| word.and_then(|word| word.parse::<u32>().ok()).unwrap_or(0);
        let line = |line: &str| {
            let mut words = line.split(' ');
            let mut next = || number(words.next());
            let (one, other, stays) = (next() as u16, next() as u16, next() == 1);
            ((one, other, stays), next())
        };
        Self(text.lines().map(line).collect())
    }

    /// Those of the tables.
    fn known(rules: &Rules, baseline: Baseline) -> Self {
        macro_rules! tables {
            ($name:literal) => {
                [
                    include_str!(concat!("../tables/careful/", $name)),
                    include_str!(concat!("../tables/varied/", $name)),
                ]
            };
        }
        let tables = match (rules.name, rules.set) {
            (RulesName::Leyden, _) => tables!("leyden.txt"),
            (RulesName::LeydenCross, _) => tables!("leyden-cross.txt"),
            (RulesName::Leiden, _) => tables!("leiden.txt"),
            (RulesName::Senst, _) => tables!("senst.txt"),
            (RulesName::LeydenFree, _) => tables!("leyden-free.txt"),
            (RulesName::Matador, Set::DoubleSix) => tables!("matador.txt"),
            (RulesName::Matador, Set::DoubleNine) => tables!("matador-9.txt"),
            (RulesName::Matador, Set::DoubleTwelve) => tables!("matador-12.txt"),
        };
        Self::parse(tables[baseline as usize])
    }
}

/// How rounds after the first one begin, if the first seat has the right.
fn later_lead(rules: &Rules) -> Lead {
    match rules.leads.later {
        LeadRule::Lowest => Lead::Lowest,
        LeadRule::Highest => Lead::Highest,
        LeadRule::HighestHolder => Lead::HighestHolder,
        LeadRule::Loser => Lead::Loser { first: Seat::FIRST, may_refuse: true },
    }
}

/// Whether later rounds give no seat a right before the other.
fn is_even(rules: &Rules) -> bool {
    rules.leads.later != LeadRule::Loser
}

/// Who has the first right to lead after a round; who had it keeps it after one that both refused.
pub(crate) fn next_right(rules: &Rules, ended: &Ended, had: Seat) -> Seat {
    match ended.outcome {
        Outcome::Refused => had,
        outcome => outcome.winner().map_or(ended.leader, |winner| rules.seats.after(winner)),
    }
}

/// The prospects of a rule set by each baseline: for any two scores below the target, what their owner may expect.
#[derive(Clone, Debug)]
pub struct Prospects {
    rules: Rules,
    each: [ByScores; BASELINES],
}

impl Prospects {
    /// By the tables.
    pub fn of(rules: &Rules) -> Result<Self, NoProspects> {
        if rules.seats.count() != 2 {
            return Err(NoProspects::Seats(rules.seats.count()));
        }
        if rules.target > HIGHEST_TARGET {
            return Err(NoProspects::Target(rules.target));
        }
        Ok(Self::from_rounds(rules, |baseline| Rounds::known(rules, baseline)))
    }

    /// By how each baseline's rounds end.
    pub fn from_rounds(rules: &Rules, rounds: impl Fn(Baseline) -> Rounds) -> Self {
        Self { rules: *rules, each: Baseline::ALL.map(|baseline| ByScores::of(rules, &rounds(baseline))) }
    }

    /// The first seat's expected result, 0..=1, with these scores and that seat to lead first.
    pub fn value(&self, baseline: Baseline, scores: [u32; 2], right: Seat) -> f64 {
        let [one, other] = scores.map(|score| score as usize);
        let has_right = right == Seat::FIRST || is_even(&self.rules);
        self.each[baseline as usize].at(one, other, has_right)
    }

    /// The same by each baseline.
    pub(crate) fn values(&self, scores: [u32; 2], right: Seat) -> [f64; BASELINES] {
        Baseline::ALL.map(|baseline| self.value(baseline, scores, right))
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

/// The prospects by one baseline.
#[derive(Clone, Debug)]
struct ByScores {
    better: Better,
    target: usize,
    /// By own score, then the other's: expected result, 0..=1, of the seat with the first right to lead.
    values: Vec<f64>,
}

impl ByScores {
    /// From the highest scores down: a round only adds. Rounds that add nothing lead back to the same scores, with either
    /// seat first; both values are solved for together.
    fn of(rules: &Rules, rounds: &Rounds) -> Self {
        let target = rules.target as usize;
        let total: f64 = rounds.0.values().copied().map(f64::from).sum();
        let mut prospects = Self { better: rules.better, target, values: vec![0.5; target * target] };
        let chance = |count: u32| f64::from(count) / total.max(1.0);
        let nothing = |stays| rounds.0.get(&(0, 0, stays)).map_or(0.0, |count| chance(*count));
        let (same, other) = (nothing(true), nothing(false));
        let something: Vec<(Added, f64)> = rounds
            .0
            .iter()
            .filter(|((p, q, _), _)| (*p, *q) != (0, 0))
            .map(|(e, count)| (*e, chance(*count)))
            .collect();
        for sum in (0..2 * target - 1).rev() {
            for own in sum.saturating_sub(target - 1)..=(sum / 2) {
                let rival = sum - own;
                let after = |own: usize, rival: usize| -> f64 {
                    let value = |((p, q, stays), chance): &(Added, f64)| {
                        chance * prospects.at(own + usize::from(*p), rival + usize::from(*q), *stays)
                    };
                    something.iter().map(value).sum::<f64>() + other
                };
                let (here, there) = (after(own, rival), after(rival, own));
                // x (1 − same) + y · other = here, y (1 − same) + x · other = there.
                let (keep, turn) = (1.0 - same, other);
                let scale = (keep * keep - turn * turn).max(f64::MIN_POSITIVE);
                prospects.values[own * target + rival] = (keep * here - turn * there) / scale;
                prospects.values[rival * target + own] = (keep * there - turn * here) / scale;
            }
        }
        prospects
    }

    /// The value to the owner of `own`, who has the first right to lead or not.
    fn at(&self, own: usize, rival: usize, has_right: bool) -> f64 {
        if own >= self.target || rival >= self.target {
            return match (own.cmp(&rival), self.better) {
                (std::cmp::Ordering::Equal, _) => 0.5,
                (std::cmp::Ordering::Greater, Better::Higher) | (std::cmp::Ordering::Less, Better::Lower) => {
                    1.0
                }
                _ => 0.0,
            };
        }
        if has_right {
            self.values[own * self.target + rival]
        } else {
            1.0 - self.values[rival * self.target + own]
        }
    }
}
