//! Who has won the event, by how much, and since when that was certain.

use std::collections::BTreeMap;

use leyden_arena::format::competition::BracketMeeting;
use leyden_arena::format::half_points;
use leyden_language::{Language, text::stage as text};
use leyden_model::BotIndex;
use leyden_protocol::WinningScore;

use crate::replay::printable;
use crate::snapshot::{MatchView, Snapshot};

/// The winner of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EventWinner {
    /// Several if they share the first place.
    pub(super) names: Vec<String>,
    /// By how much.
    pub(super) margin: Option<String>,
    /// When it was decided.
    pub(super) moment: Option<String>,
}

impl EventWinner {
    /// Returns the winner of an event that is revealed as a whole.
    pub(super) fn from_snapshot(snapshot: &Snapshot, language: Language) -> Option<Self> {
        let places = snapshot.standings.competition.as_ref().map(|table| &table.places);
        let names: Vec<String> = match places {
            Some(places) => {
                places.iter().filter(|line| line.place == 1).map(|line| printable(&line.bot)).collect()
            }
            None => snapshot.ranking.first().map(|bot| snapshot.bot(*bot).name.clone()).into_iter().collect(),
        };
        let [name] = &names[..] else {
            return (!names.is_empty()).then_some(Self { names, margin: None, moment: None });
        };
        let winner = index(snapshot, name)?;
        let (margin, moment) = match last_meeting(snapshot, name) {
            Some(meeting) => by_meeting(snapshot, winner, meeting, language),
            None => by_points(snapshot, winner, language),
        };
        Some(Self { names, margin, moment })
    }
}

fn index(snapshot: &Snapshot, name: &str) -> Option<BotIndex> {
    let found = snapshot.bots.iter().position(|bot| bot.name == name)?;
    Some(BotIndex(found as u32))
}

/// The meeting by which a bot won the bracket of the last stage.
fn last_meeting<'a>(snapshot: &'a Snapshot, name: &str) -> Option<&'a BracketMeeting<String>> {
    let stage = snapshot.standings.competition.as_ref()?.stages.last()?;
    let won = |meeting: &&BracketMeeting<String>| {
        !meeting.void
            && meeting.pairs > 0
            && meeting.winner.as_deref().map(printable).as_deref() == Some(name)
    };
    stage.bracket.iter().rev().find(won)
}

fn by_meeting(
    snapshot: &Snapshot,
    winner: BotIndex,
    meeting: &BracketMeeting<String>,
    language: Language,
) -> (Option<String>, Option<String>) {
    let names = meeting.bots.each_ref().map(|bot| bot.as_deref().map_or_else(String::new, printable));
    let [own, other] = if names[0] == snapshot.bot(winner).name { [0, 1] } else { [1, 0] };
    let rival = &names[other];
    let [of_own, of_other] = [own, other].map(|side| half_points(meeting.half_points[side]));
    let margin = language.say(text::WonAgainst { own: of_own, other: of_other, rival });
    let Some(rival) = index(snapshot, rival) else { return (Some(margin), None) };
    let last_stage = snapshot.matches.iter().map(|seen| seen.key.stage).max();
    let met = |seen: &&MatchView| {
        Some(seen.key.stage) == last_stage
            && [winner, rival].iter().all(|bot| seen.bots.as_slice().contains(bot))
    };
    let mut matches: Vec<&MatchView> = snapshot.matches.iter().map(|seen| &**seen).filter(met).collect();
    matches.sort_unstable_by_key(|seen| seen.key);
    let played = (meeting.pairs * snapshot.legs) as usize;
    let matches = &matches[matches.len().saturating_sub(played)..];
    let leads = ahead_since(matches.chunks(1), snapshot.better, winner);
    let moment = leads.map(|since| language.say(text::AheadSinceMatch { since, of: matches.len() }));
    (Some(margin), moment)
}

/// By the points of all matches, if every bot has played the same number.
fn by_points(snapshot: &Snapshot, winner: BotIndex, language: Language) -> (Option<String>, Option<String>) {
    let mut matches: Vec<&MatchView> = snapshot.matches.iter().map(|seen| &**seen).collect();
    matches.sort_unstable_by_key(|seen| seen.key.block);
    let each = |bot: &crate::snapshot::BotView| bot.results.matches;
    let played = snapshot.bots.first().map_or(0, each);
    if snapshot.bots.iter().any(|bot| each(bot) != played) {
        return (None, None);
    }
    let mut points = BTreeMap::new();
    for seen in &matches {
        seen.add_half_points(snapshot.better, &mut points);
    }
    let own = points.remove(&winner).unwrap_or(0);
    let Some((second, next)) = points.into_iter().max_by_key(|(_, points)| *points) else {
        return (None, None);
    };
    if next >= own {
        return (None, None); // ratings, or tie-breaks, have decided
    }
    let margin = language.say(text::WonByPoints {
        own: half_points(own),
        count: played * u64::from(snapshot.legs - 1), // each other seat counts
        ahead: half_points(own - next),
        second: &snapshot.bot(second).name,
    });
    let rounds = matches.chunk_by(|one, other| one.key.block == other.key.block);
    let blocks = rounds.clone().count();
    let since = ahead_since(rounds, snapshot.better, winner);
    (Some(margin), since.map(|since| language.say(text::AheadSinceBlock { since, of: blocks })))
}

/// Since which part, from 1, a bot has more points than any other.
fn ahead_since<'a>(
    parts: impl Iterator<Item = &'a [&'a MatchView]>,
    better: WinningScore,
    bot: BotIndex,
) -> Option<usize> {
    let (mut points, mut since) = (BTreeMap::new(), None);
    for (number, part) in (1..).zip(parts) {
        for seen in part {
            seen.add_half_points(better, &mut points);
        }
        let own = points.get(&bot).copied().unwrap_or(0);
        let is_ahead = points.iter().all(|(other, points)| *other == bot || *points < own);
        since = since.filter(|_| is_ahead).or(is_ahead.then_some(number));
    }
    since
}
