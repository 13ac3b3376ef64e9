//! Rounds that are really played, so that everything shown about them agrees with the rules.

use leyden_arena::narrate::layout::TextLayout;
use leyden_model::Layout;
use leyden_protocol::{Action, Arm, End, HistoryEntry, LeadRule, Seat};
use leyden_rules::{Deck, IllegalActionError, Lead, Round, Rules};

/// The part of a round that was played.
pub(super) struct PlayedRound {
    pub(super) round: Round,
    pub(super) turns: Vec<PlayedTurn>,
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

impl PlayedRound {
    /// Deals a round, before which seat 0 lost one if the loser leads; `None` if no double of this deal can be led.
    pub(super) fn deal(rules: &Rules, deck: &Deck, lead: LeadRule) -> Option<Self> {
        let round = Round::deal(rules, deck, Lead::for_rule(lead, Seat::FIRST, true))?;
        Some(Self { round, turns: Vec::new(), lead })
    }

    pub(super) fn act(&mut self, action: Action) -> Result<(), IllegalActionError> {
        let seat = self.round.to_act().ok_or(IllegalActionError { action })?;
        let met = match action {
            Action::Play(arm, _) => self.round.arms().get(arm),
            _ => None,
        };
        let event = self.round.apply(action)?;
        self.turns.push(PlayedTurn { entry: HistoryEntry { seat, event }, met, lead: self.lead });
        Ok(())
    }

    /// Returns the layout in this many columns, with letters at these arms.
    pub(super) fn draw(&self, width: usize, lettered: impl Fn(Arm) -> bool) -> Vec<String> {
        let rules = self.round.rules();
        let entries: Vec<HistoryEntry> = self.turns.iter().map(|turn| turn.entry).collect();
        let Some(layout) = Layout::from_history(rules, &entries) else { return Vec::new() };
        TextLayout::from_layout(rules.layout, &layout).draw_lettered(width, lettered)
    }
}
