//! Stages whose bots collect points: round-robins, groups, chosen tables, Swiss.

use leyden_model::{BotIndex, Table};
use leyden_protocol::Seats;

use super::standing::{MeetingLine, PointsLine, StageTable};
use super::state::{History, StageState};
use super::{Play, Presence, Stage};
use crate::designs::Balance;
use crate::dimensions::Dimensions;
use crate::groups::snake;
use crate::meeting::POINTS_OF_PAIR;
use crate::round::{NewRound, StageRound};
use crate::schedule_error::ScheduleError;
use crate::swiss::{self, Entrant, Float};
use crate::tables::{Tables, table_of};
use crate::ties::{self, Round};
use crate::{designs, order};

pub(super) fn state(
    (number, stage): (u32, &Stage),
    seeds: &[BotIndex],
    presence: &[Presence],
    seats: Seats,
    so_far: &History,
) -> Result<StageState, ScheduleError> {
    let (rounds, complete) = so_far.of_stage(number);
    let groups = groups(stage.play, seeds);
    let swiss = Swiss { stage, seeds, presence };
    let open_rounds = stage.play.open_rounds();
    let table = |group: &Vec<BotIndex>| {
        if open_rounds.is_some() {
            swiss.table(rounds, so_far)
        } else {
            ties::Table { bots: group.iter().map(|&bot| meetings(bot, group, rounds, so_far)).collect() }
        }
    };
    let tables: Vec<ties::Table> = groups.iter().map(table).collect();
    let over = complete >= open_rounds.unwrap_or(1) as usize;
    let next = if over || complete < rounds.len() {
        None
    } else {
        let tables = if open_rounds.is_some() {
            swiss.next(&tables[0], complete as u32, seats)?
        } else {
            tables_of(stage.play, seeds, &groups, seats)?
        };
        Some(NewRound { stage: number, round: complete as u32, extra: false, blocks: stage.blocks, tables })
    };
    let ranked: Vec<Vec<ties::Line>> = tables.iter().map(|table| table.ranked(&stage.tie_breaks)).collect();
    let has_crosstable = stage.play.has_crosstable();
    let meetings = if has_crosstable { swiss.meetings(rounds, so_far) } else { Vec::new() };
    let line = |group: &[BotIndex], line: &ties::Line| PointsLine {
        place: line.place,
        shared: line.shared,
        bot: group[line.bot],
        half_points: line.points,
        ties: line.ties.clone(),
        advances: false,
    };
    let lines: Vec<Vec<PointsLine>> = groups
        .iter()
        .zip(&ranked)
        .map(|(group, ranked)| ranked.iter().map(|of| line(group, of)).collect())
        .collect();
    let best_first = |group: &Vec<PointsLine>| group.iter().map(|line| line.bot).collect();
    Ok(StageState {
        next,
        ranked: lines.iter().map(best_first).collect(),
        levels: levels(&lines),
        left: presence.iter().filter(|bot| bot.until.is_some()).map(|bot| bot.bot).collect(),
        table: StageTable {
            play: stage.play,
            blocks: stage.blocks,
            over,
            seeds: seeds.to_vec(),
            tie_breaks: stage.tie_breaks.clone(),
            groups: lines,
            balance: balance(stage.play, seeds, rounds),
            meetings,
            bracket: Vec::new(),
        },
    })
}

/// The bots of each group, best seed first.
fn groups(play: Play, seeds: &[BotIndex]) -> Vec<Vec<BotIndex>> {
    let Play::Groups { groups } = play else { return vec![seeds.to_vec()] };
    let mut all = vec![Vec::new(); groups as usize];
    for (&bot, group) in seeds.iter().zip(snake(seeds.len(), groups as usize)) {
        all[group].push(bot);
    }
    all
}

/// The bots with the same place in their groups, best place first.
fn levels(groups: &[Vec<PointsLine>]) -> Vec<Vec<BotIndex>> {
    let mut all: Vec<&PointsLine> = groups.iter().flatten().collect();
    all.sort_by_key(|line| line.place);
    let level = |equal: &[&PointsLine]| equal.iter().map(|line| line.bot).collect();
    all.chunk_by(|one, other| one.place == other.place).map(level).collect()
}

/// The tables of a stage that is played at once.
fn tables_of(
    play: Play,
    seeds: &[BotIndex],
    groups: &[Vec<BotIndex>],
    seats: Seats,
) -> Result<Tables, ScheduleError> {
    let of_indices = |tables: Vec<Table>, bots: &[BotIndex]| -> Vec<Table> {
        let table = |table: &Table| {
            let mut bots: Vec<BotIndex> = table.bots().iter().map(|index| bots[index.index()]).collect();
            bots.sort_unstable();
            Table::new(&bots)
        };
        tables.iter().filter_map(table).collect()
    };
    if let Play::Tables { tables } = play {
        let chosen = designs::tables(seeds.len() as u32, seats.count(), tables as usize);
        return Ok(Tables::listed(&of_indices(chosen, seeds)));
    }
    if seats == Seats::TWO {
        return Ok(Tables::listed(&order::groups(groups)));
    }
    let mut listed = Vec::new();
    for group in groups {
        let all = Tables::all(Dimensions { bots: group.len() as u32, seats, blocks: 1 })?;
        let in_order = (0..all.count()).filter_map(|at| all.nth(all.in_order_of_play(at)?)).collect();
        listed.extend(of_indices(in_order, group));
    }
    Ok(Tables::listed(&listed))
}

/// How even the chosen tables are.
fn balance(play: Play, seeds: &[BotIndex], rounds: &[StageRound]) -> Option<Balance> {
    let Play::Tables { .. } = play else { return None };
    let tables = rounds.first()?.tables();
    let index = |bot: &BotIndex| seeds.iter().position(|seed| seed == bot).map(|at| BotIndex(at as u32));
    let of_indices = |table: Table| {
        let mut indices: Vec<BotIndex> = table.bots().iter().filter_map(index).collect();
        indices.sort_unstable();
        Table::new(&indices)
    };
    let tables = (0..tables.count()).filter_map(|rank| of_indices(tables.nth(rank)?)).collect::<Vec<_>>();
    Some(designs::balance(seeds.len() as u32, &tables))
}

/// What a bot of a group has won at each of its tables.
fn meetings(bot: BotIndex, group: &[BotIndex], rounds: &[StageRound], so_far: &History) -> Vec<Round> {
    let mut all = Vec::new();
    for round in rounds {
        for table in (0..round.tables().count()).filter_map(|rank| round.tables().nth(rank)) {
            if !table.bots().contains(&bot) {
                continue;
            }
            let won = so_far.results.won(round.number(), &table, bot);
            let others = table.bots().len() as u64 - 1;
            let of = u64::from(round.blocks()) * (others + 1) * others * 2;
            let (points, wins, margin) = (won.half_points, won.wins, won.margin);
            let rival = table.bots().iter().find(|&&other| other != bot).filter(|_| others == 1);
            all.push(match rival.and_then(|rival| group.iter().position(|other| other == rival)) {
                Some(opponent) => Round::Met { opponent, points, of, wins, margin },
                None => Round::Several { points, of, wins, margin },
            });
        }
    }
    all
}

/// A Swiss: what its rounds have come to, and the next one.
struct Swiss<'a> {
    stage: &'a Stage,
    seeds: &'a [BotIndex],
    presence: &'a [Presence],
}

impl Swiss<'_> {
    /// Whether a bot is paired in a round.
    fn is_there(&self, bot: BotIndex, round: u32) -> bool {
        super::is_there(self.presence, bot, round)
    }

    /// The points of a bye: those of a pair with one match won and one drawn, for each pair (C.04.5, article 3.4).
    fn bye(&self) -> u64 {
        u64::from(self.stage.blocks) * POINTS_OF_PAIR * 3 / 4
    }

    fn index_of(&self, bot: BotIndex) -> Option<usize> {
        self.seeds.iter().position(|&seed| seed == bot)
    }

    fn table(&self, rounds: &[StageRound], so_far: &History) -> ties::Table {
        let of = u64::from(self.stage.blocks) * POINTS_OF_PAIR;
        let mut table = ties::Table { bots: vec![Vec::new(); self.seeds.len()] };
        for round in rounds {
            for (index, &bot) in self.seeds.iter().enumerate() {
                if !round.has(bot) {
                    let there = self.is_there(bot, round.round());
                    let round =
                        if there { Round::Bye { points: self.bye(), of } } else { Round::Absent { of } };
                    table.bots[index].push(round);
                }
            }
            for pair in pairs(round) {
                for (bot, rival) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                    let (Some(index), Some(opponent)) = (self.index_of(bot), self.index_of(rival)) else {
                        continue;
                    };
                    let Some(both) = table_of(pair) else { continue };
                    let won = so_far.results.won(round.number(), &both, bot);
                    let (points, wins, margin) = (won.half_points, won.wins, won.margin);
                    table.bots[index].push(Round::Met { opponent, points, of, wins, margin });
                }
            }
        }
        table
    }

    /// The meetings and byes of all rounds, in the order in which they were drawn.
    fn meetings(&self, rounds: &[StageRound], so_far: &History) -> Vec<MeetingLine> {
        let mut all = Vec::new();
        for round in rounds {
            let number = round.round();
            for pair in pairs(round) {
                let Some(both) = table_of(pair) else { continue };
                let won = pair.map(|bot| so_far.results.won(round.number(), &both, bot).half_points);
                all.push(MeetingLine {
                    round: number,
                    first: pair[0],
                    second: Some(pair[1]),
                    half_points: won,
                });
            }
            let is_swiss = matches!(self.stage.play, Play::Swiss { .. });
            let rests =
                self.seeds.iter().filter(|&&bot| is_swiss && !round.has(bot) && self.is_there(bot, number));
            let bye =
                |&bot| MeetingLine { round: number, first: bot, second: None, half_points: [self.bye(), 0] };
            all.extend(rests.map(bye));
        }
        all
    }

    /// The pairings of the next round.
    fn next(&self, table: &ties::Table, round: u32, seats: Seats) -> Result<Tables, ScheduleError> {
        let playing = |(_, bot): &(usize, &BotIndex)| self.is_there(**bot, round);
        let entrants: Vec<Entrant> = self
            .seeds
            .iter()
            .enumerate()
            .filter(playing)
            .map(|(index, &bot)| self.entrant(table, index, bot))
            .collect();
        if entrants.len() < 2 {
            return Err(ScheduleError::TooFewBots { bots: entrants.len(), seats });
        }
        let pairings = swiss::pair(&entrants);
        let tables: Vec<Table> =
            pairings.pairs.iter().filter_map(|&(one, other)| table_of([one, other])).collect();
        Ok(Tables::listed(&tables))
    }

    fn entrant(&self, table: &ties::Table, index: usize, bot: BotIndex) -> Entrant {
        let rounds = &table.bots[index];
        let before = |index: usize, round: usize| -> u64 {
            table.bots[index][..round].iter().map(|round| round.points()).sum()
        };
        let float = |back: usize| {
            let Some(round) = rounds.len().checked_sub(back) else { return Float::None };
            match rounds[round] {
                Round::Bye { .. } => Float::Down,
                Round::Met { opponent, .. } => match before(index, round).cmp(&before(opponent, round)) {
                    std::cmp::Ordering::Less => Float::Up,
                    std::cmp::Ordering::Equal => Float::None,
                    std::cmp::Ordering::Greater => Float::Down,
                },
                Round::Several { .. } | Round::Absent { .. } => Float::None,
            }
        };
        let opponent =
            |round: &Round| if let Round::Met { opponent, .. } = round { Some(*opponent) } else { None };
        let count = |is: fn(&Round) -> bool| rounds.iter().filter(|round| is(round)).count() as u32;
        Entrant {
            bot,
            score: table.points(index),
            met: rounds.iter().filter_map(opponent).map(|index| self.seeds[index]).collect(),
            byes: count(|round| matches!(round, Round::Bye { .. })),
            unplayed: count(|round| !matches!(round, Round::Met { .. })),
            floats: [float(1), float(2)],
        }
    }
}

/// The pairs of a round, in the order in which they were drawn.
fn pairs(round: &StageRound) -> impl Iterator<Item = [BotIndex; 2]> {
    let tables = round.tables();
    (0..tables.count()).filter_map(|at| tables.nth(tables.in_order_of_play(at)?)).filter_map(|table| {
        let [one, other] = table.bots() else { return None };
        Some([*one, *other])
    })
}
