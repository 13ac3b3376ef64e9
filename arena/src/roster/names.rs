//! Bots of one name, told apart. Knows names and nothing else.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::Competitor;

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
    fn names_that_look_alike_are_told_apart() {
        for (one, other) in
            [("Zo\u{eb}", "Zoe\u{308}"), ("ann", "a\u{200b}nn"), ("x", "\u{202e}x"), ("fi", "\u{fb01}")]
        {
            assert_eq!(looks_like(one), looks_like(other));
        }
        assert_ne!(looks_like("ann"), looks_like("Ann"));
    }
}
