//! HTTP requests as a program makes them, one connection each.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::patience::Patience;

/// A generous timeout; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(10);

/// Requests a page, and returns everything until the server closes the connection.
pub fn get(address: &str, path: &str) -> TcpStream {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    stream
}

/// The complete answer, including its head. A server that is still reading the file says so and is asked again.
pub fn text(address: &str, path: &str) -> String {
    let mut patience = Patience::new(PATIENCE);
    loop {
        let mut text = String::new();
        get(address, path).read_to_string(&mut text).unwrap();
        if !text.starts_with("HTTP/1.1 503") {
            return text;
        }
        assert!(patience.waits(), "{text}");
    }
}
