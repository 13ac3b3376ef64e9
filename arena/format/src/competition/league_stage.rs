//! A league: who meets in the next batch, from all results so far. Which meetings these are is `leyden_stats::LeagueTable`'s rule.

use leyden_model::{BotIndex, Table};
use leyden_protocol::Seats;
use leyden_stats::{Entrant, LeagueTable};

use super::standing::StageTable;
use super::state::{History, StageState};
use super::{Presence, Stage};
use crate::round::NewRound;
use crate::schedule::ALL;
use crate::schedule_error::ScheduleError;
use crate::tables::{Tables, table_of};

pub(super) fn state(
    (number, stage): (u32, &Stage),
    seeds: &[BotIndex],
    presence: &[Presence],
    seats: Seats,
    so_far: &History,
) -> Result<StageState, ScheduleError> {
    let (rounds, complete) = so_far.of_stage(number);
    let over = stage.play.open_rounds().is_some_and(|batches| complete as u64 >= u64::from(batches));
    let next = if over || complete < rounds.len() {
        None
    } else {
        let round = complete as u32;
        let tables = batch(stage, seeds, presence, round, seats, so_far)?;
        Some(NewRound { stage: number, round, extra: false, blocks: stage.blocks, tables })
    };
    Ok(StageState {
        next,
        ranked: vec![seeds.to_vec()],
        levels: vec![seeds.to_vec()],
        left: presence.iter().filter(|bot| bot.until.is_some()).map(|bot| bot.bot).collect(),
        table: StageTable {
            play: stage.play,
            blocks: stage.blocks,
            over,
            seeds: seeds.to_vec(),
            tie_breaks: Vec::new(),
            groups: Vec::new(),
            balance: None,
            meetings: Vec::new(),
            bracket: Vec::new(),
        },
    })
}

/// The tables of a batch. The rule counts bots by their seeds, which decide between equal gains, and knows only those that have come
/// by now: so bots that come later change no batch before, not even in the last bit of a sum.
fn batch(
    stage: &Stage,
    seeds: &[BotIndex],
    presence: &[Presence],
    round: u32,
    seats: Seats,
    so_far: &History,
) -> Result<Tables, ScheduleError> {
    let has_come = |bot: &&BotIndex| {
        let first = presence.iter().find(|there| there.bot == **bot);
        first.is_none_or(|there| there.from <= round)
    };
    let known: Vec<BotIndex> = seeds.iter().filter(has_come).copied().collect();
    let mut entrants = vec![None; seeds.len()];
    for (entrant, bot) in (0..).map(Entrant).zip(&known) {
        entrants[bot.index()] = Some(entrant);
    }
    let mut table = LeagueTable::new(known.len());
    for (bots, won) in so_far.results.pairs(ALL) {
        if let [Some(one), Some(other)] = bots.map(|bot| entrants[bot.index()]) {
            table.add([one, other], won.map(|won| won.half_points));
        }
    }
    let is_there = |bot: &&BotIndex| super::is_there(presence, **bot, round);
    let there: Vec<Entrant> = known.iter().filter(is_there).filter_map(|bot| entrants[bot.index()]).collect();
    if there.len() < 2 {
        return Err(ScheduleError::TooFewBots { bots: there.len(), seats });
    }
    let matches = stage.blocks * seats.count() as u32;
    let meetings = table.next_batch(&there, round, matches)?;
    let table = |meeting: &[Entrant; 2]| table_of(meeting.map(|bot| known[bot.0 as usize]));
    Ok(Tables::listed(&meetings.iter().filter_map(table).collect::<Vec<Table>>()))
}
