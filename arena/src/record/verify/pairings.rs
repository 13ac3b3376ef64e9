//! Verifies who met whom in the export of a competition of stages: seeding, pairings, byes and who goes on follow from its format and
//! its results.

use leyden_format::Schedule;
use leyden_model::{BotIndex, MatchKey, MatchRecord, PairKey, RecordStage, Table};
use leyden_protocol::Seats;
use leyden_stats::FinalScores;

use super::single_record::{RecordError, RecordPart};
use crate::record::export::ExportedCompetition;

/// What decides who meets next, of one match.
#[derive(Debug)]
pub(super) struct PlayedMatch {
    id: String,
    /// In command-line order.
    bots: Vec<String>,
    block: u32,
    leg: u32,
    stage: RecordStage,
    end: FinalScores,
}

impl PlayedMatch {
    /// `None` for a match that belongs to no stage.
    pub(super) fn from_record(record: &MatchRecord) -> Option<Self> {
        let (stage, rules) = (record.stage?, record.rules.rules().ok()?);
        let mut bots = record.bots.as_slice().to_vec();
        bots.rotate_right(record.leg as usize);
        let end = crate::record::final_scores(record, rules.better);
        Some(Self { id: record.id.clone(), bots, block: record.block, leg: record.leg, stage, end })
    }

    fn wrong(&self, what: &'static str, expected: String, found: String) -> RecordError {
        RecordError { id: self.id.clone(), part: RecordPart::Match, what, expected, found }
    }
}

/// The schedule that follows from these matches and contains all of them; or the first match that it does not contain.
pub(super) fn schedule(
    exported: &ExportedCompetition,
    seats: Seats,
    played: &[PlayedMatch],
) -> Result<Option<Schedule>, RecordError> {
    let Some(first) = played.first() else { return Ok(None) };
    let number = |name: &String| exported.bots.iter().position(|bot| bot == name);
    let key = |of: &PlayedMatch| {
        let bots: Vec<BotIndex> = of.bots.iter().filter_map(number).map(|bot| BotIndex(bot as u32)).collect();
        let table = Table::new(&bots).filter(|_| bots.len() == of.bots.len() && bots.is_sorted())?;
        Some(PairKey { stage: of.stage.number, block: of.block, table }.leg(of.leg))
    };
    let keys: Vec<Option<MatchKey>> = played.iter().map(key).collect();
    let ends: Vec<(MatchKey, FinalScores)> =
        keys.iter().zip(played).filter_map(|(key, of)| Some(((*key)?, of.end))).collect();
    let schedule = exported.decided(seats, &ends).map_err(|found| {
        first.wrong("the format that the export names", "one that can be played".to_owned(), found)
    })?;
    let mut by_round: Vec<(&PlayedMatch, &Option<MatchKey>)> = played.iter().zip(&keys).collect();
    by_round.sort_by_key(|(of, _)| of.block); // what is wrong in a round is the reason for what is wrong in the next ones
    for (of, key) in by_round {
        in_schedule(&schedule, of, key.as_ref(), &exported.bots)?;
    }
    Ok(Some(schedule))
}

fn in_schedule(
    schedule: &Schedule,
    of: &PlayedMatch,
    key: Option<&MatchKey>,
    names: &[String],
) -> Result<(), RecordError> {
    let Some(round) = schedule.round(of.block) else {
        let expected =
            format!("one below {}: the matches of the round before are not complete", schedule.blocks_end());
        return Err(of.wrong("the block", expected, of.block.to_string()));
    };
    let stage = RecordStage { number: round.stage(), round: round.round(), extra: round.is_extra() };
    if stage != of.stage {
        return Err(of.wrong("the stage and round", in_numbers(stage), in_numbers(of.stage)));
    }
    if key.is_some_and(|key| schedule.rank(key).is_some()) {
        return Ok(());
    }
    let listed = |table: &Table| -> Vec<&str> {
        table.bots().iter().map(|bot| names.get(bot.index()).map_or("?", String::as_str)).collect()
    };
    let mut tables = (0..round.tables().count()).filter_map(|rank| round.tables().nth(rank));
    let first = of.bots.first().map_or("?", String::as_str);
    let with_first = tables.find(|table| listed(table).contains(&first));
    let expected =
        with_first.map_or(format!("no match of {first}"), |table| listed(&table).join(" against "));
    let what = "the pairing, from the seeds and the results of the rounds before";
    Err(of.wrong(what, format!("{expected} in {}", in_numbers(stage)), of.bots.join(" against ")))
}

fn in_numbers(stage: RecordStage) -> String {
    let extra = if stage.extra { ", an added pair" } else { "" };
    format!("round {} of stage {}{extra}", stage.round + 1, stage.number + 1)
}

#[cfg(test)]
mod tests;
