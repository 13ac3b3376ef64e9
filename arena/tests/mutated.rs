//! What comes from strangers, changed at random: it is read or refused with a sentence, and nothing panics. The files to begin
//! with are in `corpus/`; whatever was once found goes there, too.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use leyden_arena::record::export;
use leyden_arena::record::verify::Verifier;
use leyden_arena::roster;
use proptest::prelude::*;
use proptest::sample::Index;

/// What is likely to matter somewhere.
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
enum Change {
    Byte(Index, u8),
    Word(Index, &'static str),
    Cut(Index, usize),
    Again(Index, usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let one = prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (any::<Index>(), proptest::sample::select(&WORDS[..])).prop_map(|(at, word)| Change::Word(at, word)),
        (any::<Index>(), 1..200_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        (any::<Index>(), 1..2_000_usize).prop_map(|(at, length)| Change::Again(at, length)),
    ];
    proptest::collection::vec(one, 1..6)
}

fn changed(seed: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for change in changes {
        let at = |index: &Index| index.index(bytes.len() + 1);
        match change {
            Change::Byte(index, byte) => {
                let at = at(index);
                if let Some(place) = bytes.get_mut(at) {
                    *place = *byte;
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
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let files = fs::read_dir(folder).expect("a corpus").map(|file| file.expect("a file").path());
    let all: Vec<Vec<u8>> = files.map(|path| fs::read(path).expect("a file")).collect();
    assert!(!all.is_empty(), "{name}");
    all
}

fn read_manifest(bytes: &[u8]) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("bot.toml"), bytes).expect("a file");
    let found = roster::find(&[folder.path().display().to_string()], Path::new("/leyden"));
    found.is_ok_and(|found| !found.bots.is_empty())
}

/// How many records are read from an export, and how many of them are right.
fn read_export(bytes: &[u8]) -> (usize, usize) {
    let mut verifier = Verifier::new();
    let records: Vec<_> = export::read(Cursor::new(bytes)).map_while(Result::ok).collect();
    let right = records.iter().filter(|record| verifier.check(record).is_ok()).count();
    (records.len(), right)
}

#[test]
fn what_is_as_it_should_be_is_read() {
    assert_eq!(corpus("manifest").iter().filter(|bytes| read_manifest(bytes)).count(), 1);
    for export in corpus("export") {
        let (read, right) = read_export(&export);
        assert!(read > 0 && read == right, "{right} of {read}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_manifest_is_read_or_refused(seed in any::<Index>(), changes in changes()) {
        let corpus = corpus("manifest");
        read_manifest(&changed(&corpus[seed.index(corpus.len())], &changes));
    }

    #[test]
    fn an_export_is_read_and_verified_or_refused(seed in any::<Index>(), changes in changes()) {
        let corpus = corpus("export");
        read_export(&changed(&corpus[seed.index(corpus.len())], &changes));
    }
}
