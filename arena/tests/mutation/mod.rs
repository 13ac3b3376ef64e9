//! Random changes to untrusted input: bytes, meaningful words, parts left out or repeated. The original files are in
//! `corpus/`; add any input that fails.
#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;

/// Words that are likely to have a meaning somewhere.
const WORDS: [&str; 24] = [
    "\0",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{fffe}",
    "\n",
    "\r",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    ",",
    "=",
    "-1",
    "1e999",
    "18446744073709551616",
    "null",
    "NaN",
    "../",
    "/proc/self/mem",
    "\\u0000",
    "[[[[[[[[",
    "true",
];

/// One change.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Byte(Index, u8),
    Word(Index, &'static str),
    Cut(Index, usize),
    Again(Index, usize),
}

pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let one = prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (any::<Index>(), proptest::sample::select(&WORDS[..])).prop_map(|(at, word)| Change::Word(at, word)),
        (any::<Index>(), 1..200_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        (any::<Index>(), 1..2_000_usize).prop_map(|(at, length)| Change::Again(at, length)),
    ];
    proptest::collection::vec(one, 1..6)
}

/// The bytes after all changes, one after the other.
pub(crate) fn changed(seed: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for change in changes {
        let at = |index: &Index| index.index(bytes.len() + 1);
        match change {
            Change::Byte(index, byte) => {
                let at = at(index);
                if let Some(old) = bytes.get_mut(at) {
                    *old = *byte;
                }
            }
            Change::Word(index, word) => {
                let at = at(index);
                bytes.splice(at..at, word.bytes());
            }
            Change::Cut(index, length) => {
                let at = at(index);
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Change::Again(index, length) => {
                let at = at(index);
                let part = bytes[at..(at + length).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

/// The files of a corpus.
pub(crate) fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let files = fs::read_dir(folder).expect("a corpus").map(|file| file.expect("a file").path());
    let all: Vec<Vec<u8>> = files.map(|path| fs::read(path).expect("a file")).collect();
    assert!(!all.is_empty(), "{name}");
    all
}
