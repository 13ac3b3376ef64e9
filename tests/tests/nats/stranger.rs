//! Somebody who speaks to the server word by word, and says what no leyden would say.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread;

use leyden_tests::patience::Patience;

use crate::process::PATIENCE;

pub(crate) struct Stranger {
    stream: TcpStream,
    /// The subjects of what was heard.
    heard: Arc<Mutex<Vec<String>>>,
}

impl Stranger {
    /// One who hears what is said about this.
    pub(crate) fn hearing(url: &str, subject: &str) -> Self {
        let stream = TcpStream::connect(url.strip_prefix("nats://").unwrap()).unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (mut reader, mut answers) =
            (BufReader::new(stream.try_clone().unwrap()), stream.try_clone().unwrap());
        let subjects = Arc::clone(&heard);
        thread::spawn(move || {
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
                let words: Vec<&str> = line.split_whitespace().collect();
                match words.as_slice() {
                    ["PING"] => answers.write_all(b"PONG\r\n").unwrap(),
                    ["MSG", subject, .., size] => {
                        subjects.lock().unwrap().push((*subject).to_owned());
                        let mut payload = vec![0; size.parse::<usize>().unwrap() + 2];
                        reader.read_exact(&mut payload).unwrap();
                    }
                    _ => {}
                }
                line.clear();
            }
        });
        let mut all = Self { stream, heard };
        all.write(
            format!("CONNECT {{\"verbose\":false,\"headers\":true}}\r\nSUB {subject} 1\r\n").as_bytes(),
        );
        all
    }

    fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    pub(crate) fn say(&mut self, subject: &str, payload: &str) {
        self.write(format!("PUB {subject} {}\r\n{payload}\r\n", payload.len()).as_bytes());
    }

    /// Says something with headers.
    pub(crate) fn say_with(&mut self, subject: &str, headers: &str, payload: &str) {
        let headers = format!("NATS/1.0\r\n{headers}\r\n\r\n");
        let (head, all) = (headers.len(), headers.len() + payload.len());
        self.write(format!("HPUB {subject} {head} {all}\r\n{headers}{payload}\r\n").as_bytes());
    }

    /// What the first subject that is heard ends in.
    pub(crate) fn hears(&self) -> String {
        let mut patience = Patience::of(PATIENCE);
        loop {
            if let Some(subject) = self.heard.lock().unwrap().first() {
                return subject.rsplit('.').next().unwrap().to_owned();
            }
            assert!(patience.waits(), "nothing is heard");
        }
    }
}
