//! Rounds that are really played, so that everything shown about them agrees with the rules.

use leyden_arena::narrate::layout::TextLayout;
use leyden_protocol::{Action, Arm, End, HistoryEntry, LeadRule};
use leyden_rules::{Deck, IllegalActionError, Lead, Match, Round, Rules};

/// The part of a match's first round that was played.
#[derive(Clone)]
pub(super) struct Played {
    pub(super) round: Round,
    pub(super) turns: Vec<PlayedTurn>,
    layout: Option<TextLayout>,
    /// Who may lead this round, and what.
    lead: LeadRule,
}

/// An action, and what it was applied to.
#[derive(Clone, Copy)]
pub(super) struct PlayedTurn {
    pub(super) entry: HistoryEntry,
    /// What the arm showed that a tile was laid on.
    pub(super) met: Option<End>,
    /// The rule by which the round is led.
    pub(super) lead: LeadRule,
}

impl Played {
    /// Deals a first round; `None` if no double of this deal can be led.
    pub(super) fn deal(rules: &Rules, deck: &Deck) -> Option<Self> {
        let mut game = Match::new(rules);
        game.deal(deck);
        Some(Self { round: *game.round()?, turns: Vec::new(), layout: None, lead: rules.leads.first })
    }

    /// Deals a later round; `None` if no double of this deal can be led.
    pub(super) fn deal_later(rules: &Rules, deck: &Deck, lead: Lead) -> Option<Self> {
        let round = Round::deal(rules, deck, lead)?;
        Some(Self { round, turns: Vec::new(), layout: None, lead: rules.leads.later })
    }

    pub(super) fn act(&mut self, action: Action) -> Result<(), IllegalActionError> {
        let seat = self.round.to_act().ok_or(IllegalActionError { action })?;
        let met = match action {
            Action::Play(arm, _) => self.round.arms().get(arm),
            _ => None,
        };
        let event = self.round.apply(action)?;
        match (action, &mut self.layout) {
            (Action::Lead(double), layout) => {
                *layout = Some(TextLayout::new(self.round.rules().layout, double));
            }
            (Action::Play(arm, lay), Some(layout)) => layout.play(arm, lay),
            _ => {}
        }
        self.turns.push(PlayedTurn { entry: HistoryEntry { seat, event }, met, lead: self.lead });
        Ok(())
    }

    /// Returns the layout in this many columns, with letters at these arms.
    pub(super) fn draw(&self, width: usize, lettered: impl Fn(Arm) -> bool) -> Vec<String> {
        self.layout.as_ref().map(|layout| layout.draw_lettered(width, lettered)).unwrap_or_default()
    }
}
