//! The tokens by which authors hand in over the network: kept as hashes, in a file beside the results that only its owner can read.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use leyden_model::{hex, random_hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::record::store::{Lock, StoreError};
use crate::roster::is_plain_name;
use crate::whole_file;

const VERSION: u32 = 1;

/// The file of the tokens of a league.
#[derive(Clone, Debug)]
pub struct Tokens {
    file: PathBuf,
}

/// An author and the token that was drawn, which is known nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub author: String,
    pub token: String,
    /// Whether an earlier token of this author does not count any more.
    pub replaces: bool,
}

/// Why there are no tokens.
#[derive(Debug, thiserror::Error)]
pub enum TokensError {
    #[error(
        "{0:?} cannot be the name of a bot: expected letters, digits, `-`, `_` and `.`, the first a letter, a digit or `_`"
    )]
    Name(String),
    #[error("{} cannot be read: {source}", .file.display())]
    Read { file: PathBuf, source: io::Error },
    #[error("{} is not a file of tokens of this version of leyden: {why}", .file.display())]
    Broken { file: PathBuf, why: String },
    #[error("{} cannot be written: {source}", .file.display())]
    Write { file: PathBuf, source: io::Error },
    #[error("no random numbers: {0}")]
    Random(io::Error),
    #[error(transparent)]
    Lock(#[from] StoreError),
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    v: u32,
    /// The SHA-256, in hex, of the token of each author.
    authors: BTreeMap<String, String>,
}

impl Tokens {
    /// The tokens of a league with this results file, which need not exist yet.
    pub fn for_results(results: &Path) -> Self {
        Self { file: results.with_extension("tokens.json") }
    }

    /// Returns the file that holds the tokens' hashes.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Draws a token for each author, and stores their hashes. An author's earlier token is no longer valid.
    pub fn invite(&self, authors: &[String]) -> Result<Vec<Invitation>, TokensError> {
        if let Some(bad) = authors.iter().find(|name| !is_plain_name(name)) {
            return Err(TokensError::Name(bad.clone()));
        }
        let _lock = Lock::take(&self.file)?;
        let mut stored = self.read()?;
        let mut invitations = Vec::new();
        for author in authors {
            let token = random_hex::<16>().map_err(TokensError::Random)?;
            let before = stored.authors.insert(author.clone(), hash(&token));
            invitations.push(Invitation { author: author.clone(), token, replaces: before.is_some() });
        }
        self.write(&stored)?;
        Ok(invitations)
    }

    /// The author with this token. What is compared are hashes, so the time that it takes reveals nothing about a token.
    pub fn author_of(&self, token: &str) -> Result<Option<String>, TokensError> {
        let hashed = hash(token);
        Ok(self.read()?.authors.into_iter().find(|(_, known)| *known == hashed).map(|(author, _)| author))
    }

    /// Whether the author has been invited.
    pub fn knows(&self, author: &str) -> Result<bool, TokensError> {
        Ok(self.read()?.authors.contains_key(author))
    }

    fn read(&self) -> Result<Stored, TokensError> {
        let text = match fs::read(&self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Stored { v: VERSION, ..Stored::default() });
            }
            text => text.map_err(|source| TokensError::Read { file: self.file.clone(), source })?,
        };
        let broken = |why| TokensError::Broken { file: self.file.clone(), why };
        let stored: Stored = serde_json::from_slice(&text).map_err(|error| broken(error.to_string()))?;
        if stored.v == VERSION { Ok(stored) } else { Err(broken(format!("it has version {}", stored.v))) }
    }

    fn write(&self, stored: &Stored) -> Result<(), TokensError> {
        let text = serde_json::to_string_pretty(stored).unwrap_or_default() + "\n";
        whole_file::replace(&self.file, text.as_bytes())
            .map_err(|source| TokensError::Write { file: self.file.clone(), source })
    }
}

fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn token_is_known_by_its_hash_alone() {
        let folder = tempfile::tempdir().unwrap();
        let tokens = Tokens::for_results(&folder.path().join("cup.db"));
        assert_eq!(tokens.author_of("").unwrap(), None);
        let names = ["ann".to_owned(), "bob".to_owned()];
        let [ann, bob] = <[Invitation; 2]>::try_from(tokens.invite(&names).unwrap()).unwrap();
        assert!(ann.token.len() == 32 && ann.token != bob.token && !ann.replaces);
        assert_eq!(tokens.author_of(&ann.token).unwrap().as_deref(), Some("ann"));
        let text = fs::read_to_string(tokens.file()).unwrap();
        assert!(!text.contains(&ann.token) && text.contains(&hash(&ann.token)), "{text}");
        assert_eq!(tokens.author_of(&hash(&ann.token)).unwrap(), None, "the hash is no token");
        let mode = tokens.file().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);

        let again = tokens.invite(&names[..1]).unwrap();
        assert!(again[0].replaces);
        assert_eq!(tokens.author_of(&ann.token).unwrap(), None);
        assert_eq!(tokens.author_of(&bob.token).unwrap().as_deref(), Some("bob"));
        assert!(tokens.knows("ann").unwrap() && !tokens.knows("eve").unwrap());
        for bad in ["", "../x", "a b", ".hidden", "-x"] {
            assert!(matches!(tokens.invite(&[bad.to_owned()]), Err(TokensError::Name(_))), "{bad}");
        }
        fs::write(tokens.file(), "{\"v\":2,\"authors\":{}}").unwrap();
        assert!(tokens.author_of(&bob.token).unwrap_err().to_string().contains("version 2"));
    }
}
