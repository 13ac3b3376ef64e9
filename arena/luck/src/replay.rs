//! A match as it is replayed, with the playouts that compare its decisions with the baselines'.

use leyden_protocol::{Action, HistoryAction, Seat, Tile};
use leyden_rules::{InformationSet, Match};

use crate::baseline::{BASELINES, Baseline};
use crate::dice::Dice;
use crate::draws::{self, DrawSums, Stakes};
use crate::equity::{EquityTable, next_right};
use crate::packed_playout::PackedPlayout;
use crate::policy::Policies;
use crate::round_end::RoundEnd;
use crate::simulation::{Choices, Simulation};

/// A match between two of its rounds.
#[derive(Clone, Copy)]
pub(crate) struct MatchState {
    pub(crate) scores: [u32; 2],
    /// The seat with the first right to lead the next round; the first seat where the rules give no such right.
    pub(crate) right: Seat,
}

/// How many samples of each baseline are followed, at most: with half as many, more of the luck by value is noise.
const FOLLOWED: usize = 32;

/// The sums over a match so far, all from the first seat's side.
pub(crate) struct MatchReplay<'a> {
    equity: &'a EquityTable,
    dice: Dice,
    /// By baseline, per round.
    samples: [u32; BASELINES],
    lucks: [f64; BASELINES],
    by_value: f64,
    draws: DrawSums,
    playouts: u32,
}

/// A round as it is replayed.
pub(crate) struct RoundReplay {
    /// Before the round.
    state: MatchState,
    /// The value of that by each baseline.
    start: [f64; BASELINES],
    /// By baseline: Σ [Q(action taken) − Q(action of the baseline)].
    skill: [f64; BASELINES],
    stakes: [Stakes; 2],
    simulation: Simulation,
    samples: Vec<Sample>,
    /// If tiles have been dealt or drawn since the last free decision: the value before that by each baseline's followed
    /// samples.
    before: Option<[f64; BASELINES]>,
}

/// Policies for a round and an order of what is left of its boneyard.
///
/// Given these, a baseline's round is determined from one draw to the next. So the differences of all decisions in between
/// add up to the value of the last position less that of the first: two playouts for all of them.
struct Sample {
    baseline: Baseline,
    policies: Policies,
    boneyard: Vec<Tile>,
    /// The baseline's value at the first decision since the last draw in which the bot acted differently.
    diverged: Option<f64>,
    /// For the first samples of each baseline, which are followed from draw to draw: the value by it, if it has not diverged.
    followed: Option<f64>,
}

impl Sample {
    /// Removes the tile that the match has drawn from the order. The tile that came first in the order takes its place, so
    /// all others stay where they were.
    fn draw(&mut self, drawn: Tile) {
        if let Some(place) = self.boneyard.iter().position(|tile| *tile == drawn) {
            self.boneyard.swap(0, place);
            self.boneyard.remove(0);
        }
    }
}

/// A position of the match, prepared for playouts with the boneyard in other orders.
enum PlayoutStart {
    Packed(PackedPlayout),
    /// As the seat to act sees it.
    Unpacked {
        seen: Box<InformationSet>,
        /// The rival's hand, then the boneyard.
        unseen: Vec<Tile>,
        /// The size of the rival's hand.
        held: usize,
    },
}

impl PlayoutStart {
    /// `None` if nobody is to act.
    fn of(game: &Match, simulation: &Simulation) -> Option<Self> {
        if let Some(packed) = PackedPlayout::of(&simulation.position) {
            return Some(Self::Packed(packed));
        }
        let round = game.round()?;
        let seat = round.to_act()?;
        let mut legal = Vec::new();
        let seen = Box::new(InformationSet::new(game.rules(), &game.view(seat, &mut legal)?).ok()?);
        let mut unseen: Vec<Tile> = round.hand(game.rules().seats.after(seat)).iter().collect();
        let held = unseen.len();
        unseen.extend_from_slice(round.boneyard());
        Some(Self::Unpacked { seen, unseen, held })
    }

    /// How the round ends with the boneyard in a sample's order if its policies play on after `first`.
    fn play_out(
        &mut self,
        simulation: &Simulation,
        sample: &Sample,
        first: Option<Action>,
    ) -> Option<RoundEnd> {
        match self {
            Self::Packed(packed) => Some(packed.with(&sample.boneyard).play_out(first, sample.policies)),
            Self::Unpacked { seen, unseen, held } => {
                unseen[*held..].copy_from_slice(&sample.boneyard);
                let mut simulation = simulation.with(sample.policies, &seen.suppose(unseen).ok()?);
                if let Some(action) = first {
                    simulation.apply(action).then_some(())?;
                }
                simulation.play_out()
            }
        }
    }
}

impl<'a> MatchReplay<'a> {
    /// From the first deal on, with so many samples of each baseline in a round.
    pub(crate) fn new(equity: &'a EquityTable, dice: Dice, samples: [u32; BASELINES]) -> Self {
        let lucks = [0.0; BASELINES];
        Self { equity, dice, samples, lucks, by_value: 0.0, draws: DrawSums::default(), playouts: 0 }
    }

    /// By each baseline.
    pub(crate) fn lucks(&self) -> [f64; BASELINES] {
        self.lucks
    }

    /// What deals and draws changed by the followed samples, each change times the [`weight`] of the value before it.
    pub(crate) fn by_value(&self) -> f64 {
        self.by_value
    }

    pub(crate) fn draws(&self) -> &DrawSums {
        &self.draws
    }

    /// The number of playouts so far.
    pub(crate) fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Begins a round that was just dealt. Orders of the boneyard are random, each with all its rotations, so that every
    /// tile comes next equally often.
    pub(crate) fn begin(&mut self, game: &Match, state: MatchState) -> Option<RoundReplay> {
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
                let policies = baseline.policies(&mut self.dice);
                let followed = (place < FOLLOWED).then_some(0.0);
                let boneyard = boneyard.clone();
                samples.push(Sample { baseline, policies, boneyard, diverged: None, followed });
            }
        }
        let is_first = game.deal_number().round == 0;
        let MatchState { scores, right } = state;
        let start = if is_first { self.equity.start() } else { self.equity.values(scores, right) };
        let stakes = Stakes::of(self.equity, scores, right);
        let (skill, simulation) = ([0.0; BASELINES], Simulation::new(round));
        Some(RoundReplay { state, start, skill, stakes, simulation, samples, before: Some(start) })
    }

    /// Takes the match's next action in the match, too; `None` if it is not legal.
    pub(crate) fn step(
        &mut self,
        replay: &mut RoundReplay,
        game: &mut Match,
        event: HistoryAction,
    ) -> Option<()> {
        let action = Action::from(event);
        let round = game.round()?;
        round.legal().contains(action).then_some(())?;
        let is_forced = round.legal().forced().is_some();
        let mut start = None;
        let RoundReplay { state, skill, stakes, simulation, samples, before, .. } = replay;
        if !is_forced {
            let before = before.take();
            let mut choices = Choices::new(simulation)?;
            for sample in samples.iter_mut().filter(|sample| sample.diverged.is_none()) {
                let choice = choices.choice(simulation, sample.policies)?;
                let diverges = choice != action;
                let value = match sample.followed {
                    // Nothing was dealt or drawn since.
                    Some(value) if before.is_none() => value,
                    None if !diverges => continue,
                    _ => self.play_out(&mut start, game, simulation, sample, Some(choice), *state)?,
                };
                sample.followed = sample.followed.and(Some(value));
                sample.diverged = diverges.then_some(value);
            }
            if let Some(before) = before {
                self.add_change(before, followed(samples));
            }
        }
        if action == Action::Draw {
            for sample in samples.iter_mut() {
                let Some(diverged) = sample.diverged.take() else { continue };
                let drawing = self.play_out(&mut start, game, simulation, sample, Some(action), *state)?;
                skill[sample.baseline as usize] += self.share(sample.baseline, drawing - diverged);
                sample.followed = sample.followed.and(Some(drawing));
            }
            before.get_or_insert_with(|| followed(samples));
        }
        let event = game.apply(action).ok()?.event;
        if let (HistoryAction::Draw(Some(drawn)), Some(seat)) = (event, simulation.position.round.to_act()) {
            let terms = draws::chance_terms(&simulation.position, seat, drawn, *stakes);
            self.draws.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
            for sample in samples {
                sample.draw(drawn);
            }
        }
        simulation.apply(action).then_some(())
    }

    /// The value of a playout from the position before the match's next action, with `first` in its place.
    fn play_out(
        &mut self,
        start: &mut Option<PlayoutStart>,
        game: &Match,
        simulation: &Simulation,
        sample: &Sample,
        first: Option<Action>,
        state: MatchState,
    ) -> Option<f64> {
        if start.is_none() {
            *start = Some(PlayoutStart::of(game, simulation)?);
        }
        let end = start.as_mut()?.play_out(simulation, sample, first)?;
        self.playouts += 1;
        Some(self.value(sample.baseline, &end, state))
    }

    /// The value of the match after a round that began in `state`.
    fn value(&self, baseline: Baseline, end: &RoundEnd, state: MatchState) -> f64 {
        let rules = self.equity.rules();
        let added = end.points(rules);
        let scores = [state.scores[0] + added[0], state.scores[1] + added[1]];
        self.equity.value(baseline, scores, next_right(rules, end, state.right))
    }

    /// What one of a baseline's samples adds to a mean over them.
    fn share(&self, baseline: Baseline, value: f64) -> f64 {
        value / f64::from(self.samples[baseline as usize])
    }

    /// Takes in how the round ended.
    pub(crate) fn end(&mut self, mut replay: RoundReplay, end: &RoundEnd) {
        for sample in &replay.samples {
            if let Some(diverged) = sample.diverged {
                let value = self.value(sample.baseline, end, replay.state);
                replay.skill[sample.baseline as usize] += self.share(sample.baseline, value - diverged);
            }
        }
        let values = Baseline::ALL.map(|baseline| self.value(baseline, end, replay.state));
        self.add(&replay, values, values);
    }

    /// Ends a round that was broken off; `None` if nobody is to act in it.
    pub(crate) fn break_off(&mut self, mut replay: RoundReplay, game: &Match) -> Option<()> {
        let mut values = [0.0; BASELINES];
        let mut start = None;
        // What a seat sees does not say which double the first round prescribes.
        let forced = game.round()?.legal().forced();
        for sample in &mut replay.samples {
            let value = self.play_out(&mut start, game, &replay.simulation, sample, forced, replay.state)?;
            if let Some(diverged) = sample.diverged {
                replay.skill[sample.baseline as usize] += self.share(sample.baseline, value - diverged);
            }
            values[sample.baseline as usize] += self.share(sample.baseline, value);
            sample.followed = sample.followed.and(Some(value));
        }
        let by_followed = followed(&replay.samples);
        self.add(&replay, values, by_followed);
        Some(())
    }

    /// Adds the luck of a round that ended with these values, those by the followed samples among them.
    fn add(&mut self, replay: &RoundReplay, values: [f64; BASELINES], by_followed: [f64; BASELINES]) {
        for (baseline, sum) in self.lucks.iter_mut().enumerate() {
            *sum += values[baseline] - replay.start[baseline] - replay.skill[baseline];
        }
        if let Some(before) = replay.before {
            self.add_change(before, by_followed);
        }
    }

    /// Adds what was dealt or drawn to the luck by value.
    fn add_change(&mut self, before: [f64; BASELINES], after: [f64; BASELINES]) {
        let sum: f64 = before.iter().sum();
        for (before, after) in before.into_iter().zip(after) {
            // By the others, since the chance in a baseline's playouts must not weight itself.
            let by_others = (sum - before) / (BASELINES - 1) as f64;
            self.by_value += weight(by_others) * (after - before) / BASELINES as f64;
        }
    }
}

/// The mean value by each baseline's followed samples.
fn followed(samples: &[Sample]) -> [f64; BASELINES] {
    Baseline::ALL.map(|baseline| {
        let values = || {
            samples.iter().filter(|sample| sample.baseline == baseline).filter_map(|sample| sample.followed)
        };
        values().sum::<f64>() / values().count() as f64
    })
}

/// How much a change counts in the luck by value: how far the value before it is from even, in standard deviations of the
/// result. From −5 to 5, with the sign of the seat that is ahead.
fn weight(value: f64) -> f64 {
    let value = value.clamp(0.01, 0.99);
    (value - 0.5) / (value * (1.0 - value)).sqrt()
}
