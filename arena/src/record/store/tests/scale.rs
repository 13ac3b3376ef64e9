//! How much space a match takes. The benchmarks `scale` and `standings` measure times, and a million matches.
#![allow(clippy::print_stdout, reason = "what is measured is read by a person")]

use super::*;

#[test]
fn two_seat_record_averages_less_than_2000_bytes() {
    for (rules, seats, set) in sample::every_game().into_iter().filter(|(_, seats, _)| *seats == 2) {
        let (_folder, path) = fixture();
        let stored_plan = sample::stored_plan_of(rules, seats, set, 5, 30);
        let count = written(&path, &stored_plan).len() as u64;
        let empty = fixture();
        drop(Writer::create(&empty.1, &stored_plan).unwrap());
        let size = |path: &Path| std::fs::metadata(path).unwrap().len();
        let each = (size(&path) - size(&empty.1)) / count;
        println!("{rules}: {each} bytes a match");
        assert!(each < 2000, "{rules}: {each} bytes a match");
    }
}
