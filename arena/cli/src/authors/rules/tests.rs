//! Checks the pages against the rules: for every rule set, every number of seats and every set of tiles.

use clap::Parser;
use leyden_protocol::{
    Action, Arm, End, HistoryAction, HistoryEntry, Lay, LayoutShape, LeadRule, Opening, Seat, Seats, Set,
    Tile, TileSet, WinningScore,
};
use leyden_rules::{DEFAULT_TARGET, Deck, Lead, Match, Round, RoundOutcome};

use super::example::Example;
use super::scene::{Moment, Scene, actions, deck};
use super::*;
use crate::args::Cli;

/// Returns every possible table.
fn tables() -> Vec<Rules> {
    let mut tables = Vec::new();
    for name in RulesName::ALL {
        for set in Set::ALL {
            for seats in (2..=8).filter_map(Seats::new) {
                tables.extend(Rules::new(name, seats, set, DEFAULT_TARGET));
            }
        }
    }
    let is_there = |name: &RulesName| tables.iter().any(|rules| rules.name == *name);
    assert!(RulesName::ALL.iter().all(is_there) && tables.len() > RulesName::ALL.len(), "{tables:?}");
    tables
}

fn page_of(rules: &Rules, width: usize) -> String {
    lesson(Language::English, rules, width)
        .unwrap_or_else(|error| panic!("{} {} {}: {error}", rules.name, rules.seats, rules.set))
}

/// Returns the page as one line, so that phrases are found wherever lines end.
fn flat(rules: &Rules) -> String {
    page_of(rules, 80).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_page_fits_the_columns_there_are() {
    let pages = |width: usize| {
        tables()
            .into_iter()
            .map(move |rules| page_of(&rules, width))
            .chain([overview(Language::English, width)])
    };
    for width in [40, 80, 120] {
        for page in pages(width) {
            let widest = page.lines().max_by_key(|line| line.chars().count()).unwrap();
            assert!(widest.chars().count() <= width, "{width} columns: {widest}");
            assert!(page.lines().all(|line| line == line.trim_end()), "{page}");
            assert!(!page.contains("\n\n\n") && !page.contains(['\u{a0}', '/']), "{page}");
        }
    }
}

/// The other languages have the same rows and drawings, but longer words.
#[test]
fn lessons_in_every_language_fit_and_are_complete() {
    for language in Language::ALL {
        for rules in RulesName::ALL.map(Rules::standard) {
            let page = lesson(language, &rules, 40).unwrap() + &overview(language, 40);
            let widest = page.lines().max_by_key(|line| line.chars().count()).unwrap();
            assert!(widest.chars().count() <= 40, "{widest}");
            assert!(!page.contains("\n\n\n") && !page.contains(['\u{a0}', '\u{202f}', '{', '/']), "{page}");
        }
    }
}

/// `WRITE_LESSONS=1` writes them anew.
#[test]
fn lessons_read_as_they_are_recorded() {
    for language in Language::ALL {
        let file = format!("{}/src/authors/rules/tests/leyden.{language}.txt", env!("CARGO_MANIFEST_DIR"));
        let lesson = lesson(language, &Rules::standard(RulesName::Leyden), 80).unwrap();
        if std::env::var_os("WRITE_LESSONS").is_some() {
            std::fs::write(&file, &lesson).unwrap();
        }
        assert_eq!(lesson, std::fs::read_to_string(&file).unwrap(), "{file}");
    }
}

#[test]
fn letters_stand_at_the_arms_that_are_open() {
    for rules in tables() {
        let [lead, two, later] = [Moment::Lead, Moment::InLineAndAcross, Moment::Later]
            .map(|moment| Scene::new(&rules, moment).unwrap());
        let open =
            [&lead, &two, &later].map(|scene| scene.open.iter().map(|arm| arm.letter()).collect::<String>());
        let expected = match (rules.layout, rules.opening) {
            (LayoutShape::Line, _) => ["EW", "EW", "EW"],
            (LayoutShape::Spinner, Opening::None) => ["NESW", "NESW", "NESW"],
            (LayoutShape::Spinner, Opening::Sides) => ["NS", "NESW", "NESW"],
            (LayoutShape::Spinner, Opening::Cross) => ["NESW", "EW", "NESW"],
        };
        assert_eq!(open, expected, "{}", rules.name);
        for (scene, open) in [lead, two, later].iter().zip(open) {
            let drawing = scene.draw(80).join("\n");
            let letters: Vec<char> = drawing.chars().filter(char::is_ascii_alphabetic).collect();
            assert!(
                letters.len() == open.len() && letters.iter().all(|&letter| open.contains(letter)),
                "{drawing}"
            );
            let numbers =
                drawing.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).count();
            assert_eq!(numbers, 2 * scene.played.turns.len(), "{drawing}");
            assert!(page_of(&rules, 80).contains(drawing.lines().next().unwrap().trim_end()), "{drawing}");
        }
    }
}

/// Every tile that the next player may hold is tried: it fits an open arm if and only if the page says so, and the same across.
#[test]
fn lesson_agrees_with_rules_on_fitting_tiles() {
    let mut tried = 0;
    for rules in tables() {
        let across_on_across =
            flat(&rules).contains("A matador may even lie across on a matador that lies across.");
        for moment in [Moment::Lead, Moment::InLineAndAcross, Moment::Later] {
            let actions = actions(&rules, moment).unwrap();
            let laid = actions.iter().filter_map(|action| action.tile()).collect();
            let open = Scene::new(&rules, moment).unwrap().open;
            for tile in rules.set.tiles().minus(laid) {
                let deck = deck(&rules, &actions, tile).unwrap();
                // Where the loser leads, any double may be led: this tile may have to lead.
                let lead = Lead::Loser { first: Seat::FIRST, may_refuse: false };
                let mut round = Round::deal(&rules, &deck, lead).unwrap();
                for &action in &actions {
                    round.apply(action).unwrap();
                }
                for (arm, end) in round.arms().iter() {
                    let is_matador = tile.is_wild(rules.set);
                    let partners = lesson::partners(rules.set, end);
                    let fits =
                        is_matador || partners.contains(&tile.low()) || partners.contains(&tile.high());
                    let plays = laid_on(&round, arm, tile);
                    let said = open.contains(&arm) && fits;
                    assert_eq!(
                        !plays.is_empty(),
                        said,
                        "{}: {tile} on {arm:?} {}",
                        rules.name,
                        turns::shown(Language::English, end)
                    );
                    let across = plays.iter().any(|lay| matches!(lay, Lay::Across(_)));
                    let said = said
                        && is_matador
                        && tile.double().is_none()
                        && (across_on_across || matches!(end, End::Pip(_)));
                    assert_eq!(across, said, "{}: {tile} across on {arm:?}", rules.name);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 5_000, "{tried}");
}

fn laid_on(round: &Round, arm: Arm, tile: Tile) -> Vec<Lay> {
    let legal = round.legal();
    let lays = legal.iter().filter_map(|action| match action {
        Action::Play(on, lay) if on == arm && lay.tile() == tile => Some(lay),
        _ => None,
    });
    lays.collect()
}

#[test]
fn rows_name_the_tiles_that_fit_open_ends() {
    let page =
        |name, seats, set| page_of(&Rules::new(name, Seats::new(seats).unwrap(), set, 100).unwrap(), 80);
    let leyden = page(RulesName::Leyden, 2, Set::DoubleSix);
    for row in ["N shows 1       any tile with a 6\n", "E shows 1 or 6  any tile with a 6 or a 1\n"] {
        assert!(leyden.contains(row), "{leyden}");
    }
    let large = page(RulesName::Matador, 8, Set::DoubleTwelve);
    assert!(large.contains("E shows 1 or 12  any tile with a 12 or a 1\n"), "{large}");
    assert!(large.contains("0-0, 1-12, 2-11, 3-10, 4-9, 5-8 and 6-7."), "{large}");
    let nine = page(RulesName::Matador, 2, Set::DoubleNine);
    assert!(nine.contains("0-0 and 5-5 lie in line only"), "{nine}");
}

/// Reads the round from the page as a person with tiles in hand would, and plays it.
#[test]
fn fully_shown_round_replays_as_the_page_describes() {
    let mut played = 0;
    for rules in tables() {
        let page = page_of(&rules, 120);
        let (_, text) = page.split_once("A ROUND TO FOLLOW\n").unwrap();
        let (text, _) = text.split_once("A BLOCKED ROUND TO FOLLOW\n").unwrap();
        if text.contains("turns later:") {
            continue; // not all of it is shown
        }
        let (dealt, rest) = text.split_once("Now they play.").unwrap();
        let hand = |line: &str| {
            line.split_whitespace().skip(2).filter_map(|tile| tile.parse::<Tile>().ok()).collect()
        };
        let hands = |text: &str| -> Vec<Vec<Tile>> {
            text.lines().filter(|line| line.starts_with("  seat ")).map(hand).collect()
        };
        let turns: Vec<(HistoryEntry, &str)> = rest.lines().filter_map(turn).collect();
        let drawn = turns.iter().filter_map(|(entry, _)| match entry.event {
            HistoryAction::Draw(tile) => tile,
            _ => None,
        });
        let mut tiles: Vec<Tile> = hands(dealt).concat().into_iter().chain(drawn).collect();
        let others = rules.set.tiles().minus(tiles.iter().copied().collect());
        tiles.extend(others);
        let mut game = Match::new(&rules);
        game.deal(&Deck::new(rules.set, &tiles).unwrap());
        for (entry, meaning) in turns {
            assert_eq!(game.apply(entry.event.into()).unwrap(), entry, "{}", rules.name);
            if let HistoryAction::Play(arm, _) = entry.event {
                let end = turns::shown(Language::English, game.round().unwrap().arms().get(arm).unwrap());
                assert!(
                    meaning.trim_end_matches(", a blank").ends_with(&format!("the new end is {end}")),
                    "{meaning}"
                );
            }
        }
        let settled = game.settle().unwrap();
        let shown = hands(rest).into_iter().map(|hand| hand.into_iter().collect::<TileSet>());
        assert!(shown.eq(settled.hands.as_slice().iter().copied()), "{text}");
        let RoundOutcome::Dominoed { winner } = settled.outcome else { panic!("{text}") };
        assert!(text.contains(&format!("Seat {winner} is out: the round is over.")), "{text}");
        for (seat, points) in settled.points.iter().filter(|&(_, &points)| points > 0) {
            assert!(text.contains(&format!("seat {seat} adds {points}")), "{text}");
        }
        played += 1;
    }
    assert!(played >= 8, "{played}");
}

/// Parses a row that shows a turn: who did what, and what it means.
fn turn(line: &str) -> Option<(HistoryEntry, &str)> {
    let line = line.strip_prefix("  ")?;
    let (entry, meaning) = line.split_once("  ").unwrap_or((line, ""));
    Some((entry.parse().ok()?, meaning.trim()))
}

#[test]
fn example_covers_all_lessons_and_shows_laid_tiles() {
    for rules in tables() {
        let example = Example::for_rules(&rules).unwrap();
        assert_eq!(example.lessons(), Example::LESSONS, "{} {} {}", rules.name, rules.seats, rules.set);
        let drawing = example.played.draw(100, |_| false).join("\n");
        let numbers =
            drawing.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).count();
        let laid = example
            .played
            .turns
            .iter()
            .filter(|turn| Action::from(turn.entry.event).tile().is_some())
            .count();
        assert_eq!(numbers, 2 * laid, "{drawing}");
    }
}

#[test]
fn blocked_round_shows_why_and_who_wins() {
    for rules in tables() {
        let example = Example::blocked(&rules).unwrap();
        let done: Vec<_> = example.played.turns.iter().map(|turn| turn.entry).collect();
        if rules.leads.later == LeadRule::Loser {
            assert_eq!((done[0].seat, done[0].event), (Seat::FIRST, HistoryAction::Refuse), "{}", rules.name);
            assert!(matches!(done[1].event, HistoryAction::Lead(_)) && done[1].seat != Seat::FIRST);
        }
        let RoundOutcome::Blocked { winner: Some(winner) } = example.outcome else {
            panic!("{}", rules.name)
        };
        let (_, text) = page_of(&rules, 120)
            .split_once("A BLOCKED ROUND TO FOLLOW\n")
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("The round is blocked: "), "{text}");
        assert!(text.contains(&format!("Seat {winner} has the lightest hand.")), "{text}");
    }
}

#[test]
fn sums_on_the_page_are_right() {
    let mut checked = 0;
    for rules in tables() {
        let text = flat(&rules);
        for (at, is) in text.match_indices(" = ") {
            let left: Vec<&str> = text[..at].split(' ').rev().take(3).collect();
            let [b, "+", a] = left[..] else { panic!("{left:?}") };
            let number = |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).parse::<u8>().unwrap();
            let sum = number(text[at + is.len()..].split(' ').next().unwrap());
            assert_eq!((number(a) + number(b), sum), (rules.set.sum(), rules.set.sum()), "{left:?}");
            checked += 1;
        }
        for (at, which) in text.match_indices(", which is ") {
            let points: i64 = text[..at].rsplit(' ').next().unwrap().parse().unwrap();
            let formula = text[at + which.len()..].split(['.', ':']).next().unwrap();
            let (plus, minus) = formula.split_once(" - ").unwrap_or((formula, "0"));
            let sum: i64 = plus.split(" + ").map(|number| number.parse::<i64>().unwrap()).sum();
            assert_eq!(points, sum - minus.parse::<i64>().unwrap(), "{formula}");
            checked += 1;
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn page_explains_final_scores_for_every_target() {
    let rules = |name, target| Rules::new(name, Seats::TWO, Set::DoubleSix, target).unwrap();
    for target in [1, 4, 5, 50, 100, Rules::HIGHEST_TARGET] {
        for name in RulesName::ALL {
            let text = flat(&rules(name, target));
            assert!(text.contains(" wins the match."), "{text}");
            assert_eq!(
                text.contains("and the match is drawn."),
                rules(name, target).better == WinningScore::Lower
            );
        }
    }
    let text = flat(&rules(RulesName::Leyden, 100));
    assert!(text.contains("the scores are 105 and 102, and seat 1 wins the match."), "{text}");
    assert!(text.contains("the scores are 104 and 104, and the match is drawn."), "{text}");
}

#[test]
fn page_mentions_only_features_of_its_rule_set() {
    for rules in tables() {
        let text = flat(&rules);
        let loser = [rules.leads.first, rules.leads.later].contains(&LeadRule::Loser);
        assert_eq!(text.contains("refuse"), loser, "{}", rules.name);
        assert_eq!(text.contains("the loser"), loser, "{}", rules.name);
        assert_eq!(text.contains("reserve"), rules.reserve > 0, "{}", rules.name);
        // Without a spinner there is no opening either.
        let spinner = rules.layout == LayoutShape::Spinner;
        assert_eq!(text.contains("opening"), spinner, "{}", rules.name);
        assert_eq!(text.contains("spinner"), spinner, "{}", rules.name);
        assert_eq!(text.contains("other player"), rules.seats == Seats::TWO, "{}", rules.name);
    }
}

/// Every suggested command for further reading can be typed.
#[test]
fn every_command_on_the_page_can_be_typed() {
    let pages =
        tables().into_iter().map(|rules| page_of(&rules, 40)).chain([overview(Language::English, 40)]);
    for page in pages {
        let joined = page.replace(" \\\n", " ");
        let commands: Vec<&str> = joined
            .lines()
            .filter_map(|line| line.strip_prefix("    ").filter(|line| line.starts_with("leyden ")))
            .collect();
        assert!(commands.len() >= 2, "{page}");
        for command in commands.into_iter().filter(|command| !command.starts_with("leyden help")) {
            if let Err(error) = Cli::try_parse_from(shlex::split(command).unwrap()) {
                panic!("{command}: {error}");
            }
        }
    }
}
