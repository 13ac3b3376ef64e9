use super::*;

/// A crate of these files.
fn modules(files: &[(&str, &str)]) -> Modules {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Cargo.toml"), "[package]\nname = \"a-house\"\n").unwrap();
    for (name, text) in files {
        let file = folder.path().join("src").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    Modules::from_crate(folder.path())
}

#[test]
fn circle_names_its_uses_and_ignores_test_code() {
    let kitchen = ("kitchen/mod.rs", "mod oven;\npub use oven::Oven;");
    let cellar = ("cellar.rs", "use std::{fs, io};\nfn stairs() -> crate::attic::Ladder { todo!() }");
    let oven = "pub struct Oven; #[cfg(test)] mod tests { use super::super::Kitchen; }\n#[cfg(test)]\nuse crate::cellar::A;";
    let fine = modules(&[
        ("lib.rs", "mod attic; mod cellar; mod kitchen;\npub use kitchen::{Oven as O, self};"),
        kitchen,
        ("kitchen/oven.rs", oven),
        cellar,
        ("attic.rs", "// use crate::cellar::Wine;\nconst TEXT: &str = \"crate::cellar\";"),
    ]);
    assert_eq!(fine.circle(), None);
    assert_eq!(fine.all().collect::<Vec<_>>(), ["attic", "cellar", "kitchen", "kitchen::oven", "lib"]);
    assert!(fine.that_name("kitchen").is_empty());
    assert_eq!(fine.that_use("std"), ["cellar"].into());
    assert_eq!(fine.named_by("cellar"), [("cellar", "attic")].into());
    assert!(fine.named_by("kitchen").is_empty());

    let circle = modules(&[
        ("lib.rs", "mod attic; mod cellar; mod kitchen;"),
        ("kitchen/mod.rs", "mod oven;"),
        ("kitchen/oven.rs", "fn light() { println!(\"{}\", crate::cellar::wood()) }"),
        cellar,
        ("attic.rs", "use super::{cellar::Rope, kitchen::{oven::{self, Heat}}};"),
    ]);
    let said = circle.circle().unwrap();
    assert!(said.contains("attic → cellar (super::cellar::Rope)"), "{said}");
    assert!(said.contains("cellar → attic (crate::attic::Ladder)"), "{said}");
}

#[test]
fn modules_in_other_folders_are_read() {
    let house = modules(&[
        (
            "lib.rs",
            "#[cfg(test)]\n#[path = \"gone.rs\"]\nmod gone;\n#[path = \"../barn/door.rs\"]\npub mod barn;\nmod shed;",
        ),
        ("../barn/door.rs", "mod hay;\nuse hay::Bale;"),
        ("../barn/hay.rs", "use crate::shed::Fork; pub struct Bale;"),
        ("shed.rs", "pub struct Fork; fn open() { crate::barn::hay::Bale; }"),
    ]);
    assert_eq!(house.all().collect::<Vec<_>>(), ["barn", "barn::hay", "lib", "shed"]);
    assert!(house.circle().unwrap().contains("barn::hay → shed (crate::shed::Fork)"));
}

#[test]
fn reexport_is_followed_to_its_item() {
    let files = |oven| {
        modules(&[
            ("lib.rs", "mod kitchen; mod cellar; pub use kitchen::Oven;"),
            ("kitchen/mod.rs", oven),
            ("kitchen/oven.rs", "use super::table::Table; pub struct Oven;"),
            ("kitchen/table.rs", "pub struct Table;"),
            ("cellar.rs", "use crate::{Oven, kitchen};\nfn a() { kitchen::Table::set(); }"),
        ])
    };
    let handed_on = "mod oven; mod table;\npub use oven::Oven; pub(crate) use table::Table;";
    let fine = files(handed_on);
    assert_eq!(fine.circle(), None);
    let known = [("cellar", "kitchen"), ("cellar", "kitchen::oven"), ("cellar", "kitchen::table")];
    assert_eq!(fine.named_by("cellar"), known.into());

    let used = files(&format!("{handed_on} pub(in crate::cellar) struct Stew; fn b() -> Oven {{ todo!() }}"));
    assert_eq!(used.circle(), None);
    assert_eq!(used.that_name("kitchen::oven"), ["cellar", "kitchen"].into());

    let back = modules(&[
        ("lib.rs", "mod kitchen;"),
        ("kitchen/mod.rs", "mod oven; pub use oven::Oven; pub struct Stew; fn b() -> Oven { todo!() }"),
        ("kitchen/oven.rs", "mod inside { use super::super::Stew; use super::Oven; }"),
    ]);
    let said = back.circle().unwrap();
    assert!(said.contains("kitchen → kitchen::oven (Oven)"), "{said}");
    assert!(said.contains("kitchen::oven → kitchen (super::Stew)"), "{said}");
}
