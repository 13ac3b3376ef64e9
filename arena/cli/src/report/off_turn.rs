//! What bots computed while it was not their turn, in words.

use leyden_arena::report::BotOffTurn;
use leyden_model::words::{counted, took};

use super::grid::plain;

/// Returns a sentence for people.
pub(crate) fn sentence(bot: &BotOffTurn) -> String {
    let name = plain(&bot.name);
    let used = format!("computed {} a match while it was not its turn", took(bot.mean_us));
    match bot.stopped {
        0 => format!("{name} {used}"),
        stopped => {
            format!("{name} {used}, and was stopped for it in {}", counted(stopped, "match", "matches"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn off_turn_sentence_reports_stops_if_any() {
        let bot = |mean_us, stopped| BotOffTurn { name: "busy".to_owned(), matches: 4, mean_us, stopped };
        assert_eq!(sentence(&bot(12_500, 0)), "busy computed 12.5 ms a match while it was not its turn");
        assert_eq!(
            sentence(&bot(100, 1)),
            "busy computed 100 µs a match while it was not its turn, and was stopped for it in 1 match"
        );
    }
}
