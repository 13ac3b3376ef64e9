//! The protocol page is true: its messages are messages, its programs run.

use std::io::Write as _;
use std::process::{Command, Stdio};

use leyden_protocol::{BotLine, FromBot, Seat, Seats, ToBot, Turn, push_line, read_answer};
use leyden_rules::{Deck, Match, Rules};
use serde::Deserialize;
use serde_json::Value;

use crate::schema::{FROM_BOT, TO_BOT};

const README: &str = include_str!("../../README.md");

/// The fenced blocks whose first line is exactly this, in order.
fn blocks(language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = README.lines();
    while let Some(fence) = lines.by_ref().find_map(|line| line.strip_prefix("```")) {
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if fence == language {
            blocks.push(block.join("\n"));
        }
    }
    blocks
}

/// JSON as on the wire: without blanks and line breaks outside of texts.
fn on_one_line(json: &str) -> String {
    let (mut in_text, mut escaped) = (false, false);
    json.chars()
        .filter(|&c| {
            let kept = in_text || !c.is_whitespace();
            in_text ^= c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            kept
        })
        .collect()
}

fn to_bot() -> Vec<String> {
    let messages = blocks("json").into_iter().map(|block| on_one_line(&block));
    messages.filter(|line| serde_json::from_str::<FromBot<'_>>(line).is_err()).collect()
}

fn type_of(json: &Value) -> String {
    json["type"].as_str().unwrap().to_owned()
}

#[test]
fn readme_examples_are_messages_in_canonical_form() {
    let mut types = Vec::new();
    for line in blocks("json").iter().map(|block| on_one_line(block)) {
        let json: Value = serde_json::from_str(&line).unwrap();
        types.push(type_of(&json));
        let mut again = Vec::new();
        if let Ok(message) = serde_json::from_str::<FromBot<'_>>(&line) {
            assert!(read_answer(line.as_bytes()).is_ok(), "{line}");
            assert!(FROM_BOT.is_valid(&json), "{line}");
            push_line(&mut again, &message);
        } else {
            let message: ToBot<'_> =
                serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert!(TO_BOT.is_valid(&json), "{line}");
            push_line(&mut again, &message);
        }
        assert_eq!(String::from_utf8(again).unwrap(), line + "\n");
    }
    types.sort_unstable();
    types.dedup();
    assert_eq!(
        types,
        ["action", "error", "hello", "match_end", "match_start", "ready", "round_end", "turn"],
        "every message has an example"
    );
}

/// Returns what a program prints for this input; `None` if Python is not installed.
#[allow(clippy::print_stdout, reason = "a skipped test says so")]
fn python(program: &str, input: &str) -> Option<String> {
    let mut python = Command::new("python3");
    python.args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = match python.spawn() {
        Ok(child) => child,
        Err(error) => {
            println!("the programs of the protocol page were not run: python3: {error}");
            return None;
        }
    };
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn bot_of_ten_lines_plays() {
    let [bot, _] = &blocks("python")[..] else { panic!("two programs") };
    assert!(bot.lines().filter(|line| !line.is_empty()).count() <= 10);
    let lines = to_bot();
    let Some(answers) = python(bot, &(lines.join("\n") + "\n")) else { return };
    let mut answers = answers.lines();
    for line in &lines {
        match serde_json::from_str(line).unwrap() {
            ToBot::Hello(_) => {
                let answer = read_answer(answers.next().unwrap().as_bytes());
                assert!(matches!(answer, Ok(BotLine::Ready { .. })), "{answer:?}");
            }
            ToBot::Turn(Turn { id, legal, .. }) => {
                let Ok(BotLine::Action { id: given, action, .. }) =
                    read_answer(answers.next().unwrap().as_bytes())
                else {
                    panic!("no answer to {line}")
                };
                assert!(given.is(id) && action.parse() == Ok(legal[0]));
            }
            _ => {}
        }
    }
    assert_eq!(answers.next(), None);
}

#[test]
fn deals_are_those_of_the_check_values() {
    let [_, deals] = &blocks("python")[..] else { panic!("two programs") };
    let check = &blocks("text")[1];
    if let Some(printed) = python(deals, "") {
        assert_eq!(printed.trim_end(), check);
    }
    let record: Record = serde_json::from_str(&blocks("json record")[0]).unwrap();
    let mut check = check.lines();
    assert!(check.next().unwrap().starts_with(&record.tournament));
    assert_eq!(check.next().unwrap(), record.seed);
    let deck: Vec<String> = record.rounds[0].deck.iter().map(ToString::to_string).collect();
    assert_eq!(check.next().unwrap(), deck.join(" "));
}

/// The part of a record that the rules can check.
#[derive(Deserialize)]
struct Record {
    tournament: String,
    seed: String,
    rules: RecordRules,
    rounds: Vec<RecordRound>,
    scores: Vec<u32>,
    winner: Option<usize>,
    think_us: Vec<Vec<u64>>,
}

#[derive(Deserialize)]
struct RecordRules {
    name: leyden_protocol::RulesName,
    seats: Seats,
    set: leyden_protocol::Set,
    target: u32,
}

#[derive(Deserialize)]
struct RecordRound {
    deck: Vec<leyden_protocol::Tile>,
    actions: Vec<leyden_protocol::HistoryEntry>,
    pips: Vec<u32>,
}

#[test]
fn recorded_match_replays_to_its_result() {
    let record: Record = serde_json::from_str(&blocks("json record")[0]).unwrap();
    let rules = record.rules;
    let rules = Rules::new(rules.name, rules.seats, rules.set, rules.target).unwrap();
    let mut game = Match::new(&rules);
    let mut asked = vec![0; rules.seats.count()];
    for round in &record.rounds {
        game.deal(&Deck::new(rules.set, &round.deck).unwrap());
        for entry in &round.actions {
            let playing = game.round().unwrap();
            assert_eq!(playing.to_act(), Some(entry.seat));
            asked[entry.seat.index()] += usize::from(playing.legal().forced().is_none());
            assert_eq!(game.apply(entry.event.into()).unwrap(), *entry);
        }
        assert_eq!(game.settle().unwrap().pips.as_slice(), round.pips);
    }
    assert!(game.finish().is_some());
    assert_eq!(game.scores().as_slice(), record.scores);
    assert_eq!(game.leading().map(Seat::index), record.winner);
    let timed: Vec<usize> = record.think_us.iter().map(Vec::len).collect();
    assert_eq!(timed, asked, "one reading for each decision that was asked for");
}
