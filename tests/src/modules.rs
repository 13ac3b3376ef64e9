//! The module graph of a crate, read from its sources: which file names which other one, and where that is circular.
//!
//! A file names another if a path in its code, in a `use` or elsewhere, leads to an item of that file, through any number of
//! re-exports. Declaring a module (`mod child;`) or re-exporting from it (`pub use child::Item;`) does not count as naming
//! it, unless the file's own code uses the item. Test code does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The module name of `lib.rs`, which other crates see.
pub const ROOT: &str = "lib";

/// How many re-exports a path may lead through. A longer path is circular: it starts with a name that stands for itself, as
/// the name of another crate does.
const MOST_REEXPORTS: usize = 16;

/// The files of a crate and what they name.
#[derive(Debug, Default)]
pub struct Modules {
    /// For each file, by its module path (`lib`, `main`, `sandbox`, `sandbox::spec`), the files that it names, each with a
    /// path that does so.
    named: BTreeMap<String, BTreeMap<String, String>>,
    /// The first words of all paths that lead to no file of this crate: names of other crates, among others.
    outside: BTreeMap<String, BTreeSet<String>>,
}

impl Modules {
    /// Reads the crate in a folder, which has a `Cargo.toml` and a `src`.
    ///
    /// # Panics
    /// If a file cannot be read, or is not Rust.
    pub fn from_crate(folder: &Path) -> Self {
        let manifest = manifest(folder);
        let name = manifest["package"]["name"].as_str().expect("a name").replace('-', "_");
        let mut texts = BTreeMap::new();
        find_files(&folder.join("src"), &mut Vec::new(), &mut texts);
        let elsewhere: Vec<(String, String)> =
            texts.values().flat_map(|text| modules_elsewhere(text.parse().expect("Rust"))).collect();
        for (module, path) in elsewhere {
            let file = folder.join("src").join(path);
            find_files(file.parent().expect("a folder"), &mut vec![module.clone()], &mut texts);
            let stem = file.file_stem().expect("a file").to_string_lossy();
            let root = texts.remove(&format!("{module}::{stem}")).expect("the module's file");
            texts.insert(module, root);
        }
        let sources = texts.into_iter().map(|(module, text)| {
            let tokens = text.parse().unwrap_or_else(|error| panic!("{module}: {error}"));
            (module, Source::read(tokens))
        });
        let sources = Sources { own_name: &name, files: sources.collect() };
        let mut modules = Self::default();
        for (module, source) in &sources.files {
            let named = modules.named.entry(module.clone()).or_default();
            let outside = modules.outside.entry(module.clone()).or_default();
            let imports = source.imports.values();
            for path in source.paths.iter().chain(imports.map(|import| &import.path)) {
                if sources.resolve(module, path).is_none() {
                    outside.insert(path[0].clone());
                }
            }
            for path in source.that_name() {
                match sources.resolve(module, path) {
                    Some(other) if other == *module => {}
                    Some(other) => drop(named.entry(other).or_insert_with(|| path.join("::"))),
                    None => {}
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

    /// The files that name this one; `child` includes `child::…`.
    pub fn that_name(&self, module: &str) -> BTreeSet<&str> {
        let below = format!("{module}::");
        let names = |named: &BTreeMap<String, String>| {
            named.keys().any(|other| other == module || other.starts_with(&below))
        };
        self.named.iter().filter(|(_, named)| names(named)).map(|(from, _)| from.as_str()).collect()
    }

    /// What the files of a module and its submodules name outside of it: each time the naming file and the named one. The
    /// root is left out, because a path to an item of it says nothing about rooms.
    pub fn named_by(&self, module: &str) -> BTreeSet<(&str, &str)> {
        let inside = |other: &str| other == module || other.starts_with(&format!("{module}::"));
        let here = self.named.iter().filter(|(from, _)| inside(from));
        let named =
            here.flat_map(|(from, named)| named.keys().map(move |other| (from.as_str(), other.as_str())));
        named.filter(|(_, other)| !inside(other) && *other != ROOT).collect()
    }

    /// The files with paths that start with this word, which is not a module of the crate: the name of another crate.
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

/// The folders of a workspace's crates, relative to its root.
///
/// # Panics
/// If its `Cargo.toml` cannot be read, or lists no crate.
pub fn members(root: &Path) -> Vec<String> {
    let members = manifest(root)["workspace"]["members"].clone();
    members.try_into().expect("a list of folders")
}

/// The run-time dependencies of the crate in a folder, on any system.
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

/// The modules of a file whose own files lie elsewhere (`#[path = "…"] mod name;`), each with that path. Those of tests do not
/// count.
fn modules_elsewhere(tokens: TokenStream) -> Vec<(String, String)> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at + 1 < tokens.len() {
        let is_attribute = matches!(&tokens[at], TokenTree::Punct(punct) if punct.as_char() == '#');
        let text = tokens[at + 1].to_string();
        if is_attribute && is_for_tests(&tokens[at + 1]) {
            at = end_of_item(&tokens, at + 2);
        } else if is_attribute && text.starts_with("[path =") {
            let path = text.split('"').nth(1).expect("a path").to_owned();
            let is_mod = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "mod");
            let name = tokens[at..].iter().position(is_mod).map(|index| tokens[at + index + 1].to_string());
            found.push((name.expect("a module"), path));
            at += 2;
        } else {
            at += 1;
        }
    }
    found
}

/// Reads every file below a folder that has this module path, except those of tests.
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

/// What a `use` imports into a file.
struct Import {
    path: Vec<String>,
    /// Whether other files may import it from here.
    is_reexport: bool,
}

/// What the code of one file names.
#[derive(Default)]
struct Source {
    /// By the name that each has here.
    imports: BTreeMap<String, Import>,
    /// All paths outside of `use`, including single words.
    paths: BTreeSet<Vec<String>>,
    /// How many inline modules are open at this point.
    depth: usize,
}

impl Source {
    fn read(tokens: TokenStream) -> Self {
        let mut source = Self::default();
        source.read_items(tokens);
        source
    }

    fn read_items(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at..] {
                [TokenTree::Punct(punct), attribute, ..]
                    if punct.as_char() == '#' && is_for_tests(attribute) =>
                {
                    at = end_of_item(&tokens, at + 2);
                }
                // A field or a method, not a path.
                [TokenTree::Punct(punct), TokenTree::Ident(_), ..] if punct.as_char() == '.' => at += 2,
                [TokenTree::Ident(word), TokenTree::Ident(_), rest, ..] if word == "mod" => {
                    if let TokenTree::Group(body) = rest {
                        self.depth += 1;
                        self.read_items(body.stream());
                        self.depth -= 1;
                    }
                    at += 3;
                }
                [TokenTree::Ident(word), ..] if word == "use" => {
                    let is_reexport = at > 0 && is_visibility(&tokens[..at]);
                    let end = end_of_statement(&tokens, at);
                    self.read_use(&tokens[at + 1..end], &[], is_reexport);
                    at = end;
                }
                [TokenTree::Ident(word), TokenTree::Group(_), ..] if word == "pub" => at += 2,
                [TokenTree::Ident(_), ..] => at = self.read_path(&tokens, at),
                [TokenTree::Group(group), ..] => {
                    self.read_items(group.stream());
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// Reads the path that starts here, and returns where to continue. Words that are not paths are recognised by what they
    /// resolve to.
    fn read_path(&mut self, tokens: &[TokenTree], mut at: usize) -> usize {
        let mut path = Vec::new();
        while let Some(TokenTree::Ident(word)) = tokens.get(at) {
            path.push(word.to_string());
            at += 1;
            if !is_double_colon(tokens, at) {
                break;
            }
            at += 2;
        }
        self.paths.insert(self.seen_from_the_file(path));
        at
    }

    /// Reads a tree of a `use`.
    fn read_use(&mut self, tree: &[TokenTree], prefix: &[String], is_reexport: bool) {
        let mut path = prefix.to_vec();
        let mut alias = None;
        let mut rest = tree.iter();
        while let Some(token) = rest.next() {
            match token {
                TokenTree::Ident(word) if word == "as" => alias = rest.next().map(ToString::to_string),
                TokenTree::Ident(word) if word == "self" && !prefix.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Group(group) => {
                    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
                    for tree in tokens.split(is_comma).filter(|tree| !tree.is_empty()) {
                        self.read_use(tree, &path, is_reexport);
                    }
                    return;
                }
                _ => {}
            }
        }
        let path = self.seen_from_the_file(path);
        let Some(name) = alias.or_else(|| path.last().cloned()) else { return };
        // What an inline module takes from its file is the file's own.
        if path != [name.as_str()] {
            self.imports.insert(name, Import { path, is_reexport });
        }
    }

    /// A path without the words that lead out of inline modules.
    fn seen_from_the_file(&self, path: Vec<String>) -> Vec<String> {
        let ups = path.iter().take_while(|word| *word == "super").count().min(self.depth);
        let rest = path.into_iter().skip(ups);
        let is_here = ups > 0 && ups < self.depth;
        is_here.then(|| "self".to_owned()).into_iter().chain(rest).collect()
    }

    /// The paths by which this file names another one. A single word counts only if a `use` imported it: others are
    /// variables, or modules that are declared.
    fn that_name(&self) -> impl Iterator<Item = &Vec<String>> {
        let imports = self.imports.values().filter(|import| !import.is_reexport);
        let paths = self.paths.iter().filter(|path| path.len() > 1 || self.imports.contains_key(&path[0]));
        imports.map(|import| &import.path).chain(paths)
    }
}

/// The files of a crate.
struct Sources<'a> {
    own_name: &'a str,
    files: BTreeMap<String, Source>,
}

impl Sources<'_> {
    /// The file to which a path in a module leads; `None` if it leads out of the crate or nowhere.
    fn resolve(&self, module: &str, path: &[String]) -> Option<String> {
        self.resolve_through(module, path, MOST_REEXPORTS)
    }

    fn resolve_through(&self, module: &str, path: &[String], most: usize) -> Option<String> {
        let most = most.checked_sub(1)?;
        let mut segments: Vec<&str> = module.split("::").collect();
        let root =
            if segments[0] == "bin" && segments.len() > 2 { segments[..2].to_vec() } else { Vec::new() };
        if [ROOT, "main"].contains(segments.last()?) {
            segments.pop();
        }
        let first = path.first()?.as_str();
        let is_known = |word: &str| {
            self.is_file(&[&segments[..], &[word]].concat()) || self.import(&segments, word).is_some()
        };
        if first == "crate" {
            segments = root;
        } else if first == self.own_name && self.files.contains_key(ROOT) {
            segments.clear();
        } else if first != "self" && first != "super" && !is_known(first) {
            return None;
        }
        let is_start = |word: &String| {
            let is_library = word == self.own_name && self.files.contains_key(ROOT);
            is_library || ["crate", "self", "super"].contains(&word.as_str())
        };
        let start = path.iter().take_while(|word| is_start(word)).count();
        for _ in path[..start].iter().filter(|word| *word == "super") {
            segments.pop();
        }
        for (at, word) in path.iter().enumerate().skip(start) {
            if self.is_file(&[&segments[..], &[word.as_str()]].concat()) {
                segments.push(word);
            } else if let Some(import) = self.import(&segments, word) {
                let path = [&import.path[..], &path[at + 1..]].concat();
                return self.resolve_through(&self.file_of(&segments), &path, most);
            } else {
                break;
            }
        }
        Some(self.file_of(&segments))
    }

    /// The module with these segments, which is that of `lib.rs` or `main.rs` if they name no file of their own.
    fn file_of(&self, segments: &[&str]) -> String {
        match segments {
            [] if self.files.contains_key(ROOT) => ROOT.to_owned(),
            [] => "main".to_owned(),
            segments if self.is_file(segments) => segments.join("::"),
            segments => [segments, &["main"]].concat().join("::"),
        }
    }

    fn is_file(&self, segments: &[&str]) -> bool {
        self.files.contains_key(&segments.join("::"))
    }

    fn import(&self, segments: &[&str], name: &str) -> Option<&Import> {
        self.files.get(&self.file_of(segments))?.imports.get(name)
    }
}

/// Whether tokens end in `pub` or `pub(…)`.
fn is_visibility(tokens: &[TokenTree]) -> bool {
    let is_pub = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "pub");
    match tokens {
        [.., before, TokenTree::Group(_)] => is_pub(before),
        [.., last] => is_pub(last),
        [] => false,
    }
}

/// The index of the semicolon of a statement.
fn end_of_statement(tokens: &[TokenTree], from: usize) -> usize {
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    tokens[from..].iter().position(is_end).map_or(tokens.len(), |end| from + end)
}

fn is_double_colon(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
}

/// Whether an attribute is a `cfg` that holds only in tests.
fn is_for_tests(attribute: &TokenTree) -> bool {
    let TokenTree::Group(group) = attribute else { return false };
    let text = group.stream().to_string();
    let words: Vec<&str> = text.split(|char: char| !char.is_alphanumeric() && char != '_').collect();
    words.contains(&"cfg") && words.contains(&"test") && !words.contains(&"not")
}

/// The index of the next item: after a semicolon or a block.
fn end_of_item(tokens: &[TokenTree], from: usize) -> usize {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    tokens[from..].iter().position(is_end).map_or(tokens.len(), |end| from + end + 1)
}

#[cfg(test)]
mod tests;
