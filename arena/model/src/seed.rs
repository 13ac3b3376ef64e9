//! Seeds and deals: from the tournament's seed text to every deck, recomputable in any language.
//!
//! The derivation is part of the protocol (see "Deals" in `protocol/README.md`): a change changes every match ever
//! played.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::str::FromStr;

use data_encoding::HEXLOWER;
use leyden_protocol::{Seat, Set, is_hidden};
use leyden_rules::{DealNumber, Deck};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

/// Lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// This many random bytes, which nobody can guess, in lower-case hex digits. Fails if the system provides no random numbers.
pub fn random_hex<const BYTES: usize>() -> io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

/// The seed of a whole tournament: the SHA-256 of the seed text.
///
/// ```
/// use leyden_model::{Commitment, TournamentSeed};
/// use leyden_protocol::Set;
/// use leyden_rules::DealNumber;
///
/// let seed = TournamentSeed::from_text("test");
/// let published: Commitment = seed.commitment().parse()?; // shown before the first match
/// assert_eq!(published.tournament_id(), seed.tournament_id());
/// let pair = seed.match_seed(&["b", "a"], 0); // names in any order
/// let deck = pair.deck(Set::DoubleSix, DealNumber { round: 0, redeal: 0 });
/// assert_eq!(deck.tiles()[0].to_string(), "2-3");
/// # Ok::<(), leyden_model::CommitmentError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TournamentSeed([u8; 32]);

impl TournamentSeed {
    /// Returns the seed that this seed text, which the organiser may choose, gives.
    pub fn from_text(text: &str) -> Self {
        Self(sha256(&[text.as_bytes()]))
    }

    /// Returns what is shown before the first deal, so that the seed text shown after the last can be checked against
    /// it.
    pub fn commitment(&self) -> String {
        hex(&sha256(&[&self.0]))
    }

    /// Returns the tournament's id: the first 16 hex digits of the commitment.
    pub fn tournament_id(&self) -> String {
        self.commitment()[..16].to_owned()
    }

    /// Returns the seed of one pair: it depends on the bots at the table and the block, not on other bots.
    pub fn match_seed(&self, names: &[&str], block: u32) -> MatchSeed {
        let mut names = names.to_vec();
        names.sort_unstable();
        let mut hash = Sha256::new();
        hash.update(b"leyden-arena/match/1");
        hash.update(self.0);
        for name in names {
            hash.update(name.as_bytes());
            hash.update([0]);
        }
        hash.update(block.to_be_bytes());
        MatchSeed(hash.finalize().into())
    }
}

/// Why a seed text is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeedTextError {
    #[error(
        "the seed is empty, and anybody could guess it: was a variable not set? Omit the seed to get a random one"
    )]
    Empty,
    #[error(
        "the seed has a line break in it, so nobody could copy it when it is shown at the end: write it on one line \
         (`paste -sd' ' FILE` joins the lines of a file)"
    )]
    LineBreak,
    #[error(
        "the seed has the character U+{0:04X} in it, which is invisible, so nobody could copy it when it is shown at \
         the end: leave it out"
    )]
    Hidden(u32),
}

/// Checks whether a tournament may start with this seed text: it is shown at the end, and everyone must be able to copy
/// it.
pub fn check_seed_text(text: &str) -> Result<(), SeedTextError> {
    match text.chars().find(|c| is_hidden(*c)) {
        Some('\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') => Err(SeedTextError::LineBreak),
        Some(hidden) => Err(SeedTextError::Hidden(hidden.into())),
        None if text.is_empty() => Err(SeedTextError::Empty),
        None => Ok(()),
    }
}

/// Returns a seed text as it is shown. A text that would be [rejected](check_seed_text) today is quoted for bash, zsh
/// and ksh, between `$'` and `'`, so that it can still be copied.
pub fn shell_seed_text(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let escaped: String = text.bytes().flat_map(std::ascii::escape_default).map(char::from).collect();
    Cow::Owned(format!("$'{escaped}'"))
}

impl fmt::Debug for TournamentSeed {
    /// Shows the commitment, never the seed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TournamentSeed(commitment {})", self.commitment())
    }
}

/// A commitment as published: 64 hex digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment(String);

impl Commitment {
    /// Returns its 64 hex digits, in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the id of a tournament with this commitment.
    pub fn tournament_id(&self) -> &str {
        &self.0[..16]
    }
}

impl FromStr for Commitment {
    type Err = CommitmentError;

    fn from_str(text: &str) -> Result<Self, CommitmentError> {
        let digits = text.trim().to_ascii_lowercase();
        unhex(&digits).map(|_| Self(digits)).ok_or_else(|| CommitmentError(text.chars().take(80).collect()))
    }
}

/// A text that is not 64 hex digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected the commitment shown before the first match, 64 hex digits, got {0:?}")]
pub struct CommitmentError(String);

/// The seed of one pair of matches. Bots never learn it. Serialised as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchSeed([u8; 32]);

impl MatchSeed {
    /// Returns the shuffled set of one deal.
    pub fn deck(&self, set: Set, deal: DealNumber) -> Deck {
        let mut words = Words::new(self, deal);
        let mut deck = Deck::in_order(set);
        deck.shuffle(|n| words.below(n as u32) as usize);
        deck
    }

    /// Returns a seat's seed for its own random numbers: 53 bits.
    pub fn bot_seed(&self, leg: u32, seat: Seat) -> u64 {
        let seat = seat.index() as u32;
        let hash = sha256(&[b"leyden-arena/bot/1", &self.0, &leg.to_be_bytes(), &seat.to_be_bytes()]);
        u64::from_be_bytes(std::array::from_fn(|i| hash[i])) >> 11
    }

    /// Returns the opaque id of the match played on this seed in this leg: 16 hex digits.
    pub fn match_id(&self, leg: u32) -> String {
        hex(&sha256(&[b"leyden-arena/id/1", &self.0, &leg.to_be_bytes()])[..8])
    }
}

impl fmt::Display for MatchSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// A text that is not 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a match seed of 64 lower-case hex digits, got {0:?}")]
pub struct SeedError(String);

impl FromStr for MatchSeed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        unhex(text).map(Self).ok_or_else(|| SeedError(text.chars().take(80).collect()))
    }
}

impl Serialize for MatchSeed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MatchSeed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for MatchSeed {
    fn schema_name() -> Cow<'static, str> {
        "MatchSeed".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
    }
}

/// The random words of one deal: big-endian 32-bit words of SHA-256 blocks.
struct Words {
    prefix: Sha256,
    block: u32,
    eight: [u32; 8],
    used: usize,
}

impl Words {
    fn new(seed: &MatchSeed, deal: DealNumber) -> Self {
        let mut prefix = Sha256::new();
        prefix.update(b"leyden-arena/deal/1");
        prefix.update(seed.0);
        prefix.update(deal.round.to_be_bytes());
        prefix.update(deal.redeal.to_be_bytes());
        Self { prefix, block: 0, eight: [0; 8], used: 8 }
    }

    fn next(&mut self) -> u32 {
        if self.used == self.eight.len() {
            let mut hash = self.prefix.clone();
            hash.update(self.block.to_be_bytes());
            let bytes: [u8; 32] = hash.finalize().into();
            for (word, four) in self.eight.iter_mut().zip(bytes.chunks_exact(4)) {
                *word = u32::from_be_bytes([four[0], four[1], four[2], four[3]]);
            }
            self.block += 1;
            self.used = 0;
        }
        self.used += 1;
        self.eight[self.used - 1]
    }

    /// Returns a number below `n`, each equally likely: words from the incomplete last run of `n` are rejected.
    fn below(&mut self, n: u32) -> u32 {
        loop {
            let word = self.next();
            if let Some(number) = accept(word, n) {
                return number;
            }
        }
    }
}

/// Returns the number below `n` that a word stands for; `None` if it must be rejected.
fn accept(word: u32, n: u32) -> Option<u32> {
    let runs = (1_u64 << 32) / u64::from(n);
    (u64::from(word) < runs * u64::from(n)).then(|| word % n)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH_SEED: &str = "7e56d55e9d7f896fd8ef0ed0472b6a1762b92bc562cb2589761b395b3f392ff1";
    const DECK: &str = "2-3 0-3 3-4 6-6 5-6 0-6 2-6 1-6 0-2 1-3 3-6 4-5 2-4 0-0 4-6 0-1 0-4 2-2 4-4 0-5 2-5 1-4 1-5 1-1 3-5 3-3 5-5 1-2";

    #[test]
    fn check_values_of_the_protocol_hold() {
        let seed = TournamentSeed::from_text("test").match_seed(&["b", "a"], 0);
        assert_eq!(seed.to_string(), MATCH_SEED);
        let deck = seed.deck(Set::DoubleSix, DealNumber { round: 0, redeal: 0 });
        let tiles: Vec<_> = deck.tiles().iter().map(ToString::to_string).collect();
        assert_eq!(tiles.join(" "), DECK);
        let seat = Seat::new(1).unwrap();
        assert_eq!(seed.bot_seed(0, seat), 936_932_904_057_567);
    }

    #[test]
    fn seed_is_read_as_it_is_written() {
        assert_eq!(MATCH_SEED.parse::<MatchSeed>().unwrap().to_string(), MATCH_SEED);
        for bad in ["", "7e", &MATCH_SEED.to_uppercase(), &MATCH_SEED.replace('7', "g")] {
            assert!(bad.parse::<MatchSeed>().is_err(), "{bad}");
        }
    }

    #[test]
    fn commitment_parses_in_either_case_and_identifies_tournament() {
        let seed = TournamentSeed::from_text("test");
        let read: Commitment = format!(" {}\n", seed.commitment().to_uppercase()).parse().unwrap();
        assert_eq!((read.as_str(), read.tournament_id()), (&*seed.commitment(), &*seed.tournament_id()));
        for bad in ["", &seed.tournament_id(), &seed.commitment().replace(['a', 'b', 'c'], "x")] {
            assert!(bad.parse::<Commitment>().is_err(), "{bad}");
        }
    }

    #[test]
    fn seed_text_must_be_one_nonempty_visible_line() {
        assert_eq!(check_seed_text("a text, é 😀"), Ok(()));
        for (bad, why) in [
            ("", SeedTextError::Empty),
            ("secret\ndraw", SeedTextError::LineBreak),
            ("secret\u{2028}draw", SeedTextError::LineBreak),
            ("a\tb", SeedTextError::Hidden(9)),
            ("\u{202e}a", SeedTextError::Hidden(0x202e)),
        ] {
            assert_eq!(check_seed_text(bad), Err(why), "{bad:?}");
        }
    }

    #[test]
    fn seed_text_with_hidden_characters_survives_the_shell() {
        assert_eq!(shell_seed_text("it's $1"), "it's $1");
        for text in ["secret\ndraw", "a\tit's \\n é\u{202e}", "\u{7f}\u{1b}3"] {
            let command = format!("printf %s {}", shell_seed_text(text));
            assert!(!command.chars().any(is_hidden), "{command:?}");
            let read = std::process::Command::new("bash").args(["-c", &command]).output().unwrap();
            assert_eq!(String::from_utf8(read.stdout).unwrap(), text, "{command}");
        }
    }

    #[test]
    fn words_of_the_incomplete_run_are_rejected() {
        // 2³² = 7 · 613 566 756 + 4: the last four words would favour 0 to 3.
        assert_eq!(accept(4_294_967_291, 7), Some(6));
        assert_eq!(accept(4_294_967_292, 7), None);
        assert_eq!(accept(u32::MAX, 7), None);
        assert_eq!(accept(u32::MAX, 8), Some(7));
    }

    #[test]
    fn match_seed_depends_on_block_and_exact_names() {
        let tournament = TournamentSeed::from_text("test");
        assert_ne!(tournament.match_seed(&["a", "b"], 0), tournament.match_seed(&["a", "b"], 1));
        assert_ne!(tournament.match_seed(&["a", "bc"], 0), tournament.match_seed(&["ab", "c"], 0));
    }
}
