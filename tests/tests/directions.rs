//! Dependence goes one way: what the crates, rooms and files of the arena may name of each other.

use std::path::{Path, PathBuf};

use leyden_tests::modules::{Modules, ROOT, dependencies};

/// A crate of this workspace.
fn folder(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(of)
}

/// For each crate the others of this workspace that it may depend on.
const CRATES: [(&str, &[&str]); 9] = [
    ("protocol", &[]),
    ("arena/rules", &["leyden-protocol"]),
    ("arena/stats", &["leyden-protocol"]),
    ("arena/luck", &["leyden-protocol", "leyden-rules"]),
    ("arena/model", &["leyden-protocol", "leyden-rules"]),
    ("arena/host", &["leyden-model"]),
    ("arena/nats", &[]),
    ("arena/referee", &["leyden-host", "leyden-model", "leyden-protocol", "leyden-rules"]),
    ("sample-bots", &["leyden-protocol", "leyden-rules"]),
];

/// For each room of the arena's own crate the others that its files may name.
const ROOMS: [(&str, &[&str]); 15] = [
    ("format", &[]),
    ("halt", &[]),
    ("toml_error", &[]),
    ("starter", &[]),
    ("roster", &["starter", "toml_error"]),
    ("run", &["format", "halt", "roster"]),
    ("remote", &["halt", "record", "roster", "run"]),
    ("record", &["format", "roster", "run"]),
    ("report", &["check", "format", "record"]),
    ("tournament", &["format", "halt", "record", "run"]),
    ("person", &["format", "record", "roster", "run", "tournament"]),
    ("rerun", &["halt", "roster"]),
    ("check", &["halt", "rerun", "roster"]),
    ("grade", &["check", "record", "report", "rerun", "roster", "run", "toml_error", "tournament"]),
    ("web", &["format", "person", "record", "report", "run"]),
];

/// Crates, by their folder, and rooms of the arena's own crate whose files form no circle.
const WITHOUT_CIRCLES: [&str; 14] = [
    "protocol",
    "arena/rules",
    "arena/stats",
    "arena/luck",
    "arena/model",
    "arena/host",
    "arena/nats",
    "arena/referee",
    "run",
    "record",
    "roster",
    "remote",
    "report",
    "cli::report",
];

#[test]
fn crates_depend_only_on_those_below_them() {
    for (name, may) in CRATES {
        let dependencies = dependencies(&folder(name));
        let ours = dependencies.iter().filter(|dependency| dependency.starts_with("leyden-"));
        let strangers: Vec<_> = ours.filter(|dependency| !may.contains(&dependency.as_str())).collect();
        assert!(strangers.is_empty(), "{name} may not depend on {strangers:?}");
    }
}

#[test]
fn rooms_know_only_those_below_them() {
    let arena = Modules::of_crate(&folder("arena"));
    for (room, others) in ROOMS {
        let known = arena.named_by(room);
        let strangers: Vec<_> = known
            .iter()
            .filter(|(_, other)| {
                let first = other.split("::").next().unwrap_or(other);
                first != room && !others.contains(&first)
            })
            .collect();
        assert!(strangers.is_empty(), "{room} may not know {strangers:?}");
    }
    let listed: Vec<&str> = ROOMS.map(|(room, _)| room).to_vec();
    let rooms = arena.all().map(|module| module.split("::").next().unwrap_or(module));
    let unlisted: Vec<&str> =
        rooms.filter(|room| !listed.contains(room) && !["cli", "main", ROOT].contains(room)).collect();
    assert!(unlisted.is_empty(), "say what {unlisted:?} may know");
}

#[test]
fn files_form_no_circle() {
    let arena = Modules::of_crate(&folder("arena"));
    for place in WITHOUT_CIRCLES {
        let modules = if folder(place).join("src").is_dir() {
            Modules::of_crate(&folder(place))
        } else {
            arena.within(place)
        };
        assert!(modules.all().count() > 3, "{place}: {modules:?}");
        assert_eq!(modules.circle(), None, "{place}");
    }
}

#[test]
fn the_host_crate_knows_no_dominoes() {
    let host = folder("arena/host");
    let modules = Modules::of_crate(&host);
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
