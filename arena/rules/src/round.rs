//! One round: from the deal until a player goes out, play is blocked, or nobody wants to lead.
//!
//! A [`Round`] knows every tile, so it is not serialisable; [`Match::view`](crate::Match::view) alone returns what a
//! seat may know of it.

use leyden_protocol::{
    Action, Arm, Arms, Double, Drawing, HistoryAction, Lay, LeadRule, PerSeat, Phase, Pip, Seat, Tile,
    TileSet, View,
};

use crate::deck::Deck;
use crate::fits::{Fits, PlayCounts};
use crate::layout::Layout;
use crate::legal_actions::{LegalActions, Plays};
use crate::ruleset::Rules;

pub(crate) mod information_set;

const BLANK_DOUBLE: Tile = Tile::new(Pip::BLANK, Pip::BLANK);

/// Every double of every set.
const DOUBLES: TileSet = {
    let mut doubles = TileSet::EMPTY;
    let mut pips = 0;
    while let Some(pip) = Pip::new(pips) {
        doubles = doubles.with(Double::new(pip).tile());
        pips += 1;
    }
    doubles
};

/// Doubles that may be led if 0-0 may not.
const LEADABLE: TileSet = DOUBLES.without(BLANK_DOUBLE);

/// Who begins a round, and with what choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// The holder of the lowest double other than 0-0 leads it.
    Lowest,
    /// The holder of the highest double leads it.
    Highest,
    /// The holder of the highest double other than 0-0 may draw, and leads any double except 0-0.
    HighestHolder,
    /// `first` may draw, then leads or refuses; then the other seat may.
    Loser {
        first: Seat,
        /// Whether a player who can lead or draw may still refuse.
        may_refuse: bool,
    },
}

impl Lead {
    /// Returns how a round is led by a rule, if it gives a right to lead and `first` has it first.
    pub const fn for_rule(rule: LeadRule, first: Seat, may_refuse: bool) -> Self {
        match rule {
            LeadRule::Lowest => Self::Lowest,
            LeadRule::Highest => Self::Highest,
            LeadRule::HighestHolder => Self::HighestHolder,
            LeadRule::Loser => Self::Loser { first, may_refuse },
        }
    }
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundOutcome {
    /// A hand is empty.
    Dominoed { winner: Seat },
    /// No further play is possible: no tile outside the layout, reserve included, fits an arm that is open to play
    /// ([`Round::nothing_fits`]), or nobody can draw and no hand holds one that does. Nobody wins if the lightest hands
    /// are equal.
    Blocked { winner: Option<Seat> },
    /// Nobody wanted to lead.
    Refused,
}

impl RoundOutcome {
    /// Returns the winner of the round.
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Self::Dominoed { winner } => Some(winner),
            Self::Blocked { winner } => winner,
            Self::Refused => None,
        }
    }
}

/// An action that the position does not allow. The round is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{action} is not a legal action here")]
pub struct IllegalActionError {
    pub action: Action,
}

/// A view and a guess of the unseen tiles that do not fit together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SuppositionError {
    #[error("the view belongs to another rule set or number of seats")]
    Rules,
    #[error("the guess must hold every tile that is neither in the hand nor on the table, once each")]
    Unseen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// This double must be led.
    Announced(Double),
    Leading {
        /// Whether a player who can lead or draw may still refuse; a player who can do neither always may.
        may_refuse: bool,
        refused: u8,
    },
    Playing {
        drew: bool,
    },
    Over(RoundOutcome),
}

/// The state of one round, including hidden tiles. A copy is cheap, so a search plays on in copies.
///
/// ```
/// use leyden_protocol::RulesName;
/// use leyden_rules::{Deck, Lead, Round, Rules};
///
/// let rules = Rules::standard(RulesName::Leyden);
/// let mut round = Round::deal(&rules, &Deck::in_order(rules.set), Lead::Highest).expect("a hand has a double");
/// while let Some(seat) = round.to_act() {
///     let pips_after = |action| {
///         let mut copy = round;
///         copy.apply(action).map_or(u32::MAX, |_| copy.hand(seat).pips())
///     };
///     let best = round.legal().iter().min_by_key(|&action| pips_after(action));
///     round.apply(best.expect("the round is not over"))?;
/// }
/// assert!(round.outcome().is_some());
/// # Ok::<(), leyden_rules::IllegalActionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Round {
    rules: Rules,
    fits: &'static Fits,
    hands: PerSeat<TileSet>,
    /// The number of plays of each hand, always in step with it.
    tallies: PerSeat<PlayCounts>,
    /// The tiles in dealing order; the boneyard is `next..`, and nobody may draw from `reserve` on.
    deck: Deck,
    next: u8,
    reserve: u8,
    layout: Layout,
    /// The tiles outside the layout: all hands and the whole boneyard.
    outside: TileSet,
    to_act: Seat,
    leader: Seat,
    stage: Stage,
}

impl Round {
    /// Deals a round; `None` if the deal has no double that may be led and must be dealt again.
    pub fn deal(rules: &Rules, deck: &Deck, lead: Lead) -> Option<Self> {
        debug_assert_eq!(rules.set, deck.set());
        let hand = usize::from(rules.hand);
        let fits = Fits::for_rules(rules);
        let mut hands = PerSeat::default_for(rules.seats);
        let mut tallies = PerSeat::default_for(rules.seats);
        for (seat, tiles) in rules.seats.iter().zip(deck.tiles().chunks_exact(hand)) {
            (hands[seat], tallies[seat]) = tallied(fits, tiles.iter().copied());
        }
        let (seat, stage) = first_turn(&hands, lead)?;
        Some(Self {
            rules: *rules,
            fits,
            hands,
            tallies,
            deck: *deck,
            next: (hand * rules.seats.count()) as u8,
            reserve: first_reserved(rules),
            layout: Layout::empty(),
            outside: rules.set.tiles(),
            to_act: seat,
            leader: seat,
            stage,
        })
    }

    /// Returns the tiles that a seat does not see: those in other hands and in the boneyard.
    pub fn unseen(rules: &Rules, view: &View<'_>) -> TileSet {
        let played = view.history.iter().filter_map(|entry| Action::from(entry.event).tile());
        rules.set.tiles().minus(view.hand).minus(played.collect())
    }

    /// Returns the rules by which it is played.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the seat to act; `None` once the round is over.
    pub fn to_act(&self) -> Option<Seat> {
        self.outcome().is_none().then_some(self.to_act)
    }

    /// Returns whether a lead is due, or was made.
    pub fn phase(&self) -> Phase {
        match self.stage {
            Stage::Announced(_) | Stage::Leading { .. } => Phase::Lead,
            Stage::Playing { .. } | Stage::Over(_) => Phase::Play,
        }
    }

    /// Returns how the round ended; `None` before that.
    pub fn outcome(&self) -> Option<RoundOutcome> {
        match self.stage {
            Stage::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Returns the seat that led, or would lead now.
    pub fn leader(&self) -> Seat {
        self.leader
    }

    /// Returns the tiles that a seat holds: hidden from the other seats.
    pub fn hand(&self, seat: Seat) -> TileSet {
        self.hands[seat]
    }

    /// Returns the tiles that each seat holds: hidden from the other seats.
    pub fn hands(&self) -> &PerSeat<TileSet> {
        &self.hands
    }

    /// Returns the pips of each hand.
    pub fn pips(&self) -> PerSeat<u32> {
        self.hands.map(|hand| hand.pips())
    }

    /// Returns the number of tiles each seat holds.
    pub fn counts(&self) -> PerSeat<u8> {
        self.hands.map(|hand| hand.len() as u8)
    }

    /// Returns what the arms show.
    pub fn arms(&self) -> Arms {
        self.layout.shown()
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the tiles outside the layout: all hands and the whole boneyard.
    pub(crate) fn outside(&self) -> TileSet {
        self.outside
    }

    /// Returns the seat to act, and whether it has drawn in this turn; `None` before the lead and once the round is
    /// over.
    pub(crate) fn turn_after_lead(&self) -> Option<(Seat, bool)> {
        match self.stage {
            Stage::Playing { drew } => Some((self.to_act, drew)),
            _ => None,
        }
    }

    /// Returns the boneyard in drawing order, the reserve last: hidden from everyone.
    pub fn boneyard(&self) -> &[Tile] {
        &self.deck.tiles()[usize::from(self.next)..]
    }

    /// Returns how many tiles may still be drawn.
    pub fn drawable(&self) -> usize {
        self.reserve.saturating_sub(self.next).into()
    }

    /// Whether no tile outside the layout fits an arm that is open to play, so that nobody can play any more, no matter who
    /// holds what.
    ///
    /// Follows from what everyone sees.
    #[inline]
    pub fn nothing_fits(&self) -> bool {
        // A matador fits every arm, and usually there still is one.
        !self.outside.meets(self.fits.wild()) && !self.outside.meets(self.fitting())
    }

    /// Returns every tile of the set that fits an arm that is open to play.
    fn fitting(&self) -> TileSet {
        let [n, e, s, w] = self.layout.faces().map(|face| self.fits.takes(face).tiles);
        n.union(e).union(s).union(w)
    }

    /// Returns every legal action; none once the round is over.
    #[inline]
    pub fn legal(&self) -> LegalActions {
        let none = LegalActions::none(self.fits);
        match self.stage {
            Stage::Playing { .. } => {
                let plays = self.plays();
                let stuck = plays.is_empty();
                let draw = self.may_draw(|| stuck);
                LegalActions { plays, draw, pass: stuck && !draw, ..none }
            }
            Stage::Announced(double) => LegalActions { leads: TileSet::single(double.tile()), ..none },
            Stage::Leading { .. } => LegalActions {
                leads: self.hands[self.to_act].intersection(LEADABLE),
                draw: self.drawable() > 0,
                refuse: self.may_refuse(),
                ..none
            },
            Stage::Over(_) => none,
        }
    }

    /// Returns the plays of the seat to act: all legal actions except leading, drawing, passing and refusing.
    #[inline]
    pub fn plays(&self) -> Plays {
        match self.stage {
            Stage::Playing { .. } => Plays {
                fits: self.fits,
                hand: self.hands[self.to_act],
                faces: *self.layout.faces(),
                counts: self.count_plays(self.to_act),
            },
            _ => Plays::none(self.fits),
        }
    }

    /// Returns the number of plays a seat would have on each arm if it were to act.
    #[inline]
    fn count_plays(&self, seat: Seat) -> [u32; 4] {
        let tally = &self.tallies[seat];
        let [n, e, s, w] = *self.layout.faces();
        [tally.plays(n), tally.plays(e), tally.plays(s), tally.plays(w)]
    }

    #[inline]
    fn can_play(&self, seat: Seat) -> bool {
        self.count_plays(seat) != [0; 4]
    }

    /// Whether the seat to act may draw; `stuck`: it holds no playable tile.
    #[inline]
    fn may_draw(&self, stuck: impl FnOnce() -> bool) -> bool {
        self.drawable() > 0
            && match (self.stage, self.rules.drawing) {
                (Stage::Leading { .. }, _) | (Stage::Playing { .. }, Drawing::Any) => true,
                (Stage::Playing { drew }, Drawing::One) => !drew && stuck(),
                _ => false,
            }
    }

    fn may_refuse(&self) -> bool {
        match self.stage {
            Stage::Leading { may_refuse: true, .. } => true,
            Stage::Leading { .. } => self.drawable() == 0 && !self.hands[self.to_act].meets(LEADABLE),
            _ => false,
        }
    }

    /// Applies an action and returns what happened, including a drawn tile. An illegal action changes nothing.
    #[inline]
    pub fn apply(&mut self, action: Action) -> Result<HistoryAction, IllegalActionError> {
        let taken = match action {
            Action::Lead(double) => self.lead(double),
            Action::Play(arm, lay) => self.play(arm, lay).is_some(),
            Action::Draw => {
                return self
                    .draw()
                    .map(|tile| HistoryAction::Draw(Some(tile)))
                    .ok_or(IllegalActionError { action });
            }
            Action::Pass => self.pass(),
            Action::Refuse => self.refuse(),
        };
        if taken { Ok(action.into()) } else { Err(IllegalActionError { action }) }
    }

    // Each of these applies its action if it is legal, and says whether it was.

    fn lead(&mut self, double: Double) -> bool {
        let legal = match self.stage {
            Stage::Announced(announced) => double == announced,
            Stage::Leading { .. } => self.hands[self.to_act].intersection(LEADABLE).contains(double.tile()),
            Stage::Playing { .. } | Stage::Over(_) => false,
        };
        if !legal {
            return false;
        }
        self.leader = self.to_act;
        self.discard(double.tile());
        self.layout.lead(&self.rules, double);
        self.finish_turn();
        true
    }

    /// [`apply`](Self::apply) for a play: returns the tile that was laid; `None` if it is not legal.
    #[inline]
    pub fn play(&mut self, arm: Arm, lay: Lay) -> Option<Tile> {
        let (tile, face) = (lay.tile(), self.layout.faces()[arm.index()]);
        let playing = matches!(self.stage, Stage::Playing { .. });
        if !(playing && self.fits.allows(face, lay, tile) && self.hands[self.to_act].contains(tile)) {
            return None;
        }
        self.discard(tile);
        self.layout.play(arm, lay);
        self.finish_turn();
        Some(tile)
    }

    /// [`apply`](Self::apply) for a draw: returns the tile that was drawn; `None` if it is not legal.
    #[inline]
    pub fn draw(&mut self) -> Option<Tile> {
        let seat = self.to_act;
        if !self.may_draw(|| !self.can_play(seat)) {
            return None;
        }
        let tile = self.deck.at(self.next);
        self.next += 1;
        self.hands[seat] = self.hands[seat].with(tile);
        self.tallies[seat] = self.tallies[seat].plus(self.fits.tally(tile));
        if let Stage::Playing { .. } = self.stage {
            self.stage = Stage::Playing { drew: true };
            self.end_if_blocked();
        }
        Some(tile)
    }

    /// [`draw`](Self::draw) from the other end of the boneyard; all other tiles keep their order. For playouts of a
    /// shuffled boneyard in which what one seat draws must not depend on how often the other drew.
    pub fn draw_last(&mut self) -> Option<Tile> {
        if self.may_draw(|| !self.can_play(self.to_act)) {
            self.deck.last_to_front(self.next);
        }
        self.draw()
    }

    fn pass(&mut self) -> bool {
        let playing = matches!(self.stage, Stage::Playing { .. });
        let legal = playing && !self.can_play(self.to_act) && !self.may_draw(|| true);
        if legal {
            self.pass_on();
        }
        legal
    }

    fn refuse(&mut self) -> bool {
        let Stage::Leading { may_refuse, refused } = self.stage else { return false };
        if !self.may_refuse() {
            return false;
        }
        if usize::from(refused) + 1 == self.rules.seats.count() {
            self.stage = Stage::Over(RoundOutcome::Refused);
        } else {
            self.to_act = self.rules.seats.after(self.to_act);
            self.leader = self.to_act;
            self.stage = Stage::Leading { may_refuse, refused: refused + 1 };
        }
        true
    }

    #[inline]
    fn discard(&mut self, tile: Tile) {
        let seat = self.to_act;
        self.hands[seat] = self.hands[seat].without(tile);
        self.tallies[seat] = self.tallies[seat].minus(self.fits.tally(tile));
        self.outside = self.outside.without(tile);
    }

    #[inline]
    fn finish_turn(&mut self) {
        if self.hands[self.to_act].is_empty() {
            self.stage = Stage::Over(RoundOutcome::Dominoed { winner: self.to_act });
            return;
        }
        self.pass_on();
        self.end_if_blocked();
    }

    fn pass_on(&mut self) {
        self.to_act = self.rules.seats.after(self.to_act);
        self.stage = Stage::Playing { drew: false };
    }

    /// Ends the round if no further play is possible.
    #[inline]
    fn end_if_blocked(&mut self) {
        if self.nothing_fits() || self.drawable() == 0 && self.nobody_can_play() {
            self.block();
        }
    }

    fn nobody_can_play(&self) -> bool {
        !self.rules.seats.iter().any(|seat| self.can_play(seat))
    }

    #[cold]
    fn block(&mut self) {
        let (mut lightest, mut winner) = (u32::MAX, None);
        for (seat, hand) in self.hands.iter() {
            let pips = hand.pips();
            if pips <= lightest {
                winner = (pips < lightest).then_some(seat);
                lightest = pips;
            }
        }
        self.stage = Stage::Over(RoundOutcome::Blocked { winner });
    }
}

/// Returns tiles as a hand, and the number of plays they have.
#[inline]
fn tallied(fits: &Fits, tiles: impl Iterator<Item = Tile>) -> (TileSet, PlayCounts) {
    tiles.fold((TileSet::EMPTY, PlayCounts::EMPTY), |(hand, tally), tile| {
        (hand.with(tile), tally.plus(fits.tally(tile)))
    })
}

/// Returns the index in the deck from which on nobody may draw.
fn first_reserved(rules: &Rules) -> u8 {
    rules.set.size() as u8 - rules.reserve
}

fn first_turn(hands: &PerSeat<TileSet>, lead: Lead) -> Option<(Seat, Stage)> {
    let dealt = hands.iter().fold(TileSet::EMPTY, |all, (_, hand)| all.union(*hand));
    let holder = |tile: Tile| hands.iter().find(|(_, hand)| hand.contains(tile)).map(|(seat, _)| seat);
    let announced = |tile: Tile| Some((holder(tile)?, Stage::Announced(tile.double()?)));
    match lead {
        Lead::Lowest => announced(dealt.intersection(LEADABLE).first()?),
        Lead::Highest => announced(dealt.intersection(DOUBLES).last()?),
        Lead::HighestHolder => {
            let seat = holder(dealt.intersection(LEADABLE).last()?)?;
            // This seat holds a double, so it never gets to refuse.
            Some((seat, Stage::Leading { may_refuse: false, refused: 0 }))
        }
        Lead::Loser { first, may_refuse } => Some((first, Stage::Leading { may_refuse, refused: 0 })),
    }
}
