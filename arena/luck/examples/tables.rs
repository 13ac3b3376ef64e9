//! Makes the tables of how each baseline's rounds end: `cargo run --release -p leyden-luck --example tables [ROUNDS]`, in the
//! repository. Seeded: the same number of rounds writes the same bytes.
#![allow(clippy::print_stdout, reason = "it tells what it wrote")]

use std::path::Path;

use leyden_luck::{Baseline, Rounds};
use leyden_protocol::{RulesName, Seats, Set};
use leyden_rules::{DEFAULT_TARGET, Rules};

fn main() -> std::io::Result<()> {
    let rounds = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(400_000);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    let double_six = RulesName::ALL.map(|name| (name, Set::DoubleSix, String::new()));
    let larger = [(Set::DoubleNine, "-9"), (Set::DoubleTwelve, "-12")];
    let larger = larger.map(|(set, top)| (RulesName::Matador, set, top.to_owned()));
    for (name, set, top) in double_six.into_iter().chain(larger) {
        let Ok(rules) = Rules::new(name, Seats::TWO, set, DEFAULT_TARGET) else { continue };
        for baseline in Baseline::ALL {
            let path = folder.join(baseline.name()).join(format!("{name}{top}.txt"));
            std::fs::write(&path, Rounds::play(&rules, baseline, rounds, &format!("{name}{top}")).text())?;
            println!("{}", path.display());
        }
    }
    Ok(())
}
