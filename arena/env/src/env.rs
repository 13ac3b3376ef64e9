//! Matches one decision at a time: forced actions, deals and scoring happen in between, as in the arena.

use leyden_model::{MatchSeed, TournamentSeed};
use leyden_protocol::{Action, PerSeat, RulesName, Seat, Seats, Set, View};
use leyden_rules::{DEFAULT_TARGET, IllegalActionError, Match, Rules, RulesError};

use crate::reward::{self, RewardKind};

/// A combination of rule set, seats, set and target that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvError {
    #[error("expected 2 to 8 seats, got {0}")]
    Seats(usize),
    #[error("expected 6, 9 or 12 (the highest pip of the set), got {0}")]
    Set(u8),
    #[error(transparent)]
    Name(#[from] leyden_protocol::UnknownRulesError),
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// A match after the other, all of them from one seed. A seat is asked only when it has a choice, as in the arena.
///
/// ```
/// use leyden_env::{ActionTable, Encoding, Env, RewardKind};
/// use leyden_model::TournamentSeed;
/// use leyden_protocol::RulesName;
/// use leyden_rules::Rules;
///
/// let rules = Rules::standard(RulesName::Leyden);
/// let mut env = Env::new(&rules, RewardKind::Points, TournamentSeed::from_text("mine"), 0, 1);
/// let (encoding, actions) = (Encoding::new(&rules), ActionTable::new(rules.set));
/// let (mut observation, mut legal) = (vec![0; encoding.len()], Vec::new());
/// while let Some(seat) = env.to_act() {
///     encoding.write(&env.view(seat, &mut legal).expect("the match is not over"), &mut observation);
///     let number = actions.number(env.legal()[0]).expect("it is in the table"); // a policy chooses by `observation`
///     let action = actions.action(number).expect("so it has a number");
///     let rewards = env.step(action)?; // one for each seat
///     assert_eq!(rewards.seats(), rules.seats);
/// }
/// # Ok::<(), leyden_rules::IllegalActionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Env {
    rules: Rules,
    reward: RewardKind,
    seed: TournamentSeed,
    /// The number of the match among those of the seed.
    number: u32,
    stride: u32,
    match_seed: MatchSeed,
    game: Match,
    /// The legal actions of the seat to act.
    legal: Vec<Action>,
    /// The seat to act; `None` once the match is over.
    to_act: Option<Seat>,
}

impl EnvError {
    /// Returns the rules of these names and numbers: `top` is the highest pip of the set. Without a target, the usual one.
    pub fn rules(name: &str, seats: usize, top: u8, target: Option<u32>) -> Result<Rules, Self> {
        let name: RulesName = name.parse()?;
        let seats = Seats::new(seats).ok_or(Self::Seats(seats))?;
        let set = Set::from_top(top).ok_or(Self::Set(top))?;
        Ok(Rules::new(name, seats, set, target.unwrap_or(DEFAULT_TARGET))?)
    }
}

impl Env {
    /// Begins the match of a number; those after it are `stride` apart.
    pub fn new(rules: &Rules, reward: RewardKind, seed: TournamentSeed, number: u32, stride: u32) -> Self {
        let mut env = Self {
            rules: *rules,
            reward,
            seed,
            number,
            stride: stride.max(1),
            match_seed: seed.match_seed(&[], number),
            game: Match::new(rules),
            legal: Vec::new(),
            to_act: None,
        };
        env.begin(number);
        env
    }

    /// Begins the next match.
    pub fn next_match(&mut self) {
        self.begin(self.number.wrapping_add(self.stride));
    }

    /// Begins a match, or the first one after it in which anybody has a choice.
    fn begin(&mut self, number: u32) {
        self.number = number;
        loop {
            self.match_seed = self.seed.match_seed(&[], self.number);
            self.game = Match::new(&self.rules);
            let mut rewards = PerSeat::default_for(self.rules.seats);
            self.advance(&mut rewards);
            if self.to_act.is_some() {
                return;
            }
            self.number = self.number.wrapping_add(self.stride);
        }
    }

    /// Returns the rules by which its matches are played.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the match, with everything that is hidden in it.
    pub fn game(&self) -> &Match {
        &self.game
    }

    /// Returns the seat to act; `None` once the match is over.
    pub fn to_act(&self) -> Option<Seat> {
        self.to_act
    }

    /// Returns the legal actions of the seat to act, two or more, in the order of the protocol; none once the match is over.
    pub fn legal(&self) -> &[Action] {
        &self.legal
    }

    /// Returns the number of this match among those of the seed.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the seed that a bot is given for this match.
    pub fn bot_seed(&self, seat: Seat) -> u64 {
        self.match_seed.bot_seed(0, seat)
    }

    /// Returns what a seat sees: all that its observation is made from. `None` once the match is over.
    pub fn view<'a>(&'a self, seat: Seat, legal: &'a mut Vec<Action>) -> Option<View<'a>> {
        self.game.view(seat, legal)
    }

    /// Takes an action of the seat to act, and then all that is forced, up to the next decision or the end of the match.
    /// Returns what each seat gets for it.
    pub fn step(&mut self, action: Action) -> Result<PerSeat<f32>, IllegalActionError> {
        if self.to_act.is_none() {
            return Err(IllegalActionError { action });
        }
        self.game.apply(action)?;
        let mut rewards = PerSeat::default_for(self.rules.seats);
        self.advance(&mut rewards);
        Ok(rewards)
    }

    /// Deals, settles and takes what is forced, up to the next decision or the end of the match.
    fn advance(&mut self, rewards: &mut PerSeat<f32>) {
        self.to_act = None;
        self.legal.clear();
        loop {
            let Some(round) = self.game.round() else {
                if self.game.finish().is_some() {
                    self.finish(rewards);
                    return;
                }
                let deck = self.match_seed.deck(self.rules.set, self.game.deal_number());
                self.game.deal(&deck);
                continue;
            };
            let Some(seat) = round.to_act() else {
                self.settle(rewards);
                continue;
            };
            let legal = round.legal();
            let Some(forced) = legal.forced() else {
                legal.iter().for_each(|action| self.legal.push(action));
                self.to_act = Some(seat);
                return;
            };
            let applied = self.game.apply(forced);
            debug_assert!(applied.is_ok(), "a forced action is legal");
        }
    }

    fn settle(&mut self, rewards: &mut PerSeat<f32>) {
        let Some(settled) = self.game.settle() else { return };
        if self.reward == RewardKind::Points {
            let gained = reward::advantage(self.rules.better, &settled.points);
            for (seat, reward) in rewards.iter_mut() {
                *reward += gained[seat];
            }
        }
    }

    fn finish(&self, rewards: &mut PerSeat<f32>) {
        if self.reward == RewardKind::Match {
            *rewards = reward::result(self.game.scores(), self.game.leading());
        }
    }
}
