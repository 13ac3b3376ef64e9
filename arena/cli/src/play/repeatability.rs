//! Bots whose results depend on the order of play: after a run, some of their last matches are played to them again in new
//! processes, and those that answer differently are named.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::time::{Duration, Instant};

use leyden_arena::record::store::Results;
use leyden_arena::report::typed;
use leyden_arena::rerun::{BotReply, Difference};
use leyden_arena::roster::Competitor;
use leyden_arena::run::Plan;
use leyden_model::{MatchRecord, TurnRef};
use schemars::JsonSchema;
use serde::Serialize;

use super::rerun_match::{RepeatOutcome, ask_again};
use crate::report::grid::plain;

/// How many of the last matches of each bot are played again, if it has played enough for its processes to have kept anything.
const MATCHES: usize = 3;
const FEWEST: u64 = 10;

/// After this time no further bot is asked, and no match again that took the bot longer than this.
const TIME: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_secs(10);

/// The last matches of each bot, by their ids: without a fault, and quick enough to be played again; and how many there were.
#[derive(Default)]
pub(crate) struct LastMatches(BTreeMap<String, (u64, VecDeque<String>)>);

impl LastMatches {
    pub(crate) fn note(&mut self, record: &MatchRecord) {
        let slowest = record.think_us.iter().map(|(_, times)| times.iter().sum()).max();
        let is_quick = slowest.is_none_or(|us: u64| Duration::from_micros(us) <= LONGEST);
        if record.fault.is_some() || !record.strikes.is_empty() || !is_quick {
            return;
        }
        for (_, bot) in record.bots.iter() {
            let (count, last) = self.0.entry(bot.clone()).or_default();
            *count += 1;
            last.push_back(record.id.clone());
            if last.len() > MATCHES {
                last.pop_front();
            }
        }
    }
}

/// A bot that answered differently when a match of the run was played to it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct UnrepeatableBot {
    pub(crate) bot: String,
    #[serde(rename = "match")]
    pub(crate) id: String,
    /// The first answer that differs.
    #[serde(rename = "place")]
    pub(crate) turn_ref: TurnRef,
    /// What to type for the bot, if known.
    #[serde(skip)]
    typed: Option<String>,
}

impl UnrepeatableBot {
    /// A sentence for people.
    pub(crate) fn sentence(&self) -> String {
        let Self { bot, id, turn_ref, typed } = self;
        let check = typed.as_ref().map_or_else(String::new, |typed| {
            format!(
                ". leyden check {} --only kept-state says more",
                plain(&crate::out::quoted(typed.as_ref()))
            )
        });
        format!(
            "note: {} answers differently when match {} is played to it again in a new process (at {turn_ref}): it keeps \
             something from earlier matches, draws random numbers without bot_seed, or lets the clock decide. So its \
             results may depend on --jobs, and nobody can reproduce them{check}",
            plain(bot),
            plain(id)
        )
    }
}

/// Plays the last matches of each bot to it again, while time allows. Bots of this program are left out, and so are all if every
/// match had new processes.
pub(crate) fn bots(plan: &Plan, last: &LastMatches, results: &Path) -> Vec<UnrepeatableBot> {
    let Ok(results) = Results::open(results) else { return Vec::new() };
    let began = Instant::now();
    let mut asked = 0;
    let mut found = Vec::new();
    for bot in plan.bots.iter().filter(|bot| !plan.settings.fresh && !bot.is_builtin()) {
        let mut different = |id: &String| {
            // The first one is always asked: the machine may be busy.
            let record = results.find(id).ok().filter(|_| asked == 0 || began.elapsed() < TIME)?.1;
            asked += 1;
            let turn_ref = differs_at(&record, bot, plan)?;
            let typed = typed(&bot.entry());
            Some(UnrepeatableBot { bot: bot.name.clone(), id: id.clone(), turn_ref, typed })
        };
        let Some((FEWEST.., last)) = last.0.get(&bot.name) else { continue };
        found.extend(last.iter().rev().find_map(&mut different));
    }
    found
}

/// Where the bot answers differently now; `None` if it does not, or if that cannot be seen now.
fn differs_at(record: &MatchRecord, bot: &Competitor, plan: &Plan) -> Option<TurnRef> {
    match ask_again(record, bot, plan) {
        RepeatOutcome::Otherwise(Difference {
            turn_ref,
            recorded: BotReply::Action(_),
            now: BotReply::Action(_),
        }) => turn_ref,
        _ => None,
    }
}
