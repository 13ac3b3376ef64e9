//! A ladder to climb: each level plays like the one below with one idea more; the highest adds three ideas that are worth little alone.
//!
//! The lower levels evaluate each play without search, by one more feature at each level; the upper ones try plays on deals of the
//! unseen tiles, each better than the level below. Below the lowest is `random`, above the highest is `strong`, whose parts they
//! are made of. `THINKING.md` explains the ideas in order, and `STRENGTH.md` says what each is worth.

use leyden_protocol::{Action, Turn};
use leyden_rules::{InformationSet, Round, Rules};

use crate::dice::Dice;
use crate::strategy::Strategy;
use crate::strong::belief::{Evidence, Model};
use crate::strong::budget::Effort;
use crate::strong::features::{Feature, KINDS, Weights};
use crate::strong::playout::Playout;
use crate::strong::policy::Policy;
use crate::strong::search::Search;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    /// Any tile that fits, and up to one optional draw a turn.
    NearlyAny,
    /// Any tile that fits.
    Any,
    /// The play with the highest value by the first groups of [`FEATURES_BY_LEVEL`], this many.
    Glance(usize),
    /// The action that does best on deals of the unseen tiles, with this many playouts in all.
    Search { playouts: u32, knowledge: Knowledge },
}

/// What a search knows in addition to the rules.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Knowledge {
    /// All deals are equally likely, and rounds are played out by weights set by hand.
    Nothing,
    /// What draws and passes reveal, trained weights, and that several tiles can be drawn at once.
    Draws,
}

/// A level; its number is its position, from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LadderLevel {
    /// What it does that the level below does not.
    pub idea: &'static str,
    /// The file in `sample-bots` in which to read that.
    pub file: &'static str,
    method: Method,
}

impl LadderLevel {
    /// Whether it tries its plays on deals of the unseen tiles, which takes milliseconds.
    pub fn searches(&self) -> bool {
        matches!(self.method, Method::Search { .. })
    }
}

/// The weights of features, in thirds of a pip, in the order in which the levels add them.
const FEATURES_BY_LEVEL: [&[(Feature, f32)]; 3] = [
    &[(Feature::Pips, 3.0)],
    &[
        (Feature::Matador, -15.0),
        (Feature::BlankDouble, -3.0),
        (Feature::Across, -4.5),
        (Feature::Stiff, 4.0),
        (Feature::OwnFits, 1.5),
        (Feature::Options, 2.0),
        (Feature::Stuck, -6.0),
    ],
    &[(Feature::UnseenFits, -2.0), (Feature::Fed, -12.0), (Feature::Starved, 18.0)],
];

/// The levels, the lowest first.
pub const LEVELS: [LadderLevel; 8] = [
    LadderLevel {
        idea: "never refuses to lead, nor draws two tiles that it does not need",
        file: "ladder/strategy.rs",
        method: Method::NearlyAny,
    },
    LadderLevel { idea: "plays whenever it can, any tile", file: "ladder/strategy.rs", method: Method::Any },
    LadderLevel { idea: "plays its heaviest tile", file: "ladder/strategy.rs", method: Method::Glance(1) },
    LadderLevel {
        idea: "keeps its matadors, and tiles that it can play next",
        file: "ladder/strategy.rs",
        method: Method::Glance(2),
    },
    LadderLevel {
        idea: "leaves the next player little that fits",
        file: "ladder/strategy.rs",
        method: Method::Glance(3),
    },
    LadderLevel {
        idea: "tries its plays on deals of the unseen tiles",
        file: "strong/search.rs",
        method: Method::Search { playouts: 250, knowledge: Knowledge::Nothing },
    },
    LadderLevel {
        idea: "tries them on four times as many",
        file: "strong/search.rs",
        method: Method::Search { playouts: 1_000, knowledge: Knowledge::Nothing },
    },
    LadderLevel {
        idea: "thinks of drawing several tiles at once, on deals that explain draws and passes, by trained weights",
        file: "montecarlo/worlds.rs",
        method: Method::Search { playouts: 1_000, knowledge: Knowledge::Draws },
    },
];

/// One level. Except at the lowest two, randomness affects only which deals are tried.
pub struct Ladder {
    method: Method,
    rules: Rules,
    glance: Option<Policy>,
    dice: Dice,
}

impl Ladder {
    /// A level from 1; nothing above the highest.
    pub fn level(number: usize) -> Option<Self> {
        let method = LEVELS.get(number.checked_sub(1)?)?.method;
        let rules = Rules::standard(leyden_protocol::RulesName::default());
        Some(Self { method, rules, glance: None, dice: Dice::seeded(0) })
    }

    /// The choice of a policy; nothing that the seat cannot see affects it.
    fn at_a_glance(&self, turn: &Turn<'_>, policy: &Policy) -> Option<Action> {
        let unseen: Vec<_> = Round::unseen(&self.rules, &turn.view()).into_iter().collect();
        let round = InformationSet::new(&self.rules, &turn.view()).ok()?.suppose(&unseen).ok()?;
        Playout::new(&round, &turn.history, policy).choice()
    }

    /// Any tile, or else one draw, unless the turn has begun with a draw.
    fn nearly_any(&mut self, turn: &Turn<'_>) -> Option<Action> {
        let drew = turn.history.last().is_some_and(|entry| {
            entry.seat == turn.seat && matches!(entry.event, leyden_protocol::HistoryAction::Draw(_))
        });
        let pick = turn.legal.get(self.dice.below(turn.legal.len())).copied();
        pick.filter(|action| action.tile().is_some() || *action == Action::Draw && !drew)
            .or_else(|| self.any_play(turn))
    }

    fn any_play(&mut self, turn: &Turn<'_>) -> Option<Action> {
        let plays = turn.legal.iter().copied().filter(|action| action.tile().is_some());
        let plays: Vec<Action> = plays.collect();
        plays.get(self.dice.below(plays.len())).or(turn.legal.first()).copied()
    }
}

/// The weights of the first `ideas` groups of features, the same in all kinds of position.
fn weights(ideas: usize) -> Weights {
    let mut row = [0.0; Feature::ALL.len()];
    for &(feature, value) in FEATURES_BY_LEVEL.iter().take(ideas).copied().flatten() {
        row[feature as usize] = value;
    }
    Weights([row; KINDS])
}

impl Strategy for Ladder {
    fn begin(&mut self, rules: &Rules, bot_seed: u64) {
        self.rules = *rules;
        self.dice = Dice::seeded(bot_seed);
        if let Method::Glance(ideas) = self.method {
            self.glance = Some(Policy::new(rules.set, &weights(ideas)));
        }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        let rules = self.rules;
        let choice = match self.method {
            Method::NearlyAny => self.nearly_any(turn),
            Method::Any => self.any_play(turn),
            Method::Glance(_) => self.glance.as_ref().and_then(|policy| self.at_a_glance(turn, policy)),
            Method::Search { playouts, knowledge } => {
                let model = Model::for_rules(&rules);
                let (policy, evidence) = match knowledge {
                    Knowledge::Nothing => (by_hand(&rules), Evidence::Nothing),
                    Knowledge::Draws => (Policy::for_rules(&rules), Evidence::Draws),
                };
                let search = Search {
                    playouts,
                    effort: Effort::Playouts,
                    policy,
                    model,
                    evidence,
                    draws_ahead: knowledge == Knowledge::Draws,
                    corrects_bias: false,
                };
                search.decide(&rules, turn, &mut self.dice)
            }
        };
        choice.or(turn.legal.first().copied()).unwrap_or(Action::Pass)
    }
}

/// The weights of the highest level without search: set by hand, and the starting point of training.
pub fn weights_by_hand() -> Weights {
    weights(FEATURES_BY_LEVEL.len())
}

/// The policy with those weights.
fn by_hand(rules: &Rules) -> &'static Policy {
    static ALL: std::sync::LazyLock<[Policy; 3]> = std::sync::LazyLock::new(|| {
        leyden_protocol::Set::ALL.map(|set| Policy::new(set, &weights_by_hand()))
    });
    &ALL[rules.set as usize]
}
