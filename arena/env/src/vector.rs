//! Many environments at once, written into arrays that the caller owns.

use leyden_protocol::{Action, PerSeat, Seat};
use leyden_rules::IllegalActionError;
use leyden_sample_bots::Strategy;

use crate::actions::ActionTable;
use crate::encoding::Encoding;
use crate::env::Env;
use crate::learner::Learner;

/// Where the state of `n` environments is written, each in its own row.
pub struct Batch<'a> {
    /// `n` observations of [`Encoding::len`] bytes.
    pub observation: &'a mut [u8],
    /// `n` masks of [`ActionTable::len`] bytes: 1 for each legal action.
    pub mask: &'a mut [u8],
    /// `n` rows with what each seat got, or `n` numbers with what the learner got if there is one.
    pub reward: &'a mut [f32],
    /// 1 where a match ended, and the next one has begun.
    pub done: &'a mut [u8],
    /// The seats to act.
    pub seat: &'a mut [u8],
}

/// An action that cannot be taken. No environment has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    #[error("expected an action from 0 to {}, got {number} for environment {env}", .actions - 1)]
    Number { env: usize, number: i64, actions: usize },
    #[error("{action} (number {number}) is not legal in environment {env}; legal are {}", listed(.legal))]
    Illegal { env: usize, number: i64, action: Action, legal: Vec<Action> },
    #[error("a strategy answered badly in environment {env}: {illegal}")]
    Opponent { env: usize, illegal: IllegalActionError },
}

fn listed(legal: &[Action]) -> String {
    legal.iter().map(Action::to_string).collect::<Vec<_>>().join(" ")
}

/// One environment: all seats are asked, or only one that learns.
enum Table {
    All(Box<Env>),
    One(Box<Learner>),
}

impl Table {
    fn env(&self) -> &Env {
        match self {
            Self::All(env) => env,
            Self::One(learner) => learner.env(),
        }
    }

    /// Takes an action; a match that is over is followed by the next. Returns what each seat got, the seat that learns
    /// and whether the match ended.
    fn step(&mut self, action: Action) -> Result<(PerSeat<f32>, Option<Seat>, bool), IllegalActionError> {
        match self {
            Self::All(env) => {
                let rewards = env.step(action)?;
                let over = env.to_act().is_none();
                if over {
                    env.next_match();
                }
                Ok((rewards, None, over))
            }
            Self::One(learner) => {
                let (rewards, seat) = (learner.step(action)?, learner.seat());
                let over = learner.env().to_act().is_none();
                if over {
                    learner.next_match()?;
                }
                Ok((rewards, Some(seat), over))
            }
        }
    }
}

/// Environments that are stepped together. A match that ends is followed by the next at once.
pub struct Vector {
    encoding: Encoding,
    actions: ActionTable,
    tables: Vec<Table>,
    threads: usize,
    /// The actions of the current step.
    chosen: Vec<Action>,
}

impl Vector {
    /// Creates environments in which all seats are asked. `threads` of them work on a step.
    pub fn new(envs: impl IntoIterator<Item = Env>, encoding: Encoding, threads: usize) -> Self {
        let tables = envs.into_iter().map(|env| Table::All(Box::new(env)));
        Self::from_tables(tables.collect(), encoding, threads)
    }

    /// Creates environments in which one seat is asked and the others are played.
    pub fn learning(
        envs: impl IntoIterator<Item = (Env, Vec<Box<dyn Strategy>>)>,
        encoding: Encoding,
        threads: usize,
    ) -> Result<Self, ActionError> {
        let mut tables = Vec::new();
        for (env, (begun, others)) in envs.into_iter().enumerate() {
            let mut learner = Learner::new(begun, others);
            learner.reach_decision().map_err(|illegal| ActionError::Opponent { env, illegal })?;
            tables.push(Table::One(Box::new(learner)));
        }
        Ok(Self::from_tables(tables, encoding, threads))
    }

    fn from_tables(tables: Vec<Table>, encoding: Encoding, threads: usize) -> Self {
        let actions = ActionTable::new(encoding.rules().set);
        Self { encoding, actions, chosen: Vec::with_capacity(tables.len()), tables, threads: threads.max(1) }
    }

    /// Returns the number of environments.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether there is no environment.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Returns the encoding of the observations.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// Returns the table that numbers the actions.
    pub fn actions(&self) -> ActionTable {
        self.actions
    }

    /// Returns the environment of a row.
    pub fn env(&self, row: usize) -> Option<&Env> {
        self.tables.get(row).map(Table::env)
    }

    /// Returns how many numbers `reward` has for each environment: one for each seat, or 1 if one seat learns.
    pub fn rewards(&self) -> usize {
        match self.tables.first() {
            Some(Table::One(_)) => 1,
            _ => self.encoding.rules().seats.count(),
        }
    }

    /// Writes the state of all environments: no reward, nothing done.
    ///
    /// # Panics
    /// If an array of the batch has another length than it should.
    pub fn observe(&mut self, batch: Batch<'_>) {
        batch.reward.fill(0.0);
        batch.done.fill(0);
        let (encoding, actions, width) = (&self.encoding, self.actions, self.rewards());
        let mut legal = Vec::new();
        for (table, row) in self.tables.iter().zip(pieces(batch, 1, encoding, actions, width)) {
            write(table, encoding, actions, &mut legal, row);
        }
    }

    /// Takes one action in each environment, and writes the states that follow. An action that is not legal changes
    /// nothing anywhere.
    ///
    /// # Panics
    /// If an array has another length than it should.
    pub fn step(&mut self, numbers: &[i64], batch: Batch<'_>) -> Result<(), ActionError> {
        assert_eq!(numbers.len(), self.tables.len(), "one action for each environment");
        self.choose(numbers)?;
        let (encoding, actions, width) = (&self.encoding, self.actions, self.rewards());
        let each = self.tables.len().div_ceil(self.threads).max(1);
        let mut work: Vec<_> = self
            .tables
            .chunks_mut(each)
            .zip(self.chosen.chunks(each))
            .zip(pieces(batch, each, encoding, actions, width))
            .enumerate()
            .map(|(part, ((tables, chosen), piece))| (part * each, tables, chosen, piece))
            .collect();
        let Some(last) = work.pop() else { return Ok(()) };
        let run = |(first, tables, chosen, piece): (usize, &mut [Table], &[Action], Batch<'_>)| {
            step_some(first, tables, chosen, piece, encoding, actions, width)
        };
        if work.is_empty() {
            return run(last);
        }
        std::thread::scope(|scope| {
            let others: Vec<_> = work.into_iter().map(|part| scope.spawn(move || run(part))).collect();
            let mut outcome = run(last);
            for other in others {
                let theirs = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                outcome = theirs.and(outcome);
            }
            outcome
        })
    }

    /// Reads the numbers as actions, each legal in its environment.
    fn choose(&mut self, numbers: &[i64]) -> Result<(), ActionError> {
        self.chosen.clear();
        for (env, (&number, table)) in numbers.iter().zip(&self.tables).enumerate() {
            let action = usize::try_from(number).ok().and_then(|number| self.actions.action(number));
            let Some(action) = action else {
                return Err(ActionError::Number { env, number, actions: self.actions.len() });
            };
            let legal = table.env().legal();
            if !legal.contains(&action) {
                return Err(ActionError::Illegal { env, number, action, legal: legal.to_vec() });
            }
            self.chosen.push(action);
        }
        Ok(())
    }
}

/// Cuts a batch into pieces of `each` environments.
fn pieces<'a>(
    batch: Batch<'a>,
    each: usize,
    encoding: &Encoding,
    actions: ActionTable,
    rewards: usize,
) -> impl Iterator<Item = Batch<'a>> {
    let Batch { observation, mask, reward, done, seat } = batch;
    let observations = observation.chunks_mut(each * encoding.len());
    let masks = mask.chunks_mut(each * actions.len());
    let rewards = reward.chunks_mut(each * rewards);
    let (dones, seats) = (done.chunks_mut(each), seat.chunks_mut(each));
    observations
        .zip(masks)
        .zip(rewards)
        .zip(dones)
        .zip(seats)
        .map(|((((observation, mask), reward), done), seat)| Batch { observation, mask, reward, done, seat })
}

fn step_some(
    first: usize,
    tables: &mut [Table],
    chosen: &[Action],
    batch: Batch<'_>,
    encoding: &Encoding,
    actions: ActionTable,
    width: usize,
) -> Result<(), ActionError> {
    let mut legal = Vec::new();
    for (n, ((table, &action), row)) in
        tables.iter_mut().zip(chosen).zip(pieces(batch, 1, encoding, actions, width)).enumerate()
    {
        let stepped = table.step(action);
        let (rewards, learner, over) =
            stepped.map_err(|illegal| ActionError::Opponent { env: first + n, illegal })?;
        match learner {
            Some(seat) => row.reward[0] = rewards[seat],
            None => row.reward.copy_from_slice(rewards.as_slice()),
        }
        row.done[0] = u8::from(over);
        write(table, encoding, actions, &mut legal, row);
    }
    Ok(())
}

/// Writes what the seat to act sees and may do.
fn write(table: &Table, encoding: &Encoding, actions: ActionTable, legal: &mut Vec<Action>, row: Batch<'_>) {
    let env = table.env();
    let Some(to_act) = env.to_act() else { return };
    let Batch { observation, mask, seat, .. } = row;
    seat[0] = to_act.index() as u8;
    if let Some(view) = env.view(to_act, legal) {
        encoding.write(&view, observation);
        actions.write_mask(&view.legal, mask);
    }
}
