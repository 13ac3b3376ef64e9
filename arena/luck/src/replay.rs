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

/// The sums over a match so far, all from the first seat's side.
pub(crate) struct MatchReplay<'a> {
    equity: &'a EquityTable,
    dice: Dice,
    /// By baseline, per round.
    samples: [u32; BASELINES],
    lucks: [f64; BASELINES],
    by_lead: f64,
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
        Self { equity, dice, samples, lucks, by_lead: 0.0, draws: DrawSums::default(), playouts: 0 }
    }

    /// By each baseline.
    pub(crate) fn lucks(&self) -> [f64; BASELINES] {
        self.lucks
    }

    /// Each round's luck, the mean over the baselines, times the lead before it, as a share of the target.
    pub(crate) fn by_lead(&self) -> f64 {
        self.by_lead
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
                samples.push(Sample { baseline, policies, boneyard: boneyard.clone(), diverged: None });
            }
        }
        let is_first = game.deal_number().round == 0;
        let MatchState { scores, right } = state;
        let start = if is_first { self.equity.start() } else { self.equity.values(scores, right) };
        let stakes = Stakes::of(self.equity, scores, right);
        let (skill, simulation) = ([0.0; BASELINES], Simulation::new(round));
        Some(RoundReplay { state, start, skill, stakes, simulation, samples })
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
        let RoundReplay { state, skill, stakes, simulation, samples, .. } = replay;
        let mut choices = Choices::new(simulation)?;
        for sample in samples.iter_mut() {
            if !is_forced && sample.diverged.is_none() {
                let choice = choices.choice(simulation, sample.policies)?;
                if choice != action {
                    let value = self.play_out(&mut start, game, simulation, sample, Some(choice), *state);
                    sample.diverged = Some(value?);
                }
            }
            if action == Action::Draw
                && let Some(diverged) = sample.diverged.take()
            {
                let drawing = self.play_out(&mut start, game, simulation, sample, Some(action), *state)?;
                skill[sample.baseline as usize] += self.share(sample.baseline, drawing - diverged);
            }
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
        self.add(&replay, values);
    }

    /// Ends a round that was broken off; `None` if nobody is to act in it.
    pub(crate) fn break_off(&mut self, mut replay: RoundReplay, game: &Match) -> Option<()> {
        let mut values = [0.0; BASELINES];
        let mut start = None;
        for sample in &replay.samples {
            let value = self.play_out(&mut start, game, &replay.simulation, sample, None, replay.state)?;
            if let Some(diverged) = sample.diverged {
                replay.skill[sample.baseline as usize] += self.share(sample.baseline, value - diverged);
            }
            values[sample.baseline as usize] += self.share(sample.baseline, value);
        }
        self.add(&replay, values);
        Some(())
    }

    /// Adds the luck of a round that ended with these values.
    fn add(&mut self, replay: &RoundReplay, values: [f64; BASELINES]) {
        let [one, other] = replay.state.scores.map(f64::from);
        let lead = (one - other) / f64::from(self.equity.rules().target);
        for (baseline, sum) in self.lucks.iter_mut().enumerate() {
            let luck = values[baseline] - replay.start[baseline] - replay.skill[baseline];
            *sum += luck;
            self.by_lead += lead * luck / BASELINES as f64;
        }
    }
}
