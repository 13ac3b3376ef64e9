//! A match: rounds until a score reaches the target. The fold of its deals and actions; replaying a record is the same fold.

use std::borrow::Cow;

use leyden_protocol::{Action, HistoryEntry, LeadRule, PerSeat, Seat, TileSet, View};

use crate::deck::Deck;
use crate::round::{Illegal, Lead, Round, RoundOutcome};
use crate::ruleset::Rules;
use crate::score;

/// A match ends after this many scored rounds. A guard of the referee, not of the game.
pub const ROUND_LIMIT: u32 = 500;

/// After this many refused deals in a row, who can lead or draw may not refuse.
pub const REFUSED_DEALS: u8 = 3;

/// Which deal of a match: rounds count from 0, and for each round the times it was dealt before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DealNumber {
    pub round: u32,
    pub redeal: u32,
}

/// What became of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealOutcome {
    /// A round began.
    Round,
    /// No double could be led; the next deal is due.
    NoDouble,
}

/// What a finished round, or a refused deal, came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundResult {
    pub deal: DealNumber,
    pub outcome: RoundOutcome,
    pub hands: PerSeat<TileSet>,
    pub pips: PerSeat<u32>,
    /// What it added to the scores: nothing for a refused deal.
    pub points: PerSeat<u32>,
    /// The scores after it.
    pub scores: PerSeat<u32>,
}

/// Why a match that was played to its end is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchFinish {
    Target,
    RoundLimit,
}

/// A match between seats, and the round that is being played.
#[derive(Clone, Debug)]
pub struct Match {
    rules: Rules,
    scores: PerSeat<u32>,
    deal: DealNumber,
    /// Who leads the next round first, where the loser does.
    first_right: Option<Seat>,
    refused_in_row: u8,
    round: Option<Round>,
    /// What happened in the current round, drawn tiles included.
    entries: Vec<HistoryEntry>,
    /// The same as each seat may know it.
    histories: PerSeat<Vec<HistoryEntry>>,
}

impl Match {
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            scores: PerSeat::default_for(rules.seats),
            deal: DealNumber { round: 0, redeal: 0 },
            first_right: None,
            refused_in_row: 0,
            round: None,
            entries: Vec::new(),
            histories: PerSeat::default_for(rules.seats),
        }
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    pub fn scores(&self) -> &PerSeat<u32> {
        &self.scores
    }

    /// The deal being played, or the next one that is due.
    pub fn deal_number(&self) -> DealNumber {
        self.deal
    }

    /// The round being played, or over and not yet settled.
    pub fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }

    /// What happened in the current round so far, drawn tiles included: hidden from the seats.
    pub fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// What a seat may know of what happened in the current round so far.
    pub fn history(&self, seat: Seat) -> &[HistoryEntry] {
        &self.histories[seat]
    }

    /// Whether the match is over, and why. Asked between rounds.
    pub fn finish(&self) -> Option<MatchFinish> {
        if self.scores.as_slice().iter().any(|&score| score >= self.rules.target) {
            Some(MatchFinish::Target)
        } else if self.deal.round >= ROUND_LIMIT {
            Some(MatchFinish::RoundLimit)
        } else {
            None
        }
    }

    /// The seat with the better score now; nobody when it is equal.
    pub fn leading(&self) -> Option<Seat> {
        score::best(self.rules.better, &self.scores)
    }

    /// Deals the round that is due.
    ///
    /// # Panics
    /// If a round is still being played.
    pub fn deal(&mut self, deck: &Deck) -> DealOutcome {
        assert!(self.round.is_none(), "a round is dealt only after the one before was settled");
        self.entries.clear();
        for (_, history) in self.histories.iter_mut() {
            history.clear();
        }
        self.round = Round::deal(&self.rules, deck, self.lead());
        if self.round.is_some() {
            DealOutcome::Round
        } else {
            self.deal.redeal += 1;
            DealOutcome::NoDouble
        }
    }

    fn lead(&self) -> Lead {
        let rule = if self.deal.round == 0 { self.rules.leads.first } else { self.rules.leads.later };
        match rule {
            LeadRule::Lowest => Lead::Lowest,
            LeadRule::Highest => Lead::Highest,
            LeadRule::HighestHolder => Lead::HighestHolder,
            LeadRule::Loser => Lead::Loser {
                first: self.first_right.unwrap_or(Seat::FIRST),
                may_refuse: self.refused_in_row < REFUSED_DEALS,
            },
        }
    }

    /// Takes an action of the seat to act and returns what happened, a drawn tile included.
    ///
    /// # Panics
    /// If no round is being played.
    pub fn apply(&mut self, action: Action) -> Result<HistoryEntry, Illegal> {
        let Some(round) = &mut self.round else { panic!("no round is being played") };
        let Some(seat) = round.to_act() else { return Err(Illegal { action }) };
        let entry = HistoryEntry { seat, event: round.apply(action)? };
        self.entries.push(entry);
        for (viewer, history) in self.histories.iter_mut() {
            history.push(entry.seen_by(viewer));
        }
        Ok(entry)
    }

    /// Counts a round that is over; the match is then ready for the next deal. Nothing while the round goes on.
    pub fn settle(&mut self) -> Option<RoundResult> {
        let round = self.round.as_ref()?;
        let outcome = round.outcome()?;
        let (hands, pips) = (*round.hands(), round.pips());
        let points = score::points(&self.rules, outcome, &pips);
        for (seat, score) in self.scores.iter_mut() {
            *score += points[seat];
        }
        let deal = self.deal;
        if outcome == RoundOutcome::Refused {
            self.refused_in_row = self.refused_in_row.saturating_add(1);
            self.deal.redeal += 1;
        } else {
            self.refused_in_row = 0;
            self.first_right = Some(match outcome.winner() {
                Some(winner) => self.rules.seats.after(winner), // the loser: only two seats have one
                None => round.leader(),
            });
            self.deal = DealNumber { round: deal.round + 1, redeal: 0 };
        }
        self.round = None;
        let pips =
            if outcome == RoundOutcome::Refused { PerSeat::default_for(self.rules.seats) } else { pips };
        Some(RoundResult { deal, outcome, hands, pips, points, scores: self.scores })
    }

    /// What a seat may know at this moment; `None` while no round is being played.
    ///
    /// This is the only way from the hidden state to a player. `legal` is room for the view's legal actions, so that asking
    /// again and again allocates nothing: whatever stands in it is replaced by those of the seat, none unless it is to act.
    pub fn view<'a>(&'a self, seat: Seat, legal: &'a mut Vec<Action>) -> Option<View<'a>> {
        let round = self.round.as_ref()?;
        legal.clear();
        if round.to_act() == Some(seat) {
            round.legal().iter().for_each(|action| legal.push(action)); // quicker than to extend by a chain
        }
        Some(View {
            rules: self.rules.name,
            target: self.rules.target,
            round: self.deal.round,
            redeal: self.deal.redeal,
            phase: round.phase(),
            seat,
            hand: round.hand(seat),
            arms: round.arms(),
            boneyard: round.boneyard().len() as u8,
            drawable: round.drawable() as u8,
            counts: round.counts(),
            scores: self.scores,
            history: Cow::Borrowed(self.history(seat)),
            legal: Cow::Borrowed(legal),
        })
    }
}
