//! Records and events: one is the fold of the other, and what an audience is shown of events contains nothing else.

mod replay;
mod secrecy;
