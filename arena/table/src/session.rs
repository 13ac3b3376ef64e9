//! One match, from the first deal to its end: played, taken back, or resigned.

use std::collections::VecDeque;
use std::io;
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use leyden_host::platform;
use leyden_model::projection::{Audience, Projection};
use leyden_protocol::{Action, PerSeat, Seat};
use leyden_referee::{
    Decision, DecisionError, MatchOutcome, ProcessPlayer, SeatedPlayer, forfeit, play_match,
};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver as Inbox, Sender as Outbox, channel};

use super::bot::{SeatedBot, StepGate};
use super::log::{Log, LogWriter};
use super::messages::{FromPerson, RestartReason, SessionEnd, ToPerson};
use super::seat::Person;
use super::table::ReadyTable;

/// How often a match is continued after the machine was too busy, or suspended, to tell whether a bot was in time.
const RETRIES: u32 = 10;

/// How many messages of a person wait. More are lost if they are no more than clicks: while bots start or think, none is an answer.
const WAITING: usize = 16;

/// A match that is played on its own thread. Dropping the session gives it up.
pub struct Session {
    messages: Outbox<FromPerson>,
    thread: Option<JoinHandle<()>>,
}

impl Session {
    /// Starts to play, and returns the receiver of the messages.
    pub fn start(table: ReadyTable) -> io::Result<(Self, Receiver<ToPerson>)> {
        let (messages, inbox) = channel(WAITING);
        let (sender, receiver) = mpsc::channel(); // bounded by the events of a match, which waits for the person
        let work = move || {
            // A bot has no more cores here than in a tournament.
            platform::pin_thread(&platform::allowed_cores()[..1]);
            let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
            let ending = match runtime {
                Ok(runtime) => runtime.block_on(SessionMatch { table, sender: sender.clone() }.play(inbox)),
                Err(error) => SessionEnd::Failed(error),
            };
            let _ = sender.send(ToPerson::Over(ending)); // the receiver may be gone
        };
        let thread = std::thread::Builder::new().name("table".to_owned()).spawn(work)?;
        Ok((Self { messages, thread: Some(thread) }, receiver))
    }

    /// Sends a message to the table. Does nothing after the end. While too many wait, answers and steps are lost, and the others
    /// wait for the table: not to be called by a task of a runtime.
    pub fn say(&self, message: FromPerson) {
        let _ = match message {
            FromPerson::Act(..) | FromPerson::Step => self.messages.try_send(message).is_ok(),
            FromPerson::Undo | FromPerson::Resign => self.messages.blocking_send(message).is_ok(),
        };
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.messages = channel(1).0; // the table hears that nobody can say anything more
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// A match at a table.
struct SessionMatch {
    table: ReadyTable,
    sender: Sender<ToPerson>,
}

/// How one pass through the match ended.
enum Playthrough {
    Played(MatchOutcome),
    Undo,
    Resigned,
}

impl SessionMatch {
    async fn play(self, mut messages: Inbox<FromPerson>) -> SessionEnd {
        let (mut log, mut rated, mut again, mut retries) = (Log::default(), true, None, RETRIES);
        loop {
            self.notify(ToPerson::Begins { rated, again });
            let (outcome, so_far) = match self.once(&log, &mut messages).await {
                Ok(outcome) => outcome,
                Err(error) => return SessionEnd::Failed(error),
            };
            log = so_far;
            match outcome {
                Playthrough::Played(MatchOutcome::Finished(record)) if rated => {
                    return match self.table.keep((*record).clone()) {
                        Ok(path) => SessionEnd::Kept(path, record),
                        Err(error) => SessionEnd::NotKept(error, record),
                    };
                }
                Playthrough::Played(MatchOutcome::Finished(record)) => return SessionEnd::Practised(record),
                Playthrough::Played(MatchOutcome::HostOverloaded(overload)) if retries == 0 => {
                    return SessionEnd::Failed(io::Error::other(overload));
                }
                Playthrough::Played(MatchOutcome::HostOverloaded(_)) => {
                    retries -= 1;
                    again = Some(RestartReason::Busy);
                }
                Playthrough::Undo => {
                    if self.table.seat.is_some_and(|seat| log.step_back(seat)) {
                        rated = false;
                    } else {
                        self.notify(ToPerson::NoUndo);
                    }
                    again = Some(RestartReason::Undo);
                }
                Playthrough::Resigned => return SessionEnd::Resigned,
            }
        }
    }

    fn notify(&self, message: ToPerson) {
        let _ = self.sender.send(message); // the receiver may be gone
    }

    /// Plays from the beginning, repeating the earlier decisions, until the match ends or is interrupted.
    async fn once(&self, log: &Log, messages: &mut Inbox<FromPerson>) -> io::Result<(Playthrough, Log)> {
        let seats = self.table.spec.rules.seats;
        let mut before = log.of_seats(seats);
        let steps = Rc::new(Semaphore::new(0));
        let (answer, answers) = channel(WAITING);
        let audience = self.table.seat.map_or(Audience::Spectator, Audience::Seat);
        let mut log_writer = LogWriter::new(Projection::new(audience), self.sender.clone());
        let mut bots = match self.start_bots(&mut before, &steps).await? {
            Ok(bots) => bots,
            Err((seat, DecisionError::Fault(fault, _))) => {
                let mut listen = |event: &leyden_model::MatchEvent| log_writer.take(event);
                let record = forfeit(&self.table.spec, seat, &fault, Some(&mut listen));
                return Ok((Playthrough::Played(MatchOutcome::Finished(Box::new(record))), log.clone()));
            }
            Err((_, DecisionError::HostOverloaded(overload))) => {
                return Ok((Playthrough::Played(MatchOutcome::HostOverloaded(overload)), log.clone()));
            }
        };
        let own = self.table.seat.map(|seat| std::mem::take(&mut before[seat])).unwrap_or_default();
        let mut person = Person::new(self.sender.clone(), answers, own);
        let outcome = {
            let mut others = bots.iter_mut();
            let mut players: Vec<SeatedPlayer<'_>> = Vec::with_capacity(seats.count());
            if self.table.seat.is_some() {
                players.push(SeatedPlayer::Other(&mut person)); // always the first seat
            }
            players.extend(others.by_ref().map(|bot| SeatedPlayer::Other(bot)));
            let mut listen = |event: &leyden_model::MatchEvent| log_writer.take(event);
            tokio::select! {
                biased;
                attempt = play_match(&self.table.spec, &mut players, Some(&mut listen)) => {
                    Playthrough::Played(attempt?)
                }
                outcome = self.listen(messages, &answer, &steps) => outcome,
            }
        };
        let is_over = matches!(outcome, Playthrough::Played(MatchOutcome::Finished(_)));
        // Keeps earlier decisions even if this pass did not reach them.
        let so_far = if log_writer.log.len() < log.len() { log.clone() } else { log_writer.log };
        for bot in bots {
            if is_over { bot.process.end().await? } else { bot.process.kill().await? }
        }
        leyden_host::kill_leftovers();
        Ok((outcome, so_far))
    }

    /// Starts the bots in seat order; stops at the first that fails.
    async fn start_bots(
        &self,
        before: &mut PerSeat<VecDeque<Decision>>,
        steps: &Rc<Semaphore>,
    ) -> io::Result<Result<Vec<SeatedBot>, (Seat, DecisionError)>> {
        let ReadyTable { opponents, seat, spec, .. } = &self.table;
        let seats = spec.rules.seats.iter().filter(|at| Some(*at) != *seat);
        let mut bots = Vec::new();
        for (seat, bot) in seats.zip(&opponents.bots) {
            let process = match ProcessPlayer::start(&opponents.launch(bot)).await? {
                Ok(process) => process,
                Err(failed) => return Ok(Err((seat, failed))),
            };
            let is_watched = self.table.seat.is_none();
            let pace = is_watched.then(|| StepGate { steps: Rc::clone(steps), sender: self.sender.clone() });
            bots.push(SeatedBot::new(process, std::mem::take(&mut before[seat]), pace));
        }
        Ok(Ok(bots))
    }

    /// Forwards messages until one ends this pass.
    async fn listen(
        &self,
        messages: &mut Inbox<FromPerson>,
        answer: &Outbox<(u64, Action)>,
        steps: &Semaphore,
    ) -> Playthrough {
        loop {
            match messages.recv().await {
                Some(FromPerson::Act(turn, action)) => {
                    let _ = answer.try_send((turn, action)); // the match may have ended just now
                }
                Some(FromPerson::Step) => steps.add_permits(usize::from(steps.available_permits() == 0)),
                Some(FromPerson::Undo) if self.table.seat.is_none() => self.notify(ToPerson::NoUndo),
                Some(FromPerson::Undo) => return Playthrough::Undo,
                Some(FromPerson::Resign) | None => return Playthrough::Resigned,
            }
        }
    }
}
