//! The luck of one match: what is left of its result once every decision has been compared with the baseline's.

use leyden_protocol::{Action, HistoryEntry, Seat, Tile};
use leyden_rules::{DealOutcome, Deck, DeckError, Match, Rules};

use crate::baseline::{BASELINES, Baseline};
use crate::dice::Dice;
use crate::draws::{self, DrawSums};
use crate::equity::{EquityTable, UnsupportedRulesError, next_right};
use crate::policy::Policy;
use crate::replay::{MatchReplay, MatchState, SampleCounts};
use crate::round_end::{RoundEnd, first_two};
use crate::simulation::Simulation;

/// The usual budget of playouts, for each baseline and each round. More leave a little less noise and take longer.
pub const PLAYOUTS: u32 = 64;

/// How many estimates there are of a match's luck: one by each baseline, one by the features of drawn tiles alone, and one that is
/// weighted by the value before each change.
pub const LUCK_ESTIMATES: usize = BASELINES + 2;

/// The index of the luck by drawn tiles among them, and of the value-weighted one.
const BY_DRAWS: usize = BASELINES;
const VALUE_WEIGHTED: usize = BASELINES + 1;

/// One deal of a match, as recorded.
#[derive(Clone, Copy, Debug)]
pub struct Deal<'a> {
    /// The tiles in dealing order.
    pub deck: &'a [Tile],
    /// Every action, including forced ones.
    pub actions: &'a [HistoryEntry],
}

/// The luck of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// What deals and draws gave the first seat, in results (a win is 1): by each baseline, then by the features of drawn
    /// tiles alone. The last one is a weighted sum over all deals and draws: each change of the value (the mean of
    /// the baselines) times the lead that the first seat had before it, in standard deviations from an even match.
    /// Each has mean 0 no matter who plays; any may go beyond ±1. If a fault ended the match, the luck until then.
    pub first_seat: [f64; LUCK_ESTIMATES],
    /// The sums that the luck of drawn tiles weights.
    pub draws: DrawSums,
    /// The number of playouts it took.
    pub playouts: u32,
}

impl Luck {
    /// The luck of the second seat, in the order of the baselines as that seat sees them: in *careful-varied* it is the
    /// careful one.
    pub fn second_seat(&self) -> [f64; LUCK_ESTIMATES] {
        let mut luck = self.first_seat.map(|estimate| -estimate);
        for baseline in Baseline::ALL {
            luck[baseline as usize] = -self.first_seat[baseline.swapped() as usize];
        }
        // Both the change and its weight change their signs.
        luck[VALUE_WEIGHTED] = self.first_seat[VALUE_WEIGHTED];
        luck
    }
}

/// Deals and actions that break the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LuckReplayError {
    /// The deal at this index is not a shuffled set.
    #[error("deal {0} is not a shuffled set")]
    Deck(usize),
    /// An action is not legal in its deal.
    #[error("action {action} of deal {deal} is not legal there")]
    Action {
        /// The deal, from 0.
        deal: usize,
        /// The action in it, from 0.
        action: usize,
    },
    /// No round was due at the deal with this index.
    #[error("deal {0} comes before the previous round is over, or after the end of the match")]
    NotDue(usize),
}

/// Estimates luck in matches of one rule set.
///
/// ```
/// use leyden_luck::{BASELINES, Deal, LuckEstimator};
/// use leyden_protocol::RulesName;
/// use leyden_rules::{Deck, Rules};
///
/// let rules = Rules::standard(RulesName::Leyden);
/// let estimator = LuckEstimator::for_rules(&rules)?.with_playouts(1); // the usual number takes longer
/// let deck = Deck::in_order(rules.set);
/// // A fault ended the match before the first action.
/// let luck = estimator.luck("the match's id", &[Deal { deck: deck.tiles(), actions: &[] }])?;
/// assert!(luck.first_seat[..BASELINES].iter().all(|estimate| estimate.abs() <= 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LuckEstimator {
    equity: EquityTable,
    playouts: u32,
}

impl LuckEstimator {
    /// With [`PLAYOUTS`] playouts.
    pub fn for_rules(rules: &Rules) -> Result<Self, UnsupportedRulesError> {
        Ok(Self { equity: EquityTable::for_rules(rules)?, playouts: PLAYOUTS })
    }

    /// With another number of playouts, at least 1. Its figures must not be mixed with those of the usual number.
    #[must_use]
    pub fn with_playouts(self, playouts: u32) -> Self {
        Self { playouts: playouts.max(1), ..self }
    }

    /// Returns the rules by which its matches are played.
    pub fn rules(&self) -> &Rules {
        self.equity.rules()
    }

    /// The luck of a match. All chance in it is seeded by `id`, the match's id: the same id and deals give the same luck.
    pub fn luck(&self, id: &str, deals: &[Deal<'_>]) -> Result<Luck, LuckReplayError> {
        let rules = self.equity.rules();
        let differences = self.differences(deals)?;
        let samples = SampleCounts {
            all: Baseline::ALL.map(|baseline| baseline.playouts(self.playouts, differences)),
            followed: Baseline::ALL.map(|baseline| baseline.fewest_playouts(self.playouts)),
        };
        let mut replay = MatchReplay::new(&self.equity, Dice::from_text(id), samples);
        let mut game = Match::new(rules);
        let mut right = Seat::FIRST;
        for (number, deal) in deals.iter().enumerate() {
            if game.finish().is_some() || game.round().is_some() {
                return Err(LuckReplayError::NotDue(number));
            }
            let deck =
                Deck::new(rules.set, deal.deck).map_err(|_: DeckError| LuckReplayError::Deck(number))?;
            if game.deal(&deck) == DealOutcome::NoDouble {
                continue;
            }
            let state = MatchState { scores: first_two(game.scores()), right };
            let Some(mut round) = replay.begin(&game, state) else { continue };
            for (index, entry) in deal.actions.iter().enumerate() {
                let illegal = LuckReplayError::Action { deal: number, action: index };
                replay.step(&mut round, &mut game, entry.event).ok_or(illegal)?;
            }
            if let Some(end) = game.round().and_then(RoundEnd::from_round) {
                replay.end(&round, &end);
                right = next_right(rules, &end, right);
                game.settle();
            } else {
                let next = LuckReplayError::Action { deal: number, action: deal.actions.len() };
                replay.interrupt(round, &game).ok_or(next)?;
            }
        }
        let mut first_seat = [0.0; LUCK_ESTIMATES];
        first_seat[..BASELINES].copy_from_slice(&replay.luck());
        first_seat[BY_DRAWS] = draws::weighted(rules, replay.draws());
        first_seat[VALUE_WEIGHTED] = replay.value_weighted();
        Ok(Luck { first_seat, draws: *replay.draws(), playouts: replay.playouts() })
    }

    /// The number of decisions in a match in which *careful* would have acted differently. It takes no chance of its own, so
    /// the number of playouts that follows from it is independent of their outcomes.
    fn differences(&self, deals: &[Deal<'_>]) -> Result<u32, LuckReplayError> {
        let rules = self.equity.rules();
        let careful = [Policy::CAREFUL; 2];
        let mut differences = 0;
        let mut game = Match::new(rules);
        for (number, deal) in deals.iter().enumerate() {
            if game.finish().is_some() || game.round().is_some() {
                return Err(LuckReplayError::NotDue(number));
            }
            let deck =
                Deck::new(rules.set, deal.deck).map_err(|_: DeckError| LuckReplayError::Deck(number))?;
            game.deal(&deck);
            let Some(mut simulation) = game.round().map(Simulation::new) else { continue };
            for (index, entry) in deal.actions.iter().enumerate() {
                let action = Action::from(entry.event);
                let illegal = LuckReplayError::Action { deal: number, action: index };
                let legal = simulation.position.round.legal();
                let is_free = legal.contains(action).then(|| legal.forced().is_none()).ok_or(illegal)?;
                differences += u32::from(is_free && simulation.choice(careful) != Some(action));
                simulation.apply(action).then_some(()).ok_or(illegal)?;
                game.apply(action).map_err(|_| illegal)?;
            }
            if simulation.position.round.outcome().is_some() {
                game.settle();
            }
        }
        Ok(differences)
    }
}
