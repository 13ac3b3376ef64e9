//! The luck of one match by each baseline: its decisions compared with the baseline's, and all else left over.

use leyden_protocol::{Action, HistoryAction, HistoryEntry, Seat, Tile};
use leyden_rules::{DealOutcome, Deck, InformationSet, Match, NotADeck, Rules};

use crate::baseline::{BASELINES, Baseline};
use crate::dice::Dice;
use crate::duel::Duel;
use crate::ended::{Ended, both};
use crate::manner::{Manner, Manners};
use crate::prospects::{NoProspects, Prospects, next_right};
use crate::walk::{Choices, Walk};

/// How many orders of the boneyard, each with a way to play, a round is held against. More leave a little less noise and take
/// longer.
pub const PLAYOUTS: u32 = 64;

/// One deal of a match, as it was recorded.
#[derive(Clone, Copy, Debug)]
pub struct Deal<'a> {
    /// The tiles in dealing order.
    pub deck: &'a [Tile],
    /// Every action, forced ones included.
    pub actions: &'a [HistoryEntry],
}

/// The luck of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// What deals and draws gave to the first seat, in results (a win is 1), by each baseline: with mean 0 whoever plays, and
    /// bounded by the match alone, so a little beyond ±1 at times. Of a match that a fault broke off, the luck until then.
    pub of_first: [f64; BASELINES],
    /// How many playouts it took.
    pub playouts: u32,
}

impl Luck {
    /// The same to the second seat, in the order of baselines as that seat sees them: in *careful against varied* it is the careful
    /// one.
    pub fn of_second(&self) -> [f64; BASELINES] {
        Baseline::ALL.map(|baseline| -self.of_first[baseline.exchanged() as usize])
    }
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
        let differences = self.differences(deals)?;
        let samples = Baseline::ALL.map(|baseline| baseline.playouts(self.playouts, differences));
        let mut replay =
            Replay { judge: self, dice: Dice::of_text(id), samples, skill: [0.0; BASELINES], playouts: 0 };
        let mut game = Match::new(rules);
        let mut right = Seat::FIRST;
        let mut broken_off = None;
        let begun = self.prospects.start();
        for (number, deal) in deals.iter().enumerate() {
            if game.finish().is_some() || game.round().is_some() {
                return Err(NotReplayed::NotDue(number));
            }
            let deck = Deck::new(rules.set, deal.deck).map_err(|_: NotADeck| NotReplayed::Deck(number))?;
            if game.deal(&deck) == DealOutcome::NoDouble {
                continue;
            }
            let stand = Stand { scores: both(game.scores()), right };
            let Some(mut course) = replay.begin(&game, stand) else { continue };
            for (place, entry) in deal.actions.iter().enumerate() {
                let illegal = NotReplayed::Action { deal: number, action: place };
                replay.step(&mut course, &mut game, entry.event).ok_or(illegal)?;
            }
            if let Some(ended) = game.round().and_then(Ended::of) {
                replay.end(&course, &ended);
                right = next_right(rules, &ended, right);
                game.settle();
            } else {
                broken_off = replay.now(&course, &game);
            }
        }
        let end = match (broken_off, game.finish()) {
            (Some(values), _) => values,
            (None, Some(_)) => {
                let won = game.leading().map_or(0.5, |seat| f64::from(u8::from(seat == Seat::FIRST)));
                [won; BASELINES]
            }
            // Before the first deal nobody has had any luck.
            (None, None) if game.deal_number().round == 0 => begun,
            (None, None) => self.prospects.values(both(game.scores()), right),
        };
        let of_first =
            std::array::from_fn(|baseline| end[baseline] - begun[baseline] - replay.skill[baseline]);
        Ok(Luck { of_first, playouts: replay.playouts })
    }

    /// How often in a match *careful* would have done something else. Chance has no part in it, so that how many playouts
    /// there are says nothing of what comes of them.
    fn differences(&self, deals: &[Deal<'_>]) -> Result<u32, NotReplayed> {
        let rules = self.prospects.rules();
        let careful = [Manner::CAREFUL; 2];
        let mut differences = 0;
        let mut game = Match::new(rules);
        for (number, deal) in deals.iter().enumerate() {
            if game.finish().is_some() || game.round().is_some() {
                return Err(NotReplayed::NotDue(number));
            }
            let deck = Deck::new(rules.set, deal.deck).map_err(|_: NotADeck| NotReplayed::Deck(number))?;
            game.deal(&deck);
            let Some(mut walk) = game.round().map(Walk::new) else { continue };
            for (place, entry) in deal.actions.iter().enumerate() {
                let action = Action::from(entry.event);
                let illegal = NotReplayed::Action { deal: number, action: place };
                let legal = walk.position.round.legal();
                let is_free = legal.contains(action).then(|| legal.forced().is_none()).ok_or(illegal)?;
                differences += u32::from(is_free && walk.choice(careful) != Some(action));
                walk.apply(action).then_some(()).ok_or(illegal)?;
                game.apply(action).map_err(|_| illegal)?;
            }
            if walk.position.round.outcome().is_some() {
                game.settle();
            }
        }
        Ok(differences)
    }

    /// The value to the first seat of a round that is over.
    fn value(&self, baseline: Baseline, ended: &Ended, stand: Stand) -> f64 {
        let rules = self.prospects.rules();
        let added = ended.points(rules);
        let scores = [stand.scores[0] + added[0], stand.scores[1] + added[1]];
        self.prospects.value(baseline, scores, next_right(rules, ended, stand.right))
    }
}

/// A match on its way.
struct Replay<'a> {
    judge: &'a Judge,
    dice: Dice,
    /// How many each baseline has.
    samples: [u32; BASELINES],
    /// Σ [Q(action taken) − Q(action of the baseline)], to the first seat.
    skill: [f64; BASELINES],
    playouts: u32,
}

/// A round on its way, and what it is held against.
struct Course {
    stand: Stand,
    walk: Walk,
    samples: Vec<Sample>,
}

/// A way to play and an order of the boneyard, as they go through a round.
///
/// From one draw to the next nothing depends on chance any more, so the differences of all decisions between them add up to
/// that of the last position from the first: two playouts for all of them.
struct Sample {
    baseline: Baseline,
    manners: Manners,
    boneyard: Vec<Tile>,
    /// What the round came to by this baseline where its choice was first another one than the bot's since the last draw.
    left: Option<f64>,
}

/// A position to be played on from with the boneyard in other orders.
enum Moment {
    Duel(Duel),
    /// As the seat to act sees it, to be filled.
    Walk {
        seen: Box<InformationSet>,
        /// The rival's hand, then the boneyard.
        unseen: Vec<Tile>,
        held: usize,
    },
}

impl Moment {
    /// `None` if nobody is to act.
    fn of(game: &Match, walk: &Walk) -> Option<Self> {
        if let Some(duel) = Duel::of(&walk.position) {
            return Some(Self::Duel(duel));
        }
        let round = game.round()?;
        let seat = round.to_act()?;
        let mut legal = Vec::new();
        let seen = Box::new(InformationSet::new(game.rules(), &game.view(seat, &mut legal)?).ok()?);
        let mut unseen: Vec<Tile> = round.hand(game.rules().seats.after(seat)).iter().collect();
        let held = unseen.len();
        unseen.extend_from_slice(round.boneyard());
        Some(Self::Walk { seen, unseen, held })
    }

    /// How the round ends if the boneyard lies in a sample's order, and the action is followed by its way to play.
    fn play_out(&mut self, walk: &Walk, sample: &Sample, first: Option<Action>) -> Option<Ended> {
        match self {
            Self::Duel(duel) => Some(duel.with(&sample.boneyard).try_out(first, sample.manners)),
            Self::Walk { seen, unseen, held } => {
                unseen[*held..].copy_from_slice(&sample.boneyard);
                let mut walk = walk.with(sample.manners, &seen.suppose(unseen).ok()?);
                if let Some(action) = first {
                    walk.apply(action).then_some(())?;
                }
                walk.finish()
            }
        }
    }
}

impl Replay<'_> {
    /// A round that was just dealt. The orders of the boneyard are random ones, each with all its rotations, so that every tile
    /// comes next as often as any other.
    fn begin(&mut self, game: &Match, stand: Stand) -> Option<Course> {
        let round = game.round()?;
        let mut boneyard = round.boneyard().to_vec();
        let mut samples = Vec::new();
        for baseline in Baseline::ALL {
            for place in 0..self.samples[baseline as usize] as usize {
                if place % boneyard.len().max(1) == 0 {
                    self.dice.shuffle(&mut boneyard);
                } else {
                    boneyard.rotate_left(1);
                }
                let manners = baseline.manners(&mut self.dice);
                samples.push(Sample { baseline, manners, boneyard: boneyard.clone(), left: None });
            }
        }
        Some(Course { stand, walk: Walk::new(round), samples })
    }

    /// What an action, which the match takes, was worth; `None` if it is not legal.
    fn step(&mut self, course: &mut Course, game: &mut Match, event: HistoryAction) -> Option<()> {
        let action = Action::from(event);
        let round = game.round()?;
        round.legal().contains(action).then_some(())?;
        let is_forced = round.legal().forced().is_some();
        let mut moment = None;
        let Course { stand, walk, samples } = course;
        let mut choices = Choices::new(walk)?;
        for sample in samples.iter_mut() {
            if !is_forced && sample.left.is_none() {
                let choice = choices.choice(walk, sample.manners)?;
                if choice != action {
                    sample.left =
                        Some(self.play_out(&mut moment, game, walk, sample, Some(choice), *stand)?);
                }
            }
            if action == Action::Draw
                && let Some(left) = sample.left.take()
            {
                let drawing = self.play_out(&mut moment, game, walk, sample, Some(action), *stand)?;
                self.count(sample.baseline, drawing - left);
            }
        }
        let HistoryAction::Draw(drawn) = game.apply(action).ok()?.event else {
            return walk.apply(action).then_some(());
        };
        for sample in samples {
            sample.boneyard.retain(|tile| Some(*tile) != drawn);
        }
        walk.apply(action).then_some(())
    }

    /// The value to the first seat of a playout from the position before the match's next action.
    fn play_out(
        &mut self,
        moment: &mut Option<Moment>,
        game: &Match,
        walk: &Walk,
        sample: &Sample,
        first: Option<Action>,
        stand: Stand,
    ) -> Option<f64> {
        if moment.is_none() {
            *moment = Some(Moment::of(game, walk)?);
        }
        let ended = moment.as_mut()?.play_out(walk, sample, first)?;
        self.playouts += 1;
        Some(self.judge.value(sample.baseline, &ended, stand))
    }

    fn count(&mut self, baseline: Baseline, difference: f64) {
        self.skill[baseline as usize] += difference / f64::from(self.samples[baseline as usize]);
    }

    /// The round came to this.
    fn end(&mut self, course: &Course, ended: &Ended) {
        for sample in &course.samples {
            if let Some(left) = sample.left {
                let value = self.judge.value(sample.baseline, ended, course.stand);
                self.count(sample.baseline, value - left);
            }
        }
    }

    /// What a round that was broken off is worth, by each baseline.
    fn now(&mut self, course: &Course, game: &Match) -> Option<[f64; BASELINES]> {
        let mut values = [0.0; BASELINES];
        let mut moment = None;
        for sample in &course.samples {
            let value = self.play_out(&mut moment, game, &course.walk, sample, None, course.stand)?;
            if let Some(left) = sample.left {
                self.count(sample.baseline, value - left);
            }
            let baseline = sample.baseline as usize;
            values[baseline] += value / f64::from(self.samples[baseline]);
        }
        Some(values)
    }
}
