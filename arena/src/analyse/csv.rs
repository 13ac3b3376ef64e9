//! An analysis as comma-separated values: a header and a line for each legal action of each decision.

use super::summary::Analysis;
use super::values::{AnalysedMatch, EvaluatedAction, EvaluatedDecision};
use crate::report::column::{Column, csv};
use crate::report::csv::quoted;

/// What the columns mean.
pub const COLUMNS: &str = "\
Columns of --csv, a line for each legal action: match; place (rR.tT, indices into the record from 0); seat; bot; turn (the seat's \
questions, from 1); action; taken, best (1 or 0); chance and chance_se (to win the match, 0 to 1), points and points_se (gained in the \
round on the best of the others): what the action is worth and its standard error; lost_chance, lost_chance_se, lost_points, \
lost_points_se (what the decision gave away, empty after a fault); blunder (its kind; empty if it is not certain to be one).";

type Row<'a> = (&'a AnalysedMatch, &'a EvaluatedDecision, &'a EvaluatedAction);

/// All decisions.
pub fn text(analysis: &Analysis) -> String {
    let rows: Vec<Row<'_>> = analysis
        .matches
        .iter()
        .flat_map(|analysed| analysed.decisions.iter().map(move |decision| (analysed, decision)))
        .flat_map(|(analysed, decision)| {
            decision.actions.iter().map(move |action| (analysed, decision, action))
        })
        .collect();
    csv(&columns(), &rows)
}

fn columns<'a>() -> [Column<'a, Row<'a>>; 17] {
    let lost = |of: fn(&super::Loss) -> f64| {
        move |(_, decision, _): &Row<'_>| {
            decision.lost.as_ref().map_or_else(String::new, |lost| of(lost).to_string())
        }
    };
    [
        Column::words("match", |(analysed, ..): &Row<'_>| quoted(&analysed.id)),
        Column::words("place", |(_, decision, _): &Row<'_>| decision.turn_ref.to_string()),
        Column::number("seat", |(_, decision, _): &Row<'_>| decision.seat.to_string()),
        Column::words("bot", |(analysed, decision, _): &Row<'_>| quoted(&analysed.bots[decision.seat])),
        Column::number("turn", |(_, decision, _): &Row<'_>| decision.turn.to_string()),
        Column::words("action", |(.., evaluated): &Row<'_>| evaluated.action.to_string()),
        Column::number("taken", |(_, decision, evaluated): &Row<'_>| {
            yes(decision.taken == Some(evaluated.action))
        }),
        Column::number("best", |(_, decision, evaluated): &Row<'_>| yes(decision.best == evaluated.action)),
        Column::number("chance", |(.., evaluated): &Row<'_>| evaluated.chance.mean.to_string()),
        Column::number("chance_se", |(.., evaluated): &Row<'_>| evaluated.chance.se.to_string()),
        Column::number("points", |(.., evaluated): &Row<'_>| evaluated.points.mean.to_string()),
        Column::number("points_se", |(.., evaluated): &Row<'_>| evaluated.points.se.to_string()),
        Column::number("lost_chance", lost(|lost| lost.chance.mean)),
        Column::number("lost_chance_se", lost(|lost| lost.chance.se)),
        Column::number("lost_points", lost(|lost| lost.points.mean)),
        Column::number("lost_points_se", lost(|lost| lost.points.se)),
        Column::words("blunder", |(_, decision, _): &Row<'_>| {
            let kind = decision.blunder.and_then(|kind| serde_json::to_value(kind).ok());
            kind.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
        }),
    ]
}

fn yes(is: bool) -> String {
    u8::from(is).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::csv::named_in;

    #[test]
    fn help_names_every_column_of_an_analysis() {
        assert_eq!(named_in(COLUMNS), columns().iter().map(|column| &*column.title).collect::<Vec<_>>());
    }
}
