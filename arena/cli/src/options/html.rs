//! How a command writes the page of its `--html`.

use std::path::Path;

use clap::Args;
use leyden_language::Language;

use crate::exit::CommandError;
use crate::out_file::OutFile;

/// Options for a command with `--html`.
#[derive(Args, Clone, Debug)]
pub(crate) struct HtmlOptions {
    /// The language of the page: en, de or fr [default: that of the environment]
    #[arg(long, value_name = "LANGUAGE", requires = "html")]
    language: Option<Language>,
    /// Overwrite an existing page
    #[arg(long, requires = "html")]
    overwrite: bool,
}

impl HtmlOptions {
    /// Returns the file for the page, if one was named. It replaces another only with `--overwrite`.
    pub(crate) fn file(&self, html: Option<&Path>) -> Result<Option<OutFile>, CommandError> {
        let page = html.map(|path| OutFile::at(path, "the page")).transpose()?;
        if let Some(page) = page.as_ref().filter(|_| !self.overwrite) {
            page.refuse_to_replace("say --overwrite")?;
        }
        Ok(page)
    }

    pub(crate) fn language(&self) -> Language {
        self.language.unwrap_or_else(Language::from_environment)
    }
}
