//! What the arena says to people, in their language. A text is a value of a type in [`text`]; [`Language::say`] makes a string of
//! it. See the page of this crate for how to add a text or a language.

mod argument;
mod language;
mod lists;
mod negotiation;
pub mod numbers;
mod per_language;
mod written_numbers;

pub use argument::{Argument, Value};
pub use language::{Language, UnknownLanguageError};
pub use per_language::PerLanguage;

/// A text: which one it is, and the values to be put into it.
pub trait Text {
    /// Returns the number of its file and its key there.
    fn key(&self) -> (usize, &'static str);

    /// Returns its values by name.
    fn arguments(&self) -> Vec<(&'static str, Value<'_>)>;
}

impl<T: Text + ?Sized> Text for &T {
    fn key(&self) -> (usize, &'static str) {
        (**self).key()
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        (**self).arguments()
    }
}

/// All texts, by topic: one module for each file, one type for each text.
#[allow(clippy::all, clippy::pedantic)]
pub mod text {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

#[cfg(test)]
mod tests;
