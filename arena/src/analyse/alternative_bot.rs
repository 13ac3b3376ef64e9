//! Where another bot would have played differently in recorded matches, and what that would have been worth.

use std::collections::BTreeMap;

use leyden_model::TurnRef;
use leyden_protocol::{Action, Seat};
use leyden_referee::Launch;
use schemars::JsonSchema;
use serde::Serialize;

use super::evaluator::DecisionEvaluator;
use super::match_mean::MatchMean;
use super::values::Loss;
use crate::rerun::{BotReply, RecordedMatch, RerunError, answers, block_on, each_turn};

/// What another bot would have done in place of those that played.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AlternativeBot {
    pub bot: String,
    pub matches: u64,
    /// How many decisions it was asked for.
    pub decisions: u64,
    /// How many of its answers were faults.
    pub faults: u64,
    /// Where it would have played differently; what it would have gained most first.
    pub choices: Vec<AlternativeChoice>,
    /// What its choices would have gained in a match, as a mean with its error over matches.
    pub gained_chance: MatchMean,
    /// The same in points gained on the best of the others.
    pub gained_points: MatchMean,
}

/// An answer that differs from what was played.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AlternativeChoice {
    #[serde(rename = "match")]
    pub id: String,
    pub seat: Seat,
    #[serde(rename = "place")]
    pub turn_ref: TurnRef,
    pub taken: Action,
    pub other: Action,
    /// What its choice would have gained; negative if what was played is better.
    pub gained: Loss,
}

/// Asks a bot every question to these seats of recorded matches. `launch` returns how to start it for a match.
pub fn ask_alternative(
    bot: &str,
    matches: &[(RecordedMatch, Vec<Seat>)],
    launch: &mut dyn FnMut(&RecordedMatch) -> Result<Launch, RerunError>,
) -> Result<AlternativeBot, RerunError> {
    let mut report = AlternativeBot {
        bot: bot.to_owned(),
        matches: matches.len() as u64,
        decisions: 0,
        faults: 0,
        choices: Vec::new(),
        gained_chance: MatchMean::from_sums(&[]),
        gained_points: MatchMean::from_sums(&[]),
    };
    let (mut chances, mut points) = (Vec::new(), Vec::new());
    for (recorded, seats) in matches {
        let begun = report.choices.len();
        for &seat in seats {
            in_seat(recorded, seat, &launch(recorded)?, &mut report)?;
        }
        let gained =
            |of: fn(&Loss) -> f64| report.choices[begun..].iter().map(|choice| of(&choice.gained)).sum();
        chances.push(gained(|gained| gained.chance.mean));
        points.push(gained(|gained| gained.points.mean));
    }
    (report.gained_chance, report.gained_points) =
        (MatchMean::from_sums(&chances), MatchMean::from_sums(&points));
    report.choices.sort_by(|one, other| other.gained.chance.mean.total_cmp(&one.gained.chance.mean));
    Ok(report)
}

fn in_seat(
    recorded: &RecordedMatch,
    seat: Seat,
    launch: &Launch,
    report: &mut AlternativeBot,
) -> Result<(), RerunError> {
    let given = block_on(answers(recorded, launch, seat))??;
    let mut otherwise: BTreeMap<TurnRef, Action> = BTreeMap::new();
    for answer in &given {
        report.decisions += 1;
        match answer.now {
            BotReply::Fault { .. } => report.faults += 1,
            BotReply::Action(action) if answer.recorded.is_some_and(|recorded| recorded != action) => {
                otherwise.insert(answer.turn_ref, action);
            }
            BotReply::Action(_) | BotReply::Ready => {}
        }
    }
    let evaluator = DecisionEvaluator::new(launch.rules, &recorded.record().id);
    each_turn(recorded, seat, &mut |asked| {
        if let (Some(&other), Some(taken)) = (otherwise.get(&asked.turn_ref), asked.answer)
            && let Some(gained) = evaluator.gain(asked.turn, other, taken)
        {
            let (id, turn_ref) = (recorded.record().id.clone(), asked.turn_ref);
            report.choices.push(AlternativeChoice { id, seat, turn_ref, taken, other, gained });
        }
        Ok(())
    })
}
