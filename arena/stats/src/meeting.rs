//! A meeting that must have a winner: how likely that is the better bot.

/// The probability that the better of two bots wins a meeting of `pairs` pairs that goes on pair by pair, for at most `extra` of
/// them, as long as it is level; what is level then is counted as one half. The bot wins a match with probability `wins`, no matter
/// how the others of the meeting ended: the duplicate deals of a pair make it more certain than that.
///
/// ```
/// use leyden_stats::meeting_win_chance;
///
/// assert!((meeting_win_chance(0.6, 1, 0) - 0.6).abs() < 1e-12); // 0.36, and half of the 0.48 that are level
/// assert!(meeting_win_chance(0.6, 10, 100) > 0.8);
/// ```
pub fn meeting_win_chance(wins: f64, pairs: u32, extra: u32) -> f64 {
    let matches = 2 * pairs;
    // The logarithm of the binomial distribution, from one number of lost matches to the next.
    let (mut ahead, mut level) = (0.0, 0.0);
    let mut chance = f64::from(matches) * wins.ln();
    for lost in 0..=pairs {
        let won = matches - lost;
        if won > lost {
            ahead += chance.exp();
        } else {
            level = chance.exp();
        }
        chance += (f64::from(won) / f64::from(lost + 1) * (1.0 - wins) / wins).ln();
    }
    let (pair_won, pair_level) = (wins * wins, 2.0 * wins * (1.0 - wins));
    for _ in 0..extra {
        ahead += level * pair_won;
        level *= pair_level;
    }
    ahead + level / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over all outcomes of the matches, one by one.
    fn enumerated(wins: f64, pairs: u32, extra: u32) -> f64 {
        fn rest(lead: i32, (wins, left, extra): (f64, u32, u32)) -> f64 {
            match (left, lead) {
                (0, 1..) => 1.0,
                (0, ..0) => 0.0,
                (0, 0) if extra == 0 => 0.5,
                (0, 0) => rest(0, (wins, 2, extra - 1)),
                _ => {
                    wins * rest(lead + 1, (wins, left - 1, extra))
                        + (1.0 - wins) * rest(lead - 1, (wins, left - 1, extra))
                }
            }
        }
        rest(0, (wins, 2 * pairs, extra))
    }

    #[test]
    fn meeting_win_chance_matches_enumerated_outcomes() {
        for wins in [0.5, 0.55, 0.7, 0.95] {
            for (pairs, extra) in [(1, 0), (1, 3), (3, 2), (5, 1)] {
                let (found, expected) =
                    (meeting_win_chance(wins, pairs, extra), enumerated(wins, pairs, extra));
                assert!((found - expected).abs() < 1e-12, "{wins} {pairs} {extra}: {found} {expected}");
            }
        }
        assert!((meeting_win_chance(0.5, 40, 8) - 0.5).abs() < 1e-12);
    }
}
