//! How much of a pairing's variance is the bots' own chance, which luck never takes out: only deals and draws have a known mean.
//!
//! `cargo bench -p leyden-luck --bench own_chance -- [--pairs N] [--seed N] [--rules NAME] [A B]`
//!
//! A bot that decides a position again may choose another action. With V(h) the expected result if the bots themselves play
//! on, Σ E[(V after the decision − V before it)²] over the decisions of a match is the variance that would be left if V were
//! known. Some decisions are repeated many times and played on to the end of the round; there the match equity stands for the
//! rest of the match, as in the luck itself.
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]

use leyden_luck::{Baseline, EquityTable};
use leyden_protocol::{Action, Clock, RulesName, Seat, Seats, Tile, Turn};
use leyden_rules::{DealOutcome, Deck, Match, RoundOutcome, Rules};
use leyden_sample_bots::Strategy;
use leyden_sample_bots::dice::Dice;
use leyden_sample_bots::table::RecordedDeal;
use table::{bot, play, result};

#[path = "../tests/table/mod.rs"]
mod table;

/// One decision of this many is repeated.
const ONE_OF: usize = 50;
/// How often it is repeated.
const REPEATS: usize = 48;

const CLOCK: Clock = Clock { turn_ms: 1_000, bank_ms: 0, last_us: None };

struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn from_values(values: &[f64]) -> Self {
        let (sum, squares) = values.iter().fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        Self { count: values.len() as f64, sum, squares }
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn variance(&self) -> f64 {
        (self.squares - self.sum * self.mean()) / (self.count - 1.0)
    }

    /// Of the mean.
    fn error(&self) -> f64 {
        (self.variance() / self.count).sqrt()
    }
}

/// Two bots that repeat decisions with other chance.
struct Table {
    equity: EquityTable,
    bots: [Box<dyn Strategy>; 2],
    dice: Dice,
}

impl Table {
    /// What the decisions of a match add to its variance: an unbiased estimate from a sample of them.
    fn own_chance(&mut self, deals: &[RecordedDeal]) -> f64 {
        let rules = *self.equity.rules();
        let (mut game, mut right, mut sum) = (Match::new(&rules), Seat::FIRST, 0.0);
        for (deck, actions) in deals {
            let before = game.clone();
            if game.deal(deck) == DealOutcome::NoDouble {
                continue;
            }
            let actions: Vec<Action> = actions.iter().map(|entry| entry.event.into()).collect();
            for (index, action) in actions.iter().enumerate() {
                let round = game.round().expect("it is played");
                if round.legal().forced().is_none() && self.dice.below(ONE_OF) == 0 {
                    let hidden = round.boneyard().len();
                    sum += ONE_OF as f64
                        * self.squared((&before, right), deck.tiles(), hidden, (&actions[..index], *action));
                }
                game.apply(*action).expect("it was legal");
            }
            right = next_right(&game, right);
            game.settle();
        }
        sum
    }

    /// The square of a decision's value less the value of deciding again. The product of two independent estimates has that
    /// square as its mean; this is the mean over all pairs of estimates.
    fn squared(
        &mut self,
        begun: (&Match, Seat),
        tiles: &[Tile],
        hidden: usize,
        (before, taken): (&[Action], Action),
    ) -> f64 {
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut tiles = tiles.to_vec();
        let seen = tiles.len() - hidden;
        for _ in 0..REPEATS {
            self.dice.shuffle(&mut tiles[seen..]);
            let mut game = begun.0.clone();
            game.deal(&Deck::new(begun.0.rules().set, &tiles).expect("a shuffled set"));
            for action in before {
                game.apply(*action).expect("it was legal");
            }
            let [was, again] = [Some(taken), None].map(|first| self.play_on(game.clone(), begun.1, first));
            sum += was - again;
            squares += (was - again) * (was - again);
        }
        (sum * sum - squares) / (REPEATS * (REPEATS - 1)) as f64
    }

    /// The first seat's expected result if the bots play the round out from here, after `first` if there is one.
    fn play_on(&mut self, mut game: Match, right: Seat, mut first: Option<Action>) -> f64 {
        let rules = *game.rules();
        for bot in &mut self.bots {
            bot.begin(&rules, self.dice.below(usize::MAX >> 32) as u64);
        }
        let mut legal = Vec::new();
        while let Some(seat) = game.round().and_then(leyden_rules::Round::to_act) {
            let forced = game.round().and_then(|round| round.legal().forced());
            let action = first.take().or(forced).unwrap_or_else(|| {
                let view = game.view(seat, &mut legal).expect("a round is played");
                self.bots[seat.index()].choose(&Turn::new(1, "table", view, CLOCK))
            });
            game.apply(action).expect("bots play what is legal");
        }
        let right = next_right(&game, right);
        game.settle();
        if game.finish().is_some() {
            return result(&game);
        }
        let mut scores = game.scores().as_slice().iter().copied();
        let scores = [scores.next().unwrap_or(0), scores.next().unwrap_or(0)];
        self.equity.value(Baseline::Varied, scores, right)
    }
}

/// The seat with the first right to lead after a round that is over.
fn next_right(game: &Match, had: Seat) -> Seat {
    let Some(round) = game.round() else { return had };
    match round.outcome() {
        None | Some(RoundOutcome::Refused) => had,
        Some(outcome) => outcome.winner().map_or(round.leader(), |winner| Seats::TWO.after(winner)),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut pairs, mut seed, mut name, mut names) = (20, 1, RulesName::Leyden, Vec::new());
    while let Some(word) = arguments.next() {
        let mut value = || arguments.next().expect("a value");
        match word.as_str() {
            "--bench" | "--test" => {}
            "--pairs" => pairs = value().parse().expect("a number"),
            "--seed" => seed = value().parse().expect("a number"),
            "--rules" => name = value().parse().expect("rules"),
            _ => names.push(word),
        }
    }
    if names.is_empty() {
        names = ["careful --blunder 25", "careful"].map(str::to_owned).to_vec();
    }
    let [one, two] = &names[..] else { panic!("name two bots, or none") };
    let rules = Rules::standard(name);
    let equity = EquityTable::for_rules(&rules).expect("known");
    let mut tables = [[one, two], [two, one]].map(|names| Table {
        equity: equity.clone(),
        bots: names.map(|name| bot(name)),
        dice: Dice::seeded(seed),
    });
    let (mut scores, mut own): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for block in 0..pairs {
        let mut score = 0.0;
        for (leg, table) in (0..).zip(&mut tables) {
            let [first, second] = &mut table.bots;
            let (game, deals) =
                play(&rules, &mut [&mut **first, &mut **second], seed * 1_000_003 + block, leg);
            score += if leg == 0 { result(&game) } else { 1.0 - result(&game) } / 2.0;
            own.push(table.own_chance(&deals));
        }
        scores.push(score);
    }
    let (scores, own) = (Mean::from_values(&scores), Mean::from_values(&own));
    // Of the two legs of a pair, whose mean its score is.
    let share = 0.5 / scores.variance();
    println!(
        "{name} {one} – {two}: {pairs} pairs, variance {:.4}; own chance adds {:.4} ± {:.4} to a match, {:.2} ± {:.2} of a pair's",
        scores.variance(),
        own.mean(),
        own.error(),
        share * own.mean(),
        share * own.error()
    );
}
