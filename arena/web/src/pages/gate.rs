//! The result of a gate.

use leyden_language::text::tournament;
use leyden_language::{Language, text::checks as text};
use leyden_stats::{AnytimeEstimate, GateEnd, Interval};
use maud::{Markup, html};

use super::luck;
use super::words::counted;
use crate::replay::printable;
use crate::slots::{SLOTS, filled};
use leyden_arena::report::{GateAnswer, GateDocument};

/// Shows the verdict of a gate.
pub(super) fn verdict(gate: &GateDocument, language: Language) -> Markup {
    let (class, verdict) = match (gate.answer, gate.test.end) {
        (GateAnswer::Accepted, _) => ("tag good", "accepted"),
        (GateAnswer::Rejected, _) => ("tag bad", "rejected"),
        (GateAnswer::Faulted, _) => ("tag bad", "faulted"),
        (GateAnswer::CaseFailed, _) => ("tag bad", "case-failed"),
        (GateAnswer::NoOpponent, _) => ("tag warn", "no-opponent"),
        (GateAnswer::Undecided, Some(GateEnd::Mirror)) => ("tag warn", "mirror"),
        (GateAnswer::Undecided, None) => ("tag warn", "same"),
        (GateAnswer::Undecided, _) => ("tag warn", "undecided"),
        (GateAnswer::Unfinished, _) => ("tag warn", "unfinished"),
    };
    html! { span class=(class) { (language.say(text::Verdict { verdict })) } }
}

pub(super) fn gate_card(gate: &GateDocument, language: Language) -> Markup {
    let hypotheses = gate.test.plan.hypotheses();
    let (h0, h1) = hypotheses.bounds();
    let [low, high] = [h0, h1].map(|bound| language.number(&bound.to_string()));
    let scale = hypotheses.scale().as_str();
    let [new, old] = [0, 1].map(|bot| printable(&gate.bots[bot].side.name));
    html! {
        section class="card" id="gate" {
            h2 {
                (language.say(text::IsStronger { new, old }))
                span class="muted plain" { " — " (language.say(text::Hypotheses { scale, low, high })) }
            }
            p { (ratio(gate, language)) }
            (luck::for_gate(gate.test.adjusted.as_ref(), gate.test.pairs, language))
            (intervals(gate, language))
        }
    }
}

/// Shows the log-likelihood ratio between its bounds.
fn ratio(gate: &GateDocument, language: Language) -> Markup {
    let (state, pairs, [ratio, low, high, ..]) = (gate.test.state, gate.test.pairs, SLOTS);
    let said = if gate.test.plan.luck().is_some() {
        counted!(language, text::RatioWithoutLuck, pairs, ratio: ratio, low: low, high: high)
    } else {
        counted!(language, text::Ratio, pairs, ratio: ratio, low: low, high: high)
    };
    let [ratio, low, high] = [state.llr, state.lower, state.upper].map(|number| language.signed(number, 2));
    let bounds = [low, high].map(|bound| html! { span class="number" { (bound) } });
    let [low, high] = bounds;
    filled(&said, &[html! { b class="number" { (ratio) } }, low, high])
}

/// Shows the score and its intervals: the one of the test, and the one that holds no matter why it stopped.
fn intervals(gate: &GateDocument, language: Language) -> Markup {
    let ends = |Interval { low, high }: Interval| {
        let [from, to] = [low, high].map(|end| language.percent(end, 1));
        language.say(tournament::FromTo { from, to })
    };
    let said = |estimate: &AnytimeEstimate| {
        let (score, interval) = (SLOTS[0], ends(estimate.score_interval));
        match &gate.test.stagewise {
            Some(stagewise) => {
                let (level, tested) = (language.percent(stagewise.level, 0), ends(stagewise.score_interval));
                language.say(text::ScoreAndTest { score, interval, level, tested })
            }
            None => language.say(text::ScoreAsPlayed { score, interval }),
        }
    };
    html! {
        @if let Some(estimate) = gate.test.estimate.as_ref().filter(|_| !gate.same_bots) {
            p { (filled(&said(estimate), &[html! { b class="number" { (language.percent(estimate.score, 1)) } }])) }
        }
    }
}
