//! Dependencies go one way: which crates, rooms and files of the arena may name each other.

use std::path::{Path, PathBuf};

use leyden_tests::modules::{Modules, ROOT, dependencies, members};

/// The root of this workspace.
fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The folder of a crate of this workspace.
fn folder(of: &str) -> PathBuf {
    workspace().join(of)
}

/// For each crate the others of this workspace on which it may depend: those named, and for crates on top of the library also
/// the library and all that it may use. Test crates may depend on all.
const CRATES: [(&str, &[&str]); 19] = [
    ("protocol", &[]),
    ("arena/language", &["leyden-protocol"]),
    ("arena/rules", &["leyden-protocol"]),
    ("arena/stats", &["leyden-protocol"]),
    ("arena/luck", &["leyden-protocol", "leyden-rules"]),
    ("arena/model", &["leyden-protocol", "leyden-rules"]),
    ("arena/format", &["leyden-language", "leyden-model", "leyden-protocol", "leyden-stats"]),
    ("arena/host", &["leyden-model"]),
    ("arena/nats", &[]),
    ("arena/referee", &["leyden-host", "leyden-model", "leyden-protocol", "leyden-rules"]),
    ("sample-bots", &["leyden-protocol", "leyden-rules"]),
    ("arena/env", &["leyden-model", "leyden-protocol", "leyden-rules", "leyden-sample-bots"]),
    ("arena/dataset", &["leyden-env", "leyden-model", "leyden-protocol", "leyden-rules"]),
    ("arena", &[]),
    ("arena/remote", &["leyden-nats"]),
    ("arena/table", &[]),
    ("arena/web", &["leyden-table"]),
    ("arena/python", &["leyden-dataset", "leyden-env"]),
    ("arena/cli", &["leyden-dataset", "leyden-nats", "leyden-remote", "leyden-table", "leyden-web"]),
];

/// What the library may use.
const BELOW_THE_LIBRARY: [&str; 10] = [
    "leyden-format",
    "leyden-host",
    "leyden-language",
    "leyden-luck",
    "leyden-model",
    "leyden-protocol",
    "leyden-referee",
    "leyden-rules",
    "leyden-sample-bots",
    "leyden-stats",
];

/// What the library must not drag into somebody else's program: the command line, pages, and tables for terminals.
const NOT_FOR_THE_LIBRARY: [&str; 7] =
    ["async-nats", "axum", "clap", "comfy-table", "maud", "quick-junit", "tracing-subscriber"];

/// For each room of the library the others that its files may name.
const ROOMS: [(&str, &[&str]); 16] = [
    ("whole_file", &[]),
    ("toml_error", &[]),
    ("starter", &[]),
    ("roster", &["starter", "toml_error"]),
    ("run", &["roster"]),
    ("record", &["roster", "run"]),
    ("narrate", &["record"]),
    ("likeness", &["roster", "starter"]),
    ("rerun", &["roster"]),
    ("check", &["rerun", "roster"]),
    ("report", &["check", "record", "run"]),
    ("analyse", &["report", "rerun", "roster", "whole_file"]),
    ("tournament", &["record", "report", "run"]),
    (
        "league",
        &["check", "likeness", "record", "report", "rerun", "roster", "run", "tournament", "whole_file"],
    ),
    ("gate", &["check", "record", "report", "rerun", "run", "tournament"]),
    (
        "grade",
        &["check", "likeness", "record", "report", "rerun", "roster", "run", "toml_error", "tournament"],
    ),
];

#[test]
fn crates_depend_only_on_those_below_them() {
    let library = CRATES.iter().position(|(name, _)| *name == "arena").unwrap();
    for (at, (name, named)) in CRATES.into_iter().enumerate() {
        let may = |other: &str| {
            let is_below = at >= library && BELOW_THE_LIBRARY.contains(&other);
            named.contains(&other) || is_below || (at > library && other == "leyden-arena")
        };
        let dependencies = dependencies(&folder(name));
        let ours = dependencies.iter().filter(|dependency| dependency.starts_with("leyden-"));
        let strangers: Vec<_> = ours.filter(|dependency| !may(dependency)).collect();
        assert!(strangers.is_empty(), "{name} may not depend on {strangers:?}");
    }
    let of_the_library = dependencies(&folder("arena"));
    assert_eq!(NOT_FOR_THE_LIBRARY.map(|name| of_the_library.contains(name)), [false; 7]);
    let listed: Vec<&str> = CRATES.map(|(name, _)| name).to_vec();
    let unlisted: Vec<String> = members(workspace())
        .into_iter()
        .filter(|member| !listed.contains(&member.as_str()) && member != "tests")
        .collect();
    assert!(unlisted.is_empty(), "say what {unlisted:?} may depend on");
}

#[test]
fn rooms_know_only_those_below_them() {
    let arena = Modules::from_crate(&folder("arena"));
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
    let unlisted: Vec<&str> = rooms.filter(|room| !listed.contains(room) && *room != ROOT).collect();
    assert!(unlisted.is_empty(), "say what {unlisted:?} may know");
}

/// The page says that lower rooms may know those above.
#[test]
fn architecture_page_lists_crates_and_rooms_bottom_up() {
    let page = std::fs::read_to_string(folder("arena/ARCHITECTURE.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let rows: Vec<&str> = rows.map(|(path, _)| path.trim_end_matches('/').trim_end_matches(".rs")).collect();
    let crates = CRATES.map(|(name, _)| name);
    let library = crates.iter().position(|name| *name == "arena").unwrap();
    let below = crates[..library].iter().map(ToString::to_string);
    let rooms = ROOMS.map(|(room, _)| format!("arena/src/{room}"));
    let above = crates[library + 1..].iter().map(ToString::to_string);
    let house: Vec<String> = below.chain(rooms).chain(above).collect();
    assert_eq!(rows, house);
    for (index, (room, others)) in ROOMS.iter().enumerate() {
        let is_above = |other: &&&str| ROOMS[..index].iter().any(|(above, _)| above == *other);
        assert!(others.iter().all(|other| is_above(&other)), "{room} may know rooms below it");
    }
}

#[test]
fn files_do_not_name_each_other_in_circles() {
    let members = members(workspace());
    assert!(members.len() > CRATES.len(), "{members:?}");
    let bots = Modules::from_crate(&folder("sample-bots"));
    assert!(
        bots.all().any(|module| module == "strong::policy"),
        "a folder beside src was not read: {bots:?}"
    );
    for member in members {
        let modules = Modules::from_crate(&folder(&member));
        assert!(modules.all().count() > 3, "{member}: {modules:?}");
        assert_eq!(modules.circle(), None, "{member}");
    }
}

#[test]
fn host_crate_knows_no_dominoes() {
    let host = folder("arena/host");
    let modules = Modules::from_crate(&host);
    let dependencies = dependencies(&host);
    assert!(dependencies.contains("landlock"), "{dependencies:?}");
    for stranger in ["leyden-protocol", "leyden-rules", "leyden-arena", "clap"] {
        assert!(!dependencies.contains(stranger), "{stranger}");
        assert!(modules.that_use(&stranger.replace('-', "_")).is_empty(), "{stranger}");
    }
}

/// Code between fork and exec makes the standard library fork, which is slow in a large process.
#[test]
fn supervisor_alone_runs_code_between_fork_and_exec() {
    let modules = Modules::from_crate(&folder("arena/host"));
    assert_eq!(modules.that_name("platform::child_setup"), ["sandbox::launch"].into());
    assert_eq!(modules.that_name("sandbox::launch"), ["supervisor"].into());
}
