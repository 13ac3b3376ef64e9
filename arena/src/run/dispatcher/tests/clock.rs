//! What the moments at which legs begin and end can carry, with a clock that is only counted: nothing here depends on how busy the
//! machine is. The same attack with real processes is in `tests/tests/sandbox/couriers.rs`.

use std::cell::Cell;
use std::time::Duration;

use super::*;
use crate::run::leg_wait::longest;

/// A bot ends its leg 0 in the first half of a period to send a 0, and in the second half to send a 1.
const PERIOD: Duration = Duration::from_millis(60);

/// How long a match takes that nobody delays, and until the next one begins.
const MATCH: Duration = Duration::from_millis(3);

thread_local! {
    static DRAWN: Cell<u64> = const { Cell::new(0) };
}

/// Draws evenly, the same numbers in every run of a test.
#[allow(clippy::unnecessary_wraps, reason = "the system may provide no random numbers")]
fn evenly(count: u64) -> Result<u64, RunError> {
    let number = DRAWN.replace(DRAWN.get() + 1);
    // SplitMix64.
    let mut bits = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Ok(((u128::from(bits ^ (bits >> 31)) * u128::from(count)) >> 64) as u64)
}

/// When legs are played, and what a bot makes of it.
struct Courier {
    now: Duration,
    sent: BTreeMap<u32, usize>,
    /// How often each bit was sent and each was heard.
    counts: [[u32; 2]; 2],
}

impl Courier {
    fn half(&self) -> usize {
        usize::from(self.now.as_nanos() % PERIOD.as_nanos() >= PERIOD.as_nanos() / 2)
    }

    fn play(&mut self, block: u32, leg: u32) {
        if leg == 0 {
            let bit = (block.wrapping_mul(0x9e37_79b9) >> 13) as usize & 1;
            self.sent.insert(block, bit);
            self.now += MATCH;
            while self.half() != bit {
                self.now += Duration::from_millis(1);
            }
        } else {
            self.counts[self.sent[&block]][self.half()] += 1;
            self.now += MATCH;
        }
    }

    /// The information in bits between what was sent and what was heard.
    fn bits(&self) -> f64 {
        let all: u32 = self.counts.iter().flatten().sum();
        let part = |count: u32| {
            let share = f64::from(count) / f64::from(all);
            if count > 0 { -share * share.log2() } else { 0.0 }
        };
        let sent: f64 = self.counts.iter().map(|row| part(row.iter().sum())).sum();
        let heard: f64 = (0..2).map(|bit| part(self.counts[0][bit] + self.counts[1][bit])).sum();
        sent + heard - self.counts.iter().flatten().map(|&count| part(count)).sum::<f64>()
    }
}

/// A match of this many pairs, in which each leg follows the one before, or as the dispatcher wants them.
fn carried(pairs: u32, in_a_row: bool) -> f64 {
    let plan = plan(2, pairs, Format::RoundRobin);
    let schedule = plan.schedule().unwrap();
    DRAWN.set(0);
    let mut dispatcher =
        Dispatcher::new(&plan, schedule.clone(), DoneMatches::none(&schedule), false, evenly);
    let mut courier = Courier { now: Duration::ZERO, sent: BTreeMap::new(), counts: [[0; 2]; 2] };
    let mut began = Duration::ZERO;
    loop {
        match dispatcher.step().unwrap() {
            Step::Job(job) => {
                let legs = if in_a_row { vec![0, 1] } else { job.legs.clone() };
                for leg in legs {
                    courier.play(job.pair.block, leg);
                    dispatcher.take(played(&job, leg)).unwrap();
                }
                dispatcher.take(JobReport::Done { job: job.number }).unwrap();
            }
            Step::Settled => {}
            Step::FirstLeg => began = courier.now,
            Step::NextLeg { pairs } => {
                let most = longest(courier.now.checked_sub(began).unwrap(), pairs).as_nanos() as u64;
                courier.now += Duration::from_nanos(evenly(most.max(1)).unwrap());
                began = courier.now;
            }
            Step::Nothing => break,
        }
    }
    assert_eq!(courier.counts.iter().flatten().sum::<u32>(), pairs);
    courier.bits()
}

#[test]
fn clock_leaks_at_most_tenth_bit_per_pair() {
    for pairs in [30, 64, 192] {
        let (open, guarded) = (carried(pairs, true), carried(pairs, false));
        assert!(open > 0.9, "{pairs} pairs, legs in a row: {open} bits a pair");
        assert!(guarded <= 0.1, "{pairs} pairs: {guarded} bits a pair");
    }
}

/// A meeting that goes on pair by pair: each has its own wait, as long as its leg.
#[test]
fn level_meeting_waits_for_each_further_pair() {
    let plan = plan(2, 1, knockout(2));
    let mut dispatcher = dispatcher(&plan);
    let mut waits = 0;
    for _ in 0..100 {
        match dispatcher.step().unwrap() {
            Step::Job(job) => {
                assert_eq!(job.legs.len(), 1);
                // Each seat wins one of the legs by a fault: the meeting stays level.
                dispatcher.take(level(&job)).unwrap();
                dispatcher.take(JobReport::Done { job: job.number }).unwrap();
            }
            Step::Settled | Step::FirstLeg => {}
            Step::NextLeg { pairs } => {
                assert_eq!((pairs, longest(MATCH, pairs)), (1, MATCH));
                waits += 1;
            }
            Step::Nothing => break,
        }
    }
    assert!(waits > 3, "{waits}");
}

fn knockout(bots: u32) -> Format {
    let play = Play::Knockout { best_of: false, third_place: false };
    let stage = Stage { play, blocks: 1, advance: None, tie_breaks: Vec::new() };
    let seeds = (0..bots).map(BotIndex).collect();
    Format::Stages(Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages: vec![stage] })
}

/// The match is lost by the bot in seat 0: each bot loses one leg.
fn level(job: &Job) -> JobReport {
    let leg = job.legs[0];
    let lost = (0..100).map(|decision| sample::play(job.header(leg).record(), Some(decision)));
    let record =
        lost.into_iter().find(|record| record.fault.as_ref().is_some_and(|it| it.seat == Seat::FIRST));
    report(job, leg, LegOutcome::Played { record: Box::new(record.unwrap()) })
}

#[test]
fn players_without_a_process_wait_for_nothing() {
    let mut plan = plan(2, 3, Format::RoundRobin);
    let waits = |plan: &Plan| {
        let mut dispatcher = dispatcher(plan);
        let mut waits = 0;
        loop {
            match dispatcher.step().unwrap() {
                Step::Job(job) => {
                    dispatcher.take(played(&job, job.legs[0])).unwrap();
                    dispatcher.take(JobReport::Done { job: job.number }).unwrap();
                }
                Step::NextLeg { .. } => waits += 1,
                Step::Settled | Step::FirstLeg => {}
                Step::Nothing => return waits,
            }
        }
    };
    assert_eq!(waits(&plan), 1);
    let players = ["in-process:one".to_owned(), "in-process:two".to_owned()];
    plan.bots = roster::find(&players, Path::new("/leyden")).unwrap().bots;
    assert_eq!(waits(&plan), 0);
}

#[test]
fn more_slots_open_more_pairs() {
    let plan = plan(2, 4_000, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    dispatcher.plays_at_once(100);
    let opened = std::iter::from_fn(|| job(&mut dispatcher)).count();
    assert_eq!(opened as u64, 100 * TOGETHER_PER_SLOT);
}
