//! A gate, ended or not: its answer in a sentence, and its figures.

use leyden_arena::check::FindingOutcome;
use leyden_arena::report::{BrokenOff, GateAnswer, GateDocument};
use leyden_arena::words::counted;
use leyden_model::told_seed_text;
use leyden_stats::{GateEnd, GateReport, Hypotheses, Interval, NormalisedInterval};

use super::parts::{elo, elo_range, heading, kinds, listed, range, sides};
use crate::cli::report::figures::Figures;
use crate::cli::report::grid::{fixed, percent, plain, signed};
use crate::cli::report::luck;

/// A gate, ended or not.
pub(crate) fn gate(document: &GateDocument) -> String {
    let mut text = format!("{}\n", verdict(document));
    text.push_str(&heading(document.rules, document.better));
    text.push('\n');
    text.push_str(&listed(&gate_figures(document)));
    text.push('\n');
    text.push_str(&sides(document.sides()));
    text
}

/// The answer in one sentence.
pub(crate) fn verdict(document: &GateDocument) -> String {
    let [new, old] = document.sides().map(|side| plain(&side.name));
    let (h0, h1) = document.test.plan.hypotheses().bounds();
    let scale = scale(&document.test);
    let pairs = document.test.pairs;
    if document.answer == GateAnswer::CaseFailed {
        let failed = document.cases.iter().flat_map(|cases| &cases.findings);
        let failed = failed.filter(|finding| finding.outcome == FindingOutcome::Failed).count() as u64;
        let fail = if failed == 1 { "a case".to_owned() } else { format!("{failed} cases") };
        let fails = if failed == 1 { "fails" } else { "fail" };
        return format!("rejected before anything was played: {fail} of {new} {fails}");
    }
    let faults = |bot: usize| document.bots[bot].side.results.faults.values().sum::<u64>();
    let matches = |bot: usize| document.bots[bot].side.results.matches;
    if document.answer == GateAnswer::NoOpponent {
        let lost = counted(faults(1), "match", "matches");
        return format!(
            "no answer: {old} lost {lost} of {} by faults, which says nothing of how strong {new} is",
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
            format!("accepted: {new} against {old} is nearer to {h1} than to {h0} {scale}")
        }
        Some(GateEnd::Rejected) if h0 < 0.0 && h1 <= 0.0 => {
            format!("rejected: {new} is weaker than {old}")
        }
        Some(GateEnd::Rejected) => {
            format!("rejected: {new} is not {h1} {scale} stronger than {old}")
        }
        Some(GateEnd::MaxPairs) => {
            let (pairs, do_not) =
                (counted(pairs, "pair", "pairs"), if pairs == 1 { "does not" } else { "do not" });
            format!("undecided: {pairs} {do_not} decide between {new} and {old}")
        }
        Some(GateEnd::Mirror) => {
            let is_accepted = document.answer == GateAnswer::Accepted;
            let answer = if is_accepted { "accepted" } else { "undecided" };
            let hint = if is_accepted {
                ""
            } else {
                ". If that was meant, as by tidying up, --non-regression accepts it"
            };
            format!(
                "{answer}: {new} and {old} played alike so far (each of the first {pairs} pairs is the same match twice with \
                 the seats exchanged); they may still differ in up to {} % of deals (95 %). --mirror-pairs N looks \
                 at more of them{hint}",
                fixed(100.0 * document.test.may_differ.unwrap_or(1.0), 0)
            )
        }
        None if document.same_bots && document.answer == GateAnswer::Accepted => format!(
            "accepted: {new} and {old} are the same bot, file for file, so that none is the weaker one; it played {} without a fault",
            counted(pairs, "pair", "pairs")
        ),
        None if document.same_bots && document.answer == GateAnswer::Undecided => format!(
            "undecided: {new} and {old} are the same bot, file for file, so that none is the stronger one. If there was to be a change, \
             it is not in these files; if not, --non-regression accepts that"
        ),
        None if document.broken_off == Some(BrokenOff::MaxTime) => format!(
            "undecided: the time is up (--max-time): {new} against {old} after {}",
            counted(pairs, "pair", "pairs")
        ),
        None => format!("not decided yet: {new} against {old} after {}", counted(pairs, "pair", "pairs")),
    }
}

/// The figures of a gate, for people and for JUnit.
pub(crate) fn gate_figures(document: &GateDocument) -> Figures {
    let report = &document.test;
    let state = &report.state;
    let (h0, h1) = report.plan.hypotheses().bounds();
    let scale = scale(report);
    let (alpha, beta) = report.plan.error_rates();
    let mut figures = vec![
        (
            "test",
            format!(
                "{scale} {h0} against {h1}, α {alpha}, β {beta}, at most {}{}",
                counted(report.plan.max_pairs(), "pair", "pairs"),
                if report.plan.luck().is_some() { ", luck taken out" } else { "" }
            ),
        ),
        ("pairs", format!("{} ({})", report.pairs, kinds(&report.counts))),
    ];
    let is_of_play = document.answer != GateAnswer::NoOpponent && !is_of_same_bots(document);
    if is_of_play {
        let llr = format!("{} between {:+.2} and {:+.2}", signed(state.llr, 2), state.lower, state.upper);
        figures.insert(1, ("LLR", llr));
    }
    figures.extend(cases(document).map(|cases| ("cases", cases)));
    if report.voided_pairs > 0 {
        figures.push(("voided pairs", report.voided_pairs.to_string()));
    }
    if let Some(estimate) = report.estimate.as_ref().filter(|_| is_of_play) {
        let normalised = estimate
            .normalised_elo
            .map_or_else(String::new, |elo| format!(", {} normalised", signed(elo.get(), 0)));
        let played = format!("score {} %, Elo {}{normalised}", percent(estimate.score), elo(estimate.elo));
        figures.push(("as played", played));
    }
    if let Some(luck) = report.adjusted.as_ref().and_then(luck::gate_line) {
        figures.push(("without luck", luck));
    }
    if let Some(estimate) = report.stagewise.as_ref().filter(|_| is_of_play) {
        let NormalisedInterval { low, high } = estimate.normalised_elo_interval;
        let interval = format!(
            "{} % level: score {} %, Elo {}, normalised {} to {}; agrees with the verdict",
            fixed(100.0 * estimate.level, 0),
            range(estimate.score_interval, percent),
            elo_range(estimate.elo_interval),
            signed(low.get(), 0),
            signed(high.get(), 0),
        );
        figures.push(("interval of the test", interval));
    }
    if let Some(estimate) = report.estimate.as_ref().filter(|_| is_of_play) {
        let Interval { low, high } = estimate.score_interval;
        let is_decided = matches!(report.end, Some(GateEnd::Accepted | GateEnd::Rejected));
        // Else a reader takes it for a contradiction.
        let holds_equal = if is_decided && low <= 0.5 && 0.5 <= high {
            ", so that it may hold 50 % where the test has decided"
        } else {
            ""
        };
        let interval = format!(
            "95 % level: score {} %, Elo {}; holds whatever made the test stop, and is wider for it{holds_equal}",
            range(estimate.score_interval, percent),
            elo_range(estimate.elo_interval),
        );
        figures.push(("interval at any time", interval));
    }
    if let Some(margin) = report.mean_margin.filter(|_| is_of_play) {
        figures.push(("margin", format!("{} points", signed(margin, 1))));
    }
    let committed = || format!("committed to as {}, told when the gate has ended", document.commitment);
    figures.push((
        "seed",
        document.seed.as_deref().map_or_else(committed, |seed| told_seed_text(seed).into_owned()),
    ));
    figures
}

/// Whether it is over because both bots are the same: what they played says nothing more.
fn is_of_same_bots(document: &GateDocument) -> bool {
    document.same_bots
        && document.test.end.is_none()
        && document.broken_off.is_none()
        && matches!(document.answer, GateAnswer::Accepted | GateAnswer::Undecided)
}

/// What became of the cases, if there are any.
pub(crate) fn cases(document: &GateDocument) -> Option<String> {
    let findings = || document.cases.iter().flat_map(|cases| &cases.findings);
    let count = |outcome| findings().filter(|finding| finding.outcome == outcome).count() as u64;
    let (passed, failed) = (count(FindingOutcome::Passed), count(FindingOutcome::Failed));
    let told = |number, one: &str, many: &str| (number > 0).then(|| counted(number, one, many));
    let missing: Vec<String> = document.missing_cases.iter().map(|name| plain(name)).collect();
    let gone =
        (!missing.is_empty()).then(|| format!("missing, which the old version has: {}", missing.join(", ")));
    let all = [told(passed, "case passes", "cases pass"), told(failed, "case fails", "cases fail"), gone];
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn scale(report: &GateReport) -> &'static str {
    match report.plan.hypotheses() {
        Hypotheses::Normalised { .. } => "normalised Elo",
        Hypotheses::Logistic { .. } => "logistic Elo",
    }
}

/// Where a running gate stands, and how it gets on, on one line.
pub(crate) fn gate_line(report: &GateReport, pace: &str) -> String {
    let state = &report.state;
    let estimate = report.estimate.as_ref().map_or_else(String::new, |estimate| {
        let interval = elo_range(estimate.elo_interval);
        format!(" · score {} % · Elo {} ({interval})", percent(estimate.score), elo(estimate.elo))
    });
    format!(
        "LLR {} [{:+.2}, {:+.2}] · {} of at most {}{estimate}{pace}",
        signed(state.llr, 2),
        state.lower,
        state.upper,
        report.pairs,
        counted(report.plan.max_pairs(), "pair", "pairs")
    )
}
