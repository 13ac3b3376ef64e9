//! Points for a score, and how likely each number of points would be on other deals: what a grade needs to say how much of it is
//! chance.

use crate::repeat::Repeat;

/// Points for scores: none up to one, all from another on, and in proportion between the two; given in tenths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointScale {
    /// The score up to which there are no points, 0..=1 per match.
    pub none_at: f64,
    /// The score from which on all points are given.
    pub full_at: f64,
    /// The most points.
    pub most: f64,
}

impl PointScale {
    /// The points for a score, not rounded.
    pub fn points(&self, score: f64) -> f64 {
        self.most * ((score - self.none_at) / (self.full_at - self.none_at)).clamp(0.0, 1.0)
    }

    /// The score for which these points are given.
    fn score(&self, points: f64) -> f64 {
        self.none_at + points / self.most * (self.full_at - self.none_at)
    }
}

/// How likely each number of points is, in tenths from 0 on.
#[derive(Clone, Debug, PartialEq)]
pub struct PointChances(Vec<f64>);

impl PointChances {
    /// Points that other deals do not change.
    pub fn certain(points: f64) -> Self {
        let tenths = tenths(points);
        Self((0..=tenths).map(|at| f64::from(u8::from(at == tenths))).collect())
    }

    /// For the score of as many other pairs.
    pub fn new(scale: &PointScale, repeat: &Repeat) -> Self {
        let most = tenths(scale.most);
        let at_most = |at: usize| {
            if at == most { 1.0 } else { repeat.at_most(scale.score((at as f64 + 0.5) / 10.0)) }
        };
        let mut before = 0.0;
        let chance = |at| {
            let (now, earlier) = (at_most(at), before);
            before = now;
            (now - earlier).max(0.0)
        };
        Self((0..=most).map(chance).collect())
    }

    /// For the sum of both. Scores against different bots are independent, although their deals are the same: the correlation of
    /// pairs of the same deal was measured to be 0.00 ± 0.07 between such pairings, as played and without luck.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = vec![0.0; self.0.len() + other.0.len() - 1];
        for (at, chance) in self.0.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
            for (sum, other) in sum[at..].iter_mut().zip(&other.0) {
                *sum += chance * other;
            }
        }
        Self(sum)
    }

    /// The points lie between these with 95 %, 2.5 % to each side at most.
    pub fn interval(&self) -> [f64; 2] {
        let from = |chances: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            chances
                .take_while(|chance| {
                    sum += *chance;
                    sum <= 0.025
                })
                .count()
        };
        let (low, high) = (from(&mut self.0.iter()), from(&mut self.0.iter().rev()));
        [low, self.0.len() - 1 - high].map(|at| at as f64 / 10.0)
    }

    /// The probability of other points than these, in tenths.
    pub fn differs(&self, points: f64) -> f64 {
        self.outside(points, Some(points + 0.1))
    }

    /// The probability of fewer points than `from`, or of `below` or more.
    pub fn outside(&self, from: f64, below: Option<f64>) -> f64 {
        let below = below.map_or(self.0.len(), tenths).min(self.0.len());
        let inside: f64 = self.0[tenths(from).min(below)..below].iter().sum();
        (1.0 - inside).clamp(0.0, 1.0)
    }
}

fn tenths(points: f64) -> usize {
    (10.0 * points).round().max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: PointScale = PointScale { none_at: 0.2, full_at: 0.6, most: 30.0 };

    fn chances(score: f64) -> PointChances {
        PointChances::new(&SCALE, &Repeat::from_mean(score, 0.03, 100).expect("two pairs"))
    }

    #[test]
    fn points_are_given_in_proportion() {
        for (score, points) in [(0.0, 0.0), (0.2, 0.0), (0.4, 15.0), (0.6, 30.0), (1.0, 30.0)] {
            assert!((SCALE.points(score) - points).abs() < 1e-9, "{score}");
        }
    }

    #[test]
    fn points_are_kept_only_beyond_the_thresholds() {
        let differs = |score| chances(score).differs(SCALE.points(score));
        assert!(differs(0.4) > 0.97, "{}", differs(0.4));
        assert!((differs(0.6) - 0.5).abs() < 0.02, "at the threshold it is a toss: {}", differs(0.6));
        assert!(differs(0.9) < 1e-6 && differs(0.0) < 1e-3);
    }

    #[test]
    fn chances_of_a_sum_combine_its_parts() {
        let (one, both) = (chances(0.4), chances(0.4).plus(&chances(0.4)).plus(&PointChances::certain(5.0)));
        assert!((both.0.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let [low, high] = one.interval();
        // ± 1.984 · 0.03 · √2 of 0.4, times 30.
        assert!((low - 8.7).abs() < 0.11 && (high - 21.3).abs() < 0.11, "{low} {high}");
        let [from, to] = both.interval();
        assert!(((to - from) / (high - low) / 2.0_f64.sqrt() - 1.0).abs() < 0.02, "{from} {to}");
        assert!((both.outside(35.0, None) - 0.5).abs() < 0.02, "35 points and more are as likely as fewer");
        assert!((both.outside(0.0, None)).abs() < 1e-9 && both.outside(66.0, None) >= 1.0);
    }
}
