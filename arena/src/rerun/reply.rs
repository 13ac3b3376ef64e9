//! What a bot answers when it is asked again.

use leyden_model::FaultDetails;
use leyden_protocol::{Action, FaultCode};
use leyden_referee::{DecisionError, DecisionResult, Fault};
use schemars::JsonSchema;
use serde::Serialize;

/// What a bot answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BotReply {
    /// It was ready to play.
    Ready,
    Action(Action),
    Fault {
        code: FaultCode,
        #[serde(rename = "message", serialize_with = "FaultDetails::as_text")]
        #[schemars(with = "String")]
        details: Box<FaultDetails>,
    },
}

impl BotReply {
    /// Returns the reply; `None` if there is none because of the host.
    pub(super) fn from_answered(answered: &DecisionResult) -> Option<Self> {
        match answered {
            Ok(decision) => Some(Self::Action(decision.action)),
            Err(DecisionError::Fault(fault, _)) => Some(Self::from_fault(fault)),
            Err(DecisionError::HostOverloaded(_)) => None,
        }
    }

    pub(super) fn from_fault(fault: &Fault) -> Self {
        Self::Fault { code: fault.code, details: Box::new(fault.details().clone()) }
    }

    /// Whether the replies are equal. Faults may differ in their details.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fault { code, .. }, Self::Fault { code: other, .. }) => code == other,
            _ => self == other,
        }
    }
}
