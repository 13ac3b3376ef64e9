//! What is known of a fault, as values; the message for the bot's author is rendered where it is read.

mod cause;
mod details;
mod deviation;
mod exec_obstacle;
mod fact;
mod mistake;
mod sandbox_denial;
pub mod stored_details;

use leyden_protocol::{FaultCode, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use cause::{Cause, EndCause};
pub use details::FaultDetails;
pub use deviation::{AwaitedAnswer, Deviation, MalformedLine, PartialLine, TimeAllowed};
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
            ..FaultDetails::new(Deviation::Closed { awaited: AwaitedAnswer::Turn(3) })
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
        let (summary, others) = fault.details.summary_and_others();
        assert_eq!([summary, others].join("\n"), fault.message());
        assert!(fault.details.is_of_waiting() && !fault.details.is_of_crowded_folder());
        let cause = Cause::OtherProtocol { arena: leyden_protocol::VERSION, bot_major: None };
        let json = serde_json::to_string(&cause).unwrap();
        assert!(!json.contains("bot_major"), "{json}");
        assert_eq!(serde_json::from_str::<Cause>(&json).unwrap(), cause);
    }

    #[test]
    fn summary_is_one_line_of_any_value() {
        let (program, reason) = ("bot\nand more".to_owned(), "gone".to_owned());
        let details = FaultDetails::new(Deviation::NotStarted { program, reason });
        assert_eq!(details.summary(), "the bot's program bot");
        assert_eq!(details.summary_and_others().1, "and more could not be started: gone");
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
