//! Stages that are brackets: knockout and double elimination.

use std::collections::BTreeMap;

use leyden_model::BotIndex;

use super::standing::{BracketMeeting, StageTable};
use super::state::{History, StageState};
use super::{Decision, Stage};
use crate::bracket::{Bracket, State, places};
use crate::meeting::{Standing, Terms};
use crate::round::{NewRound, StageRound};
use crate::tables::{Tables, table_of};

/// What is known of a meeting that has begun; the better seed first.
#[derive(Clone, Copy)]
struct Begun {
    bots: [BotIndex; 2],
    standing: Standing,
    decided: Option<(BotIndex, Decision)>,
}

pub(super) fn state(
    (number, stage): (u32, &Stage),
    (bracket, best_of): (&Bracket, bool),
    seeds: &[BotIndex],
    so_far: &History,
) -> StageState {
    let (rounds, complete) = so_far.of_stage(number);
    let terms = Terms { pairs: stage.blocks, best_of };
    let replay = Replay { terms, seeds, rounds, complete, so_far };
    let (begun, states, next) = replay.run(number, bracket);
    let levels = places(bracket, &states, seeds);
    StageState {
        next,
        ranked: vec![levels.concat()],
        levels,
        left: Vec::new(),
        table: StageTable {
            play: stage.play,
            blocks: stage.blocks,
            over: states.iter().all(|state| !matches!(state, State::Waiting | State::Ready(_))),
            seeds: seeds.to_vec(),
            tie_breaks: Vec::new(),
            groups: Vec::new(),
            balance: None,
            meetings: Vec::new(),
            bracket: meetings(bracket, &states, &begun, seeds),
        },
    }
}

/// A bracket and the rounds that were played of it.
struct Replay<'a> {
    terms: Terms,
    seeds: &'a [BotIndex],
    rounds: &'a [StageRound],
    complete: usize,
    so_far: &'a History<'a>,
}

impl Replay<'_> {
    /// Each wave is a round: all meetings whose bots are known. Rounds with extra pairs for those that are level follow.
    fn run(&self, stage: u32, bracket: &Bracket) -> (BTreeMap<usize, Begun>, Vec<State>, Option<NewRound>) {
        let mut begun: BTreeMap<usize, Begun> = BTreeMap::new();
        let (mut at, mut wave) = (0, 0);
        loop {
            let winner = |meeting: usize, _| begun.get(&meeting)?.decided.map(|(winner, _)| winner);
            let states = bracket.states(self.seeds, winner);
            let ready = states.iter().enumerate().filter_map(|(index, state)| match state {
                State::Ready(both) => Some((index, *both)),
                _ => None,
            });
            let mut ready: Vec<(usize, [BotIndex; 2])> = ready.collect();
            if ready.is_empty() {
                return (begun, states, None);
            }
            // Those that are level are decided before anybody meets in the next round.
            let is_extra = ready.iter().any(|(index, _)| begun.contains_key(index));
            ready.retain(|(index, _)| !is_extra || begun.contains_key(index));
            if at == self.rounds.len() {
                let tables: Vec<_> = ready.iter().filter_map(|&(_, both)| table_of(both)).collect();
                let next = NewRound {
                    stage,
                    round: if is_extra { wave - 1 } else { wave },
                    extra: is_extra,
                    blocks: if is_extra { 1 } else { self.terms.minimum_pairs() },
                    tables: Tables::listed(&tables),
                };
                return (begun, states, Some(next));
            }
            for &(index, both) in &ready {
                self.count(begun.entry(index).or_insert_with(|| self.begin(both)), &self.rounds[at], at);
            }
            if at >= self.complete {
                return (begun, states, None);
            }
            wave += u32::from(!is_extra);
            at += 1;
        }
    }

    fn begin(&self, mut bots: [BotIndex; 2]) -> Begun {
        bots.sort_by_key(|&bot| self.seeds.iter().position(|&seed| seed == bot));
        Begun { bots, standing: Standing::default(), decided: None }
    }

    /// Adds a round to a meeting.
    fn count(&self, meeting: &mut Begun, round: &StageRound, at: usize) {
        let Some(table) = table_of(meeting.bots) else { return };
        let won = meeting.bots.map(|bot| self.so_far.results.won(round.number(), &table, bot));
        let standing = &mut meeting.standing;
        for (points, won) in standing.points.iter_mut().zip(won) {
            *points += won.half_points;
        }
        standing.margin += won[0].margin;
        if at < self.complete {
            standing.pairs += round.blocks();
            let [better, other] = meeting.bots;
            meeting.decided =
                self.terms.decided(standing).map(|(first, by)| (if first { better } else { other }, by));
        }
    }
}

fn meetings(
    bracket: &Bracket,
    states: &[State],
    begun: &BTreeMap<usize, Begun>,
    seeds: &[BotIndex],
) -> Vec<BracketMeeting> {
    let each = bracket.slots.iter().zip(states).enumerate();
    each.map(|(index, (slot, state))| {
        let found = begun.get(&index);
        let bots = bracket.bots(states, seeds, index);
        let points = |bot: &Option<BotIndex>| {
            let at = found.and_then(|found| found.bots.iter().position(|other| Some(*other) == *bot));
            at.and_then(|at| Some(found?.standing.points[at])).unwrap_or(0)
        };
        BracketMeeting {
            side: slot.side,
            round: slot.round,
            number: slot.number,
            bots,
            void: matches!(state, State::Bye(_) | State::Empty),
            pairs: found.map_or(0, |found| found.standing.pairs),
            half_points: [points(&bots[0]), points(&bots[1])],
            winner: match state {
                State::Bye(bot) => Some(*bot),
                State::Played { winner, .. } => Some(*winner),
                State::Waiting | State::Ready(_) | State::Empty => None,
            },
            decision: found.and_then(|found| found.decided).map(|(_, by)| by),
        }
    })
    .collect()
}
