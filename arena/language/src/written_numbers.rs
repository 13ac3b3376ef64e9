//! Numbers for pages and texts, as each language writes them, with a true minus.

use crate::Language;
use crate::numbers::{continental, fixed, percent, signed};

impl Language {
    /// Formats a number with this many decimals; zero has no sign.
    pub fn decimal(self, number: f64, decimals: usize) -> String {
        self.typeset(&fixed(number, decimals))
    }

    /// Does the same with a sign, except for zero.
    pub fn signed(self, number: f64, decimals: usize) -> String {
        self.typeset(&signed(number, decimals))
    }

    /// Formats a share of one in per cent, with the sign: `62.8 %`.
    pub fn percent(self, share: f64, decimals: usize) -> String {
        let blank = match self {
            Self::English => ' ',
            Self::German => '\u{a0}',
            Self::French => '\u{202f}',
        };
        format!("{}{blank}%", self.typeset(&percent(share, decimals)))
    }

    /// Writes a number, given in English, as this language does.
    pub fn number(self, english: &str) -> String {
        if self == Self::English { english.to_owned() } else { continental(english) }
    }

    fn typeset(self, english: &str) -> String {
        self.number(english).replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_write_signs_and_per_cents() {
        let [english, german] = [Language::English, Language::German];
        let signed = [7.46, -4.0, -0.01, 0.0].map(|number| english.signed(number, 1));
        assert_eq!(signed, ["+7.5", "−4.0", "0.0", "0.0"]);
        assert_eq!(german.signed(-4.25, 1), "−4,2");
        assert_eq!([-0.01, -1.5].map(|number| german.decimal(number, 1)), ["0,0", "−1,5"]);
        let percents = Language::ALL.map(|language| language.percent(0.065, 1));
        assert_eq!(percents, ["6.5 %", "6,5\u{a0}%", "6,5\u{202f}%"]);
    }
}
