//! The program `leyden`.
fn main() {}
