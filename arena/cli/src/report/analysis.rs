//! What decisions were worth, as text.

use std::fmt::Write as _;

use leyden_arena::analyse::{
    AlternativeBot, AlternativeChoice, AnalysedMatch, Analysis, BotAnalysis, Estimate, EvaluatedAction,
    EvaluatedDecision, WorstDecision,
};
use leyden_arena::narrate::words::named;
use leyden_arena::report::column::Column;
use leyden_language::numbers::{fixed, plus_minus, signed};
use leyden_language::{Language, numbers};
use leyden_model::words::counted;

use super::grid::{grid, percent, plain, short};

/// How many of the choices of another bot are listed.
const CHOICES: usize = 10;

/// Returns an analysis as tables; with `decisions` every decision with every legal action.
pub(crate) fn analysis_text(analysis: &Analysis, decisions: bool) -> String {
    let mut text = what_was_analysed(analysis);
    text += &bots(&analysis.bots);
    text += "What decisions gave away is summed over a match, and can come to more than 100 %.\n";
    text += &worst(analysis);
    if let Some(other) = &analysis.other {
        text += &alternative_sentence(other);
    }
    if decisions {
        for analysed in &analysis.matches {
            text += &every_decision(analysed);
        }
    }
    text
}

fn what_was_analysed(analysis: &Analysis) -> String {
    let sampled = analysis.sampled;
    let matches = counted(sampled.matches, "match", "matches");
    let sample = if sampled.matches < sampled.of {
        format!("a random sample of {matches} of {}, the same one every time", sampled.of)
    } else {
        matches
    };
    format!(
        "{sample}; values by the evaluation of strong, over up to {} deals that fit what the seat had seen; ± is one standard error\n\n",
        analysis.deals
    )
}

fn bots(bots: &[BotAnalysis]) -> String {
    let columns: [Column<'_, BotAnalysis>; 8] = [
        Column::words("bot", |bot: &BotAnalysis| short(&bot.bot)),
        Column::number("matches", |bot: &BotAnalysis| bot.matches.to_string()),
        Column::number("decisions", |bot: &BotAnalysis| bot.decisions.to_string()),
        Column::share("agrees", |bot: &BotAnalysis| {
            numbers::percent(bot.agreed as f64 / bot.decisions.max(1) as f64, 0)
        }),
        Column::number("gave away a match, %", |bot: &BotAnalysis| {
            chance(bot.lost_chance.mean, bot.lost_chance.se)
        }),
        Column::number("points", |bot: &BotAnalysis| points(bot.lost_points.mean, bot.lost_points.se)),
        Column::number("blunders", |bot: &BotAnalysis| bot.blunders.to_string()),
        Column::words("of these", |bot: &BotAnalysis| {
            let kinds =
                bot.kinds.iter().map(|(kind, count)| format!("{count} {}", kind.in_words(Language::English)));
            kinds.collect::<Vec<_>>().join(", ")
        }),
    ];
    grid(&columns, bots)
}

fn points(mean: f64, se: Option<f64>) -> String {
    plus_minus(fixed(mean, 1), se.map(|se| fixed(se, 1)))
}

/// A chance in per cent with its error.
fn chance(mean: f64, se: Option<f64>) -> String {
    plus_minus(percent(mean), se.map(percent))
}

fn share(estimate: Estimate) -> String {
    chance(estimate.mean, Some(estimate.se))
}

fn worst(analysis: &Analysis) -> String {
    if analysis.worst.is_empty() {
        return "\nNo decision is certain to have been a blunder.\n".to_owned();
    }
    let columns: [Column<'_, WorstDecision>; 8] = [
        Column::words("match", |worst: &WorstDecision| plain(&worst.id)),
        Column::number("round", |worst: &WorstDecision| (worst.round + 1).to_string()),
        Column::words("turn", |worst: &WorstDecision| worst.turn_ref.to_string()),
        Column::words("bot", |worst: &WorstDecision| short(&worst.bot)),
        Column::share("gave away", |worst: &WorstDecision| share(worst.lost.chance)),
        Column::words("it did", |worst: &WorstDecision| named(Language::English, worst.taken)),
        Column::words("better", |worst: &WorstDecision| named(Language::English, worst.best)),
        Column::words("so it", |worst: &WorstDecision| worst.kind.in_words(Language::English)),
    ];
    format!("\nThe worst blunders\n{}", grid(&columns, &analysis.worst))
}

fn alternative_sentence(other: &AlternativeBot) -> String {
    let mut text = format!(
        "\n{} answered {} of {} and chose differently {}; its choices would have gained {} % and {} points a match\n",
        plain(&other.bot),
        counted(other.decisions, "question", "questions"),
        counted(other.matches, "match", "matches"),
        counted(other.choices.len() as u64, "time", "times"),
        chance(other.gained_chance.mean, other.gained_chance.se),
        points(other.gained_points.mean, other.gained_points.se),
    );
    if other.faults > 0 {
        let _ = writeln!(text, "it also answered with {}", counted(other.faults, "fault", "faults")); // a String can be written to
    }
    let columns: [Column<'_, AlternativeChoice>; 5] = [
        Column::words("match", |choice: &AlternativeChoice| plain(&choice.id)),
        Column::words("turn", |choice: &AlternativeChoice| choice.turn_ref.to_string()),
        Column::words("played", |choice: &AlternativeChoice| named(Language::English, choice.taken)),
        Column::words("it would", |choice: &AlternativeChoice| named(Language::English, choice.other)),
        Column::share("gaining", |choice: &AlternativeChoice| share(choice.gained.chance)),
    ];
    let most = other.choices.len().min(CHOICES);
    if most > 0 {
        text += &grid(&columns, &other.choices[..most]);
    }
    if other.choices.len() > 2 * CHOICES {
        text += "…\n";
    }
    if other.choices.len() > CHOICES {
        let least = other.choices.len().saturating_sub(CHOICES).max(most);
        text += &grid(&columns, &other.choices[least..]);
    }
    text
}

/// Every decision of a match, each with every legal action.
fn every_decision(analysed: &AnalysedMatch) -> String {
    let mut text = format!("\nmatch {}\n", plain(&analysed.id));
    for decision in &analysed.decisions {
        let round = decision.round + 1;
        let bot = short(&analysed.bots[decision.seat]);
        let blunder =
            decision.blunder.map(|kind| format!("; a blunder: it {}", kind.in_words(Language::English)));
        let lost = decision.lost.map_or_else(
            || "a fault".to_owned(),
            |lost| {
                format!(
                    "gave away {} %, {} points",
                    share(lost.chance),
                    points(lost.points.mean, Some(lost.points.se))
                )
            },
        );
        // A String can be written to.
        let (turn_ref, blunder) = (decision.turn_ref, blunder.unwrap_or_default());
        let _ = writeln!(text, "round {round}, {turn_ref} {bot}: {lost}{blunder}");
        text += &grid(&actions(decision), &decision.actions);
    }
    text
}

fn actions(decision: &EvaluatedDecision) -> [Column<'_, EvaluatedAction>; 4] {
    let mark = |evaluated: &EvaluatedAction| match (
        decision.taken == Some(evaluated.action),
        decision.best == evaluated.action,
    ) {
        (true, true) => "taken, best",
        (true, false) => "taken",
        (false, true) => "best",
        (false, false) => "",
    };
    [
        Column::words("  action", |evaluated: &EvaluatedAction| format!("  {}", evaluated.action)),
        Column::share("wins", |evaluated: &EvaluatedAction| share(evaluated.chance)),
        Column::number("points", |evaluated: &EvaluatedAction| {
            plus_minus(signed(evaluated.points.mean, 1), Some(fixed(evaluated.points.se, 1)))
        }),
        Column::words("", move |evaluated: &EvaluatedAction| mark(evaluated).to_owned()),
    ]
}
