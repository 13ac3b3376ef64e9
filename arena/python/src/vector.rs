//! Many environments, stepped together into arrays that the caller owns.

use leyden_env::{ActionError, Batch, Encoding, Env, RewardKind};
use leyden_model::TournamentSeed;
use leyden_model::words::counted;
use numpy::{PyReadonlyArray1, PyReadwriteArrayDyn};
use pyo3::prelude::*;

use crate::boundary::{IllegalActionError, LeydenError, guarded, rejected};
use crate::numbers::{lent, rules};
use crate::strategy::{RaisedException, others};

/// Environments that are stepped together. `leyden.vec_env` is made from it.
#[pyclass(module = "leyden")]
pub(crate) struct Vector {
    vector: leyden_env::Vector,
    raised: RaisedException,
}

impl Vector {
    fn error(&self, error: ActionError) -> PyErr {
        match error {
            ActionError::Illegal { .. } => IllegalActionError::new_err(error.to_string()),
            ActionError::Number { .. } => rejected(error),
            ActionError::Opponent { .. } => self.raised.or(rejected(error)),
        }
    }
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(signature = (n, rules, seats, set, target, reward, seed, threads, opponents = None))]
    #[expect(clippy::too_many_arguments, reason = "the facade in Python names them")]
    fn new(
        py: Python<'_>,
        n: u32,
        rules: &str,
        seats: usize,
        set: u8,
        target: u32,
        reward: &str,
        seed: &str,
        threads: usize,
        opponents: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<Self> {
        if n == 0 {
            return Err(LeydenError::new_err("expected 1 environment or more, got 0"));
        }
        let rules = self::rules(rules, seats, set, Some(target))?;
        let reward: RewardKind = reward.parse().map_err(rejected)?;
        let (encoding, raised) = (Encoding::new(&rules), RaisedException::default());
        let seed = TournamentSeed::from_text(seed);
        let env = |number| Env::new(&rules, reward, seed, number, n);
        let vector = match opponents {
            None => leyden_env::Vector::new((0..n).map(env), encoding, threads),
            Some(players) => {
                let seated = |number| Ok((env(number), others(&players, &encoding, &raised)?));
                let envs = (0..n).map(seated).collect::<PyResult<Vec<_>>>()?;
                let begun = py.detach(|| {
                    guarded(|| leyden_env::Vector::learning(envs, encoding, threads).map_err(rejected))
                });
                begun.map_err(|error| raised.or(error))?
            }
        };
        Ok(Self { vector, raised })
    }

    /// The number of rewards of one environment.
    #[getter]
    fn rewards(&self) -> usize {
        self.vector.rewards()
    }

    /// Writes the state of all environments into the arrays.
    fn observe(
        &mut self,
        py: Python<'_>,
        observation: PyReadwriteArrayDyn<'_, u8>,
        mask: PyReadwriteArrayDyn<'_, u8>,
        reward: PyReadwriteArrayDyn<'_, f32>,
        done: PyReadwriteArrayDyn<'_, u8>,
        seat: PyReadwriteArrayDyn<'_, u8>,
    ) -> PyResult<()> {
        let mut arrays = Arrays { observation, mask, reward, done, seat };
        let batch = arrays.lend(&self.vector)?;
        let vector = &mut self.vector;
        py.detach(|| {
            guarded(|| {
                vector.observe(batch);
                Ok(())
            })
        })
    }

    /// Takes one action in each environment, and writes the states that follow into the arrays.
    #[expect(clippy::too_many_arguments, reason = "five arrays and the actions")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        observation: PyReadwriteArrayDyn<'_, u8>,
        mask: PyReadwriteArrayDyn<'_, u8>,
        reward: PyReadwriteArrayDyn<'_, f32>,
        done: PyReadwriteArrayDyn<'_, u8>,
        seat: PyReadwriteArrayDyn<'_, u8>,
    ) -> PyResult<()> {
        let numbers = actions.as_slice().map_err(|_| LeydenError::new_err("actions must be contiguous"))?;
        if numbers.len() != self.vector.len() {
            let (elements, got) = (counted(self.vector.len(), "element", "elements"), numbers.len());
            return Err(LeydenError::new_err(format!("actions must have {elements}, not {got}")));
        }
        let mut arrays = Arrays { observation, mask, reward, done, seat };
        let batch = arrays.lend(&self.vector)?;
        let vector = &mut self.vector;
        let stepped = py.detach(|| guarded(|| Ok(vector.step(numbers, batch))))?;
        stepped.map_err(|error| self.error(error))
    }

    /// Returns the scores of an environment.
    fn scores(&self, row: usize) -> PyResult<Vec<u32>> {
        let env = self.vector.env(row).ok_or_else(|| {
            LeydenError::new_err(format!(
                "expected an environment from 0 to {}, got {row}",
                self.vector.len() - 1
            ))
        })?;
        Ok(env.game().scores().as_slice().to_vec())
    }
}

/// The caller's arrays, borrowed for one call.
struct Arrays<'py> {
    observation: PyReadwriteArrayDyn<'py, u8>,
    mask: PyReadwriteArrayDyn<'py, u8>,
    reward: PyReadwriteArrayDyn<'py, f32>,
    done: PyReadwriteArrayDyn<'py, u8>,
    seat: PyReadwriteArrayDyn<'py, u8>,
}

impl Arrays<'_> {
    fn lend(&mut self, vector: &leyden_env::Vector) -> PyResult<Batch<'_>> {
        let (n, encoding): (usize, &Encoding) = (vector.len(), vector.encoding());
        Ok(Batch {
            observation: lent(&mut self.observation, "observation", n * encoding.len())?,
            mask: lent(&mut self.mask, "action_mask", n * vector.actions().len())?,
            reward: lent(&mut self.reward, "reward", n * vector.rewards())?,
            done: lent(&mut self.done, "done", n)?,
            seat: lent(&mut self.seat, "seat", n)?,
        })
    }
}
