//! Deadlines and bounds of a conversation, over pipes in memory with a paused clock: no test waits for real time.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::time::{Instant, sleep};

use super::*;

const LIMIT: Duration = Duration::from_secs(1);

type Pipes = Conversation<tokio::io::ReadHalf<DuplexStream>, tokio::io::WriteHalf<DuplexStream>>;

/// A conversation with pipes of 64 bytes and lines of at most 100, and the bot's side of it.
fn pipes() -> (Pipes, DuplexStream) {
    let (ours, theirs) = duplex(64);
    let (reader, writer) = tokio::io::split(ours);
    (Conversation::new(reader, writer, 100), theirs)
}

type Said = Result<String, Failure>;

async fn hear(talk: &mut Pipes) -> (Said, Duration) {
    let start = Instant::now();
    let heard = talk.hear(start + LIMIT).await.unwrap();
    let heard = heard.map(|heard| String::from_utf8_lossy(heard.line).into_owned());
    (heard, start.elapsed())
}

macro_rules! line {
    ($text:expr) => {
        Said::Ok($text.to_string())
    };
}

#[tokio::test(start_paused = true)]
async fn an_exchange_is_sent_and_answered() {
    let (mut talk, mut bot) = pipes();
    talk.queue().extend(b"question\n");
    let answer = async {
        let mut question = [0; 9];
        bot.read_exact(&mut question).await.unwrap();
        sleep(Duration::from_millis(30)).await;
        bot.write_all(&question.map(|byte| byte.to_ascii_uppercase())).await.unwrap();
    };
    let ((heard, took), ()) = tokio::join!(hear(&mut talk), answer);
    assert_eq!((heard, took), (line!("QUESTION"), Duration::from_millis(30)));
    assert_eq!(talk.left_over(), None);
}

#[tokio::test(start_paused = true)]
async fn silence_ends_at_the_deadline() {
    let (mut talk, _bot) = pipes();
    assert_eq!(hear(&mut talk).await, (Err(Failure::Deadline), LIMIT));
}

#[tokio::test(start_paused = true)]
async fn a_byte_now_and_then_does_not_extend_the_deadline() {
    let (mut talk, mut bot) = pipes();
    let drip = async {
        loop {
            sleep(Duration::from_millis(90)).await;
            if bot.write_all(b"x").await.is_err() {
                break;
            }
        }
    };
    tokio::select! {
        heard = hear(&mut talk) => assert_eq!(heard, (Err(Failure::Deadline), LIMIT)),
        () = drip => unreachable!("the arena's side is open"),
    }
    assert_eq!(talk.partial(), b"xxxxxxxxxxx");
}

#[tokio::test(start_paused = true)]
async fn a_full_pipe_does_not_block_beyond_the_deadline() {
    let (mut talk, _bot) = pipes();
    talk.queue().extend([b'q'; 1_000]);
    assert_eq!(hear(&mut talk).await, (Err(Failure::Deadline), LIMIT));
    assert!(talk.flush().await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn an_endless_line_ends_at_the_longest() {
    let (mut talk, mut bot) = pipes();
    let flood = async { while bot.write_all(&[b'x'; 50]).await.is_ok() {} };
    tokio::select! {
        (heard, took) = hear(&mut talk) => {
            assert_eq!((heard, took), (Err(Failure::Oversized), Duration::ZERO));
        }
        () = flood => unreachable!("the arena's side is open"),
    }
    assert!(talk.input.len() <= 102);
}

#[tokio::test(start_paused = true)]
async fn the_longest_line_is_heard_and_one_byte_more_is_not() {
    for (length, expected) in [(100, line!("x".repeat(100))), (101, Err(Failure::Oversized))] {
        let (mut talk, mut bot) = pipes();
        let text = format!("{}\n", "x".repeat(length));
        let ((heard, _), _) = tokio::join!(hear(&mut talk), bot.write_all(text.as_bytes()));
        assert_eq!(heard, expected, "{length}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_pieces_is_one_answer() {
    let (mut talk, mut bot) = pipes();
    let pieces = async {
        for piece in ["an", "sw", "er", "\n"] {
            sleep(Duration::from_millis(10)).await;
            bot.write_all(piece.as_bytes()).await.unwrap();
        }
    };
    let (heard, ()) = tokio::join!(hear(&mut talk), pieces);
    assert_eq!(heard, (line!("answer"), Duration::from_millis(40)));
}

#[tokio::test(start_paused = true)]
async fn an_answer_counts_although_the_bot_left_behind_it() {
    let (mut talk, mut bot) = pipes();
    bot.write_all(b"answer\n").await.unwrap();
    drop(bot);
    talk.queue().extend(b"question\n");
    assert_eq!(hear(&mut talk).await.0, line!("answer"));
    assert_eq!(hear(&mut talk).await.0, Err(Failure::Closed));
    assert!(!{
        talk.queue().extend(b"more\n");
        talk.flush().await.unwrap()
    });
}

#[tokio::test(start_paused = true)]
async fn a_second_line_is_left_over_and_blanks_are_not() {
    for (text, left_over) in
        [("a\nb\n", Some(&b"b\n"[..])), ("a\nb", Some(b"b")), ("a\n \t\r", None), ("a\n\n", Some(b"\n"))]
    {
        let (mut talk, mut bot) = pipes();
        bot.write_all(text.as_bytes()).await.unwrap();
        assert_eq!(hear(&mut talk).await.0, line!("a"), "{text:?}");
        assert_eq!(talk.left_over(), left_over, "{text:?}");
        talk.forget();
        assert_eq!(talk.left_over(), None, "{text:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_lookout_is_called_as_often_as_it_asks_for() {
    let (mut talk, mut bot) = pipes();
    let start = Instant::now();
    let mut looks = Vec::new();
    let look = &mut || {
        looks.push(start.elapsed().as_millis());
        Next::LookAfter(Duration::from_millis(if looks.len() < 3 { 10 } else { 200 }))
    };
    let mut lookout = Lookout { first: Duration::from_millis(25), look };
    let answer = async {
        sleep(Duration::from_millis(300)).await;
        bot.write_all(b"answer\n").await.unwrap();
    };
    let (heard, ()) = tokio::join!(talk.hear_watching(start, start + LIMIT, &mut lookout), answer);
    assert_eq!(heard.unwrap().unwrap().line, b"answer");
    assert_eq!(looks, [25, 35, 45, 245]);
}

#[tokio::test(start_paused = true)]
async fn a_lookout_that_gives_up_ends_it_and_what_came_by_then_is_heard() {
    for (comes, expected) in [(39, Ok("answer")), (2_000, Err(Failure::Spent))] {
        let (mut talk, mut bot) = pipes();
        let start = Instant::now();
        let look = &mut || match start.elapsed().as_millis() {
            0..40 => Next::LookAfter(Duration::from_millis(15)),
            _ => Next::GiveUp,
        };
        let mut lookout = Lookout { first: Duration::from_millis(25), look };
        let answer = async {
            sleep(Duration::from_millis(comes)).await;
            bot.write_all(b"answer\n").await.unwrap();
        };
        let listen = async {
            let heard = talk.hear_watching(start, start + LIMIT, &mut lookout).await.unwrap();
            let heard = heard.map(|heard| String::from_utf8_lossy(heard.line).into_owned());
            (heard, start.elapsed())
        };
        let ((heard, took), ()) = tokio::join!(listen, answer);
        assert_eq!(heard, expected.map(str::to_owned), "{comes}");
        assert!(took <= Duration::from_millis(40), "{took:?}");
        assert_eq!(talk.late(), Duration::ZERO);
    }
}
