//! The options of a gate, typed or in its section of a configuration file.

use std::path::PathBuf;

use clap::Args;
use leyden_arena::report::LUCK_TERMS;
use leyden_arena::run::{ELO_BOUNDS, GateTerms, NON_REGRESSION_BOUNDS};
use leyden_stats::{EloScale, Hypotheses, SprtPlan, SprtPlanError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::heading::{EXECUTION, RESULTS, TEST};
use super::span::Span;
use super::value_names::value_names;

/// The options of `leyden gate`.
#[derive(Args, Clone, Debug)]
pub(crate) struct GateOptions {
    #[command(flatten, next_help_heading = TEST)]
    pub(crate) test: GateTest,
    /// Write a report as JUnit XML: a case for the verdict, one for the faults of each bot, and one for each case in the bot's
    /// folder; or one error that says why there is no verdict. The names never change. An undecided gate is a skipped case, neither
    /// passed nor failed: use the exit code (4) to decide whether it stops a merge
    #[arg(long, help_heading = RESULTS, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// What a gate decides between. Can be the section `gate` of a configuration file.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct GateTest {
    /// Name one bot, a folder, and take its old version from git as it was at this commit, tag or branch
    #[arg(long, help_heading = EXECUTION, value_name = "REV", allow_hyphen_values = false)]
    #[schemars(example = "origin/main")]
    pub(crate) against: Option<String>,
    /// The strength to reject [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) elo0: Option<f64>,
    /// The strength to accept [default: 20]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) elo1: Option<f64>,
    /// Test against a loss of strength: --elo0 -20 --elo1 0
    #[arg(long, conflicts_with_all = ["elo0", "elo1"])]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(example = true)]
    pub(crate) non_regression: bool,
    /// The probability of accepting a bot of strength elo0 [default: 0.05]
    #[arg(long, value_name = "RATE")]
    pub(crate) alpha: Option<f64>,
    /// The probability of rejecting a bot of strength elo1 [default: 0.05]
    #[arg(long, value_name = "RATE")]
    pub(crate) beta: Option<f64>,
    /// The maximum number of pairs to play [default: 5000]
    #[arg(long, value_name = "N")]
    pub(crate) max_pairs: Option<u32>,
    /// End when this many pairs, counted from the first, are each the same match twice: undecided, or accepted by a test against a
    /// loss of strength; 0: never [default: 0, with --non-regression 100]
    #[arg(long, value_name = "N")]
    #[schemars(example = 100)]
    pub(crate) mirror_pairs: Option<u32>,
    /// The scale of elo0 and elo1 [default: normalised]
    #[arg(long, value_parser = value_names::<EloScale>())]
    pub(crate) model: Option<EloScale>,
    /// Take the luck of deals and draws out of each pair; the question stays the same. With bounds 20 Elo apart this needs a fifth
    /// to all of the pairs: fewest if the bots play like `builtin:careful`, but up to 1.4 times as many if they differ in few deals.
    /// With bounds 60 apart it needs 0.4 to 3 times as many, with 150 always more. --plan=FILE estimates it for your bots. The
    /// computation takes time after each match, so it pays for bots that think for a while
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(example = true)]
    pub(crate) luck: bool,
    /// How many matches the new version may lose by faults, such as a crash; one more rejects it. A gate ends as soon as strength
    /// is decided: to find a rare fault, use `leyden match NEW OLD --blocks 1000` [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) max_faults: Option<u64>,
    /// End undecided after this time of playing, such as 10m
    #[arg(long, value_name = "DUR")]
    #[schemars(example = "10m")]
    pub(crate) max_time: Option<Span>,
}

impl GateTest {
    /// The terms of the gate. What is not given is as in the gate that is resumed, or else as usual.
    pub(crate) fn terms(&self, resumed: Option<&GateTerms>) -> Result<GateTerms, SprtPlanError> {
        #[rustfmt::skip] // a new option must be named here
        let Self { against: _, elo0, elo1, non_regression, alpha, beta, max_pairs, mirror_pairs, model, luck, max_faults, max_time } = *self;
        let before = resumed.map(|terms| terms.plan.hypotheses());
        let (h0, h1) = match before {
            _ if non_regression => NON_REGRESSION_BOUNDS,
            Some(before) => before.bounds(),
            None => ELO_BOUNDS,
        };
        let scale = model.or(before.map(Hypotheses::scale)).unwrap_or_default();
        let hypotheses = scale.hypotheses(elo0.unwrap_or(h0), elo1.unwrap_or(h1));
        let usual = GateTerms::new(hypotheses)?;
        let below = *resumed.unwrap_or(&usual);
        let rates = below.plan.error_rates();
        let (alpha, beta) = (alpha.unwrap_or(rates.0), beta.unwrap_or(rates.1));
        let max_pairs = max_pairs.map_or(below.plan.max_pairs(), u64::from);
        let mirror_pairs = mirror_pairs.map_or(below.plan.mirror_pairs(), u64::from);
        let plan = SprtPlan::new(hypotheses, alpha, beta, max_pairs)?.with_mirror_pairs(mirror_pairs);
        Ok(GateTerms {
            plan: if luck || below.plan.luck().is_some() { plan.with_luck(LUCK_TERMS) } else { plan },
            max_faults: max_faults.or(below.max_faults).or(usual.max_faults),
            timed: below.timed || max_time.is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn unset_options_keep_stored_terms_or_defaults() {
        let none = GateTest::default();
        let usual = none.terms(None).unwrap();
        assert_eq!(usual, GateTerms::default());
        let given = GateTest {
            elo0: Some(-3.0),
            elo1: Some(4.0),
            model: Some(EloScale::Logistic),
            alpha: Some(0.1),
            beta: Some(0.2),
            max_pairs: Some(9),
            mirror_pairs: Some(7),
            luck: true,
            max_faults: Some(2),
            max_time: Some(Duration::from_secs(1).into()),
            ..GateTest::default()
        };
        let plan = SprtPlan::new(EloScale::Logistic.hypotheses(-3.0, 4.0), 0.1, 0.2, 9).unwrap();
        let plan = plan.with_mirror_pairs(7).with_luck(LUCK_TERMS);
        let before = GateTerms { plan, max_faults: Some(2), timed: true };
        assert_eq!(given.terms(None).unwrap(), before);
        assert_eq!(given.terms(Some(&usual)).unwrap(), before);
        assert_eq!(none.terms(Some(&before)).unwrap(), before);
        let more = GateTest { max_pairs: Some(10), ..GateTest::default() }.terms(Some(&before)).unwrap();
        assert_eq!(more, GateTerms { plan: plan.with_max_pairs(10).unwrap(), ..before });
    }

    #[test]
    fn non_regression_bounds_apply_even_when_resuming() {
        let loss = GateTest { non_regression: true, ..GateTest::default() };
        let terms = loss.terms(None).unwrap();
        assert_eq!(terms.plan.hypotheses().bounds(), NON_REGRESSION_BOUNDS);
        let other = loss.terms(Some(&GateTerms::default())).unwrap();
        assert_eq!(other.plan.hypotheses().bounds(), NON_REGRESSION_BOUNDS);
        assert_eq!(GateTest::default().terms(Some(&terms)).unwrap(), terms);
    }

    #[test]
    fn older_file_without_fault_limit_gets_the_default() {
        let older = GateTerms { max_faults: None, ..GateTerms::default() };
        assert_eq!(GateTest::default().terms(Some(&older)).unwrap(), GateTerms::default());
    }
}
