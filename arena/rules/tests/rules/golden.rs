//! Whole matches, worked out by an independent implementation of the rules page, replayed action by action.
//!
//! That implementation is `reference/` beside this file: Python, written without a look at this crate. Its `make.py`
//! makes the matches again.
//!
//! The form of `golden/*.txt`, a line each:
//!
//! - `match RULES SEATS SET TARGET`
//! - `deal ROUND REDEAL TILE…`: the deck in dealing order
//! - `SEAT ACTION…`: who acts, and everything legal in the order of the protocol; a star before the one that was
//!   taken, a drawn tile behind its draw
//! - `end dominoed|blocked pips P points P scores S boneyard LEFT arms ENDS hands HANDS`, or
//!   `end refused|no_double scores S`
//! - `over target|round_limit WINNER`, with `-` for nobody

use leyden_protocol::{Action, End, PerSeat, RulesName, Seats, Set, Tile};
use leyden_rules::{DealOutcome, Deck, Match, MatchFinish, RoundOutcome, RoundResult, Rules};

/// Replays every match of a text; panics at the first line that differs, naming it.
fn replay(text: &str) -> usize {
    let mut table: Option<Table> = None;
    let mut matches = 0;
    for (number, line) in text.lines().enumerate() {
        let (word, rest) = line.split_once(' ').expect("a word and what belongs to it");
        let context = |seen: &dyn std::fmt::Display| format!("line {}: {line}\n   found: {seen}", number + 1);
        match (word, &mut table) {
            ("match", _) => table = Some(Table::new(rest)),
            ("deal", Some(table)) => table.deal(rest),
            ("end", Some(table)) => {
                let found = table.end();
                assert_eq!(found, rest, "{}", context(&found));
            }
            ("over", Some(table)) => {
                let found = table.over();
                assert_eq!(found, rest, "{}", context(&found));
                matches += 1;
            }
            (_, Some(table)) => {
                let found = table.act(rest);
                assert_eq!(found, line, "{}", context(&found));
            }
            (_, None) => panic!("{}", context(&"no match before")),
        }
    }
    matches
}

/// A match as far as it was replayed.
struct Table {
    game: Match,
    dealt: Option<DealOutcome>,
    settled: Option<RoundResult>,
}

impl Table {
    fn new(text: &str) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let number = |i: usize| words[i].parse::<u32>().expect("a number");
        let seats = Seats::new(number(1) as usize).expect("seats");
        let set = Set::of_top(number(2) as u8).expect("a set");
        let rules =
            Rules::new(words[0].parse().expect("a rule set"), seats, set, number(3)).expect("possible");
        Self { game: Match::new(&rules), dealt: None, settled: None }
    }

    fn deal(&mut self, text: &str) {
        assert_eq!(self.game.finish(), None, "no deal after the end: {text}");
        let mut words = text.split(' ');
        let number = self.game.deal_number();
        assert_eq!(words.next(), Some(&*number.round.to_string()), "round of {text}");
        assert_eq!(words.next(), Some(&*number.redeal.to_string()), "redeal of {text}");
        let tiles: Vec<Tile> = words.map(|tile| tile.parse().expect("a tile")).collect();
        let deck = Deck::new(self.game.rules().set, &tiles).expect("a whole set");
        self.dealt = Some(self.game.deal(&deck));
    }

    /// Takes the starred action and writes the line as it should have been.
    fn act(&mut self, actions: &str) -> String {
        let starred = actions.split(' ').find_map(|text| text.strip_prefix('*')).expect("a starred action");
        let taken: Action =
            if starred.starts_with("draw:") { Action::Draw } else { starred.parse().expect("an action") };
        let Some(round) = self.game.round() else { return "no round is being played".to_owned() };
        let Some(seat) = round.to_act() else { return "the round is over".to_owned() };
        let legal: Vec<Action> = round.legal().iter().collect();
        let entry = match self.game.apply(taken) {
            Ok(entry) => entry,
            Err(refused) => return refused.to_string(),
        };
        assert_eq!(entry.seat, seat);
        let happened = entry.to_string();
        let happened = happened.split_once(' ').expect("seat and event").1;
        let mut line = seat.to_string();
        for action in legal {
            let written = if action == taken { format!(" *{happened}") } else { format!(" {action}") };
            line.push_str(&written);
        }
        line
    }

    fn end(&mut self) -> String {
        if self.dealt == Some(DealOutcome::NoDouble) {
            return format!("no_double scores {}", list(self.game.scores()));
        }
        let (arms, boneyard) = match self.game.round() {
            Some(round) => (round.arms(), round.boneyard().len()),
            None => return "no round is being played".to_owned(),
        };
        let Some(settled) = self.game.settle() else { return "the round goes on".to_owned() };
        let end = match settled.outcome {
            RoundOutcome::Dominoed { .. } => "dominoed",
            RoundOutcome::Blocked { .. } => "blocked",
            RoundOutcome::Refused => return format!("refused scores {}", list(&settled.scores)),
        };
        let arms: Vec<String> = arms
            .iter()
            .map(|(arm, end)| match end {
                End::Pip(pip) => format!("\"{}\":[{pip}]", arm.letter()),
                End::Across(matador) => {
                    format!("\"{}\":[{},{}]", arm.letter(), matador.low(), matador.high())
                }
            })
            .collect();
        let hands: Vec<String> = settled
            .hands
            .as_slice()
            .iter()
            .map(|hand| hand.iter().map(|tile| tile.to_string()).collect::<Vec<_>>().join(","))
            .collect();
        let line = format!(
            "{end} pips {} points {} scores {} boneyard {boneyard} arms {{{}}} hands {}",
            list(&settled.pips),
            list(&settled.points),
            list(&settled.scores),
            arms.join(","),
            hands.join("/")
        );
        self.settled = Some(settled);
        line
    }

    fn over(&self) -> String {
        let finish = match self.game.finish() {
            Some(MatchFinish::Target) => "target",
            Some(MatchFinish::RoundLimit) => "round_limit",
            None => "not over",
        };
        let winner = self.game.leading().map_or("-".to_owned(), |seat| seat.to_string());
        format!("{finish} {winner}")
    }
}

fn list(numbers: &PerSeat<u32>) -> String {
    numbers.as_slice().iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

macro_rules! replayed {
    ($($test:ident $file:literal)*) => {
        $(
            #[test]
            fn $test() {
                assert!(replay(include_str!(concat!("golden/", $file, ".txt"))) >= 4);
            }
        )*

        #[test]
        fn every_rule_set_is_replayed() {
            assert_eq!(RulesName::ALL.map(RulesName::as_str).to_vec(), [$($file),*]);
        }
    };
}

replayed! {
    leyden "leyden"
    leyden_cross "leyden-cross"
    leiden "leiden"
    senst "senst"
    leyden_free "leyden-free"
    matador "matador"
}
