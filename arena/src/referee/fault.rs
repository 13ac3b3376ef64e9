//! A bot's fault as its author reads it: the code, what was expected, what came, and what to do.

use leyden_protocol::{FaultCode, printable};

/// How much of what came is shown to the author.
const SHOWN: usize = 200;

/// Something a bot did that costs it the match or a strike. A result, never an error of the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: FaultCode,
    /// For the author: what was expected, what came, and what to do.
    pub message: String,
    /// The beginning of what came, made printable; empty if nothing did.
    pub received: String,
}

impl Fault {
    pub(super) fn new(code: FaultCode, message: impl Into<String>, received: &[u8]) -> Self {
        Self { code, message: message.into(), received: printable(received, SHOWN) }
    }

    /// Whether an organiser's strikes can forgive it: the bot is still there and can be asked again.
    pub(super) fn forgivable(&self) -> bool {
        match self.code {
            FaultCode::Timeout | FaultCode::Illegal | FaultCode::Malformed | FaultCode::Unexpected => true,
            FaultCode::Spawn | FaultCode::Handshake | FaultCode::Exited | FaultCode::Oversized => false,
        }
    }

    /// The same fault during the handshake.
    pub(super) fn in_handshake(self) -> Self {
        match self.code {
            FaultCode::Spawn => self,
            _ => Self { code: FaultCode::Handshake, ..self },
        }
    }
}
