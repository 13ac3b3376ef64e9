//! A tournament of very many matches: does memory stay flat, how large is the results file, what does storing cost, how soon
//! does a resumed run start, and how long do standings take?
//!
//! The bots answer inside this process to save time; schedule, referee, records and results file are the real ones. `cargo
//! bench -p leyden --bench scale -- 1000000` plays that many; with `--test` it plays a few. `-- 1000000 --league` plays them in a league
//! of 200 bots, and measures how long it takes to choose its pairs.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use leyden_arena::format::{Competition, Format, Play, Seeding, Stage};
use leyden_arena::record::final_scores;
use leyden_arena::record::store::{RecordTemplate, Results, Resumable, StoredPlan, Writer};
use leyden_model::{BotIndex, MatchKey};
use leyden_protocol::{ToBot, Turn};
use leyden_referee::{Decision, DecisionResult, MatchOutcome, MatchSpec, Player, play_match};
use leyden_rules::Rules;
use leyden_sample_bots::Strategy;
use measure::{BenchResult, process_cpu, thread_cpu};

/// The number of bots of a round-robin, and of a league.
const BOTS: usize = 32;
const LEAGUE_BOTS: usize = 200;

fn main() -> BenchResult<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = arguments.iter().find_map(|argument| argument.parse::<u64>().ok()).unwrap_or(100_000);
    let matches = if measure::is_smoke() { 2_000 } else { asked };
    let is_league = arguments.iter().any(|argument| argument == "--league");
    let (format, bots) = if is_league {
        let stage =
            Stage { play: Play::League { batches: None }, blocks: 1, advance: None, tie_breaks: Vec::new() };
        let seeds = (0..LEAGUE_BOTS as u32).map(BotIndex).collect();
        let (presence, stages) = (Vec::new(), vec![stage]);
        (Format::Stages(Competition { seeding: Seeding::List, seeds, presence, stages }), LEAGUE_BOTS)
    } else {
        (Format::RoundRobin, BOTS)
    };
    let per_block = (bots * (bots - 1)) as u64;
    let stored_plan = StoredPlan {
        begun_in: None,
        left_out: Vec::new(),
        changes: Vec::new(),
        settings: measure::settings(),
        seed: "scale".to_owned(),
        bots: measure::nobodies(bots),
        blocks: if is_league { 1 } else { matches.div_ceil(per_block) as u32 },
        format,
        gate: None,
        files: Vec::new(),
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("scale.db");
    let writer = Writer::create(&path, &stored_plan)?;
    let mut schedule = stored_plan.schedule()?;
    let matches = if is_league { matches } else { schedule.matches() };
    println!("{matches} matches of {bots} random bots inside this process, leyden to 100");
    let (start, cpu, mut adding) = (Instant::now(), process_cpu(), Duration::ZERO);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let known = RecordTemplate::new(&stored_plan);
    let rules = stored_plan.settings.rules()?;
    let (mut played, mut choosing, mut pairs) = (0, Duration::ZERO, 0);
    loop {
        let open: Vec<MatchKey> = schedule.iter(played..schedule.matches()).collect();
        for key in open {
            let header = known.for_match(&key).header();
            let spec = MatchSpec::new(header, &stored_plan.settings)?;
            let mut players =
                rules.seats.iter().map(|_| InProcessPlayer::new(rules)).collect::<BenchResult<Vec<_>>>()?;
            let MatchOutcome::Finished(record) = runtime.block_on(play_match(&spec, &mut players, None))?
            else {
                return Err("the host is overloaded, although no bot is a process".into());
            };
            schedule.count(&key, &final_scores(&record, rules.better));
            let before = thread_cpu();
            writer.add(&key, *record)?;
            adding += thread_cpu().saturating_sub(before);
            played += 1;
            if played % (matches / 5) == 0 {
                println!("after {played:>9} matches: {} MB resident", resident_mb()?);
            }
        }
        if played >= matches {
            break;
        }
        let before = thread_cpu();
        pairs += schedule.next_round()?.map_or(0, |round| round.tables().count());
        choosing += thread_cpu().saturating_sub(before);
    }
    if is_league {
        println!("{:.3} ms to choose a pair", 1e3 * choosing.as_secs_f64() / pairs as f64);
    }
    let own = thread_cpu();
    writer.finish()?;
    let all = process_cpu().saturating_sub(cpu);
    let writing = all.saturating_sub(own);
    let rate = played as f64 / start.elapsed().as_secs_f64();
    println!(
        "{rate:.0} matches a second; of the processor time {:.1} % packing records, {:.1} % writing them",
        100.0 * adding.as_secs_f64() / all.as_secs_f64(),
        100.0 * writing.as_secs_f64() / all.as_secs_f64()
    );
    println!("{} bytes a match in the results file", fs::metadata(&path)?.len() / played);
    let begin = Instant::now();
    let more = StoredPlan { blocks: stored_plan.blocks + u32::from(!is_league), ..stored_plan };
    let stored = Resumable::open(&path)?;
    // As a run asks before it goes on.
    stored.open_round()?;
    stored.is_over()?;
    let (writer, _, done) = stored.resume(&more)?;
    println!("resumed in {:.2?}: {} matches done", begin.elapsed(), done.count());
    writer.finish()?;
    let begin = Instant::now();
    let sums = Results::open(&path)?.bot_sums()?;
    println!("sums of {} bots in {:.2?}", sums.len(), begin.elapsed());
    Ok(())
}

/// A bot without a process.
struct InProcessPlayer {
    rules: Rules,
    strategy: Box<dyn Strategy>,
}

impl InProcessPlayer {
    fn new(rules: Rules) -> BenchResult<Self> {
        Ok(Self { rules, strategy: leyden_sample_bots::strategy("random", &[] as &[&str])? })
    }
}

impl Player for InProcessPlayer {
    fn send(&mut self, message: &ToBot<'_>) {
        if let ToBot::MatchStart(start) = message {
            self.strategy.begin(&self.rules, start.bot_seed);
        }
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        _: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let start = Instant::now();
        let action = self.strategy.choose(turn);
        let took = start.elapsed();
        Ok(Ok(Decision { action, note: None, took, charged: took, late: Duration::ZERO }))
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Resident memory of this process in megabytes; 0 where the system does not report it.
fn resident_mb() -> BenchResult<u64> {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return Ok(0) };
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? / 1_024)
}
