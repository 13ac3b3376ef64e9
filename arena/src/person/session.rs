//! One match from the first deal to its end: played, taken back, given up.

use std::collections::VecDeque;
use std::io;
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use leyden_host::platform;
use leyden_model::projection::{Audience, Projection};
use leyden_protocol::{Action, PerSeat, Seat};
use leyden_referee::{Decision, MatchOutcome, NoDecision, ProcessPlayer, Seated, forfeit, play_match};
use tokio::sync::Semaphore;
use tokio::sync::mpsc as words;

use super::bot::{SeatedBot, StepGate};
use super::log::{Log, LogWriter};
use super::messages::{FromPerson, RestartReason, SessionEnd, ToPerson};
use super::seat::Person;
use super::table::ReadyTable;

/// How often a match goes on after the machine was too busy, or asleep, to say whether a bot was in time.
const RETRIES: u32 = 10;

/// A match that is being played on a thread of its own. Dropped, it is given up.
pub struct Session {
    words: words::UnboundedSender<FromPerson>,
    thread: Option<JoinHandle<()>>,
}

impl Session {
    /// Begins to play. What happens comes out of the receiver.
    pub fn start(table: ReadyTable) -> io::Result<(Self, Receiver<ToPerson>)> {
        let (words, heard) = words::unbounded_channel();
        let (told, receiver) = mpsc::channel();
        let work = move || {
            // A bot has no more cores here than in a tournament.
            platform::pin_thread(&platform::allowed_cores()[..1]);
            let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
            let ending = match runtime {
                Ok(runtime) => runtime.block_on(Match { table, told: told.clone() }.play(heard)),
                Err(error) => SessionEnd::Failed(error),
            };
            let _ = told.send(ToPerson::Over(ending)); // nobody may look any more
        };
        let thread = std::thread::Builder::new().name("table".to_owned()).spawn(work)?;
        Ok((Self { words, thread: Some(thread) }, receiver))
    }

    /// Says something to the table. After the end nobody listens.
    pub fn say(&self, word: FromPerson) {
        let _ = self.words.send(word);
    }

    /// Another one who can say something.
    pub fn words(&self) -> words::UnboundedSender<FromPerson> {
        self.words.clone()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.say(FromPerson::Resign);
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// A match at a table.
struct Match {
    table: ReadyTable,
    told: Sender<ToPerson>,
}

/// What one way through the match came to.
enum Playthrough {
    Played(MatchOutcome),
    Undo,
    Resigned,
}

impl Match {
    async fn play(self, mut words: words::UnboundedReceiver<FromPerson>) -> SessionEnd {
        let (mut log, mut rated, mut again, mut retries) = (Log::default(), true, None, RETRIES);
        loop {
            self.tell(ToPerson::Begins { rated, again });
            let (outcome, so_far) = match self.once(&log, &mut words).await {
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
                        self.tell(ToPerson::NoUndo);
                    }
                    again = Some(RestartReason::Undo);
                }
                Playthrough::Resigned => return SessionEnd::Resigned,
            }
        }
    }

    fn tell(&self, told: ToPerson) {
        let _ = self.told.send(told); // nobody may look any more
    }

    /// Plays from the beginning, with what was answered before, until it is over or somebody breaks it off.
    async fn once(
        &self,
        log: &Log,
        words: &mut words::UnboundedReceiver<FromPerson>,
    ) -> io::Result<(Playthrough, Log)> {
        let seats = self.table.spec.rules.seats;
        let mut before = log.of_seats(seats);
        let steps = Rc::new(Semaphore::new(0));
        let (answer, answers) = words::unbounded_channel();
        let audience = self.table.seat.map_or(Audience::Spectator, Audience::Seat);
        let mut scribe = LogWriter::new(Projection::new(audience), self.told.clone());
        let mut bots = match self.start_bots(&mut before, &steps).await? {
            Ok(bots) => bots,
            Err((seat, NoDecision::Fault(fault, _))) => {
                let mut listen = |event: &leyden_model::MatchEvent| scribe.take(event);
                let record = forfeit(&self.table.spec, seat, &fault, Some(&mut listen));
                return Ok((Playthrough::Played(MatchOutcome::Finished(Box::new(record))), log.clone()));
            }
            Err((_, NoDecision::HostOverloaded(overload))) => {
                return Ok((Playthrough::Played(MatchOutcome::HostOverloaded(overload)), log.clone()));
            }
        };
        let own = self.table.seat.map(|seat| std::mem::take(&mut before[seat])).unwrap_or_default();
        let mut person = Person::new(self.told.clone(), answers, own);
        let outcome = {
            let mut others = bots.iter_mut();
            let mut players: Vec<Seated<'_>> = Vec::with_capacity(seats.count());
            if self.table.seat.is_some() {
                players.push(Seated::Other(&mut person)); // the first seat
            }
            players.extend(others.by_ref().map(|bot| Seated::Other(bot)));
            let mut listen = |event: &leyden_model::MatchEvent| scribe.take(event);
            tokio::select! {
                biased;
                attempt = play_match(&self.table.spec, &mut players, Some(&mut listen)) => {
                    Playthrough::Played(attempt?)
                }
                outcome = self.listen(words, &answer, &steps) => outcome,
            }
        };
        let is_over = matches!(outcome, Playthrough::Played(MatchOutcome::Finished(_)));
        // What was answered before stays answered, also where it was not yet asked again.
        let so_far = if scribe.log.len() < log.len() { log.clone() } else { scribe.log };
        for bot in bots {
            if is_over { bot.process.end().await? } else { bot.process.kill().await? }
        }
        leyden_host::kill_leftovers();
        Ok((outcome, so_far))
    }

    /// Starts every bot in seat order, up to the first that cannot be.
    async fn start_bots(
        &self,
        before: &mut PerSeat<VecDeque<Decision>>,
        steps: &Rc<Semaphore>,
    ) -> io::Result<Result<Vec<SeatedBot>, (Seat, NoDecision)>> {
        let ReadyTable { opponents, seat, spec, .. } = &self.table;
        let seats = spec.rules.seats.iter().filter(|at| Some(*at) != *seat);
        let mut bots = Vec::new();
        for (seat, bot) in seats.zip(&opponents.bots) {
            let process = match ProcessPlayer::start(&opponents.launch(bot)).await? {
                Ok(process) => process,
                Err(failed) => return Ok(Err((seat, failed))),
            };
            let is_watched = self.table.seat.is_none();
            let pace = is_watched.then(|| StepGate { steps: Rc::clone(steps), told: self.told.clone() });
            bots.push(SeatedBot::new(process, std::mem::take(&mut before[seat]), pace));
        }
        Ok(Ok(bots))
    }

    /// Passes on what is said, until it breaks the match off.
    async fn listen(
        &self,
        words: &mut words::UnboundedReceiver<FromPerson>,
        answer: &words::UnboundedSender<(u64, Action)>,
        steps: &Semaphore,
    ) -> Playthrough {
        loop {
            match words.recv().await {
                Some(FromPerson::Act(turn, action)) => {
                    let _ = answer.send((turn, action)); // the match may just be over
                }
                Some(FromPerson::Step) => steps.add_permits(usize::from(steps.available_permits() == 0)),
                Some(FromPerson::Undo) if self.table.seat.is_none() => self.tell(ToPerson::NoUndo),
                Some(FromPerson::Undo) => return Playthrough::Undo,
                Some(FromPerson::Resign) | None => return Playthrough::Resigned,
            }
        }
    }
}
