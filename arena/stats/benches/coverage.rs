//! Measures what the statistics promise, on simulated play with known truth. Runs on request only: `cargo bench -p
//! leyden-stats --bench coverage [-- PART…]`, with the parts fields (all, or those named, such as `fields "thirty bots"`),
//! pairs, league, copies, luck, lengths, gates and time. The latest results are in `arena/stats/README.md`.
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's, not the statistics'")]

use leyden_stats::{
    Entrant, Field, Holds, LeagueTable, Margin, PairingResult, Ranking, Ratings, Score, TallyBuilder,
    head_to_head,
};
use rustix::time::{ClockId, clock_gettime};
use simulation::league::{Way, beside_copies, looked, mixed, moved, newcomer};
use simulation::luck::without_luck;
use simulation::pairs::{Pairs, estimates, gates, margins};
use simulation::single_pairs::{Meetings, held};
use simulation::{Coverage, Dice, World, coverage};

#[path = "../tests/simulation/mod.rs"]
mod simulation;

/// Whether this run only shows that the benchmark still works: only `cargo bench` passes `--bench`.
fn is_smoke() -> bool {
    let said = |word: &str| std::env::args().any(|argument| argument == word);
    said("--test") || !said("--bench")
}

/// Processor time of this process so far, in seconds.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn main() {
    let count = if is_smoke() { 10 } else { 1_000 };
    let parts: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_requested = |part: &str| parts.is_empty() || parts.iter().any(|requested| requested == part);
    if is_requested("fields") {
        fields(count, &parts);
    }
    if is_requested("pairs") {
        single_pairs(2 * count);
    }
    if is_requested("league") {
        league(count);
    }
    if is_requested("copies") {
        copies((count / 10).max(1));
    }
    if is_requested("luck") {
        fields_without_luck(count);
    }
    if is_requested("lengths") {
        fixed_lengths(count);
    }
    if is_requested("gates") {
        all_gates(count);
    }
    if is_requested("time") {
        let bots = if is_smoke() { 10 } else { 1_000 };
        for blocks in [1, 3] {
            field_of(bots, blocks);
        }
    }
}

/// Leaderboards of fields with known truth: all, or those that are named.
fn fields(count: u32, names: &[String]) {
    let worlds = [
        (World::seat_luck(), &[2, 3, 5, 10, 100][..]),
        (World::cycle(), &[10, 100]),
        (World::perfect_loser(), &[10, 100]),
        (World::three_seats(), &[2, 3, 5, 10, 100]),
        (World::four_seats(), &[10, 100]),
        (World::many_draws(), &[2, 3, 5, 10, 100]),
        (World::faults(), &[2, 3, 5, 10, 100]),
        (World::wide(), &[2, 3, 5, 10, 100]),
        (World::equal(), &[2, 3, 5, 10, 100]),
        (World::thirty(), &[2]),
    ];
    let is_named = |world: &World| names.iter().any(|name| name == world.name);
    let any = worlds.iter().any(|(world, _)| is_named(world));
    for (world, many_blocks) in worlds.iter().filter(|(world, _)| is_named(world) || !any) {
        for blocks in *many_blocks {
            println!(
                "{}, {blocks} blocks, {count} leaderboards, % of intervals that hold the truth:",
                world.name
            );
            show(world, *blocks, &coverage(world, *blocks, count, 20_260 + u64::from(*blocks)));
        }
    }
}

/// Fields rated by single pairs.
fn single_pairs(count: u32) {
    println!(
        "| field | meetings | ratings hold, % | of the worst bot | any rank wrong, % | half-width | places left | ever wrong at any time, % |"
    );
    for (world, all) in [
        (World::ladder(3, 50.0), &[Meetings::OneBlock, Meetings::WithFinal(20)][..]),
        (World::seat_luck(), &[Meetings::OneBlock, Meetings::Swiss(4), Meetings::WithFinal(5)]),
        (World::many_draws(), &[Meetings::OneBlock, Meetings::Swiss(4)]),
        (World::equal(), &[Meetings::OneBlock, Meetings::Swiss(4)]),
        (World::wide(), &[Meetings::OneBlock, Meetings::Swiss(4), Meetings::WithFinal(5)]),
        (World::ladder(16, 30.0), &[Meetings::OneBlock, Meetings::Swiss(6)]),
        (World::thirty(), &[Meetings::OneBlock, Meetings::Swiss(7)]),
        (World::ladder(60, 10.0), &[Meetings::Swiss(8), Meetings::Swiss(12)]),
    ] {
        for meetings in all {
            let at_end = held(&world, *meetings, Holds::AtPlannedEnd, count, 71);
            let any = held(&world, *meetings, Holds::AtAnyTime, count / 2, 72);
            println!(
                "| {}, {} bots | {meetings:?} | {:.1} | {:.1} | {:.1} | {:.0} | {:.1} | {:.1} |",
                world.name,
                world.bots(),
                100.0 * at_end.ratings,
                100.0 * at_end.least,
                100.0 * at_end.wrong,
                at_end.width,
                at_end.places,
                100.0 * any.ever
            );
        }
    }
}

/// A league: what a newcomer costs, intervals under chosen pairings, and the time to choose them.
fn league(count: u32) {
    for half_width in [80.0, 50.0, 35.0] {
        for way in [Way::League, Way::RoundRobin, Way::Gauntlet] {
            let found = newcomer(way, 10, half_width, (count / 10).max(1), 81);
            println!(
                "| ± {half_width} | {way:?} | {:.0} | {:.0} | {:.1} |",
                found.pairs, found.own, found.astray
            );
        }
    }
    for (world, batches) in [
        (World::ladder(12, 30.0), 10),
        (World::ladder(12, 30.0), 30),
        (World::seat_luck(), 60),
        (World::wide(), 60),
        (World::equal(), 60),
        (World::thirty(), 30),
    ] {
        for holds in [Holds::AtPlannedEnd, Holds::AtAnyTime] {
            let result = looked(&world, batches, holds, (count / 5).max(1), 82);
            println!(
                "| {}, {} bots | {batches} | {holds:?} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {:.0} |",
                world.name,
                world.bots(),
                100.0 * result.last,
                100.0 * result.late,
                100.0 * result.ever,
                100.0 * result.ever_late,
                100.0 * result.any,
                result.width
            );
        }
    }
    for world in [World::seat_luck(), World::wide(), World::cycle()] {
        let [elo, played, even] = mixed(&world, 100, (count / 50).max(1), 83);
        println!("| {} | {elo:.0} | {:.1} | {:.1} |", world.name, 100.0 * played, 100.0 * even);
    }
    let bots: Vec<Entrant> = (0..if is_smoke() { 20 } else { 200 }).map(Entrant).collect();
    let mut table = LeagueTable::new(bots.len());
    for pair in bots.iter().flat_map(|high| bots[..high.0 as usize].iter().map(|low| [*low, *high])) {
        let ahead = u64::from(pair[1].0 - pair[0].0).min(40);
        table.add(pair, [50 + ahead, 50 - ahead]);
    }
    for batch in [0, 1] {
        let start = processor_seconds();
        let pairs = table.next_batch(&bots, batch, 2).expect("a batch").len();
        let spent = processor_seconds() - start;
        println!("{} bots: {pairs} pairs chosen in {:.1} ms", bots.len(), 1e3 * spent);
    }
}

/// By how much near-copies of a starter move others, by how much they differ from strength in odd matchups, and by the starter's place.
fn copies(runs: u32) {
    for odd in [0.0, 50.0, 100.0] {
        for starter in [11, 5] {
            let of = |copies| beside_copies((odd, starter, copies), 100, runs, 84);
            let alone = of(0);
            for copies in [5, 20] {
                let beside = of(copies);
                let (elo, once) = (moved(&alone.elo, &beside.elo), moved(&alone.once, &beside.once));
                let even = moved(&alone.even, &beside.even);
                println!(
                    "| ± {odd} | {} | {copies} | {:.0} | {} | {:.1} | {} | {:.0} | {} |",
                    starter + 1,
                    elo.0,
                    elo.1,
                    100.0 * even.0,
                    even.1,
                    once.0,
                    once.1
                );
            }
        }
    }
}

/// The same fields rated without luck, where a baseline sees much or little of it.
fn fields_without_luck(count: u32) {
    for (seen, noise) in [(0.9, 0.1), (0.5, 0.2)] {
        for (world, many_blocks) in [
            (World::seat_luck(), &[3, 5, 10, 30, 100][..]),
            (World::cycle(), &[10, 100]),
            (World::many_draws(), &[10, 100]),
            (World::wide(), &[3, 10, 100]),
            (World::equal(), &[3, 10, 100]),
        ] {
            for blocks in many_blocks {
                let mut dice = Dice::new(20_260 + u64::from(*blocks));
                let result = without_luck(&world, *blocks, count, (seen, noise), &mut dice);
                println!(
                    "{}, {blocks} blocks, luck seen {seen} ± {noise}: {} % hold the truth, mean half-widths {}; unsettled {:.1} %",
                    world.name,
                    percent(&result.ratings),
                    rounded(&result.half_widths),
                    100.0 * result.unsettled
                );
            }
        }
    }
}

/// Tests with optional stopping.
fn all_gates(count: u32) {
    for (h0, h1, truth) in [
        (0.0, 60.0, 0.0),
        (0.0, 60.0, 60.0),
        (0.0, 20.0, 0.0),
        (0.0, 20.0, 20.0),
        (-20.0, 0.0, -20.0),
        (-20.0, 0.0, 0.0),
    ] {
        let sum = gates((h0, h1), truth, count, 20_000, 11);
        println!(
            "gate [{h0}, {h1}] at {truth} nElo: {} accepted, {} rejected, {:.0} pairs on average; of {count} intervals \
             hold the truth, and contradict the verdict: stage-wise {}, {} (width {:.3}); anytime {}, {} (width {:.3}); an \
             ordinary one holds in {}",
            sum.accepted,
            sum.rejected,
            sum.mean_pairs,
            sum.stagewise_holds,
            sum.stagewise_disagrees,
            sum.stagewise_width,
            sum.anytime_holds,
            sum.anytime_disagrees,
            sum.anytime_width,
            sum.ordinary_holds
        );
    }
}

/// Pairs of a real bot against itself, `leyden match "builtin:careful --blunder 5" "builtin:careful --blunder 5" --rules NAME
/// --seed even --blocks 1000 --turn 100s`.
const EVEN: [(&str, [u32; 5]); 2] = [
    ("careful --blunder 5, leyden", [171, 4, 657, 2, 166]),
    ("careful --blunder 5, matador", [132, 0, 739, 0, 129]),
];

/// Comparisons with a number of pairs that was fixed in advance.
fn fixed_lengths(count: u32) {
    let even = EVEN.map(|(name, counts)| (name.to_owned(), Pairs::counted(counts)));
    let scores = [0.5, 0.75, 0.9, 0.97].map(|score| (format!("score {score}"), Pairs::from_score(score)));
    for (name, chances) in even.into_iter().chain(scores) {
        for pairs in [2, 5, 10, 20, 50, 100, 500] {
            let sum = estimates(chances, count, pairs, 7);
            println!(
                "{name}, {pairs} pairs: of {count} intervals hold the truth: score {}, normalised Elo {} of {}; one is \
                 called stronger in {}",
                sum.score, sum.normalised, sum.normalised_known, sum.superiority
            );
        }
    }
    for faults in [0.0, 0.2] {
        for blocks in [2, 5, 10, 20, 100] {
            let (result, held) = margins(count, blocks, faults, 9);
            println!(
                "margin, {faults} of matches faulted, {blocks} blocks: {result} of {count} have an interval, {held} hold the truth"
            );
        }
    }
}

fn percent(shares: &[f64]) -> String {
    shares.iter().map(|share| format!("{:.1}", 100.0 * share)).collect::<Vec<_>>().join(" ")
}

fn rounded(figures: &[f64]) -> String {
    figures.iter().map(|figure| format!("{figure:.0}")).collect::<Vec<_>>().join(" ")
}

fn range(shares: &[f64]) -> String {
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shares.iter().copied().fold(0.0, f64::max);
    format!("{:.1} to {:.1}", 100.0 * least, 100.0 * most)
}

fn show(world: &World, blocks: u32, coverage: &Coverage) {
    let is_small = world.bots() <= 6;
    let shares = |shares: &[f64]| if is_small { percent(shares) } else { range(shares) };
    println!("  ratings {}", shares(&coverage.ratings));
    let widths = &coverage.half_widths;
    let (least, most) =
        (widths.iter().copied().fold(f64::INFINITY, f64::min), widths.iter().copied().fold(0.0, f64::max));
    println!("  mean half-widths in Elo {least:.0} to {most:.0}");
    println!(
        "  ranks {}; whole tables {:.1} %, {:.1} places a bot",
        shares(&coverage.ranks),
        100.0 * coverage.tables,
        coverage.places
    );
    // Pairings are in ascending order of the second bot; the perfect loser is the last bot, so its pairings come last.
    let rivals = world.perfect_loser.unwrap_or(0);
    let (others, losers) = coverage.scores.split_at(coverage.scores.len() - rivals);
    println!("  head-to-head scores {}", range(others));
    if !losers.is_empty() {
        println!("  head-to-head scores of the perfect loser {}", range(losers));
    }
    if world.name == World::equal().name {
        println!(
            "  one of two equal bots is called stronger with 97.5 % in {:.1} %",
            100.0 * coverage.superiority
        );
    }
    if world.seats == 2 && blocks >= 20 {
        // Against a perfect loser there is no correlation to estimate.
        let defined: Vec<f64> = coverage.rho.iter().copied().filter(|share| *share > 0.0).collect();
        println!("  rho {}", range(&defined));
    }
    println!("  a circle is announced in {:.1} % of leaderboards", 100.0 * coverage.circles);
}

/// The processor time of standings of this many bots.
fn field_of(bots: u32, blocks: u32) {
    let mut dice = Dice::new(5);
    let strengths: Vec<f64> = (0..bots).map(|_| dice.normal()).collect();
    let mut results = Vec::new();
    for block in 0..blocks {
        for high in 0..bots {
            for low in 0..high {
                let lead = strengths[low as usize] - strengths[high as usize];
                let score: Score = dice.pair(lead, 1.5, 0.0);
                let (first, second) = (Entrant(low), Entrant(high));
                results.push(PairingResult {
                    block,
                    first,
                    second,
                    score,
                    margin: Margin { sum: 7, matches: 2 },
                });
            }
        }
    }
    let seconds = |start: f64| processor_seconds() - start;
    let start = processor_seconds();
    let mut tally = TallyBuilder::new(Field::round_robin(bots as usize));
    for result in &results {
        tally.push(*result).expect("results of this field");
    }
    let tally = tally.finish().expect("results of this field");
    println!("{bots} bots, {blocks} blocks, {} matches: tally {:.2} s", 2 * results.len(), seconds(start));
    let start = processor_seconds();
    let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
    println!("  ratings {:.2} s", seconds(start));
    let start = processor_seconds();
    let report = Ranking::from_tally(&tally, &ratings);
    println!("  standings {:.2} s, best {:.0} Elo", seconds(start), report.bots[0].elo.get());
    let start = processor_seconds();
    println!(
        "  head-to-head of {} pairings {:.2} s",
        head_to_head(&tally, Holds::AtPlannedEnd).count(),
        seconds(start)
    );
}
