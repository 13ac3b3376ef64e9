//! A round as one seat sees it, to be completed with guesses.

use leyden_protocol::{Action, HistoryAction, HistoryEntry, PerSeat, Phase, Seat, Tile, TileSet, View};

use super::{Round, Stage, SuppositionError, first_reserved, tallied};
use crate::deck::Deck;
use crate::fits::Fits;
use crate::layout::Layout;
use crate::ruleset::Rules;

/// What a seat sees of a round, to be completed with guesses of the rest.
///
/// ```
/// use leyden_protocol::RulesName;
/// use leyden_rules::{Deck, InformationSet, Match, Round, Rules};
///
/// let rules = Rules::standard(RulesName::Leyden);
/// let mut game = Match::new(&rules);
/// game.deal(&Deck::in_order(rules.set));
/// let seat = game.round().and_then(|round| round.to_act()).expect("a hand has a double");
/// let mut legal = Vec::new();
/// let view = game.view(seat, &mut legal).expect("a round is played");
/// let guess: Vec<_> = Round::unseen(&rules, &view).iter().collect(); // a bot shuffles it, once for each guess
/// let round = InformationSet::new(&rules, &view)?.suppose(&guess)?;
/// assert_eq!(round.hand(seat), view.hand);
/// # Ok::<(), leyden_rules::SuppositionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InformationSet {
    /// The round with empty other hands. The deck ends with the hidden tiles.
    round: Round,
    /// The seat whose view this is.
    seat: Seat,
    counts: PerSeat<u8>,
    hidden: TileSet,
}

impl InformationSet {
    /// Takes what a seat sees. An error if the view belongs to another rule set or number of seats.
    pub fn new(rules: &Rules, view: &View<'_>) -> Result<Self, SuppositionError> {
        if view.rules != rules.name || view.counts.seats() != rules.seats {
            return Err(SuppositionError::Rules);
        }
        let mut layout = Layout::empty();
        let mut leader = view.seat;
        let mut refused = 0;
        for entry in view.history.iter() {
            match entry.event {
                HistoryAction::Lead(double) => {
                    leader = entry.seat;
                    layout.lead(rules, double);
                }
                HistoryAction::Play(arm, lay) => layout.play(arm, lay),
                HistoryAction::Refuse => refused += 1,
                HistoryAction::Draw(_) | HistoryAction::Pass => {}
            }
        }
        let drew = matches!(view.history.last(),
            Some(HistoryEntry { seat, event: HistoryAction::Draw(_) }) if *seat == view.seat);
        let may_refuse = view.legal.len() > 1 && view.legal.contains(&Action::Refuse);
        let stage = match view.phase {
            Phase::Lead => Stage::Leading { may_refuse, refused },
            Phase::Play => Stage::Playing { drew },
        };
        let fits = Fits::for_rules(rules);
        let mut hands = PerSeat::default_for(rules.seats);
        let mut tallies = PerSeat::default_for(rules.seats);
        (hands[view.seat], tallies[view.seat]) = tallied(fits, view.hand.iter());
        let hidden = Round::unseen(rules, view);
        let held = rules.seats.iter().filter(|&seat| seat != view.seat).map(|seat| view.counts[seat]);
        let boneyard = usize::from(view.boneyard);
        if held.map(usize::from).sum::<usize>() + boneyard != hidden.len() {
            return Err(SuppositionError::Unseen);
        }
        let round = Round {
            rules: *rules,
            fits,
            hands,
            tallies,
            deck: Deck::ending_in(rules.set, hidden),
            next: (rules.set.size() - boneyard) as u8,
            reserve: first_reserved(rules),
            layout,
            outside: hidden.union(view.hand),
            to_act: view.seat,
            leader,
            stage,
        };
        Ok(Self { round, seat: view.seat, counts: view.counts, hidden })
    }

    /// Returns the round completed with a guess: `unseen` holds each tile of [`Round::unseen`] once, first the other
    /// seats' hands in seat order, then the boneyard in drawing order.
    pub fn suppose(&self, unseen: &[Tile]) -> Result<Round, SuppositionError> {
        if unseen.len() != self.hidden.len() || unseen.iter().copied().collect::<TileSet>() != self.hidden {
            return Err(SuppositionError::Unseen);
        }
        let mut round = self.round;
        round.deck.rearrange_last(unseen);
        let mut left = unseen.iter().copied();
        for seat in self.round.rules.seats.iter().filter(|&seat| seat != self.seat) {
            let held = left.by_ref().take(self.counts[seat].into());
            (round.hands[seat], round.tallies[seat]) = tallied(round.fits, held);
        }
        Ok(round)
    }
}

impl Round {
    /// Returns the round as a seat sees it, completed with a guess of what it does not see. For many guesses use
    /// [`InformationSet`].
    pub fn suppose(rules: &Rules, view: &View<'_>, unseen: &[Tile]) -> Result<Self, SuppositionError> {
        InformationSet::new(rules, view)?.suppose(unseen)
    }
}
