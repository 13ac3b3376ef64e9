//! Cycles in the ranking: A beats B, B beats C and C beats A, each significantly.
//!
//! The pairings of a block have deals of their own, so nothing is gained by drawing their scores together: the largest of P
//! independent ones is Šidák's bar, which holds for dependent ones, too (Z. Šidák, JASA 62, 1967), here in Holm's steps.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::Serialize;

use crate::estimate::score_interval_at;
use crate::pairing_result::Entrant;
use crate::tally::{FieldTally, PairingTally};
use crate::validity::Holds;

/// Bots that beat one another in a circle, each step significant at 5 % over all pairings together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cycle {
    /// A shortest circle through the best-placed bot in it: each beats the next, and the last beats the first.
    pub circle: Vec<Entrant>,
    /// All bots linked by such circles, ascending.
    pub members: Vec<Entrant>,
}

/// All circles of a field: the strongly connected components of "significantly beats", where with 95 % none of all pairings is
/// wrongly significant. `order` is best first.
pub fn cycles(tally: &FieldTally, order: &[Entrant], holds: Holds) -> Vec<Cycle> {
    let beats = significant_wins(tally, holds);
    let beaten_by = reversed(&beats);
    let mut found = Vec::new();
    let mut done = outside_circles(&beats, &beaten_by);
    for bot in order {
        if done[bot.at()] {
            continue;
        }
        let below = reach(&beats, *bot);
        let circle = shortest_circle(&beats, *bot, &below);
        done[bot.at()] = true;
        let Some(circle) = circle else { continue };
        let above = reach(&beaten_by, *bot);
        let members: Vec<Entrant> = (0..beats.len() as u32)
            .map(Entrant)
            .filter(|other| below[other.at()].is_some() && above[other.at()].is_some())
            .collect();
        for member in &members {
            done[member.at()] = true;
        }
        found.push(Cycle { circle, members });
    }
    found
}

/// For each bot the bots that it significantly beats, ascending.
fn significant_wins(tally: &FieldTally, holds: Holds) -> Vec<Vec<Entrant>> {
    let bots = tally.field().bots() as u32;
    let mut beats = vec![Vec::new(); bots as usize];
    let pairings = (0..bots).flat_map(|low| (low + 1..bots).map(move |high| (Entrant(low), Entrant(high))));
    let mut open: Vec<(Entrant, Entrant, &PairingTally)> =
        pairings.filter_map(|(low, high)| Some((low, high, tally.pairing(low, high)?))).collect();
    loop {
        let before = open.len();
        let quantile = holds.quantiles(sidak(before), tally.blocks());
        let score = |pairing: &PairingTally| score_interval_at(pairing, quantile(pairing.blocks())?);
        open.retain(|(low, high, pairing)| match score(pairing) {
            Some(score) if score.low > 0.5 => {
                beats[low.at()].push(*high);
                false
            }
            Some(score) if score.high < 0.5 => {
                beats[high.at()].push(*low);
                false
            }
            _ => true,
        });
        if open.len() == before || open.is_empty() {
            break;
        }
    }
    for losers in &mut beats {
        losers.sort_unstable();
    }
    beats
}

/// The probability of error of each of this many pairings, if any may err with 5 %.
fn sidak(pairings: usize) -> f64 {
    -libm::expm1(libm::log1p(-0.05) / pairings.max(1) as f64)
}

fn reversed(beats: &[Vec<Entrant>]) -> Vec<Vec<Entrant>> {
    let mut beaten_by = vec![Vec::new(); beats.len()];
    for (winner, losers) in (0..).map(Entrant).zip(beats) {
        for loser in losers {
            beaten_by[loser.at()].push(winner);
        }
    }
    beaten_by
}

/// Marks bots that are in no circle because no remaining bot beats them, and repeats this until nothing changes. A ranking
/// without circles costs one look at each win.
fn outside_circles(beats: &[Vec<Entrant>], beaten_by: &[Vec<Entrant>]) -> Vec<bool> {
    let mut above: Vec<usize> = beaten_by.iter().map(Vec::len).collect();
    let mut free: Vec<usize> = (0..beats.len()).filter(|bot| above[*bot] == 0).collect();
    let mut outside = vec![false; beats.len()];
    while let Some(bot) = free.pop() {
        outside[bot] = true;
        for loser in &beats[bot] {
            above[loser.at()] -= 1;
            if above[loser.at()] == 0 {
                free.push(loser.at());
            }
        }
    }
    outside
}

/// Breadth-first search from `start`: for each bot reached, the bot it was reached from.
fn reach(beats: &[Vec<Entrant>], start: Entrant) -> Vec<Option<Entrant>> {
    let mut from = vec![None; beats.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(bot) = queue.pop_front() {
        for next in &beats[bot.at()] {
            if from[next.at()].is_none() {
                from[next.at()] = Some(bot);
                queue.push_back(*next);
            }
        }
    }
    from
}

/// The path from `start` back to itself along `from`, if there is one.
fn shortest_circle(beats: &[Vec<Entrant>], start: Entrant, from: &[Option<Entrant>]) -> Option<Vec<Entrant>> {
    let mut circle = Vec::new();
    let mut bot = from[start.at()]?;
    while bot != start && circle.len() <= beats.len() {
        circle.push(bot);
        bot = from[bot.at()]?;
    }
    circle.push(start);
    circle.reverse();
    Some(circle)
}
