//! A match of two bots: score and margin of the first one, with intervals.

use leyden_arena::report::Versus;
use leyden_language::numbers::{self, fixed, plus_minus, signed};
use leyden_model::words::counted;
use leyden_stats::{BlocksRange, FEWEST_TO_COMPARE, Interval, MatchEstimate, PairingGain};

use super::parts::{
    elo, elo_range, heading, holding, kinds, listed, out_of, p_value, pairs_done, range, sides, two,
};
use crate::report::figures::Figures;
use crate::report::grid::{percent, plain};
use crate::report::luck;

/// The figures that are always shown; the others are statistics for those who want them.
const BRIEF: [&str; 5] = ["matches", "pairs", "score", "margin", "without luck"];

/// Returns a match of two bots as text: who is stronger, the first one's score and margin with intervals, and with `verbose` all
/// statistics.
pub(crate) fn versus(versus: &Versus, verbose: bool) -> String {
    let mut text = format!("{}\n", verdict(versus));
    text.push_str(&heading(versus.rules, versus.better));
    text.push('\n');
    let mut figures = versus_figures(versus);
    let all = figures.len();
    figures.retain(|(name, _)| verbose || BRIEF.contains(name));
    text.push_str(&listed(&figures));
    if figures.len() < all {
        text.push_str("(-v prints the statistics)\n");
    }
    text.push('\n');
    text.push_str(&sides(versus.bots.each_ref()));
    text
}

/// Says in one sentence which of the two is stronger, by the score.
fn verdict(versus: &Versus) -> String {
    let [one, two] = versus.bots.each_ref().map(|side| plain(&side.name));
    let Some(estimate) = versus.estimate.as_ref().filter(|estimate| estimate.blocks >= FEWEST_TO_COMPARE)
    else {
        return format!("{one} against {two}: too few pairs to say which is stronger");
    };
    let score = percent(estimate.score);
    let scored = |interval: Interval| format!("it scores {score} % (95 %: {})", range(interval, percent));
    match estimate.score_interval {
        Some(interval) if interval.low > 0.5 => format!("{one} is stronger than {two}: {}", scored(interval)),
        Some(interval) if interval.high < 0.5 => format!("{one} is weaker than {two}: {}", scored(interval)),
        Some(interval) => {
            format!("{one} against {two}: too close to say which is stronger: {}", scored(interval))
        }
        None => format!("{one} against {two}: {score} %"),
    }
}

/// Returns the figures of a match, for people and for JUnit.
pub(crate) fn versus_figures(versus: &Versus) -> Figures {
    let mut figures = vec![("matches", out_of(versus.matches.played, versus.matches.planned))];
    figures.push(("pairs", pairs_done(&versus.pairs)));
    match &versus.estimate {
        Some(estimate) => estimate_figures(estimate, &mut figures),
        None => figures.push(("score", "no pair is complete yet".to_owned())),
    }
    // Both hold when the tally does.
    let luck = versus.luck.as_ref().zip(versus.estimate.as_ref());
    figures.extend(luck.map(|(luck, estimate)| ("without luck", luck::line(luck, estimate.holds))));
    figures
}

fn estimate_figures(estimate: &MatchEstimate, figures: &mut Figures) {
    if estimate.blocks < FEWEST_TO_COMPARE {
        figures.push(("score", too_few(estimate)));
        return;
    }
    if let Some(counts) = &estimate.counts {
        figures.push(("kinds of pair", kinds(counts)));
    }
    let when = holding(estimate.holds);
    let at95 =
        |interval: Option<String>| interval.map_or_else(String::new, |text| format!(" (95 %{when}: {text})"));
    let score = estimate.score_interval.map(|interval| range(interval, percent));
    figures.push(("score", format!("{} %{}", percent(estimate.score), at95(score))));
    figures.push(("Elo", format!("{}{}", elo(estimate.elo), at95(estimate.elo_interval.map(elo_range)))));
    if let Some(elo) = estimate.normalised_elo {
        let error = estimate.normalised_elo_error95.map(|error| fixed(error, 0));
        let holds = error.as_ref().map_or_else(String::new, |_| format!(" (95 %{when})"));
        figures.push(("normalised Elo", plus_minus(signed(elo.get(), 0), error) + &holds));
    }
    if let Some(margin) = &estimate.margin {
        let interval = margin.interval.map(|interval| range(interval, |points| signed(points, 1)));
        figures.push(("margin", format!("{} points{}", signed(margin.mean, 1), at95(interval))));
    }
    if let Some(p) = estimate.p_value {
        figures.push(("p-value", format!("{}: of such a score between equally strong bots", p_value(p))));
    }
    if let Some(gain) = &estimate.pairing {
        figures.push(("duplicate deals", gain_words(gain)));
    }
    if let Some(BlocksRange { low, high }) =
        estimate.blocks_for_ten_elo.filter(|blocks| blocks.high > estimate.blocks)
    {
        figures.push(("for ±10 Elo", format!("{low} to {high} blocks in all")));
    }
}

/// Returns what little a few pairs say.
fn too_few(estimate: &MatchEstimate) -> String {
    let whole = |share: f64| numbers::percent(share, 0);
    let interval = estimate.score_interval;
    let when = holding(estimate.holds);
    let interval =
        interval.map_or_else(String::new, |interval| format!(", 95 %{when}: {}", range(interval, whole)));
    let pairs = counted(estimate.blocks, "pair", "pairs");
    format!("{pairs}: too few to compare the bots (score {} %{interval})", whole(estimate.score))
}

fn gain_words(gain: &PairingGain) -> String {
    let factor = match (gain.gain, gain.gain_low) {
        (Some(gain), _) => format!("worth {} times as many single deals", two(gain)),
        (None, Some(low)) => format!("worth at least {} times as many single deals", two(low)),
        (None, None) => "every pair was even".to_owned(),
    };
    format!("ρ {} (95 %: {}): {factor}", two(gain.rho), range(gain.rho_interval, two))
}

#[cfg(test)]
mod tests {
    use leyden_stats::{Holds, Margin, PairingTally, Score};

    use super::*;

    #[test]
    fn normalised_elo_has_its_error_and_validity() {
        let mut tally = PairingTally::new(2);
        for pair in 0..40 {
            let score = if pair % 2 == 0 { Score::new(2, 0, 0) } else { Score::new(1, 0, 1) };
            tally.record(score, Margin { sum: 10, matches: 2 }).unwrap();
        }
        for (holds, end) in [(Holds::AtPlannedEnd, " (95 %)"), (Holds::AtAnyTime, " (95 %, at any time)")] {
            let mut figures = Figures::new();
            estimate_figures(&MatchEstimate::from_tally(&tally, holds).unwrap(), &mut figures);
            let (_, elo) = figures.iter().find(|(name, _)| *name == "normalised Elo").unwrap();
            assert!(elo.starts_with('+') && elo.contains(" ± ") && elo.ends_with(end), "{elo}");
        }
    }
}
