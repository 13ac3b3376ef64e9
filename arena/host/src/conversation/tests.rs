//! Deadlines and limits of a conversation, over in-memory pipes with a paused clock: no test waits for real time.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::time::{Instant, sleep};

use super::*;

const LIMIT: Duration = Duration::from_secs(1);

type Pipes = Conversation<tokio::io::ReadHalf<DuplexStream>, tokio::io::WriteHalf<DuplexStream>>;

/// Returns a conversation with pipes of 64 bytes and lines of at most 100, and the bot's side of it.
fn pipes() -> (Pipes, DuplexStream) {
    let (ours, theirs) = duplex(64);
    let (reader, writer) = tokio::io::split(ours);
    (Conversation::new(reader, writer, 100), theirs)
}

type Said = Result<String, ReadLineError>;

async fn read(talk: &mut Pipes) -> (Said, Duration) {
    let start = Instant::now();
    let line = talk.read_line(start + LIMIT).await.unwrap();
    let line = line.map(|line| String::from_utf8_lossy(line.bytes).into_owned());
    (line, start.elapsed())
}

macro_rules! line {
    ($text:expr) => {
        Said::Ok($text.to_string())
    };
}

#[tokio::test(start_paused = true)]
async fn exchange_is_sent_and_answered() {
    let (mut talk, mut bot) = pipes();
    talk.queue().extend(b"question\n");
    let answer = async {
        let mut question = [0; 9];
        bot.read_exact(&mut question).await.unwrap();
        sleep(Duration::from_millis(30)).await;
        bot.write_all(&question.map(|byte| byte.to_ascii_uppercase())).await.unwrap();
    };
    let ((line, took), ()) = tokio::join!(read(&mut talk), answer);
    assert_eq!((line, took), (line!("QUESTION"), Duration::from_millis(30)));
    assert_eq!(talk.unread(), None);
}

#[tokio::test(start_paused = true)]
async fn silence_ends_at_the_deadline() {
    let (mut talk, _bot) = pipes();
    assert_eq!(read(&mut talk).await, (Err(ReadLineError::TimedOut), LIMIT));
}

#[tokio::test(start_paused = true)]
async fn trickling_bytes_do_not_extend_the_deadline() {
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
        line = read(&mut talk) => assert_eq!(line, (Err(ReadLineError::TimedOut), LIMIT)),
        () = drip => unreachable!("the arena's side is open"),
    }
    assert_eq!(talk.partial_line(), b"xxxxxxxxxxx");
}

#[tokio::test(start_paused = true)]
async fn full_pipe_does_not_block_beyond_the_deadline() {
    let (mut talk, _bot) = pipes();
    talk.queue().extend([b'q'; 1_000]);
    assert_eq!(read(&mut talk).await, (Err(ReadLineError::TimedOut), LIMIT));
    assert!(talk.flush().await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn endless_line_ends_at_the_longest() {
    let (mut talk, mut bot) = pipes();
    let flood = async { while bot.write_all(&[b'x'; 50]).await.is_ok() {} };
    tokio::select! {
        (line, took) = read(&mut talk) => {
            assert_eq!((line, took), (Err(ReadLineError::TooLong), Duration::ZERO));
        }
        () = flood => unreachable!("the arena's side is open"),
    }
    assert!(talk.input.len() <= 102);
}

#[tokio::test(start_paused = true)]
async fn reader_accepts_longest_line_but_no_extra_byte() {
    for (length, expected) in [(100, line!("x".repeat(100))), (101, Err(ReadLineError::TooLong))] {
        let (mut talk, mut bot) = pipes();
        let text = format!("{}\n", "x".repeat(length));
        let ((line, _), _) = tokio::join!(read(&mut talk), bot.write_all(text.as_bytes()));
        assert_eq!(line, expected, "{length}");
    }
}

#[tokio::test(start_paused = true)]
async fn answer_in_pieces_is_one_answer() {
    let (mut talk, mut bot) = pipes();
    let pieces = async {
        for piece in ["an", "sw", "er", "\n"] {
            sleep(Duration::from_millis(10)).await;
            bot.write_all(piece.as_bytes()).await.unwrap();
        }
    };
    let (line, ()) = tokio::join!(read(&mut talk), pieces);
    assert_eq!(line, (line!("answer"), Duration::from_millis(40)));
}

#[tokio::test(start_paused = true)]
async fn answer_counts_even_when_the_bot_has_left() {
    let (mut talk, mut bot) = pipes();
    bot.write_all(b"answer\n").await.unwrap();
    drop(bot);
    talk.queue().extend(b"question\n");
    assert_eq!(read(&mut talk).await.0, line!("answer"));
    assert_eq!(read(&mut talk).await.0, Err(ReadLineError::Closed));
    assert!(!{
        talk.queue().extend(b"more\n");
        talk.flush().await.unwrap()
    });
}

#[tokio::test(start_paused = true)]
async fn second_line_is_unread_unlike_trailing_blanks() {
    for (text, unread) in
        [("a\nb\n", Some(&b"b\n"[..])), ("a\nb", Some(b"b")), ("a\n \t\r", None), ("a\n\n", Some(b"\n"))]
    {
        let (mut talk, mut bot) = pipes();
        bot.write_all(text.as_bytes()).await.unwrap();
        assert_eq!(read(&mut talk).await.0, line!("a"), "{text:?}");
        assert_eq!(talk.unread(), unread, "{text:?}");
        talk.discard_unread();
        assert_eq!(talk.unread(), None, "{text:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn watchdog_sets_the_time_of_its_next_check() {
    let (mut talk, mut bot) = pipes();
    let start = Instant::now();
    let mut checks = Vec::new();
    let check = &mut || {
        checks.push(start.elapsed().as_millis());
        NextCheck::After(Duration::from_millis(if checks.len() < 3 { 10 } else { 200 }))
    };
    let mut watchdog = Watchdog { first_check: Duration::from_millis(25), check };
    let answer = async {
        sleep(Duration::from_millis(300)).await;
        bot.write_all(b"answer\n").await.unwrap();
    };
    let (line, ()) = tokio::join!(talk.read_line_watched(start, start + LIMIT, &mut watchdog), answer);
    assert_eq!(line.unwrap().unwrap().bytes, b"answer");
    assert_eq!(checks, [25, 35, 45, 245]);
}

#[tokio::test(start_paused = true)]
async fn watchdog_ends_the_wait_but_keeps_earlier_answers() {
    for (comes, expected) in [(39, Ok("answer")), (2_000, Err(ReadLineError::GaveUp))] {
        let (mut talk, mut bot) = pipes();
        let start = Instant::now();
        let check = &mut || match start.elapsed().as_millis() {
            0..40 => NextCheck::After(Duration::from_millis(15)),
            _ => NextCheck::GiveUp,
        };
        let mut watchdog = Watchdog { first_check: Duration::from_millis(25), check };
        let answer = async {
            sleep(Duration::from_millis(comes)).await;
            bot.write_all(b"answer\n").await.unwrap();
        };
        let listen = async {
            let line = talk.read_line_watched(start, start + LIMIT, &mut watchdog).await.unwrap();
            let line = line.map(|line| String::from_utf8_lossy(line.bytes).into_owned());
            (line, start.elapsed())
        };
        let ((line, took), ()) = tokio::join!(listen, answer);
        assert_eq!(line, expected.map(str::to_owned), "{comes}");
        assert!(took <= Duration::from_millis(40), "{took:?}");
        assert_eq!(talk.delay(), Duration::ZERO);
    }
}
