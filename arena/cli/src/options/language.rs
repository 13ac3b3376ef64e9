//! The language of texts for people.

use clap::Args;
use leyden_language::Language;

/// `--language`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LanguageOption {
    /// The language of what is shown: en, de or fr [default: that of the environment]
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<Language>,
}

impl LanguageOption {
    pub(crate) fn get(self) -> Language {
        self.language.unwrap_or_else(Language::from_environment)
    }
}
