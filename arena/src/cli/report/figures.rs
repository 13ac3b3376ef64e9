//! Names and values, to be shown in two columns.

/// In the order in which they are shown.
pub(crate) type Figures = Vec<(&'static str, String)>;
