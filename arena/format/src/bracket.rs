//! Brackets: knockout and double elimination. Which meetings there are, who has reached which, and the places.
//!
//! Seeds stand as usual: the best two can only meet in the final, the best four only in the semi-finals, and so on. Where seeds
//! are missing, the best have byes. In a double elimination losers drop into the second bracket in the order that lets as few
//! as possible meet again there.

use leyden_model::BotIndex;

mod double_elimination;
mod places;
mod slot;

pub use places::places;
use slot::add_round;
pub use slot::{Side, Slot, Source};

/// The meetings of a bracket, those that others depend on first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// In the order in which they can be played.
    pub slots: Vec<Slot>,
    seeds: usize,
}

/// What is known of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits for others.
    Waiting,
    /// Both are known, and it is not decided.
    Ready([BotIndex; 2]),
    Played {
        winner: BotIndex,
        loser: BotIndex,
    },
    /// One has no opponent and goes on without playing.
    Bye(BotIndex),
    /// Nobody, or it is not needed.
    Empty,
}

impl Bracket {
    /// A knockout of that many bots, at least two.
    pub fn knockout(bots: usize, third_place: bool) -> Self {
        let mut slots = Vec::new();
        let rounds = winners(bots, &mut slots);
        if third_place && rounds >= 2 && bots > 3 {
            let last = slots.len() - 1;
            let sources = [Source::Loser(last - 2), Source::Loser(last - 1)];
            slots.push(Slot {
                side: Side::ThirdPlace,
                round: 0,
                number: 0,
                sources,
                only_if_second_won: None,
            });
        }
        Self { slots, seeds: bots }
    }

    /// A double elimination of that many bots, at least two: who has lost twice is out.
    pub fn double_elimination(bots: usize) -> Self {
        let mut slots = Vec::new();
        winners(bots, &mut slots);
        double_elimination::add_losers(&mut slots);
        Self { slots, seeds: bots }
    }

    /// The number of rounds of a side.
    pub fn rounds(&self, side: Side) -> u32 {
        let rounds = self.slots.iter().filter(|slot| slot.side == side).map(|slot| slot.round + 1);
        rounds.max().unwrap_or(0)
    }

    /// The state of each meeting, given the bots by their seeds, and who won the meetings that are decided.
    pub fn states(
        &self,
        seeds: &[BotIndex],
        winner: impl Fn(usize, [BotIndex; 2]) -> Option<BotIndex>,
    ) -> Vec<State> {
        let mut states: Vec<State> = Vec::with_capacity(self.slots.len());
        for (index, slot) in self.slots.iter().enumerate() {
            let needed = slot.only_if_second_won.map(|decider| match states[decider] {
                State::Played { winner, .. } => {
                    Some(entrant(&states, seeds, self.slots[decider].sources[1]) == Entrant::Bot(winner))
                }
                State::Waiting | State::Ready(_) => None,
                State::Bye(_) | State::Empty => Some(false),
            });
            let state = match needed {
                Some(None) => State::Waiting,
                Some(Some(false)) => State::Empty,
                None | Some(Some(true)) => match slot.sources.map(|source| entrant(&states, seeds, source)) {
                    [Entrant::Bot(one), Entrant::Bot(other)] => match winner(index, [one, other]) {
                        Some(won) if won == other => State::Played { winner: other, loser: one },
                        Some(_) => State::Played { winner: one, loser: other },
                        None => State::Ready([one, other]),
                    },
                    [Entrant::Bot(one), Entrant::Nobody] | [Entrant::Nobody, Entrant::Bot(one)] => {
                        State::Bye(one)
                    }
                    [Entrant::Nobody, Entrant::Nobody] => State::Empty,
                    [Entrant::Unknown, _] | [_, Entrant::Unknown] => State::Waiting,
                },
            };
            states.push(state);
        }
        states
    }

    /// Returns the two bots of a meeting, where they are known.
    pub fn bots(&self, states: &[State], seeds: &[BotIndex], meeting: usize) -> [Option<BotIndex>; 2] {
        self.slots[meeting].sources.map(|source| match entrant(states, seeds, source) {
            Entrant::Bot(bot) => Some(bot),
            Entrant::Unknown | Entrant::Nobody => None,
        })
    }

    /// The number of bots.
    pub fn seeds(&self) -> usize {
        self.seeds
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Entrant {
    Unknown,
    Bot(BotIndex),
    Nobody,
}

fn entrant(states: &[State], seeds: &[BotIndex], source: Source) -> Entrant {
    match source {
        Source::Seed(seed) => seeds.get(seed).map_or(Entrant::Nobody, |&bot| Entrant::Bot(bot)),
        Source::Winner(of) => match states[of] {
            State::Played { winner, .. } => Entrant::Bot(winner),
            State::Bye(bot) => Entrant::Bot(bot),
            State::Empty => Entrant::Nobody,
            State::Waiting | State::Ready(_) => Entrant::Unknown,
        },
        Source::Loser(of) => match states[of] {
            State::Played { loser, .. } => Entrant::Bot(loser),
            State::Bye(_) | State::Empty => Entrant::Nobody,
            State::Waiting | State::Ready(_) => Entrant::Unknown,
        },
    }
}

/// The seeds of a full bracket from top to bottom: in each round the best remaining meets the worst remaining.
pub fn seed_order(rounds: u32) -> Vec<usize> {
    let mut order = vec![0];
    for _ in 0..rounds {
        let last = 2 * order.len() - 1;
        order = order.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    order
}

/// Adds the rounds of a bracket in which nobody has lost; returns their number.
fn winners(bots: usize, slots: &mut Vec<Slot>) -> u32 {
    let rounds = bots.max(2).next_power_of_two().ilog2();
    let mut sources: Vec<Source> = seed_order(rounds).into_iter().map(Source::Seed).collect();
    for round in 0..rounds {
        sources = add_round(slots, (Side::Winners, round), &sources);
    }
    rounds
}

#[cfg(test)]
mod tests;
