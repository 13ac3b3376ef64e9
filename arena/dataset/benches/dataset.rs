//! How long it takes to make a data set of 10,000 matches, by processor time, and how much memory that needs.
//!
//! ```text
//! cargo bench -p leyden-dataset --bench dataset             both forms
//! cargo bench -p leyden-dataset -- --test   a few matches, to see that it still runs
//! ```
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::convert::Infallible;
use std::time::Duration;

use leyden_dataset::{Form, write};
use leyden_model::{MatchHeader, MatchRecord, RecordRules, RecordedEnding, RoundRecord, TournamentSeed};
use leyden_protocol::{PerSeat, RulesName};
use leyden_rules::Rules;
use leyden_sample_bots::Strategy;
use leyden_sample_bots::table::play_recorded;
use rustix::time::{ClockId, clock_gettime};

const NAMES: [&str; 2] = ["greedy", "careful"];

/// Plays a match as the arena would record it, apart from what is not read.
fn recorded(rules: &Rules, block: u32) -> MatchRecord {
    let seed = TournamentSeed::from_text("speed");
    let (id, match_seed) = (seed.tournament_id(), seed.match_seed(&NAMES, block));
    let mut record = MatchHeader::new(id, match_seed, RecordRules::from(rules), (block, 0), &NAMES).record();
    let bot =
        |name: &str| leyden_sample_bots::strategy(name, &[""; 0]).unwrap_or_else(|error| panic!("{error}"));
    let mut bots = NAMES.map(bot);
    let mut players: Vec<&mut dyn Strategy> = bots.iter_mut().map(|bot| &mut **bot as _).collect();
    let (game, deals) = play_recorded(rules, &mut players, &[1, 2], |deal| match_seed.deck(rules.set, deal));
    let none = PerSeat::default_for(rules.seats);
    record.rounds.extend(deals.into_iter().enumerate().map(|(round, (deck, actions))| RoundRecord {
        round: round as u32,
        redeal: 0,
        deck: deck.tiles().to_vec(),
        actions,
        end: RecordedEnding::Dominoed,
        pips: none,
        points: none,
        scores: none,
    }));
    (record.scores, record.winner) = (*game.scores(), game.leading());
    record
}

fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

/// The most memory that this process has had, in megabytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn main() {
    let matches = if std::env::args().any(|argument| argument == "--bench") { 10_000 } else { 20 };
    let rules = Rules::standard(RulesName::Leyden);
    let records: Vec<MatchRecord> = (0..matches.min(500)).map(|block| recorded(&rules, block)).collect();
    for form in Form::ALL {
        for part in [10, 1] {
            let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
            let some = records.iter().cycle().take((matches / part) as usize).cloned();
            let start = processor_time();
            let written = write(some.map(Ok::<_, Infallible>), &folder.path().join("set"), form);
            let spent = processor_time().saturating_sub(start).as_secs_f64();
            let written = written.unwrap_or_else(|error| panic!("{error}"));
            println!(
                "{:<8} {:>6} matches, {:>8} decisions: {spent:6.2} s, at most {} MB",
                form.name(),
                written.matches,
                written.rows,
                peak()
            );
        }
    }
}
