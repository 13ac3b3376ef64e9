//! Fingerprints of a token sequence by winnowing: of the hashes of all runs of [`GRAM`] tokens, the least of every [`WINDOW`]
//! neighbours. Two texts that share a run of `GRAM + WINDOW - 1` tokens share a fingerprint, and no shorter run than `GRAM` counts.

use super::tokens::Token;

/// The shortest run of tokens that counts.
pub(super) const GRAM: usize = 12;

const WINDOW: usize = 9;

/// The hash of a run of tokens, and its first and last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    pub(super) hash: u64,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Returns the fingerprints in the order of the text.
pub(super) fn fingerprints(tokens: &[Token]) -> Vec<Fingerprint> {
    let grams: Vec<Fingerprint> = tokens.windows(GRAM).map(gram).collect();
    let mut chosen: Vec<usize> = Vec::new();
    for (start, window) in grams.windows(WINDOW.min(grams.len()).max(1)).enumerate() {
        // The last of equal ones, so that neighbouring windows choose the same.
        let least = window.iter().enumerate().rev().min_by_key(|(_, gram)| gram.hash);
        let Some((at, _)) = least else { continue };
        if chosen.last() != Some(&(start + at)) {
            chosen.push(start + at);
        }
    }
    chosen.into_iter().map(|at| grams[at]).collect()
}

/// Hashes a run of tokens (FNV-1a).
fn gram(run: &[Token]) -> Fingerprint {
    let bytes = run.iter().flat_map(|token| token.kind.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let line = |token: Option<&Token>| token.map_or(1, |token| token.line);
    Fingerprint { hash, from: line(run.first()), to: line(run.last()) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn text(kinds: impl IntoIterator<Item = u32>) -> Vec<Token> {
        kinds.into_iter().zip(1..).map(|(kind, line)| Token { kind, line }).collect()
    }

    fn hashes(tokens: &[Token]) -> BTreeSet<u64> {
        fingerprints(tokens).iter().map(|fingerprint| fingerprint.hash).collect()
    }

    #[test]
    fn winnowing_finds_long_common_runs_never_short_ones() {
        let mixed =
            |seed: u32, count: u32| (0..count).map(move |n| (n * n * 7 + n * seed * 13 + seed) % 9_973);
        for start in 0..40 {
            let own = text(mixed(3, 60).chain(mixed(1, 80)).chain(mixed(5, 50)));
            let shared = |length: usize| {
                let copied: Vec<u32> =
                    own[start + 60..start + 60 + length].iter().map(|token| token.kind).collect();
                hashes(&text(mixed(11, 70).chain(copied).chain(mixed(17, 70))))
            };
            let found = |other: &BTreeSet<u64>| hashes(&own).intersection(other).count();
            assert!(found(&shared(GRAM + WINDOW - 1)) > 0, "{start}");
            assert_eq!(found(&shared(GRAM - 1)), 0, "{start}");
        }
    }

    #[test]
    fn far_fewer_fingerprints_than_tokens_are_kept() {
        let tokens = text((0..1_000).map(|n| n * 7_919 % 1_009));
        assert!((100..400).contains(&fingerprints(&tokens).len()));
        assert_eq!(fingerprints(&tokens[..GRAM - 1]), []);
        assert_eq!(fingerprints(&tokens[..GRAM]).len(), 1);
    }
}
