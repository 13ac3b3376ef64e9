//! Sizes and times, measured: `cargo test --release -p leyden-arena --lib scale -- --ignored --nocapture`.
#![allow(clippy::print_stdout, reason = "what is measured is read by a person")]

use std::time::Instant;

use super::*;

#[test]
fn a_full_record_takes_less_than_a_kilobyte_and_a_half() {
    for (rules, seats, set) in sample::every_game().into_iter().filter(|(_, seats, _)| *seats == 2) {
        let (_folder, path) = place();
        let setup = sample::setup_of(rules, seats, set, 5, 30);
        let count = written(&path, &setup).len() as u64;
        let empty = place();
        drop(Writer::create(&empty.1, &setup).unwrap());
        let size = |path: &Path| std::fs::metadata(path).unwrap().len();
        let each = (size(&path) - size(&empty.1)) / count;
        println!("{rules}: {each} bytes a match");
        assert!(each < 1500, "{rules}: {each} bytes a match");
    }
}

/// A million matches of 1,000 bots; the records are a few hundred, over and over.
#[test]
#[ignore = "takes a minute and a gigabyte"]
fn a_million_matches() {
    let matches = std::env::var("MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000_u64);
    let (_folder, path) = place();
    let setup = sample::setup(1000, (matches / 999_000 + 1) as u32);
    let played: Vec<MatchRecord> =
        sample::matches(&sample::setup(2, 200)).map(|(_, record)| record).collect();
    let writer = Writer::create(&path, &setup).unwrap();
    let known = sample::known(&setup);
    let started = Instant::now();
    let mut busy = std::time::Duration::ZERO;
    for (rank, fixture) in (0..matches).zip(setup.schedule().unwrap().iter(0..matches)) {
        let like = played[(rank % 200) as usize].clone();
        let known = known.of(&fixture);
        let record = MatchRecord {
            id: known.id,
            tournament: known.tournament,
            rules: known.rules,
            seed: known.seed,
            block: known.block,
            leg: known.leg,
            bots: known.bots,
            ..like
        };
        let handed = Instant::now();
        writer.add(&fixture, record).unwrap();
        busy += handed.elapsed();
    }
    writer.finish().unwrap();
    let took = started.elapsed();
    let size = std::fs::metadata(&path).unwrap().len();
    println!(
        "{matches} matches: {took:.2?}, {:.0}/s, {:.2?} to hand one over, {} bytes each, {}",
        matches as f64 / took.as_secs_f64(),
        busy / matches as u32,
        size / matches,
        memory()
    );

    let started = Instant::now();
    let (writer, done) = Writer::resume(&path, &setup).unwrap();
    println!("resumed in {:.2?}: {} done", started.elapsed(), done.count());
    assert_eq!(done.count(), matches);
    drop(writer);
    let timed =
        |what: &str, count: u64, since: Instant| println!("{what}: {count} in {:.2?}", since.elapsed());
    let results = Results::open(&path).unwrap();
    let started = Instant::now();
    timed("sums of bots", results.bot_sums().unwrap().len() as u64, started);
    let started = Instant::now();
    timed("sums of pairings", results.pairing_sums().unwrap().len() as u64, started);
    let started = Instant::now();
    timed("cells", results.cells().count() as u64, started);
    let started = Instant::now();
    timed("records", results.records().count() as u64, started);
    let started = Instant::now();
    timed("found", u64::from(results.find("0123456789").is_ok()), started);
    println!("{}", memory());
}

/// Resident memory, where the system tells it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}
