//! Scores without luck as text.

use leyden_arena::report::column::Column;
use leyden_arena::report::{LuckPairing, LuckRating, LuckReport};
use leyden_language::numbers::{fixed, plus_minus};
use leyden_stats::{AdjustedEstimate, FEWEST_FOR_SPREAD, FEWEST_TO_COMPARE, Holds, Interval};

use super::grid::{grid, or_dash, percent, plain, short};
use super::text::{holding, range};

/// Returns all pairings as a table.
pub(crate) fn luck_text(report: &LuckReport) -> String {
    if let Some(why) = &report.left_out {
        return format!("{}.\n", plain(why));
    }
    if report.pairings.is_empty() {
        return "No two bots have two complete pairs yet.\n".to_owned();
    }
    let all: Vec<&LuckPairing> = report.pairings.iter().collect();
    format!(
        "{}\nScores are the first bot's, ± 95 %{}. 'Without luck' removes what deals and draws gave: the mean stays \
        the same, with\nless chance in it. The last column says how many times as many matches would be as precise. The raw score \
        stays\nthe official one. \
        Shown from {FEWEST_TO_COMPARE} pairs on, and what it is worth from {FEWEST_FOR_SPREAD}.\n{}",
        table(&all),
        holding(report.holds),
        ratings(report).unwrap_or_default()
    )
}

/// Returns all ratings as a table, if they gain enough.
fn ratings(report: &LuckReport) -> Option<String> {
    if !report.ratings_gain() {
        return None;
    }
    let columns: [Column<'_, LuckRating>; 5] = [
        Column::words("bot", |rating: &LuckRating| short(&rating.bot)),
        Column::number("rating", |rating: &LuckRating| fixed(rating.raw.elo, 0)),
        Column::number("±", |rating: &LuckRating| fixed(rating.raw.half_width, 0)),
        Column::number("without luck", |rating: &LuckRating| fixed(rating.adjusted.elo, 0)),
        Column::number("±", |rating: &LuckRating| fixed(rating.adjusted.half_width, 0)),
    ];
    let table = grid(&columns, &report.ratings);
    Some(format!("\nRatings without luck, ± 95 %{}\n{table}", holding(report.holds)))
}

/// Returns the pairings that gain enough to be shown beside the standings.
pub(crate) fn for_standings(report: &LuckReport) -> Option<String> {
    let worth: Vec<&LuckPairing> =
        report.pairings.iter().filter(|pairing| pairing.gain().is_some()).collect();
    let when = holding(report.holds);
    let scores = (!worth.is_empty()).then(|| format!("\nWithout luck, ± 95 %{when}\n{}", table(&worth)));
    let luck_text: String = scores.into_iter().chain(ratings(report)).collect();
    (!luck_text.is_empty()).then_some(luck_text)
}

/// Returns the score of one pairing without luck, on a line, or why it is not shown: from as many pairs on as in the table.
pub(crate) fn line(pairing: &LuckPairing, holds: Holds) -> String {
    let Some(half) = pairing.adjusted.half_width else {
        return match pairing.pairs {
            0..FEWEST_TO_COMPARE => format!("shown from {FEWEST_TO_COMPARE} pairs on"),
            _ => "not shown: all pairs scored the same".to_owned(),
        };
    };
    let worth = match (pairing.worth(), pairing.gain()) {
        (_, Some(gain)) => format!("as good as {} the matches", times(gain)),
        (None, None) => format!("what that is worth is shown from {FEWEST_FOR_SPREAD} pairs on"),
        (Some(_), None) => return "not shown: it would be hardly more certain".to_owned(),
    };
    let when = holding(holds);
    let score = plus_minus(percent(pairing.adjusted.score) + " %", Some(percent(half)));
    format!("{score} (95 %{when}; {worth})")
}

/// Formats how many times, with 95 %.
fn times(worth: Interval) -> String {
    format!("{} times", range(worth, |end| fixed(end, 1)))
}

/// Returns the score of a gate without luck after this many pairs; the interval allows for stopping at any time.
pub(crate) fn gate_line(estimate: &AdjustedEstimate, pairs: u64) -> Option<String> {
    let interval = range(estimate.score_interval, percent);
    let score = percent(estimate.score);
    estimate.gains(pairs).then(|| format!("score {score} % (95 %, at any time: {interval})"))
}

fn table(pairings: &[&LuckPairing]) -> String {
    // If all pairs scored the same, there is nothing to take out; a few pairs say too little.
    let is_known =
        |pairing: &LuckPairing| pairing.variance_ratio.is_some() && pairing.pairs >= FEWEST_TO_COMPARE;
    let columns: [Column<'_, &LuckPairing>; 8] = [
        Column::words("first", |pairing: &&LuckPairing| short(&pairing.bots[0])),
        Column::words("second", |pairing: &&LuckPairing| short(&pairing.bots[1])),
        Column::number("pairs", |pairing: &&LuckPairing| pairing.pairs.to_string()),
        Column::share("score", |pairing: &&LuckPairing| percent(pairing.raw.score)),
        Column::number("±", |pairing: &&LuckPairing| or_dash(pairing.raw.half_width, percent)),
        Column::share("without luck", |pairing: &&LuckPairing| {
            or_dash(is_known(pairing).then_some(pairing.adjusted.score), percent)
        }),
        Column::number("±", |pairing: &&LuckPairing| {
            or_dash(pairing.adjusted.half_width.filter(|_| is_known(pairing)), percent)
        }),
        // With few pairs the spread is hardly known, and a ratio of two even less.
        Column::number("as good as", |pairing: &&LuckPairing| or_dash(pairing.worth(), times)),
    ];
    grid(&columns, pairings)
}

#[cfg(test)]
mod tests {
    use leyden_arena::report::luck::MeanScore;
    use leyden_stats::half_width_of_mean;

    use super::*;

    fn pairing(pairs: u64, ratio: f64) -> LuckPairing {
        let half_width = |se: f64| half_width_of_mean(se, pairs, Holds::AtPlannedEnd).filter(|_| pairs >= 10);
        LuckPairing {
            bots: ["one", "two"].map(str::to_owned),
            pairs,
            raw: MeanScore { score: 0.02, se: 0.02, half_width: half_width(0.02) },
            adjusted: MeanScore { score: -0.0003, se: 0.01, half_width: half_width(0.01) },
            variance_ratio: Some(ratio),
            variance_ratio_interval: (pairs >= 20)
                .then_some(Interval { low: ratio / 2.0, high: ratio * 2.0 }),
        }
    }

    #[test]
    fn score_without_luck_explains_why_it_is_hidden() {
        let line = |pairing: &LuckPairing| line(pairing, Holds::AtPlannedEnd);
        // Student's quantile of 19 degrees of freedom is 2.093.
        assert_eq!(line(&pairing(20, 0.25)), "0.0 % ± 2.1 (95 %; as good as 2.0 to 8.0 times the matches)");
        assert_eq!(
            line(&pairing(10, 0.25)),
            "0.0 % ± 2.3 (95 %; what that is worth is shown from 20 pairs on)"
        );
        assert_eq!(line(&pairing(9, 0.25)), "shown from 10 pairs on");
        let all_alike = MeanScore { score: 0.5, se: 0.0, half_width: None };
        let even = LuckPairing {
            raw: all_alike,
            adjusted: all_alike,
            variance_ratio: None,
            variance_ratio_interval: None,
            ..pairing(30, 1.0)
        };
        assert_eq!(line(&even), "not shown: all pairs scored the same");
        assert_eq!(line(&pairing(1_000, 0.95)), "not shown: it would be hardly more certain");
        let row = |pairs| {
            let table = table(&[&pairing(pairs, 0.25)]);
            table.lines().last().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(row(10), "one two 10 2.0 4.5 0.0 2.3 –");
        assert_eq!(row(9), "one two 9 2.0 – – – –");
    }
}
