//! One environment, for the interfaces that ask one seat at a time.

use leyden_env::{ActionTable, Encoding, Env, Learner, RewardKind};
use leyden_model::TournamentSeed;
use leyden_protocol::{Action, Clock, PerSeat, Seat};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::boundary::{LeydenError, guarded, rejected};
use crate::numbers::rules;
use crate::strategy::{RaisedException, others};
use crate::turn::{Turn, action, illegal, mask};

/// A match after the other, one decision at a time. `leyden.env` and `leyden.gym_env` are made from it.
#[pyclass(module = "leyden")]
pub(crate) struct Table {
    playing: Playing,
    encoding: Encoding,
    actions: ActionTable,
    rewards: PerSeat<f32>,
    asked: PerSeat<u64>,
    raised: RaisedException,
    legal: Vec<Action>,
}

/// All seats are asked, or only one.
enum Playing {
    All(Box<Env>),
    One(Box<Learner>),
}

impl Table {
    fn env(&self) -> &Env {
        match &self.playing {
            Playing::All(env) => env,
            Playing::One(learner) => learner.env(),
        }
    }

    fn seat_of(&self, seat: usize) -> PyResult<Seat> {
        let seats = self.encoding.rules().seats;
        Seat::new(seat).filter(|&seat| seats.has(seat)).ok_or_else(|| {
            LeydenError::new_err(format!("expected a seat from 0 to {}, got {seat}", seats.count() - 1))
        })
    }
}

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (rules, seats, set, target, reward, seed, number = 0, opponents = None))]
    #[expect(clippy::too_many_arguments, reason = "the facade in Python names them")]
    fn new(
        py: Python<'_>,
        rules: &str,
        seats: usize,
        set: u8,
        target: u32,
        reward: &str,
        seed: &str,
        number: u32,
        opponents: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<Self> {
        let rules = self::rules(rules, seats, set, Some(target))?;
        let reward: RewardKind = reward.parse().map_err(rejected)?;
        let (encoding, raised) = (Encoding::new(&rules), RaisedException::default());
        let env = Env::new(&rules, reward, TournamentSeed::from_text(seed), number, 1);
        let playing = match opponents {
            None => Playing::All(Box::new(env)),
            Some(players) => {
                let others = others(&players, &encoding, &raised)?;
                let begun = py.detach(|| {
                    guarded(|| {
                        let mut learner = Learner::new(env, others);
                        learner.reach_decision().map_err(rejected)?;
                        Ok(learner)
                    })
                });
                Playing::One(Box::new(begun.map_err(|error| raised.or(error))?))
            }
        };
        let none = PerSeat::default_for(rules.seats);
        let asked = PerSeat::default_for(rules.seats);
        let actions = ActionTable::new(rules.set);
        Ok(Self { playing, encoding, actions, rewards: none, asked, raised, legal: Vec::new() })
    }

    /// The seat to act; `None` once the match is over.
    #[getter]
    fn to_act(&self) -> Option<usize> {
        self.env().to_act().map(Seat::index)
    }

    /// The seat that is asked if the others are played; otherwise `None`.
    #[getter]
    fn learner(&self) -> Option<usize> {
        match &self.playing {
            Playing::All(_) => None,
            Playing::One(learner) => Some(learner.seat().index()),
        }
    }

    /// The number of this match among those of the seed.
    #[getter]
    fn match_number(&self) -> u32 {
        self.env().number()
    }

    /// What each seat got for the last step.
    #[getter]
    fn rewards(&self) -> Vec<f32> {
        self.rewards.as_slice().to_vec()
    }

    #[getter]
    fn scores(&self) -> Vec<u32> {
        self.env().game().scores().as_slice().to_vec()
    }

    /// The seat with the better score; `None` if it is shared.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.env().game().leading().map(Seat::index)
    }

    /// The legal actions as the protocol writes them.
    #[getter]
    fn legal(&self) -> Vec<String> {
        self.env().legal().iter().map(Action::to_string).collect()
    }

    /// The tiles of each seat: hidden from the others. For pictures.
    #[getter]
    fn hands(&self) -> Vec<Vec<String>> {
        let Some(round) = self.env().game().round() else { return Vec::new() };
        round
            .hands()
            .as_slice()
            .iter()
            .map(|hand| hand.iter().map(|tile| tile.to_string()).collect())
            .collect()
    }

    /// What happened in this round, drawn tiles included. For pictures.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.env().game().entries().iter().map(ToString::to_string).collect()
    }

    /// The number of tiles in the boneyard.
    #[getter]
    fn boneyard(&self) -> usize {
        self.env().game().round().map_or(0, |round| round.boneyard().len())
    }

    /// Takes an action of the seat to act: a number or a text. An illegal one changes nothing or, with `forgive`, the first
    /// legal action is taken instead.
    #[pyo3(signature = (action, forgive = false))]
    fn step(&mut self, py: Python<'_>, action: &Bound<'_, PyAny>, forgive: bool) -> PyResult<()> {
        let Some(&first) = self.env().legal().first() else {
            return Err(LeydenError::new_err("the match is over: call reset() to begin the next one"));
        };
        let given = self::action(action, self.actions);
        let action = match given {
            Ok(action) if self.env().legal().contains(&action) => action,
            _ if forgive => first,
            Ok(action) => return Err(illegal(action, self.env().legal())),
            Err(error) => return Err(error),
        };
        if let Some(seat) = self.env().to_act() {
            self.asked[seat] += 1;
        }
        let stepped = match &mut self.playing {
            Playing::All(env) => env.step(action).map_err(rejected),
            Playing::One(learner) => py.detach(|| guarded(|| learner.step(action).map_err(rejected))),
        };
        self.rewards = stepped.map_err(|error| self.raised.or(error))?;
        Ok(())
    }

    /// Begins the next match of the seed.
    fn next_match(&mut self, py: Python<'_>) -> PyResult<()> {
        self.rewards = PerSeat::default_for(self.encoding.rules().seats);
        self.asked = PerSeat::default_for(self.encoding.rules().seats);
        match &mut self.playing {
            Playing::All(env) => env.next_match(),
            Playing::One(learner) => {
                let begun = py.detach(|| guarded(|| learner.next_match().map_err(rejected)));
                begun.map_err(|error| self.raised.or(error))?;
            }
        }
        Ok(())
    }

    /// Returns what a seat sees: `uint8`. Zeros once the match is over.
    fn observation<'py>(&mut self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = self.seat_of(seat)?;
        let mut bytes = vec![0; self.encoding.len()];
        let mut legal = std::mem::take(&mut self.legal);
        if let Some(view) = self.env().view(seat, &mut legal) {
            self.encoding.write(&view, &mut bytes);
        }
        self.legal = legal;
        Ok(PyArray1::from_vec(py, bytes))
    }

    /// Returns what a seat can do: `int8`, 1 for each legal action; zeros unless it is to act.
    fn mask<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = self.seat_of(seat)?;
        let legal = if self.env().to_act() == Some(seat) { self.env().legal() } else { &[] };
        Ok(mask(py, self.actions, legal))
    }

    /// Returns the decision of the seat to act; `None` once the match is over.
    fn turn(&self) -> Option<Turn> {
        let env = self.env();
        let (seat, mut legal) = (env.to_act()?, Vec::new());
        let view = env.view(seat, &mut legal)?;
        let turn = leyden_protocol::Turn::new(self.asked[seat] + 1, "env", view, Clock::default());
        Some(Turn::new(turn.into_owned(), &self.encoding))
    }
}
