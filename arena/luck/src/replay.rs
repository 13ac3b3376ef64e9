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
    samples: SampleCounts,
    luck: [f64; BASELINES],
    value_weighted: f64,
    draws: DrawSums,
    playouts: u32,
    /// By baseline: Σ of what the value-weighted luck weights.
    #[cfg(test)]
    changes: [f64; BASELINES],
}

/// How many samples of each baseline there are in a round.
#[derive(Clone, Copy)]
pub(crate) struct SampleCounts {
    pub(crate) all: [u32; BASELINES],
    /// How many of those are followed. This number must be fixed before the match: the weights are not linear in the
    /// values, so the value-weighted luck would no longer have mean 0 if the course of the match decided the number.
    pub(crate) followed: [u32; BASELINES],
}

/// A round as it is replayed.
pub(crate) struct RoundReplay {
    /// Before the round.
    state: MatchState,
    stakes: [Stakes; 2],
    simulation: Simulation,
    samples: Vec<Sample>,
    /// If tiles have been dealt or drawn since the last free decision: the value before that by each baseline, which is the match
    /// equity before a deal and the mean over the followed samples before a draw.
    before: Option<[f64; BASELINES]>,
}

/// Policies for a round and an order of what is left of its boneyard.
///
/// Given these, a baseline's round is determined from one draw to the next. So the differences of all decisions in between
/// add up to the value of the last position less that of the first: two playouts for all of them.
struct Sample {
    baseline: Baseline,
    policies: Policies,
    /// The first seat draws from its beginning, the second from its end.
    boneyard: Vec<Tile>,
    /// The baseline's value at the first decision since the last draw in which the bot acted differently.
    diverged: Option<f64>,
    /// For the followed samples, which are valued at the first free decision after each draw: the value there, or where it
    /// diverged, or of the draw that ended that. It is current until the next draw.
    followed: Option<f64>,
}

impl Sample {
    /// Removes the tile that the match has drawn from the order. The tile that the seat would have drawn by the order takes
    /// its place, so all others stay where they were.
    fn draw(&mut self, seat: Seat, drawn: Tile) {
        if let Some(index) = self.boneyard.iter().position(|tile| *tile == drawn) {
            if seat == Seat::FIRST {
                self.boneyard.swap(0, index);
                self.boneyard.remove(0);
            } else {
                self.boneyard.swap_remove(index);
            }
        }
    }

    /// Notes the value if the sample is followed.
    fn follow(&mut self, value: f64) {
        self.followed = self.followed.and(Some(value));
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
    fn new(game: &Match, simulation: &Simulation) -> Option<Self> {
        if let Some(packed) = PackedPlayout::from_position(&simulation.position) {
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
                    simulation.apply_in_playout(action).then_some(())?;
                }
                simulation.play_out()
            }
        }
    }
}

impl<'a> MatchReplay<'a> {
    /// From the first deal on.
    pub(crate) fn new(equity: &'a EquityTable, dice: Dice, samples: SampleCounts) -> Self {
        Self {
            equity,
            dice,
            samples,
            luck: [0.0; BASELINES],
            value_weighted: 0.0,
            draws: DrawSums::default(),
            playouts: 0,
            #[cfg(test)]
            changes: [0.0; BASELINES],
        }
    }

    /// By each baseline: value at the end − value at the start − Σ [Q(action taken) − Q(action of the baseline)].
    pub(crate) fn luck(&self) -> [f64; BASELINES] {
        self.luck
    }

    /// What deals and draws changed by the followed samples, each change times the [`weight`] of the value before it.
    pub(crate) fn value_weighted(&self) -> f64 {
        self.value_weighted
    }

    pub(crate) fn draws(&self) -> &DrawSums {
        &self.draws
    }

    /// The number of playouts so far.
    pub(crate) fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Begins a round that was just dealt. Orders of the boneyard are random, each with all its rotations, so that every
    /// tile comes next about equally often.
    pub(crate) fn begin(&mut self, game: &Match, state: MatchState) -> Option<RoundReplay> {
        let round = game.round()?;
        let mut boneyard = round.boneyard().to_vec();
        let mut samples = Vec::new();
        for baseline in Baseline::ALL {
            for index in 0..self.samples.all[baseline as usize] as usize {
                if index % boneyard.len().max(1) == 0 {
                    self.dice.shuffle(&mut boneyard);
                } else {
                    boneyard.rotate_left(1);
                }
                let policies = baseline.policies(&mut self.dice);
                let is_followed = index < self.samples.followed[baseline as usize] as usize;
                let followed = is_followed.then_some(0.0);
                let boneyard = boneyard.clone();
                samples.push(Sample { baseline, policies, boneyard, diverged: None, followed });
            }
        }
        let is_first = game.deal_number().round == 0;
        let MatchState { scores, right } = state;
        let start = if is_first { self.equity.start() } else { self.equity.values(scores, right) };
        let stakes = Stakes::by_side(self.equity, scores, right);
        self.luck.iter_mut().zip(start).for_each(|(luck, start)| *luck -= start);
        Some(RoundReplay { state, stakes, simulation: Simulation::new(round), samples, before: Some(start) })
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
        let RoundReplay { state, stakes, simulation, samples, before } = replay;
        if !is_forced {
            let changed = before.take();
            let mut choices = Choices::new(simulation)?;
            for sample in samples.iter_mut().filter(|sample| sample.diverged.is_none()) {
                let choice = choices.choice(simulation, sample.policies)?;
                let diverges = choice != action;
                let value = match sample.followed {
                    // Nothing was dealt or drawn since.
                    Some(value) if changed.is_none() => value,
                    None if !diverges => continue,
                    _ => self.play_out(&mut start, game, simulation, sample, Some(choice), *state)?,
                };
                sample.follow(value);
                sample.diverged = diverges.then_some(value);
            }
            if let Some(before) = changed {
                self.add_change(before, followed(samples));
            }
        }
        if action == Action::Draw {
            for sample in samples.iter_mut() {
                let Some(diverged) = sample.diverged.take() else { continue };
                let drawing = self.play_out(&mut start, game, simulation, sample, Some(action), *state)?;
                self.add(sample.baseline, diverged - drawing);
                sample.follow(drawing);
            }
            before.get_or_insert_with(|| followed(samples));
        }
        let event = game.apply(action).ok()?.event;
        if let (HistoryAction::Draw(Some(drawn)), Some(seat)) = (event, simulation.position.round.to_act()) {
            let terms = draws::chance_terms(&simulation.position, seat, drawn, *stakes);
            self.draws.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
            for sample in samples {
                sample.draw(seat, drawn);
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
            *start = Some(PlayoutStart::new(game, simulation)?);
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

    /// Adds what one of a baseline's samples contributes to the mean over them.
    fn add(&mut self, baseline: Baseline, value: f64) {
        self.luck[baseline as usize] += value / f64::from(self.samples.all[baseline as usize]);
    }

    /// Takes in how the round ended.
    pub(crate) fn end(&mut self, replay: &RoundReplay, end: &RoundEnd) {
        let values = Baseline::ALL.map(|baseline| self.value(baseline, end, replay.state));
        for sample in &replay.samples {
            let value = values[sample.baseline as usize];
            self.add(sample.baseline, sample.diverged.unwrap_or(value));
        }
        if let Some(before) = replay.before {
            self.add_change(before, values);
        }
    }

    /// Ends a round that was interrupted; `None` if nobody is to act in it.
    pub(crate) fn interrupt(&mut self, mut replay: RoundReplay, game: &Match) -> Option<()> {
        let mut game = game.clone();
        // What a seat sees does not say which double the first round prescribes.
        if let Some(lead @ Action::Lead(_)) = game.round()?.legal().forced() {
            game.apply(lead).ok()?;
            replay.simulation.apply(lead).then_some(())?;
        }
        let mut start = None;
        for sample in &mut replay.samples {
            let value = self.play_out(&mut start, &game, &replay.simulation, sample, None, replay.state)?;
            self.add(sample.baseline, sample.diverged.unwrap_or(value));
            sample.follow(value);
        }
        if let Some(before) = replay.before {
            self.add_change(before, followed(&replay.samples));
        }
        Some(())
    }

    /// Adds what was dealt or drawn to the value-weighted luck.
    fn add_change(&mut self, before: [f64; BASELINES], after: [f64; BASELINES]) {
        let sum: f64 = before.iter().sum();
        for baseline in 0..BASELINES {
            let change = after[baseline] - before[baseline];
            // By the others, since the chance in a baseline's playouts must not weight itself.
            let by_others = (sum - before[baseline]) / (BASELINES - 1) as f64;
            self.value_weighted += weight(by_others) * change / BASELINES as f64;
            #[cfg(test)]
            (self.changes[baseline] += change);
        }
    }
}

/// The mean value by each baseline's followed samples.
fn followed(samples: &[Sample]) -> [f64; BASELINES] {
    let (mut sums, mut counts) = ([0.0; BASELINES], [0.0; BASELINES]);
    for sample in samples {
        if let Some(value) = sample.followed {
            sums[sample.baseline as usize] += value;
            counts[sample.baseline as usize] += 1.0;
        }
    }
    std::array::from_fn(|baseline| sums[baseline] / counts[baseline])
}

/// The weight of a change in the value-weighted luck: the lead of the first seat before the change, in standard deviations of
/// the result from an even match. Values count as 0.01 to 0.99, so the weight is at most 5.
fn weight(value: f64) -> f64 {
    let value = value.clamp(0.01, 0.99);
    (value - 0.5) / (value * (1.0 - value)).sqrt()
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{RulesName, Seats, Set};
    use leyden_rules::{DealOutcome, Deck, Round, Rules};

    use super::*;
    use crate::policy::Policy;

    /// Playouts before and after a draw of the match have as much in common as can be.
    #[test]
    fn draw_changes_one_spot_in_the_sampled_order() {
        let boneyard: Vec<Tile> = Deck::in_order(Set::DoubleSix).tiles()[..9].to_vec();
        for (index, drawn) in boneyard.iter().enumerate() {
            for (seat, by_the_order) in Seats::TWO.iter().zip([boneyard[0], boneyard[8]]) {
                let mut sample = Sample {
                    baseline: Baseline::Careful,
                    policies: [Policy::CAREFUL; 2],
                    boneyard: boneyard.clone(),
                    diverged: None,
                    followed: None,
                };
                sample.draw(seat, *drawn);
                let mut expected = boneyard.clone();
                expected[index] = by_the_order;
                let gone =
                    if seat == Seat::FIRST { expected.remove(0) } else { expected.pop().expect("a tile") };
                assert_eq!(gone, by_the_order);
                assert_eq!(sample.boneyard, expected, "{seat:?} {drawn}");
            }
        }
    }

    /// What the value-weighted luck weights adds up to the luck by each baseline, if all samples are followed: no change is lost or
    /// counted twice, and none is stale.
    #[test]
    fn changes_add_up_to_the_luck() {
        let mut dice = Dice::from_text("changes");
        for rules in RulesName::ALL.map(Rules::standard) {
            let equity = EquityTable::for_rules(&rules).expect("two seats");
            let counts = [3; BASELINES];
            let samples = SampleCounts { all: counts, followed: counts };
            let mut replay = MatchReplay::new(&equity, Dice::from_text("samples"), samples);
            let mut draws = 0;
            for number in 0..30 {
                let mut game = Match::new(&rules);
                let mut deck = Deck::in_order(rules.set);
                deck.shuffle(|bound| dice.below(bound));
                if game.deal(&deck) == DealOutcome::NoDouble {
                    continue;
                }
                let state = MatchState { scores: [0, 0], right: Seat::FIRST };
                let mut round = replay.begin(&game, state).expect("a round is played");
                // Half of the rounds are interrupted.
                let mut left = if number % 2 == 0 { usize::MAX } else { dice.below(30) };
                while let Some(legal) = game.round().map(Round::legal).filter(|legal| !legal.is_empty())
                    && left > 0
                {
                    left -= 1;
                    let action = legal.nth(dice.below(legal.len())).expect("one of them");
                    draws += u32::from(action == Action::Draw);
                    replay.step(&mut round, &mut game, action.into()).expect("legal");
                }
                match game.round().and_then(RoundEnd::from_round) {
                    Some(end) => replay.end(&round, &end),
                    None => replay.interrupt(round, &game).expect("somebody is to act"),
                }
                for (change, luck) in replay.changes.into_iter().zip(replay.luck()) {
                    assert!((change - luck).abs() < 1e-9, "{} {number}: {change} is not {luck}", rules.name);
                }
            }
            assert!(draws > 50, "{}: {draws}", rules.name);
        }
    }
}
