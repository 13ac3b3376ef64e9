//! What is known of a fault, as values.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::cause::Cause;
use super::deviation::Deviation;
use super::fact::FaultFact;

/// What is known of a fault. As text it is the message for the bot's author.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FaultDetails {
    /// After how many start failures in a row the bot was no longer started: the rest describes the last of them.
    #[serde(rename = "withdrawn_after", default, skip_serializing_if = "Option::is_none")]
    pub disabled_after: Option<u32>,
    /// What was expected and what came.
    pub what: Deviation,
    /// The likeliest cause, which implies what to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The beginning of the bot's line, made printable; empty if nothing came.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub received: String,
    /// What else is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<FaultFact>,
}

impl FaultDetails {
    /// Returns what is known if it is only this.
    pub fn new(what: Deviation) -> Self {
        Self { what, ..Self::default() }
    }

    /// Returns a text that stands in place of values, such as the message in a record of an older version.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self::new(Deviation::Text(text.into()))
    }

    /// Returns the same without what the bot wrote to standard error.
    #[must_use]
    pub fn without_stderr(mut self) -> Self {
        self.known.retain(|fact| !matches!(fact, FaultFact::StandardError(_)));
        self
    }

    /// Whether the bot neither answered nor computed: its output may not have been flushed.
    pub fn is_of_waiting(&self) -> bool {
        self.known.iter().any(|fact| matches!(fact, FaultFact::Processor { computed: false, .. }))
    }

    /// Whether the bot saw less of its folder than it would without other bots in it.
    pub fn is_of_crowded_folder(&self) -> bool {
        self.known.iter().any(|fact| matches!(fact, FaultFact::Sandbox(denial) if denial.is_crowded()))
    }

    /// Returns the lines of the message, at least one. What was expected may have several itself, in place of values or
    /// because of values in a file from elsewhere.
    fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.what.to_string().split('\n').map(str::to_owned).collect();
        if let Some(failures) = self.disabled_after {
            lines[0] = format!("no longer started after {failures} start failures in a row: {}", lines[0]);
        }
        lines.extend(self.cause.as_ref().map(|cause| format!("likely cause: {cause}")));
        lines.extend((!self.received.is_empty()).then(|| format!("what came: {}", self.received)));
        lines.extend(self.known.iter().map(ToString::to_string));
        lines
    }

    /// Returns the first line of the message, and the others.
    pub fn summary_and_others(&self) -> (String, String) {
        let mut lines = self.lines();
        (lines.remove(0), lines.join("\n"))
    }

    /// Returns the first line of the message.
    pub fn summary(&self) -> String {
        self.lines().swap_remove(0)
    }

    /// Writes only the message, for documents: `#[serde(rename = "message", serialize_with = "FaultDetails::as_text")]`.
    pub fn as_text<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }

    /// Returns the last line that the bot wrote to its standard error, if it is known.
    pub fn last_line(&self) -> Option<&str> {
        self.known
            .iter()
            .find_map(|fact| if let FaultFact::StandardError(said) = fact { said.last_line() } else { None })
    }
}

impl fmt::Display for FaultDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}
