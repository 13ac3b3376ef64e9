//! What a state between two rounds is worth: the first seat's expected result if the baseline plays on for both.
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

/// How one round came out: points of the first seat, those of the other one, and whether the first seat has the first right to
/// lead in the next round.
type Added = (u16, u16, bool);

/// Which rounds of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The first one.
    First,
    /// A later one, with the first right to lead in the first seat where rules give such a right.
    Later,
}

/// How rounds end, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rounds(BTreeMap<Added, u32>);

impl Rounds {
    /// Plays that many rounds; the same `seed` gives the same counts.
    pub fn play(rules: &Rules, baseline: Baseline, stage: Stage, rounds: u32, seed: &str) -> Self {
        let mut dice = Dice::of_text(seed);
        let mut deck = Deck::in_order(rules.set);
        let mut counts = BTreeMap::new();
        // Where nobody has a right and both seats play alike, they are the same.
        let is_even = is_even(rules) && baseline == baseline.exchanged();
        let lead = lead(match stage {
            Stage::First => rules.leads.first,
            Stage::Later => rules.leads.later,
        });
        let mut played = 0;
        while played < rounds {
            deck.shuffle(|bound| dice.below(bound));
            let Some(round) = Round::deal(rules, &deck, lead) else { continue };
            played += 1;
            let Some(ended) = Walk::new(&round).with(baseline.manners(&mut dice), &round).finish() else {
                continue;
            };
            let [one, other] = ended.points(rules).map(|points| points as u16);
            let right = next_right(rules, &ended, Seat::FIRST);
            if is_even {
                *counts.entry((one, other, true)).or_default() += 1;
                *counts.entry((other, one, true)).or_default() += 1;
            } else {
                *counts.entry((one, other, right == Seat::FIRST)).or_default() += 1;
            }
        }
        Self(counts)
    }

    /// The same rounds with the seats exchanged.
    fn exchanged(&self) -> Self {
        Self(self.0.iter().map(|((one, other, right), count)| ((*other, *one, !right), *count)).collect())
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
    fn known(rules: &Rules, baseline: Baseline, stage: Stage) -> Self {
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

/// How a round is led by such a rule, if the first seat has the right.
fn lead(rule: LeadRule) -> Lead {
    match rule {
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
        RoundOutcome::Refused => had,
        outcome => outcome.winner().map_or(ended.leader, |winner| rules.seats.after(winner)),
    }
}

/// The prospects of a rule set by each baseline: for any two scores below the target, what the first seat may expect.
#[derive(Clone, Debug)]
pub struct Prospects {
    rules: Rules,
    careful: ByScores,
    varied: ByScores,
    careful_varied: ByScores,
    /// The first seat's before the first round where it plays carefully and the other seat in many ways.
    careful_first: f64,
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
        Ok(Self::from_rounds(rules, |baseline, stage| Rounds::known(rules, baseline, stage)))
    }

    /// By how each baseline's rounds end. Of the first stage only those of *careful against varied* are asked for: where both
    /// seats play alike, nobody is ahead before the first round.
    pub fn from_rounds(rules: &Rules, rounds: impl Fn(Baseline, Stage) -> Rounds) -> Self {
        let [careful, varied, careful_varied] =
            [Baseline::Careful, Baseline::Varied, Baseline::CarefulVaried].map(|baseline| {
                let theirs = rounds(baseline.exchanged(), Stage::Later).exchanged();
                ByScores::of(rules, [&rounds(baseline, Stage::Later), &theirs])
            });
        let first = Chances::of(&rounds(Baseline::CarefulVaried, Stage::First)).0;
        let careful_first = first
            .into_iter()
            .map(|((one, other, right), chance)| chance * careful_varied.at(one.into(), other.into(), right))
            .sum();
        Self { rules: *rules, careful, varied, careful_varied, careful_first }
    }

    /// The first seat's expected result, 0..=1, with these scores and that seat to lead first.
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

    /// The same by each baseline.
    pub(crate) fn values(&self, scores: [u32; 2], right: Seat) -> [f64; BASELINES] {
        Baseline::ALL.map(|baseline| self.value(baseline, scores, right))
    }

    /// By each baseline before the first round.
    pub fn start(&self) -> [f64; BASELINES] {
        Baseline::ALL.map(|baseline| match baseline {
            Baseline::Careful | Baseline::Varied => 0.5,
            Baseline::CarefulVaried => self.careful_first,
            Baseline::VariedCareful => 1.0 - self.careful_first,
        })
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

/// How likely each end of a round is.
struct Chances(Vec<(Added, f64)>);

impl Chances {
    fn of(rounds: &Rounds) -> Self {
        let total: f64 = rounds.0.values().copied().map(f64::from).sum();
        Self(rounds.0.iter().map(|(added, count)| (*added, f64::from(*count) / total.max(1.0))).collect())
    }

    /// The most points that one adds.
    fn most(&self) -> usize {
        self.0.iter().map(|((one, other, _), _)| usize::from(*one.max(other))).max().unwrap_or(0)
    }

    /// The chance that nothing is added and the first seat has the next right to lead, and that the other one has.
    fn of_nothing(&self) -> [f64; 2] {
        [true, false].map(|first| {
            self.0.iter().filter(|(added, _)| *added == (0, 0, first)).map(|(_, chance)| chance).sum()
        })
    }
}

/// The prospects by one baseline.
#[derive(Clone, Debug)]
struct ByScores {
    better: WinningScore,
    target: usize,
    /// Scores that there is room for: below the target, and what one round may add.
    side: usize,
    /// By the first seat's score, then the other's: its expected result, 0..=1, if it has the first right to lead, then if the
    /// other seat has.
    values: Vec<f64>,
}

impl ByScores {
    /// From the highest scores down, for a round only adds. `rounds` are those in which the first seat has the first right to
    /// lead, and those in which the other one has. Rounds that add nothing lead back to the same scores, with either seat first;
    /// both values are solved for together.
    fn of(rules: &Rules, rounds: [&Rounds; 2]) -> Self {
        let (target, better) = (rules.target as usize, rules.better);
        let chances = rounds.map(Chances::of);
        let side = target + chances.iter().map(Chances::most).max().unwrap_or(0);
        let values = (0..side * side).flat_map(|at| [result(better, at / side, at % side); 2]).collect();
        let mut prospects = Self { better, target, side, values };
        let [[keep, lose], [win, leave]] = chances.each_ref().map(Chances::of_nothing);
        // How far the place of what follows is from where the scores are, which are below the target yet.
        let something = chances.map(|Chances(each)| {
            let each = each.into_iter().filter(|((one, other, _), _)| (*one, *other) != (0, 0));
            let ahead = |(one, other, first): Added| {
                2 * (usize::from(one) * side + usize::from(other)) + usize::from(!first)
            };
            each.map(|(added, chance)| (ahead(added), chance)).collect::<Vec<_>>()
        });
        for sum in (0..2 * target - 1).rev() {
            for one in sum.saturating_sub(target - 1)..=sum.min(target - 1) {
                let here = 2 * (one * side + sum - one);
                let after = &prospects.values[here..];
                let [mine, theirs] = something
                    .each_ref()
                    .map(|each| each.iter().map(|(ahead, chance)| chance * after[*ahead]).sum::<f64>());
                // x (1 − keep) − y · lose = mine, y (1 − leave) − x · win = theirs.
                let scale = ((1.0 - keep) * (1.0 - leave) - lose * win).max(f64::MIN_POSITIVE);
                prospects.values[here] = ((1.0 - leave) * mine + lose * theirs) / scale;
                prospects.values[here + 1] = ((1.0 - keep) * theirs + win * mine) / scale;
            }
        }
        prospects
    }

    /// The value to the first seat, if it has the first right to lead, or if the other one has.
    fn at(&self, one: usize, other: usize, first_leads: bool) -> f64 {
        if one >= self.target || other >= self.target {
            return result(self.better, one, other);
        }
        self.values[2 * (one * self.side + other) + usize::from(!first_leads)]
    }
}

/// The first seat's result with these scores at the end.
fn result(better: WinningScore, one: usize, other: usize) -> f64 {
    match (one.cmp(&other), better) {
        (Ordering::Equal, _) => 0.5,
        (Ordering::Greater, WinningScore::Higher) | (Ordering::Less, WinningScore::Lower) => 1.0,
        _ => 0.0,
    }
}
