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

use super::rerun_match::{RepeatOutcome, ask_again};
use crate::report::grid::plain;

/// How many matches of each bot by each worker are played again.
const MATCHES: usize = 2;

/// After this time no further match is played again except a worker's first, and none at all whose bot took longer than this.
const TIME: Duration = Duration::from_secs(20);
const LONGEST: Duration = Duration::from_secs(10);

/// Some matches of each bot by each worker, by their ids. No worker knows which these are.
#[derive(Default)]
pub(crate) struct WorkerSample(BTreeMap<String, BTreeMap<String, Draw>>);

/// Ids drawn from `count` matches, each with the same chance.
#[derive(Default)]
struct Draw {
    count: u64,
    ids: Vec<String>,
}

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
        let bots = self.0.entry(worker.clone()).or_default();
        for (_, bot) in record.bots.iter() {
            bots.entry(bot.clone()).or_default().note(&record.id);
        }
    }

    /// Each worker's, in an order that it cannot know: one match of each of its bots before the second of any.
    fn shuffled(&self) -> Vec<(&str, Vec<(&str, &str)>)> {
        self.0.iter().map(|(worker, bots)| (worker.as_str(), shuffled(bots))).collect()
    }
}

fn shuffled(bots: &BTreeMap<String, Draw>) -> Vec<(&str, &str)> {
    let turns = (0..MATCHES).flat_map(|turn| {
        let mut drawn: Vec<_> = bots
            .iter()
            .filter_map(|(bot, draw)| Some((bot.as_str(), draw.ids.get(turn)?.as_str())))
            .collect();
        for last in (1..drawn.len()).rev() {
            drawn.swap(last, drawn_below(last as u64 + 1).map_or(last, |index| index as usize));
        }
        drawn
    });
    turns.collect()
}

impl Draw {
    fn note(&mut self, id: &str) {
        self.count += 1;
        if self.ids.len() < MATCHES {
            self.ids.push(id.to_owned());
        } else if let Ok(index) = drawn_below(self.count)
            && let Some(drawn) = self.ids.get_mut(index as usize)
        {
            id.clone_into(drawn);
        }
    }
}

/// A match of a worker that its bot plays differently here, twice in the same way.
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
    let workers = sample.shuffled();
    // The first match of every worker before the second of any.
    for turn in 0..workers.iter().map(|(_, drawn)| drawn.len()).max().unwrap_or(0) {
        for (worker, drawn) in &workers {
            let Some((bot, id)) = drawn.get(turn).filter(|_| turn == 0 || began.elapsed() < TIME) else {
                continue;
            };
            let Ok((_, record)) = results.find(id) else { continue };
            let again = || differs(&record, bot, plan);
            let (worker, id, bot) = ((*worker).to_owned(), (*id).to_owned(), (*bot).to_owned());
            match again() {
                RepeatOutcome::Alike => drop(confirmed.insert((bot, worker))),
                RepeatOutcome::Otherwise(difference)
                    if again() == RepeatOutcome::Otherwise(difference.clone()) =>
                {
                    doubts.push(Doubt { worker, id, bot, difference });
                }
                RepeatOutcome::Otherwise(_) | RepeatOutcome::Unknown => {}
            }
        }
    }
    let mut named = BTreeSet::new();
    doubts.retain(|doubt| named.insert((doubt.bot.clone(), doubt.worker.clone())));
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
        let at = difference.turn_ref.map_or_else(String::new, |turn_ref| format!(" at {turn_ref}"));
        let reason = if is_confirmed_elsewhere {
            format!(
                "this machine repeats the matches of {bot} on other workers exactly: do not trust what {worker} has played"
            )
        } else {
            format!(
                "either {worker} did not play this, or {bot} keeps something from earlier matches or lets the clock decide"
            )
        };
        format!(
            "warning: worker {worker} reported match {id} differently from this machine: {bot} answers differently{at}, twice in \
             the same way; {reason}"
        )
    }
}

fn differs(record: &MatchRecord, name: &str, plan: &Plan) -> RepeatOutcome {
    let bot = plan.bots.iter().find(|bot| bot.name == name && !bot.is_in_process());
    match bot.map_or(RepeatOutcome::Unknown, |bot| ask_again(record, bot, plan)) {
        RepeatOutcome::Otherwise(Difference { now, .. }) if !matches!(now, BotReply::Action(_)) => {
            RepeatOutcome::Unknown
        }
        asked => asked,
    }
}
