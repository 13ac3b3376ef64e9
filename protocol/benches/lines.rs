//! What the lines of a decision cost: reading the answer, writing the turn.

use std::hint::black_box;

use leyden_protocol::{FromBot, read_answer};

fn main() {
    divan::main();
}

const ANSWER: &[u8] = br#"{"type":"action","id":17,"action":"N:4-1"}"#;
const ANSWER_WITH_NOTE: &[u8] =
    br#"{"type":"action","id":17,"action":"N:4-1","note":"depth 7, 1200 playouts, 0.62","pv":["N:4-1","S:2|5"]}"#;

#[divan::bench(args = [ANSWER, ANSWER_WITH_NOTE].map(Line))]
fn read_an_answer(bencher: divan::Bencher, line: Line) {
    bencher.bench(|| read_answer(black_box(line.0)).is_ok());
}

/// The same by the types of the messages, to compare.
#[divan::bench(args = [ANSWER, ANSWER_WITH_NOTE].map(Line))]
fn read_an_answer_with_serde(bencher: divan::Bencher, line: Line) {
    bencher.bench(|| serde_json::from_slice::<FromBot<'_>>(black_box(line.0)).is_ok());
}

#[derive(Clone, Copy)]
struct Line(&'static [u8]);

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}
