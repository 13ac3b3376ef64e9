//! The number of sequences of legal actions from a fixed deck, counted by the implementation in `reference/`.
//!
//! For each start, `perft.txt` has: `round RULES SEATS SET LEAD TILE…` (how the deal is led: `lowest`, `highest`,
//! `highest-holder`, `loser-SEAT` if that seat has the first right, `loser-SEAT-bound` if a player who can lead or draw
//! may not refuse), `after ACTION…` if the count starts in the middle of the round, and `counts N…`: how many sequences
//! have exactly 1, 2, 3, … actions. Every action counts, including forced ones; an action that ends the round ends its
//! sequence. To add a start, write its lines with a zero for each count you want, and run `reference/make.py`.

use leyden_protocol::{Action, Seat, Seats, Set, Tile};
use leyden_rules::{DEFAULT_TARGET, Deck, Lead, Round, Rules};

fn sequences(round: &Round, length: usize) -> usize {
    let legal = round.legal();
    if length == 1 {
        return legal.len();
    }
    let mut found = 0;
    for action in legal.iter() {
        let mut next = *round;
        next.apply(action).expect("a listed action is legal");
        found += sequences(&next, length - 1);
    }
    found
}

fn start(text: &str) -> Round {
    let mut words = text.split(' ');
    let mut word = || words.next().expect("another word");
    let name = word().parse().expect("a rule set");
    let seats = Seats::new(word().parse().expect("a number")).expect("seats");
    let set = Set::from_top(word().parse().expect("a number")).expect("a set");
    let lead = match word() {
        "lowest" => Lead::Lowest,
        "highest" => Lead::Highest,
        "highest-holder" => Lead::HighestHolder,
        loser => {
            let mut parts = loser.split('-').skip(1);
            let first = parts.next().and_then(|seat| seat.parse().ok()).and_then(Seat::new).expect("a seat");
            Lead::Loser { first, may_refuse: parts.next() != Some("bound") }
        }
    };
    let rules = Rules::new(name, seats, set, DEFAULT_TARGET).expect("possible");
    let tiles: Vec<Tile> = words.map(|tile| tile.parse().expect("a tile")).collect();
    Round::deal(&rules, &Deck::new(set, &tiles).expect("a whole set"), lead).expect("a double to lead")
}

#[test]
fn sequences_are_as_many_as_the_table_has() {
    let mut round = None;
    let mut tables = 0;
    for (number, line) in include_str!("perft.txt").lines().enumerate() {
        let (word, rest) = line.split_once(' ').expect("a word and what belongs to it");
        match (word, &mut round) {
            ("round", _) => round = Some(start(rest)),
            ("after", Some(round)) => {
                for action in rest.split(' ') {
                    round.apply(action.parse::<Action>().expect("an action")).expect("a legal prefix");
                }
            }
            ("counts", Some(round)) => {
                for (depth, count) in rest.split(' ').enumerate() {
                    let expected: usize = count.parse().expect("a count");
                    assert_eq!(
                        sequences(round, depth + 1),
                        expected,
                        "line {}, {} actions",
                        number + 1,
                        depth + 1
                    );
                }
                tables += 1;
            }
            _ => panic!("line {}: {line}", number + 1),
        }
    }
    assert!(tables >= 50, "only {tables} tables");
}
