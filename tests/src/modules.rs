//! The module graph of a crate, read from its sources: which file names which other one, and where that goes in a circle.
//!
//! A file names another if a path in its code, in a `use` or elsewhere, leads to an item of that other file. Declaring a
//! module (`mod child;`) is not naming it, but re-exporting from it is. Code for tests does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The name of the module of `lib.rs`, which other crates see.
pub const ROOT: &str = "lib";

/// The files of a crate and what they name.
#[derive(Debug, Default)]
pub struct Modules {
    /// For each file, by its module path (`lib`, `main`, `sandbox`, `sandbox::spec`), the files that it names, each with a path
    /// that does so.
    named: BTreeMap<String, BTreeMap<String, String>>,
    /// The first words of all paths that lead to no file of this crate: names of other crates, among others.
    outside: BTreeMap<String, BTreeSet<String>>,
}

impl Modules {
    /// Reads the crate in a folder, which has a `Cargo.toml` and a `src`.
    ///
    /// # Panics
    /// If a file cannot be read, or is not Rust.
    pub fn of_crate(folder: &Path) -> Self {
        let manifest = manifest(folder);
        let name = manifest["package"]["name"].as_str().expect("a name").replace('-', "_");
        let mut files = BTreeMap::new();
        find_files(&folder.join("src"), &mut Vec::new(), &mut files);
        let mut modules = Self::default();
        let known: BTreeSet<String> = files.keys().cloned().collect();
        for (module, text) in &files {
            let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{module}: {error}"));
            let mut reader = Reader { own_name: &name, module, known: &known, paths: Vec::new() };
            reader.read(tokens);
            let paths = std::mem::take(&mut reader.paths);
            let named = modules.named.entry(module.clone()).or_default();
            let outside = modules.outside.entry(module.clone()).or_default();
            for path in paths {
                match reader.resolve(&path) {
                    Some(other) if other == *module => {}
                    Some(other) => drop(named.entry(other).or_insert_with(|| path.join("::"))),
                    None => drop(outside.insert(path[0].clone())),
                }
            }
        }
        modules
    }

    /// A circle of files, spelled out; `None` if there is none.
    pub fn circle(&self) -> Option<String> {
        let mut finished = BTreeSet::new();
        self.named.keys().find_map(|start| self.circle_from(start, &mut Vec::new(), &mut finished))
    }

    fn circle_from<'a>(
        &'a self,
        module: &'a str,
        way: &mut Vec<&'a str>,
        finished: &mut BTreeSet<&'a str>,
    ) -> Option<String> {
        if let Some(at) = way.iter().position(|&earlier| earlier == module) {
            let mut text = String::from("files name each other in a circle:");
            let circle = way[at..].iter().zip(way[at + 1..].iter().chain([&module]));
            for (from, to) in circle {
                let _ = write!(text, "\n  {from} → {to} ({})", self.named[*from][*to]);
            }
            return Some(text);
        }
        if finished.contains(module) {
            return None;
        }
        way.push(module);
        let found = self.named[module].keys().find_map(|next| self.circle_from(next, way, finished));
        way.pop();
        finished.insert(module);
        found
    }

    /// The files that name this one, `child::…` included with `child`.
    pub fn that_name(&self, module: &str) -> BTreeSet<&str> {
        let below = format!("{module}::");
        let names = |named: &BTreeMap<String, String>| {
            named.keys().any(|other| other == module || other.starts_with(&below))
        };
        self.named.iter().filter(|(_, named)| names(named)).map(|(from, _)| from.as_str()).collect()
    }

    /// What the files of a module and below it name outside of it: each time who names, and what. The root is left out: a
    /// path to an item of it says nothing about rooms.
    pub fn named_by(&self, module: &str) -> BTreeSet<(&str, &str)> {
        let inside = |other: &str| other == module || other.starts_with(&format!("{module}::"));
        let here = self.named.iter().filter(|(from, _)| inside(from));
        let named =
            here.flat_map(|(from, named)| named.keys().map(move |other| (from.as_str(), other.as_str())));
        named.filter(|(_, other)| !inside(other) && *other != ROOT).collect()
    }

    /// The files of a module and below it alone, without the module's own file, which re-exports theirs.
    #[must_use]
    pub fn within(&self, module: &str) -> Self {
        let below = format!("{module}::");
        let is_below = |other: &String| other.starts_with(&below);
        let mut part = Self::default();
        for (from, named) in self.named.iter().filter(|(from, _)| is_below(from)) {
            let named = named.iter().filter(|(other, _)| is_below(other));
            part.named
                .insert(from.clone(), named.map(|(other, path)| (other.clone(), path.clone())).collect());
        }
        part
    }

    /// The files whose paths begin with this word, which is no module of the crate: the name of another crate.
    pub fn that_use(&self, word: &str) -> BTreeSet<&str> {
        let uses = self.outside.iter().filter(|(_, words)| words.contains(word));
        uses.map(|(from, _)| from.as_str()).collect()
    }

    /// Every file, by its module path.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.named.keys().map(String::as_str)
    }
}

/// The manifest of the crate in a folder.
fn manifest(folder: &Path) -> toml::Table {
    let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a Cargo.toml");
    text.parse().expect("TOML")
}

/// The crates that the crate in a folder depends on when it runs, on any system.
///
/// # Panics
/// If its `Cargo.toml` cannot be read.
pub fn dependencies(folder: &Path) -> BTreeSet<String> {
    let manifest = manifest(folder);
    let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flatten();
    let tables = targets.filter_map(|(_, target)| target.as_table()).chain([&manifest]);
    let dependencies = tables.filter_map(|table| table.get("dependencies")?.as_table());
    dependencies.flat_map(|table| table.keys().cloned()).collect()
}

/// Reads every file below a folder whose module path is this, except those of tests.
fn find_files(folder: &Path, path: &mut Vec<String>, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let file = entry.path();
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name == "tests" {
            continue;
        }
        let is_mod = name == "mod";
        if !is_mod {
            path.push(name);
        }
        if file.is_dir() {
            find_files(&file, path, files);
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&file).expect("a source file");
            files.insert(path.join("::"), text);
        }
        if !is_mod {
            path.pop();
        }
    }
}

/// Collects the paths of one file.
struct Reader<'a> {
    own_name: &'a str,
    module: &'a str,
    known: &'a BTreeSet<String>,
    paths: Vec<Vec<String>>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Punct(punct) if punct.as_char() == '#' && is_for_tests(tokens.get(at + 1)) => {
                    at = end_of_item(&tokens, at + 2);
                }
                TokenTree::Group(group) => {
                    self.read(group.stream());
                    at += 1;
                }
                TokenTree::Ident(_) => at = self.read_path(&tokens, at, &[]),
                _ => at += 1,
            }
        }
    }

    /// Reads the path that begins here, and returns where to go on. Words that are no path are told apart by what they
    /// resolve to.
    fn read_path(&mut self, tokens: &[TokenTree], mut at: usize, prefix: &[String]) -> usize {
        let mut path = prefix.to_vec();
        while let Some(TokenTree::Ident(word)) = tokens.get(at) {
            path.push(word.to_string());
            at += 1;
            if !is_double_colon(tokens, at) {
                break;
            }
            at += 2;
            if let Some(TokenTree::Group(group)) = tokens.get(at)
                && group.delimiter() == Delimiter::Brace
            {
                self.read_use_group(group.stream(), &path);
                return at + 1;
            }
        }
        if path.len() > 1 {
            self.paths.push(path);
        }
        at
    }

    /// Reads what stands in the braces of a `use`.
    fn read_use_group(&mut self, tokens: TokenStream, prefix: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for tree in tokens.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')) {
            match tree.first() {
                Some(TokenTree::Ident(word)) if word == "self" => self.paths.push(prefix.to_vec()),
                Some(_) => drop(self.read_path(tree, 0, prefix)),
                None => {}
            }
        }
    }

    /// The file that a path leads to; `None` if it leads out of the crate.
    fn resolve(&self, path: &[String]) -> Option<String> {
        let here: Vec<&str> = match self.module {
            ROOT | "main" => Vec::new(),
            module => module.split("::").collect(),
        };
        let mut rest = path.iter().map(String::as_str).peekable();
        let mut place = match *rest.peek()? {
            "crate" => Vec::new(),
            name if name == self.own_name => Vec::new(),
            "self" | "super" => here.clone(),
            child if self.is_file(&[&here[..], &[child]].concat()) => here.clone(),
            _ => return None,
        };
        while let Some(word) = rest.next_if(|word| ["crate", "self", "super", self.own_name].contains(word)) {
            if word == "super" {
                place.pop();
            }
        }
        for word in rest {
            place.push(word);
            if !self.is_file(&place) {
                place.pop();
                break;
            }
        }
        Some(if place.is_empty() { ROOT.to_owned() } else { place.join("::") })
    }

    fn is_file(&self, place: &[&str]) -> bool {
        self.known.contains(&place.join("::"))
    }
}

fn is_double_colon(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
}

/// Whether an attribute is a `cfg` that holds in tests only.
fn is_for_tests(attribute: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = attribute else { return false };
    let text = group.stream().to_string();
    let words: Vec<&str> = text.split(|char: char| !char.is_alphanumeric() && char != '_').collect();
    words.contains(&"cfg") && words.contains(&"test") && !words.contains(&"not")
}

/// Where the next item begins: behind a semicolon or a block.
fn end_of_item(tokens: &[TokenTree], from: usize) -> usize {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    tokens[from..].iter().position(is_end).map_or(tokens.len(), |end| from + end + 1)
}

#[cfg(test)]
mod tests {
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
        Modules::of_crate(folder.path())
    }

    #[test]
    fn a_circle_is_spelled_out_and_code_for_tests_does_not_count() {
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
        assert_eq!(fine.that_name("kitchen"), ["kitchen", "lib"].into());
        assert_eq!(fine.that_use("std"), ["cellar"].into());
        assert_eq!(fine.named_by("cellar"), [("cellar", "attic")].into());
        assert!(fine.named_by("kitchen").is_empty());
        assert_eq!(fine.within("kitchen").all().collect::<Vec<_>>(), ["kitchen::oven"]);

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
        let to_the_root = modules(&[("lib.rs", "mod a; pub use a::A;"), ("a.rs", "use a_house::A;")]);
        assert!(to_the_root.circle().unwrap().contains("a → lib (a_house::A)"));
    }
}
