//! Compares the pairings of a Swiss with those of another program, bbpPairings (FIDE's Dutch system of 2025, Apache-2.0): simulated
//! events, each round of which both pair from the same results; meetings end 2:0, 1:1 or 0:2, because it does not read records of other
//! points (299). Runs on request only:
//! `cargo bench -p leyden-format --bench references -- PROGRAM`. The latest results are in `arena/format/README.md`.
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's")]
#![allow(clippy::expect_used, reason = "a bench stops at the first surprise")]

use std::collections::BTreeSet;
use std::process::Command;

use leyden_format::competition::StageTable;
use leyden_format::{Competition, Format, Play, Schedule, Seeding, Stage, StageRound, TieBreak, trf};
use leyden_model::{BotIndex, MatchKey};
use leyden_protocol::{Seats, WinningScore};
use leyden_stats::FinalScores;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A pair of pairing numbers, the lower first; a bye has 0.
type Pair = (usize, usize);

/// What the rounds of all events came to.
#[derive(Default)]
struct Compared {
    rounds: u32,
    /// Further rounds that the other program cannot pair: colours leave no pairing.
    unpaired: u32,
    /// Rounds in which every meeting is the same.
    same: u32,
    /// Rounds in which the scores that meet are the same.
    same_scores: u32,
    /// Rounds in which the squares of the score differences add up to less here, and to more.
    fewer: u32,
    more: u32,
    /// Repeated meetings here.
    repeats: u32,
}

fn main() {
    let Some(reference) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("nothing to compare with: name the program bbpPairings");
        return;
    };
    println!(
        "| bots | rounds | not paired there | the same | the same scores meet | smaller differences here | larger |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for bots in [8, 9, 16, 31, 48, 100] {
        let mut all = Compared::default();
        for seed in 0..60 {
            event(bots, seed, &reference, &mut all);
        }
        let share = |count: u32| format!("{:.0} %", 100.0 * f64::from(count) / f64::from(all.rounds));
        let [same, scores, fewer, more] = [all.same, all.same_scores, all.fewer, all.more].map(share);
        let (rounds, unpaired) = (all.rounds + all.unpaired, all.unpaired);
        println!("| {bots} | {rounds} | {unpaired} | {same} | {scores} | {fewer} | {more} |");
        assert_eq!(all.repeats, 0, "nobody has to meet twice");
    }
}

/// Plays an event in which both programs pair each round.
fn event(bots: u32, seed: u64, reference: &str, all: &mut Compared) {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let rounds = bots.ilog2() + 2;
    let stage =
        Stage { play: Play::Swiss { rounds }, blocks: 1, advance: None, tie_breaks: TieBreak::ALL.to_vec() };
    let seeds = (0..bots).map(BotIndex).collect();
    let competition =
        Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages: vec![stage] };
    let mut schedule =
        Schedule::new(Format::Stages(competition), bots as usize, Seats::TWO, 1).expect("it can be played");
    let mut met: BTreeSet<Pair> = BTreeSet::new();
    let mut before = table(&schedule);
    loop {
        let ours = pairs(&schedule, bots);
        match asked(reference, &before) {
            Some(theirs) => compare(&ours, &theirs, (&before, all)),
            None => all.unpaired += 1,
        }
        let played = ours.iter().filter(|(one, _)| *one > 0);
        all.repeats += played.filter(|pair| !met.insert(**pair)).count() as u32;
        let first = schedule.matches() - schedule.rounds().last().map_or(0, StageRound::matches);
        let keys: Vec<MatchKey> = schedule.iter(first..u64::MAX).collect();
        for legs in keys.chunks(2) {
            // Both legs end alike, or each bot wins one: so a meeting is won, drawn or lost as a game is.
            let outcome = chance.next_u64() % 3;
            for key in legs {
                schedule.count(key, &end(key, outcome));
            }
        }
        before = table(&schedule);
        if schedule.next_round().expect("it can be played").is_none() {
            return;
        }
    }
}

fn table(schedule: &Schedule) -> StageTable<String> {
    let table = schedule.competition().expect("it has stages").named(|bot| format!("bot{}", bot.0));
    table.stages.into_iter().next().expect("it has a stage")
}

fn end(key: &MatchKey, outcome: u64) -> FinalScores {
    let lower = key.table.bots()[0];
    let score = |bot: &BotIndex| match outcome {
        0 => u32::from(*bot == lower),
        1 => u32::from(*bot != lower),
        _ => u32::from((*bot == lower) == (key.leg == 0)),
    };
    FinalScores { scores: key.seating().map(score), fault: None, better: WinningScore::Higher }
}

/// The meetings of the last round.
fn pairs(schedule: &Schedule, bots: u32) -> BTreeSet<Pair> {
    let tables = schedule.rounds().last().expect("there is a round").tables();
    let each = (0..tables.count()).filter_map(|rank| tables.nth(rank));
    let mut all: BTreeSet<Pair> =
        each.map(|table| (table.bots()[0].index() + 1, table.bots()[1].index() + 1)).collect();
    let rests = |bot: &usize| all.iter().all(|(one, other)| one != bot && other != bot);
    let bye = (1..=bots as usize).find(rests);
    all.extend(bye.map(|bye| (0, bye)));
    all
}

/// The pairings of the other program, if there are any.
fn asked(reference: &str, before: &StageTable<String>) -> Option<BTreeSet<Pair>> {
    let folder = std::env::temp_dir();
    let [input, output] =
        ["in", "out"].map(|name| folder.join(format!("leyden-references-{}.{name}", std::process::id())));
    std::fs::write(&input, trf("event", before).expect("it is a Swiss")).expect("a temporary file");
    let ended = Command::new(reference)
        .arg("--dutch")
        .arg(&input)
        .arg("-p")
        .arg(&output)
        .output()
        .expect("the program");
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(said.contains("No valid pairing") || said.contains("can not be paired"), "{said}");
        return None;
    }
    let text = std::fs::read_to_string(&output).expect("its pairings");
    let number = |word: &str| word.parse::<usize>().expect("a number");
    let pair = |line: &str| {
        let mut both: Vec<usize> = line.split_whitespace().map(number).collect();
        both.sort_unstable();
        (both[0], both[1])
    };
    Some(text.lines().skip(1).filter(|line| !line.is_empty()).map(pair).collect())
}

fn compare(
    ours: &BTreeSet<Pair>,
    theirs: &BTreeSet<Pair>,
    (before, all): (&StageTable<String>, &mut Compared),
) {
    let score = |bot: usize| {
        let name = bot.checked_sub(1).map(|bot| &before.seeds[bot]);
        let line = before.groups[0].iter().find(|line| Some(&line.bot) == name);
        line.map_or(0, |line| line.half_points)
    };
    let scores = |pairs: &BTreeSet<Pair>| {
        let each = pairs.iter().map(|&(one, other)| {
            let (one, other) = (score(one), score(other));
            (one.min(other), one.max(other))
        });
        let mut each: Vec<(u64, u64)> = each.collect();
        each.sort_unstable();
        each
    };
    let squares = |pairs: &BTreeSet<Pair>| -> u64 {
        let met = pairs.iter().filter(|(one, _)| *one > 0);
        met.map(|&(one, other)| score(one).abs_diff(score(other)).pow(2)).sum()
    };
    all.rounds += 1;
    all.same += u32::from(ours == theirs);
    all.same_scores += u32::from(scores(ours) == scores(theirs));
    all.fewer += u32::from(squares(ours) < squares(theirs));
    all.more += u32::from(squares(ours) > squares(theirs));
}
