//! A gate, finished or not: its answer in a sentence, and its figures.

use leyden_arena::check::FindingOutcome;
use leyden_arena::report::{GateAnswer, GateDocument, GateStop};
use leyden_language::numbers::{self, signed};
use leyden_model::shell_seed_text;
use leyden_model::words::{counted, millis, plural};
use leyden_stats::{
    FEWEST_FOR_SPREAD, FEWEST_TO_COMPARE, GateEnd, GateReport, Interval, NormalisedInterval,
    largest_unseen_rate,
};

use super::parts::{elo, elo_range, heading, kinds, listed, range, sides};
use crate::report::figures::Figures;
use crate::report::grid::{percent, plain};
use crate::report::luck;

/// Returns a gate, finished or not, as text.
pub(crate) fn gate(document: &GateDocument) -> String {
    let mut text = format!("{}\n", verdict(document));
    text.push_str(&heading(document.rules, document.better));
    text.push('\n');
    text.push_str(&listed(&gate_figures(document)));
    text.push('\n');
    text.push_str(&sides(document.sides()));
    text
}

/// Returns the answer in one sentence.
pub(crate) fn verdict(document: &GateDocument) -> String {
    let [new, old] = document.sides().map(|side| plain(&side.name));
    let (h0, h1) = document.test.plan.hypotheses().bounds();
    let scale = document.test.plan.hypotheses().scale().as_str();
    let pairs = document.test.pairs;
    if document.answer == GateAnswer::CaseFailed {
        let failed = document.cases.iter().flat_map(|cases| &cases.findings);
        let failed = failed.filter(|finding| finding.outcome == FindingOutcome::Failed).count() as u64;
        let cases = counted(failed, "case", "cases");
        let fail = plural(failed, "fails", "fail");
        return format!("rejected before anything was played: {cases} of {new} {fail}");
    }
    let faults = |bot: usize| document.bots[bot].side.results.faults.values().sum::<u64>();
    let matches = |bot: usize| document.bots[bot].side.results.matches;
    if document.answer == GateAnswer::NoOpponent {
        let lost = counted(faults(1), "match", "matches");
        return format!(
            "no answer: {old} lost {lost} of {} by faults, which says nothing about the strength of {new}",
            matches(1)
        );
    }
    if document.answer == GateAnswer::Faulted {
        let may = match document.max_faults {
            None | Some(0) => "it may lose none".to_owned(),
            Some(most) => format!("it may lose {most}"),
        };
        let lost = counted(faults(0), "match", "matches");
        return format!("rejected for its faults: {new} lost {lost} by faults, and {may} (--max-faults)");
    }
    match document.test.end {
        Some(GateEnd::Accepted) if h0 >= 0.0 => format!("accepted: {new} is stronger than {old}"),
        Some(GateEnd::Accepted) if h1 <= 0.0 => format!("accepted: {new} is no weaker than {old}"),
        Some(GateEnd::Accepted) => {
            format!("accepted: {new} against {old} is closer to {h1} than to {h0} {scale} Elo")
        }
        Some(GateEnd::Rejected) if h0 < 0.0 && h1 <= 0.0 || is_clearly_weaker(&document.test) => {
            format!("rejected: {new} is weaker than {old}")
        }
        Some(GateEnd::Rejected) => {
            format!("rejected: {new} is not {h1} {scale} Elo stronger than {old}{}", alike(&document.test))
        }
        Some(GateEnd::MaxPairs) => {
            let (pairs, do_not) = (counted(pairs, "pair", "pairs"), plural(pairs, "does not", "do not"));
            format!("undecided: {pairs} {do_not} decide between {new} and {old}{}", alike(&document.test))
        }
        Some(GateEnd::Mirror) => {
            let is_accepted = document.answer == GateAnswer::Accepted;
            let answer = if is_accepted { "accepted" } else { "undecided" };
            let advice = if is_accepted {
                "--mirror-pairs N looks at more of them".to_owned()
            } else {
                format!("That is too early to know: without --mirror-pairs the gate goes on. {INTENDED}")
            };
            format!(
                "{answer}: {new} and {old} played alike so far ({} in which both legs are the same match with the \
                 seats exchanged); they may still differ in up to {} % of deals (95 %). {advice}",
                counted(pairs, "pair", "pairs"),
                numbers::percent(document.test.may_differ.unwrap_or(1.0), 0)
            )
        }
        None if document.same_bots && document.answer == GateAnswer::Accepted => format!(
            "accepted: {new} and {old} are the same bot, file for file, so neither is weaker; it played {} without a fault",
            counted(pairs, "pair", "pairs")
        ),
        None if document.same_bots && document.answer == GateAnswer::Undecided => format!(
            "undecided: {new} and {old} are the same bot, file for file, so neither is stronger. If there should be a change, \
            it is not in these files; if not, --non-regression accepts that"
        ),
        None if document.interrupted == Some(GateStop::MaxTime) => format!(
            "undecided: the time is up (--max-time): {new} against {old} after {}",
            counted(pairs, "pair", "pairs")
        ),
        None => format!("not decided yet: {new} against {old} after {}", counted(pairs, "pair", "pairs")),
    }
}

/// What to do about two versions that play alike.
const INTENDED: &str = "If that was intended, such as after refactoring, --non-regression accepts it";

/// Adds that two versions played alike in every pair, if they did.
fn alike(test: &GateReport) -> String {
    match test.pairs {
        pairs if pairs > 1 && pairs == test.mirrored_pairs => {
            format!(": they play alike, each of the {pairs} pairs is the same match twice. {INTENDED}")
        }
        _ => String::new(),
    }
}

/// Returns the figures of a gate, for people and for JUnit.
pub(crate) fn gate_figures(document: &GateDocument) -> Figures {
    let report = &document.test;
    let state = &report.state;
    let (h0, h1) = report.plan.hypotheses().bounds();
    let scale = report.plan.hypotheses().scale().as_str();
    let (alpha, beta) = report.plan.error_rates();
    let mut figures = vec![
        (
            "test",
            format!(
                "{scale} Elo {h0} against {h1}, α {alpha}, β {beta}, at most {}{}",
                counted(report.plan.max_pairs(), "pair", "pairs"),
                if report.plan.luck().is_some() { ", luck taken out" } else { "" }
            ),
        ),
        ("pairs", format!("{} ({})", report.pairs, kinds(&report.counts))),
    ];
    let is_of_play = document.answer != GateAnswer::NoOpponent && !is_of_same_bots(document);
    if is_of_play {
        let llr = format!(
            "{} between {} and {}",
            signed(state.llr, 2),
            signed(state.lower, 2),
            signed(state.upper, 2)
        );
        figures.insert(1, ("LLR", llr));
    }
    figures.extend(cases(document).map(|cases| ("cases", cases)));
    if report.voided_pairs > 0 {
        figures.push(("voided pairs", report.voided_pairs.to_string()));
    }
    if let Some(estimate) = report.estimate.as_ref().filter(|_| is_of_play) {
        let normalised = estimate.normalised_elo.filter(|_| report.counts.unlike() >= FEWEST_FOR_SPREAD);
        let normalised =
            normalised.map_or_else(String::new, |elo| format!(", {} normalised", signed(elo.get(), 0)));
        let rating = (report.pairs >= FEWEST_TO_COMPARE).then(|| format!(", Elo {}", elo(estimate.elo)));
        let played = format!("score {} %{}{normalised}", percent(estimate.score), rating.unwrap_or_default());
        figures.push(("as played", played));
    }
    if let Some(estimate) = &report.adjusted
        && let Some(luck) = luck::gate_line(estimate, report.pairs)
    {
        figures.push(("without luck", luck + may_hold_equal(report, estimate.score_interval)));
    }
    if let Some(estimate) = report.stagewise.as_ref().filter(|_| is_of_play) {
        let NormalisedInterval { low, high } = estimate.normalised_elo_interval;
        let interval = format!(
            "{} % level: score {} %, Elo {}, normalised {} to {}{}",
            numbers::percent(estimate.level, 0),
            range(estimate.score_interval, percent),
            elo_range(estimate.elo_interval),
            signed(low.get(), 0),
            signed(high.get(), 0),
            if report.end == Some(GateEnd::MaxPairs) { "" } else { "; agrees with the verdict" },
        );
        figures.push(("interval of the test", interval));
    }
    if let Some(estimate) = report.estimate.as_ref().filter(|_| is_of_play) {
        let interval = format!(
            "95 % level: score {} %, Elo {}; holds no matter why the test stopped, and is wider for that{}",
            range(estimate.score_interval, percent),
            elo_range(estimate.elo_interval),
            may_hold_equal(report, estimate.score_interval),
        );
        figures.push(("interval at any time", interval));
    }
    if let Some(margin) = report.mean_margin.filter(|_| is_of_play) {
        figures.push((
            "margin",
            format!(
                "{} points a match in what was played (no interval: the test is of scores)",
                signed(margin, 1)
            ),
        ));
    }
    figures.extend(slower(document).map(|slower| ("time", slower)));
    figures.extend(unseen_faults(document).map(|unseen| ("faults", unseen)));
    let committed = || format!("committed to as {}, revealed when the gate has ended", document.commitment);
    figures.push((
        "seed",
        document.seed.as_deref().map_or_else(committed, |seed| shell_seed_text(seed).into_owned()),
    ));
    figures
}

/// Returns a remark for an interval that holds at any time and may seem to contradict the verdict.
fn may_hold_equal(report: &GateReport, Interval { low, high }: Interval) -> &'static str {
    let is_decided = matches!(report.end, Some(GateEnd::Accepted | GateEnd::Rejected));
    if is_decided && low <= 0.5 && 0.5 <= high {
        ", so it may contain 50 % although the test has decided"
    } else {
        ""
    }
}

/// A version is reported as slow if it takes this many times as long as the other, and at least this many microseconds.
const MUCH_LONGER: u64 = 3;
const NOTICEABLE_US: u64 = 1_000;

/// Says which version takes much more time for a decision, if one does: the gate is decided by scores only.
fn slower(document: &GateDocument) -> Option<String> {
    let [new, old] = document.sides().map(|side| Some((side.results.think_median_us?, side.name.as_str())));
    slower_of([new?, old?])
}

/// Does the same for two versions with known median times.
fn slower_of([new, old]: [(u64, &str); 2]) -> Option<String> {
    let (slow, quick) = if new.0 >= old.0 { (new, old) } else { (old, new) };
    let times = slow.0 / quick.0.max(1);
    (times >= MUCH_LONGER && slow.0 >= NOTICEABLE_US).then(|| {
        let (name, slow, quick) = (plain(slow.1), millis(slow.0), millis(quick.0));
        format!("{name} takes {times} times as long for a decision: {slow} ms (median) against {quick} ms")
    })
}

/// Says how often a new version without a fault may still fault.
fn unseen_faults(document: &GateDocument) -> Option<String> {
    let results = &document.bots[0].side.results;
    let is_seen = results.matches == 0 || !results.faults.is_empty() || is_of_same_bots(document);
    (!is_seen).then(|| {
        format!(
            "none of {} in {}; it may still fault in up to {} % of deals (95 %)",
            plain(&document.bots[0].side.name),
            counted(results.matches, "match", "matches"),
            // The matches of a pair have the same deal.
            percent(largest_unseen_rate(document.test.pairs))
        )
    })
}

/// Returns the score in a few words, with the interval that goes with the answer.
pub(crate) fn score(document: &GateDocument) -> Option<String> {
    let report = &document.test;
    let estimate = report.estimate.as_ref().filter(|_| !is_of_same_bots(document))?;
    let (score, interval, level) = match (&report.adjusted, &report.stagewise) {
        (Some(adjusted), _) => (adjusted.score, adjusted.score_interval, 0.95),
        (None, Some(stagewise)) => (estimate.score, stagewise.score_interval, stagewise.level),
        (None, None) => (estimate.score, estimate.score_interval, 0.95),
    };
    let of = if report.adjusted.is_some() { "score without luck" } else { "score" };
    let range = range(interval, percent);
    Some(format!("{of} {} % ({range} at {} %)", percent(score), numbers::percent(level, 0)))
}

/// Returns whether the new version is weaker beyond doubt, not only less strong than was asked for.
fn is_clearly_weaker(report: &GateReport) -> bool {
    let interval = match (&report.adjusted, &report.estimate) {
        (Some(adjusted), _) => Some(adjusted.score_interval),
        (None, estimate) => estimate.as_ref().map(|estimate| estimate.score_interval),
    };
    interval.is_some_and(|interval| interval.high < 0.5)
}

/// Returns whether the gate ended because both bots are the same; their matches then say nothing.
fn is_of_same_bots(document: &GateDocument) -> bool {
    document.same_bots
        && document.test.end.is_none()
        && document.interrupted.is_none()
        && matches!(document.answer, GateAnswer::Accepted | GateAnswer::Undecided)
}

/// Returns the outcome of the cases, if there are any.
pub(crate) fn cases(document: &GateDocument) -> Option<String> {
    let findings = || document.cases.iter().flat_map(|cases| &cases.findings);
    let count = |outcome| findings().filter(|finding| finding.outcome == outcome).count() as u64;
    let (passed, failed) = (count(FindingOutcome::Passed), count(FindingOutcome::Failed));
    let count_text = |number, one: &str, many: &str| (number > 0).then(|| counted(number, one, many));
    let missing: Vec<String> = document.missing_cases.iter().map(|name| plain(name)).collect();
    let gone =
        (!missing.is_empty()).then(|| format!("missing, which the old version has: {}", missing.join(", ")));
    let all = [
        count_text(passed, "case passes", "cases pass"),
        count_text(failed, "case fails", "cases fail"),
        gone,
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// Returns the state and progress of a running gate, on one line.
pub(crate) fn gate_line(report: &GateReport, pace: &str) -> String {
    let state = &report.state;
    let estimate = report.estimate.as_ref().map_or_else(String::new, |estimate| {
        let interval = elo_range(estimate.elo_interval);
        format!(
            " · score {} % · Elo {} ({interval}, 95 % at any time)",
            percent(estimate.score),
            elo(estimate.elo)
        )
    });
    format!(
        "LLR {} [{}, {}] · {} of at most {}{estimate}{pace}",
        signed(state.llr, 2),
        signed(state.lower, 2),
        signed(state.upper, 2),
        report.pairs,
        counted(report.plan.max_pairs(), "pair", "pairs")
    )
}

#[cfg(test)]
mod tests {
    use leyden_stats::{Gate, Hypotheses, NormalisedElo, SprtPlan};

    use super::*;

    #[test]
    fn version_that_thinks_much_longer_is_named() {
        let slower = slower_of([(2_140, "new"), (80, "old")]).unwrap();
        assert_eq!(slower, "new takes 26 times as long for a decision: 2.14 ms (median) against 0.08 ms");
        assert!(slower_of([(80, "new"), (2_140, "old")]).unwrap().starts_with("old takes 26 times"));
        assert_eq!(slower_of([(900, "new"), (1, "old")]), None, "nobody notices that");
        assert_eq!(slower_of([(2_900, "new"), (1_000, "old")]), None);
    }

    #[test]
    fn decided_gate_explains_an_interval_around_fifty_percent() {
        let hypotheses =
            Hypotheses::Normalised { h0: NormalisedElo::new(-20.0), h1: NormalisedElo::new(0.0) };
        let open = Gate::new(SprtPlan::new(hypotheses, 0.05, 0.05, 100).unwrap()).report();
        let decided = GateReport { end: Some(GateEnd::Rejected), ..open };
        let around = Interval { low: 0.456, high: 0.506 };
        assert!(may_hold_equal(&decided, around).contains("may contain 50 %"));
        assert_eq!(may_hold_equal(&open, around), "");
        assert_eq!(may_hold_equal(&decided, Interval { low: 0.4, high: 0.49 }), "");
    }
}
