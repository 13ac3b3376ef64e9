//! Correcting what playouts get wrong on average.
//!
//! A seat that draws or leads decides again afterwards, knowing more; in a playout the policy decides for it, and never draws when
//! it can play. So both actions come out worth less than they are. By how much was measured (`examples/bias_of_strong.rs`): in
//! positions from matches against `montecarlo`, the bots themselves played the round to its end after each of two actions, and
//! the actual difference was compared with the difference that the search had predicted.

use leyden_protocol::{Action, Phase, RuleSet, RulesName};
use leyden_rules::packed::is_packable;

/// By how many points playouts undervalue an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bias {
    draw: f32,
    lead: f32,
}

impl Bias {
    /// Measured between two seats with the double-six set; elsewhere nothing is corrected.
    pub(super) fn for_rules(rules: &RuleSet) -> Self {
        let (draw, lead) = match rules.name {
            _ if !is_packable(rules) => (0.0, 0.0),
            RulesName::Leyden => (1.0, 1.5),
            RulesName::LeydenCross => (0.6, 1.5),
            // The winner of a round scores both hands, so more points are at stake.
            RulesName::Leiden | RulesName::Senst => (1.2, 5.0),
            // Nobody chooses what to lead.
            RulesName::LeydenFree => (0.5, 0.0),
            // Nor can a seat draw when it can play.
            RulesName::Matador => (0.0, 0.0),
        };
        Self { draw, lead }
    }

    /// The points that playouts of this action are short of.
    ///
    /// Draws are undervalued most when only a few tiles are left, so that drawing deprives the others of much; hardly at all when
    /// nearly all are left; and the last tile counts once only.
    pub(super) fn points(self, phase: Phase, drawable: u8, action: Action) -> f32 {
        let left = f32::from(drawable);
        match (phase, action) {
            (Phase::Play, Action::Draw) => self.draw * (3.0 * left).min(14.0 - left).max(0.0) / 2.0,
            (Phase::Lead, Action::Lead(_)) => self.lead,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{Seats, Set};
    use leyden_rules::Rules;

    use super::*;

    #[test]
    fn draw_bias_peaks_at_four_tiles_where_measured() {
        let is_nothing = |points: f32| points.abs() < f32::EPSILON;
        let points = |bias: Bias, phase, drawable| bias.points(phase, drawable, Action::Draw);
        let all = RulesName::ALL.map(|name| (name, Bias::for_rules(&Rules::standard(name))));
        let measured: Vec<_> = all.into_iter().filter(|(_, bias)| !is_nothing(bias.draw)).collect();
        assert!(measured.len() >= 5, "{measured:?}");
        for (name, bias) in measured {
            let of = |drawable| points(bias, Phase::Play, drawable);
            assert!((1..=13).all(|drawable| of(4) >= of(drawable) && of(drawable) > 0.0), "{name}");
            assert!([0, 14, 20].into_iter().all(|drawable| is_nothing(of(drawable))), "{name}");
            assert!(is_nothing(points(bias, Phase::Lead, 4)), "{name}");
            assert!(is_nothing(bias.points(Phase::Play, 4, Action::Pass)), "{name}");
        }
        let four = Rules::new(RulesName::Matador, Seats::new(4).unwrap(), Set::DoubleSix, 100).unwrap();
        for rules in [four, Rules::standard(RulesName::Matador)] {
            assert!(is_nothing(points(Bias::for_rules(&rules), Phase::Play, 4)));
        }
    }
}
