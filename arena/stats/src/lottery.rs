//! What a field looks like without a model: the score against a uniform field, the pairings won, and the maximal lottery.
//!
//! The maximal lottery draws a bot so that no bot scores more than ½ against the draw. It does not change if a copy of some bot
//! joins, except that the copies share what the bot had; and if one bot beats all others, it draws that one. A rating or a mean
//! score does change: half a field of copies is half of everybody's matches.
//!
//! Sources: P. C. Fishburn, "Probabilistic social choice based on simple voting comparisons", Review of Economic Studies 51
//! (1984); D. Balduzzi, K. Tuyls, J. Pérolat and T. Graepel, "Re-evaluating Evaluation" (2018), for its use with bots; S. Rakhlin
//! and K. Sridharan, "Optimization, Learning, and Games with Predictable Sequences" (2013), for how it is found: two players that
//! mix by exponential weights and expect the last round again. All bots start alike, so that copies stay alike.

use schemars::JsonSchema;
use serde::Serialize;

use crate::pairing_result::Entrant;
use crate::tally::FieldTally;

/// In larger fields it is not computed.
const MOST_BOTS: usize = 128;
/// No bot may score more than ½ and this against the draw.
const EXACT: f64 = 2e-4;
const MAX_ROUNDS: u32 = 100_000;

/// What a bot achieved, without a model of its strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ModelFreeResult {
    /// Mean score against its rivals, 0..=1, each rival with the same weight, however often they met.
    pub uniform_score: Option<f64>,
    /// Pairings won (PWIN): the share of rivals against which its score is above ½, 0..=1; a score of ½ counts half.
    pub pairings_won: Option<f64>,
    /// The probability with which the maximal lottery draws it, 0..=1; `None` unless all have met all, of at most 128 bots.
    pub lottery: Option<f64>,
    /// Its score against that draw, ½ at most, and ½ for those that it draws.
    pub lottery_score: Option<f64>,
}

/// For each bot of the field, from its complete blocks.
pub fn unmodelled(tally: &FieldTally) -> Vec<ModelFreeResult> {
    let bots = tally.field().bots();
    let score = |one: usize, other: usize| -> Option<f64> {
        let [one, other] = [one, other].map(|bot| Entrant(bot as u32));
        let score = tally.pairing(one, other)?.score()?;
        Some(if one < other { score } else { 1.0 - score })
    };
    let scores: Vec<Vec<Option<f64>>> =
        (0..bots).map(|one| (0..bots).map(|other| score(one, other)).collect()).collect();
    let draw = lottery(&scores);
    let line = |(bot, rivals): (usize, &Vec<Option<f64>>)| {
        let met: Vec<f64> = rivals.iter().copied().flatten().collect();
        let mean = |of: &dyn Fn(f64) -> f64| {
            (!met.is_empty()).then(|| met.iter().map(|score| of(*score)).sum::<f64>() / met.len() as f64)
        };
        let won = |score: f64| match score {
            _ if score > 0.5 => 1.0,
            _ if score < 0.5 => 0.0,
            _ => 0.5,
        };
        let against = |draw: &Vec<f64>| {
            rivals.iter().zip(draw).map(|(score, drawn)| drawn * score.unwrap_or(0.5)).sum::<f64>()
        };
        ModelFreeResult {
            uniform_score: mean(&|score| score),
            pairings_won: mean(&won),
            lottery: draw.as_ref().map(|draw| draw[bot]),
            lottery_score: draw.as_ref().map(against),
        }
    };
    scores.iter().enumerate().map(line).collect()
}

/// The maximal lottery of these scores; `None` unless every two bots have met.
fn lottery(scores: &[Vec<Option<f64>>]) -> Option<Vec<f64>> {
    let bots = scores.len();
    if !(2..=MOST_BOTS).contains(&bots) {
        return None;
    }
    let mut gains = vec![vec![0.0; bots]; bots];
    for (one, other) in (0..bots).flat_map(|one| (0..bots).map(move |other| (one, other))) {
        if one != other {
            gains[one][other] = scores[one][other]? - 0.5;
        }
    }
    let (mut logs, mut last) = (vec![0.0; bots], vec![0.0; bots]);
    let mut sum = vec![0.0; bots];
    for round in 1..=MAX_ROUNDS {
        let draw = shares(&logs);
        for (sum, drawn) in sum.iter_mut().zip(&draw) {
            *sum += drawn;
        }
        let gain = against(&gains, &draw);
        for ((log, gain), last) in logs.iter_mut().zip(&gain).zip(&last) {
            *log += 2.0 * gain - last;
        }
        last = gain;
        if round % 100 == 0 || round == MAX_ROUNDS {
            let mean: Vec<f64> = sum.iter().map(|sum| sum / f64::from(round)).collect();
            for draw in [draw, mean] {
                let best = against(&gains, &draw).into_iter().fold(f64::NEG_INFINITY, f64::max);
                if best <= EXACT || round == MAX_ROUNDS {
                    return Some(draw);
                }
            }
        }
    }
    None
}

fn shares(logs: &[f64]) -> Vec<f64> {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - most)).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The gain of each bot against a draw.
fn against(gains: &[Vec<f64>], draw: &[f64]) -> Vec<f64> {
    gains.iter().map(|row| row.iter().zip(draw).map(|(gain, drawn)| gain * drawn).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the scores of a lower triangle, row by row.
    fn field(bots: usize, below: &[f64]) -> Vec<Vec<Option<f64>>> {
        let mut scores = vec![vec![None; bots]; bots];
        let pairings = (0..bots).flat_map(|high| (0..high).map(move |low| (low, high)));
        for ((low, high), score) in pairings.zip(below) {
            scores[high][low] = Some(*score);
            scores[low][high] = Some(1.0 - score);
        }
        scores
    }

    fn agrees(scores: &[Vec<Option<f64>>], expected: &[f64]) {
        let draw = lottery(scores).expect("all met");
        for (got, expected) in draw.iter().zip(expected) {
            assert!((got - expected).abs() < 0.01, "{draw:?}");
        }
    }

    #[test]
    fn bot_that_beats_all_is_always_drawn() {
        agrees(&field(3, &[0.4, 0.3, 0.6]), &[1.0, 0.0, 0.0]);
    }

    /// 0 beats 1 by 0.1, 1 beats 2 by 0.2, 2 beats 0 by 0.3: each is drawn as often as the other two are apart.
    #[test]
    fn circle_is_drawn_by_the_margins() {
        agrees(&field(3, &[0.4, 0.8, 0.3]), &[0.2 / 0.6, 0.3 / 0.6, 0.1 / 0.6]);
    }

    #[test]
    fn copy_shares_what_the_bot_had() {
        // The same circle, and a copy of bot 1.
        agrees(&field(4, &[0.4, 0.8, 0.3, 0.4, 0.5, 0.7]), &[0.2 / 0.6, 0.15 / 0.6, 0.1 / 0.6, 0.15 / 0.6]);
    }

    #[test]
    fn without_a_pairing_there_is_no_lottery() {
        let mut scores = field(3, &[0.4, 0.8, 0.3]);
        scores[2][1] = None;
        assert_eq!(lottery(&scores), None);
    }
}
