//! Reads the texts of all languages and writes a type for each text, with a field for each value in it. So a text that does not
//! exist, or that lacks a value, is an error of the compiler, and texts that differ between languages do not build at all.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, Resource, VariantKey,
};

/// As in `Language::ALL`: the first has the texts that the others translate.
const LANGUAGES: [&str; 3] = ["en", "de", "fr"];

/// Keys of variants that depend on a language's grammar: which of them there are is its own affair.
const PLURALS: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// What a text needs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Needs {
    /// The values that it shows.
    shown: BTreeSet<String>,
    /// The values it decides by, with the words that it distinguishes.
    decided: BTreeMap<String, BTreeSet<String>>,
}

impl Needs {
    fn pattern(&mut self, pattern: &Pattern<&str>) -> Result<(), String> {
        for element in &pattern.elements {
            if let PatternElement::Placeable { expression } = element {
                match expression {
                    Expression::Inline(inline) => self.inline(inline)?,
                    Expression::Select { selector, variants } => {
                        let InlineExpression::VariableReference { id } = selector else {
                            return Err("only a value can be decided by".to_owned());
                        };
                        let words = self.decided.entry(id.name.to_owned()).or_default();
                        words.extend(variants.iter().filter_map(|variant| match variant.key {
                            VariantKey::Identifier { name } if !PLURALS.contains(&name) => {
                                Some(name.to_owned())
                            }
                            _ => None,
                        }));
                        variants.iter().try_for_each(|variant| self.pattern(&variant.value))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn inline(&mut self, inline: &InlineExpression<&str>) -> Result<(), String> {
        match inline {
            InlineExpression::VariableReference { id } => {
                self.shown.insert(id.name.to_owned());
                Ok(())
            }
            InlineExpression::StringLiteral { .. } => Ok(()),
            other => Err(format!("texts contain values and variants only, not {other:?}")),
        }
    }
}

/// The texts of a file, by key.
fn texts(source: &str) -> Result<BTreeMap<String, Needs>, String> {
    let resource: Resource<&str> =
        fluent_syntax::parser::parse(source).map_err(|(_, errors)| format!("{errors:?}"))?;
    let mut texts = BTreeMap::new();
    for entry in resource.body {
        let Entry::Message(message) = entry else { continue };
        let (key, mut needs) = (message.id.name, Needs::default());
        let pattern = message.value.filter(|_| message.attributes.is_empty());
        needs.pattern(&pattern.ok_or(format!("{key} must have a text, and nothing else"))?)?;
        if texts.insert(key.to_owned(), needs).is_some() {
            return Err(format!("{key} is there twice"));
        }
    }
    Ok(texts)
}

/// Says in what a translation differs from the first language.
fn difference(first: &BTreeMap<String, Needs>, other: &BTreeMap<String, Needs>) -> Option<String> {
    let keys = first.keys().chain(other.keys());
    for key in keys {
        let (Some(a), Some(b)) = (first.get(key), other.get(key)) else {
            return Some(format!("{key} is not in both"));
        };
        let words = |needs: &Needs| -> BTreeMap<_, _> {
            needs.decided.clone().into_iter().filter(|(_, words)| !words.is_empty()).collect()
        };
        // A number that only decides about a plural or an article may be shown or decide nothing elsewhere.
        if words(a) != words(b) {
            return Some(format!("{key} decides by {:?} and by {:?}", words(a), words(b)));
        }
        if a.shown != b.shown {
            return Some(format!("{key} shows {:?} and {:?}", a.shown, b.shown));
        }
    }
    None
}

fn in_camel_case(key: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    key.split('-').map(word).collect()
}

/// Writes the type of a text.
fn write_type(code: &mut String, topic: usize, key: &str, fields: &BTreeSet<&String>) -> std::fmt::Result {
    let name = in_camel_case(key);
    let field = |field: &String| field.replace('-', "_");
    let parameters: Vec<String> = (0..fields.len()).map(|n| format!("T{n}")).collect();
    let bounds: Vec<String> = parameters.iter().map(|name| format!("{name}: crate::Argument")).collect();
    let in_brackets = |list: &[String]| match list {
        [] => String::new(),
        list => format!("<{}>", list.join(", ")),
    };
    let (generic, bounds) = (in_brackets(&parameters), in_brackets(&bounds));
    writeln!(code, "#[derive(Clone, Copy, Debug)]\npub struct {name}{generic}")?;
    if fields.is_empty() {
        writeln!(code, ";")?;
    } else {
        let fields = fields.iter().zip(&parameters);
        let fields: Vec<String> = fields.map(|(name, kind)| format!("pub {}: {kind}", field(name))).collect();
        writeln!(code, "{{ {} }}", fields.join(", "))?;
    }
    writeln!(code, "impl{bounds} crate::Text for {name}{generic} {{")?;
    writeln!(code, "fn key(&self) -> (usize, &'static str) {{ ({topic}, {key:?}) }}")?;
    let arguments: Vec<String> =
        fields.iter().map(|name| format!("({name:?}, self.{}.value())", field(name))).collect();
    writeln!(code, "fn arguments(&self) -> Vec<(&'static str, crate::Value<'_>)> {{")?;
    writeln!(code, "vec![{}] }} }}", arguments.join(", "))
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("texts");
    println!("cargo::rerun-if-changed={}", folder.display());
    let topics = |language: &str| -> Result<BTreeSet<_>, std::io::Error> {
        std::fs::read_dir(folder.join(language))?.map(|entry| Ok(entry?.file_name())).collect()
    };
    let files = topics(LANGUAGES[0])?;
    let (mut sources, mut code) = (String::new(), String::new());
    for (topic, file) in files.iter().enumerate() {
        let mut read = Vec::new();
        write!(sources, "[")?;
        for language in LANGUAGES {
            let path = folder.join(language).join(file);
            println!("cargo::rerun-if-changed={}", path.display());
            let source =
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            read.push(texts(&source).map_err(|error| format!("{}: {error}", path.display()))?);
            write!(sources, "include_str!(r\"{}\"), ", path.display())?;
        }
        write!(sources, "], ")?;
        let (first, others) = read.split_first().ok_or("there is no language")?;
        for (language, other) in LANGUAGES[1..].iter().zip(others) {
            if topics(language)? != files {
                return Err(format!("the files of {language} are not those of {}", LANGUAGES[0]).into());
            }
            if let Some(difference) = difference(first, other) {
                return Err(format!("{}, {language}: {difference}", file.display()).into());
            }
        }
        let topic_name =
            Path::new(file).file_stem().and_then(|name| name.to_str()).ok_or("a file has no name")?;
        writeln!(code, "pub mod {topic_name} {{")?;
        for key in first.keys() {
            let needs = read.iter().filter_map(|language| language.get(key));
            let fields = needs.flat_map(|needs| needs.shown.iter().chain(needs.decided.keys())).collect();
            write_type(&mut code, topic, key, &fields)?;
        }
        writeln!(code, "}}")?;
    }
    writeln!(
        code,
        "pub(crate) const SOURCES: [[&str; {}]; {}] = [{sources}];",
        LANGUAGES.len(),
        files.len()
    )?;
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("texts.rs"), code)?;
    Ok(())
}
