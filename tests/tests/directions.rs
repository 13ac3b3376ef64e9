//! Dependence goes one way: what the crates and files of the arena may name of each other.

use std::path::{Path, PathBuf};

use leyden_tests::modules::{Modules, dependencies};

/// A crate of this workspace.
fn folder(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(of)
}

#[test]
fn the_host_crate_has_no_circle_and_knows_no_dominoes() {
    let host = folder("arena/host");
    let modules = Modules::of_crate(&host);
    assert_eq!(modules.circle(), None);
    assert!(modules.all().count() > 20, "{modules:?}");
    let dependencies = dependencies(&host);
    assert!(dependencies.contains("landlock"), "{dependencies:?}");
    for stranger in ["leyden-protocol", "leyden-rules", "leyden-arena", "clap"] {
        assert!(!dependencies.contains(stranger), "{stranger}");
        assert!(modules.that_use(&stranger.replace('-', "_")).is_empty(), "{stranger}");
    }
}

/// What runs between fork and exec makes the standard library fork, which is slow in a large process.
#[test]
fn only_a_supervisor_has_code_between_fork_and_exec() {
    let modules = Modules::of_crate(&folder("arena/host"));
    assert_eq!(modules.that_name("platform::before_exec"), ["sandbox::launch"].into());
    assert_eq!(modules.that_name("sandbox::launch"), ["supervisor"].into());
}
