//! Looks for a text in a file, and in what the file has packed in a common way: gzip or zip anywhere in it, such as behind a script,
//! and base64 of any of these. A program can always be hidden; the README of this folder says what is not found.

use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use data_encoding::BASE64_NOPAD;
use flate2::read::{DeflateDecoder, GzDecoder};
use memchr::memmem::{self, Finder};

use super::content;

/// The largest file that is looked into; a larger one is searched as it is.
const LARGEST: u64 = 256 << 20;

/// How much of one entry is unpacked and searched, in bytes: what goes into an unpacker counts as well as what comes out.
const BUDGET: u64 = 1 << 30;

/// The least that an offset costs at which something may be packed, so that their number is limited, too.
const PER_OFFSET: u64 = 64 << 10;

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

/// A search for a text in the files of one entry.
pub(super) struct Search {
    mark: Finder<'static>,
    /// How much may still be unpacked.
    left: u64,
}

impl Search {
    pub(super) fn new(mark: &'static [u8]) -> Self {
        Self { mark: Finder::new(mark), left: BUDGET }
    }

    /// Whether a file contains the text, or hides what it contains.
    pub(super) fn copy_in(&mut self, path: &Path) -> Option<Copy> {
        let mut file = content::open_regular(path).ok().flatten()?;
        if file.metadata().ok()?.len() > LARGEST {
            return has(&mut file, &self.mark).then_some(Copy::Found);
        }
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes).ok()?;
        if self.is_in(&bytes) || self.is_in(&from_base64(&bytes)) {
            return Some(Copy::Found);
        }
        // Such a program has the packer's name behind its header.
        let start = &bytes[..bytes.len().min(4 << 10)];
        let is_upx = bytes.starts_with(ELF) && memmem::find(start, UPX).is_some();
        is_upx.then_some(Copy::Hidden { packer: "UPX" })
    }

    /// Whether the text is in these bytes, or packed in them.
    fn is_in(&mut self, bytes: &[u8]) -> bool {
        self.mark.find(bytes).is_some()
            || memmem::find_iter(bytes, GZIP)
                .any(|offset| self.unpacks_from(&bytes[offset..], GzDecoder::new))
            || memmem::find_iter(bytes, ZIP)
                .filter_map(|offset| deflated(&bytes[offset..]))
                .any(|packed| self.unpacks_from(packed, DeflateDecoder::new))
    }

    /// Whether what is packed from here on contains the text, with what is left of the budget.
    fn unpacks_from<'a, U: Read>(
        &mut self,
        bytes: &'a [u8],
        unpack: impl FnOnce(BoundedBytes<'a>) -> U,
    ) -> bool {
        if self.left == 0 {
            return false;
        }
        let unread = Rc::new(Cell::new(self.left));
        let mut unpacked = unpack(BoundedBytes { bytes, left: Rc::clone(&unread) }).take(self.left);
        let is_found = has(&mut unpacked, &self.mark);
        let cost = (self.left - unpacked.limit()) + (self.left - unread.get());
        self.left = self.left.saturating_sub(cost.max(PER_OFFSET));
        is_found
    }
}

/// Packed bytes, and how many of them may still be read: a header of gzip alone can be as long as the file.
struct BoundedBytes<'a> {
    bytes: &'a [u8],
    left: Rc<Cell<u64>>,
}

impl Read for BoundedBytes<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.by_ref().take(self.left.get()).read(to)?;
        self.left.set(self.left.get() - read as u64);
        Ok(read)
    }
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
fn has(from: &mut impl Read, mark: &Finder) -> bool {
    let mut piece = Vec::with_capacity(PIECE + mark.needle().len());
    loop {
        let kept = piece.len().min(mark.needle().len() - 1);
        piece.drain(..piece.len() - kept);
        let read = from.by_ref().take(PIECE as u64).read_to_end(&mut piece);
        if mark.find(&piece).is_some() {
            return true;
        }
        if matches!(read, Ok(0) | Err(_)) {
            return false;
        }
    }
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
        Search::new(MARK).copy_in(file.path())
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
        let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
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
    fn bombs_share_the_budget_of_their_entry() {
        let bombs = [
            // Thousands of offsets that unpack to 8 MiB each.
            gzipped(b"", &vec![0; 8 << 20]).repeat(4 << 10),
            // A million offsets, each a header that goes on to the end of the file.
            [GZIP, &[8; 7]].concat().repeat(1 << 20),
        ];
        let file = |bytes: &[u8]| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(bytes).unwrap();
            file
        };
        let packed = file(&gzipped(b"", &program()));
        for bomb in bombs {
            let mut search = Search { left: 64 << 20, ..Search::new(MARK) };
            assert_eq!(search.copy_in(packed.path()), Some(Copy::Found));
            assert_eq!(search.copy_in(file(&bomb).path()), None);
            assert_eq!(search.copy_in(packed.path()), None, "the budget is spent");
        }
    }

    #[test]
    fn packer_is_named_only_where_it_hides_content() {
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
