//! One seat that learns, the others played by strategies.

use std::sync::{Mutex, PoisonError};

use leyden_protocol::{Action, Clock, PerSeat, Seat, Turn};
use leyden_rules::IllegalActionError;
use leyden_sample_bots::Strategy;

use crate::env::Env;

/// The clock that the others are shown: long enough for a bot with a fixed amount of work to do all of it.
const CLOCK: Clock = Clock { turn_ms: 3_600_000, bank_ms: 0, last_us: None };

/// An environment in which one seat is asked, and the others are played by strategies. The seat changes from match to
/// match, in seat order.
pub struct Learner {
    env: Env,
    /// One for each other seat, in the order of play after the learner. Never locked: a mutex is what makes a strategy
    /// shareable that only its owner ever uses.
    others: Vec<Mutex<Box<dyn Strategy>>>,
    seat: Seat,
    asked: u64,
    legal: Vec<Action>,
}

impl Learner {
    /// Seats one strategy for each other seat, in the order of play.
    pub fn new(env: Env, others: Vec<Box<dyn Strategy>>) -> Self {
        let others = others.into_iter().map(Mutex::new).collect();
        let mut learner = Self { env, others, seat: Seat::FIRST, asked: 0, legal: Vec::new() };
        learner.sit_down();
        learner
    }

    /// Returns the environment below it.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// Returns the seat that learns.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Takes an action of the learner and lets the others play, up to its next decision or the end of the match. Returns
    /// what each seat gets.
    pub fn step(&mut self, action: Action) -> Result<PerSeat<f32>, IllegalActionError> {
        let mut rewards = self.env.step(action)?;
        self.play_others(&mut rewards)?;
        Ok(rewards)
    }

    /// Begins the next match.
    pub fn next_match(&mut self) -> Result<(), IllegalActionError> {
        self.env.next_match();
        self.sit_down();
        self.reach_decision()
    }

    /// Lets the others play up to the learner's first decision. Matches in which it has none are left out.
    pub fn reach_decision(&mut self) -> Result<(), IllegalActionError> {
        loop {
            let mut rewards = PerSeat::default_for(self.env.rules().seats);
            self.play_others(&mut rewards)?;
            if self.env.to_act().is_some() {
                return Ok(());
            }
            self.env.next_match();
            self.sit_down();
        }
    }

    fn sit_down(&mut self) {
        let seats = self.env.rules().seats;
        let turn = self.env.number() as usize % seats.count();
        self.seat = Seat::new(turn).unwrap_or(Seat::FIRST);
        self.asked = 0;
        let mut seat = self.seat;
        for other in &mut self.others {
            seat = seats.after(seat);
            let other = other.get_mut().unwrap_or_else(PoisonError::into_inner);
            other.begin(self.env.rules(), self.env.bot_seed(seat));
        }
    }

    fn play_others(&mut self, rewards: &mut PerSeat<f32>) -> Result<(), IllegalActionError> {
        while let Some(seat) = self.env.to_act().filter(|&seat| seat != self.seat) {
            let seats = self.env.rules().seats.count();
            let other = (seat.index() + seats - self.seat.index()) % seats - 1;
            let Some(view) = self.env.view(seat, &mut self.legal) else { return Ok(()) };
            self.asked += 1;
            let other = self.others[other].get_mut().unwrap_or_else(PoisonError::into_inner);
            let action = other.choose(&Turn::new(self.asked, "env", view, CLOCK));
            let gained = self.env.step(action)?;
            for (seat, reward) in rewards.iter_mut() {
                *reward += gained[seat];
            }
        }
        Ok(())
    }
}
