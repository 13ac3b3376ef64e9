//! When a table is shown.

/// When a table is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delay {
    /// Once all matches of its pair are over, at its own pace.
    #[default]
    Pair,
    /// While it is played, with all hands, before the same deals are played again.
    None,
}

impl Delay {
    /// Returns the explanation for viewers.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::Pair => {
                "A table is shown once all matches of its pair are over, at its own pace: until then, its deals are still to be \
                 played again."
            }
            Self::None => "Tables are shown as they are played, with all hands.",
        }
    }
}
