//! One value for each language.

use std::ops::Index;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::Language;

/// A value for each language, as a map by their tags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerLanguage<T>([T; Language::ALL.len()]);

impl<T> PerLanguage<T> {
    /// Makes the value of each language.
    pub fn new(make: impl FnMut(Language) -> T) -> Self {
        Self(Language::ALL.map(make))
    }
}

impl<T> Index<Language> for PerLanguage<T> {
    type Output = T;

    fn index(&self, language: Language) -> &T {
        &self.0[language as usize]
    }
}

impl<T: Serialize> Serialize for PerLanguage<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for language in Language::ALL {
            map.serialize_entry(language.tag(), &self[language])?;
        }
        map.end()
    }
}
