//! The languages, and texts in them.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use unic_langid::LanguageIdentifier;

use crate::Text;
use crate::numbers::continental_value;
use crate::text::SOURCES;

/// A language in which the arena speaks to people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    #[default]
    English,
    German,
    French,
}

/// A language that the arena does not speak.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no language {0:?}; there are en, de and fr")]
pub struct UnknownLanguageError(String);

type Bundle = FluentBundle<FluentResource>;

/// The texts of each topic in each language, parsed when the first of them is used.
static BUNDLES: [[OnceLock<Bundle>; Language::ALL.len()]; SOURCES.len()] =
    [const { [const { OnceLock::new() }; Language::ALL.len()] }; SOURCES.len()];

impl Language {
    /// All languages, in the order in which pages offer them.
    pub const ALL: [Self; 3] = [Self::English, Self::German, Self::French];

    /// Returns its tag, as in `<html lang>`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
        }
    }

    /// Returns a text in this language.
    ///
    /// ```
    /// use leyden_language::{Language, text::narrate::Tiles};
    ///
    /// assert_eq!(Language::English.say(Tiles { count: 3_u32 }), "3 tiles");
    /// assert_eq!(Language::German.say(Tiles { count: 1_u32 }), "1 Stein");
    /// ```
    pub fn say(self, text: impl Text) -> String {
        let (topic, key) = text.key();
        let bundle = BUNDLES[topic][self as usize].get_or_init(|| self.bundle(SOURCES[topic][self as usize]));
        let arguments: FluentArgs<'_> = text.arguments().into_iter().collect();
        // The build has seen to it that every text is there and contains nothing but its values.
        let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
            unreachable!("{key} is in no file")
        };
        let mut errors = Vec::new();
        let said = bundle.format_pattern(pattern, Some(&arguments), &mut errors).into_owned();
        debug_assert!(errors.is_empty(), "{key}: {errors:?}");
        said
    }

    fn bundle(self, source: &str) -> Bundle {
        let tag: LanguageIdentifier = self.tag().parse().unwrap_or_default();
        let mut bundle = Bundle::new_concurrent(vec![tag]);
        // Marks for the direction of writing show in many terminals, and these languages do not need them.
        bundle.set_use_isolating(false);
        if self != Self::English {
            bundle.set_formatter(Some(continental_value));
        }
        let texts =
            FluentResource::try_new(self.with_narrow_blanks(source)).unwrap_or_else(|(texts, _)| texts);
        bundle.add_resource_overriding(texts);
        bundle
    }

    /// Sets no-break spaces where a language has them: French before and within its punctuation, all before per cents.
    fn with_narrow_blanks(self, source: &str) -> String {
        match self {
            Self::English => source.to_owned(),
            Self::German => source.replace(" %", "\u{a0}%"),
            Self::French => [
                (" %", "\u{202f}%"),
                (" ;", "\u{202f};"),
                (" !", "\u{202f}!"),
                (" ?", "\u{202f}?"),
                (" :", "\u{a0}:"),
                ("« ", "«\u{a0}"),
                (" »", "\u{a0}»"),
            ]
            .iter()
            .fold(source.to_owned(), |source, (blank, narrow)| source.replace(blank, narrow)),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.tag())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguageError;

    fn from_str(text: &str) -> Result<Self, UnknownLanguageError> {
        let language = Self::ALL.into_iter().find(|language| language.tag() == text);
        language.ok_or_else(|| UnknownLanguageError(text.to_owned()))
    }
}
