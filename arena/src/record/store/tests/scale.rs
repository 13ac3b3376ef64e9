//! Sizes and times, measured: `cargo test --release -p leyden-arena --lib scale -- --ignored --nocapture`.
#![allow(clippy::print_stdout, reason = "what is measured is read by a person")]

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

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
    let (watch, own) = (Watch::start(), cpu(ClockId::ThreadCPUTime));
    let mut handing = 0;
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
        let handed = cpu(ClockId::ThreadCPUTime);
        writer.add(&fixture, record).unwrap();
        handing += cpu(ClockId::ThreadCPUTime) - handed;
    }
    writer.finish().unwrap();
    let others = cpu(ClockId::ProcessCPUTime) - watch.cpu - (cpu(ClockId::ThreadCPUTime) - own);
    let (each, size) =
        (|time: u64| Duration::from_nanos(time / matches), std::fs::metadata(&path).unwrap().len());
    watch.stop("written", matches);
    println!(
        "a match: {:.1?} of a worker, {:.1?} of the writer, {} bytes",
        each(handing),
        each(others),
        size / matches
    );

    let watch = Watch::start();
    let (writer, done) = Writer::resume(&path, &setup).unwrap();
    watch.stop("resumed", done.count());
    assert_eq!(done.count(), matches);
    drop(writer);
    let results = Results::open(&path).unwrap();
    let measured = |what, work: &dyn Fn() -> usize| {
        let watch = Watch::start();
        watch.stop(what, work() as u64);
    };
    measured("sums of bots", &|| results.bot_sums().unwrap().len());
    measured("sums of pairings", &|| results.pairing_sums().unwrap().len());
    measured("cells", &|| results.cells().count());
    measured("records", &|| results.records().count());
    measured("looked for an id", &|| usize::from(results.find("0123456789").is_ok()));
    println!("{}", memory());
}

/// Time by the clock and by what this process computed: other work on the machine makes them differ.
struct Watch {
    started: Instant,
    cpu: u64,
}

impl Watch {
    fn start() -> Self {
        Self { started: Instant::now(), cpu: cpu(ClockId::ProcessCPUTime) }
    }

    fn stop(self, what: &str, count: u64) {
        let took = self.started.elapsed();
        let cpu = Duration::from_nanos(cpu(ClockId::ProcessCPUTime) - self.cpu);
        println!("{what}: {count} in {took:.2?}, {cpu:.2?} of a processor");
    }
}

/// Nanoseconds.
fn cpu(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Resident memory, where the system tells it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}
