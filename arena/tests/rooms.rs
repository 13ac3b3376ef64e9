//! Which rooms of the arena may know which, and that the files of a room form no circle: read from the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// For each room the others that its files may name, tests apart.
const MAY_KNOW: [(&str, &[&str]); 8] = [
    ("format", &[]),
    ("roster.rs", &[]),
    ("referee", &[]),
    ("run", &["format", "referee", "roster"]),
    ("record", &["format", "roster", "run"]),
    ("report", &["format", "record"]),
    ("tournament.rs", &["format", "record", "run"]),
    ("web", &["format", "record", "report", "run"]),
];

/// Folders in which no file may depend on itself by way of others.
const WITHOUT_CIRCLES: [&str; 2] = ["report", "cli/report"];

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The sources of a room, a file or a folder with folders in it, without those that are there for tests.
fn sources(room: &Path) -> Vec<PathBuf> {
    let is_test = room.file_stem().is_some_and(|name| name == "tests" || name == "sample");
    if room.is_dir() && !is_test {
        let entries = fs::read_dir(room).unwrap().map(|entry| entry.unwrap().path());
        return entries.flat_map(|entry| sources(&entry)).collect();
    }
    let is_source = room.extension().is_some_and(|extension| extension == "rs");
    if is_source && !is_test { vec![room.to_owned()] } else { Vec::new() }
}

/// The code of a file without its tests.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
}

/// The modules that code names behind a path's first word, such as `crate::`, comments apart.
fn named(text: &str, first: &str) -> BTreeSet<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join(" ");
    let names = code.split(first).skip(1).flat_map(|rest| {
        let list = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or_default());
        let is_list = rest.starts_with('{');
        let words = list.split(',').take(if is_list { usize::MAX } else { 1 });
        words.map(|word| {
            let word = word.trim();
            word.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned()
        })
    });
    names.filter(|name| name.starts_with(|c: char| c.is_lowercase())).collect()
}

#[test]
fn rooms_know_only_those_below_them() {
    for (room, others) in MAY_KNOW {
        let files = sources(&src().join(room));
        assert!(!files.is_empty(), "{room} is not there");
        for file in files {
            for name in named(&code(&file), "crate::") {
                let is_known = room.trim_end_matches(".rs") == name || others.contains(&name.as_str());
                assert!(is_known, "{} may not know {name}", file.display());
            }
        }
    }
}

/// Modules that are part of a circle, or depend on one: what is left when all others have been taken away.
fn in_circles(mut uses: BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    loop {
        let left: BTreeSet<String> = uses.keys().cloned().collect();
        uses.retain(|_, named| !named.is_disjoint(&left));
        if uses.len() == left.len() {
            return left;
        }
    }
}

#[test]
fn files_of_a_room_form_no_circle() {
    for folder in WITHOUT_CIRCLES {
        let files = sources(&src().join(folder)).into_iter().filter(|path| !path.ends_with("mod.rs"));
        let module = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
        let uses: BTreeMap<String, BTreeSet<String>> =
            files.map(|path| (module(&path), named(&code(&path), "super::"))).collect();
        assert!(uses.len() > 1 && uses.values().any(|named| !named.is_empty()), "{folder}: {uses:?}");
        assert_eq!(in_circles(uses), BTreeSet::new(), "in {folder} these depend on one another in a circle");
    }
}

#[test]
fn a_circle_and_a_name_are_found() {
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let house = |lines: &[(&str, &[&str])]| -> BTreeMap<_, _> {
        lines.iter().map(|(module, named)| ((*module).to_owned(), set(named))).collect()
    };
    assert_eq!(in_circles(house(&[("a", &["b"]), ("b", &["c"]), ("c", &[])])), set(&[]));
    assert_eq!(in_circles(house(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])])), set(&["a", "b", "c"]));
    let text = "use crate::report::{Gathered};\nuse crate::{record,\n    Other}; // crate::no\n    crate::format::x()";
    assert_eq!(named(text, "crate::"), set(&["report", "record", "format"]));
}
