//! The cost of a decision's lines: reading the answer, writing the turn.

use std::borrow::Cow;
use std::hint::black_box;

use leyden_protocol::{DealText, FromBot, ToBot, Turn, push_line, push_turn, push_turn_with, read_answer};

fn main() {
    divan::main();
}

const ANSWER: &[u8] = br#"{"type":"action","id":17,"action":"N:4-1"}"#;
const ANSWER_WITH_NOTE: &[u8] =
    br#"{"type":"action","id":17,"action":"N:4-1","note":"depth 7, 1200 playouts, 0.62","pv":["N:4-1","S:2|5"]}"#;

#[divan::bench(sample_size = 1000, args = [ANSWER, ANSWER_WITH_NOTE].map(Line))]
fn read_an_answer(bencher: divan::Bencher, line: Line) {
    bencher.bench(|| read_answer(black_box(line.0)).is_ok());
}

/// The same through the message types, for comparison.
#[divan::bench(sample_size = 1000, args = [ANSWER, ANSWER_WITH_NOTE].map(Line))]
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

/// A turn in the middle of a round.
const TURN: &str = r#"{"type":"turn","id":9,"match":"m-5f0c21d7a9","rules":"leyden","target":100,"round":3,"redeal":0,"phase":"play","seat":1,"hand":["0-4","1-1","2-5","2-6","5-6"],"arms":{"N":[4],"E":[3],"S":[2,5],"W":[3]},"boneyard":7,"drawable":5,"counts":[4,5],"scores":[31,44],"history":["0 draw","0 draw","0 lead:3-3","1 N:4-1","0 draw","0 S:4-6","1 draw:2-6","1 draw:0-4","1 N:6-0","0 S:1-6","1 draw:5-6","1 E:4-4","0 draw","0 S:2|5"],"legal":["N:2-5","N:5-2","N:2|5","E:2-5","E:5-2","E:2|5","S:2-6","S:2-5","S:5-2","W:0-4","draw"],"clock":{"turn_ms":1000,"bank_ms":10000,"last_us":812}}"#;

fn turn() -> Turn<'static> {
    match serde_json::from_str(TURN) {
        Ok(ToBot::Turn(turn)) => turn,
        other => panic!("{other:?}"),
    }
}

#[divan::bench(sample_size = 1000)]
fn write_a_turn(bencher: divan::Bencher) {
    let (turn, mut line) = (turn(), Vec::new());
    bencher.bench_local(|| {
        line.clear();
        push_turn(&mut line, black_box(&turn));
        line.len()
    });
}

#[divan::bench(sample_size = 1000)]
fn write_a_turn_with_its_history_written_before(bencher: divan::Bencher) {
    let (mut turn, mut line) = (turn(), Vec::new());
    let mut history = DealText::seen_by(turn.seat);
    for entry in turn.history.iter() {
        history.push(*entry);
    }
    turn.history = Cow::Borrowed(&[]);
    bencher.bench_local(|| {
        line.clear();
        push_turn_with(&mut line, black_box(&turn), black_box(&mut history));
        line.len()
    });
}

#[divan::bench(sample_size = 1000)]
fn add_an_entry_to_a_history(bencher: divan::Bencher) {
    let turn = turn();
    let mut history = DealText::seen_by(turn.seat);
    bencher.bench_local(|| {
        history.begin(turn.seat);
        history.push(black_box(turn.history[3]));
    });
}

#[divan::bench(sample_size = 1000)]
fn write_a_turn_with_serde(bencher: divan::Bencher) {
    let (turn, mut line) = (ToBot::Turn(turn()), Vec::new());
    bencher.bench_local(|| {
        line.clear();
        push_line(&mut line, black_box(&turn));
        line.len()
    });
}
