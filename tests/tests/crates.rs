//! How many crates the program is built from, on Linux. Each costs time to build and trust; a change of a number here says in its
//! commit what it is for.

use std::collections::BTreeSet;
use std::process::Command;

/// Crates of the program as it is installed, its own parts included, and with workers on other machines.
const AS_INSTALLED: usize = 222;
const WITH_WORKERS: usize = 249;

fn crates(features: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "tree",
        "--package",
        "leyden",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--locked",
        "--offline",
    ]);
    cargo.args(["--target", "x86_64-unknown-linux-gnu", "--format", "{p}"]).args(features);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    String::from_utf8_lossy(&output.stdout).lines().map(name).collect()
}

#[test]
fn program_has_the_known_number_of_crates() {
    for (features, known) in [(&[][..], AS_INSTALLED), (&["--features", "nats"][..], WITH_WORKERS)] {
        let crates = crates(features);
        assert_eq!(crates.len(), known, "{features:?}: {crates:#?}");
    }
}
