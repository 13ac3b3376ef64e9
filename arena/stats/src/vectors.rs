//! Checks the formulas against numbers evaluated to forty digits (`vectors.json`).
//!
//! Three counts are single matches `[L, D, W]`, five are pairs. Null is a number that is not finite.

use serde::Deserialize;

use crate::dist::normal_cdf;
use crate::hypotheses::{EloScale, Hypotheses};
use crate::likelihood::log_likelihood_ratio;
use crate::pairing_result::{Entrant, Margin, PairPoints, PairingResult};
use crate::pentanomial::Moments;
use crate::pentanomial::Pentanomial;
use crate::rating::Ratings;
use crate::simultaneous_bounds::Contrast;
use crate::sprt::{SprtPlan, Verdict};
use crate::tally::{Field, FieldTally};
use crate::units::{Elo, NormalisedElo};
use crate::validity::Holds;

#[derive(Deserialize)]
struct Vectors {
    tests: Vec<Test>,
    leaderboards: Vec<Leaderboard>,
}

#[derive(Deserialize)]
struct Test {
    name: String,
    counts: Vec<u64>,
    model: String,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    verdict: Verdict,
    score: f64,
    variance: f64,
    elo: Option<f64>,
    elo_error95: Option<f64>,
    nelo: Option<f64>,
    nelo_error95: Option<f64>,
}

#[derive(Deserialize)]
struct Leaderboard {
    name: String,
    bots: usize,
    pairings: Vec<[u32; 2]>,
    points_of_first: Vec<Vec<f64>>,
    elo: Vec<f64>,
    standard_error: Vec<f64>,
    half_width: Vec<f64>,
    superiority: Vec<Vec<Option<f64>>>,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("vectors.json")).expect("vectors.json has this shape")
}

#[track_caller]
fn agree(what: &str, name: &str, got: impl Into<Option<f64>>, expected: impl Into<Option<f64>>) {
    match (got.into(), expected.into()) {
        (None, None) => {}
        (Some(got), Some(expected)) => {
            let tolerance = if expected.abs() > 1000.0 { 1e-9 * expected.abs() } else { 1e-6 };
            assert!((got - expected).abs() <= tolerance, "{name}: {what} is {got}, not {expected}");
        }
        (got, expected) => panic!("{name}: {what} is {got:?}, not {expected:?}"),
    }
}

impl Test {
    fn hypotheses(&self) -> Hypotheses {
        let scale = match self.model.as_str() {
            "normalized" => EloScale::Normalised,
            "logistic" => EloScale::Logistic,
            other => panic!("{}: no model {other}", self.name),
        };
        scale.hypotheses(self.elo0, self.elo1)
    }
}

#[test]
fn estimates_agree_with_the_vectors() {
    let tests = vectors().tests;
    assert_eq!(tests.len(), 30);
    for test in &tests {
        let (name, moments) = (&test.name, Moments::from_counts(&test.counts).expect("counts"));
        agree("llr", name, log_likelihood_ratio(&test.counts, test.hypotheses()), test.llr);
        agree("score", name, moments.mean, test.score);
        agree("variance", name, moments.variance, test.variance);
        agree("elo", name, Elo::from_score(moments.mean).map(Elo::get), test.elo);
        agree("elo error", name, moments.elo_error95(), test.elo_error95);
        agree("normalised elo", name, moments.normalised_elo(), test.nelo);
        agree("normalised error", name, moments.normalised_elo_error95(), test.nelo_error95);
    }
}

#[test]
fn verdicts_of_pairs_agree_with_the_vectors() {
    for test in &vectors().tests {
        let plan = SprtPlan::new(test.hypotheses(), test.alpha, test.beta, 1).expect("sane plan");
        let (lower, upper) = plan.llr_bounds();
        agree("lower", &test.name, lower, test.lower);
        agree("upper", &test.name, upper, test.upper);
        let Ok(counts) = <[u64; 5]>::try_from(test.counts.as_slice()) else { continue };
        let counts = Pentanomial::new(counts);
        let state = plan.judge(&counts);
        agree("llr", &test.name, state.llr, test.llr);
        assert_eq!(state.verdict, test.verdict, "{}", test.name);
        agree("elo", &test.name, counts.elo().map(Elo::get), test.elo);
        agree("normalised elo", &test.name, counts.normalised_elo().map(NormalisedElo::get), test.nelo);
    }
}

#[test]
fn leaderboards_agree_with_the_vectors() {
    let leaderboards = vectors().leaderboards;
    assert_eq!(leaderboards.len(), 4);
    for board in &leaderboards {
        let mut results = Vec::new();
        for (block, row) in (0..).zip(&board.points_of_first) {
            for ([first, second], points) in board.pairings.iter().zip(row) {
                let points = PairPoints::from_half_points((2.0 * points) as u8).expect("at most two points");
                let (first, second) = (Entrant(*first), Entrant(*second));
                results.push(PairingResult {
                    block,
                    first,
                    second,
                    score: points.into(),
                    margin: Margin::default(),
                });
            }
        }
        let tally =
            FieldTally::from_results(Field::round_robin(board.bots), results).expect("fits the field");
        let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
        for (i, bot) in (0..board.bots as u32).map(Entrant).enumerate() {
            agree("elo", &board.name, ratings.elo(bot).get(), board.elo[i]);
            agree("standard error", &board.name, ratings.standard_error(bot), board.standard_error[i]);
            agree("half-width", &board.name, ratings.half_width(bot), board.half_width[i]);
            // The vectors give Φ of the difference in standard errors: the limit for many blocks.
            for (other, expected) in (0..).map(Entrant).zip(&board.superiority[i]) {
                let limit = (bot != other)
                    .then(|| ratings.standardised(Contrast { of: bot.at(), less: Some(other.at()) }))
                    .flatten()
                    .map(normal_cdf);
                agree("superiority", &board.name, limit, *expected);
            }
        }
    }
}
