//! Names that are safe for files and folders everywhere, and the name of the manifest.

/// The file that makes a folder a bot.
pub(super) const MANIFEST: &str = "bot.toml";

/// The longest name, in characters.
pub const LONGEST_NAME: usize = 100;

/// Whether a name is safe for a file or folder: letters, digits, `-`, `_` and `.`, the first a letter, a digit or `_`, and not too
/// long. It cannot lead to another folder, is not hidden, and cannot be mistaken for an option.
pub fn is_plain_name(name: &str) -> bool {
    let is_good = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    name.chars().all(is_good)
        && !name.is_empty()
        && !name.starts_with(['.', '-'])
        && name.len() <= LONGEST_NAME
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_lead_nowhere() {
        for good in ["a", "my-bot", "v1.2", "_x", "4f2a-0-12", &"a".repeat(LONGEST_NAME)] {
            assert!(is_plain_name(good), "{good}");
        }
        for bad in
            ["", ".", "..", ".git", "-x", "a/b", "../a", "a b", "é", "a\n", &"a".repeat(LONGEST_NAME + 1)]
        {
            assert!(!is_plain_name(bad), "{bad:?}");
        }
    }
}
