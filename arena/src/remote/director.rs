//! Gives the jobs of a run to workers, and takes their reports for it: what `leyden-nats` carries as bytes is understood here.
//!
//! Of what comes back only that counts that was asked for: a record of another match is refused.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use leyden_model::job::{Job, JobBot, LegOutcome, Report};
use leyden_nats::{Director, Hello, Outcome, WorkerName};
use leyden_protocol::FaultCode;

use super::card::Card;
use super::order::{Answer, Ground, Order, Passenger, pack, unpack};
use super::outlier::Outliers;
use super::speed;
use crate::run::Reports;

/// What the executor and its director share: the jobs that are out, and how many more could be.
#[derive(Debug, Default)]
pub(super) struct Desk {
    jobs: Mutex<BTreeMap<u64, Job>>,
    appetite: AtomicUsize,
}

impl Desk {
    pub(super) fn jobs(&self) -> MutexGuard<'_, BTreeMap<u64, Job>> {
        // Each change is complete before anything can panic.
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn appetite(&self) -> usize {
        self.appetite.load(Ordering::SeqCst)
    }
}

/// Understands what workers say.
pub(super) struct Directing {
    pub(super) desk: Arc<Desk>,
    pub(super) ground: Ground,
    /// The bots that play, with what travels of them.
    pub(super) passengers: HashMap<JobBot, Passenger>,
    /// The speed of this machine; `None` if all are taken to be equally fast.
    pub(super) here: Option<u32>,
    /// How fast each worker is, in hundredths of that.
    pub(super) speeds: BTreeMap<WorkerName, u32>,
    pub(super) outliers: Outliers,
    pub(super) reports: Reports,
    pub(super) tell: Box<dyn FnMut(String) + Send>,
}

impl Director for Directing {
    fn admit(&mut self, hello: &Hello) -> Result<usize, String> {
        let card: Card = serde_json::from_value(hello.card.clone())
            .map_err(|_| "it is of another version of leyden".to_owned())?;
        let (slots, speed) = card.admit(self.ground.level, self.here)?;
        self.speeds.insert(hello.name.clone(), speed);
        Ok(slots)
    }

    fn compose(&mut self, worker: &WorkerName, items: &[u64]) -> Vec<u8> {
        let out = self.desk.jobs();
        let jobs: Vec<Job> = items.iter().filter_map(|item| out.get(item).cloned()).collect();
        drop(out);
        let mut bots: Vec<Passenger> = Vec::new();
        for bot in jobs.iter().flat_map(|job| &job.bots) {
            if !bots.iter().any(|passenger| passenger.bot == *bot) {
                bots.extend(self.passengers.get(bot).cloned());
            }
        }
        let speed = self.speeds.get(worker).copied().unwrap_or(speed::SAME);
        // What is packed here is plain values, of which nothing can fail; a batch that is empty comes back at once.
        pack(&Order { ground: self.ground.clone(), speed, bots, jobs }).unwrap_or_default()
    }

    fn result(&mut self, worker: &WorkerName, open: &[u64], result: &[u8]) -> Result<Outcome, String> {
        let reports = match unpack(result).map_err(|error| format!("it cannot be read: {error}"))? {
            Answer::Reports(reports) => reports,
            Answer::Lacks { bot, reason } => return Ok(Outcome::Lacks { need: bot, reason }),
        };
        let mut out = self.desk.jobs();
        let mut counted = Vec::new();
        for report in reports {
            let (Report::Leg { job, .. } | Report::Done { job } | Report::Event { job, .. }) = report else {
                return Err("a worker's own failure is no result".to_owned());
            };
            let Some(asked) = out.get(&job).filter(|_| open.contains(&job)) else { continue };
            if !is_asked_for(asked, &report) {
                return Err("it is of another match than was asked for".to_owned());
            }
            counted.push((job, report));
        }
        let mut done = Vec::new();
        for (job, report) in counted {
            match &report {
                Report::Leg { outcome: LegOutcome::Played { record }, .. } => {
                    let late = record.fault.as_ref().filter(|fault| fault.code == FaultCode::Timeout);
                    let told = self.outliers.count(worker, &record.bots, late.map(|fault| fault.seat));
                    told.into_iter().for_each(&mut self.tell);
                }
                Report::Done { .. } => {
                    out.remove(&job);
                    done.push(job);
                }
                Report::Leg { .. } | Report::Event { .. } | Report::Lost { .. } => {}
            }
            self.reports.send(report);
        }
        Ok(Outcome::Done(done))
    }

    fn event(&mut self, _: &WorkerName, open: &[u64], event: &[u8]) {
        if let Ok(report @ Report::Event { job, .. }) = unpack::<Report>(event)
            && open.contains(&job)
        {
            self.reports.send(report);
        }
    }

    fn given_up(&mut self, item: u64) {
        self.desk.jobs().remove(&item);
        // Nothing came of it: the dispatcher gives it out anew, or says that it cannot be played.
        self.reports.send(Report::Done { job: item });
    }

    fn appetite(&mut self, items: usize) {
        self.desk.appetite.store(items, Ordering::SeqCst);
        self.reports.slots_changed();
    }

    fn notice(&mut self, notice: String) {
        (self.tell)(notice);
    }
}

/// Whether a report is about a leg of the job, and its record about the match that was to be played.
fn is_asked_for(job: &Job, report: &Report) -> bool {
    let Report::Leg { leg, outcome, .. } = report else { return true };
    if !job.legs.contains(leg) {
        return false;
    }
    let LegOutcome::Played { record } = outcome else { return true };
    let asked = job.header(*leg);
    record.id == asked.id
        && record.tournament == asked.tournament
        && record.seed == asked.seed
        && record.rules == asked.rules
        && (record.block, record.leg) == (asked.block, asked.leg)
        && record.bots == asked.bots
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use leyden_host::{BuildLimits, ResourceLimits};
    use leyden_model::{BotIndex, PairKey, Table, TournamentSeed};

    use super::*;
    use crate::record::sample;
    use crate::remote::order::Answer;
    use crate::roster;
    use crate::run::Inbox;

    fn job() -> Job {
        let names = ["ann".to_owned(), "bob".to_owned()];
        let seed = TournamentSeed::from_text("forged");
        let table = Table::new(&[BotIndex(0), BotIndex(1)]).unwrap();
        Job {
            number: 7,
            pair: PairKey { phase: 0, block: 3, table },
            legs: vec![0, 1],
            tournament: seed.tournament_id(),
            settings: sample::setup(2, 4).settings,
            seed: seed.match_seed(&["ann", "bob"], 3),
            bots: names.map(|name| JobBot { hash: name.clone(), name }).to_vec(),
            withdrawn: Vec::new(),
            moves: false,
        }
    }

    fn directing(job: &Job) -> (Directing, Inbox) {
        let desk = Arc::new(Desk::default());
        desk.jobs().insert(job.number, job.clone());
        let inbox = Inbox::new();
        let ground = Ground::new(
            leyden_host::sandbox::Level::None,
            ResourceLimits::default(),
            BuildLimits::default(),
            Vec::new(),
            1,
        );
        let directing = Directing {
            desk,
            ground,
            passengers: HashMap::new(),
            here: None,
            speeds: BTreeMap::new(),
            outliers: Outliers::default(),
            reports: Reports::clone(inbox.reports()),
            tell: Box::new(|_| {}),
        };
        (directing, inbox)
    }

    fn leg(job: &Job, number: u64, leg: u32) -> Report {
        let record = Box::new(job.header(leg).record());
        Report::Leg { job: number, leg, started: Vec::new(), outcome: LegOutcome::Played { record } }
    }

    fn told(directing: &mut Directing, reports: Vec<Report>) -> Result<Outcome, String> {
        let result = pack(&Answer::Reports(reports)).unwrap();
        directing.result(&"ann".parse().unwrap(), &[7], &result)
    }

    #[test]
    fn what_was_asked_for_counts_once_and_whole() {
        let job = job();
        let (mut directing, inbox) = directing(&job);
        let reports = vec![leg(&job, 7, 0), leg(&job, 7, 1), Report::Done { job: 7 }];
        assert_eq!(told(&mut directing, reports.clone()), Ok(Outcome::Done(vec![7])));
        for report in &reports {
            assert_eq!(inbox.wait().as_ref(), Some(report));
        }
        assert_eq!(told(&mut directing, reports), Ok(Outcome::Done(Vec::new())));
        assert_eq!(inbox.ready(), None);
    }

    #[test]
    fn a_record_of_another_match_counts_for_nothing() {
        let job = job();
        let other = TournamentSeed::from_text("other");
        let others = [
            Job { seed: other.match_seed(&["ann", "bob"], 3), ..job.clone() },
            Job { tournament: other.tournament_id(), ..job.clone() },
            Job { pair: PairKey { block: 4, ..job.pair }, ..job.clone() },
            Job { bots: job.bots.iter().rev().cloned().collect(), ..job.clone() },
        ];
        for forged in others {
            let (mut directing, inbox) = directing(&job);
            let reports = vec![leg(&forged, 7, 0), Report::Done { job: 7 }];
            assert!(told(&mut directing, reports).unwrap_err().contains("another match"));
            assert_eq!(inbox.ready(), None);
        }
        let (mut directing, inbox) = directing(&job);
        assert!(told(&mut directing, vec![leg(&job, 7, 2)]).is_err(), "a leg that is not asked for");
        let lost = Report::Lost { reason: "the run is given up".to_owned() };
        assert!(told(&mut directing, vec![lost]).is_err(), "a worker cannot end the run");
        assert_eq!(told(&mut directing, vec![leg(&job, 8, 0)]), Ok(Outcome::Done(Vec::new())));
        assert!(directing.result(&"ann".parse().unwrap(), &[7], b"rubbish").is_err());
        assert_eq!(inbox.ready(), None);
    }

    #[test]
    fn what_a_batch_needs_travels_with_it() {
        let job = job();
        let (mut directing, _inbox) = directing(&job);
        let builtin = roster::find(&["builtin:careful".to_owned()], Path::new("/leyden")).unwrap();
        for bot in &job.bots {
            let (baggage, _) = builtin.bots[0].pack().unwrap();
            directing.passengers.insert(bot.clone(), Passenger { bot: bot.clone(), baggage, bundle: None });
        }
        let order: Order = unpack(&directing.compose(&"ann".parse().unwrap(), &[7, 8])).unwrap();
        assert_eq!((order.jobs, order.bots.len(), order.speed), (vec![job], 2, 100));
    }
}
