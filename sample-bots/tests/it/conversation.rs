//! The conversation with buffers in memory: what a bot answers to which line, and how it stops.

use leyden_protocol::{
    Clock, FromBot, Hello, Limits, MatchStart, RulesName, Seat, Seats, ToBot, Turn, VERSION, push_line,
};
use leyden_rules::{Match, Rules};
use leyden_sample_bots::table::shuffled;
use leyden_sample_bots::{BotError, ChoiceError, ConversationError, names, play};

fn hello() -> ToBot<'static> {
    let limits = Limits {
        startup_ms: 5_000,
        turn_ms: 1_000,
        bank_ms: 0,
        increment_ms: 0,
        clock: leyden_protocol::ClockKind::Wall,
        line: 65_536,
    };
    ToBot::Hello(Hello {
        protocol: VERSION,
        arena: "table".into(),
        rules: *Rules::standard(RulesName::Leyden),
        limits,
    })
}

fn match_start() -> ToBot<'static> {
    ToBot::MatchStart(MatchStart {
        match_id: "m".into(),
        seat: Seat::FIRST,
        seats: Seats::TWO,
        rules: RulesName::Leyden,
        target: 100,
        bot_seed: 5,
        names: None,
    })
}

/// The first decision of a match, as a line.
fn turn(id: u64) -> Vec<u8> {
    let rules = Rules::standard(RulesName::Leyden);
    let mut game = Match::new(&rules);
    game.deal(&shuffled(&rules, 3, game.deal_number()));
    loop {
        let round = game.round().unwrap();
        let legal: Vec<_> = round.legal().iter().collect();
        if let [only] = legal[..] {
            game.apply(only).unwrap();
            continue;
        }
        let mut legal = Vec::new();
        let view = game.view(round.to_act().unwrap(), &mut legal).unwrap();
        let clock = Clock { turn_ms: 1_000, bank_ms: 0, last_us: None };
        return line(&ToBot::Turn(Turn::new(id, "m", view, clock)));
    }
}

fn line(message: &ToBot<'_>) -> Vec<u8> {
    let mut line = Vec::new();
    push_line(&mut line, message);
    line
}

fn answers(name: &str, input: &[u8]) -> Result<Vec<String>, BotError> {
    let mut output = Vec::new();
    play(name, &[""; 0], input, &mut output)?;
    Ok(String::from_utf8(output).unwrap().lines().map(str::to_owned).collect())
}

fn broken(name: &str, input: &[u8]) -> ConversationError {
    match answers(name, input) {
        Err(BotError::Conversation(broken)) => broken,
        other => panic!("{name} should have stopped, not {other:?}"),
    }
}

#[test]
fn every_bot_sends_ready_and_answers_by_id() {
    for name in names() {
        let input = [line(&hello()), line(&match_start()), turn(17), turn(18)].concat();
        let answers = answers(name, &input).unwrap();
        let messages: Vec<FromBot<'_>> =
            answers.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let [FromBot::Ready(ready), FromBot::Action(first), FromBot::Action(second)] = &messages[..] else {
            panic!("{name}: {answers:?}");
        };
        assert_eq!((&*ready.name, ready.protocol), (*name, VERSION));
        assert_eq!((first.id, second.id), (17, 18));
        let asked = turn(17);
        let turn: Turn<'_> = serde_json::from_slice(&asked).unwrap();
        assert!(turn.legal.contains(&first.action), "{name} answered {}", first.action);
    }
}

#[test]
fn input_may_be_empty_or_lack_line_feed() {
    let input = line(&hello());
    assert_eq!(answers("greedy", &input[..input.len() - 1]).unwrap().len(), 1);
    assert_eq!(answers("greedy", b"").unwrap(), Vec::<String>::new());
}

#[test]
fn unknown_types_and_fields_are_ignored() {
    for name in names() {
        let odd_turn = String::from_utf8(turn(1)).unwrap().replacen('{', r#"{"weather":{"wind":[1,2]},"#, 1);
        let input = [
            line(&hello()),
            b"{\"type\":\"applause\",\"loud\":true}\n".to_vec(),
            line(&match_start()),
            odd_turn.into(),
        ];
        assert_eq!(answers(name, &input.concat()).unwrap().len(), 2, "{name}");
    }
}

#[test]
fn broken_line_ends_the_conversation_and_is_shown() {
    for broken_line in [
        "{\"type\":\"turn\",\"id\":",
        "nonsense",
        "",
        "[]",
        "{\"type\":7}",
        "{\"type\":\"turn\",\"id\":1,\"legal\":[]}",
    ] {
        for name in names() {
            let input = [line(&hello()), line(&match_start()), format!("{broken_line}\n").into()].concat();
            match broken(name, &input) {
                ConversationError::Line { number: 3, start, .. } => assert_eq!(start, broken_line),
                other => panic!("{name}: {other}"),
            }
        }
    }
    assert!(matches!(broken("greedy", b"\xff\n"), ConversationError::Line { number: 1, .. }));
}

#[test]
fn early_turn_and_early_match_start_are_refused() {
    let early = [line(&hello()), turn(1)].concat();
    assert!(matches!(
        broken("greedy", &early),
        ConversationError::Order { number: 2, missing: "match_start" }
    ));
    assert!(matches!(
        broken("greedy", &line(&match_start())),
        ConversationError::Order { number: 1, missing: "hello" }
    ));
}

#[test]
fn other_major_version_is_refused_naming_both_versions() {
    let own = VERSION.to_string();
    let hello_of = |version: &str| {
        String::from_utf8(line(&hello())).unwrap().replace(&format!("\"{own}\""), &format!("\"{version}\""))
    };
    let message = broken("random", hello_of("2.3").as_bytes()).to_string();
    assert!(message.contains("2.3") && message.contains(&own), "{message}");
    let newer = hello_of("1.9");
    assert_eq!(answers("random", newer.as_bytes()).unwrap().len(), 1);
}

#[test]
fn wrong_names_and_options_are_named() {
    let wrong = |name: &str, options: &[&str]| match play(name, options, &b""[..], Vec::new()) {
        Err(BotError::Choice(choice)) => choice,
        other => panic!("{other:?}"),
    };
    assert_eq!(wrong("nobody", &[]), ChoiceError::Bot("nobody".into()));
    for (name, options) in [
        ("random", &["--loud"][..]),
        ("greedy", &["1"]),
        ("careful", &["--blunders", "3"]),
        ("careful", &["--blunder"]),
        ("careful", &["--blunder", "101"]),
        ("careful", &["--blunder", "many"]),
        ("montecarlo", &["--playouts", "0"]),
        ("montecarlo", &["--depth", "3"]),
        ("ladder", &["--level", "9"]),
        ("ladder", &["--level"]),
        ("strong", &["--think", "long"]),
        ("strong", &["--think", "0ms"]),
        ("strong", &["--think"]),
    ] {
        assert!(wrong(name, options).to_string().contains(options[0]), "{name} {options:?}");
    }
}
