//! What a bot answers when it is asked again.

use leyden_protocol::{Action, FaultCode};
use leyden_referee::{DecisionError, DecisionResult};
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
        message: String,
    },
}

impl BotReply {
    /// Returns the reply; `None` if there is none because of the host.
    pub(super) fn from_answered(answered: &DecisionResult) -> Option<Self> {
        match answered {
            Ok(decision) => Some(Self::Action(decision.action)),
            Err(DecisionError::Fault(fault, _)) => {
                Some(Self::Fault { code: fault.code, message: fault.message() })
            }
            Err(DecisionError::HostOverloaded(_)) => None,
        }
    }

    /// Whether the replies are equal. Faults may differ in their messages.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fault { code, .. }, Self::Fault { code: other, .. }) => code == other,
            _ => self == other,
        }
    }
}
