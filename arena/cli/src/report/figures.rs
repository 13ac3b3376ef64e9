//! Names and values, to be shown in two columns.

/// Pairs of name and value, in display order.
pub(crate) type Figures = Vec<(&'static str, String)>;
