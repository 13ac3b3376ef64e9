//! What is known of a fault, as values; the message for the bot's author is rendered where it is read.

mod cause;
mod deviation;
mod exec_obstacle;
mod fact;
mod mistake;
mod sandbox_denial;
pub mod stored_details;

use std::fmt;

use leyden_protocol::{FaultCode, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use cause::{Cause, EndCause};
pub use deviation::{Awaited, Deviation, MalformedLine, PartialLine, TimeAllowed};
pub use exec_obstacle::ExecObstacle;
pub use fact::{FaultFact, MemoryShortage, ProcessEnding, StandardError, ValidAnswer};
pub use mistake::Mistake;
pub use sandbox_denial::{EarlierDenial, SandboxDenial};
use stored_details::StoredDetails;

/// The fault that ended a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FaultRecord {
    pub seat: Seat,
    pub code: FaultCode,
    #[serde(flatten, with = "stored_details")]
    #[schemars(with = "StoredDetails")]
    pub details: FaultDetails,
}

impl FaultRecord {
    /// Returns the message for the bot's author: what was expected, what came and what to do, in a few lines.
    pub fn message(&self) -> String {
        self.details.to_string()
    }
}

/// A bot that is no longer started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Withdrawal")]
pub struct DisabledBot {
    pub bot: String,
    /// How often in a row it failed to start.
    pub failures: u32,
    /// The fault of the last start.
    pub code: FaultCode,
    #[serde(flatten, with = "stored_details")]
    #[schemars(with = "StoredDetails")]
    pub details: FaultDetails,
}

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

    /// Returns the first line of the message, and the others. This splits the rendered message, since a record of an older version
    /// has nothing else, and reads no meaning from it.
    pub fn summary_and_others(&self) -> (String, String) {
        let message = self.to_string();
        let (summary, others) = message.split_once('\n').unwrap_or((message.as_str(), ""));
        (summary.to_owned(), others.to_owned())
    }

    /// Returns the first line of the message.
    pub fn summary(&self) -> String {
        self.summary_and_others().0
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
        if let Some(failures) = self.disabled_after {
            write!(f, "no longer started after {failures} start failures in a row: ")?;
        }
        write!(f, "{}", self.what)?;
        if let Some(cause) = &self.cause {
            write!(f, "\nlikely cause: {cause}")?;
        }
        if !self.received.is_empty() {
            write!(f, "\nwhat came: {}", self.received)?;
        }
        self.known.iter().try_for_each(|fact| write!(f, "\n{fact}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(details: FaultDetails) -> FaultRecord {
        FaultRecord { seat: Seat::FIRST, code: FaultCode::Timeout, details }
    }

    #[test]
    fn fault_is_read_back_as_it_was_written() {
        let fault = fault(FaultDetails {
            cause: Some(Cause::Waits),
            received: "{".to_owned(),
            known: vec![
                FaultFact::Processor { used_us: 900, computed: false },
                FaultFact::StandardError(StandardError::Ends(vec!["oops".to_owned()])),
            ],
            ..FaultDetails::new(Deviation::Closed { awaited: Awaited::Turn(3) })
        });
        let json = serde_json::to_string(&fault).unwrap();
        assert_eq!(serde_json::from_str::<FaultRecord>(&json).unwrap(), fault);
        let lines = fault.message();
        let mut lines = lines.lines();
        assert_eq!(lines.next(), Some("expected the answer to turn 3; the bot closed its standard output"));
        assert_eq!(
            lines.skip(1).collect::<Vec<_>>(),
            [
                "what came: {",
                "the processor: the bot computed for only 900 µs, and waited for the rest of the time",
                "standard error ends:",
                "  | oops"
            ]
        );
        assert!(fault.details.is_of_waiting() && !fault.details.is_of_crowded_folder());
        let cause = Cause::OtherProtocol { arena: leyden_protocol::VERSION, bot_major: None };
        let json = serde_json::to_string(&cause).unwrap();
        assert!(!json.contains("bot_major"), "{json}");
        assert_eq!(serde_json::from_str::<Cause>(&json).unwrap(), cause);
    }

    #[test]
    fn older_fault_keeps_its_message() {
        let json = r#"{"seat":0,"code":"timeout","message":"expected an answer\nwhat came: {"}"#;
        let fault: FaultRecord = serde_json::from_str(json).unwrap();
        assert_eq!(fault.message(), "expected an answer\nwhat came: {");
        let (summary, others) = fault.details.summary_and_others();
        assert_eq!((&*summary, &*others), ("expected an answer", "what came: {"));
        assert_eq!(serde_json::to_string(&fault).unwrap(), json);
        let json = r#"{"withdrawn_after":3,"what":"no answer","cause":{"other":"a guess"},
            "known":[{"sandbox":{"reason":"no","is_crowded":true}}]}"#;
        let details: FaultDetails = serde_json::from_str(json).unwrap();
        assert_eq!(
            details.to_string(),
            "no longer started after 3 start failures in a row: no answer\nlikely cause: a guess\nthe sandbox: no"
        );
        assert!(details.is_of_crowded_folder());
        let json = serde_json::to_string(&details).unwrap();
        assert_eq!(serde_json::from_str::<FaultDetails>(&json).unwrap(), details);
    }
}
