//! Match equity: the first seat's expected result from a state between two rounds, if the baseline plays on for both.
//!
//! It follows by dynamic programming from how the baseline's rounds end, counted once and kept in `tables/`
//! (`cargo run --release -p leyden-luck --example tables`).

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use leyden_protocol::{LeadRule, RulesName, Seat, Set, WinningScore};
use leyden_rules::{Deck, Lead, Round, RoundOutcome, Rules};

use crate::baseline::{BASELINES, Baseline};
use crate::dice::Dice;
use crate::round_end::RoundEnd;
use crate::simulation::Simulation;

/// The highest target that has an equity table: the table grows with its square.
const HIGHEST_TARGET: u32 = 500;

/// Why luck cannot be estimated under a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedRulesError {
    /// The table has this many seats, not two.
    #[error("luck is estimated for two seats only, not for {0}")]
    Seats(usize),
    /// The target is above the highest for which luck is estimated.
    #[error("luck is estimated for targets up to {HIGHEST_TARGET}, not for {0}")]
    Target(u32),
}

/// How one round came out: the first seat's points, the second seat's, and whether the first seat has the first right to lead
/// the next round.
type PointsAndRight = (u16, u16, bool);

/// Which rounds of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The first one.
    First,
    /// Any later one, with the first right to lead in the first seat if the rules give such a right.
    Later,
}

/// How often a baseline's rounds came out in each way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundCounts(BTreeMap<PointsAndRight, u32>);

impl RoundCounts {
    /// Plays `rounds` rounds; the same `seed` gives the same counts.
    pub fn play(rules: &Rules, baseline: Baseline, stage: Stage, rounds: u32, seed: &str) -> Self {
        let mut dice = Dice::from_text(seed);
        let mut deck = Deck::in_order(rules.set);
        let mut counts = BTreeMap::new();
        // If no seat has a right and both play alike, each round counts for either.
        let is_even = is_even(rules) && baseline == baseline.swapped();
        let rule = match stage {
            Stage::First => rules.leads.first,
            Stage::Later => rules.leads.later,
        };
        let lead = Lead::for_rule(rule, Seat::FIRST, true);
        let mut played = 0;
        while played < rounds {
            deck.shuffle(|bound| dice.below(bound));
            let Some(round) = Round::deal(rules, &deck, lead) else { continue };
            played += 1;
            let Some(end) = Simulation::new(&round).with(baseline.policies(&mut dice), &round).play_out()
            else {
                continue;
            };
            let [one, other] = end.points(rules).map(|points| points as u16);
            let right = next_right(rules, &end, Seat::FIRST);
            if is_even {
                *counts.entry((one, other, true)).or_default() += 1;
                *counts.entry((other, one, true)).or_default() += 1;
            } else {
                *counts.entry((one, other, right == Seat::FIRST)).or_default() += 1;
            }
        }
        Self(counts)
    }

    /// The same rounds with the seats swapped.
    fn swapped(&self) -> Self {
        Self(self.0.iter().map(|((one, other, right), count)| ((*other, *one, !right), *count)).collect())
    }

    /// A line for each result: both seats' points, 1 if the right to lead stays where it was, and the count.
    pub fn to_text(&self) -> String {
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

    /// From `tables/`.
    fn from_tables(rules: &Rules, baseline: Baseline, stage: Stage) -> Self {
        macro_rules! tables {
            ($name:literal) => {
                [
                    include_str!(concat!("../tables/careful/", $name, ".txt")),
                    include_str!(concat!("../tables/varied/", $name, ".txt")),
                    include_str!(concat!("../tables/careful-varied/", $name, ".txt")),
                    include_str!(concat!("../tables/varied-careful/", $name, ".txt")),
                    include_str!(concat!("../tables/careful-varied/", $name, "-first.txt")),
                ]
            };
        }
        let tables = match (rules.name, rules.set) {
            (RulesName::Leyden, _) => tables!("leyden"),
            (RulesName::LeydenCross, _) => tables!("leyden-cross"),
            (RulesName::Leiden, _) => tables!("leiden"),
            (RulesName::Senst, _) => tables!("senst"),
            (RulesName::LeydenFree, _) => tables!("leyden-free"),
            (RulesName::Matador, Set::DoubleSix) => tables!("matador"),
            (RulesName::Matador, Set::DoubleNine) => tables!("matador-9"),
            (RulesName::Matador, Set::DoubleTwelve) => tables!("matador-12"),
        };
        let [later @ .., first] = tables;
        Self::parse(match stage {
            Stage::First => first,
            Stage::Later => later[baseline as usize],
        })
    }
}

/// Whether no seat has a right to lead before the other in later rounds.
fn is_even(rules: &Rules) -> bool {
    rules.leads.later != LeadRule::Loser
}

/// The seat with the first right to lead after a round; a round that both refused leaves it where it was.
pub(crate) fn next_right(rules: &Rules, end: &RoundEnd, had: Seat) -> Seat {
    match end.outcome {
        RoundOutcome::Refused => had,
        outcome => outcome.winner().map_or(end.leader, |winner| rules.seats.after(winner)),
    }
}

/// Match equity under a rule set, by each baseline, for any two scores below the target.
#[derive(Clone, Debug)]
pub struct EquityTable {
    rules: Rules,
    careful: Equities,
    varied: Equities,
    careful_varied: Equities,
    /// Before the first round by *careful-varied*.
    careful_first: f64,
}

impl EquityTable {
    /// From `tables/`.
    pub fn for_rules(rules: &Rules) -> Result<Self, UnsupportedRulesError> {
        if rules.seats.count() != 2 {
            return Err(UnsupportedRulesError::Seats(rules.seats.count()));
        }
        if rules.target > HIGHEST_TARGET {
            return Err(UnsupportedRulesError::Target(rules.target));
        }
        Ok(Self::from_rounds(rules, |baseline, stage| RoundCounts::from_tables(rules, baseline, stage)))
    }

    /// From counts of how each baseline's rounds come out. Of [`Stage::First`] only those of *careful-varied* are used: if both
    /// seats play alike, neither is ahead before the first round.
    pub fn from_rounds(rules: &Rules, rounds: impl Fn(Baseline, Stage) -> RoundCounts) -> Self {
        let [careful, varied, careful_varied] =
            [Baseline::Careful, Baseline::Varied, Baseline::CarefulVaried].map(|baseline| {
                let theirs = rounds(baseline.swapped(), Stage::Later).swapped();
                Equities::new(rules, [&rounds(baseline, Stage::Later), &theirs])
            });
        let first = Chances::from_counts(&rounds(Baseline::CarefulVaried, Stage::First)).0;
        let careful_first = first
            .into_iter()
            .map(|((one, other, right), chance)| chance * careful_varied.at(one.into(), other.into(), right))
            .sum();
        Self { rules: *rules, careful, varied, careful_varied, careful_first }
    }

    /// The first seat's expected result, 0..=1, at these scores, with the first right to lead in the seat `right`.
    pub fn value(&self, baseline: Baseline, scores: [u32; 2], right: Seat) -> f64 {
        let [one, other] = scores.map(|score| score as usize);
        let is_even = is_even(&self.rules);
        let first_leads = right == Seat::FIRST || is_even;
        match baseline {
            Baseline::Careful => self.careful.at(one, other, first_leads),
            Baseline::Varied => self.varied.at(one, other, first_leads),
            Baseline::CarefulVaried => self.careful_varied.at(one, other, first_leads),
            Baseline::VariedCareful => {
                1.0 - self.careful_varied.at(other, one, right != Seat::FIRST || is_even)
            }
        }
    }

    /// [`Self::value`] by each baseline.
    pub(crate) fn values(&self, scores: [u32; 2], right: Seat) -> [f64; BASELINES] {
        Baseline::ALL.map(|baseline| self.value(baseline, scores, right))
    }

    /// The first seat's expected result before the first round, by each baseline.
    pub fn start(&self) -> [f64; BASELINES] {
        Baseline::ALL.map(|baseline| match baseline {
            Baseline::Careful | Baseline::Varied => 0.5,
            Baseline::CarefulVaried => self.careful_first,
            Baseline::VariedCareful => 1.0 - self.careful_first,
        })
    }

    /// Returns the rules for which it holds.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

/// The probability of each result of a round.
struct Chances(Vec<(PointsAndRight, f64)>);

impl Chances {
    fn from_counts(rounds: &RoundCounts) -> Self {
        let total: f64 = rounds.0.values().copied().map(f64::from).sum();
        Self(rounds.0.iter().map(|(added, count)| (*added, f64::from(*count) / total.max(1.0))).collect())
    }

    /// The most points that a seat can get.
    fn most(&self) -> usize {
        self.0.iter().map(|((one, other, _), _)| usize::from(*one.max(other))).max().unwrap_or(0)
    }

    /// The probability that nobody gets a point and the first seat has the next right to lead, and that the second has.
    fn of_nothing(&self) -> [f64; 2] {
        [true, false].map(|first| {
            self.0.iter().filter(|(added, _)| *added == (0, 0, first)).map(|(_, chance)| chance).sum()
        })
    }
}

/// Match equity by one baseline.
#[derive(Clone, Debug)]
struct Equities {
    better: WinningScore,
    target: usize,
    /// The number of scores in the table: those below the target, and the most that a round adds beyond.
    side: usize,
    /// By the first seat's score, then the second's: the first seat's expected result, 0..=1, with the first right to lead, then
    /// without.
    values: Vec<f64>,
}

impl Equities {
    /// From the highest scores down, since a round only adds. `rounds` are those in which the first seat has the first right to
    /// lead, and those in which the second has. A round without points leads back to the same scores, with either seat first,
    /// so both values are solved for together.
    fn new(rules: &Rules, rounds: [&RoundCounts; 2]) -> Self {
        let (target, better) = (rules.target as usize, rules.better);
        let chances = rounds.map(Chances::from_counts);
        let side = target + chances.iter().map(Chances::most).max().unwrap_or(0);
        let values = (0..side * side).flat_map(|at| [result(better, at / side, at % side); 2]).collect();
        let mut equity = Self { better, target, side, values };
        let [[keep, lose], [win, leave]] = chances.each_ref().map(Chances::of_nothing);
        // How far ahead in `values` each result leads from scores below the target.
        let something = chances.map(|Chances(each)| {
            let each = each.into_iter().filter(|((one, other, _), _)| (*one, *other) != (0, 0));
            let ahead = |(one, other, first): PointsAndRight| {
                2 * (usize::from(one) * side + usize::from(other)) + usize::from(!first)
            };
            each.map(|(added, chance)| (ahead(added), chance)).collect::<Vec<_>>()
        });
        for sum in (0..2 * target - 1).rev() {
            for one in sum.saturating_sub(target - 1)..=sum.min(target - 1) {
                let here = 2 * (one * side + sum - one);
                let after = &equity.values[here..];
                let [mine, theirs] = something
                    .each_ref()
                    .map(|each| each.iter().map(|(ahead, chance)| chance * after[*ahead]).sum::<f64>());
                // x (1 − keep) − y · lose = mine, y (1 − leave) − x · win = theirs.
                let scale = ((1.0 - keep) * (1.0 - leave) - lose * win).max(f64::MIN_POSITIVE);
                equity.values[here] = ((1.0 - leave) * mine + lose * theirs) / scale;
                equity.values[here + 1] = ((1.0 - keep) * theirs + win * mine) / scale;
            }
        }
        equity
    }

    /// The first seat's expected result, with the first right to lead or without.
    fn at(&self, one: usize, other: usize, first_leads: bool) -> f64 {
        if one >= self.target || other >= self.target {
            return result(self.better, one, other);
        }
        self.values[2 * (one * self.side + other) + usize::from(!first_leads)]
    }
}

/// The first seat's result with these final scores.
fn result(better: WinningScore, one: usize, other: usize) -> f64 {
    match (one.cmp(&other), better) {
        (Ordering::Equal, _) => 0.5,
        (Ordering::Greater, WinningScore::Higher) | (Ordering::Less, WinningScore::Lower) => 1.0,
        _ => 0.0,
    }
}
