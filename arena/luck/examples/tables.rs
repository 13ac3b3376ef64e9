//! Counts how each baseline's rounds come out, under all rule sets or those named, and writes the counts to `tables/`: `cargo run
//! --release -p leyden-luck --example tables [ROUNDS [RULES...]]`. Seeded: the same number of rounds writes the same bytes.
#![allow(clippy::print_stdout, reason = "it reports what it wrote")]

use std::path::Path;

use leyden_luck::{Baseline, RoundCounts, Stage};
use leyden_protocol::{RulesName, Seats, Set, UnknownRulesError};
use leyden_rules::{DEFAULT_TARGET, Rules};

/// Where the seats play differently, so many times as many rounds.
const ASYMMETRIC: u32 = 10;

fn main() -> std::io::Result<()> {
    let (rounds, requested) = arguments().map_err(std::io::Error::other)?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    let double_six = RulesName::ALL.map(|name| (name, Set::DoubleSix, String::new()));
    let larger = [(Set::DoubleNine, "-9"), (Set::DoubleTwelve, "-12")];
    let larger = larger.map(|(set, top)| (RulesName::Matador, set, top.to_owned()));
    for (name, set, top) in double_six.into_iter().chain(larger).filter(|(name, ..)| requested.contains(name))
    {
        let Ok(rules) = Rules::new(name, Seats::TWO, set, DEFAULT_TARGET) else { continue };
        for baseline in Baseline::ALL {
            // If both seats play alike, a table's errors cancel between the legs of a pair; if not, more rounds keep them small.
            let rounds = if baseline == baseline.swapped() { rounds } else { ASYMMETRIC * rounds };
            let first = (baseline == Baseline::CarefulVaried).then_some((Stage::First, "-first"));
            for (stage, suffix) in [(Stage::Later, "")].into_iter().chain(first) {
                let path = folder.join(baseline.name()).join(format!("{name}{top}{suffix}.txt"));
                std::fs::create_dir_all(folder.join(baseline.name()))?;
                let counts =
                    RoundCounts::play(&rules, baseline, stage, rounds, &format!("{name}{top}{suffix}"));
                std::fs::write(&path, counts.to_text())?;
                println!("{}", path.display());
            }
        }
    }
    Ok(())
}

/// The number of rounds and the rule sets.
fn arguments() -> Result<(u32, Vec<RulesName>), String> {
    let mut words = std::env::args().skip(1);
    let rounds = words.next().map_or(Ok(400_000), |count| count.parse());
    let rounds = rounds.map_err(|error| format!("expected a number of rounds first: {error}"))?;
    let names: Vec<RulesName> = words
        .map(|word| word.parse())
        .collect::<Result<_, _>>()
        .map_err(|error: UnknownRulesError| error.to_string())?;
    Ok((rounds, if names.is_empty() { RulesName::ALL.to_vec() } else { names }))
}
