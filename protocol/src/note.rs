//! What a bot writes beside its actions, for its author: a text, or values to be charted, tags to search for, and marks on arms.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::action::Arm;

/// The longest note that is kept, in bytes: a text, or an object as the bot wrote it.
pub const LONGEST_NOTE: usize = 500;

/// The longest tag, name of a number, or text of a mark, in bytes.
pub const LONGEST_LABEL: usize = 24;

/// A note: a string, or an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)] // an object that is no note is explained by `NoteObject::parse`
pub enum Note {
    Text(String),
    // Boxed: most decisions have no note, and every one has room for it.
    Object(Box<NoteObject>),
}

/// A note with more than a text. All fields are optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NoteObject {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Values by their names, of 1 to 24 letters, digits, `-` and `_`; a replay charts them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<String, Number>,
    /// Words of 1 to 24 letters, digits, `-` and `_`; `leyden matches --tag` finds them.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub tags: BTreeSet<String>,
    /// Texts of at most 24 bytes at the ends of arms; a replay draws them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<Arm, String>,
}

/// Why a note is not kept as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    #[error("expected at most {LONGEST_NOTE} bytes, got more")]
    TooLong,
    #[error("expected an object like {EXAMPLE}: {0}")]
    Fields(String),
    #[error("expected tags and names of numbers of 1 to {LONGEST_LABEL} letters, digits, - and _, got {0:?}")]
    Label(String),
    #[error("expected a mark of at most {LONGEST_LABEL} bytes, got {0:?}")]
    Mark(String),
}

/// A note with everything.
const EXAMPLE: &str =
    r#"{"text":"keeps the blanks","numbers":{"value":12.5},"tags":["endgame"],"marks":{"N":"risky"}}"#;

impl Note {
    /// A text as it is kept: cut between two characters.
    pub fn from_text(text: &str) -> Self {
        let mut end = text.len().min(LONGEST_NOTE);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Self::Text(text[..end].to_owned())
    }

    /// A JSON object as it is kept: one that is no note becomes a text, so that its author sees what was sent.
    pub fn from_object(json: &str) -> Self {
        NoteObject::parse(json)
            .map_or_else(|_| Self::from_text(json), |object| Self::Object(Box::new(object)))
    }

    /// Checks that it is a note as it is kept.
    pub fn check(&self) -> Result<(), NoteError> {
        match self {
            Self::Text(text) if text.len() > LONGEST_NOTE => Err(NoteError::TooLong),
            Self::Text(_) => Ok(()),
            Self::Object(object) => object.check(),
        }
    }

    /// Why an object was kept as a text; `None` for any other note.
    pub fn why_text(&self) -> Option<NoteError> {
        let Self::Text(text) = self else { return None };
        let is_cut = text.len() + 4 > LONGEST_NOTE; // no character is longer
        match text.starts_with('{').then(|| NoteObject::parse(text))? {
            Err(NoteError::Fields(_)) if is_cut => Some(NoteError::TooLong),
            parsed => parsed.err(),
        }
    }

    /// Its tags, in alphabetical order.
    pub fn tags(&self) -> impl Iterator<Item = &String> {
        match self {
            Self::Text(_) => None,
            Self::Object(object) => Some(&object.tags),
        }
        .into_iter()
        .flatten()
    }
}

/// A note as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenNote<'a> {
    Text(Cow<'a, str>),
    /// A JSON object, of any content.
    Object(&'a str),
}

impl WrittenNote<'_> {
    /// The note as it is kept.
    pub fn kept(&self) -> Note {
        match self {
            Self::Text(text) => Note::from_text(text),
            Self::Object(json) => Note::from_object(json),
        }
    }
}

impl NoteObject {
    fn parse(json: &str) -> Result<Self, NoteError> {
        if json.len() > LONGEST_NOTE {
            return Err(NoteError::TooLong);
        }
        let object: Self =
            serde_json::from_str(json).map_err(|error| NoteError::Fields(error.to_string()))?;
        object.check().map(|()| object)
    }

    fn check(&self) -> Result<(), NoteError> {
        let mut json = Vec::new();
        crate::line::push_json(&mut json, self);
        if json.len() > LONGEST_NOTE {
            return Err(NoteError::TooLong);
        }
        let is_label = |label: &str| {
            let is_of_label = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            (1..=LONGEST_LABEL).contains(&label.len()) && label.bytes().all(is_of_label)
        };
        if let Some(label) = self.numbers.keys().chain(&self.tags).find(|label| !is_label(label)) {
            return Err(NoteError::Label(label.clone()));
        }
        let long = self.marks.values().find(|mark| mark.len() > LONGEST_LABEL);
        long.map_or(Ok(()), |mark| Err(NoteError::Mark(mark.clone())))
    }
}

impl fmt::Display for Note {
    /// The note on one line. What the bot wrote is as it wrote it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let object = match self {
            Self::Text(text) => return write!(f, "“{text}”"),
            Self::Object(object) => object,
        };
        let text = Some(format!("“{}”", object.text)).filter(|_| !object.text.is_empty());
        let numbers = object.numbers.iter().map(|(name, number)| format!("{name} {number}"));
        let marks = object.marks.iter().map(|(arm, mark)| format!("{}: {mark}", arm.letter()));
        let tags = object.tags.iter().map(|tag| format!("#{tag}"));
        let parts: Vec<String> = text.into_iter().chain(numbers).chain(marks).chain(tags).collect();
        f.write_str(&parts.join(" · "))
    }
}
