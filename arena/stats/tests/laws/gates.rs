//! Gates: when they end, and what they report.

use crate::simulation::Dice;
use leyden_stats::{
    Gate, GateEnd, GateError, GateReport, Hypotheses, MIRROR_PAIRS, Margin, NormalisedElo, PairPoints,
    PairResult, Ranking, Score, SprtPlan, Verdict,
};

pub(crate) fn plan(h0: f64, h1: f64, max_pairs: u64) -> SprtPlan {
    let hypotheses = Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) };
    SprtPlan::new(hypotheses, 0.05, 0.05, max_pairs).expect("sane plan")
}

fn played(half_points: u8, mirrored: bool) -> PairResult {
    let score = PairPoints::from_half_points(half_points).expect("at most four").into();
    PairResult::Played { score, margin: Margin { sum: 5, matches: 2 }, mirrored, luck: None }
}

#[test]
fn mirror_ends_undecided_after_ten_pairs() {
    let mut gate = Gate::new(plan(0.0, 10.0, 5000));
    for block in 0..MIRROR_PAIRS as u32 {
        assert_eq!(gate.end(), None);
        gate.record(block, played(2, true)).expect("each block once");
    }
    assert_eq!(gate.end(), Some(GateEnd::Mirror));
    let report = gate.report();
    assert_eq!((report.verdict, report.pairs, report.mirrored_pairs), (Verdict::Undecided, 10, 10));
    // 0.741 to the tenth power is 5 %.
    assert!((report.may_differ.expect("a mirror") - 0.258_866).abs() < 1e-6, "{report:?}");
    let mut longer = Gate::new(plan(0.0, 10.0, 5000).with_mirror_pairs(12));
    let mut never = Gate::new(plan(0.0, 10.0, 5000).with_mirror_pairs(0));
    for block in 0..12 {
        assert_eq!((longer.end(), never.end()), (None, None));
        longer.record(block, played(2, true)).expect("each block once");
        never.record(block, played(2, true)).expect("each block once");
    }
    assert_eq!((longer.end(), never.end()), (Some(GateEnd::Mirror), None));
    // One pair that differs, and they do not play alike.
    let mut gate = Gate::new(plan(0.0, 10.0, 5000));
    for block in 0..30 {
        gate.record(block, played(2, block != 4)).expect("each block once");
    }
    assert_eq!(gate.end(), None);
}

#[test]
fn gate_judges_the_contiguous_prefix_in_any_order() {
    let mut dice = Dice::new(9);
    let results: Vec<PairResult> = (0..400)
        .map(|_| {
            if dice.below(20) == 0 {
                PairResult::Voided
            } else {
                played([0, 2, 2, 4, 4][dice.below(5)], false)
            }
        })
        .collect();
    let run = |order: &[usize]| {
        let mut gate = Gate::new(plan(0.0, 60.0, 5000));
        for block in order {
            gate.record(*block as u32, results[*block]).expect("each block once");
        }
        gate.report()
    };
    let straight: Vec<usize> = (0..results.len()).collect();
    let expected = run(&straight);
    assert!(expected.end.is_some() && expected.voided_pairs > 0 && expected.pairs < 380);
    for _ in 0..10 {
        let mut order = straight.clone();
        for i in (1..order.len()).rev() {
            order.swap(i, dice.below(i + 1));
        }
        assert_eq!(run(&order), expected);
    }
}

#[test]
fn gate_stops_at_maximum_and_refuses_malformed_pairs() {
    let mut gate = Gate::new(plan(0.0, 10.0, 3));
    assert_eq!(gate.record(5, played(2, false)), Ok(None));
    assert_eq!(gate.record(5, played(2, false)), Err(GateError::Twice(5)));
    let score = Score::new(3, 0, 1);
    let four = PairResult::Played { score, margin: Margin::default(), mirrored: false, luck: None };
    assert_eq!(gate.record(0, four), Err(GateError::NotAPair(0, 4)));
    for (block, end) in [(0, None), (1, None), (2, Some(GateEnd::MaxPairs))] {
        assert_eq!(gate.record(block, played(block as u8 + 1, false)), Ok(end));
    }
    assert_eq!(gate.record(3, played(4, false)), Ok(Some(GateEnd::MaxPairs)));
    assert_eq!(gate.report().pairs, 3);
}

#[test]
fn reports_have_schemas_and_only_json_numbers() {
    let schema = |schema: schemars::Schema| serde_json::to_string(&schema).expect("is JSON");
    assert!(schema(schemars::schema_for!(Ranking)).contains("elo_half_width"));
    assert!(schema(schemars::schema_for!(GateReport)).contains("voided_pairs"));
    let mut gate = Gate::new(plan(0.0, 10.0, 50));
    assert!(gate.report().estimate.is_none());
    gate.record(0, played(4, false)).expect("each block once");
    let text = serde_json::to_string(&gate.report()).expect("is JSON");
    assert!(text.contains(r#""counts":[0,0,0,0,1]"#) && text.contains(r#""model":"normalised""#), "{text}");
    assert!(gate.report().state.llr.is_finite());
}
