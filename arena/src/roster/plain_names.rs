//! Names that a file or folder can have anywhere, and the one that makes a folder a bot. Knows nothing else.

/// The file that makes a folder a bot.
pub(super) const MANIFEST: &str = "bot.toml";

/// The longest name, in characters.
pub const LONGEST_NAME: usize = 100;

/// Whether a name is fit to be that of a file or folder of ours: letters, digits, `-`, `_` and `.`, the first a letter, a digit
/// or `_`, and not too long. It leads nowhere else, is not hidden, and is no option to any program.
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
