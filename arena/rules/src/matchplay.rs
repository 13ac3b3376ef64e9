//! A match: rounds until a score reaches the target. A match is the fold of its deals and actions, and so is its replay
//! from a record.

use std::borrow::Cow;

use leyden_protocol::{Action, HistoryEntry, PerSeat, Seat, TileSet, View};

use crate::deck::Deck;
use crate::round::{IllegalActionError, Lead, Round, RoundOutcome};
use crate::ruleset::Rules;
use crate::score;

/// A match ends after this many scored rounds. A safeguard of the referee, not a rule of the game.
pub const ROUND_LIMIT: u32 = 500;

/// After this many refused deals in a row, a player who can lead or draw may not refuse.
pub const REFUSED_DEALS: u8 = 3;

/// Room for what happens in most rounds, so that nothing is allocated during one.
const ROUND_ROOM: usize = 64;

/// Which deal of a match: the round, from 0, and how often it was dealt before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DealNumber {
    /// From 0; a round that is dealt again keeps its number.
    pub round: u32,
    /// How often this round was dealt before.
    pub redeal: u32,
}

/// The result of dealing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealOutcome {
    /// A round began.
    Round,
    /// No double could be led; the tiles must be dealt again.
    NoDouble,
}

/// The result of a finished round or a refused deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundResult {
    pub deal: DealNumber,
    pub outcome: RoundOutcome,
    /// What each seat still holds.
    pub hands: PerSeat<TileSet>,
    /// The pips of these hands.
    pub pips: PerSeat<u32>,
    /// The points added to the scores; zero for a refused deal.
    pub points: PerSeat<u32>,
    /// The scores including these points.
    pub scores: PerSeat<u32>,
}

/// Why a match that was played to its end is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchFinish {
    /// A score has reached the target.
    Target,
    /// [`ROUND_LIMIT`] rounds were played, and no score has reached the target.
    RoundLimit,
}

/// A match between seats, with the round being played.
///
/// ```
/// use leyden_protocol::RulesName;
/// use leyden_rules::{Deck, Match, Rules};
///
/// let rules = Rules::standard(RulesName::Leyden);
/// let mut game = Match::new(&rules);
/// let mut legal = Vec::new();
/// while game.finish().is_none() {
///     game.deal(&Deck::in_order(rules.set)); // an arena shuffles it
///     while let Some(seat) = game.round().and_then(|round| round.to_act()) {
///         let view = game.view(seat, &mut legal).expect("a round is played"); // all that the seat may know
///         let action = view.legal[0];
///         game.apply(action).expect("it is legal");
///     }
///     game.settle(); // a deal without a double to lead has no round, and is dealt again
/// }
/// assert!(game.scores().iter().any(|(_, score)| *score >= rules.target));
/// ```
#[derive(Clone, Debug)]
pub struct Match {
    rules: Rules,
    scores: PerSeat<u32>,
    deal: DealNumber,
    /// Who leads the next round first, where that is the loser's right.
    first_right: Option<Seat>,
    refused_in_row: u8,
    round: Option<Round>,
    /// What happened in the current round, including drawn tiles.
    entries: Vec<HistoryEntry>,
    /// The same, as each seat may know it.
    histories: PerSeat<Vec<HistoryEntry>>,
}

impl Match {
    /// Begins a match in which nothing is dealt yet.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            scores: PerSeat::default_for(rules.seats),
            deal: DealNumber { round: 0, redeal: 0 },
            first_right: None,
            refused_in_row: 0,
            round: None,
            entries: Vec::with_capacity(ROUND_ROOM),
            histories: PerSeat::from_fn(rules.seats, |_| Vec::with_capacity(ROUND_ROOM)),
        }
    }

    /// Returns the rules by which it is played.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the scores after the last settled round.
    pub fn scores(&self) -> &PerSeat<u32> {
        &self.scores
    }

    /// Returns the deal being played, or the next one due.
    pub fn deal_number(&self) -> DealNumber {
        self.deal
    }

    /// Returns the round being played, or over but not yet settled.
    pub fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }

    /// Returns what happened in the current round so far, including drawn tiles: hidden from the seats.
    pub fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// Returns what a seat may know of the current round so far.
    pub fn history(&self, seat: Seat) -> &[HistoryEntry] {
        &self.histories[seat]
    }

    /// Returns why the match is over; `None` if it is not. To be called between rounds.
    pub fn finish(&self) -> Option<MatchFinish> {
        if self.scores.as_slice().iter().any(|&score| score >= self.rules.target) {
            Some(MatchFinish::Target)
        } else if self.deal.round >= ROUND_LIMIT {
            Some(MatchFinish::RoundLimit)
        } else {
            None
        }
    }

    /// Returns the seat with the better score now; `None` if the scores are equal.
    pub fn leading(&self) -> Option<Seat> {
        score::best(self.rules.better, &self.scores)
    }

    /// Deals the next round.
    ///
    /// # Panics
    /// If a round is still being played.
    pub fn deal(&mut self, deck: &Deck) -> DealOutcome {
        assert!(self.round.is_none(), "the previous round must be settled before the next deal");
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
        Lead::for_rule(rule, self.first_right.unwrap_or(Seat::FIRST), self.refused_in_row < REFUSED_DEALS)
    }

    /// Applies an action of the seat to act and returns what happened, including a drawn tile.
    ///
    /// # Panics
    /// If no round is being played.
    pub fn apply(&mut self, action: Action) -> Result<HistoryEntry, IllegalActionError> {
        let Some(round) = &mut self.round else { panic!("no round is being played") };
        let Some(seat) = round.to_act() else { return Err(IllegalActionError { action }) };
        let entry = HistoryEntry { seat, event: round.apply(action)? };
        self.entries.push(entry);
        for (viewer, history) in self.histories.iter_mut() {
            history.push(entry.seen_by(viewer));
        }
        Ok(entry)
    }

    /// Scores a round that is over; the match is then ready for the next deal. `None` if the round is not over.
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
                Some(winner) => self.rules.seats.after(winner), // only two-seat matches have a loser
                None => round.leader(),
            });
            self.deal = DealNumber { round: deal.round + 1, redeal: 0 };
        }
        self.round = None;
        let pips =
            if outcome == RoundOutcome::Refused { PerSeat::default_for(self.rules.seats) } else { pips };
        Some(RoundResult { deal, outcome, hands, pips, points, scores: self.scores })
    }

    /// Returns what a seat may know at this moment; `None` while no round is being played.
    ///
    /// This is the only way from the hidden state to a player. `legal` is a reusable buffer for the view's legal
    /// actions, so repeated calls allocate nothing: its content is replaced by the seat's actions, none unless the seat
    /// is to act.
    pub fn view<'a>(&'a self, seat: Seat, legal: &'a mut Vec<Action>) -> Option<View<'a>> {
        let round = self.round.as_ref()?;
        legal.clear();
        if round.to_act() == Some(seat) {
            round.legal().push_to(legal);
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
