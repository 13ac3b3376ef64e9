//! Every verdict, over in-memory pipes with a paused clock: no test waits for real time.

use std::borrow::Cow;

use leyden_host::{CHECK_INTERVAL, NextCheck};
use leyden_protocol::{
    Arms, Clock, ErrorNotice, MatchStart, PerSeat, Phase, RulesName, Seat, Seats, Tile, TileSet, VERSION,
    printable,
};
use tokio::io::{AsyncWriteExt, DuplexStream, duplex};
use tokio::time::sleep;

use super::*;

const LIMIT: Duration = Duration::from_secs(1);

type Talk = Client<tokio::io::ReadHalf<DuplexStream>, tokio::io::WriteHalf<DuplexStream>>;

/// Returns a client and the bot's side of its pipes, which hold this many bytes.
fn pipes(size: usize) -> (Talk, DuplexStream) {
    let (ours, theirs) = duplex(size);
    let (reader, writer) = tokio::io::split(ours);
    (Client::new(reader, writer), theirs)
}

/// Asks with the limit of all these tests, and with nothing else to watch.
trait AskFor {
    async fn ask_for(&mut self, turn: &Turn<'_>) -> io::Result<DecisionResult>;
}

impl AskFor for Talk {
    async fn ask_for(&mut self, turn: &Turn<'_>) -> io::Result<DecisionResult> {
        let check = &mut || NextCheck::After(CHECK_INTERVAL);
        let (now, limit) = (Instant::now(), Limit::new(ClockKind::Wall, LIMIT));
        self.ask(turn, limit, now, &mut Watchdog { first_check: CHECK_INTERVAL, check }).await
    }
}

pub(crate) fn turn(id: u64) -> Turn<'static> {
    let legal: Vec<Action> = ["lead:1-1", "lead:3-3"].iter().map(|text| text.parse().unwrap()).collect();
    let hand: TileSet = ["1-1", "3-3"].iter().map(|text| text.parse::<Tile>().unwrap()).collect();
    Turn {
        id,
        match_id: Cow::Borrowed("m"),
        rules: RulesName::Leyden,
        target: 100,
        round: 0,
        redeal: 0,
        phase: Phase::Lead,
        seat: Seat::new(0).unwrap(),
        hand,
        arms: Arms::default(),
        boneyard: 14,
        drawable: 12,
        counts: PerSeat::default_for(Seats::TWO),
        scores: PerSeat::default_for(Seats::TWO),
        history: Cow::Borrowed(&[]),
        legal: Cow::Owned(legal),
        clock: Clock::default(),
    }
}

pub(crate) fn match_start(match_id: &str) -> ToBot<'_> {
    ToBot::MatchStart(MatchStart {
        match_id: match_id.into(),
        seat: Seat::new(0).unwrap(),
        seats: Seats::TWO,
        rules: RulesName::Leyden,
        target: 100,
        bot_seed: 1,
        names: None,
    })
}

fn answer(id: u64) -> String {
    format!("{{\"type\":\"action\",\"id\":{id},\"action\":\"lead:3-3\"}}\n")
}

/// Returns the result of asking for turn 2 after this was written. The bot's side stays open.
async fn asked_after(said: &[u8]) -> DecisionResult {
    let (mut talk, mut bot) = pipes(1 << 20);
    let question = turn(2);
    let say = async {
        sleep(Duration::from_millis(100)).await;
        bot.write_all(said).await.unwrap();
    };
    let (answered, ()) = tokio::join!(talk.ask_for(&question), say);
    answered.unwrap()
}

fn fault(answered: DecisionResult) -> Fault {
    match answered {
        Err(DecisionError::Fault(fault, _)) => fault,
        other => panic!("no fault: {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn answer_is_accepted_with_the_time_it_took() {
    let decision = asked_after(answer(2).as_bytes()).await.unwrap();
    assert_eq!((decision.took, decision.late), (Duration::from_millis(100), Duration::ZERO));
    assert_eq!(decision.action.to_string(), "lead:3-3");
}

#[tokio::test(start_paused = true)]
async fn every_wrong_answer_has_its_verdict() {
    let (twice, long) = (answer(2).repeat(2), vec![b'x'; 70_000]);
    for (said, code, says) in [
        (&b"\n"[..], FaultCode::Malformed, "empty lines"),
        (b"thinking\n", FaultCode::Malformed, "debug print"),
        (b"> /home/ann/bot.py(12)choose()\n", FaultCode::Malformed, "by breakpoint()"),
        (
            b"{\"type\":\"action\",\"id\":\"2\",\"action\":\"lead:3-3\"}\n",
            FaultCode::Malformed,
            "without quotes",
        ),
        (b"{\"type\":\"action\",\"id\":1,\"action\":\"lead:3-3\"}\n", FaultCode::Unexpected, "the id 1"),
        (b"{\"type\":\"action\",\"id\":3,\"action\":\"lead:3-3\"}\n", FaultCode::Unexpected, "the id 3"),
        (
            b"{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"x\"}\n",
            FaultCode::Unexpected,
            "second ready",
        ),
        (twice.as_bytes(), FaultCode::Unexpected, "answered twice"),
        (
            b"{\"type\":\"action\",\"id\":2,\"action\":\"lead:5-5\"}\n",
            FaultCode::Illegal,
            "(lead:1-1 lead:3-3)",
        ),
        (
            b"{\"type\":\"action\",\"id\":2,\"action\":\"pass please\"}\n",
            FaultCode::Illegal,
            "this is not an action",
        ),
        (&long, FaultCode::Oversized, "65536 bytes"),
        (b"{\"type\":\"action\"", FaultCode::Timeout, "no line feed"),
        (b">", FaultCode::Timeout, "1 byte came that is not an answer"),
        (b"{", FaultCode::Timeout, "1 byte came, but no line feed"),
        (b"go on? ", FaultCode::Timeout, "such as the prompt of input()"),
        (b"", FaultCode::Timeout, "turn 2 within 1s; nothing came"),
    ] {
        let fault = fault(asked_after(said).await);
        let (message, said) = (fault.message(), printable(said, 60));
        assert_eq!(fault.code, code, "{said}: {message}");
        assert!(message.contains(says), "{said}: {message}");
        assert!(message.contains("\nlikely cause: "), "{said}: {message}");
    }
}

#[tokio::test(start_paused = true)]
async fn closed_pipe_means_exit_but_complete_answers_count() {
    let (mut talk, mut bot) = pipes(1 << 20);
    bot.write_all(answer(1).as_bytes()).await.unwrap();
    // Written before it was asked for: the bot cannot have read the turn yet.
    assert_eq!(fault(talk.ask_for(&turn(1)).await.unwrap()).code, FaultCode::Unexpected);

    let (mut talk, mut bot) = pipes(1 << 20);
    let question = turn(1);
    let leave = async {
        sleep(Duration::from_millis(1)).await;
        bot.write_all(answer(1).as_bytes()).await.unwrap();
        drop(bot);
    };
    let (answered, ()) = tokio::join!(talk.ask_for(&question), leave);
    assert!(answered.unwrap().is_ok());
    let gone = fault(talk.ask_for(&turn(2)).await.unwrap());
    assert_eq!((gone.code, gone.failure), (FaultCode::Exited, Some(ReadLineError::Closed)));
    assert!(gone.message().contains("last good answer: turn 1, \"lead:3-3\", after 1.0 ms"), "{gone}");
}

#[tokio::test(start_paused = true)]
async fn late_answer_to_struck_turn_is_ignored_once() {
    let (mut talk, mut bot) = pipes(1 << 20);
    assert_eq!(fault(talk.ask_for(&turn(1)).await.unwrap()).code, FaultCode::Timeout);
    bot.write_all(answer(1).as_bytes()).await.unwrap();
    let question = turn(2);
    let (answered, written) = tokio::join!(talk.ask_for(&question), async {
        sleep(Duration::from_millis(5)).await;
        bot.write_all(answer(2).as_bytes()).await
    });
    written.unwrap();
    assert!(answered.unwrap().is_ok());

    // The same late answer a second time is one too many.
    bot.write_all(answer(1).as_bytes()).await.unwrap();
    assert_eq!(fault(talk.ask_for(&turn(3)).await.unwrap()).code, FaultCode::Unexpected);
}

/// A bot that answered wrongly may notice it, or get the error, and answer again: that answer is ignored, once.
#[tokio::test(start_paused = true)]
async fn after_every_struck_answer_one_more_is_ignored() {
    let illegal = answer(1).replace("lead:3-3", "lead:5-5");
    let stale = answer(1).replace("\"id\":1", "\"id\":7");
    for (said, code) in [
        ("thinking\n".to_owned(), FaultCode::Malformed),
        (illegal, FaultCode::Illegal),
        (stale, FaultCode::Unexpected),
        (answer(1).repeat(2), FaultCode::Unexpected),
    ] {
        let (mut talk, mut bot) = pipes(1 << 20);
        let question = turn(1);
        let (first, ()) = tokio::join!(talk.ask_for(&question), async {
            sleep(Duration::from_millis(5)).await;
            bot.write_all(said.as_bytes()).await.unwrap();
        });
        let struck = fault(first.unwrap());
        assert!(struck.code == code && struck.forgivable(), "{struck}");
        bot.write_all(answer(1).as_bytes()).await.unwrap();
        let question = turn(2);
        let (second, ()) = tokio::join!(talk.ask_for(&question), async {
            sleep(Duration::from_millis(5)).await;
            bot.write_all(answer(2).as_bytes()).await.unwrap();
        });
        assert!(second.unwrap().is_ok(), "{code}");
        bot.write_all(answer(1).as_bytes()).await.unwrap();
        assert_eq!(fault(talk.ask_for(&turn(3)).await.unwrap()).code, FaultCode::Unexpected);
    }
}

#[tokio::test(start_paused = true)]
async fn late_answers_do_not_extend_the_deadline() {
    let (mut talk, mut bot) = pipes(1 << 20);
    for id in 1..=3 {
        assert_eq!(fault(talk.ask_for(&turn(id)).await.unwrap()).code, FaultCode::Timeout);
    }
    let start = Instant::now();
    let late = async {
        for id in 1..=3 {
            sleep(Duration::from_millis(300)).await;
            bot.write_all(answer(id).as_bytes()).await.unwrap();
        }
    };
    let question = turn(4);
    let (answered, ()) = tokio::join!(talk.ask_for(&question), late);
    assert_eq!(fault(answered.unwrap()).code, FaultCode::Timeout);
    assert_eq!(start.elapsed(), LIMIT);
}

#[tokio::test(start_paused = true)]
async fn ids_begin_again_with_a_match() {
    let (mut talk, mut bot) = pipes(1 << 20);
    assert_eq!(fault(talk.ask_for(&turn(1)).await.unwrap()).code, FaultCode::Timeout);
    talk.send(&match_start("n"));
    bot.write_all(answer(1).as_bytes()).await.unwrap();
    assert_eq!(fault(talk.ask_for(&turn(1)).await.unwrap()).code, FaultCode::Unexpected);
}

#[tokio::test(start_paused = true)]
async fn backlog_is_bounded_when_the_bot_stops_reading() {
    let (mut talk, _bot) = pipes(64);
    let notice = ToBot::Error(ErrorNotice {
        code: FaultCode::Timeout,
        message: "x".repeat(1_000).into(),
        received: "".into(),
        legal: Cow::Borrowed(&[]),
    });
    let start = Instant::now();
    let last = loop {
        let fault = fault(talk.ask_for(&turn(1)).await.unwrap());
        assert_eq!(fault.code, FaultCode::Timeout);
        if !fault.forgivable() {
            break fault;
        }
        talk.send(&notice);
        talk.flush().await.unwrap();
    };
    assert!(talk.conversation.backlog() < LONGEST_BACKLOG + 2_000);
    assert!(start.elapsed() < 400 * LIMIT);
    assert!(last.message().contains("stopped reading its standard input"), "{last}");
}

/// A bot may fail at a line that needs no answer.
#[tokio::test(start_paused = true)]
async fn exit_fault_lists_messages_sent_since_last_answer() {
    let (mut talk, bot) = pipes(1 << 20);
    talk.send(&ToBot::Error(ErrorNotice {
        code: FaultCode::Illegal,
        message: "no".into(),
        received: "x".into(),
        legal: Vec::new().into(),
    }));
    drop(bot);
    let said = fault(talk.ask_for(&turn(1)).await.unwrap()).message();
    assert!(
        said.contains("before that the arena sent: error; the bot may already have exited by then"),
        "{said}"
    );
}

#[tokio::test(start_paused = true)]
async fn handshake_has_one_verdict() {
    for (said, says) in [
        (
            &b"{\"type\":\"ready\",\"protocol\":\"2.0\",\"name\":\"x\"}\n"[..],
            "both must have the same major version",
        ),
        (b"{\"type\":\"ready\",\"protocol\":\"one\",\"name\":\"x\"}\n", "in ready"),
        (b"{\"type\":\"action\",\"id\":1,\"action\":\"draw\"}\n", "got an action"),
        (b"Starting up\n", "what came: Starting up"),
        (b"\n", "in answer to hello"),
        (b"{\"type\":", "no line feed"),
        (b"", "waits for the end of its input"),
    ] {
        let (mut talk, mut bot) = pipes(1 << 20);
        bot.write_all(said).await.unwrap();
        let hello = hello();
        let Err(DecisionError::Fault(fault, _)) = talk.greet(&hello, LIMIT).await.unwrap() else {
            panic!("{said:?} is not a handshake");
        };
        assert_eq!(fault.code, FaultCode::Handshake, "{fault}");
        assert!(fault.message().contains(says), "{fault}");
    }
    let (mut talk, mut bot) = pipes(1 << 20);
    bot.write_all(b"{\"type\":\"ready\",\"protocol\":\"1.7\",\"name\":\"x\"}\n").await.unwrap();
    assert_eq!(talk.greet(&hello(), LIMIT).await.unwrap(), Ok(()));
}

fn hello() -> Hello<'static> {
    let limits = leyden_model::TimeLimits::default().as_sent();
    let rules = leyden_rules::Rules::new(RulesName::Leyden, Seats::TWO, leyden_protocol::Set::default(), 100);
    Hello { protocol: VERSION, arena: "test".into(), rules: *rules.unwrap(), limits }
}

#[tokio::test(start_paused = true)]
async fn stalled_host_costs_no_bot_a_match() {
    let (mut talk, _bot) = pipes(1 << 20);
    // The paused clock jumps: the arena meant to look every 25 ms and finds that it is seconds later.
    let jump = async {
        sleep(Duration::from_millis(40)).await;
        tokio::time::advance(Duration::from_secs(5)).await;
    };
    let question = turn(1);
    let (answered, ()) = tokio::join!(talk.ask_for(&question), jump);
    match answered.unwrap() {
        Err(DecisionError::HostOverloaded(overload)) => {
            assert!(overload.late > Duration::from_secs(4), "{overload:?}");
            assert_eq!((overload.seat, overload.allowance), (None, LIMIT));
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn complete_answer_counts_when_the_arena_looks_late() {
    let (mut talk, mut bot) = pipes(1 << 20);
    let jump = async {
        sleep(Duration::from_millis(40)).await;
        bot.write_all(answer(1).as_bytes()).await.unwrap();
        tokio::time::advance(Duration::from_secs(5)).await;
    };
    let question = turn(1);
    let (answered, ()) = tokio::join!(talk.ask_for(&question), jump);
    let decision = answered.unwrap().unwrap();
    assert!(decision.late > Duration::from_secs(4) && decision.took > decision.late, "{decision:?}");
}

/// Returns a client that has a strike for turn 1 and waits for its late answer, and the bot's side of its pipes.
async fn with_turn_1_struck() -> (Talk, DuplexStream) {
    let (mut talk, bot) = pipes(1 << 20);
    assert_eq!(fault(talk.ask_for(&turn(1)).await.unwrap()).code, FaultCode::Timeout);
    (talk, bot)
}

#[tokio::test(start_paused = true)]
async fn lines_before_turn_are_checked_after_a_strike() {
    for said in [
        answer(2),                                 // rightly, but too early
        "thinking\n".to_owned(),                   // no turn's answer
        answer(1).repeat(2),                       // late, and late once more
        answer(1) + &answer(2),                    // late, and too early
        format!("{}\n", "x".repeat(LONGEST_LINE)), // as long as a line may be
    ] {
        let (mut talk, mut bot) = with_turn_1_struck().await;
        bot.write_all(said.as_bytes()).await.unwrap();
        let early = fault(talk.ask_for(&turn(2)).await.unwrap());
        assert_eq!(early.code, FaultCode::Unexpected, "{early}");
        assert!(early.message().contains("before the turn was sent"), "{early}");
        // The line is discarded with that.
        let question = turn(3);
        let (answered, ()) = tokio::join!(talk.ask_for(&question), async {
            sleep(Duration::from_millis(5)).await;
            bot.write_all(answer(3).as_bytes()).await.unwrap();
        });
        assert!(answered.unwrap().is_ok(), "{said:.60}");
    }
}

/// Sends one part of a line before turn 2 is sent, and the other one after it.
async fn begun_before_turn_2(line: &str) -> DecisionResult {
    let (mut talk, mut bot) = with_turn_1_struck().await;
    let (before, after) = line.split_at(20);
    bot.write_all(before.as_bytes()).await.unwrap();
    let question = turn(2);
    let (answered, ()) = tokio::join!(talk.ask_for(&question), async {
        sleep(Duration::from_millis(5)).await;
        bot.write_all(after.as_bytes()).await.unwrap();
        sleep(Duration::from_millis(5)).await;
        bot.write_all(answer(2).as_bytes()).await.unwrap();
    });
    answered.unwrap()
}

#[tokio::test(start_paused = true)]
async fn line_begun_early_must_be_a_late_answer() {
    assert!(begun_before_turn_2(&answer(1)).await.is_ok());
    let early = fault(begun_before_turn_2(&answer(2)).await);
    assert_eq!(early.code, FaultCode::Unexpected, "{early}");
    assert!(early.message().contains("before the turn was sent"), "{early}");
}
