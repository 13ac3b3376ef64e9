//! Scores without luck, next to the raw ones. Shown only if `leyden luck` stored them, and if they gain enough. In sentences,
//! as these are few; the table of `leyden luck` has all pairings.

use leyden_language::numbers::{percent, plus_minus};
use leyden_language::{Language, text::checks as text};
use leyden_stats::{AdjustedEstimate, Holds, Interval};
use maud::{Markup, html};

use super::words::counted;
use crate::replay::printable;
use crate::slots::{SLOTS, filled};
use leyden_arena::report::luck::{MeanScore, RatingEstimate};
use leyden_arena::report::{LuckPairing, LuckRating, LuckReport};

/// Shows the pairings that gain most, at most `most` of them.
pub(super) fn card(report: Option<&LuckReport>, most: usize, language: Language) -> Markup {
    let mut worth: Vec<(Interval, &LuckPairing)> = report
        .iter()
        .flat_map(|report| &report.pairings)
        .filter_map(|pairing| Some((pairing.gain()?, pairing)))
        .collect();
    worth.sort_by(|(one, _), (other, _)| other.low.total_cmp(&one.low));
    let any_time = report.is_some_and(|report| report.holds == Holds::AtAnyTime);
    html! {
        @if !worth.is_empty() {
            section class="card" id="luck" {
                h2 {
                    (language.say(text::WithoutLuck))
                    span class="muted plain" { " — " (language.say(text::LuckRemoved { any_time })) }
                }
                ul {
                    @for (gain, pairing) in worth.iter().take(most) {
                        li { (line(gain, pairing, language)) }
                    }
                }
                @if worth.len() > most {
                    p class="muted" { (counted!(language, text::GainLess, (worth.len() - most) as u64)) }
                }
                @if let Some(report) = report.filter(|report| report.ratings_gain()) { (ratings(report, language)) }
            }
        }
    }
}

fn line(gain: &Interval, pairing: &LuckPairing, language: Language) -> Markup {
    let said = text::PairingWithoutLuck {
        one: SLOTS[0],
        other: SLOTS[1],
        raw: mean(pairing.raw, language),
        adjusted: mean(pairing.adjusted, language),
        low: language.decimal(gain.low, 1),
        high: language.decimal(gain.high, 1),
    };
    let bots = pairing.bots.each_ref().map(|bot| html! { b { (printable(bot)) } });
    filled(&language.say(said), &bots)
}

/// Lists each bot's rating, from the strongest down.
fn ratings(report: &LuckReport, language: Language) -> Markup {
    let mut sorted: Vec<&LuckRating> = report.ratings.iter().collect();
    sorted.sort_by(|one, other| other.adjusted.elo.total_cmp(&one.adjusted.elo));
    let interval = |RatingEstimate { elo, half_width }: RatingEstimate| {
        plus_minus(language.signed(elo, 0), Some(language.decimal(half_width, 0)))
    };
    let line = |rating: &LuckRating| {
        let (raw, adjusted) = (interval(rating.raw), interval(rating.adjusted));
        let said = text::RatingWithoutLuck { bot: SLOTS[0], raw, adjusted };
        filled(&language.say(said), &[html! { b { (printable(&rating.bot)) } }])
    };
    html! {
        p { (language.say(text::RatingsWithoutLuck)) }
        ul {
            @for rating in sorted {
                li { (line(rating)) }
            }
        }
    }
}

/// Shows the score without luck of a gate that uses it, after this many pairs.
pub(super) fn for_gate(estimate: Option<&AdjustedEstimate>, pairs: u64, language: Language) -> Markup {
    html! {
        @if let Some(estimate) = estimate.filter(|estimate| estimate.gains(pairs)) {
            @let [low, high] = [estimate.score_interval.low, estimate.score_interval.high].map(|end| language.percent(end, 1));
            @let said = language.say(text::GateWithoutLuck { score: SLOTS[0], low, high });
            p { (filled(&said, &[html! { b class="number" { (language.percent(estimate.score, 1)) } }])) }
        }
    }
}

fn mean(mean: MeanScore, language: Language) -> String {
    let half_width = mean.half_width.map(|half| language.number(&percent(half, 1)));
    plus_minus(language.percent(mean.score, 1), half_width)
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
    fn pairings_gaining_under_a_tenth_are_left_out() {
        let shown = card(Some(&report(0.5)), 6, Language::English).into_string();
        assert!(
            shown.contains("58.1 % ± 3.4 · without luck 59.1 % ± 2.6 (as good as 1.6 to 2.5 times"),
            "{shown}"
        );
        assert!(shown.contains("&lt;one&gt;</b> +12 ± 20 · without luck +12 ± 14"), "{shown}");
        assert!(card(Some(&report(0.5)), 0, Language::English).into_string().contains("1 more pairing"));
        assert_eq!(card(Some(&report(0.92)), 6, Language::English).into_string(), "");
        assert_eq!(card(None, 6, Language::English).into_string(), "");
        let mut few = report(0.5);
        (few.pairings[0].pairs, few.pairings[0].variance_ratio_interval) = (19, None);
        assert_eq!(
            card(Some(&few), 6, Language::English).into_string(),
            "",
            "few pairs say little of the gain"
        );
    }
}
