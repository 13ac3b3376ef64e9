//! The result of a gate.

use leyden_stats::{GateEnd, Interval};
use maud::{Markup, html};

use super::luck;
use super::words::{of, percent, signed};
use crate::chart::Scale;
use crate::replay::printable;
use leyden_arena::report::{GateAnswer, GateDocument};

/// Shows the verdict of a gate.
pub(super) fn verdict(gate: &GateDocument) -> Markup {
    let (class, text) = match (gate.answer, gate.test.end) {
        (GateAnswer::Accepted, _) => ("tag good", "✓ accepted"),
        (GateAnswer::Rejected, _) => ("tag bad", "✖ rejected"),
        (GateAnswer::Faulted, _) => ("tag bad", "✖ rejected for its faults"),
        (GateAnswer::CaseFailed, _) => ("tag bad", "✖ rejected: a case fails"),
        (GateAnswer::NoOpponent, _) => ("tag warn", "no answer: the old version faults"),
        (GateAnswer::Undecided, Some(GateEnd::Mirror)) => {
            ("tag warn", "undecided: both have played the same so far")
        }
        (GateAnswer::Undecided, None) => ("tag warn", "undecided: both are the same bot"),
        (GateAnswer::Undecided, _) => ("tag warn", "undecided after the maximum number of pairs"),
        (GateAnswer::Unfinished, _) => ("tag warn", "not decided yet"),
    };
    html! { span class=(class) { (text) } }
}

pub(super) fn gate_card(gate: &GateDocument) -> Markup {
    let state = gate.test.state;
    let hypotheses = gate.test.plan.hypotheses();
    let (h0, h1) = hypotheses.bounds();
    let [new, old] = [0, 1].map(|bot| printable(&gate.bots[bot].side.name));
    let bounds = Scale { low: state.lower, high: state.upper };
    html! {
        section class="card" id="gate" {
            h2 { "Is " (new) " stronger than " (old) "?" span class="muted plain" { " — " (h0) " or " (h1) " " (hypotheses.scale()) } }
            p {
                "Log-likelihood ratio " b class="number" { (signed(state.llr, 2)) } " between "
                span class="number" { (signed(bounds.low, 2)) } " (reject) and "
                span class="number" { (signed(bounds.high, 2)) } " (accept), after "
                (of(gate.test.pairs, "pair", "pairs"))
                @if gate.test.plan.luck().is_some() { ", judged after removing luck" }
            }
            (luck::of_gate(gate.test.adjusted.as_ref(), gate.test.pairs))
            (intervals(gate))
        }
    }
}

/// Shows the score and its intervals: the one of the test, and the one that holds whatever ended it, such as a limit of time.
fn intervals(gate: &GateDocument) -> Markup {
    let ends = |Interval { low, high }: Interval| format!("{} to {}", percent(low, 1), percent(high, 1));
    html! {
        @if let Some(estimate) = gate.test.estimate.as_ref().filter(|_| !gate.same_bots) {
            p {
                "Score as played " b class="number" { (percent(estimate.score, 1)) } " (95 %, whatever made the test stop: "
                (ends(estimate.score_interval))
                @if let Some(stagewise) = &gate.test.stagewise {
                    "; interval of the test, " (percent(stagewise.level, 0)) ": " (ends(stagewise.score_interval))
                }
                ")"
            }
        }
    }
}
