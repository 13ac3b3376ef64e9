//! By how much a match was won, and the moment that decided it: after which the winner's chance never fell below one half again, if the
//! match was analysed; otherwise the round after which it was ahead for good.

use leyden_arena::analyse::AnalysedMatch;
use leyden_arena::narrate::words::named;
use leyden_language::{Language, numbers, text::stage as text};
use leyden_model::MatchRecord;
use leyden_protocol::{PerSeat, Seat, WinningScore};
use leyden_stats::{Comparison, FinalScores};

use crate::replay::printable;

/// The rounds that were scored, and after how many of them the winner was ahead for good; `None` without a winner.
pub(super) fn ahead_since(record: &MatchRecord, better: WinningScore) -> Option<(usize, usize)> {
    let winner = record.winner?;
    let scored: Vec<_> = record.rounds.iter().filter(|round| round.end.is_scored()).collect();
    let behind = scored.iter().rposition(|round| !is_ahead(&round.scores, winner, better));
    let since = behind.map_or(1, |behind| behind + 2).min(scored.len());
    Some((since, scored.len()))
}

fn is_ahead(scores: &PerSeat<u32>, seat: Seat, better: WinningScore) -> bool {
    FinalScores { scores: *scores, fault: None, better }.result(seat) == Comparison::Won
}

/// Says which moment decided a match; `None` without a winner, or after a fault.
pub(super) fn moment(
    record: &MatchRecord,
    better: WinningScore,
    analysed: Option<&AnalysedMatch>,
    language: Language,
) -> Option<String> {
    let winner = record.winner.filter(|_| record.fault.is_none())?;
    analysed.and_then(|analysed| by_chance(analysed, winner, language)).or_else(|| {
        let (since, of) = ahead_since(record, better)?;
        Some(language.say(text::ByScoreAlone { since, of }))
    })
}

/// The last decision before which the winner's chance was below one half.
fn by_chance(analysed: &AnalysedMatch, winner: Seat, language: Language) -> Option<String> {
    let own = |first: f64| if winner == Seat::FIRST { first } else { 1.0 - first };
    let chances: Vec<f64> = analysed
        .decisions
        .iter()
        .map(|decision| decision.outlook.map(own))
        .collect::<Option<Vec<_>>>()
        .filter(|all| !all.is_empty())?;
    let Some(turn) = chances.iter().rposition(|&chance| chance < 0.5) else {
        return Some(language.say(text::NeverBelow));
    };
    let decision = &analysed.decisions[turn];
    let after = chances.get(turn + 1).copied().unwrap_or(1.0);
    let act = decision.taken.map_or_else(|| language.say(text::NoAnswer), |act| named(language, act));
    let [before, after] = [chances[turn], after].map(|chance| numbers::percent(chance, 0));
    let (round, name) = (decision.round + 1, printable(&analysed.bots[decision.seat]));
    Some(language.say(text::DecidedBy { round, name, act, before, after }))
}

#[cfg(test)]
mod tests {
    use leyden_arena::record::sample;
    use leyden_protocol::Seats;

    use super::*;

    /// A winner that is behind after the second of three rounds is ahead for good since the third.
    #[test]
    fn score_says_since_when_somebody_leads() {
        let (_, mut record) = sample::matches(&sample::stored_plan(2, 1)).next().unwrap();
        let mut round = record.rounds.iter().find(|round| round.end.is_scored()).unwrap().clone();
        let mut played = |scores: &[[u32; 2]], winner: usize| {
            record.rounds = Vec::new();
            for each in scores {
                round.scores = PerSeat::from_fn(Seats::TWO, |seat| each[seat.index()]);
                record.rounds.push(round.clone());
            }
            record.winner = Seat::new(winner);
            ahead_since(&record, WinningScore::Lower)
        };
        assert_eq!(played(&[[0, 9], [30, 20], [40, 60]], 0), Some((3, 3)));
        assert_eq!(played(&[[0, 9], [10, 20], [40, 60]], 0), Some((1, 3)));
        assert_eq!(played(&[[9, 0], [20, 20], [60, 40]], 1), Some((3, 3)));
        assert_eq!(played(&[[9, 9]], 9), None);
    }
}
