//! The language of texts for people.

use clap::Args;
use leyden_language::Language;

/// `--language`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LanguageOption {
    /// The language of what is shown: en, de or fr [default: of pages that are served, that of the browser; otherwise that of the
    /// environment]
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<Language>,
}

impl LanguageOption {
    /// Returns the language that was typed, for pages that otherwise follow the browser.
    pub(crate) const fn typed(self) -> Option<Language> {
        self.language
    }

    pub(crate) fn get(self) -> Language {
        self.language.unwrap_or_else(Language::from_environment)
    }
}
