//! Pairs drawn from known probabilities: tests of a fixed length, and tests with optional stopping.

use leyden_stats::{
    ExpectedPairs, Gate, GateEnd, GateForecast, Holds, Hypotheses, LuckTerms, Margin, MatchEstimate,
    NormalisedElo, PairLuck, PairPoints, PairResult, PairingTally, Pentanomial, Score, SprtPlan, adjust,
};

use super::Dice;

/// The probabilities of the five kinds of pair, from 0 points to 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairs([f64; 5]);

impl Pairs {
    /// In proportion to these counts.
    pub(crate) fn counted(counts: [u32; 5]) -> Self {
        Self::shares(counts.map(f64::from))
    }

    /// All but this share of pairs are even; of those, this share is won and the others are lost.
    pub(crate) fn seldom(uneven: f64, won: f64) -> Self {
        Self([uneven * (1.0 - won), 0.0, 1.0 - uneven, 0.0, uneven * won])
    }

    /// Two bots: the first wins each leg with this probability, legs independent.
    pub(crate) fn from_score(score: f64) -> Self {
        Self([(1.0 - score).powi(2), 0.0, 2.0 * score * (1.0 - score), 0.0, score.powi(2)])
    }

    /// A distribution of pairs like those of dominoes, tilted until its normalised Elo is `truth`.
    pub(crate) fn for_strength(truth: f64) -> Self {
        let base: [f64; 5] = [0.22, 0.01, 0.54, 0.01, 0.22];
        let tilted = |tilt: f64| Self::shares(std::array::from_fn(|i| base[i] * (tilt * i as f64).exp()));
        let (mut low, mut high) = (-2.0, 2.0);
        for _ in 0..100 {
            let tilt = f64::midpoint(low, high);
            if tilted(tilt).normalised_elo() < truth { low = tilt } else { high = tilt }
        }
        tilted(low)
    }

    /// In proportion to these weights.
    pub(crate) fn shares(weights: [f64; 5]) -> Self {
        let total: f64 = weights.iter().sum();
        Self(weights.map(|weight| weight / total))
    }

    /// Mean score of a match.
    pub(crate) fn score(&self) -> f64 {
        (0..5).map(|i| self.0[i] * i as f64 / 4.0).sum()
    }

    /// Of a pair's mean score.
    pub(crate) fn variance(&self) -> f64 {
        let mean = self.score();
        (0..5).map(|i| self.0[i] * (i as f64 / 4.0 - mean).powi(2)).sum()
    }

    pub(crate) fn normalised_elo(&self) -> f64 {
        (self.score() - 0.5) / (2.0 * self.variance()).sqrt() * 800.0 / std::f64::consts::LN_10
    }

    pub(super) fn draw(&self, dice: &mut Dice) -> Score {
        let mut draw = dice.uniform();
        let mut points = 0;
        while points < 4 && draw > self.0[usize::from(points)] {
            draw -= self.0[usize::from(points)];
            points += 1;
        }
        PairPoints::from_half_points(points).expect("at most four").into()
    }
}

/// How often estimates from a fixed number of pairs were right, out of `of`.
#[derive(Debug, Default)]
pub(crate) struct EstimateSum {
    /// The score's interval held the truth.
    pub(crate) score: u32,
    /// The interval of normalised Elo held the truth; estimates without one do not count.
    pub(crate) normalised: u32,
    pub(crate) normalised_known: u32,
    /// The p-value was below 5 %.
    pub(crate) superiority: u32,
}

/// Repeats estimates from this many pairs.
pub(crate) fn estimates(chances: Pairs, repetitions: u32, pairs: u32, seed: u64) -> EstimateSum {
    let mut dice = Dice::new(seed);
    let mut sum = EstimateSum::default();
    for _ in 0..repetitions {
        let mut tally = PairingTally::new(2);
        for _ in 0..pairs {
            tally.record(chances.draw(&mut dice), Margin::default()).expect("two matches");
        }
        let estimate = MatchEstimate::from_tally(&tally, Holds::AtPlannedEnd).expect("pairs were played");
        let score = estimate.score_interval.expect("two blocks or more");
        sum.score += u32::from(score.contains(chances.score()));
        if let (Some(elo), Some(half)) = (estimate.normalised_elo, estimate.normalised_elo_error95) {
            sum.normalised_known += 1;
            sum.normalised += u32::from((elo.get() - chances.normalised_elo()).abs() <= half);
        }
        sum.superiority += u32::from(estimate.p_value.is_some_and(|p| p < 0.05));
    }
    sum
}

/// How many of `repetitions` intervals of the margin held the truth, with this share of matches lost by faults; below ten blocks
/// there are none.
pub(crate) fn margins(repetitions: u32, blocks: u32, faults: f64, seed: u64) -> (u32, u32) {
    use leyden_stats::MarginEstimate;
    const AHEAD: f64 = 7.0;
    let mut dice = Dice::new(seed);
    let (mut given, mut held) = (0, 0);
    for _ in 0..repetitions {
        let mut tally = PairingTally::new(2);
        for _ in 0..blocks {
            let deal = 30.0 * dice.normal();
            let legs = [deal, -deal].map(|luck| {
                let margin = (AHEAD + luck + 40.0 * dice.normal()).round() as i64;
                (dice.uniform() >= faults).then_some(margin)
            });
            tally.record(Score::new(1, 0, 1), Margin::from_legs(&legs)).expect("two matches");
        }
        let interval =
            MarginEstimate::from_tally(&tally, Holds::AtPlannedEnd).and_then(|estimate| estimate.interval);
        given += u32::from(interval.is_some());
        held += u32::from(interval.is_some_and(|interval| interval.contains(AHEAD)));
    }
    (given, held)
}

/// Outcomes of many gates.
#[derive(Debug, Default)]
pub(crate) struct GateSum {
    pub(crate) accepted: u32,
    pub(crate) rejected: u32,
    pub(crate) mean_pairs: f64,
    /// How often the anytime-valid interval held the true score.
    pub(crate) anytime_holds: u32,
    /// How often the stage-wise interval did, of all and of decided tests.
    pub(crate) stagewise_holds: u32,
    pub(crate) stagewise_holds_decided: u32,
    /// Decided tests whose stage-wise interval holds the rejected hypothesis, and the same for the anytime interval.
    pub(crate) stagewise_disagrees: u32,
    pub(crate) anytime_disagrees: u32,
    /// How often an interval that ignores the stopping did.
    pub(crate) ordinary_holds: u32,
    /// Mean widths on the scale of the score.
    pub(crate) stagewise_width: f64,
    pub(crate) anytime_width: f64,
}

/// Runs gates on pairs whose true strength is `truth` in normalised Elo.
pub(crate) fn gates((h0, h1): (f64, f64), truth: f64, runs: u32, max_pairs: u64, seed: u64) -> GateSum {
    let hypotheses = Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) };
    let plan = SprtPlan::new(hypotheses, 0.05, 0.05, max_pairs).expect("sane plan");
    let chances = Pairs::for_strength(truth);
    // The scores of the hypotheses for pairs like these.
    let (low, high) = (Pairs::for_strength(h0).score(), Pairs::for_strength(h1).score());
    let mut dice = Dice::new(seed);
    let mut sum = GateSum::default();
    for _ in 0..runs {
        let (mut gate, mut tally) = (Gate::new(plan), PairingTally::new(2));
        for block in 0.. {
            let score = chances.draw(&mut dice);
            tally.record(score, Margin::default()).expect("two matches");
            let pair = PairResult::Played { score, margin: Margin::default(), mirrored: false, luck: None };
            if gate.record(block, pair).expect("each block once").is_some() {
                break;
            }
        }
        let report = gate.report();
        sum.accepted += u32::from(report.end == Some(GateEnd::Accepted));
        sum.rejected += u32::from(report.end == Some(GateEnd::Rejected));
        sum.mean_pairs += report.pairs as f64 / f64::from(runs);
        let anytime = report.estimate.expect("pairs were played").score_interval;
        sum.anytime_holds += u32::from(anytime.contains(chances.score()));
        sum.anytime_width += (anytime.high - anytime.low) / f64::from(runs);
        let ordinary = MatchEstimate::from_tally(&tally, Holds::AtPlannedEnd)
            .and_then(|estimate| estimate.score_interval);
        sum.ordinary_holds += u32::from(ordinary.is_some_and(|interval| interval.contains(chances.score())));
        if let Some(estimate) = report.stagewise {
            let (score, elo) = (estimate.score_interval, estimate.normalised_elo_interval);
            let holds = u32::from(score.contains(chances.score()));
            sum.stagewise_holds += holds;
            sum.stagewise_width += (score.high - score.low) / f64::from(runs);
            let (elo, anytime) = match report.end {
                Some(GateEnd::Accepted) => (elo.low.get() < h0 - 1e-6, anytime.low < low),
                Some(GateEnd::Rejected) => (elo.high.get() > h1 + 1e-6, anytime.high > high),
                _ => continue,
            };
            sum.stagewise_holds_decided += holds;
            sum.stagewise_disagrees += u32::from(elo);
            sum.anytime_disagrees += u32::from(anytime);
        }
    }
    sum
}

/// Gates on pairs without luck: shares of accepted and rejected tests, and the mean number of pairs; then the same as predicted.
pub(crate) fn luck_gates(
    (h0, h1): (f64, f64),
    truth: f64,
    noise: f64,
    runs: u32,
    seed: u64,
) -> ([f64; 3], [f64; 3]) {
    let hypotheses = Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) };
    let terms = LuckTerms { version: 1, playouts: 1 };
    let plan = SprtPlan::new(hypotheses, 0.05, 0.05, 20_000).expect("sane plan").with_luck(terms);
    let chances = Pairs::for_strength(truth);
    let mut dice = Dice::new(seed);
    let mut pair = || {
        let score = chances.draw(&mut dice);
        let luck = 0.7 * (f64::from(score.half_points()) / 4.0 - chances.score());
        (score, std::array::from_fn(|_| luck + noise * dice.normal()))
    };
    // As a results file has it.
    let mut counts = Pentanomial::default();
    let mut stored = Vec::new();
    for block in 0..2_000 {
        let (score, luck) = pair();
        let points = PairPoints::from_half_points(score.half_points() as u8).expect("a pair");
        counts.record(points);
        stored.push(PairLuck { block, score: f64::from(score.half_points()) / 4.0, luck });
    }
    let ratio = adjust(&stored).and_then(|estimate| estimate.variance_ratio).expect("a spread");
    let forecast = GateForecast::new(&plan, &ExpectedPairs::from_observed(&counts), ratio);
    let at = forecast.strengths.iter().find(|at| (at.strength - truth).abs() < 1e-9).expect("a bound");
    let mut came = [0.0; 3];
    let share = 1.0 / f64::from(runs);
    for _ in 0..runs {
        let mut gate = Gate::new(plan);
        for block in 0.. {
            let (score, luck) = pair();
            let luck = Some(luck);
            let pair = PairResult::Played { score, margin: Margin::default(), mirrored: false, luck };
            if gate.record(block, pair).expect("each block once").is_some() {
                break;
            }
        }
        let end = gate.end();
        came[0] += if end == Some(GateEnd::Accepted) { share } else { 0.0 };
        came[1] += if end == Some(GateEnd::Rejected) { share } else { 0.0 };
        came[2] += share * gate.report().pairs as f64;
    }
    (came, [at.accepted, at.rejected, at.mean_pairs])
}
