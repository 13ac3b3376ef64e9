//! A bot's standard error: the beginning and the end are kept, the bytes in between are only counted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use leyden_model::words::counted;
use tokio::io::{AsyncRead, AsyncReadExt};

/// How many bytes are kept of the beginning, and as many of the end.
const KEPT: usize = 4_096;

/// The beginning and the end of a bot's standard error; clones share it.
#[derive(Clone, Default, Debug)]
pub(crate) struct StderrExcerpt(Arc<Mutex<Ends>>);

#[derive(Default, Debug)]
struct Ends {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl StderrExcerpt {
    /// Reads until the end of the stream; even a flood is read as fast as the bot writes, so the bot never waits for
    /// us.
    pub(crate) async fn read_all(self, mut stream: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; 16_384];
        while let Ok(count @ 1..) = stream.read(&mut chunk).await {
            self.push(&chunk[..count]);
        }
    }

    fn push(&self, bytes: &[u8]) {
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT - ends.head.len()));
        ends.head.extend(head);
        let skipped = rest.len().saturating_sub(KEPT);
        ends.tail.extend(&rest[skipped..]);
        let surplus = ends.tail.len().saturating_sub(KEPT);
        ends.tail.drain(..surplus);
        ends.left_out += (skipped + surplus) as u64;
    }

    /// Discards what has been read so far.
    pub(crate) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Ends::default();
    }

    /// Returns how many bytes were written in total, or since it was cleared.
    pub(crate) fn bytes(&self) -> u64 {
        let ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (ends.head.len() + ends.tail.len()) as u64 + ends.left_out
    }

    /// Returns the excerpt, with a mark where bytes are left out; bytes that are not UTF-8 are replaced.
    pub(crate) fn text(&self) -> String {
        let ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let tail: Vec<u8> = ends.tail.iter().copied().collect();
        if ends.left_out == 0 {
            return String::from_utf8_lossy(&[&ends.head[..], &tail].concat()).into_owned();
        }
        let (head, tail) = (String::from_utf8_lossy(&ends.head), String::from_utf8_lossy(&tail));
        format!("{head}\n… {} left out …\n{tail}", counted(ends.left_out, "byte", "bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn excerpt_shortens_long_output_only_in_the_middle() {
        let excerpt = StderrExcerpt::default();
        excerpt.clone().read_all(&b"Traceback\nValueError"[..]).await;
        assert_eq!(excerpt.text(), "Traceback\nValueError");

        let excerpt = StderrExcerpt::default();
        let flood = [b"first".to_vec(), vec![b'.'; 1_000_000], b"last".to_vec()].concat();
        excerpt.clone().read_all(&flood[..]).await;
        let text = excerpt.text();
        assert!(text.starts_with("first") && text.ends_with("last"), "{text}");
        assert!(text.contains("… 991817 bytes left out …"), "{text}");
        assert!(text.len() < 3 * KEPT);

        excerpt.clear();
        excerpt.push(&[b'.'; 2 * KEPT + 1]);
        assert!(excerpt.text().contains("… 1 byte left out …"));

        excerpt.clear();
        assert_eq!((excerpt.text().as_str(), excerpt.bytes()), ("", 0));
        excerpt.push(b"again");
        assert_eq!(excerpt.text(), "again");
    }
}
