//! What playouts get wrong on average, to be taken back.
//!
//! Who draws or leads chooses again afterwards, and knows more then; a playout goes on at a glance, and in it nobody draws who can
//! play. So both come out as worth less than they are. By how much was measured (`examples/bias_of_strong.rs`): from
//! positions of matches against `montecarlo`, two actions were each played on to the end of the round by the bots themselves, and
//! the difference between them was compared with the one that the search had foretold.

use leyden_protocol::{Action, Phase, RuleSet, RulesName};

use super::duel::is_duel;

/// By how many points playouts undervalue an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bias {
    draw: f32,
    lead: f32,
}

impl Bias {
    /// Measured between two seats with the double-six set; nothing is taken back at other tables.
    pub(super) fn of(rules: &RuleSet) -> Self {
        let (draw, lead) = match rules.name {
            _ if !is_duel(rules) => (0.0, 0.0),
            RulesName::Leyden => (1.0, 1.5),
            RulesName::LeydenCross => (0.6, 1.5),
            // The winner of a round adds both hands: there are more points to a round.
            RulesName::Leiden | RulesName::Senst => (1.2, 5.0),
            // Nobody chooses a lead.
            RulesName::LeydenFree => (0.5, 0.0),
            // Nor does anybody draw who can play.
            RulesName::Matador => (0.0, 0.0),
        };
        Self { draw, lead }
    }

    /// The points that are missing in the playouts of an action.
    ///
    /// A draw is undervalued most when there are a few tiles left, so that it takes much from the others; with nearly all of them left,
    /// hardly at all, and the last one is but one.
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
    fn draws_are_raised_most_when_a_few_tiles_are_left_and_only_where_it_was_measured() {
        let is_nothing = |points: f32| points.abs() < f32::EPSILON;
        let points = |bias: Bias, phase, drawable| bias.points(phase, drawable, Action::Draw);
        let all = RulesName::ALL.map(|name| (name, Bias::of(&Rules::standard(name))));
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
            assert!(is_nothing(points(Bias::of(&rules), Phase::Play, 4)));
        }
    }
}
