//! The files of this crate depend on one another in one direction: what its `use` lines say has no circle.
#![allow(clippy::disallowed_methods, reason = "the test reads the sources; the statistics read nothing")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// For each module the modules of the crate that its code names by path, tests and all.
fn uses(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let files =
        fs::read_dir(src).expect("the sources are there").map(|entry| entry.expect("is readable").path());
    files
        .filter(|path| {
            path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("lib.rs")
        })
        .map(|path| {
            let module = path.file_stem().expect("has a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("is text");
            (module, named(&text))
        })
        .collect()
}

/// The first word behind each `crate::` outside comments.
fn named(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned()
        })
        .collect()
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
fn modules_depend_on_one_another_in_one_direction() {
    let uses = uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(
        uses.len() > 10 && uses["likelihood"].contains("hypotheses"),
        "the sources were not read: {uses:?}"
    );
    for (module, named) in &uses {
        let unknown: Vec<_> = named.iter().filter(|name| !uses.contains_key(*name)).collect();
        assert!(
            unknown.is_empty(),
            "{module}.rs: name the module that has it, not the crate's face: {unknown:?}"
        );
    }
    assert_eq!(in_circles(uses), BTreeSet::new(), "these modules depend on one another in a circle");
}

#[test]
fn a_circle_is_found() {
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let house = |lines: &[(&str, &[&str])]| -> BTreeMap<_, _> {
        lines.iter().map(|(module, named)| ((*module).to_owned(), set(named))).collect()
    };
    assert_eq!(in_circles(house(&[("a", &["b"]), ("b", &["c"]), ("c", &[])])), set(&[]));
    assert_eq!(in_circles(house(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])])), set(&["a", "b", "c"]));
    assert_eq!(
        named("use crate::units::{Elo}; // crate::no\n    crate::dist::Z_95"),
        set(&["units", "dist"])
    );
}
