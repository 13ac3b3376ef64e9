//! Scores without luck, beside the raw ones: only where `leyden luck` has kept them, and where they gain enough.

use leyden_stats::AdjustedEstimate;
use maud::{Markup, html};

use super::words::{of, percent};
use crate::report::luck::MeanScore;
use crate::report::{LuckPairing, LuckReport};
use crate::web::replay::printable;

/// Half-width of a 95 % interval in standard errors.
const HALF_WIDTH: f64 = 1.96;

/// The pairings that gain most, at most so many.
pub(super) fn card(report: Option<&LuckReport>, most: usize) -> Markup {
    let mut worth: Vec<(f64, &LuckPairing)> = report
        .iter()
        .flat_map(|report| &report.pairings)
        .filter_map(|pairing| Some((pairing.gain()?, pairing)))
        .collect();
    worth.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    html! {
        @if !worth.is_empty() {
            section class="card" id="luck" {
                h2 { "Without luck" span class="muted plain" { " — what deals and draws gave, taken out; raw scores stay the official ones" } }
                ul {
                    @for (gain, pairing) in worth.iter().take(most) {
                        @let [one, two] = &pairing.bots;
                        li {
                            b { (printable(one)) } " against " b { (printable(two)) } ": score "
                            (mean(pairing.raw)) " · without luck " (mean(pairing.adjusted))
                            " (as good as " (format!("{gain:.1}")) " times the matches)"
                        }
                    }
                }
                @if worth.len() > most {
                    p class="muted" { (of((worth.len() - most) as u64, "more pairing", "more pairings")) " gain less." }
                }
            }
        }
    }
}

/// The same of a gate that takes luck out.
pub(super) fn of_gate(estimate: Option<&AdjustedEstimate>) -> Markup {
    html! {
        @if let Some((estimate, gain)) = estimate.and_then(|estimate| Some((estimate, estimate.gain()?))) {
            p {
                "Score without luck " b class="number" { (percent(estimate.score, 1)) } " (95 %, at any time: "
                (percent(estimate.score_interval.low, 1)) " to " (percent(estimate.score_interval.high, 1))
                "), as good as " (format!("{gain:.1}")) " times the pairs"
            }
        }
    }
}

fn mean(MeanScore { score, se }: MeanScore) -> String {
    format!("{} ± {:.1}", percent(score, 1), 100.0 * HALF_WIDTH * se)
}
