//! Scores without luck, next to the raw ones. Shown only if `leyden luck` stored them, and if they gain enough.

use leyden_stats::{AdjustedEstimate, Holds, Interval};
use maud::{Markup, html};

use super::words::{of, percent, signed};
use crate::replay::printable;
use leyden_arena::report::luck::{MeanScore, RatingEstimate};
use leyden_arena::report::{LuckPairing, LuckRating, LuckReport};

/// Shows the pairings that gain most, at most `most` of them.
pub(super) fn card(report: Option<&LuckReport>, most: usize) -> Markup {
    let mut worth: Vec<(Interval, &LuckPairing)> = report
        .iter()
        .flat_map(|report| &report.pairings)
        .filter_map(|pairing| Some((pairing.gain()?, pairing)))
        .collect();
    worth.sort_by(|(one, _), (other, _)| other.low.total_cmp(&one.low));
    let when = match report.map(|report| report.holds) {
        Some(Holds::AtAnyTime) => "± 95 % at any time",
        _ => "± 95 %",
    };
    html! {
        @if !worth.is_empty() {
            section class="card" id="luck" {
                h2 {
                    "Without luck"
                    span class="muted plain" { " — " (when) ", the effect of deals and draws removed; the raw scores remain official" }
                }
                ul {
                    @for (gain, pairing) in worth.iter().take(most) {
                        @let [one, two] = &pairing.bots;
                        li {
                            b { (printable(one)) } " against " b { (printable(two)) } ": score "
                            (mean(pairing.raw)) " · without luck " (mean(pairing.adjusted))
                            " (as good as " (format!("{:.1} to {:.1}", gain.low, gain.high)) " times the matches)"
                        }
                    }
                }
                @if worth.len() > most {
                    p class="muted" { (of((worth.len() - most) as u64, "more pairing", "more pairings")) " gain less." }
                }
                @if let Some(report) = report.filter(|report| report.ratings_gain()) { (ratings(report)) }
            }
        }
    }
}

/// Lists each bot's rating, from the strongest down.
fn ratings(report: &LuckReport) -> Markup {
    let mut sorted: Vec<&LuckRating> = report.ratings.iter().collect();
    sorted.sort_by(|one, other| other.adjusted.elo.total_cmp(&one.adjusted.elo));
    let told =
        |RatingEstimate { elo, half_width }: RatingEstimate| format!("{} ± {half_width:.0}", signed(elo, 0));
    html! {
        p { "Ratings without luck:" }
        ul {
            @for rating in sorted {
                li { b { (printable(&rating.bot)) } " " (told(rating.raw)) " · without luck " (told(rating.adjusted)) }
            }
        }
    }
}

/// Shows the score without luck of a gate that uses it, after so many pairs.
pub(super) fn of_gate(estimate: Option<&AdjustedEstimate>, pairs: u64) -> Markup {
    html! {
        @if let Some(estimate) = estimate.filter(|estimate| estimate.gains(pairs)) {
            p {
                "Score without luck " b class="number" { (percent(estimate.score, 1)) } " (95 %, at any time: "
                (percent(estimate.score_interval.low, 1)) " to " (percent(estimate.score_interval.high, 1)) ")"
            }
        }
    }
}

fn mean(mean: MeanScore) -> String {
    let half = mean.half_width.map(|half| format!(" ± {:.1}", 100.0 * half));
    percent(mean.score, 1) + &half.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use leyden_arena::record::sample;

    fn rating(bot: &str, ratio: f64) -> LuckRating {
        let of = |half_width| RatingEstimate { elo: 12.4, half_width };
        LuckRating { bot: bot.to_owned(), raw: of(20.0), adjusted: of(20.0 * ratio.sqrt()) }
    }

    /// Returns a report on two bots, in which the variance of a pair is reduced to this share.
    fn report(ratio: f64) -> LuckReport {
        let stored_plan = sample::stored_plan(2, 1);
        let mean = |score, se| MeanScore { score, se, half_width: Some(1.984 * se) };
        LuckReport {
            v: 1,
            luck_version: leyden_luck::LUCK_VERSION,
            playouts: leyden_luck::PLAYOUTS,
            tournament: stored_plan.tournament_seed().tournament_id(),
            rules: stored_plan.record_rules(),
            holds: Holds::AtPlannedEnd,
            matches: 2,
            pairings: vec![LuckPairing {
                bots: ["<one>".to_owned(), "two".to_owned()],
                pairs: 100,
                raw: mean(0.581, 0.017),
                adjusted: mean(0.591, 0.013),
                variance_ratio: Some(ratio),
                variance_ratio_interval: Some(Interval { low: ratio / 1.25, high: ratio * 1.25 }),
            }],
            ratings: ["<one>", "two"].map(|bot| rating(bot, ratio)).to_vec(),
            left_out: None,
        }
    }

    #[test]
    fn pairings_that_gain_less_than_a_tenth_are_left_out() {
        let shown = card(Some(&report(0.5)), 6).into_string();
        assert!(
            shown.contains("58.1 % ± 3.4 · without luck 59.1 % ± 2.6 (as good as 1.6 to 2.5 times"),
            "{shown}"
        );
        assert!(shown.contains("&lt;one&gt;</b> +12 ± 20 · without luck +12 ± 14"), "{shown}");
        assert!(card(Some(&report(0.5)), 0).into_string().contains("1 more pairing"));
        assert_eq!(card(Some(&report(0.92)), 6).into_string(), "");
        assert_eq!(card(None, 6).into_string(), "");
        let mut few = report(0.5);
        (few.pairings[0].pairs, few.pairings[0].variance_ratio_interval) = (19, None);
        assert_eq!(card(Some(&few), 6).into_string(), "", "few pairs say little of the gain");
    }
}
