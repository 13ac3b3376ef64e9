//! Matches that workers report, sampled: some of each worker's are played again here to the bots in new processes, and a worker is
//! named whose record differs although the bot repeats itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use leyden_arena::record::store::Results;
use leyden_arena::rerun::{BotReply, Difference};
use leyden_arena::run::{Plan, drawn_below};
use leyden_model::MatchRecord;
use leyden_protocol::FaultCode;

use super::rerun_match::{Asked, ask_again};
use crate::report::grid::plain;

/// How many matches of each worker are played again.
const MATCHES: usize = 3;

/// After this time no further match is played again, and none at all whose bot took longer than this.
const TIME: Duration = Duration::from_secs(20);
const LONGEST: Duration = Duration::from_secs(10);

/// Some matches of each worker, by their ids, and from how many they were drawn. No worker knows which these are.
#[derive(Default)]
pub(crate) struct WorkerSample(BTreeMap<String, (u64, Vec<String>)>);

impl WorkerSample {
    pub(crate) fn note(&mut self, record: &MatchRecord) {
        let Some(worker) = record.host.as_ref().and_then(|host| host.worker.as_ref()) else { return };
        let is_quick = |times: &[u64]| Duration::from_micros(times.iter().sum()) <= LONGEST;
        // Time and starts depend on the machine.
        let depends = |code: FaultCode| code == FaultCode::Timeout || code.is_start_failure();
        if record.fault.as_ref().is_some_and(|fault| depends(fault.code))
            || !record.think_us.iter().all(|(_, times)| is_quick(times))
        {
            return;
        }
        let (count, drawn) = self.0.entry(worker.clone()).or_default();
        *count += 1;
        if drawn.len() < MATCHES {
            drawn.push(record.id.clone());
        } else if let Ok(place) = drawn_below(*count)
            && let Some(drawn) = drawn.get_mut(place as usize)
        {
            drawn.clone_from(&record.id);
        }
    }
}

/// A match of a worker that its bot plays otherwise here, twice alike.
struct Doubt {
    worker: String,
    id: String,
    bot: String,
    difference: Difference,
}

/// Plays the sample again, and names each worker whose records differ. With `--quiet`, too: the results are in doubt.
pub(crate) fn print(plan: &Plan, sample: &WorkerSample, results: &Path) {
    for doubt in doubted(plan, sample, results) {
        crate::out::say(format_args!("{doubt}"));
    }
}

fn doubted(plan: &Plan, sample: &WorkerSample, results: &Path) -> Vec<String> {
    let Ok(results) = Results::open(results) else { return Vec::new() };
    let began = Instant::now();
    let (mut doubts, mut confirmed) = (Vec::new(), BTreeSet::new());
    // The first match of every worker before the second of any.
    for turn in 0..MATCHES {
        for (worker, (_, ids)) in &sample.0 {
            let Some(id) = ids.get(turn).filter(|_| turn == 0 || began.elapsed() < TIME) else { continue };
            let Ok((_, record)) = results.find(id) else { continue };
            for (_, bot) in record.bots.iter() {
                let again = || differs(&record, bot, plan);
                let (worker, id, bot) = (worker.clone(), id.clone(), bot.clone());
                match again() {
                    Asked::Alike => drop(confirmed.insert((bot, worker))),
                    Asked::Otherwise(difference) if again() == Asked::Otherwise(difference.clone()) => {
                        doubts.push(Doubt { worker, id, bot, difference });
                    }
                    Asked::Otherwise(_) | Asked::Unknown => {}
                }
            }
        }
    }
    let mut told = BTreeSet::new();
    doubts.retain(|doubt| told.insert((doubt.bot.clone(), doubt.worker.clone())));
    let sentence = |doubt: &Doubt| {
        let elsewhere = confirmed.iter().any(|(bot, worker)| *bot == doubt.bot && *worker != doubt.worker);
        doubt.sentence(elsewhere)
    };
    doubts.iter().map(sentence).collect()
}

impl Doubt {
    fn sentence(&self, is_confirmed_elsewhere: bool) -> String {
        let Self { worker, id, bot, difference } = self;
        let (worker, id, bot) = (plain(worker), plain(id), plain(bot));
        let place = difference.place.map_or_else(String::new, |place| format!(" at {place}"));
        let reason = if is_confirmed_elsewhere {
            format!(
                "matches of {bot} that other workers played are repeated here as reported: do not trust what {worker} has played"
            )
        } else {
            format!(
                "either {worker} did not play this, or {bot} keeps something from earlier matches or lets the clock decide"
            )
        };
        format!(
            "warning: worker {worker} reported match {id} otherwise than it is played here: {bot} answers differently{place}, twice \
             alike; {reason}"
        )
    }
}

fn differs(record: &MatchRecord, name: &str, plan: &Plan) -> Asked {
    let bot = plan.bots.iter().find(|bot| bot.name == name && !bot.is_in_process());
    match bot.map_or(Asked::Unknown, |bot| ask_again(record, bot, plan)) {
        Asked::Otherwise(Difference { now, .. }) if !matches!(now, BotReply::Action(_)) => Asked::Unknown,
        asked => asked,
    }
}
