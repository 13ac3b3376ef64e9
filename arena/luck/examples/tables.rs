//! Makes the tables of how each baseline's rounds end, of all rule sets or of those that are named: `cargo run --release -p
//! leyden-luck --example tables [ROUNDS [RULES...]]`, in the repository. Seeded: the same number of rounds writes the same bytes.
#![allow(clippy::print_stdout, reason = "it tells what it wrote")]

use std::path::Path;

use leyden_luck::{Baseline, Rounds, Stage};
use leyden_protocol::{RulesName, Seats, Set, UnknownRules};
use leyden_rules::{DEFAULT_TARGET, Rules};

/// How many times as many rounds where the seats play differently.
const ASYMMETRIC: u32 = 10;

fn main() -> std::io::Result<()> {
    let (rounds, wanted) = wishes().map_err(std::io::Error::other)?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    let double_six = RulesName::ALL.map(|name| (name, Set::DoubleSix, String::new()));
    let larger = [(Set::DoubleNine, "-9"), (Set::DoubleTwelve, "-12")];
    let larger = larger.map(|(set, top)| (RulesName::Matador, set, top.to_owned()));
    for (name, set, top) in double_six.into_iter().chain(larger).filter(|(name, ..)| wanted.contains(name)) {
        let Ok(rules) = Rules::new(name, Seats::TWO, set, DEFAULT_TARGET) else { continue };
        for baseline in Baseline::ALL {
            // Where both seats play alike, what a table errs by cancels between the legs of a pair; where they do not, more rounds
            // keep it small.
            let rounds = if baseline == baseline.exchanged() { rounds } else { ASYMMETRIC * rounds };
            let first = (baseline == Baseline::CarefulVaried).then_some((Stage::First, "-first"));
            for (stage, suffix) in [(Stage::Later, "")].into_iter().chain(first) {
                let path = folder.join(baseline.name()).join(format!("{name}{top}{suffix}.txt"));
                std::fs::create_dir_all(folder.join(baseline.name()))?;
                let counts = Rounds::play(&rules, baseline, stage, rounds, &format!("{name}{top}{suffix}"));
                std::fs::write(&path, counts.text())?;
                println!("{}", path.display());
            }
        }
    }
    Ok(())
}

/// How many rounds of which rule sets.
fn wishes() -> Result<(u32, Vec<RulesName>), String> {
    let mut words = std::env::args().skip(1);
    let rounds = words.next().map_or(Ok(400_000), |count| count.parse());
    let rounds = rounds.map_err(|error| format!("expected a number of rounds first: {error}"))?;
    let names: Vec<RulesName> = words
        .map(|word| word.parse())
        .collect::<Result<_, _>>()
        .map_err(|error: UnknownRules| error.to_string())?;
    Ok((rounds, if names.is_empty() { RulesName::ALL.to_vec() } else { names }))
}
