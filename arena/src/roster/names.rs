//! Names: of bots, told apart, and those that a file or folder can have anywhere. Knows nothing else.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::Competitor;

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

/// The second bot of a name becomes `name#2`, the third `name#3`. Names that are only written differently are the same.
pub(super) fn tell_apart(found: &mut [Competitor]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for bot in found {
        let count = seen.entry(looks_like(&bot.name)).or_insert(0);
        *count += 1;
        if *count > 1 {
            bot.name = format!("{}#{count}", bot.name);
        }
    }
}

/// What a name looks like: without what is not seen of it, and in the one form of what Unicode writes in several.
fn looks_like(name: &str) -> String {
    let is_seen = |c: &char| !matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}');
    name.nfkc().filter(is_seen).collect::<String>().trim().to_owned()
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

    #[test]
    fn names_that_look_alike_are_told_apart() {
        for (one, other) in
            [("Zo\u{eb}", "Zoe\u{308}"), ("ann", "a\u{200b}nn"), ("x", "\u{202e}x"), ("fi", "\u{fb01}")]
        {
            assert_eq!(looks_like(one), looks_like(other));
        }
        assert_ne!(looks_like("ann"), looks_like("Ann"));
    }
}
