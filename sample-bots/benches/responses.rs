//! Whether `strong` loses to something simple: four best responses made by hand, each in pairs of matches against it.
//!
//! ```text
//! cargo bench -p leyden-sample-bots --bench responses -- [--pairs N] [--rules NAME]
//! ```
//!
//! The run fails if a response takes 45 % or more of the matches. Each one plays its tiles by the trained policy, the best play
//! without search, except for its trick. All rule sets are played unless one is named, each with the tricks that it leaves room
//! for. Run by `cargo test`, or with `--test`, it plays two pairs of each with few playouts, to show that it works.
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::process::ExitCode;

use leyden_protocol::{Action, Drawing, RuleSet, RulesName, TileSet, Turn};
use leyden_rules::{InformationSet, Round, Rules};
use leyden_sample_bots::Strategy;
use leyden_sample_bots::strong::Strong;
use leyden_sample_bots::strong::playout::Playout;
use leyden_sample_bots::strong::policy::Policy;
use leyden_sample_bots::table::{play_match, shuffled};

/// The share of the matches that no response may reach.
const LIMIT: f64 = 0.45;

/// The trick of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trick {
    /// Takes every tile that it may, at once: a seat that holds nearly all of them cannot get stuck, but the other can.
    Hoarder,
    /// Never draws, and refuses to lead, as long as that is legal: a few tiles are soon gone. Where nobody may refuse, it is
    /// the trained policy without any trick.
    NeverDraws,
    /// Makes the play after which the fewest unseen tiles fit.
    Blocker,
    /// Draws one tile at each turn at which it could play: an opponent that infers that nothing fitted is wrong each time.
    Bluffer,
}

const TRICKS: [Trick; 4] = [Trick::Hoarder, Trick::NeverDraws, Trick::Blocker, Trick::Bluffer];

impl Trick {
    /// Whether it can be done: where nobody draws who can play, there is no drawing at will.
    fn fits(self, rules: &RuleSet) -> bool {
        match self {
            Self::Hoarder | Self::Bluffer => rules.drawing == Drawing::Any,
            Self::NeverDraws | Self::Blocker => true,
        }
    }
}

struct Response {
    trick: Trick,
    rules: Rules,
}

impl Strategy for Response {
    fn begin(&mut self, rules: &Rules, _: u64) {
        self.rules = *rules;
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        let drew = turn
            .history
            .last()
            .is_some_and(|entry| entry.seat == turn.seat && Action::from(entry.event) == Action::Draw);
        let preferred = match self.trick {
            Trick::Hoarder => Some(Action::Draw),
            Trick::NeverDraws => Some(Action::Refuse).filter(|_| turn.legal[0].tile().is_none()),
            Trick::Bluffer => Some(Action::Draw).filter(|_| !drew),
            Trick::Blocker => self.blocking(turn),
        };
        preferred.filter(|action| turn.legal.contains(action)).unwrap_or_else(|| self.at_a_glance(turn))
    }
}

impl Response {
    fn at_a_glance(&self, turn: &Turn<'_>) -> Action {
        let choice = self
            .any_world(turn)
            .and_then(|round| Playout::new(&round, &turn.history, Policy::for_rules(&self.rules)).choice());
        choice.unwrap_or(turn.legal[0])
    }

    /// Some deal consistent with what the seat sees; the policy's choice does not depend on the rest.
    fn any_world(&self, turn: &Turn<'_>) -> Option<Round> {
        let unseen: Vec<_> = Round::unseen(&self.rules, &turn.view()).into_iter().collect();
        InformationSet::new(&self.rules, &turn.view()).ok()?.suppose(&unseen).ok()
    }

    fn blocking(&self, turn: &Turn<'_>) -> Option<Action> {
        let round = self.any_world(turn)?;
        let unseen = Round::unseen(&self.rules, &turn.view());
        let plays = turn.legal.iter().copied().filter(|action| matches!(action, Action::Play(..)));
        plays.min_by_key(|&action| {
            let mut after = round;
            let gone_out = after.apply(action).is_err() || after.outcome().is_some();
            if gone_out { 0 } else { 1 + fitting(&after, unseen) }
        })
    }
}

/// How many of these tiles the seat to act could play if it held them.
fn fitting(round: &Round, tiles: TileSet) -> usize {
    let sum = u32::from(round.rules().set.sum());
    let fits = |tile: leyden_protocol::Tile| {
        tile.pips() == 0
            || tile.pips() == sum
            || round.arms().iter().any(|(_, end)| {
                let touches = |pip: leyden_protocol::Pip| {
                    [tile.low(), tile.high()]
                        .iter()
                        .any(|half| u32::from(half.get()) + u32::from(pip.get()) == sum)
                };
                match end {
                    leyden_protocol::End::Pip(pip) => touches(pip),
                    leyden_protocol::End::Across(matador) => {
                        touches(matador.low()) || touches(matador.high())
                    }
                }
            })
    };
    tiles.into_iter().filter(|&tile| fits(tile)).count()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |option: &str| {
        let index = arguments.iter().position(|argument| argument == option)?;
        arguments.get(index + 1).cloned()
    };
    let measured = arguments.iter().any(|argument| argument == "--bench");
    let measured = measured && !arguments.iter().any(|argument| argument == "--test");
    let pairs = after("--pairs").and_then(|pairs| pairs.parse().ok()).unwrap_or(100);
    let names: Vec<RulesName> = match after("--rules").map(|name| name.parse()) {
        None => RulesName::ALL.to_vec(),
        Some(Ok(name)) => vec![name],
        Some(Err(mistake)) => {
            println!("{mistake}");
            return ExitCode::from(2);
        }
    };
    let tables = names.iter().map(|&name| Rules::standard(name));
    let matchups = tables.flat_map(|rules| {
        TRICKS.into_iter().filter(move |trick| trick.fits(&rules)).map(move |trick| (rules, trick))
    });
    let mut lost = false;
    for (rules, trick) in matchups {
        let name = rules.name;
        let shares: Vec<f64> = if measured {
            (0..pairs).map(|pair| share(&rules, trick, pair, Strong::usual_playouts(&rules))).collect()
        } else {
            (0..2).map(|pair| share(&rules, trick, pair, 30)).collect()
        };
        let count = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / count;
        let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let off = 1.96 * (variance / count).sqrt();
        println!(
            "{name:<13} {:<11} {:5.1} % ± {:3.1} ({count} pairs)",
            format!("{trick:?}"),
            100.0 * mean,
            100.0 * off
        );
        lost |= measured && mean >= LIMIT;
    }
    if lost {
        println!("a simple response reaches {} %", 100.0 * LIMIT);
    }
    ExitCode::from(u8::from(lost))
}

/// The response's share of two matches with the same deals, one from each side.
fn share(rules: &Rules, trick: Trick, pair: u64, playouts: u32) -> f64 {
    let mut won = 0.0;
    for own_seat in 0..2 {
        let mut response = Response { trick, rules: *rules };
        let mut strong = Strong::new().with_playouts(playouts);
        let mut players: [&mut dyn Strategy; 2] = [&mut response, &mut strong];
        players.rotate_left(own_seat);
        let game = play_match(rules, &mut players, &[2 * pair, 2 * pair + 1], |number| {
            shuffled(rules, pair, number)
        });
        won += match game.leading() {
            Some(seat) if seat.index() == own_seat => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
    }
    won / 2.0
}
