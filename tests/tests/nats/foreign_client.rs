//! A client that speaks to the server word by word, and says what leyden would never say.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread;

use leyden_tests::patience::Patience;

use crate::process::PATIENCE;

/// Below this subject the server confirms what it has stored.
const STORED: &str = "stranger.stored";

/// A message to everybody who subscribes to its subject.
#[derive(Clone)]
pub(crate) struct Said {
    pub(crate) subject: String,
    pub(crate) payload: Vec<u8>,
}

pub(crate) struct Stranger {
    stream: TcpStream,
    heard: Arc<Mutex<Vec<Said>>>,
    stored: usize,
}

impl Stranger {
    /// A client that reads messages on this subject.
    pub(crate) fn hearing(url: &str, subject: &str) -> Self {
        let stream = TcpStream::connect(url.strip_prefix("nats://").unwrap()).unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (mut reader, mut answers) =
            (BufReader::new(stream.try_clone().unwrap()), stream.try_clone().unwrap());
        let all = Arc::clone(&heard);
        thread::spawn(move || {
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
                let words: Vec<&str> = line.split_whitespace().collect();
                match words.as_slice() {
                    ["PING"] => answers.write_all(b"PONG\r\n").unwrap(),
                    ["MSG", subject, .., size] => {
                        let (subject, size) = ((*subject).to_owned(), size.parse::<usize>().unwrap());
                        let mut payload = vec![0; size + 2];
                        reader.read_exact(&mut payload).unwrap();
                        payload.truncate(size);
                        all.lock().unwrap().push(Said { subject, payload });
                    }
                    _ => {}
                }
                line.clear();
            }
        });
        let mut one = Self { stream, heard, stored: 0 };
        let connect = "CONNECT {\"verbose\":false,\"headers\":true}";
        one.write(format!("{connect}\r\nSUB {subject} 1\r\nSUB {STORED}.* 2\r\n").as_bytes());
        one
    }

    fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    pub(crate) fn say(&mut self, subject: &str, payload: &str) {
        self.write(format!("PUB {subject} {}\r\n{payload}\r\n", payload.len()).as_bytes());
    }

    /// Sends a message with headers.
    pub(crate) fn say_with(&mut self, subject: &str, headers: &str, payload: &str) {
        let headers = format!("NATS/1.0\r\n{headers}\r\n\r\n");
        let (head, all) = (headers.len(), headers.len() + payload.len());
        self.write(format!("HPUB {subject} {head} {all}\r\n{headers}{payload}\r\n").as_bytes());
    }

    /// Replaces what the stream holds for its subject. The server has stored it when this returns.
    pub(crate) fn stores(&mut self, subject: &str, payload: &[u8]) {
        self.stored += 1;
        let answer = format!("{STORED}.{}", self.stored);
        self.write(format!("PUB {subject} {answer} {}\r\n", payload.len()).as_bytes());
        self.write(&[payload, b"\r\n"].concat());
        let said =
            self.until(|heard| Some(heard.iter().find(|said| said.subject == answer)?.payload.clone()));
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains("\"seq\""), "{subject} is not stored: {said}");
    }

    /// The last part of the first subject that was received.
    pub(crate) fn hears(&self) -> String {
        self.until(|heard| Some(heard.first()?.subject.rsplit('.').next()?.to_owned()))
    }

    /// Everything that was received so far.
    pub(crate) fn all_heard(&self) -> Vec<Said> {
        self.heard.lock().unwrap().clone()
    }

    fn until<T>(&self, found: impl Fn(&[Said]) -> Option<T>) -> T {
        let mut patience = Patience::new(PATIENCE);
        loop {
            if let Some(found) = found(&self.heard.lock().unwrap()) {
                return found;
            }
            assert!(patience.waits(), "it is not heard");
        }
    }
}
