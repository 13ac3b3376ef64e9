//! Assigns the jobs of a run to workers and takes their reports: it interprets what `leyden-nats` carries as bytes.
//!
//! Only requested results count: a record of another match is refused.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use leyden_model::job::{Job, JobBot, JobReport, LegOutcome};
use leyden_nats::{BatchOutcome, Director, WorkerHello, WorkerName, WorkerProblem};
use leyden_protocol::Seat;

use super::batch::{BatchReply, BatchSpec, Conditions, MOST_OF_JOB, PackedBot, pack, unpack_up_to};
use super::card::WorkerCard;
use super::outlier::Outliers;
use super::speed;
use leyden_arena::record::verify::verify;
use leyden_arena::run::Reports;

/// State shared by the executor and its director: the open jobs with their bots, and how many more could be assigned.
#[derive(Debug, Default)]
pub(super) struct OpenJobs {
    jobs: Mutex<BTreeMap<u64, Job>>,
    bots: Mutex<HashMap<JobBot, PackedBot>>,
    capacity: AtomicUsize,
}

impl OpenJobs {
    pub(super) fn jobs(&self) -> MutexGuard<'_, BTreeMap<u64, Job>> {
        // Every change is complete before anything can panic.
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bots of jobs, in the form in which they are sent.
    pub(super) fn bots(&self) -> MutexGuard<'_, HashMap<JobBot, PackedBot>> {
        self.bots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity.load(Ordering::SeqCst)
    }
}

/// Interprets the messages of the workers.
pub(super) struct RemoteDirector {
    pub(super) open_jobs: Arc<OpenJobs>,
    pub(super) conditions: Conditions,
    /// The speed of this machine; `None` if all count as equally fast.
    pub(super) here: Option<u32>,
    /// The speed of each worker, in hundredths of `here`.
    pub(super) speeds: BTreeMap<WorkerName, u32>,
    pub(super) outliers: Outliers,
    pub(super) starts: StartSites,
    pub(super) reports: Reports,
    pub(super) notify: Box<dyn FnMut(String) + Send>,
}

impl Director for RemoteDirector {
    fn admit(&mut self, hello: &WorkerHello) -> Result<usize, String> {
        let card: WorkerCard = serde_json::from_value(hello.card.clone())
            .map_err(|_| "it runs another version of leyden".to_owned())?;
        let (slots, speed) = card.admit(self.conditions.level, self.here)?;
        self.speeds.insert(hello.name.clone(), speed);
        Ok(slots)
    }

    fn compose(&mut self, worker: &WorkerName, items: &[u64]) -> Vec<u8> {
        let out = self.open_jobs.jobs();
        let jobs: Vec<Job> = items.iter().filter_map(|item| out.get(item).cloned()).collect();
        drop(out);
        let packed = self.open_jobs.bots();
        let mut bots: Vec<PackedBot> = Vec::new();
        for bot in jobs.iter().flat_map(|job| &job.bots) {
            if !bots.iter().any(|packed| packed.bot == *bot) {
                bots.extend(packed.get(bot).cloned());
            }
        }
        drop(packed);
        let speed = self.speeds.get(worker).copied().unwrap_or(speed::SAME);
        // Plain values always serialise; a worker returns an empty batch at once.
        pack(&BatchSpec { conditions: self.conditions.clone(), speed, bots, jobs }).unwrap_or_default()
    }

    fn result(&mut self, worker: &WorkerName, open: &[u64], result: &[u8]) -> Result<BatchOutcome, String> {
        let reports = match unpack_up_to(result, open.len() as u64 * MOST_OF_JOB)
            .map_err(|error| format!("it cannot be parsed: {error}"))?
        {
            BatchReply::Reports(reports) => reports,
            BatchReply::Lacks { bot, reason } => {
                return Ok(hindered(WorkerProblem::Lacks { need: bot, reason }));
            }
            BatchReply::Trouble { reason, bundle } => {
                return Ok(hindered(WorkerProblem::Trouble { reason, bundle }));
            }
        };
        // A machine that is too busy, or says so, costs no match while there are others.
        let is_alone = self.speeds.len() < 2;
        let mut out = self.open_jobs.jobs();
        let mut counted: Vec<(u64, JobReport)> = Vec::new();
        // Jobs that failed because of the worker are played by another one.
        let mut blamed = BTreeSet::new();
        let mut hindrance = None;
        for report in reports {
            let (JobReport::Leg { job, .. } | JobReport::Done { job } | JobReport::Event { job, .. }) =
                report
            else {
                return Err("a worker's own failure is not a result".to_owned());
            };
            let Some(asked) = out.get(&job).filter(|_| open.contains(&job)) else { continue };
            check_requested(asked, &report)?;
            let cause = match &report {
                JobReport::Leg { outcome: LegOutcome::HostOverloaded { reason }, .. } if !is_alone => {
                    Some(WorkerProblem::Trouble { reason: reason.clone(), bundle: None })
                }
                JobReport::Leg { started, outcome, .. } => self.starts.blame(worker, asked, started, outcome),
                _ => None,
            };
            if let Some(cause) = cause {
                hindrance.get_or_insert(cause);
                blamed.insert(job);
            }
            counted.push((job, report));
        }
        counted.retain(|(job, _)| !blamed.contains(job));
        let mut done = Vec::new();
        for (job, report) in counted {
            match &report {
                JobReport::Leg { outcome: LegOutcome::Played { record }, .. } => {
                    let fault = record.fault.as_ref().map(|fault| fault.seat);
                    let notices = self.outliers.count(worker, &record.bots, fault);
                    notices.into_iter().for_each(&mut self.notify);
                }
                JobReport::Done { .. } => {
                    out.remove(&job);
                    done.push(job);
                }
                JobReport::Leg { .. } | JobReport::Event { .. } | JobReport::Lost { .. } => {}
            }
            self.reports.send(report);
        }
        Ok(BatchOutcome { done, hindrance })
    }

    fn event(&mut self, _: &WorkerName, open: &[u64], event: &[u8]) {
        if let Ok(report @ JobReport::Event { job, leg, .. }) = unpack_up_to::<JobReport>(event, MOST_OF_JOB)
            && open.contains(&job)
            && self.open_jobs.jobs().get(&job).is_some_and(|asked| asked.legs.contains(&leg))
        {
            self.reports.send(report);
        }
    }

    fn abandoned(&mut self, item: u64) {
        let job = self.open_jobs.jobs().remove(&item);
        if let Some(job) = job {
            let bots: Vec<&str> = job.bots.iter().map(|bot| bot.name.as_str()).collect();
            (self.notify)(format!(
                "a match of {} was lost with every worker that had it; it is assigned again",
                bots.join(" – ")
            ));
        }
        // Without a result, the dispatcher assigns the job again, or reports that it cannot be played.
        self.reports.send(JobReport::Done { job: item });
    }

    fn handed_back(&mut self, item: u64) {
        self.open_jobs.jobs().remove(&item);
        self.reports.handed_back(item);
    }

    fn capacity(&mut self, items: usize) {
        self.open_jobs.capacity.store(items, Ordering::SeqCst);
        self.reports.slots_changed();
    }

    fn notice(&mut self, notice: String) {
        (self.notify)(notice);
    }
}

fn hindered(hindrance: WorkerProblem) -> BatchOutcome {
    BatchOutcome { done: Vec::new(), hindrance: Some(hindrance) }
}

/// Refuses a report that is not about a leg of the job, a record of another match, and a record that is impossible: its deals must
/// follow from its seed, and the rules must allow every action.
fn check_requested(job: &Job, report: &JobReport) -> Result<(), String> {
    let JobReport::Leg { leg, outcome, .. } = report else { return Ok(()) };
    if !job.legs.contains(leg) {
        return Err("it is about a leg that was not requested".to_owned());
    }
    let LegOutcome::Played { record } = outcome else { return Ok(()) };
    let asked = job.header(*leg);
    let is_the_match = record.id == asked.id
        && record.tournament == asked.tournament
        && record.seed == asked.seed
        && record.rules == asked.rules
        && (record.block, record.leg) == (asked.block, asked.leg)
        && record.bots == asked.bots;
    if !is_the_match {
        return Err("it is about another match than the one requested".to_owned());
    }
    verify(record).map_err(|error| format!("match {} cannot have been played like this: {error}", record.id))
}

/// The workers on which each bot has started: if a bot that starts elsewhere does not start on a worker, the worker is to blame.
#[derive(Debug, Default)]
pub(super) struct StartSites(BTreeMap<String, BTreeSet<WorkerName>>);

impl StartSites {
    /// Records which bots were started for a leg. Returns the worker's problem if the outcome is the worker's fault.
    fn blame(
        &mut self,
        worker: &WorkerName,
        job: &Job,
        started: &[Seat],
        outcome: &LegOutcome,
    ) -> Option<WorkerProblem> {
        let record = match outcome {
            LegOutcome::HostFailed { reason } => {
                return Some(WorkerProblem::Trouble { reason: reason.clone(), bundle: None });
            }
            LegOutcome::Played { record } => record,
            // A panic there says nothing about the arena here.
            LegOutcome::Panicked { text, .. } => {
                let reason = format!("its arena failed: {text}");
                return Some(WorkerProblem::Trouble { reason, bundle: None });
            }
            LegOutcome::HostOverloaded { .. } => return None,
        };
        for &seat in started.iter().filter(|&&seat| job.pair.table.seats().has(seat)) {
            self.0.entry(record.bots[seat].clone()).or_default().insert(worker.clone());
        }
        let fault = record.fault.as_ref().filter(|fault| fault.code.is_start_failure())?;
        let bot = &record.bots[fault.seat];
        let is_elsewhere = self.0.get(bot).is_some_and(|workers| !workers.contains(worker));
        is_elsewhere.then(|| WorkerProblem::Lacks {
            need: bot.clone(),
            reason: format!("it starts on other machines, but not on this one: {}", fault.details),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use leyden_host::{BuildLimits, ResourceLimits};
    use leyden_model::{BotIndex, DisabledBot, FaultDetails, PairKey, Table, TournamentSeed};
    use leyden_protocol::FaultCode;
    use leyden_referee::{Fault, MatchSpec, forfeit};

    use super::*;
    use crate::batch::{BatchReply, MOST_REPORTS};
    use leyden_arena::record::sample;
    use leyden_arena::roster;
    use leyden_arena::run::Inbox;

    fn job() -> Job {
        let names = ["ann".to_owned(), "bob".to_owned()];
        let seed = TournamentSeed::from_text("forged");
        let table = Table::new(&[BotIndex(0), BotIndex(1)]).unwrap();
        Job {
            number: 7,
            pair: PairKey { stage: 0, block: 3, table },
            legs: vec![0, 1],
            tournament: seed.tournament_id(),
            settings: sample::stored_plan(2, 4).settings,
            seed: seed.match_seed(&["ann", "bob"], 3),
            bots: names.map(|name| JobBot { hash: name.clone(), name }).to_vec(),
            disabled: Vec::new(),
            moves: false,
        }
    }

    fn directing(job: &Job) -> (RemoteDirector, Inbox) {
        let open_jobs = Arc::new(OpenJobs::default());
        open_jobs.jobs().insert(job.number, job.clone());
        let inbox = Inbox::new();
        let conditions = Conditions::new(
            leyden_host::sandbox::SandboxLevel::None,
            ResourceLimits::default(),
            BuildLimits::default(),
            (Vec::new(), Vec::new()),
            1,
        );
        let directing = RemoteDirector {
            open_jobs,
            conditions,
            here: None,
            speeds: BTreeMap::new(),
            outliers: Outliers::default(),
            starts: StartSites::default(),
            reports: Reports::clone(inbox.reports()),
            notify: Box::new(|_| {}),
        };
        (directing, inbox)
    }

    fn leg(job: &Job, number: u64, leg: u32) -> JobReport {
        let record = Box::new(sample::play(job.header(leg).record(), None));
        JobReport::Leg { job: number, leg, started: Vec::new(), outcome: LegOutcome::Played { record } }
    }

    fn notices(directing: &mut RemoteDirector, reports: Vec<JobReport>) -> Result<BatchOutcome, String> {
        let result = pack(&BatchReply::Reports(reports)).unwrap();
        directing.result(&"ann".parse().unwrap(), &[7], &result)
    }

    #[test]
    fn requested_results_count_once_and_completely() {
        let job = job();
        let (mut directing, inbox) = directing(&job);
        let reports = vec![leg(&job, 7, 0), leg(&job, 7, 1), JobReport::Done { job: 7 }];
        assert_eq!(notices(&mut directing, reports.clone()), Ok(BatchOutcome::done(vec![7])));
        for report in &reports {
            assert_eq!(inbox.wait().as_ref(), Some(report));
        }
        assert_eq!(notices(&mut directing, reports), Ok(BatchOutcome::done(Vec::new())));
        assert_eq!(inbox.ready(), None);
    }

    #[test]
    fn record_of_another_match_counts_for_nothing() {
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
            let reports = vec![leg(&forged, 7, 0), JobReport::Done { job: 7 }];
            assert!(notices(&mut directing, reports).unwrap_err().contains("another match"));
            assert_eq!(inbox.ready(), None);
        }
        let (mut directing, inbox) = directing(&job);
        assert!(notices(&mut directing, vec![leg(&job, 7, 2)]).is_err(), "a leg that is not asked for");
        let lost = JobReport::Lost { reason: "the run stops".to_owned() };
        assert!(notices(&mut directing, vec![lost]).is_err(), "a worker cannot end the run");
        assert_eq!(notices(&mut directing, vec![leg(&job, 8, 0)]), Ok(BatchOutcome::done(Vec::new())));
        assert!(directing.result(&"ann".parse().unwrap(), &[7], b"rubbish").is_err());
        assert_eq!(inbox.ready(), None);
    }

    #[test]
    fn impossible_record_counts_for_nothing() {
        let job = job();
        let (mut directing, inbox) = directing(&job);
        let JobReport::Leg { started, outcome: LegOutcome::Played { mut record }, .. } = leg(&job, 7, 0)
        else {
            panic!("a match")
        };
        record.scores[Seat::FIRST] += 1;
        let forged = JobReport::Leg { job: 7, leg: 0, started, outcome: LegOutcome::Played { record } };
        assert!(
            notices(&mut directing, vec![forged]).unwrap_err().contains("cannot have been played like this")
        );
        assert_eq!(inbox.ready(), None);
    }

    #[test]
    fn worker_panic_counts_as_trouble_of_that_worker() {
        let job = job();
        let (mut directing, inbox) = directing(&job);
        let outcome = LegOutcome::Panicked { text: "ouch".to_owned(), location: "there".to_owned() };
        let panicked = JobReport::Leg { job: 7, leg: 0, started: Vec::new(), outcome };
        let outcome = notices(&mut directing, vec![panicked, JobReport::Done { job: 7 }]).unwrap();
        assert!(outcome.done.is_empty());
        assert!(matches!(outcome.hindrance, Some(WorkerProblem::Trouble { .. })), "{outcome:?}");
        assert_eq!(inbox.ready(), None);
    }

    #[test]
    fn worker_cannot_void_a_match_while_others_exist() {
        let job = job();
        let void = || {
            let outcome = LegOutcome::HostOverloaded { reason: "it says so".to_owned() };
            JobReport::Leg { job: 7, leg: 0, started: Vec::new(), outcome }
        };
        let (mut directing, inbox) = directing(&job);
        let alone = notices(&mut directing, vec![void()]).unwrap();
        assert!(alone.hindrance.is_none() && inbox.ready().is_some());
        directing.speeds = ["ann", "bob"].map(|name| (name.parse().unwrap(), 100)).into();
        let outcome = notices(&mut directing, vec![void(), JobReport::Done { job: 7 }]).unwrap();
        assert!(outcome.done.is_empty());
        assert!(matches!(outcome.hindrance, Some(WorkerProblem::Trouble { .. })), "{outcome:?}");
        assert_eq!(inbox.ready(), None);
    }

    #[test]
    fn reply_beyond_report_or_byte_limit_is_refused() {
        let job = job();
        let (mut directing, inbox) = directing(&job);
        let many = vec![JobReport::Done { job: 7 }; 2 * MOST_REPORTS];
        assert!(notices(&mut directing, many).unwrap_err().contains("cannot be parsed"));
        let blanks = pack(&" ".repeat(2 * MOST_OF_JOB as usize)).unwrap();
        assert!(directing.result(&"ann".parse().unwrap(), &[7], &blanks).unwrap_err().contains("bytes"));
        assert_eq!(inbox.ready(), None);
    }

    fn host_failed(job: &Job, leg: u32) -> JobReport {
        let outcome = LegOutcome::HostFailed { reason: "no process can be started".to_owned() };
        JobReport::Leg { job: job.number, leg, started: Vec::new(), outcome }
    }

    #[test]
    fn host_failure_leaves_the_job_to_another_worker() {
        let job = job();
        let (mut directing, inbox) = directing(&job);
        let outcome =
            notices(&mut directing, vec![host_failed(&job, 0), JobReport::Done { job: 7 }]).unwrap();
        assert!(outcome.done.is_empty());
        assert!(matches!(outcome.hindrance, Some(WorkerProblem::Trouble { .. })), "{outcome:?}");
        assert_eq!(inbox.ready(), None);
    }

    #[test]
    fn start_failure_costs_nothing_if_bot_started_elsewhere() {
        let job = job();
        let (mut directing, inbox) = directing(&job);
        let spec = MatchSpec::new(job.header(0), &job.settings).unwrap();
        let fault = Fault::disabled(&DisabledBot {
            bot: "ann".to_owned(),
            failures: 3,
            code: FaultCode::Spawn,
            details: FaultDetails::from_text("a library is missing"),
        });
        let record = Box::new(forfeit(&spec, Seat::FIRST, &fault, None));
        let lost = |started: Vec<Seat>| JobReport::Leg {
            job: 7,
            leg: 0,
            started,
            outcome: LegOutcome::Played { record: record.clone() },
        };
        let result = |report: JobReport| pack(&BatchReply::Reports(vec![report])).unwrap();
        // No worker has started it yet, so the fault counts.
        let first = directing.result(&"ann".parse().unwrap(), &[7], &result(lost(Vec::new()))).unwrap();
        assert_eq!(first, BatchOutcome::done(Vec::new()));
        assert!(matches!(inbox.ready(), Some(JobReport::Leg { .. })));
        let JobReport::Leg { outcome, .. } = leg(&job, 7, 1) else { panic!("a match") };
        let started =
            JobReport::Leg { job: 7, leg: 1, started: job.pair.table.seats().iter().collect(), outcome };
        directing.result(&"bea".parse().unwrap(), &[7], &result(started)).unwrap();
        assert!(inbox.ready().is_some());
        let again = directing.result(&"ann".parse().unwrap(), &[7], &result(lost(Vec::new()))).unwrap();
        assert!(
            matches!(&again.hindrance, Some(WorkerProblem::Lacks { need, .. }) if need == "ann"),
            "{again:?}"
        );
        assert_eq!(inbox.ready(), None);
    }

    #[test]
    fn batch_contains_the_bots_that_it_needs() {
        let job = job();
        let (mut directing, _inbox) = directing(&job);
        let builtin = roster::find(&["builtin:careful".to_owned()], Path::new("/leyden")).unwrap();
        for bot in &job.bots {
            let (baggage, _) = builtin.bots[0].pack().unwrap();
            let packed = PackedBot { bot: bot.clone(), baggage, bundle: None };
            directing.open_jobs.bots().insert(bot.clone(), packed);
        }
        let spec: BatchSpec =
            crate::batch::unpack(&directing.compose(&"ann".parse().unwrap(), &[7, 8])).unwrap();
        let text = serde_json::to_string(&spec).unwrap();
        assert!(!text.contains("forged"), "the seed of the tournament travels: {text}");
        assert_eq!((spec.jobs, spec.bots.len(), spec.speed), (vec![job], 2, 100));
    }
}
