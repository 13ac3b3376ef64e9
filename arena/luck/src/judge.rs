//! The luck of one match: its decisions compared with the baseline's, and all else left over.

use leyden_protocol::{Action, Entry, Seat, Tile};
use leyden_rules::{Dealt, Deck, Match, NotADeck, Round, Rules, Seen, points};

use crate::baseline::Walk;
use crate::dice::Dice;
use crate::prospects::{NoProspects, Prospects, both, next_right};

/// How many orders of the boneyard a decision is compared over. More leave a little less noise and take longer.
pub const PLAYOUTS: u32 = 64;

/// One deal of a match, as it was recorded.
#[derive(Clone, Copy, Debug)]
pub struct Deal<'a> {
    /// The tiles in dealing order.
    pub deck: &'a [Tile],
    /// Every action, forced ones included.
    pub actions: &'a [Entry],
}

/// The luck of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// What deals and draws gave to the first seat, in results (a win is 1): with mean 0 whoever plays, and bounded by the
    /// match alone, so a little beyond ±1 at times. Of a match that a fault broke off, the luck until then.
    pub of_first: f64,
    /// Decisions that were another one than the baseline's, and so took playouts.
    pub compared: u32,
}

/// Deals and actions that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReplayed {
    #[error("deal {0} is not a shuffled set")]
    Deck(usize),
    #[error("action {action} of deal {deal} is not legal there")]
    Action { deal: usize, action: usize },
    #[error("deal {0} comes before the round ahead of it is over, or after the end of the match")]
    NotDue(usize),
}

/// Judges matches of one rule set.
#[derive(Clone, Debug)]
pub struct Judge {
    prospects: Prospects,
    playouts: u32,
}

/// Where a match stands apart from the round that is played.
#[derive(Clone, Copy)]
struct Stand {
    scores: [u32; 2],
    /// Whose first right to lead it is; the first seat's where nobody has one.
    right: Seat,
}

impl Judge {
    /// With the usual number of playouts.
    pub fn of(rules: &Rules) -> Result<Self, NoProspects> {
        Ok(Self { prospects: Prospects::of(rules)?, playouts: PLAYOUTS })
    }

    /// The same with another number of playouts; figures of another number are another version's.
    #[must_use]
    pub fn with_playouts(self, playouts: u32) -> Self {
        Self { playouts: playouts.max(1), ..self }
    }

    /// By which rules it judges.
    pub fn rules(&self) -> &Rules {
        self.prospects.rules()
    }

    /// The luck of a match. What chance it takes follows from `id`, the match's id, alone.
    pub fn luck(&self, id: &str, deals: &[Deal<'_>]) -> Result<Luck, NotReplayed> {
        let rules = self.prospects.rules();
        let mut replay = Replay { judge: self, dice: Dice::of_text(id), skill: 0.0, compared: 0 };
        let mut game = Match::new(rules);
        let mut right = Seat::FIRST;
        let mut broken_off = None;
        for (number, deal) in deals.iter().enumerate() {
            if game.finish().is_some() || game.round().is_some() {
                return Err(NotReplayed::NotDue(number));
            }
            let deck = Deck::new(rules.set, deal.deck).map_err(|_: NotADeck| NotReplayed::Deck(number))?;
            if game.deal(&deck) == Dealt::NoDouble {
                continue;
            }
            let stand = Stand { scores: both(game.scores()), right };
            for (place, entry) in deal.actions.iter().enumerate() {
                let action = Action::from(entry.event);
                let illegal = NotReplayed::Action { deal: number, action: place };
                replay.decision(&game, stand, action).ok_or(illegal)?;
                game.apply(action).map_err(|_| illegal)?;
            }
            let Some(round) = game.round().copied() else { continue };
            if let Some(outcome) = round.outcome() {
                right = next_right(&round, outcome, right);
                game.settle();
            } else {
                broken_off = replay.now(&game, stand);
            }
        }
        let end = match (broken_off, game.finish()) {
            (Some(value), _) => value,
            (None, Some(_)) => game.leading().map_or(0.5, |seat| f64::from(u8::from(seat == Seat::FIRST))),
            // Before the first deal nobody has had any luck.
            (None, None) if game.deal_number().round == 0 => 0.5,
            (None, None) => self.prospects.value(both(game.scores()), right),
        };
        Ok(Luck { of_first: end - 0.5 - replay.skill, compared: replay.compared })
    }

    /// The value to the first seat of a round that is over.
    fn value(&self, round: &Round, stand: Stand) -> f64 {
        let Some(outcome) = round.outcome() else { return 0.5 };
        let added = both(&points(self.prospects.rules(), outcome, &round.pips()));
        let scores = [stand.scores[0] + added[0], stand.scores[1] + added[1]];
        self.prospects.value(scores, next_right(round, outcome, stand.right))
    }
}

/// A match on its way.
struct Replay<'a> {
    judge: &'a Judge,
    dice: Dice,
    /// Σ [Q(action taken) − Q(action of the baseline)], to the first seat.
    skill: f64,
    compared: u32,
}

impl Replay<'_> {
    /// Counts what a decision was worth; `None` if nobody is to act.
    fn decision(&mut self, game: &Match, stand: Stand, taken: Action) -> Option<()> {
        let round = game.round()?;
        round.to_act()?;
        if round.legal().forced().is_some() {
            return Some(());
        }
        let baseline = Walk::new(round, game.entries()).choice()?;
        if taken != baseline {
            let [taken, baseline] = self.means(game, stand, [Some(taken), Some(baseline)])?;
            self.skill += taken - baseline;
            self.compared += 1;
        }
        Some(())
    }

    /// What a round that was broken off is worth.
    fn now(&mut self, game: &Match, stand: Stand) -> Option<f64> {
        self.means(game, stand, [None]).map(|[value]| value)
    }

    /// The mean value of each branch, its first action taken and then the baseline to the end of the round, over orders
    /// of the boneyard that are the same for all branches. Where no branch draws, one order says it all.
    fn means<const N: usize>(
        &mut self,
        game: &Match,
        stand: Stand,
        first: [Option<Action>; N],
    ) -> Option<[f64; N]> {
        let round = game.round()?;
        let seat = round.to_act()?;
        let mut legal = Vec::new();
        let seen = Seen::new(self.judge.prospects.rules(), &game.view(seat, &mut legal)?).ok()?;
        let rival = game.rules().seats.after(seat);
        let mut unseen: Vec<Tile> = round.hand(rival).iter().collect();
        let held = unseen.len();
        unseen.extend_from_slice(round.boneyard());
        let here = Walk::new(round, game.entries());
        let mut sums = [0.0; N];
        for playout in 1..=self.judge.playouts {
            self.dice.shuffle(&mut unseen[held..]);
            let walk = here.with_round(&seen.suppose(&unseen).ok()?);
            let mut draws = false;
            for (sum, first) in sums.iter_mut().zip(&first) {
                let mut branch = walk;
                if let Some(action) = first {
                    branch.apply(*action).then_some(())?;
                }
                branch.finish();
                draws |= branch.round.boneyard().len() < walk.round.boneyard().len();
                *sum += self.judge.value(&branch.round, stand);
            }
            if !draws || playout == self.judge.playouts {
                return Some(sums.map(|sum| sum / f64::from(playout)));
            }
        }
        None
    }
}
