//! Instructions of what people wait for, counted by callgrind and held against numbers. A decision's are counted in
//! `arena/referee/benches/instructions.rs`.
//!
//! ```text
//! cargo bench -p leyden --bench instructions                        counts everything, and compares with the numbers below
//! cargo bench -p leyden --bench instructions -- page                only that
//! CARGO_INCREMENTAL=0 cargo test -p leyden --bench instructions     the same, built as `tests/run` builds tests
//! ```
//!
//! - *playout*: an action of a round between two bots that play at random, with the rules that check everything.
//! - *strong*: a decision of `builtin:strong` against itself.
//! - *standings*: a match in `leyden standings --csv` of 20 bots.
//! - *page*: the overview of a tournament of 20 bots, made from what the server keeps.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use leyden_arena::record::store::Results;
use leyden_arena::report::{BotOrder, Standings, TournamentTally, csv};
use leyden_language::Language;
use leyden_protocol::{Clock, RulesName, Seat, Turn};
use leyden_rules::{Deck, Lead, Match, Round, Rules};
use leyden_sample_bots::Strategy;
use leyden_sample_bots::dice::Dice;
use leyden_web::pages::{Site, overview};
use leyden_web::snapshot::SnapshotReader;
use measure::BenchResult;
use measure::callgrind::{Counted, count};

const ALL: [Counted; 4] = [
    Counted {
        name: "playout",
        sizes: [100, 600],
        expected: [4_660.0, 824.0],
        tolerance: 0.03,
        work: play_out,
    },
    Counted {
        name: "strong",
        sizes: [2, 6],
        expected: [140_360_000.0, 123_640_000.0],
        tolerance: 0.03,
        work: think,
    },
    Counted {
        name: "standings",
        sizes: [2, 6],
        expected: [34_610.0, 17_000.0],
        tolerance: 0.05,
        work: stand,
    },
    Counted {
        name: "page",
        sizes: [1, 5],
        expected: [9_328_000.0, 6_436_000.0],
        tolerance: 0.05,
        work: show,
    },
];

/// The number of bots of a results file.
const BOTS: usize = 20;

fn main() -> BenchResult<()> {
    count(&ALL, |counted, size, folder| {
        let blocks = if counted.name == "page" { 2 } else { size };
        let file: PathBuf = folder.join(format!("{blocks}.db"));
        if matches!(counted.name, "page" | "standings") && !file.exists() {
            measure::fill(&file, BOTS, blocks)?;
        }
        Ok(file)
    })
}

/// Plays rounds at random.
fn play_out(rounds: u32, _: &Path) -> BenchResult<u64> {
    let rules = Rules::standard(RulesName::Leyden);
    // A cheap generator, so that the rules are counted.
    let mut state = 1_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let (mut actions, mut deck) = (0, Deck::in_order(rules.set));
    for _ in 0..rounds {
        deck.shuffle(&mut below);
        let lead = Lead::Loser { first: Seat::FIRST, may_refuse: true };
        let Some(mut round) = Round::deal(&rules, &deck, lead) else { continue };
        while round.outcome().is_none() {
            let legal = round.legal();
            let Some(action) = legal.nth(below(legal.len())) else { break };
            round.apply(action)?;
            actions += 1;
        }
    }
    Ok(actions)
}

/// Lets `strong` play against itself until it has made this many decisions.
fn think(count: u32, _: &Path) -> BenchResult<u64> {
    let rules = Rules::standard(RulesName::Leyden);
    let clock = Clock { turn_ms: 1_000_000_000, bank_ms: 0, last_us: None };
    let mut dice = Dice::seeded(1);
    let mut bots: Vec<Box<dyn Strategy>> = Vec::new();
    for seat in rules.seats.iter() {
        let mut bot = leyden_sample_bots::strategy("strong", &[] as &[&str])?;
        bot.begin(&rules, seat.index() as u64);
        bots.push(bot);
    }
    let (mut decisions, mut buffer) = (0, Vec::new());
    let mut game = Match::new(&rules);
    while decisions < u64::from(count) {
        let Some((seat, forced)) =
            game.round().and_then(|round| Some((round.to_act()?, round.legal().forced())))
        else {
            let mut deck = Deck::in_order(rules.set);
            deck.shuffle(|n| dice.below(n));
            game.deal(&deck);
            continue;
        };
        let action = if let Some(action) = forced {
            action
        } else {
            decisions += 1;
            let view = game.view(seat, &mut buffer).ok_or("a round is being played")?;
            bots[seat.index()].choose(&Turn::new(decisions, "inside", view, clock))
        };
        game.apply(action)?;
    }
    Ok(decisions)
}

/// Makes the standings of a results file, and returns the number of its matches.
fn stand(_: u32, file: &Path) -> BenchResult<u64> {
    let results = Results::open(file)?;
    let standings =
        Standings::from_tally(&TournamentTally::from_results(&results, BotOrder::ByName)?, false)?;
    assert!(csv::text(&standings).lines().count() > BOTS);
    Ok(results.count()?)
}

/// Makes a page from the same snapshot, again and again.
fn show(pages: u32, file: &Path) -> BenchResult<u64> {
    let mut reader = SnapshotReader::open(file)?;
    while reader.refresh(|_| ())? {}
    let snapshot = reader.snapshot(None)?;
    let site = Site::Folder { replays: BTreeSet::new(), has_records: false };
    for _ in 0..pages {
        assert!(overview(&snapshot, &site, Language::English).into_string().len() > 1_000);
    }
    Ok(pages.into())
}
