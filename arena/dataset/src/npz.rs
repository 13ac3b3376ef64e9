//! A shard as numpy reads it: an archive with a `.npy` file for each column.

use std::io::{self, Seek, Write};

use leyden_env::Encoding;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::shard::{Shard, widths};

/// Writes a shard. The same rows give the same bytes.
pub(crate) fn write<W: Write + Seek>(out: W, shard: &Shard, encoding: &Encoding) -> io::Result<()> {
    let mut archive = Archive { zip: ZipWriter::new(out), rows: shard.rows() };
    let (observed, masked) = widths(encoding);
    archive.column("observation", "|u1", Some(observed), &shard.observation)?;
    archive.column("action_mask", "|u1", Some(masked), &shard.action_mask)?;
    archive.column("action", "<u2", None, &bytes(&shard.action, u16::to_le_bytes))?;
    for (name, values) in [
        ("result", &shard.result),
        ("round_points", &shard.round_points),
        ("points_to_come", &shard.points_to_come),
    ] {
        archive.column(name, "<f4", None, &bytes(values, f32::to_le_bytes))?;
    }
    archive.column("seat", "|u1", None, &shard.seat)?;
    archive.column("bot", "<u2", None, &bytes(&shard.bot, u16::to_le_bytes))?;
    archive.column("match", "<u4", None, &bytes(&shard.match_number, u32::to_le_bytes))?;
    archive.zip.finish()?.flush()
}

struct Archive<W: Write + Seek> {
    zip: ZipWriter<W>,
    rows: usize,
}

impl<W: Write + Seek> Archive<W> {
    fn column(&mut self, name: &str, kind: &str, width: Option<usize>, data: &[u8]) -> io::Result<()> {
        // Most bytes are 0: the fastest level already makes a tenth of them.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(1));
        self.zip.start_file(format!("{name}.npy"), options)?;
        self.zip.write_all(&header(kind, self.rows, width))?;
        self.zip.write_all(data)
    }
}

/// Returns the head of a `.npy` file, version 1.0: its length is a multiple of 64.
fn header(kind: &str, rows: usize, width: Option<usize>) -> Vec<u8> {
    let shape = width.map_or_else(|| format!("({rows},)"), |width| format!("({rows}, {width})"));
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text.push_str(&" ".repeat(length - text.len() - 1));
    text.push('\n');
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    head.extend_from_slice(&(length as u16).to_le_bytes());
    head.extend_from_slice(text.as_bytes());
    head
}

fn bytes<T: Copy, const N: usize>(values: &[T], of: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| of(value)).collect()
}
