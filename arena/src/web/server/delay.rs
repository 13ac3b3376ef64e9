//! When a table is drawn.

/// When a table is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delay {
    /// Once all matches of its pair are over; it then runs at its own pace.
    #[default]
    Pair,
    /// As it is played, with all hands, before the same deals are played again.
    None,
}

impl Delay {
    /// What people are told about it.
    pub const fn told(self) -> &'static str {
        match self {
            Self::Pair => {
                "A table is drawn when all matches of its pair are over, at its own pace: before that its deals are still to be \
                 played again."
            }
            Self::None => "Tables are drawn as they are played, with all hands.",
        }
    }
}
