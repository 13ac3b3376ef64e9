//! Looks for a text in a file, and in what the file has packed in a common way: gzip or zip anywhere in it, such as behind a script,
//! and base64 of any of these. A program can always be hidden; the README of this folder says what is not found.

use std::io::Read;
use std::path::Path;

use data_encoding::BASE64_NOPAD;
use flate2::read::{DeflateDecoder, GzDecoder};

use super::content;

/// The largest file that is looked into; a larger one is searched as it is.
const LARGEST: u64 = 256 << 20;

/// The most that is unpacked from one place of a file.
const UNPACKED: u64 = 512 << 20;

/// At how many places of a file something is unpacked.
const PLACES: usize = 32;

/// How much is searched at once.
const PIECE: usize = 1 << 20;

/// The shortest run of letters and digits that may be base64.
const RUN: usize = 40;

/// The shortest that may be the end of it.
const WORD: usize = 4;

const GZIP: &[u8] = b"\x1f\x8b\x08";
const ZIP: &[u8] = b"PK\x03\x04";
const UPX: &[u8] = b"UPX!";
const ELF: &[u8] = b"\x7fELF";

/// What a file has of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copy {
    Found,
    /// It is packed so that its content cannot be seen.
    Hidden {
        packer: &'static str,
    },
}

/// Whether a file contains `mark`, or hides what it contains.
pub(super) fn copy_in(path: &Path, mark: &[u8]) -> Option<Copy> {
    let file = content::open_regular(path).ok().flatten()?;
    if file.metadata().ok()?.len() > LARGEST {
        return has(file, mark).then_some(Copy::Found);
    }
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    if is_in(&bytes, mark) || is_packed_in(&bytes, mark) {
        return Some(Copy::Found);
    }
    let decoded = from_base64(&bytes);
    if is_in(&decoded, mark) || is_packed_in(&decoded, mark) {
        return Some(Copy::Found);
    }
    // Such a program has the packer's name behind its header.
    let is_upx = bytes.starts_with(ELF) && at(&bytes[..bytes.len().min(4 << 10)], UPX).next().is_some();
    is_upx.then_some(Copy::Hidden { packer: "UPX" })
}

fn is_packed_in(bytes: &[u8], mark: &[u8]) -> bool {
    let unpacked = |packed: &[u8]| has(GzDecoder::new(packed).take(UNPACKED), mark);
    let entry = |packed: &[u8]| {
        deflated(packed).is_some_and(|from| has(DeflateDecoder::new(from).take(UNPACKED), mark))
    };
    at(bytes, GZIP).take(PLACES).any(|place| unpacked(&bytes[place..]))
        || at(bytes, ZIP).take(PLACES).any(|place| entry(&bytes[place..]))
}

/// What is deflated in an entry of a zip archive. What is only stored is found without that.
fn deflated(entry: &[u8]) -> Option<&[u8]> {
    const HEADER: usize = 30;
    let number = |at: usize| Some(usize::from(u16::from_le_bytes([*entry.get(at)?, *entry.get(at + 1)?])));
    (number(8)? == 8).then_some(())?;
    entry.get(HEADER + number(26)? + number(28)?..)
}

/// What the long runs of base64 in a text are, line after line.
fn from_base64(text: &[u8]) -> Vec<u8> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let (mut digits, mut after_long) = (Vec::new(), false);
    for run in text.split(|byte| !is_digit(byte)).filter(|run| run.len() >= WORD) {
        let is_long = run.len() >= RUN;
        // The last line may be short.
        if is_long || after_long {
            digits.extend_from_slice(run);
        }
        after_long = is_long;
    }
    digits.truncate(digits.len() / 4 * 4);
    BASE64_NOPAD.decode(&digits).unwrap_or_default()
}

/// Whether what is read contains a text. What cannot be read further is searched so far.
fn has(mut from: impl Read, mark: &[u8]) -> bool {
    let mut piece = Vec::with_capacity(PIECE + mark.len());
    loop {
        let kept = piece.len().min(mark.len() - 1);
        piece.drain(..piece.len() - kept);
        let read = (&mut from).take(PIECE as u64).read_to_end(&mut piece);
        if is_in(&piece, mark) {
            return true;
        }
        if matches!(read, Ok(0) | Err(_)) {
            return false;
        }
    }
}

fn is_in(bytes: &[u8], mark: &[u8]) -> bool {
    at(bytes, mark).next().is_some()
}

/// Where a text begins in these bytes.
fn at<'a>(bytes: &'a [u8], text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let begins = move |(place, byte): (usize, &u8)| {
        (*byte == text[0] && bytes[place..].starts_with(text)).then_some(place)
    };
    bytes.iter().enumerate().filter_map(begins)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use data_encoding::BASE64;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    const MARK: &[u8] = b"this is the program";

    fn copy(bytes: &[u8]) -> Option<Copy> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        copy_in(file.path(), MARK)
    }

    fn gzipped(before: &[u8], bytes: &[u8]) -> Vec<u8> {
        let mut to = GzEncoder::new(before.to_vec(), Compression::best());
        to.write_all(bytes).unwrap();
        to.finish().unwrap()
    }

    /// More than is read at once, so the mark lies across an edge.
    fn program() -> Vec<u8> {
        let noise = |nth: usize| (nth * nth / 7) as u8;
        let mut program: Vec<u8> = (0..PIECE - 5).map(noise).collect();
        program.extend(MARK);
        program.extend((0..1_000).map(noise));
        program
    }

    #[test]
    fn copies_are_found_however_they_are_commonly_packed() {
        let program = program();
        let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
        zip.start_file("bin/bot", SimpleFileOptions::default()).unwrap();
        zip.write_all(&program).unwrap();
        let zip = zip.finish().unwrap().into_inner();
        let script = b"#!/bin/sh\nsed 1,2d $0 | zcat > /tmp/x && exec /tmp/x\n";
        let lines = |bytes: &[u8]| {
            let digits = BASE64.encode(bytes).into_bytes();
            [&b"data = (\n"[..], &digits.chunks(76).collect::<Vec<_>>().join(&b"'\n    b'"[..]), b"'\n)"]
                .concat()
        };
        for packed in [
            program.clone(),
            gzipped(b"", &program),
            gzipped(script, &program),
            zip.clone(),
            [&script[..], &zip].concat(),
            lines(&program),
            lines(&gzipped(b"", &program)),
            lines(&zip),
        ] {
            assert_eq!(copy(&packed), Some(Copy::Found), "{:?}", &packed[..20]);
        }
    }

    #[test]
    fn what_cannot_be_seen_is_named_and_anything_else_is_not() {
        let upx = [&b"\x7fELF\x02\x01"[..], &[0; 200], b"UPX!", &[7; 5_000]].concat();
        assert_eq!(copy(&upx), Some(Copy::Hidden { packer: "UPX" }));
        let cut_off = gzipped(b"", &program());
        for other in [
            b"UPX! is only a word here".to_vec(),
            cut_off[..2_000].to_vec(),
            gzipped(b"", &[7; 5_000]),
            b"PK\x03\x04".to_vec(),
        ] {
            assert_eq!(copy(&other), None);
        }
    }
}
