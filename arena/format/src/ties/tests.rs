//! Tie-breaks against numbers that another program computed, and by hand.

use super::*;

/// Events with random results, and what the npm package `tiebreak` 0.4.0 (MIT) says about them by the rules of 2023. A line for
/// each bot, an empty one behind each event: its rounds (opponent:half points, `bye`, or `-` if it was not there), its points, the
/// two Buchholz scores in half points, and Sonneborn–Berger in quarter points. A game has two half points, the bye too.
const VECTORS: &str = include_str!("vectors.txt");

fn round(text: &str) -> Round {
    match text.split_once(':') {
        Some((opponent, points)) => {
            let (opponent, points) = (opponent.parse().unwrap(), points.parse().unwrap());
            Round::Met { opponent, points, of: 2, wins: points / 2, margin: points as i64 - 1 }
        }
        None if text == "bye" => Round::Bye { points: 2, of: 2 },
        None => Round::Absent { of: 2 },
    }
}

fn table(lines: &[&str]) -> Table {
    Table { bots: lines.iter().map(|line| line.split(' ').map(round).collect()).collect() }
}

#[test]
fn tie_breaks_are_those_of_another_program() {
    let mut compared = 0;
    for event in VECTORS.split("\n\n").filter(|event| !event.trim().is_empty()) {
        let lines: Vec<Vec<&str>> = event.trim().lines().map(|line| line.split(',').collect()).collect();
        let table = table(&lines.iter().map(|line| line[0]).collect::<Vec<_>>());
        for (bot, line) in lines.iter().enumerate() {
            let ties = [TieBreak::Buchholz, TieBreak::BuchholzCut1, TieBreak::SonnebornBerger];
            let found = ties.map(|tie| table.value(tie, bot).unwrap());
            let found: Vec<i64> = [table.points(bot) as i64].into_iter().chain(found).collect();
            let expected: Vec<i64> = line[1..].iter().map(|number| number.parse().unwrap()).collect();
            assert_eq!(found, expected, "{line:?} in\n{event}");
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

fn places(table: &Table, ties: &[TieBreak]) -> Vec<(usize, u32, bool)> {
    table.ranked(ties).into_iter().map(|line| (line.bot, line.place, line.shared)).collect()
}

#[test]
fn place_is_shared_where_nothing_decides() {
    let all_drawn = table(&["1:1 2:1", "0:1 2:1", "0:1 1:1"]);
    assert_eq!(places(&all_drawn, &TieBreak::ALL), [(0, 1, true), (1, 1, true), (2, 1, true)]);
    let one_ahead = table(&["1:2 2:2", "0:0 2:1", "0:0 1:1"]);
    assert_eq!(places(&one_ahead, &TieBreak::ALL), [(0, 1, false), (1, 2, true), (2, 2, true)]);
}

#[test]
fn direct_encounter_breaks_ties_only_when_it_decides() {
    // 0 and 1 have three points each; 1 beat 0.
    let met = table(&["1:0 2:2 3:1", "0:2 3:1 2:0", "3:1 0:0 1:2", "2:1 1:1 0:1"]);
    let direct = [TieBreak::DirectEncounter];
    assert_eq!(met.ranked(&direct).iter().map(|line| line.points).collect::<Vec<_>>(), [3, 3, 3, 3]);
    let shared = |line: &(usize, u32, bool)| line.2;
    // Among four who all met, their points are those that they have anyway.
    assert!(places(&met, &direct).iter().all(shared));
    let two = table(&["1:0 2:2", "0:2 3:0", "3:0 0:0", "2:2 1:2"]);
    assert_eq!(places(&two, &direct), [(3, 1, false), (1, 2, false), (0, 3, false), (2, 4, false)]);
    // 0, 1 and 2 have two points; 0 beat 1, and nobody met 2.
    let open = table(&["1:2 3:0", "0:0 4:2", "3:2 4:0", "2:0 0:2", "1:0 2:2"]);
    assert!(places(&open, &direct).iter().all(shared), "2 might have beaten 0");
    let later = [TieBreak::DirectEncounter, TieBreak::Wins, TieBreak::Margin];
    assert!(places(&open, &later).iter().all(shared));
}

#[test]
fn order_of_tie_breaks_can_be_set() {
    let bots = table(&["2:2 3:0 1:1", "3:1 2:1 0:1", "0:0 1:1 3:1", "1:1 0:2 2:1"]);
    assert_eq!(places(&bots, &[TieBreak::Wins])[1].0, 0);
    assert_eq!(places(&bots, &[TieBreak::SonnebornBerger, TieBreak::Wins])[1].0, 1);
    assert_eq!(places(&bots, &[])[1], (0, 2, true));
}
